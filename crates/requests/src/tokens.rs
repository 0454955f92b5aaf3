//! [`TokenChoice`]: the normalizer, case rule and tokenizer that the user selected.

use bleuprint::eval::{ChosenTokens, SharedTokenizer, TokenRequest};
use bleuprint::text::read::IdFilter;
use bleuprint::text::{Chain, Takes};
use bleuprint::{Case, ConfigError, Tokenizer, Tokenizers};

use crate::failure::{Result, fail};

/// Tokenizer, normalizer and case rule that the user selected, with the list of all available tokenizers.
#[derive(Debug, Clone)]
pub struct TokenChoice {
    request: TokenRequest,
    tokenizers: Tokenizers,
}

impl TokenChoice {
    /// Creates the choice of tokenizer, normalizer and case rule from the user's options. Returns an error if
    /// the tokenizer does not support an option.
    pub fn new(request: TokenRequest, tokenizers: &Tokenizers) -> Result<Self> {
        let name = request.name();
        let options = &request.options;
        if name != "ids" && options.ids != IdFilter::default() {
            fail!("ids that do not count are an option of the tokenizer `ids`, not of `{name}`");
        }
        if name == "ids" && request.normalizer.is_some() {
            fail!("--norm rewrites text, but the segments are ids");
        }
        for (option, given, taken) in [
            ("tokenizer-model", options.model.is_some(), Takes::Model),
            ("dictionary", options.dictionary.is_some(), Takes::Dictionary),
        ] {
            if given && !tokenizers.takes(name, taken)? {
                fail!("the tokenizer `{name}` takes no --{option}");
            }
        }
        Ok(TokenChoice { request, tokenizers: tokenizers.clone() })
    }

    /// Returns the name of the selected tokenizer.
    pub fn name(&self) -> &str {
        self.request.name()
    }

    /// Builds the selected tokenizer.
    ///
    /// # Errors
    /// Returns the errors of the tokenizer's constructor.
    pub fn tokenizer(&self) -> Result<SharedTokenizer, ConfigError> {
        Ok(self.tokenizers.build(self.name(), &self.request.tokenizer_options())?.into())
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.request.tokenizer.is_some()
    }

    /// Builds the tokenizers that could have rejected a text: the selected one, and those whose names in
    /// signatures are in `labels`.
    pub(crate) fn of_labels(&self, labels: &[String]) -> Vec<Box<dyn Tokenizer>> {
        let options = self.request.tokenizer_options();
        let build = |name: &str| self.tokenizers.build(name, &options).ok();
        let names = labels.iter().filter_map(|label| self.tokenizers.name_of_label(label));
        names.chain([self.name()]).filter_map(build).filter(|tokenizer| tokenizer.refuses_lines()).collect()
    }

    /// Returns the selected case rule: keep the case, or lowercase all text.
    pub fn case(&self) -> Case {
        self.request.tokenizer_options().case
    }

    /// Builds the selected normalizers; `None` if none was selected.
    ///
    /// # Errors
    /// Returns an error if a normalizer is unknown.
    pub fn normalizer(&self) -> Result<Option<Chain>, ConfigError> {
        let build = |chain: &String| self.tokenizers.normalizers.build(chain);
        self.request.normalizer.as_ref().map(build).transpose()
    }

    /// Returns the filter of token ids, such as padding, that are not counted.
    pub fn ids(&self) -> &IdFilter {
        &self.request.options.ids
    }

    /// Returns `true` if the segments are token ids instead of text.
    pub fn is_ids(&self) -> bool {
        self.name() == "ids"
    }

    /// Builds the tokenization (tokenizer, normalizer, case rule) for metrics that do not fix their own
    /// tokenizer.
    pub(crate) fn chosen(&self) -> Result<ChosenTokens, ConfigError> {
        self.request.choose(&self.tokenizers)
    }
}

/// Returns the paths of the files that the tokenizer and the normalizers read.
pub(crate) fn token_files(request: &TokenRequest) -> impl Iterator<Item = String> {
    let paths = [&request.options.model, &request.options.dictionary];
    // A step such as csrfilt=FILE reads a file, which no output may overwrite.
    let steps = request.normalizer.iter().flat_map(|chain| chain.split('+'));
    let files = steps.filter_map(|step| Some(step.split_once('=')?.1.to_owned()));
    paths.into_iter().flatten().map(|path| path.display().to_string()).chain(files)
}

//! The normalizer, the case and the tokenizer that were asked for.

use bleuprint::eval::{ChosenTokens, SharedTokenizer, TokenRequest};
use bleuprint::text::read::IdFilter;
use bleuprint::text::{Chain, Takes};
use bleuprint::{Case, ConfigError, Tokenizer, Tokenizers};

use crate::failure::{Result, fail};

/// The tokens that were asked for, with the tokenizers of the program.
#[derive(Debug, Clone)]
pub struct TokenChoice {
    request: TokenRequest,
    tokenizers: Tokenizers,
}

impl TokenChoice {
    /// Options that the tokenizer does not take are errors.
    pub fn new(request: TokenRequest, tokenizers: &Tokenizers) -> Result<Self> {
        let (name, options) = (request.name(), &request.options);
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

    /// The name of the tokenizer.
    pub fn name(&self) -> &str {
        self.request.name()
    }

    /// The tokenizer.
    ///
    /// # Errors
    /// Those of the tokenizer.
    pub fn tokenizer(&self) -> Result<SharedTokenizer, ConfigError> {
        Ok(self.tokenizers.build(self.name(), &self.request.tokenizer_options())?.into())
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.request.tokenizer.is_some()
    }

    /// The tokenizers that refuse some lines: this one, and those behind labels of signatures.
    pub(crate) fn of_labels(&self, labels: &[String]) -> Vec<Box<dyn Tokenizer>> {
        let options = self.request.tokenizer_options();
        let build = |name: &str| self.tokenizers.build(name, &options).ok();
        let names = labels.iter().filter_map(|label| self.tokenizers.name_of_label(label));
        names.chain([self.name()]).filter_map(build).filter(|tokenizer| tokenizer.refuses_lines()).collect()
    }

    /// The case.
    pub fn case(&self) -> Case {
        self.request.tokenizer_options().case
    }

    /// The normalizers, if any.
    ///
    /// # Errors
    /// An unknown normalizer.
    pub fn normalizer(&self) -> Result<Option<Chain>, ConfigError> {
        let build = |chain: &String| self.tokenizers.normalizers.build(chain);
        self.request.normalizer.as_ref().map(build).transpose()
    }

    /// The ids that do not count.
    pub fn ids(&self) -> &IdFilter {
        &self.request.options.ids
    }

    /// The segments are ids.
    pub fn is_ids(&self) -> bool {
        self.name() == "ids"
    }

    /// For metrics without tokens of their own.
    pub fn chosen(&self) -> Result<ChosenTokens, ConfigError> {
        self.request.choose(&self.tokenizers)
    }
}

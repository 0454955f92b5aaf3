//! From arguments to tokens: the normalizer, the case and the tokenizer that were asked for.

use bleuprint::eval::{ChosenTokens, SharedTokenizer, TokenRequest};
use bleuprint::text::Chain;
use bleuprint::text::read::IdFilter;
use bleuprint::text::{Takes, tokenizer_for_pair};
use bleuprint::{Case, ConfigError, Tokenizer, TokenizerOptions, Tokenizers};
use clap::{Arg, ArgMatches, value_parser};

use crate::shared::args::{Values as _, flag, option};
use crate::shared::failure::{Result, fail};

const ID_OPTIONS: [(&str, &str); 4] = [
    ("pad-ids", "Padding, dropped at both ends"),
    ("begin-ids", "Begin of sequence, dropped at the start"),
    ("end-ids", "End of sequence: the first one ends it"),
    ("exclude-ids", "Dropped wherever they stand"),
];

pub(crate) fn text_options() -> Vec<Arg> {
    let path = |name| option(name, "PATH").value_parser(value_parser!(std::path::PathBuf));
    let ids = |(name, help)| {
        option(name, "ID,..")
            .value_delimiter(',')
            .allow_hyphen_values(true)
            .value_parser(value_parser!(i64))
            .help(help)
            .help_heading("Options of --tokenize ids")
    };
    let mut options = vec![
        option("tokenize", "NAME").help(
            "The tokenizer [short: -tok] [default: by --language-pair, else 13a; see `bleuprint list tokenizers`]",
        ),
        option("language-pair", "SRC-TGT").short('l').help("Chooses the tokenizer by the target language"),
        norm(),
        flag("lowercase").help("Lower-case the text first [short: -lc]"),
        path("tokenizer-model").help("The model of a subword tokenizer"),
        path("dictionary").help("The dictionary of a morphological tokenizer"),
    ];
    options.extend(ID_OPTIONS.map(ids));
    options
}

pub(crate) fn norm() -> Arg {
    option("norm", "NAME")
        .help("Normalizers before the tokenizer, joined by +, as in nfkc+lower+punct; see `bleuprint list normalizers`")
}

#[derive(Debug, Clone)]
pub(crate) struct TokenChoice {
    request: TokenRequest,
    tokenizers: Tokenizers,
}

pub(crate) fn request(matches: &ArgMatches) -> Result<TokenRequest, ConfigError> {
    let by_language = matches.text("language-pair").map(|pair| tokenizer_for_pair(&pair)).transpose()?;
    let [pad, begin, end, exclude] =
        ID_OPTIONS.map(|(name, _)| matches.get_many(name).into_iter().flatten().copied().collect());
    let options = TokenizerOptions {
        model: matches.get_one("tokenizer-model").cloned(),
        dictionary: matches.get_one("dictionary").cloned(),
        ids: IdFilter { pad, begin, end, exclude },
        ..TokenizerOptions::default()
    };
    Ok(TokenRequest {
        tokenizer: matches.text("tokenize").or(by_language.map(str::to_owned)),
        lowercase: matches.get_flag("lowercase").then_some(true),
        normalizer: matches.text("norm"),
        options,
    })
}

pub(crate) fn files(request: &TokenRequest) -> impl Iterator<Item = String> {
    let paths = [&request.options.model, &request.options.dictionary];
    let steps = request.normalizer.iter().flat_map(|chain| chain.split('+'));
    let files = steps.filter_map(|step| Some(step.split_once('=')?.1.to_owned()));
    paths.into_iter().flatten().map(|path| path.display().to_string()).chain(files)
}

impl TokenChoice {
    /// Options that the tokenizer does not take are errors.
    pub(crate) fn new(request: TokenRequest, tokenizers: &Tokenizers) -> Result<Self> {
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

    pub(crate) fn name(&self) -> &str {
        self.request.name()
    }

    pub(crate) fn tokenizer(&self) -> Result<SharedTokenizer, ConfigError> {
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

    pub(crate) fn case(&self) -> Case {
        self.request.tokenizer_options().case
    }

    pub(crate) fn normalizer(&self) -> Result<Option<Chain>, ConfigError> {
        let build = |chain: &String| self.tokenizers.normalizers.build(chain);
        self.request.normalizer.as_ref().map(build).transpose()
    }

    pub(crate) fn ids(&self) -> &IdFilter {
        &self.request.options.ids
    }

    pub(crate) fn is_ids(&self) -> bool {
        self.name() == "ids"
    }

    /// For metrics without tokens of their own.
    pub(crate) fn chosen(&self) -> Result<ChosenTokens, ConfigError> {
        self.request.choose(&self.tokenizers)
    }
}

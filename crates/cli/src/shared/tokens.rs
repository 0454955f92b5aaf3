//! Defines the options for tokens: tokenizer, normalizers, and the token ids to drop.

use bleuprint::eval::TokenRequest;
use bleuprint::text::read::IdFilter;
use bleuprint::text::tokenizer_for_pair;
use bleuprint::{ConfigError, TokenizerOptions};
pub(crate) use bleuprint_requests::tokens::TokenChoice;
use clap::{Arg, ArgMatches, value_parser};

use crate::shared::args::{ArgumentValues as _, flag, of_metrics, option};

const ID_OPTIONS: [(&str, &str); 4] = [
    ("pad-ids", "Padding ids, dropped at both ends"),
    ("begin-ids", "Ids that begin a sequence, dropped at its start"),
    ("end-ids", "Ids that end a sequence: the first one ends it"),
    ("exclude-ids", "Ids that are dropped at every position"),
];

pub(crate) fn text_options() -> Vec<Arg> {
    let path = |name| option(name, "PATH").value_parser(value_parser!(std::path::PathBuf));
    let mut options = vec![
        option("tokenize", "NAME").help(
            "The tokenizer [short: -tok] [default: by --language-pair, else 13a; see `bleuprint list tokenizers`]",
        ),
        option("language-pair", "SRC-TGT").short('l').help("Choose the tokenizer by the target language"),
        norm(),
        flag("lowercase").help("Lower-case the text first [short: -lc]"),
        path("tokenizer-model").help("The model of a subword tokenizer"),
        path("dictionary").help("The dictionary of a morphological tokenizer"),
    ];
    options.extend(id_options().map(of_metrics));
    options
}

/// Returns the options of the tokenizer `ids`, which reads the ids of tokens.
pub(crate) fn id_options() -> [Arg; 4] {
    ID_OPTIONS.map(|(name, help)| {
        option(name, "ID,..")
            .value_delimiter(',')
            // Padding is often -100, which must not look like an option.
            .allow_hyphen_values(true)
            .value_parser(value_parser!(i64))
            .help(help)
    })
}

pub(crate) fn norm() -> Arg {
    option("norm", "NAME")
        .help("Normalizers to apply before the tokenizer, joined by +, as in nfkc+lower+punct; see `bleuprint list normalizers`")
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
        elsewhere: Vec::new(),
    })
}

//! From options to a panel: the metrics and the tokenizer that were asked for.

use bleuprint::eval::{Encoder, Panel};
use bleuprint::text::read::IdFilter;
use bleuprint::text::tokenizer_for_pair;
use bleuprint::{Case, ConfigError, Registry, Tokenizer, TokenizerOptions, tokenizer};
use clap::ArgMatches;

use crate::args;

/// The metrics of `--metrics`, with their options, over the tokens that were asked for.
pub(crate) fn panel(
    registry: &Registry,
    matches: &ArgMatches,
    sentence_level: bool,
) -> Result<Panel, ConfigError> {
    let mut chosen: Vec<&'static str> = Vec::new();
    for name in matches.get_many::<String>("metrics").into_iter().flatten() {
        let entry = registry.get(name)?;
        if !chosen.contains(&entry.name) {
            chosen.push(entry.name);
        }
    }
    args::refuse_foreign_options(registry, matches, &chosen)?;
    let build = |name: &&'static str| {
        let entry = registry.get(name)?;
        entry.build(&args::metric_options(matches, entry.options, sentence_level))
    };
    let metrics = chosen.iter().map(build).collect::<Result<_, _>>()?;
    Ok(Panel::new(metrics, Encoder::new(chosen_tokenizer(matches)?, case(matches))?))
}

/// Whether the text is lower-cased first.
pub(crate) fn case(matches: &ArgMatches) -> Case {
    if matches.get_flag("lowercase") { Case::Lower } else { Case::Mixed }
}

/// The name of the tokenizer: that of `--tokenize`, else that of the target language, else 13a.
pub(crate) fn tokenizer_name(matches: &ArgMatches) -> Result<String, ConfigError> {
    if let Some(name) = matches.get_one::<String>("tokenize") {
        return Ok(name.clone());
    }
    let by_language =
        matches.get_one::<String>("language-pair").map(|pair| tokenizer_for_pair(pair)).transpose()?;
    Ok(by_language.unwrap_or("13a").to_owned())
}

/// The tokenizer itself.
pub(crate) fn chosen_tokenizer(matches: &ArgMatches) -> Result<Box<dyn Tokenizer>, ConfigError> {
    let options = TokenizerOptions {
        model: matches.get_one("tokenizer-model").cloned(),
        dictionary: matches.get_one("dictionary").cloned(),
        ids: args::id_filter(matches),
        ..TokenizerOptions::default()
    };
    let name = tokenizer_name(matches)?;
    if name != "ids" && options.ids != IdFilter::default() {
        let message = format!("ids that do not count are an option of the tokenizer `ids`, not of `{name}`");
        return Err(ConfigError::Conflict(message));
    }
    tokenizer(&name, &options)
}

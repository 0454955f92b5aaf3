//! `--signature`: the metric and the tokens of a request, as a signature says.

use bleuprint::eval::{Panel, PanelMetric};
use bleuprint::recipe::Recipe;
use bleuprint::{ConfigError, MetricOptions, OptionKind, Registry};
use clap::ArgMatches;

use crate::chosen::{TokenRequest, read_file};
use crate::warn;
use crate::{Failure, args};

/// The recipe of `--signature`, where it is given; what its user should know is said.
pub(crate) fn given(matches: &ArgMatches) -> Result<Option<Recipe>, ConfigError> {
    let text = matches.try_get_one::<String>("signature").ok().flatten();
    let recipe = text.map(|text| text.parse::<Recipe>()).transpose()?;
    if let (Some(recipe), false) = (&recipe, matches.get_flag("quiet")) {
        recipe.notes().iter().for_each(|note| warn::note(note));
    }
    Ok(recipe)
}

/// The metric of a recipe, over its tokens, and these tokens.
///
/// # Errors
/// What cannot be reproduced; options of metrics beside the signature, which decides them.
pub(crate) fn panel(
    registry: &Registry,
    matches: &ArgMatches,
    recipe: &Recipe,
) -> Result<(Panel, TokenRequest), Failure> {
    let mut files = MetricOptions::new();
    files.set_files(read_file);
    for option in registry.entries().iter().flat_map(|entry| entry.options) {
        match args::given(matches, option) {
            Some(path) if option.kind == OptionKind::Path => files.set(option.name, &path),
            Some(_) => {
                return Err(Failure::Message(format!("--{} is decided by --signature", option.name)));
            }
            None => {}
        }
    }
    let settings = recipe.settings_with(registry, &files)?;
    let tokens = TokenRequest::named(matches, settings.tokenizer.as_deref())?;
    let metric = registry.get(settings.metric)?.build(&settings.options)?;
    let mut metric = PanelMetric::new(metric);
    if let Some(case) = settings.case {
        metric = metric.with_case(case);
    }
    let panel = Panel::new([metric], &tokens.chosen()?)?;
    if !panel.needs_first_pass() {
        for metric in panel.metrics() {
            recipe.check(&metric.identity().signature(&Default::default()))?;
        }
    }
    Ok((panel, tokens))
}

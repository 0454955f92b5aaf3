//! Builds the metric and the tokenizer that a score's signature describes, for the option `--signature`.

use bleuprint::eval::evaluation::Metrics;
use bleuprint::eval::{Panel, PanelMetric, Request, TokenRequest};
use bleuprint::recipe::Recipe;
use bleuprint::text::read::option_file;
use bleuprint::text::{Families, Normalizer as _};
use bleuprint::{
    Metric as _, Tokenizers,
    contract::{MetricOptions, MetricSpec},
};

use crate::failure::{Result, fail};
use crate::request::metrics::MetricChoice;
use crate::tokens::TokenChoice;

/// Builds the metric that a score's signature describes.
///
/// # Errors
/// Returns an error for settings that this program cannot reproduce, and if options of metrics are given
/// together with `--signature`.
pub(crate) fn panel(
    families: &Families,
    recipe: &Recipe,
    given: &MetricChoice,
    mut tokens: TokenRequest,
) -> Result<(Metrics, Vec<MetricSpec>, TokenChoice)> {
    let registry = families.registry();
    let tokenizers = families.tokenizers();
    // A signature has only hashes of files, so the user gives their paths with -m.
    let mut files = MetricOptions::default();
    files.set_files(option_file);
    let given = given.beside_signature(registry)?;
    for (name, path) in given.iter().flat_map(|spec| spec.options.iter()) {
        files.set(name, path);
    }
    let settings = recipe.settings_with(registry, tokenizers, &files)?;
    tokens.normalizer = normalizer(tokenizers, settings.normalizer, tokens.normalizer)?;
    // A tokenizer with a model is named by the user; `check` below compares it with the signature.
    tokens.tokenizer = tokens.tokenizer.or(settings.tokenizer);
    let tokens = TokenChoice::new(tokens, tokenizers)?;
    let metric = registry.get(&settings.metric)?.build(&settings.options)?;
    let spec = MetricSpec {
        metric: settings.metric,
        options: settings.options,
        tokenizer: None,
        lowercase: None,
        normalizer: None,
    };
    // Metrics over numbers, vectors or records are not part of a panel of texts.
    if metric.view.kind.is_beside_text() {
        // Metrics of two passes have their final signature only after the first pass, and are checked then.
        if metric.first_pass().is_none() {
            recipe.check(&metric.identity().signature(&Default::default()))?;
        }
        let request = Request { specs: vec![spec], tokens: tokens.chosen()? };
        return Ok((request.build(registry)?, request.specs, tokens));
    }
    let mut metric = PanelMetric::from(metric);
    if let Some(case) = settings.case {
        metric = metric.with_case(case);
    }
    let panel = Panel::new([metric], &tokens.chosen()?)?;
    if panel.first_pass().is_none() {
        for metric in panel.metrics() {
            recipe.check(&metric.identity().signature(&Default::default()))?;
        }
    }
    Ok((panel.into(), vec![spec], tokens))
}

/// Returns the normalizer in the signature. Returns an error if `--norm` names a different one.
fn normalizer(
    tokenizers: &Tokenizers,
    wanted: Option<String>,
    given: Option<String>,
) -> Result<Option<String>> {
    match (wanted, given) {
        (None, Some(given)) => {
            fail!("--norm {given} contradicts --signature, which has no normalizer");
        }
        (Some(wanted), Some(given)) => {
            // Names have aliases, so the built chains are compared, not the texts.
            let chain = tokenizers.normalizers.build(&given)?;
            if chain.name() != wanted {
                fail!("--norm {given} is `norm:{}`, but the signature has `norm:{wanted}`", chain.name());
            }
            Ok(Some(given))
        }
        (wanted, None) => Ok(wanted),
    }
}

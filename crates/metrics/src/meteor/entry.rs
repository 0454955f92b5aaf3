//! METEOR in the registry.

use std::sync::Arc;

use bleuprint_core::{AnyMetric, Case, ConfigError, MetricEntry, MetricOptions, OptionKind, OptionSpec};

use super::{Meteor, WordNet};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec::new("meteor-wordnet", OptionKind::Path)
        .help("The folder of a WordNet 3 database, for synonyms; without it only words and stems match"),
    OptionSpec::new("meteor-alpha", OptionKind::Number)
        .default("0.9")
        .help("The weight of precision against recall: 0 is precision alone, 1 recall alone"),
    OptionSpec::new("meteor-beta", OptionKind::Number)
        .default("3")
        .help("The exponent of the penalty for scattered matches"),
    OptionSpec::new("meteor-gamma", OptionKind::Number).default("0.5").help("The greatest penalty"),
];

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "meteor",
    "Words aligned by form, stem and synonym, with a penalty for scattered matches",
    build,
)
.paper("Banerjee and Lavie 2005, METEOR")
.agrees_with("NLTK 3.10.4")
.options(OPTIONS);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let number = |name, default| Ok::<_, ConfigError>(options.parse(name, "a number")?.unwrap_or(default));
    let Meteor { alpha, beta, gamma, .. } = Meteor::default();
    let mut meteor = Meteor::new(
        number("meteor-alpha", alpha)?,
        number("meteor-beta", beta)?,
        number("meteor-gamma", gamma)?,
    )?;
    if let Some(folder) = options.get("meteor-wordnet") {
        let wordnet = WordNet::parse(|name| options.read_file(&format!("{folder}/{name}")))?;
        meteor = meteor.with_synonyms(Arc::new(wordnet));
    }
    // It lowers words itself.
    Ok(AnyMetric::over_tokens(meteor).with_case(Case::Mixed))
}

//! Registry entry of METEOR: the name, options and constructor by which the command line and Python create
//! the metric.

use std::sync::Arc;

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt};

use super::{Meteor, WordNet};

pub(super) const WORDNET: Opt<Option<String>> = Opt::path("meteor-wordnet", "")
    .counted("synonyms", "syn")
    .help("The folder of a WordNet 3 database, for synonyms; without it only words and stems match");

pub(super) const ALPHA: Opt<f64> = Opt::number("meteor-alpha", 0.9)
    .limits(0, 1)
    .counted("alpha", "alpha")
    .unless_default()
    .help("The weight of precision against recall: 0 is precision alone, 1 recall alone");

pub(super) const BETA: Opt<f64> = Opt::number("meteor-beta", 3.0)
    .limits(0, u64::MAX)
    .counted("beta", "beta")
    .unless_default()
    .help("The exponent of the penalty for scattered matches");

pub(super) const GAMMA: Opt<f64> = Opt::number("meteor-gamma", 0.5)
    .limits(0, 1)
    .counted("gamma", "gamma")
    .unless_default()
    .help("The greatest penalty");

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "meteor",
    "Words aligned by form, stem and synonym, with a penalty for scattered matches",
    build,
)
.papers(&[crate::paper("banerjee-lavie-2005-meteor")])
.agrees_with("NLTK 3.10.4")
.options(&[WORDNET.spec, ALPHA.spec, BETA.spec, GAMMA.spec])
.example(crate::TEXT_EXAMPLE);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let mut meteor =
        Meteor::new(ALPHA.value_in(options)?, BETA.value_in(options)?, GAMMA.value_in(options)?)?;
    if let Some(folder) = WORDNET.value_in(options)? {
        let wordnet = WordNet::parse(|name| options.read_file(&format!("{folder}/{name}")))?;
        meteor = meteor.with_synonyms(Arc::new(wordnet));
    }
    // METEOR converts words to lower case itself.
    Ok(AnyMetric::for_tokens(meteor).with_case(Case::Mixed))
}

//! Registry entry of METEOR: the name, options and constructor by which the command line and Python create
//! the metric.

use std::sync::Arc;

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, settings};

use super::{Meteor, WordNet};

settings! {
    pub(super) struct MeteorOptions {
        /// The folder of a WordNet 3 database, for synonyms; without it only words and stems match
        pub(super) wordnet: Option<String> = Opt::path("meteor-wordnet", "").counted("synonyms", "syn");
        /// The weight of precision against recall: 0 is precision alone, 1 recall alone
        pub(super) alpha: f64 =
            Opt::number("meteor-alpha", 0.9).limits(0, 1).counted("alpha", "alpha").unless_default();
        /// The exponent of the penalty for scattered matches
        pub(super) beta: f64 =
            Opt::number("meteor-beta", 3.0).limits(0, u64::MAX).counted("beta", "beta").unless_default();
        /// The greatest penalty
        pub(super) gamma: f64 =
            Opt::number("meteor-gamma", 0.5).limits(0, 1).counted("gamma", "gamma").unless_default();
    }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "meteor",
    "Words aligned by form, stem and synonym, with a penalty for scattered matches",
    build,
)
.papers(&[crate::paper("banerjee-lavie-2005-meteor")])
.agrees_with("NLTK 3.10.4")
.options(MeteorOptions::SPECS)
.example(crate::TEXT_EXAMPLE);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let MeteorOptions { wordnet, alpha, beta, gamma } = MeteorOptions::from_options(options)?;
    let mut meteor = Meteor::new(alpha, beta, gamma)?;
    if let Some(folder) = wordnet {
        let wordnet = WordNet::parse(|name| options.read_file(&format!("{folder}/{name}")))?;
        meteor = meteor.with_synonyms(Arc::new(wordnet));
    }
    // METEOR converts words to lower case itself.
    Ok(AnyMetric::for_tokens(meteor).with_case(Case::Mixed))
}

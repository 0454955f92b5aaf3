//! METEOR in the registry.

use std::sync::Arc;

use bleuprint_core::{AnyMetric, Case, ConfigError, MetricEntry, MetricOptions};

use super::options::{ALPHA, BETA, GAMMA, WORDNET};
use super::{Meteor, WordNet};

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "meteor",
    "Words aligned by form, stem and synonym, with a penalty for scattered matches",
    build,
)
.paper("Banerjee and Lavie 2005, METEOR")
.agrees_with("NLTK 3.10.4")
.options(&[WORDNET.spec, ALPHA.spec, BETA.spec, GAMMA.spec]);

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let mut meteor = Meteor::new(ALPHA.of(options)?, BETA.of(options)?, GAMMA.of(options)?)?;
    if let Some(folder) = WORDNET.of(options)? {
        let wordnet = WordNet::parse(|name| options.read_file(&format!("{folder}/{name}")))?;
        meteor = meteor.with_synonyms(Arc::new(wordnet));
    }
    // It lowers words itself.
    Ok(AnyMetric::over_tokens(meteor).with_case(Case::Mixed))
}

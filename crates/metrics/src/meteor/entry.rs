//! METEOR in the registry.

use std::sync::Arc;

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Paper};

use super::options::{ALPHA, BETA, GAMMA, WORDNET};
use super::{Meteor, WordNet};

const PAPERS: &[Paper] = &[Paper::new(
    "banerjee-lavie-2005-meteor",
    "Banerjee, Satanjeev and Lavie, Alon",
    "METEOR: An Automatic Metric for MT Evaluation with Improved Correlation with Human Judgments",
    2005,
)
.at("Proceedings of the ACL Workshop on Intrinsic and Extrinsic Evaluation Measures for Machine Translation and/or Summarization")
.link("https://aclanthology.org/W05-0909/")];

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "meteor",
    "Words aligned by form, stem and synonym, with a penalty for scattered matches",
    build,
)
.papers(PAPERS)
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

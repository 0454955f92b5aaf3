//! The registry entry of distinct-n.

use bleuprint_core::{AnyMetric, ConfigError, MetricEntry, MetricOptions, Preset};

use super::options::{MEAN, ORDER, PER, VOCABULARY};
use super::{Distinct, DistinctMean};

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("distinct", "Different n-grams among all n-grams of the hypotheses", build)
        .aliases(&["dist"])
        .presets(&[
            preset("distinct-1", &[("distinct-order", "1")], "Different tokens among all tokens"),
            preset("distinct-2", &[("distinct-order", "2")], "Different bigrams among all bigrams"),
            preset("distinct-3", &[("distinct-order", "3")], "Different trigrams among all trigrams"),
        ])
        .paper("Li et al. 2016, A Diversity-Promoting Objective Function for Neural Conversation Models")
        .options(&[ORDER.spec, MEAN.spec, VOCABULARY.spec, PER.spec]);

const fn preset(
    name: &'static str,
    options: &'static [(&'static str, &'static str)],
    summary: &'static str,
) -> Preset {
    Preset { name, options, summary }
}

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let (order, per, vocabulary) = (ORDER.of(options)?, PER.of(options)?, VOCABULARY.of(options)?);
    if MEAN.of(options)? {
        if vocabulary.is_some() {
            return Err(ConfigError::Conflict("the mean of segments is not expectation-adjusted".into()));
        }
        return AnyMetric::over_ids(DistinctMean::new(order)?.per(per));
    }
    let corpus = Distinct::new(order)?.per(per);
    let corpus = vocabulary.map_or(Ok(corpus), |size| corpus.expectation_adjusted(size))?;
    Ok(AnyMetric::over_tokens(corpus))
}

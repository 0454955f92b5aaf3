//! The registry entry of distinct-n: its options as data.

use bleuprint_core::{AnyMetric, ConfigError, MetricEntry, MetricOptions, Opt, Preset};

use super::{Distinct, DistinctMean, Per};
use crate::shared::ngrams::MAX_ORDER;

pub(super) const ORDER: Opt<usize> = Opt::integer("distinct-order", 2)
    .limits(1, MAX_ORDER as u64)
    .counted("order", "n")
    .help("The order of the n-grams");

pub(super) const MEAN: Opt<bool> = Opt::flag("distinct-mean")
    .counted("mean", "mean")
    .words("segments", "")
    .help("The mean of the values of single segments, in place of that of the corpus");

/// Beyond `2^32`, `(V - 1)/V` has too few digits left.
pub(super) const VOCABULARY: Opt<Option<u64>> =
    Opt::optional_integer("distinct-vocabulary", "none: not adjusted")
        .limits(1, 1 << 32)
        .finished("vocabulary", "vocabulary")
        .help("Adjust to what is expected with a vocabulary of this size (EAD)");

pub(super) const PER: Opt<Per> = Opt::choice("distinct-per")
    .finished("per", "per")
    .unless_default()
    .help("What the different n-grams are divided by");

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

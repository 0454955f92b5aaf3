//! Registry entry of distinct-n: the name, options and constructor by which the command line and Python
//! create the metric.

use bleuprint_core::ConfigError;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Preset};

use super::{Distinct, DistinctMean};

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("distinct", "Different n-grams among all n-grams of the hypotheses", build)
        .aliases(&["dist"])
        .presets(&[
            preset("distinct-1", &[("distinct-order", "1")], "Different tokens among all tokens"),
            preset("distinct-2", &[("distinct-order", "2")], "Different bigrams among all bigrams"),
            preset("distinct-3", &[("distinct-order", "3")], "Different trigrams among all trigrams"),
        ])
        .papers(&[crate::paper("li-etal-2016-diversity"), crate::paper("liu-etal-2022-rethinking")])
        .options(Distinct::SPECS)
        .example(r#"{"hypothesis": "the cat sat on the mat"}"#);

const fn preset(
    name: &'static str,
    options: &'static [(&'static str, &'static str)],
    summary: &'static str,
) -> Preset {
    Preset { name, options, summary }
}

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let Distinct { order, per, vocabulary, mean } = Distinct::from_options(options)?;
    let corpus = Distinct::new(order)?.per(per);
    if mean {
        if vocabulary.is_some() {
            return Err(ConfigError::Conflict(
                "distinct-mean and distinct-vocabulary exclude each other: only the corpus value is adjusted"
                    .into(),
            ));
        }
        return AnyMetric::for_ids(DistinctMean(corpus));
    }
    let corpus = vocabulary.map_or(Ok(corpus), |size| corpus.expectation_adjusted(size))?;
    Ok(AnyMetric::for_tokens(corpus))
}

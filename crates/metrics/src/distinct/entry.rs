//! The registry entry of distinct-n.

use bleuprint_core::ConfigError;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Paper, Preset};

use super::options::{MEAN, ORDER, PER, VOCABULARY};
use super::{Distinct, DistinctMean};

const PAPERS: &[Paper] = &[Paper::new(
    "li-etal-2016-diversity",
    "Li, Jiwei and Galley, Michel and Brockett, Chris and Gao, Jianfeng and Dolan, Bill",
    "A Diversity-Promoting Objective Function for Neural Conversation Models",
    2016,
)
.at("Proceedings of the 2016 Conference of the North American Chapter of the Association for Computational Linguistics: Human Language Technologies")
.link("https://aclanthology.org/N16-1014/"), Paper::new(
    "liu-etal-2022-rethinking",
    "Liu, Siyang and Sabour, Sahand and Zheng, Yinhe and Ke, Pei and Zhu, Xiaoyan and Huang, Minlie",
    "Rethinking and Refining the Distinct Metric",
    2022,
)
.at("Proceedings of the 60th Annual Meeting of the Association for Computational Linguistics (Volume 2: Short Papers)")
.link("https://aclanthology.org/2022.acl-short.86/")];

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("distinct", "Different n-grams among all n-grams of the hypotheses", build)
        .aliases(&["dist"])
        .presets(&[
            preset("distinct-1", &[("distinct-order", "1")], "Different tokens among all tokens"),
            preset("distinct-2", &[("distinct-order", "2")], "Different bigrams among all bigrams"),
            preset("distinct-3", &[("distinct-order", "3")], "Different trigrams among all trigrams"),
        ])
        .papers(PAPERS)
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
    let corpus = Distinct::new(order)?.per(per);
    if MEAN.of(options)? {
        if vocabulary.is_some() {
            return Err(ConfigError::Conflict("the mean of segments is not expectation-adjusted".into()));
        }
        return AnyMetric::over_ids(DistinctMean(corpus));
    }
    let corpus = vocabulary.map_or(Ok(corpus), |size| corpus.expectation_adjusted(size))?;
    Ok(AnyMetric::over_tokens(corpus))
}

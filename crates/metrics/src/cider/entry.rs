//! Registry entries of CIDEr and CIDEr-D, which need two passes: first document frequencies, then scores.

use bleuprint_core::ConfigError;
use bleuprint_registry::{AnyMetric, MetricEntry, Paper};

use super::options::{CiderDSettings, CiderSettings};
use super::segment::CiderSimilarity;
use super::{Cider, DocumentFrequencies, ReferenceDocuments};

const PAPERS: &[Paper] = &[crate::paper("vedantam-etal-2015-cider")];

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "cider",
    "Cosine of n-grams weighted by rarity, as in the paper; two passes",
    |options| build(CiderSettings::from_options(options)?.max_order, CiderSimilarity::Plain),
)
.papers(PAPERS)
.options(CiderSettings::SPECS)
.example(crate::TEXT_EXAMPLE);

pub(crate) const D_ENTRY: MetricEntry =
    MetricEntry::new("cider_d", "CIDEr with clipping and a penalty of length; two passes", |options| {
        let CiderDSettings { max_order, sigma } = CiderDSettings::from_options(options)?;
        build(max_order, CiderSimilarity::Clipped { sigma })
    })
    .aliases(&["cider-d"])
    .papers(PAPERS)
    .agrees_with("pycocoevalcap 1.2 (its `Cider`) within 1e-9")
    .options(CiderDSettings::SPECS)
    .example(crate::TEXT_EXAMPLE);

fn build(max_order: usize, similarity: CiderSimilarity) -> Result<AnyMetric, ConfigError> {
    let first = AnyMetric::for_tokens(ReferenceDocuments::new(max_order)?);
    let second =
        move |frequencies: &DocumentFrequencies| AnyMetric::for_tokens(Cider::with(frequencies, similarity));
    let like = second(&DocumentFrequencies::new(max_order));
    Ok(AnyMetric::two_pass(first, like, move |state| Ok(second(state.stats().typed()?))))
}

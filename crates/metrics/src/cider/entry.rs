//! The registry entries of CIDEr and CIDEr-D: their options as data, and their two passes.

use bleuprint_core::{AnyMetric, ConfigError, MetricEntry, Opt};

use super::segment::Similarity;
use super::{Cider, DocumentFrequencies, ReferenceDocuments};
use crate::shared::ngrams::MAX_ORDER;

pub(super) const ORDER: Opt<usize> = order("cider-order");
const D_ORDER: Opt<usize> = order("cider-d-order");

const fn order(name: &'static str) -> Opt<usize> {
    Opt::integer(name, 4)
        .limits(1, MAX_ORDER as u64)
        .counted("order", "order")
        .unless_default()
        .help("The highest order of n-gram")
}

pub(super) const SIGMA: Opt<f64> = Opt::number("cider-d-sigma", 6.0)
    .above(0)
    .counted("sigma", "sigma")
    .unless_default()
    .help("The width of the penalty for unlike lengths");

const PAPER: &str = "Vedantam et al. 2015, CIDEr: Consensus-based Image Description Evaluation";

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "cider",
    "Cosine of n-grams weighted by rarity, as in the paper; two passes",
    |options| build(ORDER.of(options)?, Similarity::Plain),
)
.paper(PAPER)
.options(&[ORDER.spec]);

pub(crate) const D_ENTRY: MetricEntry =
    MetricEntry::new("cider_d", "CIDEr with clipping and a penalty of length; two passes", |options| {
        build(D_ORDER.of(options)?, Similarity::Clipped { sigma: SIGMA.of(options)? })
    })
    .aliases(&["cider-d"])
    .paper(PAPER)
    .agrees_with("pycocoevalcap 1.2 (its `Cider`) within 1e-9")
    .options(&[D_ORDER.spec, SIGMA.spec]);

fn build(max_order: usize, similarity: Similarity) -> Result<AnyMetric, ConfigError> {
    let first = AnyMetric::over_tokens(ReferenceDocuments::new(max_order)?);
    let second =
        move |frequencies: &DocumentFrequencies| AnyMetric::over_tokens(Cider::with(frequencies, similarity));
    let like = second(&DocumentFrequencies::new(max_order));
    Ok(AnyMetric::two_pass(first, like, move |state| Ok(second(state.stats().typed()?))))
}

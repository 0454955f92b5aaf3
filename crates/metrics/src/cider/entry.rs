//! The registry entries of CIDEr and CIDEr-D: their options as data, and their two passes.

use bleuprint_core::{AnyMetric, ConfigError, MetricEntry, MetricOptions, OptionKind, OptionSpec};

use super::segment::Similarity;
use super::{Cider, DEFAULT_MAX_ORDER, DEFAULT_SIGMA, DocumentFrequencies, ReferenceDocuments, check_sigma};

const ORDER: OptionSpec =
    OptionSpec::new("cider-order", OptionKind::Integer).default("4").help("The highest order of n-gram");

const D_ORDER: OptionSpec =
    OptionSpec::new("cider-d-order", OptionKind::Integer).default("4").help("The highest order of n-gram");

const SIGMA: OptionSpec = OptionSpec::new("cider-d-sigma", OptionKind::Number)
    .default("6")
    .help("The width of the penalty for unlike lengths");

const PAPER: &str = "Vedantam et al. 2015, CIDEr: Consensus-based Image Description Evaluation";

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "cider",
    "Cosine of n-grams weighted by rarity, as in the paper; two passes",
    |options| build(options, "cider-order", Similarity::Plain),
)
.paper(PAPER)
.options(&[ORDER]);

pub(crate) const D_ENTRY: MetricEntry =
    MetricEntry::new("cider_d", "CIDEr with clipping and a penalty of length; two passes", |options| {
        let sigma = options.parse("cider-d-sigma", "a number")?.unwrap_or(DEFAULT_SIGMA);
        check_sigma(sigma)?;
        build(options, "cider-d-order", Similarity::Clipped { sigma })
    })
    .aliases(&["cider-d"])
    .paper(PAPER)
    .agrees_with("pycocoevalcap 1.2 (its `Cider`) within 1e-9")
    .options(&[D_ORDER, SIGMA]);

fn build(options: &MetricOptions, order: &str, similarity: Similarity) -> Result<AnyMetric, ConfigError> {
    let max_order = options.parse(order, "a whole number")?.unwrap_or(DEFAULT_MAX_ORDER);
    let first = AnyMetric::over_tokens(ReferenceDocuments::new(max_order)?);
    let second =
        move |frequencies: &DocumentFrequencies| AnyMetric::over_tokens(Cider::with(frequencies, similarity));
    let like = second(&DocumentFrequencies::new(max_order));
    Ok(AnyMetric::two_pass(first, like, move |state| Ok(second(state.stats().typed()?))))
}

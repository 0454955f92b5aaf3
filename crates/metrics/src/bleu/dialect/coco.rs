//! Dialects of BLEU that reproduce pycocoevalcap's `Bleu`, which image captioning papers report.

use bleuprint_math::{exp, pow};

use super::super::finish::number;
use super::score::exact_ref_len;
use super::{Dialect, DialectAgreement, DialectError, DialectInput, RefLen};

pub(super) const CLOSEST: Dialect = Dialect {
    name: "coco:closest",
    aliases: &["coco", "pycocoevalcap"],
    program: "pycocoevalcap",
    version: "1.2",
    summary: "Closest reference, constants of 1e-15 and 1e-9 in every ratio",
    differences: "The score is never exactly 0 or 1: a perfect match is 0.9999999995958335.",
    finish: |input| product(input, input.ref_len),
    ..Dialect::COMMON
};

pub(super) const SHORTEST: Dialect = Dialect {
    name: "coco:shortest",
    aliases: &[],
    summary: "Shortest reference, constants of 1e-15 and 1e-9 in every ratio",
    ref_len: RefLen::Shortest,
    ..CLOSEST
};

pub(super) const AVERAGE: Dialect = Dialect {
    name: "coco:average",
    aliases: &[],
    summary: "Average reference, constants of 1e-15 and 1e-9 in every ratio",
    differences: "The program adds the mean lengths as floats; bleuprint adds them exactly.",
    agreement: DialectAgreement::Relative(1e-12),
    ref_len: RefLen::Average,
    ..CLOSEST
};

pub(super) const SCORER: Dialect = Dialect {
    name: "coco:scorer",
    aliases: &[],
    summary: "BleuScorer's default: average reference for one segment, closest for more",
    agreement: DialectAgreement::Relative(1e-12),
    finish: scorer,
    ..CLOSEST
};

/// Constant that pycocoevalcap adds to the number of n-gram matches and to the hypothesis length.
const TINY: f64 = 1e-15;
/// Constant that pycocoevalcap adds to the number of hypothesis n-grams and to the reference length, so that
/// no division is by 0.
const SMALL: f64 = 1e-9;

/// Returns pycocoevalcap's BLEU for a reference length, 0 to 1. It is
/// `(Π (clipped_n + 1e-15)/(total_n + 1e-9)) ^ (1/N)` over the n-gram orders 1 to `N`, times `exp(1 − 1/q)`
/// if `q = (c + 1e-15)/(r + 1e-9) < 1`. There are `c` hypothesis and `r` reference tokens, and `clipped_n` of
/// `total_n` hypothesis n-grams match.
///
/// The program reports BLEU-1 to BLEU-N together; each is this formula up to its order.
///
/// More than four orders are an error: the program raises an IndexError.
fn product(input: &DialectInput<'_>, ref_len: f64) -> Result<f64, DialectError> {
    if input.orders.len() > 4 {
        return Err(input.raises("IndexError for more than four orders"));
    }
    let ratios = input
        .orders
        .iter()
        .map(|order| (number::<f64>(order.clipped) + TINY) / (number::<f64>(order.total) + SMALL));
    let score = pow(ratios.product::<f64>(), 1.0 / input.orders.len() as f64);
    let ratio = (input.hyp_len() + TINY) / (ref_len + SMALL);
    Ok(if ratio < 1.0 { score * exp(1.0 - 1.0 / ratio) } else { score })
}

/// Returns pycocoevalcap's score: [`product`] with the reference length rule that `BleuScorer.compute_score`
/// chooses by the number of segments.
fn scorer(input: &DialectInput<'_>) -> Result<f64, DialectError> {
    let rule = if input.counts.segments == 1 { RefLen::Average } else { RefLen::Closest };
    product(input, exact_ref_len(rule, input.stats)?)
}

//! Dialects of BLEU that reproduce torchmetrics, torchtext and torcheval. These programs compute in `f32`;
//! scores agree to 1e-6.
//!
//! torchmetrics and torchtext take the *first listed* of two references equally close in length. Statistics
//! that merge cannot know the order of references, so the dialects take the shorter. Scores agree if no such
//! tie occurs.

use bleuprint_math::exp;

use super::arithmetic::{Precisions, add_one_from, any_zero, penalty, precisions, weighted_logs};
use super::{Dialect, DialectAgreement, DialectError, DialectInput, RefLen, Summation};

pub(super) const TORCHMETRICS: Dialect = Dialect {
    name: "torchmetrics",
    aliases: &[],
    program: "torchmetrics BLEUScore",
    version: "1.9.0",
    summary: "Closest reference, no smoothing, in f32",
    differences: "Among references equally close in length the program takes the first listed, bleuprint the shorter.",
    agreement: DialectAgreement::Relative(1e-6),
    weighted: true,
    finish: |input| Ok(unless_zero(input, precisions(input.orders))),
    ..Dialect::COMMON
};

pub(super) const TORCHMETRICS_SMOOTH: Dialect = Dialect {
    name: "torchmetrics:smooth",
    aliases: &[],
    summary: "Add one to orders from 2 on, but not where it would matter, in f32",
    differences: "An order without matches makes the score 0 before any smoothing; ties of length are torchmetrics'.",
    finish: |input| Ok(unless_zero(input, precisions(&add_one_from(2, input.orders)))),
    ..TORCHMETRICS
};

pub(super) const SACREBLEU_SCORE: Dialect = Dialect {
    name: "torchmetrics:sacrebleu",
    program: "torchmetrics SacreBLEUScore",
    summary: "Like torchmetrics, over tokens of 13a",
    differences: "It is not sacreBLEU's score: no smoothing, 0 to 1; ties of length are torchmetrics'.",
    tokenizer: "13a",
    ..TORCHMETRICS
};

pub(super) const SACREBLEU_SCORE_SMOOTH: Dialect = Dialect {
    name: "torchmetrics:sacrebleu:smooth",
    program: "torchmetrics SacreBLEUScore",
    summary: "Like torchmetrics:smooth, over tokens of 13a",
    tokenizer: "13a",
    ..TORCHMETRICS_SMOOTH
};

pub(super) const TORCHTEXT: Dialect = Dialect {
    name: "torchtext",
    aliases: &[],
    program: "torchtext bleu_score",
    version: "a5e6106",
    summary: "Closest reference, no smoothing, counts in f32",
    ..TORCHMETRICS
};

pub(super) const TORCHEVAL: Dialect = Dialect {
    name: "torcheval:0.0.7",
    aliases: &["torcheval"],
    program: "torcheval BLEUScore",
    version: "0.0.7",
    summary: "Shortest reference, no smoothing, in f32",
    differences: "It fails without an n-gram of every order: the program for each batch, bleuprint for the corpus.",
    ref_len: RefLen::Shortest,
    finish: torcheval,
    ..TORCHMETRICS
};

pub(super) const TORCHEVAL_HEAD: Dialect = Dialect {
    name: "torcheval:head",
    aliases: &[],
    version: "33c1391",
    summary: "Closest reference, no smoothing, in f32",
    ref_len: RefLen::Closest,
    ..TORCHEVAL
};

/// Returns torchmetrics' BLEU, `BP · exp(Σ w_n ln p_n)`, 0 to 1, for the weights `w_n` and precisions `p_n`
/// of the n-gram orders. For `c` hypothesis and `r` reference tokens, `BP` is `exp(1 − r/c)` if `c ≤ r`,
/// otherwise 1. The score is 0 if an order has no match, before any smoothing and whatever its weight.
fn unless_zero(input: &DialectInput<'_>, smoothed: Precisions) -> f64 {
    // Checked on the unsmoothed counts: the program returns 0 before it smooths.
    if any_zero(&precisions(input.orders)) {
        return 0.0;
    }
    let mean = exp(weighted_logs(Summation::Plain, &input.weights, &smoothed));
    penalty(input.hyp_len(), input.ref_len) * mean
}

/// Returns torcheval's BLEU: torchmetrics' formula without smoothing. Unlike in torchmetrics, an n-gram order
/// for which the hypotheses have no n-gram is an error.
fn torcheval(input: &DialectInput<'_>) -> Result<f64, DialectError> {
    if input.orders.iter().any(|order| order.total == 0) {
        return Err(input.raises("ValueError when there is no n-gram of some order"));
    }
    Ok(unless_zero(input, precisions(input.orders)))
}

//! Dialects of BLEU that reproduce TF-nmt's `compute_bleu` and its descendants: HF evaluate, bleuscore,
//! keras-hub, metrax.
//!
//! They all use the *shortest* reference length, and a brevity penalty computed from the ratio of lengths.
//! Their smoothing adds one to *every* order, so even a corpus without any match scores above 0.

use bleuprint_math::exp;

use super::super::finish::sum;
use super::arithmetic::{
    Precisions, add_one_from, any_zero, penalty_of_ratio, positive_logs, precisions, weighted_logs,
};
use super::{Dialect, DialectAgreement, DialectError, DialectInput, RefLen, Summation};

pub(super) const HF: Dialect = Dialect {
    name: "hf",
    aliases: &["evaluate", "tf-nmt", "jury"],
    program: "HF evaluate, TF-nmt",
    version: "0.4.6, 0be8642",
    summary: "Shortest reference, no smoothing",
    differences: "The shortest reference favours short hypotheses; the program fails when hypotheses or references are empty.",
    ref_len: RefLen::Shortest,
    finish: |input| compute_bleu(input, precisions(input.orders)),
    tokenizer: "13a",
    python_sum: true,
    ..Dialect::COMMON
};

pub(super) const HF_SMOOTH: Dialect = Dialect {
    name: "hf:smooth",
    aliases: &["tf-nmt:smooth"],
    summary: "Shortest reference, add one to all orders",
    differences: "Unigrams are smoothed too: a corpus without any match scores above 0.",
    finish: |input| compute_bleu(input, all_plus_one(input)),
    ..HF
};

pub(super) const BLEUSCORE: Dialect = Dialect {
    name: "bleuscore",
    aliases: &[],
    program: "bleuscore",
    version: "0.2.0",
    summary: "HF evaluate in Rust: shortest reference, no smoothing",
    differences: "Its last bits differ from hf if the highest order is not a power of two; empty hypotheses score 0.",
    finish: |input| Ok(bleuscore(input, precisions(input.orders))),
    python_sum: false,
    ..HF
};

pub(super) const BLEUSCORE_SMOOTH: Dialect = Dialect {
    name: "bleuscore:smooth",
    summary: "Shortest reference, add one to all orders",
    finish: |input| Ok(bleuscore(input, all_plus_one(input))),
    ..BLEUSCORE
};

pub(super) const BLEUSCORE_CLOSEST: Dialect = Dialect {
    name: "bleuscore:closest",
    summary: "Closest reference, no smoothing",
    ref_len: RefLen::Closest,
    ..BLEUSCORE
};

pub(super) const BLEUSCORE_CLOSEST_SMOOTH: Dialect = Dialect {
    name: "bleuscore:closest:smooth",
    summary: "Closest reference, add one to all orders",
    ref_len: RefLen::Closest,
    ..BLEUSCORE_SMOOTH
};

pub(super) const KERAS_HUB: Dialect = Dialect {
    name: "keras-hub",
    aliases: &["keras-nlp"],
    program: "keras-hub",
    version: "71453d0",
    summary: "Shortest reference, no smoothing, in f32",
    differences: "Not a number when hypotheses and references are empty. Its tokenizer is 13a except for a full stop or \
                  comma at the end of a line that follows a digit.",
    agreement: DialectAgreement::Relative(1e-6),
    finish: |input| keras_hub(input, precisions(input.orders)),
    python_sum: false,
    ..HF
};

pub(super) const KERAS_HUB_SMOOTH: Dialect = Dialect {
    name: "keras-hub:smooth",
    aliases: &["keras-nlp:smooth"],
    summary: "Shortest reference, add one to all orders, in f32",
    finish: |input| keras_hub(input, all_plus_one(input)),
    ..KERAS_HUB
};

pub(super) const METRAX: Dialect = Dialect {
    name: "metrax",
    aliases: &[],
    program: "google-metrax",
    version: "0.2.4",
    differences: "",
    tokenizer: "none",
    finish: |input| Ok(bleuscore(input, precisions(input.orders))),
    ..KERAS_HUB
};

/// Returns the precisions `(clipped + 1) / (total + 1)` of all orders; an order without n-grams gets 1.
fn all_plus_one(input: &DialectInput<'_>) -> Precisions {
    precisions(&add_one_from(1, input.orders))
}

/// Returns TF-nmt's BLEU, `exp(Σ (1/N) ln p_n) · BP`, 0 to 1, for the precisions `p_n` of the `N` n-gram
/// orders; Python's `sum` adds the terms. `BP` is 1 if `c/r > 1`, otherwise `exp(1 − 1/(c/r))`, for `c`
/// hypothesis and `r` reference tokens.
///
/// The score is 0 if a precision is 0. Empty hypotheses or references are an error, because the program
/// divides by zero.
fn compute_bleu(input: &DialectInput<'_>, precisions: Precisions) -> Result<f64, DialectError> {
    let hyp_len = input.hyp_len();
    let ref_len = input.ref_len;
    if hyp_len == 0.0 || ref_len == 0.0 {
        return Err(
            input.raises("ZeroDivisionError when the hypotheses or the shortest references are empty")
        );
    }
    if any_zero(&precisions) {
        return Ok(0.0);
    }
    let mean = exp(weighted_logs(input.summation, &input.weights, &precisions));
    Ok(mean * penalty_of_ratio(hyp_len, ref_len))
}

/// Returns bleuscore's BLEU, `exp((1/N) · Σ ln p_n) · BP`, 0 to 1, for the precisions `p_n` of the `N` n-gram
/// orders. For `c` hypothesis and `r` reference tokens, `BP` is 1 if `c/r > 1`, otherwise `exp(1 − 1/(c/r))`.
///
/// The score is 0 if a precision is 0 or the hypotheses are empty; empty references have penalty 1. metrax
/// computes the same in `f32`.
fn bleuscore(input: &DialectInput<'_>, precisions: Precisions) -> f64 {
    if any_zero(&precisions) {
        return 0.0;
    }
    // The sum is multiplied by the rounded `1/N` once, as the program does; TF-nmt multiplies each term.
    let share = 1.0 / precisions.len() as f64;
    let mean = exp(share * sum(Summation::Plain, positive_logs(&precisions)));
    mean * penalty_of_ratio(input.hyp_len(), input.ref_len)
}

/// Returns keras-hub's BLEU: the formula of the program bleuscore in `f32`, except for an error if hypotheses
/// and references are both empty (keras-hub computes `0/0`).
fn keras_hub(input: &DialectInput<'_>, precisions: Precisions) -> Result<f64, DialectError> {
    if input.hyp_len() == 0.0 && input.ref_len == 0.0 {
        return Err(input.raises("not a number when hypotheses and references are empty"));
    }
    Ok(bleuscore(input, precisions))
}

//! Dialects of BLEU that reproduce NIST's mteval scripts.

use bleuprint_math::exp;

use super::arithmetic::{any_zero, halved_zeros, log_penalty, mean_of_logs, precisions};
use super::{Dialect, DialectError, DialectInput, RefLen, Summation};

pub(super) const V11B: Dialect = Dialect {
    name: "mteval:v11b",
    aliases: &["mteval:v12"],
    version: "v11b, v12",
    summary: "NIST before 2009: shortest reference, no smoothing, penalty inside the exponent",
    differences: "An order without matches makes the score 0; the shortest reference favours short hypotheses. \
                  The tokens are those of v13a; the tokens of v11b were not compared.",
    ref_len: RefLen::Shortest,
    finish: v11b,
    ..V13A
};

pub(super) const V13A: Dialect = Dialect {
    name: "mteval:v13a",
    aliases: &["mteval", "mteval:v14"],
    program: "NIST mteval",
    version: "v13a, v14",
    summary: "NIST since 2009: closest reference, halving smoothing of the corpus too",
    differences: "An order without n-grams counts as precision 1; without any match the score is still above 0.",
    tokenizer: "mteval",
    case: "lc-ascii",
    lower_case: "lc-ascii",
    finish: smoothed,
    ..Dialect::COMMON
};

pub(super) const V13A_SHORTEST: Dialect = Dialect {
    name: "mteval:v13a:shortest",
    aliases: &["mteval:v14:shortest"],
    summary: "mteval with --brevity-penalty shortest",
    ref_len: RefLen::Shortest,
    ..V13A
};

pub(super) const V13A_NO_SMOOTHING: Dialect = Dialect {
    name: "mteval:v13a:no-smoothing",
    aliases: &["mteval:v14:no-smoothing"],
    summary: "mteval with --no-smoothing",
    differences: "An order without matches makes the score 0; the penalty is inside the exponent.",
    finish: no_smoothing,
    ..V13A
};

/// Returns BLEU without smoothing as NIST's scripts mteval v11b and v12 compute it. Empty hypotheses are an
/// error, because the scripts divide by zero.
fn v11b(input: &DialectInput<'_>) -> Result<f64, DialectError> {
    if input.hyp_len() == 0.0 {
        return Err(input.raises("mteval divides by zero when the hypotheses are empty"));
    }
    Ok(unsmoothed(input))
}

/// Returns BLEU without smoothing as NIST's scripts mteval v13a and v14 compute it with `--no-smoothing`. The
/// score of empty hypotheses is 0.
fn no_smoothing(input: &DialectInput<'_>) -> Result<f64, DialectError> {
    Ok(unsmoothed(input))
}

/// Returns `exp((Σ ln p_n)/N + min(0, 1 − r/c))`, 0 to 1, with a single exponential, for the precisions `p_n`
/// of the `N` n-gram orders. `c` and `r` are the numbers of hypothesis and reference tokens. The score is 0
/// if an order has no match.
fn unsmoothed(input: &DialectInput<'_>) -> f64 {
    let precisions = precisions(input.orders);
    if any_zero(&precisions) {
        return 0.0;
    }
    exp(mean_of_logs(Summation::Plain, &precisions) + log_penalty(input.hyp_len(), input.ref_len))
}

/// Returns the score of mteval v13a and v14, 0 to 1: `exp((Σ ln p_n)/N) · exp(min(0, 1 − r/c))`. There are
/// `N` n-gram orders, `c` hypothesis and `r` reference tokens. The j-th order without matches has
/// `p_n = 1/(2^j · total)` for its `total` hypothesis n-grams.
///
/// An order without n-grams adds `ln 1 = 0` but still counts in `N`. Empty hypotheses score 0, like in v14.
/// The v13a script that Moses ships fails on them when it reports lengths.
fn smoothed(input: &DialectInput<'_>) -> Result<f64, DialectError> {
    if input.hyp_len() == 0.0 {
        return Ok(0.0);
    }
    let mean = mean_of_logs(Summation::Plain, &halved_zeros(input.orders));
    // Two exponentials, unlike `unsmoothed`: their product differs from `exp` of the sum in the last bit.
    Ok(exp(mean) * exp(log_penalty(input.hyp_len(), input.ref_len)))
}

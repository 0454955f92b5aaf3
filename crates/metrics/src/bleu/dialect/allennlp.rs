//! Dialect of BLEU that reproduces allennlp's `BLEU` metric.

use bleuprint_math::{exp, ln};

use super::super::finish::{number, sum};
use super::arithmetic::penalty;
use super::{Accepts, BleuOrderCounts, Dialect, DialectError, DialectInput};

pub(super) const ALLENNLP: Dialect = Dialect {
    name: "allennlp",
    aliases: &[],
    program: "allennlp BLEU",
    version: "80fb606",
    summary: "One reference, 1e-13 inside the logarithms",
    differences: "An order without n-grams counts as precision 1. The caller must remove the ids that the program excludes.",
    accepts: Accepts::OneReference,
    weighted: true,
    python_sum: true,
    finish: allennlp,
    ..Dialect::COMMON
};

// allennlp's constant against `ln 0`; an order without n-grams gets `ln 1`.
const TINY: f64 = 1e-13;

/// Returns allennlp's BLEU, `BP · exp(Σ w_n (ln(clipped_n + 1e-13) − ln(total_n + 1e-13)))`, 0 to 1. Python's
/// `sum` adds the terms.
///
/// For n-gram order `n`, `w_n` is the weight, and `clipped_n` of `total_n` hypothesis n-grams match. For `c`
/// hypothesis and `r` reference tokens, `BP` is 1 if `c > r`; otherwise it is 0 if `c` or `r` is 0, and
/// `exp(1 − r/c)` in all other cases.
fn allennlp(input: &DialectInput<'_>) -> Result<f64, DialectError> {
    if input.hyp_len() == 0.0 {
        return Ok(0.0);
    }
    let log = |order: &BleuOrderCounts| {
        ln(number::<f64>(order.clipped) + TINY) - ln(number::<f64>(order.total) + TINY)
    };
    let terms = input.weights.iter().zip(input.orders).map(|(weight, order)| weight * log(order));
    Ok(penalty(input.hyp_len(), input.ref_len) * exp(sum(input.summation, terms)))
}

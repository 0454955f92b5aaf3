//! allennlp's `BLEU`.

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
    differences: "An order without n-grams counts as precision 1. Its excluded ids are to be left out by the caller.",
    accepts: Accepts::OneReference,
    weighted: true,
    python_sum: true,
    finish: allennlp,
    ..Dialect::COMMON
};

const TINY: f64 = 1e-13;

/// `BP · exp(Σ w_n (ln(clipped_n + 1e-13) − ln(total_n + 1e-13)))`, added by Python's `sum`; `BP` is 1 if `c > r`,
/// else 0 if either is 0, else `exp(1 − r/c)`. 0 to 1.
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

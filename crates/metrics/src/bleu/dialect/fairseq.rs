//! Dialects of BLEU that reproduce fairseq's libbleu. The tokens are ids; fairseq first removes padding and
//! ends of sentences.

use bleuprint_core::Scale;
use bleuprint_math::exp;

use super::arithmetic::{add_one_from, any_zero, mean_of_logs, penalty, precisions};
use super::{Accepts, BleuOrderCounts, Dialect, DialectError, DialectInput};

pub(super) const FAIRSEQ: Dialect = Dialect {
    name: "fairseq",
    aliases: &[],
    program: "fairseq libbleu",
    version: "3d262bb",
    summary: "One reference, no smoothing, in percent",
    differences: "The tokens are ids. fairseq first removes padding and ends of sentences, and counts an empty segment as one end of sentence.",
    scale: Scale::PERCENT,
    accepts: Accepts::OneReference,
    finish: |input| finish(input, input.orders),
    python_sum: true,
    ..Dialect::COMMON
};

pub(super) const ONE_INIT: Dialect = Dialect {
    name: "fairseq:one-init",
    summary: "Like fairseq, but matches and n-grams of orders from 2 on start at 1",
    finish: |input| finish(input, &add_one_from(2, input.orders)),
    ..FAIRSEQ
};

/// Returns fairseq's BLEU, `100 · BP · exp((Σ ln p_n)/N)`, 0 to 100, for the precisions `p_n` of the `N`
/// n-gram orders. `BP` is `min(1, exp(1 − r/c))` for `c` hypothesis and `r` reference tokens. Python's `sum`
/// adds the logarithms.
///
/// The score is 0 if a precision is 0. Empty hypotheses are an error, because the program divides by zero.
/// fairseq itself never has empty hypotheses: it replaces them by one end-of-sentence id.
fn finish(input: &DialectInput<'_>, orders: &[BleuOrderCounts]) -> Result<f64, DialectError> {
    let hyp_len = input.hyp_len();
    if hyp_len == 0.0 {
        return Err(input.raises("ZeroDivisionError without any token; trimmed ids have at least one each"));
    }
    let precisions = precisions(orders);
    if any_zero(&precisions) {
        return Ok(0.0);
    }
    Ok(penalty(hyp_len, input.ref_len) * exp(mean_of_logs(input.summation, &precisions)) * 100.0)
}

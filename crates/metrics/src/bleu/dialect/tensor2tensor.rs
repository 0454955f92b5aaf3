//! Dialects of BLEU that reproduce tensor2tensor's `bleu_hook` and the flax example that copied it.

use bleuprint_core::Scale;
use bleuprint_math::exp;

use super::arithmetic::{halved_zeros, mean_of_logs, penalty_of_ratio};
use super::{Accepts, Dialect, DialectInput};

pub(super) const T2T: Dialect = Dialect {
    name: "t2t",
    aliases: &["tensor2tensor"],
    program: "tensor2tensor bleu_hook",
    version: "bafdc1b",
    summary: "One reference, halving smoothing always",
    differences: "An order without n-grams counts as precision 1; without any match the score is above 0; it is rounded to f32. \
                  Its tokens are those of intl as far as numbers are decimal digits.",
    accepts: Accepts::OneReference,
    finish: |input| Ok(f64::from(bleu(input) as f32)),
    tokenizer: "intl",
    case: "lc",
    python_sum: true,
    ..Dialect::COMMON
};

pub(super) const FLAX: Dialect = Dialect {
    name: "flax",
    aliases: &[],
    program: "flax wmt example",
    version: "18f8f31",
    summary: "One reference, halving smoothing always, in percent",
    differences: "An order without n-grams counts as precision 1; without any match the score is above 0. \
                  Its tokens are those of intl as far as numbers are decimal digits.",
    scale: Scale::PERCENT,
    finish: |input| Ok(bleu(input) * 100.0),
    ..T2T
};

/// Returns tensor2tensor's BLEU, `exp((Σ ln p_n)/N) · BP`, 0 to 1, for the precisions `p_n` of the `N` n-gram
/// orders. Python's `sum` adds the logarithms.
///
/// The j-th order without matches has `p_n = 1/(2^j · total)` for its `total` hypothesis n-grams. An order
/// without n-grams adds nothing to the sum but still counts in `N`.
///
/// For `c` hypothesis and `r` reference tokens, `BP` is `exp(1 − 1/(c/r))` if `c/r < 1`, otherwise 1. It is
/// also 1 if the references are empty. The score of empty hypotheses is 0.
///
/// The program tensor2tensor rounds the result to `f32`; flax multiplies it by 100.
fn bleu(input: &DialectInput<'_>) -> f64 {
    if input.hyp_len() == 0.0 {
        return 0.0;
    }
    let mean = exp(mean_of_logs(input.summation, &halved_zeros(input.orders)));
    mean * penalty_of_ratio(input.hyp_len(), input.ref_len)
}

//! Dialect of BLEU that reproduces CodeXGLUE's "smooth BLEU" for code summarization.

use bleuprint_core::Scale;
use bleuprint_math::{exp, ln};

use super::super::finish::number;
use super::arithmetic::add_one_from;
use super::{Accepts, Dialect, DialectInput, RefLen};

pub(super) const CODEXGLUE: Dialect = Dialect {
    name: "codexglue",
    aliases: &["codesearchnet"],
    program: "CodeXGLUE smooth BLEU",
    version: "ac74a62",
    summary: "Sentences: shortest reference plus one, add one to orders from 2 on",
    differences: "Papers report the mean over sentences. An empty hypothesis scores above 0. \
                  The program splits all punctuation first, which 13a does not.",
    scale: Scale::PERCENT,
    ref_len: RefLen::Shortest,
    accepts: Accepts::OneSegment,
    finish: |input| Ok(smooth_bleu(input)),
    tokenizer: "13a",
    case: "lc",
    ..Dialect::COMMON
};

/// Smallest normal `f64`, which CodeXGLUE adds to n-gram counts before it takes logarithms, so that a count
/// of 0 has a logarithm.
const SMALLEST: f64 = f64::MIN_POSITIVE;

/// Returns CodeXGLUE's BLEU of one sentence, 0 to 100:
/// `100 · exp((Σ ln(clipped_n + tiny) − ln(total_n + tiny))/N + min(0, 1 − (r+1)/(c+1)))`.
///
/// In each of the `N` n-gram orders, `clipped_n` of `total_n` hypothesis n-grams match; from order 2 on, both
/// counts are one higher. `tiny` is [`SMALLEST`]; `c` and `r` are the numbers of hypothesis and reference
/// tokens. The terms are added from left to right.
///
/// Every input has a score: an order without n-grams counts as precision 1, and an order without matches as
/// nearly 0.
fn smooth_bleu(input: &DialectInput<'_>) -> f64 {
    let orders = add_one_from(2, input.orders);
    let mut logs = 0.0;
    for order in &orders {
        logs += ln(number::<f64>(order.clipped) + SMALLEST) - ln(number::<f64>(order.total) + SMALLEST);
    }
    let penalty = (1.0 - (input.ref_len + 1.0) / (input.hyp_len() + 1.0)).min(0.0);
    exp(logs / orders.len() as f64 + penalty) * 100.0
}

//! Dialects of BLEU that reproduce pytorch-ignite's `Bleu` with the average "micro", which sums counts over
//! the corpus.
//!
//! ignite's default is the average "macro", the mean of the scores of sentences.

use bleuprint_math::exp;

use super::arithmetic::{
    Precisions, add_one_from, any_zero, exactly_weighted_logs, floored_zeros, penalty, precisions,
};
use super::{BleuOrderCounts, Dialect, DialectAgreement, DialectInput};

pub(super) const NO_SMOOTH: Dialect = Dialect {
    name: "ignite:no-smooth",
    aliases: &["ignite"],
    program: "pytorch-ignite",
    version: "0.5.5",
    summary: "Closest reference, no smoothing",
    differences: "The program's default is the mean over sentences; it divides in f32.",
    agreement: DialectAgreement::Relative(1e-6),
    finish: |input| Ok(finish(input, precisions(input.orders))),
    ..Dialect::COMMON
};

pub(super) const SMOOTH1: Dialect = Dialect {
    name: "ignite:smooth1",
    aliases: &[],
    summary: "Zero matches become 0.1",
    differences: "The program's default is the mean over sentences; without a unigram match the score is still 0.",
    agreement: DialectAgreement::Bits,
    finish: |input| Ok(finish(input, floored_zeros(EPSILON, &at_least_one(input.orders)))),
    ..NO_SMOOTH
};

pub(super) const NLTK_SMOOTH2: Dialect = Dialect {
    name: "ignite:nltk-smooth2",
    summary: "Add one to orders from 2 on, totals at least 1 before",
    differences: "It differs from NLTK's method2 over corpora: the totals of the corpus, not of segments, are at least 1.",
    finish: |input| Ok(finish(input, precisions(&add_one_from(2, &at_least_one(input.orders))))),
    ..SMOOTH1
};

pub(super) const SMOOTH2: Dialect = Dialect {
    name: "ignite:smooth2",
    summary: "Add one to orders from 2 on (Lin and Och)",
    finish: |input| Ok(finish(input, precisions(&add_one_from(2, input.orders)))),
    ..SMOOTH1
};

const EPSILON: f64 = 0.1;

/// Returns ignite's BLEU, `BP · exp(fsum((1/N) ln p_n))`, 0 to 1, for the precisions `p_n` of the `N` n-gram
/// orders. For `c` hypothesis and `r` reference tokens, `BP` is 1 if `c > r`, 0 if `c = 0`, and
/// `exp(1 − r/c)` in all other cases.
///
/// The score is 0 if a precision is 0 or no unigram matches, whatever the smoothing.
fn finish(input: &DialectInput<'_>, precisions: Precisions) -> f64 {
    if input.orders.first().is_none_or(|order| order.clipped == 0) || any_zero(&precisions) {
        return 0.0;
    }
    penalty(input.hyp_len(), input.ref_len) * exp(exactly_weighted_logs(&input.weights, &precisions))
}

/// Returns the counts of each n-gram order, with 1 in place of 0 as the number of hypothesis n-grams.
/// pytorch-ignite does the same to avoid a division by zero.
fn at_least_one(orders: &[BleuOrderCounts]) -> Vec<BleuOrderCounts> {
    orders.iter().map(|order| BleuOrderCounts { total: order.total.max(1), ..*order }).collect()
}

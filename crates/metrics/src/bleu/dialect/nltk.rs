//! Dialects of BLEU that reproduce NLTK's `corpus_bleu` and `sentence_bleu` with smoothing methods 0 to 4.
//!
//! NLTK differs from all other programs in two rules. Every segment counts at least one n-gram in every
//! order, even if it is shorter, so corpora with short segments differ without any smoothing. A corpus
//! without a unigram match scores 0 under every method.

use bleuprint_math::{exp, ln};

use super::arithmetic::{
    Precisions, add_one_from, exactly_weighted_logs, floored_zeros, halved_zeros, penalty, precisions,
};
use super::{BleuOrderCounts, Dialect, DialectInput};

pub(super) const METHOD0: Dialect = Dialect {
    name: "nltk:method0",
    aliases: &["nltk"],
    program: "NLTK",
    version: "3.10.4",
    summary: "NLTK's default: no smoothing, but a zero precision becomes 2.2e-308",
    differences: "The score is 0 only without any unigram match; segments shorter than an order add 1 to its denominator.",
    weighted: true,
    finish: |input| Ok(finish(input, method0)),
    ..Dialect::COMMON
};

pub(super) const METHOD1: Dialect = Dialect {
    name: "nltk:method1",
    aliases: &["texygen"],
    summary: "Zero matches become 0.1",
    finish: |input| Ok(finish(input, method1)),
    ..METHOD0
};

pub(super) const METHOD2: Dialect = Dialect {
    name: "nltk:method2",
    aliases: &[],
    summary: "Add one to matches and n-grams of orders from 2 on",
    differences: "A missing order becomes 1/2, not 1, because its denominator is already 1.",
    finish: |input| Ok(finish(input, method2)),
    ..METHOD0
};

pub(super) const METHOD3: Dialect = Dialect {
    name: "nltk:method3",
    aliases: &[],
    summary: "NIST's halving: the j-th order without matches gets 1/(2^j total)",
    finish: |input| Ok(finish(input, |_, orders| halved_zeros(orders))),
    ..METHOD0
};

pub(super) const METHOD4: Dialect = Dialect {
    name: "nltk:method4",
    aliases: &[],
    summary: "Halving, less for short hypotheses",
    differences: "It is not the formula of Chen and Cherry (2014), and it reads the length of the whole corpus.",
    finish: |input| Ok(finish(input, |input, orders| method4(input.hyp_len(), orders))),
    ..METHOD0
};

pub(super) const AUTO_REWEIGH: Dialect = Dialect {
    name: "nltk:auto-reweigh",
    aliases: &["nltk:auto-reweigh:method0"],
    summary: "method0 with auto_reweigh: fewer than 4 tokens are scored up to their own length",
    finish: |input| Ok(finish_with_weights(input, &reweighed(input), method0)),
    ..METHOD0
};

pub(super) const AUTO_REWEIGH_METHOD1: Dialect = Dialect {
    name: "nltk:auto-reweigh:method1",
    aliases: &[],
    summary: "method1 with auto_reweigh",
    finish: |input| Ok(finish_with_weights(input, &reweighed(input), method1)),
    ..METHOD0
};

/// Value that NLTK uses for a precision of 0: the smallest normal `f64`.
const SMALLEST: f64 = f64::MIN_POSITIVE;
const EPSILON: f64 = 0.1;
// The constant K of method 4, and the 0.1 of method 1, are NLTK's defaults `k` and `epsilon`.
const K: f64 = 5.0;
type Smooth = fn(&DialectInput<'_>, &[BleuOrderCounts]) -> Precisions;

/// Returns NLTK's score, `BP · exp(fsum(w_n ln p_n))`, over the smoothed precisions `p_n` above 0, with
/// weights `w_n` and brevity penalty `BP`. The score is at least 0 and usually at most 1; some smoothing
/// methods exceed 1.
pub(super) fn finish(input: &DialectInput<'_>, smooth: Smooth) -> f64 {
    finish_with_weights(input, &input.weights, smooth)
}

fn finish_with_weights(input: &DialectInput<'_>, weights: &[f64], smooth: Smooth) -> f64 {
    if no_unigram_matches(input) {
        return 0.0;
    }
    score(input, weights, &smooth(input, &denominators(input.orders)))
}

pub(super) fn no_unigram_matches(input: &DialectInput<'_>) -> bool {
    input.orders.first().is_none_or(|order| order.clipped == 0)
}

/// Returns NLTK's BLEU `BP · exp(fsum(w_n ln p_n))` for the brevity penalty `BP`, the weights `w_n` and the
/// smoothed precisions `p_n`.
pub(super) fn score(input: &DialectInput<'_>, weights: &[f64], precisions: &[f64]) -> f64 {
    penalty(input.hyp_len(), input.ref_len) * exp(exactly_weighted_logs(weights, precisions))
}

/// Returns NLTK's counts of each n-gram order: a segment without an n-gram of the order counts as one n-gram.
/// So 1 is added for each such segment.
pub(super) fn denominators(orders: &[BleuOrderCounts]) -> Vec<BleuOrderCounts> {
    let raise = |order: &BleuOrderCounts| BleuOrderCounts {
        total: order.total.saturating_add(order.short),
        ..*order
    };
    orders.iter().map(raise).collect()
}

/// Returns the precisions of NLTK's smoothing method 0: unsmoothed, except that 0 becomes the smallest normal
/// `f64`.
fn method0(_: &DialectInput<'_>, orders: &[BleuOrderCounts]) -> Precisions {
    precisions(orders)
        .into_iter()
        .map(|precision| if precision > 0.0 { precision } else { SMALLEST })
        .collect()
}

/// Returns the precisions of NLTK's smoothing method 1: `0.1 / total` for an n-gram order without matches,
/// which has `total` hypothesis n-grams.
fn method1(_: &DialectInput<'_>, orders: &[BleuOrderCounts]) -> Precisions {
    floored_zeros(EPSILON, orders)
}

/// Returns the precisions of NLTK's smoothing method 2: `(clipped + 1) / (total + 1)` for n-gram orders from
/// 2 on, in which `clipped` of `total` hypothesis n-grams match.
fn method2(_: &DialectInput<'_>, orders: &[BleuOrderCounts]) -> Precisions {
    precisions(&add_one_from(2, orders))
}

/// Returns the precisions of NLTK's smoothing method 4: `(1 / ((2^j · 5) / ln c)) / total` for the j-th
/// n-gram order without matches. The order has `total` n-grams, and `c` is the number of hypothesis tokens.
/// Nothing is smoothed if `c ≤ 1`.
pub(super) fn method4(hyp_len: f64, orders: &[BleuOrderCounts]) -> Precisions {
    let mut doubled = 1.0;
    let smooth = |(order, precision): (&BleuOrderCounts, f64)| {
        if order.clipped > 0 || hyp_len <= 1.0 {
            return precision;
        }
        doubled *= 2.0;
        1.0 / ((doubled * K) / ln(hyp_len)) / order.total as f64
    };
    orders.iter().zip(precisions(orders)).map(smooth).collect()
}

/// Returns the weights under NLTK's option `auto_reweigh`. If the weights are four equal ones, a hypothesis
/// of `k < 4` tokens is scored on n-gram orders 1 to `k` only.
fn reweighed(input: &DialectInput<'_>) -> Vec<f64> {
    match input.stats.hyp_len() {
        hyp_len @ 1..4 if input.uniform && input.orders.len() == 4 => {
            vec![1.0 / hyp_len as f64; hyp_len as usize]
        }
        _ => input.weights.clone(),
    }
}

//! The n-gram parts of CodeBLEU: BLEU as in NLTK, and the recall of n-grams in which keywords weigh five
//! times as much as other tokens.

use ahash::HashSet;
use bleuprint_core::{ExactSum, Result};
use bleuprint_math::{exp, ln};
use bleuprint_ngram::{Scratch, overlap};

use crate::comments::is_space;
use crate::stats::{CodeBleuStats, ORDERS};

/// Number of n-gram matches that NLTK's smoothing method 1 uses instead of 0.
const EPSILON: f64 = 0.1;

/// "Reference length" per segment in the brevity penalty of the keyword-weighted n-grams. The original
/// program measures a pair of values instead of the reference, so the length is always 2.
const PAIR: u64 = 2;

/// Keywords of a programming language, tokens that weigh five times as much as others.
pub(crate) type Keywords = HashSet<&'static str>;

/// Splits a program's text into tokens at white space only. A bracket or an operator without white space
/// around it is therefore a part of a longer token, as in `f(x)`.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    text.split(is_space).filter(|token| !token.is_empty()).collect()
}

pub(crate) fn count<'t>(
    scratch: &mut Scratch,
    keywords: &Keywords,
    hypothesis: &[&'t str],
    references: &[Vec<&'t str>],
    stats: &mut CodeBleuStats,
) {
    let rows: Vec<&[&'t str]> = references.iter().map(Vec::as_slice).collect();
    stats.hyp_len = hypothesis.len() as u64;
    stats.ref_len = closest(hypothesis.len(), &rows);
    stats.total = totals(hypothesis.len());
    overlap(scratch, hypothesis, &rows, &mut stats.clipped);

    let only = |tokens: &[&'t str]| -> Vec<&'t str> {
        tokens.iter().copied().filter(|token| keywords.contains(token)).collect()
    };
    let own = only(hypothesis);
    for reference in rows {
        let theirs = only(reference);
        let mut matched = [0; ORDERS];
        let mut matched_keywords = [0];
        let mut total = totals(reference.len());
        // The weighted part is a recall: n-grams of the reference are looked up in the hypothesis.
        overlap(scratch, reference, &[hypothesis], &mut matched);
        overlap(scratch, &theirs, &[&own], &mut matched_keywords);
        // Counts are in fifths: one for every token, and four more for a keyword.
        matched[0] += 4 * matched_keywords[0];
        // NLTK's minimum of one token, in fifths.
        total[0] = (reference.len() as u64 + 4 * theirs.len() as u64).max(5);
        for order in 0..ORDERS {
            stats.weighted_clipped[order] += matched[order];
            stats.weighted_total[order] += total[order];
        }
    }
}

/// Returns the number of n-grams of each order in a text of `length` tokens. A text that is too short for an
/// order counts as one n-gram of this order.
fn totals(length: usize) -> [u64; ORDERS] {
    std::array::from_fn(|shorter| length.saturating_sub(shorter).max(1) as u64)
}

fn closest(length: usize, references: &[&[&str]]) -> u64 {
    let lengths = references.iter().map(|reference| reference.len());
    lengths.min_by_key(|other| (other.abs_diff(length), *other)).unwrap_or(0) as u64
}

pub(crate) fn bleu(stats: &CodeBleuStats) -> Result<f64> {
    score(&stats.clipped, &stats.total, stats.hyp_len, stats.ref_len)
}

/// Returns CodeBLEU's weighted n-gram score, from 0 to 1, in which keywords weigh five times as much as other
/// tokens. For single tokens, a keyword counts 5 and another token 1, in both the matches and the total.
pub(crate) fn weighted(stats: &CodeBleuStats, segments: u64) -> Result<f64> {
    let length = segments.saturating_mul(PAIR);
    score(&stats.weighted_clipped, &stats.weighted_total, stats.hyp_len, length)
}

/// Returns `BP · exp(Σ ¼ ln p_n)` for the n-gram precisions `p_n` of orders 1 to 4 and BLEU's brevity penalty
/// `BP`, with the sum rounded once. Returns 0 if no token matches.
fn score(matched: &[u64; ORDERS], total: &[u64; ORDERS], hyp_len: u64, ref_len: u64) -> Result<f64> {
    if matched[0] == 0 || hyp_len == 0 {
        return Ok(0.0);
    }
    let mut logs = ExactSum::default();
    for (&matched, &total) in matched.iter().zip(total) {
        let matched = if matched == 0 { EPSILON } else { matched as f64 };
        logs.add(0.25 * ln(matched / total.max(1) as f64))?;
    }
    let penalty = if hyp_len > ref_len { 1.0 } else { exp(1.0 - ref_len as f64 / hyp_len as f64) };
    Ok(penalty * exp(logs.to_f64()))
}

//! Computes the NIST score from sums over segments: precisions and brevity penalty, in the order of
//! operations of mteval or NLTK.

use bleuprint_math::{exp, ln, pow};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct NistSums {
    pub(super) info: Vec<f64>,
    pub(super) totals: Vec<u64>,
    pub(super) hyp_len: f64,
    pub(super) ref_len: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finished {
    /// NIST score of each single n-gram order: information of the matching n-grams per hypothesis n-gram,
    /// times the brevity penalty.
    pub(super) individual: Vec<f64>,
    /// NIST score of the n-gram orders 1 to n together, for each order n.
    pub(super) cumulative: Vec<f64>,
    pub(super) penalty: f64,
}

/// Computes NIST scores as mteval does: an n-gram order without n-grams adds 0, and the lengths are sums over
/// the corpus.
pub(super) fn standard(sums: &NistSums) -> Finished {
    let penalty = mteval_penalty(sums.hyp_len / sums.ref_len);
    let precisions = sums.info.iter().zip(&sums.totals).map(|(&info, &total)| info / total.max(1) as f64);
    finished(precisions, penalty)
}

/// Computes NIST scores as NLTK does. Returns `None` if NLTK divides by zero: an n-gram order has no n-gram
/// in any hypothesis, or all references are empty.
pub(super) fn nltk(sums: &NistSums) -> Option<Finished> {
    if sums.ref_len == 0.0 || sums.totals.contains(&0) {
        return None;
    }
    let penalty = nltk_penalty(sums.hyp_len / sums.ref_len);
    let precisions = sums.info.iter().zip(&sums.totals).map(|(&info, &total)| info / total as f64);
    Some(finished(precisions, penalty))
}

fn finished(precisions: impl Iterator<Item = f64>, penalty: f64) -> Finished {
    let mut sum = 0.0;
    let mut individual = Vec::new();
    let mut cumulative = Vec::new();
    for precision in precisions {
        sum += precision;
        individual.push(precision * penalty);
        cumulative.push(sum * penalty);
    }
    Finished { individual, cumulative, penalty }
}

/// Returns mteval's brevity penalty for a ratio of hypothesis length to reference length; it is 0.5 at a
/// ratio of 2/3.
fn mteval_penalty(ratio: f64) -> f64 {
    let beta = -ln(0.5f64) / ln(1.5f64) / ln(1.5f64);
    if ratio >= 1.0 {
        1.0
    } else if ratio > 0.0 {
        exp(-beta * ln(ratio) * ln(ratio))
    } else {
        0.0
    }
}

/// Returns NIST's brevity penalty for a ratio of hypothesis length to reference length, in NLTK's order of
/// operations. Squares use `pow`, whose last bit may differ from a product.
pub(super) fn nltk_penalty(ratio: f64) -> f64 {
    if 0.0 < ratio && ratio < 1.0 {
        let beta = ln(0.5f64) / pow(ln(1.5f64), 2.0);
        exp(beta * pow(ln(ratio), 2.0))
    } else {
        ratio.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_thirds_of_the_length_halve_the_score() {
        assert_eq!(nltk_penalty(2.0 / 3.0), 0.4999999999999999);
        assert!((mteval_penalty(2.0 / 3.0) - 0.5).abs() < 1e-15);
        assert_eq!(
            (mteval_penalty(0.0), mteval_penalty(1.0), mteval_penalty(f64::INFINITY)),
            (0.0, 1.0, 1.0)
        );
        assert_eq!((nltk_penalty(0.0), nltk_penalty(1.0), nltk_penalty(2.0)), (0.0, 1.0, 1.0));
    }
}

//! Numbers that NIST sums for one segment: the information weights of the matching n-grams, and the lengths.
//!
//! Only n-grams that match a reference are looked up in the tables of the whole corpus.

use bleuprint_core::{InputError, Result};
use bleuprint_ngram::Word;

use super::matches::{MatchedNgram, NONE, NistMatches};
use super::{Information, NistArithmetic, NistStats};

/// Working memory of NIST, tables that are reused from segment to segment.
#[derive(Debug, Clone, Default)]
pub struct NistScratch {
    matches: NistMatches,
    pub(super) orders: Vec<OrderInfo>,
    /// Statistics of the current segment.
    pub(super) segment: NistStats,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct OrderInfo {
    pub(super) info: f64,
    pub(super) total: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NistLengths {
    pub(super) hypothesis: u64,
    pub(super) references: u64,
}

pub(super) fn measure<T: Word>(
    information: &Information,
    scratch: &mut NistScratch,
    hypothesis: &[T],
    references: &[&[T]],
) -> Result<NistLengths> {
    let rules = information.rules;
    let all_references = references.iter().map(|reference| reference.len() as u64).sum();
    let mut lengths = NistLengths { hypothesis: hypothesis.len() as u64, references: all_references };
    if rules == NistArithmetic::Nltk {
        lengths = NistLengths { hypothesis: 0, references: 0 };
    }
    let NistScratch { matches, orders, .. } = scratch;
    orders.clear();
    matches.begin(information.ngrams(), hypothesis, references);
    require_known_tokens(matches, hypothesis, references)?;
    for order in 1..=information.max_order() {
        if order == 1 {
            matches.count_tokens();
        } else {
            matches.climb(order);
        }
        weigh(information, matches, order)?;
        let total = (hypothesis.len() + 1).saturating_sub(order) as u64;
        let info = match rules {
            NistArithmetic::Standard | NistArithmetic::Mteval => {
                sum_information(matches.ngrams(), |ngram| ngram.most)
            }
            NistArithmetic::Nltk => {
                let (info, ref_len) = best_reference(matches, references, total);
                // NLTK adds the lengths once per order, with the reference that the order has chosen.
                lengths.hypothesis += hypothesis.len() as u64;
                lengths.references += ref_len;
                info
            }
        };
        orders.push(OrderInfo { info, total });
    }
    Ok(lengths)
}

/// Returns an error if a token of a reference has no information and the hypothesis has the token. An unknown
/// token of a reference is an error only then, because only then would its weight be needed.
fn require_known_tokens<T: Word>(matches: &NistMatches, hypothesis: &[T], references: &[&[T]]) -> Result<()> {
    for (numbers, reference) in matches.reference_tokens().zip(references) {
        if numbers.contains(&NONE) {
            // Unknown tokens share one number, so the words themselves are compared. This is rare.
            let same = |one: &T, other: &T| one.with_word(|one| other.with_word(|other| one == other));
            let unknown = numbers.iter().zip(*reference).filter(|(number, _)| **number == NONE);
            let matches = |(_, token): (_, &T)| hypothesis.iter().any(|other| same(token, other));
            require_information(1, !unknown.into_iter().any(matches))?;
        }
    }
    Ok(())
}

/// Looks up the information weights of the n-grams that match a reference.
fn weigh(information: &Information, matches: &mut NistMatches, order: usize) -> Result<()> {
    matches.each_match(|ngram, prefix| {
        ngram.number = match prefix {
            None => ngram.token,
            Some(prefix) => {
                let number = information.ngrams().find(order, prefix.number, ngram.token);
                require_information(order, number.is_some())?;
                number.unwrap_or(NONE)
            }
        };
        ngram.count = information.count(order, ngram.number);
        ngram.weight =
            information.weight(order, ngram.count, prefix.map(|prefix| (prefix.number, prefix.count)));
        Ok(())
    })
}

/// Returns the information and the length of the reference that NLTK chooses: by the greatest precision, then
/// information, then length.
fn best_reference<T>(matches: &mut NistMatches, references: &[&[T]], total: u64) -> (f64, u64) {
    // With one reference, the clipping limits of all references are its counts, so they need not be counted
    // again.
    if let [reference] = references {
        return (sum_information(matches.ngrams(), |ngram| ngram.most), reference.len() as u64);
    }
    let mut best: Option<(f64, f64, u64)> = None;
    for (index, reference) in references.iter().enumerate() {
        let info =
            matches.with_reference(index, |ngrams| sum_information(ngrams, |ngram| ngram.in_reference));
        let precision = if total == 0 { 0.0 } else { info / total as f64 };
        let rank = (precision, info, reference.len() as u64);
        if best.is_none_or(|best| rank > best) {
            best = Some(rank);
        }
    }
    best.map_or((0.0, 0), |(_, info, ref_len)| (info, ref_len))
}

/// Returns the sum of the information weights of the matching n-grams,
/// `Σ info · min(count in the hypothesis, limit)`. `limit` is the count in the references to which the matches
/// of an n-gram are clipped. The terms are added in the order of the n-grams' first occurrence.
fn sum_information(ngrams: &[MatchedNgram], limit: impl Fn(&MatchedNgram) -> u32) -> f64 {
    let mut sum = 0.0;
    for ngram in ngrams {
        let clipped = ngram.in_hypothesis.min(limit(ngram));
        if clipped > 0 {
            sum += ngram.weight * f64::from(clipped);
        }
    }
    sum
}

fn require_information(order: usize, known: bool) -> Result<()> {
    if known {
        return Ok(());
    }
    Err(InputError::malformed(format!(
        "a reference has an n-gram of order {order} without information: the information must come from all references"
    )))
}

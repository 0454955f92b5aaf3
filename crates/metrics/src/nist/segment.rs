//! What NIST takes from one segment: the information of the matches, and lengths.

use core::hash::Hash;

use bleuprint_core::InputError;
use bleuprint_ngram::Word;

use super::{Information, Rules};
use crate::ngrams::FoundNgrams;

/// Tables that are reused from segment to segment.
#[derive(Debug, Clone, Default)]
pub struct NistScratch {
    found: FoundNgrams,
    in_hypothesis: Vec<u32>,
    in_reference: Vec<u32>,
    /// The most in any one reference.
    most: Vec<u32>,
    pub(super) orders: Vec<OrderInfo>,
}

/// One order of one segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct OrderInfo {
    /// The information of the matches.
    pub(super) info: f64,
    /// The n-grams of the hypothesis.
    pub(super) total: u64,
}

/// The lengths of a segment as the rules add them up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lengths {
    pub(super) hypothesis: u64,
    pub(super) references: u64,
}

/// Measures a segment: its lengths, and one [`OrderInfo`] per order in `scratch.orders`.
pub(super) fn measure<T: Word + Hash + Eq>(
    information: &Information,
    scratch: &mut NistScratch,
    hypothesis: &[T],
    references: &[&[T]],
) -> Result<Lengths, InputError> {
    let rules = information.rules;
    let all_references = references.iter().map(|reference| reference.len() as u64).sum();
    let mut lengths = Lengths { hypothesis: hypothesis.len() as u64, references: all_references };
    if rules == Rules::Nltk {
        lengths = Lengths { hypothesis: 0, references: 0 };
    }
    scratch.orders.clear();
    scratch.found.numbered.begin(hypothesis, references);
    for order in 1..=information.max_order() {
        if order > 1 {
            scratch.found.numbered.climb();
        }
        scratch.count(references.len());
        let matched = |number: u32| scratch.most.get(number as usize).is_some_and(|&most| most > 0);
        match order {
            1 => scratch.found.find_tokens(information.ngrams(), hypothesis, references, matched),
            _ => scratch.found.find(information.ngrams(), matched),
        }
        let total = (hypothesis.len() + 1).saturating_sub(order) as u64;
        let info = match rules {
            Rules::Standard | Rules::Mteval => scratch.information(information, &scratch.most)?,
            Rules::Nltk => {
                let (info, ref_len) = scratch.best_reference(information, total, references)?;
                // NLTK adds the lengths once per order, those of the reference that this order has chosen.
                lengths.hypothesis += hypothesis.len() as u64;
                lengths.references += ref_len;
                info
            }
        };
        scratch.orders.push(OrderInfo { info, total });
    }
    Ok(lengths)
}

impl NistScratch {
    /// Counts the n-grams of the hypothesis, and the most that any one reference has of them. Being of the first
    /// sequence, they have the lowest numbers.
    fn count(&mut self, references: usize) {
        let numbers = self.found.numbered.sequence(0);
        let distinct = numbers.iter().max().map_or(0, |&most| most as usize + 1);
        count(numbers, distinct, &mut self.in_hypothesis);
        count(self.found.numbered.sequence(1), distinct, &mut self.most);
        for reference in 2..=references {
            count(self.found.numbered.sequence(reference), distinct, &mut self.in_reference);
            for (most, &here) in self.most.iter_mut().zip(&self.in_reference) {
                *most = here.max(*most);
            }
        }
    }

    /// NLTK takes the one reference with the greatest precision, then information, then length: its information and
    /// length.
    fn best_reference<T>(
        &mut self,
        information: &Information,
        total: u64,
        references: &[&[T]],
    ) -> Result<(f64, u64), InputError> {
        let mut best: Option<(f64, f64, u64)> = None;
        for (index, reference) in (1..).zip(references) {
            count(self.found.numbered.sequence(index), self.in_hypothesis.len(), &mut self.in_reference);
            let info = self.information(information, &self.in_reference)?;
            let precision = if total == 0 { 0.0 } else { info / total as f64 };
            let rank = (precision, info, reference.len() as u64);
            if best.is_none_or(|best| rank > best) {
                best = Some(rank);
            }
        }
        Ok(best.map_or((0.0, 0), |(_, info, ref_len)| (info, ref_len)))
    }

    /// `Σ info · min(count in the hypothesis, limit)`, n-gram by n-gram in the order of their first occurrence.
    fn information(&self, information: &Information, limits: &[u32]) -> Result<f64, InputError> {
        let (order, mut sum) = (self.found.numbered.order(), 0.0);
        for ((&here, &limit), &number) in self.in_hypothesis.iter().zip(limits).zip(self.found.found()) {
            if limit == 0 {
                continue;
            }
            let Some(number) = number else { return Err(unknown(order)) };
            sum += information.weight(order, number) * f64::from(here.min(limit));
        }
        Ok(sum)
    }
}

/// How often each number below `distinct` occurs.
fn count(numbers: &[u32], distinct: usize, counts: &mut Vec<u32>) {
    counts.clear();
    counts.resize(distinct, 0);
    for &number in numbers {
        if let Some(count) = counts.get_mut(number as usize) {
            *count += 1;
        }
    }
}

fn unknown(order: usize) -> InputError {
    InputError::malformed(format!(
        "a reference has an n-gram of order {order} without information: the information must come from all references"
    ))
}

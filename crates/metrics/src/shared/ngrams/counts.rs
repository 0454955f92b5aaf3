//! [`NgramCounts`]: number of occurrences of each n-gram over many segments. It stores the tokens, so that
//! counts of different runs can be merged.

use std::sync::Arc;

use bleuprint_core::{InputError, Result};
use bleuprint_ngram::{NgramSet, Word};
use serde::{Deserialize, Serialize};

use super::stored::StoredCounts;

/// Upper limit for the sum of all n-gram counts of one order in a file. No data has such counts, and sums
/// below it cannot overflow.
pub(super) const MOST: u64 = 1 << 63;

/// Count of each distinct n-gram, for all orders up to the highest.
///
/// CIDEr and NIST collect these counts in a first pass over the references. Tables merge in any order,
/// equality ignores the order of insertion, and the stored form is sorted. The caller defines the meaning of
/// a count: occurrences, or segments that contain the n-gram.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(into = "StoredCounts", try_from = "StoredCounts")]
pub struct NgramCounts {
    /// Set of the counted n-grams, shared with the metrics whose n-gram weights are computed from the counts.
    ngrams: Arc<NgramSet>,
    /// Count of each n-gram, indexed by order minus 1 and the number of the n-gram; shared likewise.
    counts: Arc<Vec<Vec<u64>>>,
    totals: Vec<u64>,
}

/// Creates empty counts without any n-gram order, which do not merge with the counts of a metric.
impl Default for NgramCounts {
    fn default() -> Self {
        NgramCounts::new(0)
    }
}

impl NgramCounts {
    pub(crate) fn new(max_order: usize) -> Self {
        let ngrams = NgramSet::new(max_order);
        let orders = ngrams.max_order();
        let counts = Arc::new(vec![Vec::new(); orders]);
        NgramCounts { ngrams: Arc::new(ngrams), counts, totals: vec![0; orders] }
    }

    pub(super) fn from_parts(ngrams: NgramSet, counts: Vec<Vec<u64>>) -> Result<Self> {
        let as_many = |(order, row): (usize, &Vec<u64>)| row.len() == ngrams.len(order);
        if counts.len() != ngrams.max_order() || !(1..).zip(&counts).all(as_many) {
            return Err(InputError::malformed_state("the number of counts is not that of the n-grams"));
        }
        let mut totals = Vec::with_capacity(counts.len());
        for (order, row) in (1..).zip(&counts) {
            if row.contains(&0) {
                let message = format!("an n-gram of order {order} that was counted 0 times");
                return Err(InputError::malformed_state(message));
            }
            let sum = row.iter().try_fold(0, |sum: u64, &count| sum.checked_add(count));
            let sum = sum.filter(|&sum| sum <= MOST);
            let error = || InputError::malformed_state("counts of n-grams that sum to more than 2^63");
            totals.push(sum.ok_or_else(error)?);
        }
        Ok(NgramCounts { ngrams: Arc::new(ngrams), counts: Arc::new(counts), totals })
    }

    pub(crate) fn ngrams(&self) -> &Arc<NgramSet> {
        &self.ngrams
    }

    pub(crate) fn counts(&self, order: usize) -> &[u64] {
        order.checked_sub(1).and_then(|index| self.counts.get(index)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn distinct(&self, order: usize) -> usize {
        self.ngrams.len(order)
    }

    pub(crate) fn total(&self, order: usize) -> u64 {
        order.checked_sub(1).and_then(|index| self.totals.get(index)).copied().unwrap_or(0)
    }

    pub(crate) fn get<W: Word>(&self, ngram: &[W]) -> u64 {
        let Some((first, rest)) = ngram.split_first() else { return 0 };
        let token = |token: &W| token.with_word(|word| self.ngrams.find_token(word));
        let step =
            |prefix: Option<u32>, (order, last): (usize, &W)| self.ngrams.find(order, prefix?, token(last)?);
        let number = (2..).zip(rest).fold(token(first), step);
        number.and_then(|number| self.counts(ngram.len()).get(number as usize).copied()).unwrap_or(0)
    }

    pub(crate) fn add_occurrences<W: Word>(&mut self, tokens: &[W]) -> Result<()> {
        self.add_each(tokens, &mut Vec::new(), |counts, total, numbers| {
            for &number in numbers {
                counts[number as usize] += 1;
            }
            *total += numbers.len() as u64;
        })
    }

    /// Adds 1 to the count of every distinct n-gram of a document. A document consists of several token
    /// sequences, such as the references of a segment.
    pub(crate) fn add_document<W: Word>(&mut self, sequences: &[&[W]]) -> Result<()> {
        // Checked before any n-gram is inserted, so that an error leaves the counts unchanged.
        self.require_room(sequences)?;
        let mut row = Vec::new();
        let mut present = vec![Vec::new(); self.counts.len()];
        for tokens in sequences {
            let mut order = 0;
            self.add_each(tokens, &mut row, |_, _, numbers| {
                present[order].extend_from_slice(numbers);
                order += 1;
            })?;
        }
        let all = Arc::make_mut(&mut self.counts);
        for ((counts, total), numbers) in all.iter_mut().zip(&mut self.totals).zip(&mut present) {
            // An n-gram that occurs several times in the document counts once.
            numbers.sort_unstable();
            numbers.dedup();
            for &number in &*numbers {
                counts[number as usize] += 1;
            }
            *total += numbers.len() as u64;
        }
        Ok(())
    }

    /// Adds the n-gram counts of `other`, which must have the same n-gram orders.
    pub(crate) fn merge(&mut self, other: &Self) -> Result<()> {
        self.require_mergeable(other)?;
        let numbers = Arc::make_mut(&mut self.ngrams).absorb(&other.ngrams).map_err(super::full)?;
        let all = Arc::make_mut(&mut self.counts);
        for (index, (counts, numbers)) in all.iter_mut().zip(&numbers).enumerate() {
            counts.resize(self.ngrams.len(index + 1), 0);
            for (&number, &count) in numbers.iter().zip(&other.counts[index]) {
                counts[number as usize] += count;
            }
            self.totals[index] += other.totals[index];
        }
        Ok(())
    }

    pub(crate) fn require_mergeable(&self, other: &Self) -> Result<()> {
        let order = self.ngrams.max_order();
        let other_order = other.ngrams.max_order();
        if order != other_order {
            return Err(InputError::malformed_state(format!(
                "n-grams up to order {order} and {other_order}"
            )));
        }
        for order in 1..=order {
            let left = self.total(order);
            let right = other.total(order);
            if left.checked_add(right).is_none_or(|sum| sum > MOST) {
                return Err(InputError::count_range(format!("n-grams of order {order}"), left, '+', right));
            }
        }
        self.ngrams.has_room(other.ngrams.most()).map_err(super::full)
    }

    /// Returns an error if the table might not hold all n-grams of `sequences`, so that adding them cannot
    /// fail halfway.
    pub(crate) fn require_room<W>(&self, sequences: &[&[W]]) -> Result<()> {
        let tokens = sequences.iter().fold(0, |sum: usize, tokens| sum.saturating_add(tokens.len()));
        self.ngrams.has_room(tokens).map_err(super::full)
    }

    pub(crate) fn check_texts(&self, max_order: usize, texts: u64) -> Result<()> {
        let given = self.ngrams.max_order();
        if given != max_order {
            let message = format!("n-grams up to order {given}, where {max_order} was expected");
            return Err(InputError::malformed_state(message));
        }
        for order in 1..max_order {
            // Every text that has n-grams of an order has one more of them than of the next order.
            let these = self.total(order);
            let next = self.total(order + 1);
            if these.checked_sub(next).is_none_or(|ending| ending > texts) {
                return Err(InputError::malformed_state(format!(
                    "{these} n-grams of order {order} and {next} of the next, in {texts} texts"
                )));
            }
        }
        Ok(())
    }

    fn add_each<W: Word>(
        &mut self,
        tokens: &[W],
        row: &mut Vec<u32>,
        mut each: impl FnMut(&mut [u64], &mut u64, &[u32]),
    ) -> Result<()> {
        let counts = Arc::make_mut(&mut self.counts);
        let totals = &mut self.totals;
        Arc::make_mut(&mut self.ngrams)
            .insert(tokens, row, |order, numbers| {
                let counts = &mut counts[order - 1];
                let len = numbers.iter().max().map_or(0, |&most| most as usize + 1);
                if len > counts.capacity() {
                    // As `NgramSet` makes room: fewer copies, and memory never touched costs nothing.
                    counts.reserve(if len < 1 << 20 { 4 * len } else { len });
                }
                counts.resize(len.max(counts.len()), 0);
                each(counts, &mut totals[order - 1], numbers);
            })
            .map_err(super::full)
    }
}

impl PartialEq for NgramCounts {
    fn eq(&self, other: &Self) -> bool {
        self.ngrams == other.ngrams
            && self.ngrams.locate(&other.ngrams).is_some_and(|numbers| {
                numbers.iter().zip(&*self.counts).zip(&*other.counts).all(|((numbers, ours), theirs)| {
                    numbers.iter().zip(theirs).all(|(&number, &count)| ours[number as usize] == count)
                })
            })
    }
}

impl Eq for NgramCounts {}

//! Statistics of distinct-n: the set of distinct n-grams of all hypotheses, and the number of all n-grams.

use bleuprint_core::{InputError, InputErrorKind, Result, Stats, Unions};
use bleuprint_ngram::{NgramSet, Word};
use serde::{Deserialize, Serialize};

use crate::shared::ngrams::{StoredSet, full};

/// Statistics of distinct-n: the distinct n-grams of every order up to the highest, and the number of all
/// n-grams of each order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "StoredNgrams", try_from = "StoredNgrams")]
pub struct DistinctStats {
    ngrams: NgramSet,
    totals: Vec<u64>,
    /// Number of distinct n-grams of each order, for statistics that keep these numbers without the n-grams
    /// themselves.
    counted: Option<Vec<u64>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredNgrams {
    ngrams: StoredSet,
    totals: Vec<u64>,
}

/// Creates empty statistics without any n-gram order, which do not merge with the statistics of a metric.
impl Default for DistinctStats {
    fn default() -> Self {
        DistinctStats::new(0)
    }
}

impl DistinctStats {
    pub(super) fn new(max_order: usize) -> Self {
        let ngrams = NgramSet::new(max_order);
        DistinctStats { totals: vec![0; ngrams.max_order()], ngrams, counted: None }
    }

    pub(crate) fn unique(&self, order: usize) -> u64 {
        if let Some(counted) = &self.counted {
            return order.checked_sub(1).and_then(|index| counted.get(index)).copied().unwrap_or(0);
        }
        self.ngrams.len(order) as u64
    }

    pub(crate) fn total(&self, order: usize) -> u64 {
        order.checked_sub(1).and_then(|index| self.totals.get(index)).copied().unwrap_or(0)
    }

    pub(super) fn add<W: Word>(&mut self, row: &mut Vec<u32>, tokens: &[W]) -> Result<()> {
        let more = (1..=self.totals.len()).map(|order| (tokens.len() + 1).saturating_sub(order) as u64);
        // Stored only after the insertion has succeeded, so that an error changes nothing.
        let totals = sum(&self.totals, more)?;
        self.ngrams.insert(tokens, row, |_, _| ()).map_err(full)?;
        self.totals = totals;
        Ok(())
    }

    pub(super) fn check(&self, max_order: usize, segments: u64) -> Result<()> {
        // A state read from a file can combine a set of one order with totals of another.
        if self.ngrams.max_order() != max_order || self.totals.len() != max_order {
            let given = self.ngrams.max_order();
            let message = format!("n-grams up to order {given}, where {max_order} was expected");
            return Err(InputError::malformed_state(message));
        }
        for order in 1..=max_order {
            let unique = self.unique(order);
            let total = self.total(order);
            let shorter = self.total(order + 1);
            InputError::require_at_most("different n-grams", unique, "n-grams", total)?;
            // A text with n-grams of an order has one more of them than of the next order.
            let ending = if order < max_order { total.checked_sub(shorter) } else { Some(0) };
            if (unique == 0) != (total == 0) || ending.is_none_or(|texts| texts > segments) {
                return Err(InputError::malformed_state(format!(
                    "{total} n-grams of order {order}, {unique} of them different, and {shorter} of the next order, in {segments} segments"
                )));
            }
        }
        Ok(())
    }
}

fn count_range(left: u64, right: u64) -> InputError {
    InputErrorKind::CountRange { column: "total".to_owned(), left, operation: '+', right }.into()
}

fn sum(left: &[u64], right: impl IntoIterator<Item = u64>) -> Result<Vec<u64>> {
    let add = |(order, (&left, right)): (usize, (&u64, u64))| {
        let column = format!("total_{order}");
        let error = InputErrorKind::CountRange { column, left, operation: '+', right };
        left.checked_add(right).ok_or_else(|| error.into())
    };
    (1..).zip(left.iter().zip(right)).map(add).collect()
}

/// Ids of the n-grams of many segments, and the number of distinct n-grams over all of them.
struct DistinctUnions {
    /// Number of distinct n-grams of each order over all segments.
    sizes: Vec<usize>,
    /// Ids of the n-grams of each segment, for each n-gram order. Equal n-grams of different segments have
    /// equal ids.
    ngrams: Vec<Vec<Vec<u32>>>,
    totals: Vec<Vec<u64>>,
}

impl DistinctUnions {
    fn counted(&self, counted: Vec<u64>, totals: Vec<u64>) -> DistinctStats {
        DistinctStats { ngrams: NgramSet::new(self.sizes.len()), totals, counted: Some(counted) }
    }

    fn of(&self, member: usize) -> Result<(&[Vec<u32>], &[u64])> {
        let none =
            || InputError::malformed(format!("segment index {member} of {} segments", self.ngrams.len()));
        let ngrams = self.ngrams.get(member).ok_or_else(none)?;
        Ok((ngrams, &self.totals[member]))
    }
}

impl Unions<DistinctStats> for DistinctUnions {
    fn union(&self, members: &mut dyn Iterator<Item = (usize, u64)>) -> Result<DistinctStats> {
        let mut seen: Vec<Vec<u64>> = self.sizes.iter().map(|size| vec![0; size.div_ceil(64)]).collect();
        let mut totals = vec![0_u64; self.sizes.len()];
        for (member, times) in members.filter(|(_, times)| *times > 0) {
            let (ngrams, own) = self.of(member)?;
            for (seen, ngrams) in seen.iter_mut().zip(ngrams) {
                for &ngram in ngrams {
                    seen[ngram as usize / 64] |= 1 << (ngram % 64);
                }
            }
            for (total, own) in totals.iter_mut().zip(own) {
                let times = own.saturating_mul(times);
                *total = total.checked_add(times).ok_or_else(|| count_range(*total, times))?;
            }
        }
        let ones = |seen: &Vec<u64>| seen.iter().map(|bits| u64::from(bits.count_ones())).sum();
        Ok(self.counted(seen.iter().map(ones).collect(), totals))
    }

    /// Returns, for each segment, the statistics of all other segments. An n-gram that another segment also
    /// has remains.
    fn without_each(&self, members: core::ops::Range<usize>) -> Result<Vec<DistinctStats>> {
        let mut holders: Vec<Vec<u32>> = self.sizes.iter().map(|size| vec![0; *size]).collect();
        let mut totals = vec![0; self.sizes.len()];
        for member in members.clone() {
            let (ngrams, own) = self.of(member)?;
            for (holders, ngrams) in holders.iter_mut().zip(ngrams) {
                ngrams.iter().for_each(|&ngram| holders[ngram as usize] += 1);
            }
            totals = sum(&totals, own.iter().copied())?;
        }
        let held = |holders: &Vec<u32>| holders.iter().filter(|holders| **holders > 0).count() as u64;
        let unique: Vec<u64> = holders.iter().map(held).collect();
        let without = |member: usize| {
            let (ngrams, own) = self.of(member)?;
            let alone = |(holders, ngrams): (&Vec<u32>, &Vec<u32>)| {
                ngrams.iter().filter(|&&ngram| holders[ngram as usize] == 1).count() as u64
            };
            let left =
                unique.iter().zip(holders.iter().zip(ngrams)).map(|(unique, pair)| unique - alone(pair));
            let rest = totals.iter().zip(own).map(|(total, own)| total - own).collect();
            Ok(self.counted(left.collect(), rest))
        };
        members.map(without).collect()
    }
}

impl Stats for DistinctStats {
    fn unions(all: &[&Self]) -> Result<Option<Box<dyn Unions<Self>>>> {
        let Some(first) = all.first() else { return Ok(None) };
        let mut set = NgramSet::new(first.totals.len());
        let (mut ngrams, mut totals) = (Vec::with_capacity(all.len()), Vec::with_capacity(all.len()));
        for stats in all {
            first.check_merge(stats)?;
            ngrams.push(set.absorb(&stats.ngrams).map_err(full)?);
            totals.push(stats.totals.clone());
        }
        let sizes = (1..=first.totals.len()).map(|order| set.len(order)).collect();
        Ok(Some(Box::new(DistinctUnions { sizes, ngrams, totals })))
    }
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.check_merge(other)?;
        if self.counted.is_some() || other.counted.is_some() {
            return Err(InputError::malformed_state("a union that was counted without its n-grams"));
        }
        let totals = sum(&self.totals, other.totals.iter().copied())?;
        self.ngrams.absorb(&other.ngrams).map_err(full)?;
        self.totals = totals;
        Ok(())
    }

    fn check_merge(&self, other: &Self) -> Result<()> {
        // States of different orders have different n-grams, so their sets must not unite.
        if self.totals.len() != other.totals.len() {
            let message = format!("n-grams up to order {} and {}", self.totals.len(), other.totals.len());
            return Err(InputError::malformed_state(message));
        }
        sum(&self.totals, other.totals.iter().copied())?;
        self.ngrams.has_room(other.ngrams.most()).map_err(full)
    }
}

impl From<DistinctStats> for StoredNgrams {
    fn from(stats: DistinctStats) -> Self {
        StoredNgrams { ngrams: StoredSet::from(&stats.ngrams), totals: stats.totals }
    }
}

impl TryFrom<StoredNgrams> for DistinctStats {
    type Error = InputError;

    fn try_from(stored: StoredNgrams) -> Result<Self> {
        let ngrams = NgramSet::try_from(stored.ngrams)?;
        Ok(DistinctStats { ngrams, totals: stored.totals, counted: None })
    }
}

//! [`SampleTally`]: a mergeable map from the samples of a prompt to the number of prompts with such samples.

use core::fmt::Debug;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bleuprint_core::{InputError, Result, SegmentCounts, Stats};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Largest number of sample scores that a state may hold for all prompts together: about 200 MB.
const MOST: usize = 1 << 22;

/// Summary of the samples of one prompt, such as the number of samples and of right samples. It contains only
/// the data that a metric uses.
pub trait SampleCell: Ord + Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Returns how many numbers this summary of a prompt's samples stores. The total over all prompts is
    /// limited.
    fn size(&self) -> usize;

    /// Rejects a summary that no prompt can have, such as one with more right samples than samples.
    ///
    /// # Errors
    /// Returns [`MalformedState`](bleuprint_core::InputErrorKind::MalformedState) for such a summary.
    fn check(&self) -> Result<()>;
}

/// Map from each summary of a prompt's samples to the number of prompts with this summary, sorted by summary.
///
/// Merging in any order gives equal states and equal bytes; prompts cannot be subtracted. Merging returns an
/// error if the summaries hold more than 4,194,304 numbers together.
///
/// ```
/// use bleuprint_core::Stats;
/// use bleuprint_samples::{CountedSamples, SampleTally};
///
/// let mut tally = SampleTally::from_cell(CountedSamples { n: 4, right: 1 });
/// tally.merge_times(&SampleTally::from_cell(CountedSamples { n: 2, right: 0 }), 3).unwrap();
/// assert_eq!(tally.prompts(), 4);
/// assert_eq!(tally.iter().map(|(cell, times)| (cell.n, cell.right, times)).collect::<Vec<_>>(), [(2, 0, 3), (4, 1, 1)]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleTally<C> {
    cells: BTreeMap<C, u64>,
    size: usize,
}

impl<C> Default for SampleTally<C> {
    fn default() -> Self {
        SampleTally { cells: BTreeMap::new(), size: 0 }
    }
}

impl<C: SampleCell> SampleTally<C> {
    /// Creates a map that counts a single prompt, given the summary of its samples, such as their number and
    /// the number of right ones.
    pub fn from_cell(cell: C) -> Self {
        SampleTally { size: cell.size(), cells: BTreeMap::from([(cell, 1)]) }
    }

    /// Adds one prompt to the map, given the summary of its samples, such as their number and the number of
    /// right ones.
    pub(crate) fn add(&mut self, cell: C) -> Result<()> {
        let size = self.size + cell.size();
        match self.cells.entry(cell) {
            Entry::Occupied(mut own) => {
                let sum = own.get().checked_add(1);
                let over = || InputError::count_range(format!("{:?}", own.key()), u64::MAX, '+', 1);
                *own.get_mut() = sum.ok_or_else(over)?;
            }
            Entry::Vacant(own) => {
                limited(size)?;
                self.size = size;
                own.insert(1);
            }
        }
        Ok(())
    }

    /// Returns each different summary of a prompt's samples (such as their number and the number of right
    /// ones), with the number of prompts that have it. Summaries are in ascending order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&C, u64)> + Clone {
        self.cells.iter().map(|(cell, times)| (cell, *times))
    }

    /// Returns the number of prompts that were counted.
    pub fn prompts(&self) -> u64 {
        self.cells.values().fold(0, |sum: u64, times| sum.saturating_add(*times))
    }

    /// Computes the result of merging `other` into this map `times` times, but leaves the map unchanged, so
    /// that a failed merge has no effect. Returns the new number of prompts for each summary of samples in
    /// `other`, and how many numbers all summaries then hold.
    fn merged(&self, other: &Self, times: u64) -> Result<(Vec<u64>, usize)> {
        let mut size = self.size;
        let mut merged = Vec::with_capacity(other.cells.len());
        for (cell, count) in &other.cells {
            let own = self.cells.get(cell).copied();
            let sum = count.checked_mul(times).and_then(|more| own.unwrap_or(0).checked_add(more));
            let Some(sum) = sum else {
                return Err(InputError::count_range(
                    format!("{cell:?}"),
                    own.unwrap_or(0),
                    '+',
                    count.saturating_mul(times),
                ));
            };
            size += if own.is_none() { cell.size() } else { 0 };
            merged.push(sum);
        }
        limited(size)?;
        Ok((merged, size))
    }
}

fn limited(size: usize) -> Result<()> {
    if size <= MOST {
        return Ok(());
    }
    Err(InputError::limit(
        "the number of different sample values in the state",
        size,
        format!("at most {MOST}"),
    ))
}

impl<C: SampleCell> Stats for SampleTally<C> {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.merge_times(other, 1)
    }

    fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        let (merged, size) = self.merged(other, times)?;
        // Zero times must not add cells with a count of 0, which the reader rejects.
        if times > 0 {
            self.size = size;
            for (cell, count) in other.cells.keys().zip(merged) {
                match self.cells.get_mut(cell) {
                    Some(own) => *own = count,
                    None => drop(self.cells.insert(cell.clone(), count)),
                }
            }
        }
        Ok(())
    }

    fn check_merge(&self, other: &Self) -> Result<()> {
        self.merged(other, 1).map(drop)
    }

    fn check(&self, counts: &SegmentCounts) -> Result<()> {
        InputError::require_at_most("prompts", self.prompts(), "segments", counts.segments)
    }

    fn missing(&self, counts: &SegmentCounts) -> u64 {
        counts.segments.saturating_sub(self.prompts())
    }
}

/// Serializes the map as a list of pairs: the summary of a prompt's samples, and the number of prompts.
impl<C: SampleCell> Serialize for SampleTally<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.cells)
    }
}

impl<'de, C: SampleCell> Deserialize<'de> for SampleTally<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut tally = SampleTally::default();
        for (cell, times) in Vec::<(C, u64)>::deserialize(deserializer)? {
            cell.check().map_err(D::Error::custom)?;
            // Ascending order makes equal states equal bytes, so anything else is rejected.
            if times == 0 || tally.cells.last_key_value().is_some_and(|(last, _)| *last >= cell) {
                return Err(D::Error::custom(format!(
                    "the samples {cell:?} are not in ascending order, or have no prompt"
                )));
            }
            tally.size += cell.size();
            limited(tally.size).map_err(D::Error::custom)?;
            tally.cells.insert(cell, times);
        }
        Ok(tally)
    }
}

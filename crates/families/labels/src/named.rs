//! [`NamedCounts`]: counts by label name, for labels that are not declared.

use core::hash::Hash;

use ahash::HashMap;
use bleuprint_core::{InputError, Result, SegmentCounts, Stats};
use serde::{Deserialize, Serialize};

use crate::seen::{CountsView, Pair, SeenLabels, labels_of, limited, out_of_range};
use crate::tally::{CheckedCount, LabelTally};

/// Maximum number of labels, pairs of labels or sizes of sets in the statistics.
const MOST: usize = 1 << 20;
// The limits bound the memory that a hostile file can claim: names are data, and every new name is stored.
pub(crate) const MOST_BYTES: usize = 1 << 12;

/// The counts of every label, of every pair of reference and predicted label if pairs are counted, and of the
/// sizes of label sets.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "StoredNamedCounts", try_from = "StoredNamedCounts")]
pub(crate) struct NamedCounts {
    labels: HashMap<String, LabelTally>,
    pairs: HashMap<(String, String), u64>,
    sets: HashMap<LabelTally, u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredNamedCounts {
    labels: Vec<(String, LabelTally)>,
    pairs: Vec<((String, String), u64)>,
    sets: Vec<(LabelTally, u64)>,
}

impl From<NamedCounts> for StoredNamedCounts {
    fn from(stats: NamedCounts) -> Self {
        StoredNamedCounts {
            // Maps have no order. Sorted lists make equal counts equal bytes, which checksums of stored
            // states need.
            labels: sorted(stats.labels.into_iter()),
            pairs: sorted(stats.pairs.into_iter()),
            sets: sorted(stats.sets.into_iter()),
        }
    }
}

impl TryFrom<StoredNamedCounts> for NamedCounts {
    type Error = InputError;

    fn try_from(stored: StoredNamedCounts) -> Result<Self> {
        Ok(NamedCounts {
            labels: in_order(stored.labels)?,
            pairs: in_order(stored.pairs)?,
            sets: in_order(stored.sets)?,
        })
    }
}

fn sorted<K: Ord, V>(entries: impl Iterator<Item = (K, V)>) -> Vec<(K, V)> {
    let mut entries: Vec<(K, V)> = entries.collect();
    entries.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    entries
}

/// Returns the stored counts as a map, or an error if they are not sorted by key or if a count is 0.
fn in_order<K: Ord + Hash, V: CheckedCount>(entries: Vec<(K, V)>) -> Result<HashMap<K, V>> {
    limited("the number of labels, pairs or sizes of sets", entries.len(), MOST)?;
    // Strict order also proves that no key occurs twice.
    let strict = entries.windows(2).all(|pair| pair[0].0 < pair[1].0);
    if !strict || entries.iter().any(|(_, count)| *count == V::default()) {
        return Err(InputError::malformed_state("labels are not in order, or have no counts"));
    }
    Ok(entries.into_iter().collect())
}

/// Key of a map of counts, such as a label or a pair of labels, with its text for error messages.
trait CountsByName {
    fn shown(&self) -> String;
    fn longest(&self) -> usize;
}

impl CountsByName for String {
    fn shown(&self) -> String {
        self.clone()
    }
    fn longest(&self) -> usize {
        self.len()
    }
}

impl CountsByName for (String, String) {
    fn shown(&self) -> String {
        format!("{} as {}", self.0, self.1)
    }
    fn longest(&self) -> usize {
        self.0.len().max(self.1.len())
    }
}

impl CountsByName for LabelTally {
    fn shown(&self) -> String {
        format!("{:?}", <[u64; 3]>::from(*self))
    }
    fn longest(&self) -> usize {
        0
    }
}

/// Returns an error if the counts in `other`, added `times` times, would exceed the limit of entries or 64
/// bits.
fn require_room<'o, K: Hash + Eq + CountsByName + 'o, V: CheckedCount + 'o>(
    own: &HashMap<K, V>,
    other: impl Iterator<Item = (&'o K, &'o V)>,
    times: u64,
) -> Result<()> {
    // All entries are checked before one is added: a merge must apply completely or not at all.
    let mut new = 0;
    for (key, count) in other {
        let before = own.get(key);
        if before.copied().unwrap_or_default().plus(*count, times).is_none() {
            return Err(out_of_range(&key.shown(), u64::MAX, times));
        }
        new += usize::from(before.is_none());
        limited("the bytes of a label", key.longest(), MOST_BYTES)?;
    }
    limited("the number of labels, pairs or sizes of sets", own.len() + new, MOST)
}

/// Adds `count`, multiplied by `times`, to the count of `key` in the map. The caller has checked with
/// [`require_room`] that it fits.
fn add<K: Hash + Eq + Clone, V: CheckedCount>(own: &mut HashMap<K, V>, key: &K, count: V, times: u64) {
    match own.get_mut(key) {
        // The fallbacks are unreachable after the check; they only avoid a panic.
        Some(before) => *before = before.plus(count, times).unwrap_or(*before),
        None => drop(own.insert(key.clone(), V::default().plus(count, times).unwrap_or_default())),
    }
}

impl NamedCounts {
    fn check_times(&self, other: &Self, times: u64) -> Result<()> {
        require_room(&self.labels, other.labels.iter(), times)?;
        require_room(&self.pairs, other.pairs.iter(), times)?;
        require_room(&self.sets, other.sets.iter(), times)
    }

    /// Adds the label counts of a segment, or nothing after an error. Known labels, the most frequent case,
    /// allocate nothing.
    fn add_labels(&mut self, seen: &[(&str, LabelTally)]) -> Result<()> {
        // A right prediction of a known label is the most frequent case and needs one look-up.
        if let [(label, tally)] = seen
            && let Some(own) = self.labels.get_mut(*label)
        {
            *own = own.plus(*tally, 1).ok_or_else(|| out_of_range(label, u64::MAX, 1))?;
            return Ok(());
        }
        let mut new = 0;
        for (label, tally) in seen {
            match self.labels.get(*label) {
                Some(own) if own.plus(*tally, 1).is_none() => return Err(out_of_range(label, u64::MAX, 1)),
                Some(_) => {}
                None => {
                    limited("the bytes of a label", label.len(), MOST_BYTES)?;
                    new += 1;
                }
            }
        }
        limited("the number of labels", self.labels.len() + new, MOST)?;
        for (label, tally) in seen {
            match self.labels.get_mut(*label) {
                Some(own) => *own = own.plus(*tally, 1).unwrap_or(*own),
                None => drop(self.labels.insert((*label).to_owned(), *tally)),
            }
        }
        Ok(())
    }
}

impl NamedCounts {
    pub(crate) fn observe(&mut self, seen: SeenLabels<'_>) -> Result<()> {
        if seen.confusion {
            // Pairs are the whole state of a confusion matrix: the counts of labels follow from them.
            let owned = |&((gold, predicted), times): &(Pair<'_>, u64)| {
                ((gold.to_owned(), predicted.to_owned()), times)
            };
            let pairs = seen.pairs.iter().map(owned).collect();
            return self.merge(&NamedCounts { pairs, ..NamedCounts::default() });
        }
        require_room(&self.sets, seen.set.iter().map(|set| (set, &1)), 1)?;
        self.add_labels(seen.labels)?;
        seen.set.iter().for_each(|set| add(&mut self.sets, set, 1, 1));
        Ok(())
    }

    pub(crate) fn view(&self) -> CountsView<'_> {
        let pairs = sorted(self.pairs.iter().map(|((gold, own), times)| ((&**gold, &**own), *times)));
        let labels = if pairs.is_empty() {
            sorted(self.labels.iter().map(|(label, tally)| (&**label, *tally)))
        } else {
            labels_of(&pairs)
        };
        let sets = sorted(self.sets.iter().map(|(set, times)| (*set, *times)));
        let equal = sets.iter().filter(|(set, _)| set.is_equal());
        let equal = equal.fold(0_u64, |sum, (_, times)| sum.saturating_add(*times));
        CountsView { labels, pairs, sets, equal, distances: None }
    }
}

/// Merges the counts of all labels, or none of them after an error.
impl Stats for NamedCounts {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.merge_times(other, 1)
    }

    fn check_merge(&self, other: &Self) -> Result<()> {
        self.check_times(other, 1)
    }

    fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        // Zero times adds nothing, but states that do not fit must still be reported: check as for one.
        self.check_times(other, times.max(1))?;
        if times > 0 {
            other.labels.iter().for_each(|(key, tally)| add(&mut self.labels, key, *tally, times));
            other.pairs.iter().for_each(|(key, count)| add(&mut self.pairs, key, *count, times));
            other.sets.iter().for_each(|(key, count)| add(&mut self.sets, key, *count, times));
        }
        Ok(())
    }

    fn check(&self, _: &SegmentCounts) -> Result<()> {
        // A state has either pairs or labels, because labels follow from pairs and would be counted twice.
        if !(self.pairs.is_empty() || self.labels.is_empty() && self.sets.is_empty()) {
            return Err(InputError::malformed_state("labels or sets, and pairs"));
        }
        let long =
            self.labels.keys().map(String::len).chain(self.pairs.keys().map(CountsByName::longest)).max();
        limited("the bytes of a label", long.unwrap_or_default(), MOST_BYTES)
    }
}

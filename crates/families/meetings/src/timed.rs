//! Counts errors between two lists of words with times: words that do not overlap in time are neither matched
//! nor substituted.
//!
//! The table holds gains instead of distances: 2 for a match and 1 for a substitution. The distance is the
//! sum of the lengths less the gain. A row of the table belongs to one word, and differs from the row above
//! only near the words that overlap it. Only these cells are computed. Each cell also has the number of
//! substitutions in its best alignment.

use core::ops::Range;

use bleuprint_core::Result;
use bleuprint_metrics::{EditCounts, KernelWork};

/// List of words as token ids, with the start and end of each; `times` is empty for metrics that ignore
/// times.
#[derive(Debug, Clone, Default)]
pub(crate) struct WordsWithTimes {
    pub(crate) words: Vec<u32>,
    pub(crate) times: Vec<[f64; 2]>,
}

impl WordsWithTimes {
    pub(crate) fn extend(&mut self, more: &WordsWithTimes) {
        self.words.extend_from_slice(&more.words);
        self.times.extend_from_slice(&more.times);
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct TimedCell {
    gain: u32,
    substitutions: u32,
}

/// Returns `true` if the intervals of two words overlap in time; intervals that only touch do not overlap.
pub(crate) fn overlap([start, end]: [f64; 2], [from, to]: [f64; 2]) -> bool {
    start < to && end > from
}

/// Returns the interval from the earliest start to the latest end, or `None` for an empty list.
pub(crate) fn span(times: &[[f64; 2]]) -> Option<[f64; 2]> {
    times.iter().copied().reduce(|[start, end], time| [start.min(time[0]), end.max(time[1])])
}

/// Index over a list of words in any time order, which finds the words that can overlap with a time interval.
pub(crate) struct Reach {
    /// Latest end among each word and all words before it, in seconds.
    latest: Vec<f64>,
    /// Earliest start among each word and all words after it, in seconds.
    earliest: Vec<f64>,
}

impl Reach {
    pub(crate) fn from_times(times: &[[f64; 2]]) -> Self {
        let mut latest: Vec<f64> = times.iter().map(|[_, end]| *end).collect();
        for at in 1..latest.len() {
            latest[at] = latest[at].max(latest[at - 1]);
        }
        let mut earliest: Vec<f64> = times.iter().map(|[start, _]| *start).collect();
        for at in (1..earliest.len()).rev() {
            earliest[at - 1] = earliest[at - 1].min(earliest[at]);
        }
        Reach { latest, earliest }
    }

    /// Returns an index range that contains all words that overlap a time interval; other words may be in it
    /// too.
    pub(crate) fn range(&self, time: [f64; 2]) -> Range<usize> {
        self.within(0..self.latest.len(), time)
    }

    /// Narrows `range`, which must contain all words that overlap the time from `start` to `end`, and returns
    /// the smaller range.
    pub(crate) fn within(&self, range: Range<usize>, [start, end]: [f64; 2]) -> Range<usize> {
        let first = range.start + self.latest[range.clone()].partition_point(|latest| *latest <= start);
        let last = range.start + self.earliest[range].partition_point(|earliest| *earliest < end);
        first..last.max(first)
    }
}

/// Aligns two lists of words with times and counts the edits of the best alignment. Ties go to insertions,
/// then deletions, then matches and substitutions.
///
/// # Errors
/// Returns an error if the user interrupts the work.
pub(crate) fn timed_errors(reference: &WordsWithTimes, hypothesis: &WordsWithTimes) -> Result<EditCounts> {
    let reach = Reach::from_times(&hypothesis.times);
    // Cell 0 is before the first word. The cells after the last computed one equal it, so they are not
    // stored.
    let mut row = vec![TimedCell::default()];
    row.reserve(hypothesis.words.len());
    let mut work = KernelWork::default();
    for (&word, &time) in reference.words.iter().zip(&reference.times) {
        let range = reach.range(time);
        // A word that overlaps with nothing leaves the row as it is: it is a deletion, which gains nothing.
        if range.is_empty() {
            continue;
        }
        work.add(range.len())?;
        let last = row[row.len() - 1];
        row.resize(row.len().max(range.end + 1), last);
        let mut diagonal = row[range.start];
        for at in range.clone() {
            let above = row[at + 1];
            let left = row[at];
            let overlap = overlap(time, hypothesis.times[at]);
            let equal = word == hypothesis.words[at];
            let pair = TimedCell {
                gain: diagonal.gain + if overlap { 1 + u32::from(equal) } else { 0 },
                substitutions: diagonal.substitutions + u32::from(overlap && !equal),
            };
            diagonal = above;
            // Ties go to the insertion, then the deletion.
            let best = if above.gain > left.gain { above } else { left };
            row[at + 1] = if pair.gain > best.gain { pair } else { best };
        }
        // A higher gain spreads to the right until a cell already has as much.
        for at in range.end + 1..row.len() {
            let left = row[at - 1];
            if row[at].gain > left.gain || row[at] == left {
                break;
            }
            row[at] = left;
            work.add(1)?;
        }
    }
    let TimedCell { gain, substitutions } = row[row.len() - 1];
    let ref_len = reference.words.len() as u64;
    let hyp_len = hypothesis.words.len() as u64;
    // The gain is 2 for a hit and 1 for a substitution.
    let gain = u64::from(gain);
    let substitutions = u64::from(substitutions);
    let hits = (gain - substitutions) / 2;
    Ok(EditCounts {
        hits,
        substitutions,
        deletions: ref_len - hits - substitutions,
        insertions: hyp_len - hits - substitutions,
    })
}

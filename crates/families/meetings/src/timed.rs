//! Errors between words with times: those that do not overlap are neither matched nor substituted.
//!
//! The table holds gains in place of distances: 2 for a match, 1 for a substitution, so that the distance is the sum of the
//! lengths less the gain. A row differs from the row above only near the words that overlap with its own, so only these
//! cells are computed. Each cell carries the substitutions of its alignment.

use core::ops::Range;

use bleuprint_core::Result;
use bleuprint_metrics::{EditCounts, Work};

/// Words; the times are empty for metrics that do not look at them.
#[derive(Debug, Clone, Default)]
pub(crate) struct TimedWords {
    pub(crate) words: Vec<u32>,
    pub(crate) times: Vec<[f64; 2]>,
}

impl TimedWords {
    pub(crate) fn extend(&mut self, more: &TimedWords) {
        self.words.extend_from_slice(&more.words);
        self.times.extend_from_slice(&more.times);
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Cell {
    gain: u32,
    substitutions: u32,
}

/// True if two words overlap in time; touching is not enough.
pub(crate) fn overlap([start, end]: [f64; 2], [from, to]: [f64; 2]) -> bool {
    start < to && end > from
}

/// From the earliest start to the latest end.
pub(crate) fn span(times: &[[f64; 2]]) -> Option<[f64; 2]> {
    times.iter().copied().reduce(|[start, end], time| [start.min(time[0]), end.max(time[1])])
}

/// For a list of words in any order of time: the words that can overlap with an interval.
pub(crate) struct Reach {
    /// The latest end up to each word, and the earliest start from each word on.
    latest: Vec<f64>,
    earliest: Vec<f64>,
}

impl Reach {
    pub(crate) fn of(times: &[[f64; 2]]) -> Self {
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

    /// All that overlap are in this range; not all in it overlap.
    pub(crate) fn range(&self, time: [f64; 2]) -> Range<usize> {
        self.within(0..self.latest.len(), time)
    }

    /// The same where all are known to be in a range.
    pub(crate) fn within(&self, range: Range<usize>, [start, end]: [f64; 2]) -> Range<usize> {
        let first = range.start + self.latest[range.clone()].partition_point(|latest| *latest <= start);
        let last = range.start + self.earliest[range].partition_point(|earliest| *earliest < end);
        first..last.max(first)
    }
}

/// The errors of the alignment with the fewest, insertions before deletions before pairs.
///
/// # Errors
/// An interruption.
pub(crate) fn timed_errors(reference: &TimedWords, hypothesis: &TimedWords) -> Result<EditCounts> {
    let reach = Reach::of(&hypothesis.times);
    // Cell 0 is the one before the first word. The cells beyond the last one computed equal it.
    let mut row = vec![Cell::default()];
    row.reserve(hypothesis.words.len());
    let mut work = Work::default();
    for (&word, &time) in reference.words.iter().zip(&reference.times) {
        let range = reach.range(time);
        if range.is_empty() {
            continue;
        }
        work.add(range.len())?;
        let last = row[row.len() - 1];
        row.resize(row.len().max(range.end + 1), last);
        let mut diagonal = row[range.start];
        for at in range.clone() {
            let (above, left) = (row[at + 1], row[at]);
            let overlap = overlap(time, hypothesis.times[at]);
            let equal = word == hypothesis.words[at];
            let pair = Cell {
                gain: diagonal.gain + if overlap { 1 + u32::from(equal) } else { 0 },
                substitutions: diagonal.substitutions + u32::from(overlap && !equal),
            };
            diagonal = above;
            // Of equal ones the insertion, then the deletion.
            let best = if above.gain > left.gain { above } else { left };
            row[at + 1] = if pair.gain > best.gain { pair } else { best };
        }
        for at in range.end + 1..row.len() {
            let left = row[at - 1];
            if row[at].gain > left.gain || row[at] == left {
                break;
            }
            row[at] = left;
            work.add(1)?;
        }
    }
    let Cell { gain, substitutions } = row[row.len() - 1];
    let (ref_len, hyp_len) = (reference.words.len() as u64, hypothesis.words.len() as u64);
    // The gain is 2 for a hit and 1 for a substitution.
    let (gain, substitutions) = (u64::from(gain), u64::from(substitutions));
    let hits = (gain - substitutions) / 2;
    Ok(EditCounts {
        hits,
        substitutions,
        deletions: ref_len - hits - substitutions,
        insertions: hyp_len - hits - substitutions,
    })
}

//! Errors between words with times: those that do not overlap are neither matched nor substituted.
//!
//! The table holds gains in place of distances: 2 for a match, 1 for a substitution, so that the distance is the sum of the
//! lengths less the gain. A row differs from the row above only near the words that overlap with its own, so only these
//! cells are computed. Each cell carries the substitutions of its alignment.

use bleuprint_core::Result;

use crate::edit::EditCounts;
use crate::shared::Work;

#[derive(Debug, Clone, Default)]
pub(super) struct TimedWords {
    pub(super) words: Vec<u32>,
    pub(super) times: Vec<[f64; 2]>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Cell {
    gain: u32,
    substitutions: u32,
}

/// For a list of words in any order of time: the words that can overlap with an interval.
struct Reach {
    /// The latest end up to each word, and the earliest start from each word on.
    latest: Vec<f64>,
    earliest: Vec<f64>,
}

impl Reach {
    fn of(times: &[[f64; 2]]) -> Self {
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
    fn range(&self, [start, end]: [f64; 2]) -> core::ops::Range<usize> {
        let first = self.latest.partition_point(|latest| *latest <= start);
        first..self.earliest.partition_point(|earliest| *earliest < end).max(first)
    }
}

/// The errors of the alignment with the fewest, insertions before deletions before pairs.
///
/// # Errors
/// An interruption.
pub(super) fn timed_errors(reference: &TimedWords, hypothesis: &TimedWords) -> Result<EditCounts> {
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
            let [start, end] = hypothesis.times[at];
            let overlap = time[0] < end && time[1] > start;
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

//! [`RemainingUtterances`]: the words that the search for ORC-WER still has to align, and a lower bound of
//! their edits. With it the search leaves out table cells from which a path would need too many edits.

use bleuprint_metrics::KernelWork;

use super::{GridStop, StreamGrid};
use crate::least::{LEAST_WORDS, least_edits};
use crate::timed::{WordsWithTimes, span};

/// Summary of the utterances that are still to be aligned. With it, ORC-WER's search leaves out table cells
/// from which a path would need too many edits.
pub(crate) struct RemainingUtterances {
    /// Lower bound of the number of edits that the utterances still to be aligned will cost.
    pub(super) least: u32,
    pub(crate) words: usize,
    /// First word of each stream with which an utterance still to be aligned can overlap in time.
    pub(super) reached: Vec<usize>,
    /// First position of the table in each stream: `reached` for ORC-WER, and 0 for free orders.
    pub(super) starts: Vec<usize>,
    /// End of the words in each stream with which the utterances aligned so far can overlap in time.
    pub(super) ends: Vec<usize>,
    /// Start of the next utterance, and the latest end of any utterance up to it. Streams without a word in
    /// this time are not tried for the utterance.
    pub(super) span: Option<[f64; 2]>,
}

impl RemainingUtterances {
    /// Returns the summary of several lists of utterances that may follow in any order. `ends` has the number
    /// of words of each stream: the table is not cut to the words that utterances reach, because MeetEval
    /// searches the whole table.
    pub(crate) fn of_lists<'r>(
        rests: impl Iterator<Item = &'r RemainingUtterances>,
        ends: Vec<usize>,
    ) -> RemainingUtterances {
        let starts = vec![0; ends.len()];
        let mut all =
            RemainingUtterances { least: 0, words: 0, reached: ends.clone(), starts, ends, span: None };
        for rest in rests {
            all.least += rest.least;
            all.words += rest.words;
            for (first, &own) in all.reached.iter_mut().zip(&rest.reached) {
                *first = own.min(*first);
            }
        }
        all
    }

    /// Returns a lower bound of the edits of every path, if no utterance is aligned yet and all streams
    /// together have `all` words.
    pub(crate) fn lower_bound(&self, all: usize) -> u32 {
        let lost = self.reached.iter().sum::<usize>() as u32;
        (self.least + lost).max(self.words.abs_diff(all) as u32)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct EditLimit<'r> {
    pub(crate) most: u32,
    pub(crate) rest: &'r RemainingUtterances,
}

impl EditLimit<'_> {
    /// Returns `true` if a cell of the dynamic programming table is kept, because a path through it may be
    /// within the limit of edits. `cost` is the number of edits up to the cell. `left` is the number of
    /// remaining words of all streams; no remaining utterance can be aligned with `lost` of these words.
    pub(super) fn holds(self, cost: u32, left: usize, lost: usize) -> bool {
        // Unreachable words are insertions for certain. The bounds cover the same edits, so the larger one
        // counts, not the sum.
        let more = (self.rest.least + lost as u32).max(left.abs_diff(self.rest.words) as u32);
        cost.saturating_add(more) <= self.most
    }
}

impl<'a> StreamGrid<'a> {
    /// Returns a summary of the remaining utterances for each point of the search: before each utterance, and
    /// after the last. A summary has their number of words, a lower bound of their edits, and the stream
    /// words that they can reach.
    ///
    /// # Errors
    /// Returns an error if more words must be compared than the limit allows, or if the user interrupts the
    /// work.
    pub(crate) fn rests(
        &mut self,
        utterances: &[&WordsWithTimes],
    ) -> Result<Vec<RemainingUtterances>, GridStop> {
        self.work_on(utterances.iter().map(|utterance| self.looked_at(utterance)).sum())?;
        let mut rests = vec![RemainingUtterances::of_lists(core::iter::empty(), self.ends())];
        let mut equal = vec![0; self.distinct];
        let mut work = KernelWork::default();
        for utterance in utterances.iter().rev() {
            let after = &rests[rests.len() - 1];
            let mut least = after.least;
            let mut reached = after.reached.clone();
            let mut ends = vec![0; self.streams.len()];
            // An utterance is bounded in parts of 64 words, the width of the bit columns.
            for (at, words) in utterance.words.chunks(LEAST_WORDS).enumerate() {
                let times = utterance.times.chunks(LEAST_WORDS).nth(at).unwrap_or_default();
                let piece = |(k, stream): (usize, &'a WordsWithTimes)| {
                    let range = self.reached(k, times);
                    if !range.is_empty() {
                        reached[k] = range.start.min(reached[k]);
                        ends[k] = range.end.max(ends[k]);
                    }
                    &stream.words[range]
                };
                let pieces: Vec<&[u32]> = self.streams.iter().enumerate().map(piece).collect();
                work.add(pieces.iter().map(|piece| piece.len()).sum::<usize>() + words.len())?;
                least += least_edits(words, &pieces, &mut equal);
            }
            let words = after.words + utterance.words.len();
            rests.push(RemainingUtterances {
                least,
                words,
                starts: Vec::new(),
                reached,
                ends,
                span: span(&utterance.times),
            });
        }
        rests.reverse();
        let mut before = vec![0; self.streams.len()];
        let mut latest = f64::NEG_INFINITY;
        // Positions only move forward, so latest ends and reached words are running maxima over the earlier
        // utterances.
        for rest in &mut rests {
            rest.starts.clone_from(&rest.reached);
            if let Some([_, end]) = &mut rest.span {
                latest = latest.max(*end);
                *end = latest;
            }
            for ((end, before), &first) in rest.ends.iter_mut().zip(&mut before).zip(&rest.reached) {
                let own = core::mem::replace(end, first.max(*before));
                *before = own.max(*before);
            }
        }
        Ok(rests)
    }

    /// Returns how many words, over all streams, must be compared to align an utterance. The utterance is
    /// processed in parts of [`LEAST_WORDS`] words.
    fn looked_at(&self, utterance: &WordsWithTimes) -> u128 {
        let parts = utterance.words.len().div_ceil(LEAST_WORDS);
        let times = |part| utterance.times.chunks(LEAST_WORDS).nth(part).unwrap_or_default();
        let of_part = |part| (0..self.streams.len()).map(move |k| self.reached(k, times(part)).len() as u128);
        (0..parts).flat_map(of_part).sum()
    }
}

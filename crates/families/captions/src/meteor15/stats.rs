//! Statistics of METEOR 1.5: the 23 integers that the original program counts, and the score computed from
//! them.

use core::fmt::Display;

use bleuprint_core::{InputError, Linear, Result, SegmentCounts};
use bleuprint_math::pow;
use serde::{Deserialize, Serialize};

use super::settings::{Module, Parameters};

/// Counts of METEOR 1.5. A segment adds the counts of its best reference. Lengths and `matched` are in words,
/// or in UTF-16 units with [`MeteorSettings::chars`](super::MeteorSettings::chars).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Meteor15Stats {
    /// Total length of the hypotheses, in words.
    pub hyp_len: u64,
    /// Total length of the references, in words.
    pub ref_len: u64,
    /// Total length of the function words, such as `the`, in the hypotheses.
    pub hyp_func: u64,
    /// Total length of the function words, such as `the`, in the references.
    pub ref_func: u64,
    /// Numbers of matched words for each matching module: content words of the hypothesis and of the
    /// reference, then function words of the hypothesis and of the reference.
    pub matched: [[u64; 4]; 4],
    /// Number of chunks: runs of matches that are adjacent in hypothesis and reference. A segment that
    /// matches completely in one chunk adds 0.
    pub chunks: u64,
    /// Number of hypothesis words that match a reference word.
    pub hyp_matched: u64,
    /// Number of reference words that match a hypothesis word.
    pub ref_matched: u64,
}

const COLUMNS: [[&str; 4]; 4] = [
    ["exact_hyp_content", "exact_ref_content", "exact_hyp_func", "exact_ref_func"],
    ["stem_hyp_content", "stem_ref_content", "stem_hyp_func", "stem_ref_func"],
    ["synonym_hyp_content", "synonym_ref_content", "synonym_hyp_func", "synonym_ref_func"],
    ["paraphrase_hyp_content", "paraphrase_ref_content", "paraphrase_hyp_func", "paraphrase_ref_func"],
];

impl Linear for Meteor15Stats {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        visit(&"hyp_len", &mut self.hyp_len);
        visit(&"ref_len", &mut self.ref_len);
        visit(&"hyp_func", &mut self.hyp_func);
        visit(&"ref_func", &mut self.ref_func);
        for (names, counts) in COLUMNS.iter().zip(&mut self.matched) {
            for (name, count) in names.iter().zip(counts) {
                visit(name, count);
            }
        }
        visit(&"chunks", &mut self.chunks);
        visit(&"hyp_matched", &mut self.hyp_matched);
        visit(&"ref_matched", &mut self.ref_matched);
    }

    fn check_bounds(&self, _: &SegmentCounts) -> Result<()> {
        let at_most = InputError::require_at_most;
        at_most("hyp_func", self.hyp_func, "hyp_len", self.hyp_len)?;
        at_most("ref_func", self.ref_func, "ref_len", self.ref_len)?;
        let [hyp_content, ref_content, hyp_func, ref_func] =
            [0, 1, 2, 3].map(|side| self.sum(|slot| u128::from(slot[side])));
        at_most("matched hyp_func", hyp_func, "hyp_func", self.hyp_func)?;
        at_most("matched ref_func", ref_func, "ref_func", self.ref_func)?;
        // The subtractions cannot underflow: the first two checks have passed.
        at_most("matched content of hypotheses", hyp_content, "content", self.hyp_len - self.hyp_func)?;
        at_most("matched content of references", ref_content, "content", self.ref_len - self.ref_func)?;
        at_most("hyp_matched", self.hyp_matched, "matched words", hyp_content.saturating_add(hyp_func))?;
        at_most("ref_matched", self.ref_matched, "matched words", ref_content.saturating_add(ref_func))?;
        at_most("chunks", self.chunks, "hyp_matched", self.hyp_matched)?;
        at_most("chunks", self.chunks, "ref_matched", self.ref_matched)
    }
}

impl Meteor15Stats {
    fn sum(&self, count: impl Fn(&[u64; 4]) -> u128) -> u64 {
        u64::try_from(self.matched.iter().map(count).sum::<u128>()).unwrap_or(u64::MAX)
    }

    /// Returns `true` if all words of hypothesis and reference match, in one chunk.
    pub(super) fn is_perfect(&self) -> bool {
        let hypothesis = self.sum(|slot| u128::from(slot[0]) + u128::from(slot[2]));
        let reference = self.sum(|slot| u128::from(slot[1]) + u128::from(slot[3]));
        hypothesis == self.hyp_len && reference == self.ref_len && self.chunks == 1
    }

    /// Returns precision, recall and the METEOR score, computed in the order of operations of the original
    /// program METEOR 1.5.
    pub(super) fn score(&self, parameters: &Parameters) -> [f64; 3] {
        let Parameters { alpha, beta, gamma, delta, modules } = parameters;
        let side = |length: u64, function: u64, content_at: usize, function_at: usize| {
            let length = delta * (length.saturating_sub(function)) as f64 + (1.0 - delta) * function as f64;
            // The program adds all content words of all modules first, then all function words. Floats depend
            // on this order.
            let counts = |at: usize, share: f64| {
                let count = move |(module, weight): &(Module, f64)| {
                    self.matched[*module as usize][at] as f64 * weight * share
                };
                modules.iter().map(count)
            };
            let matched = counts(content_at, *delta).chain(counts(function_at, 1.0 - delta));
            matched.fold(0.0, |sum, count| sum + count) / length
        };
        let precision = side(self.hyp_len, self.hyp_func, 0, 2);
        let recall = side(self.ref_len, self.ref_func, 1, 3);
        let mean = 1.0 / ((1.0 - alpha) / precision + alpha / recall);
        let matched = (self.hyp_matched as f64 + self.ref_matched as f64) / 2.0;
        let fragmentation = if self.is_perfect() { 0.0 } else { self.chunks as f64 / matched };
        let score = mean * (1.0 - gamma * pow(fragmentation, *beta));
        // A NaN of 0 / 0 counts as 0. Sums of rounded shares may exceed 1.
        [precision, recall, score].map(|number| if number > 0.0 { number.min(1.0) } else { 0.0 })
    }
}

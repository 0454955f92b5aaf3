//! ROUGE-Lsum: longest common subsequences sentence by sentence, for summaries.
//!
//! For every sentence of the reference, a longest common subsequence with each sentence of the hypothesis is found,
//! and the positions they take are united. Each token of the union is a hit while both texts have occurrences of it
//! left. P and R are over all tokens of the texts. It depends on which longest common subsequence is taken; the choice
//! is that of rouge_score 0.1.2 (see the module of the kernel), to the last bit.
//!
//! Tokens alone do not show the ends of sentences, which are given in one of two ways:
//!
//! - a text is a sequence of sentences, `[Vec<T>]`, over any tokens;
//! - a text is a sequence of words with a line feed between sentences as a token of its own, as the tokenizers
//!   `lines:NAME` give them. This is the way of programs that choose metrics by name: it needs no second kind of
//!   segment beside tokens, and the sentences are those of rouge_score, which splits at line feeds.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::rouge::RougeLsum;
//!
//! let mut lsum = Accumulator::<_, [&str]>::new(RougeLsum::default());
//! lsum.push(&["c", "d", "\n", "a", "b"], &[&["a", "b", "\n", "c", "d"]]).unwrap();
//! assert_eq!(lsum.score().unwrap().score.f1, 1.0); // ROUGE-L would find half of it
//! ```

use core::hash::Hash;

use std::borrow::Cow;

use bleuprint_core::{Identity, Metric, Observe, Result, Segment, SegmentCounts};
use bleuprint_ngram::Interner;

use super::lcs::Lcs;
use super::options::REFERENCES;
use super::summary::{Sentences, Summary};
use super::{OverReferences, RougeStats, finish, identity};
use crate::shared::{FMeasure, FScore};

/// The token between sentences.
const BREAK: &str = "\n";

/// ROUGE-Lsum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RougeLsum {
    over: OverReferences,
}

impl Default for RougeLsum {
    fn default() -> Self {
        RougeLsum { over: REFERENCES.default() }
    }
}

impl RougeLsum {
    /// With this rule for several references.
    pub fn new(over: OverReferences) -> Self {
        RougeLsum { over }
    }
}

/// Reusable tables, one per thread.
#[derive(Debug, Default)]
pub struct RougeLsumScratch {
    interner: Interner,
    lcs: Lcs,
    summary: Summary,
    hypothesis: Sentences,
    reference: Sentences,
}

impl RougeLsumScratch {
    /// The numbers with each reference, of what was interned; `cut` makes sentences of the ids of text `k`, where 0
    /// is the hypothesis and `k + 1` reference `k`.
    fn measures(
        &mut self,
        over: OverReferences,
        cut: impl Fn(usize, &[u32], &mut Sentences),
    ) -> Result<FMeasure> {
        let RougeLsumScratch { interner, lcs, summary, hypothesis, reference } = self;
        let distinct = interner.distinct();
        cut(0, interner.hypothesis(), hypothesis);
        over.combine(interner.references().enumerate().map(|(index, ids)| {
            cut(index + 1, ids, reference);
            let hits = summary.hits(lcs, hypothesis, reference, distinct);
            FMeasure::new(hits as u64, hypothesis.len() as u64, reference.len() as u64)
        }))
    }
}

impl Metric for RougeLsum {
    type Stats = RougeStats;
    type Score = FScore;
    type Scratch = RougeLsumScratch;

    fn identity(&self) -> Identity {
        identity("Lsum", self.over)
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        crate::shared::headline_names()
    }
    fn finalize(&self, stats: &RougeStats, counts: &SegmentCounts) -> Result<FScore> {
        Ok(finish(stats, counts))
    }
    fn check(&self, stats: &RougeStats, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts, self.scale())
    }
}

impl Observe<[&str]> for RougeLsum {
    fn observe(
        &self,
        scratch: &mut RougeLsumScratch,
        stats: &mut RougeStats,
        segment: Segment<'_, [&str]>,
    ) -> Result<()> {
        let (hypothesis, references) = (segment.hypothesis(), segment.references()?);
        scratch.interner.intern_segment(hypothesis, references);
        let FMeasure { precision, recall, f } = scratch.measures(self.over, |text, ids, sentences| {
            let tokens = text.checked_sub(1).map_or(hypothesis, |reference| references[reference]);
            sentences.fill(ids, |at| tokens[at] == BREAK);
        })?;
        stats.push([f, precision, recall])
    }
}

impl<T: Hash + Eq> Observe<[Vec<T>]> for RougeLsum {
    fn observe(
        &self,
        scratch: &mut RougeLsumScratch,
        stats: &mut RougeStats,
        segment: Segment<'_, [Vec<T>]>,
    ) -> Result<()> {
        let texts = core::iter::once(segment.hypothesis()).chain(segment.references()?.iter().copied());
        // A break behind each sentence: a place where there is no token.
        let flat: Vec<Vec<Option<&T>>> = texts
            .map(|text| {
                let sentences = text.iter();
                sentences.flat_map(|sentence| sentence.iter().map(Some).chain([None])).collect()
            })
            .collect();
        let Some((hypothesis, references)) = flat.split_first() else { return Ok(()) };
        let references: Vec<&[Option<&T>]> = references.iter().map(Vec::as_slice).collect();
        scratch.interner.intern_segment(hypothesis, &references);
        let FMeasure { precision, recall, f } = scratch
            .measures(self.over, |text, ids, sentences| sentences.fill(ids, |at| flat[text][at].is_none()))?;
        stats.push([f, precision, recall])
    }
}

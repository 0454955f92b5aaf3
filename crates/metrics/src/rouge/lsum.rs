//! ROUGE-Lsum and ROUGE-W: common subsequences sentence by sentence, for summaries.
//!
//! ROUGE-Lsum: each sentence of the reference has a longest common subsequence with each sentence of the
//! hypothesis. The positions that these subsequences take are united. Each token of the union is a hit
//! while both texts have unused occurrences of it. P and R are over all tokens of the texts. The result
//! depends on the choice of the longest common subsequence, which follows rouge_score 0.1.2 bit for bit.
//!
//! ROUGE-W: a run of `k` tokens in the subsequence counts `k^w`, so that coherent text scores better.
//!
//! ```text
//! hits = Σ over runs of k^w
//! R = (hits / (Σ over the reference's sentences of n^w)^w)^(1/w)      P = (hits / m^w)^(1/w), m tokens of the hypothesis
//! ```
//!
//! The total of the reference is weighted twice, as in ROUGE-1.5.5: equal texts of one sentence of `n`
//! tokens have `P = 1` and `R = n^(1−w)`.
//!
//! Tokens alone do not show the ends of sentences. There are two ways to give them:
//!
//! - a text is a sequence of sentences, `[Vec<T>]`, over any tokens;
//! - a text is a sequence of words with a token `"\n"` between sentences, which the tokenizers
//!   `lines:NAME` insert. rouge_score splits texts at the same places. Use this form if programs choose the
//!   metric by name.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::rouge::SentenceRouge;
//!
//! let mut lsum = Accumulator::<_, [&str]>::new(SentenceRouge::lsum());
//! lsum.push(&["c", "d", "\n", "a", "b"], &[&["a", "b", "\n", "c", "d"]]).unwrap();
//! assert_eq!(lsum.score().unwrap().score.f1, 1.0); // ROUGE-L would find half of it
//! ```

use core::hash::Hash;

use std::borrow::Cow;

use bleuprint_core::{ConfigError, Identity, Metric, Observe, Result, Scale, Segment, SegmentCounts};
use bleuprint_math::pow;
use bleuprint_ngram::Interner;

use super::lcs::Lcs;
use super::options::RougeSettings;
use super::rule::{Hits, RougeRule};
use super::summary::{Left, Sentences, Summary};
use super::weighted::Weighted;
use super::{ReferencesRule, RougeStats, finish};
use crate::shared::{FMeasure, FScore};

const BREAK: &str = "\n";

/// Metric ROUGE-Lsum or ROUGE-W, which compare summaries sentence by sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SentenceRouge {
    weight: Option<f64>,
    rule: RougeRule,
}

impl SentenceRouge {
    /// Creates ROUGE-Lsum, the longest common subsequence sentence by sentence.
    pub fn lsum() -> Self {
        SentenceRouge { weight: None, rule: RougeRule::DEFAULT }
    }

    /// Creates ROUGE-W, in which a run of `k` common tokens counts `k` to the power of `weight`, usually 1.2.
    /// Counts are summed over the references.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if the exponent is below 1.
    pub fn w(weight: f64) -> Result<Self, ConfigError> {
        let rule = RougeRule { over: ReferencesRule::Sum, ..RougeRule::DEFAULT };
        Ok(SentenceRouge { weight: Some(RougeSettings::OPTION.weight.check(weight)?), rule })
    }

    /// Sets the rule that combines several references of a segment.
    #[must_use]
    pub fn with_references(self, over: ReferencesRule) -> Self {
        SentenceRouge { rule: RougeRule { over, ..self.rule }, ..self }
    }

    pub(crate) fn with_alpha(self, alpha: f64) -> Result<Self, ConfigError> {
        Ok(SentenceRouge {
            rule: RougeRule { alpha: RougeSettings::OPTION.alpha.check(alpha)?, ..self.rule },
            ..self
        })
    }
}

/// Working memory of ROUGE-Lsum and ROUGE-W, one per thread.
#[derive(Debug, Default)]
pub struct SentenceRougeScratch {
    interner: Interner,
    lcs: Lcs,
    left: Left,
    summary: Summary,
    weighted: Weighted,
    hypothesis: Sentences,
    reference: Sentences,
}

impl SentenceRouge {
    /// Computes ROUGE-Lsum or ROUGE-W of a segment, whose tokens `scratch` holds as ids: precision, recall
    /// and F of common subsequences of sentences. `cut` splits the ids of a text into sentences: text 0 is
    /// the hypothesis, and text `k + 1` is reference `k`.
    fn measure(
        &self,
        scratch: &mut SentenceRougeScratch,
        cut: impl Fn(usize, &[u32], &mut Sentences),
    ) -> Result<FMeasure> {
        let SentenceRougeScratch { interner, lcs, left, summary, weighted, hypothesis, reference } = scratch;
        let distinct = interner.distinct();
        cut(0, interner.hypothesis(), hypothesis);
        let references = interner.references().enumerate().map(|(index, ids)| {
            cut(index + 1, ids, reference);
            let Some(weight) = self.weight else {
                let hits = summary.hits(left, lcs, hypothesis, reference, distinct)?;
                return Ok(Hits::new(hits as u64, hypothesis.len() as u64, reference.len() as u64));
            };
            let power = |count: usize| pow(count as f64, weight);
            let base = reference.iter().map(|sentence| power(sentence.len())).sum::<f64>();
            Ok(Hits {
                hits: weighted.hits(left, weight, hypothesis, reference, distinct)?,
                hypothesis: power(hypothesis.len()),
                reference: pow(base, weight),
                base,
            })
        });
        self.rule.combine(self.weight.unwrap_or(1.0), references)
    }
}

impl Metric for SentenceRouge {
    type Stats = RougeStats;
    type Score = FScore;
    type Scratch = SentenceRougeScratch;

    fn identity(&self) -> Identity {
        match self.weight {
            None => self.rule.identity("Lsum"),
            Some(weight) => self.rule.identity("W").option(RougeSettings::OPTION.weight, weight),
        }
    }
    fn scale(&self) -> Scale {
        RougeRule::SCALE
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        FScore::headline_names()
    }
    fn finalize(&self, stats: &RougeStats, counts: &SegmentCounts) -> Result<FScore> {
        Ok(finish(stats, counts))
    }
    fn check(&self, stats: &RougeStats, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts, [self.scale(); 3])
    }
}

impl Observe<[&str]> for SentenceRouge {
    fn observe(
        &self,
        scratch: &mut SentenceRougeScratch,
        stats: &mut RougeStats,
        segment: Segment<'_, [&str]>,
    ) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let references = segment.references()?;
        scratch.interner.intern_segment(hypothesis, references);
        let FMeasure { precision, recall, f } = self.measure(scratch, |text, ids, sentences| {
            let tokens = text.checked_sub(1).map_or(hypothesis, |reference| references[reference]);
            sentences.fill(ids, |at| tokens[at] == BREAK);
        })?;
        stats.push([f, precision, recall])
    }
}

impl<T: Hash + Eq> Observe<[Vec<T>]> for SentenceRouge {
    fn observe(
        &self,
        scratch: &mut SentenceRougeScratch,
        stats: &mut RougeStats,
        segment: Segment<'_, [Vec<T>]>,
    ) -> Result<()> {
        let texts = core::iter::once(segment.hypothesis).chain(segment.references()?.iter().copied());
        // `None` marks the break after each sentence; it equals no token.
        let flat: Vec<Vec<Option<&T>>> = texts
            .map(|text| {
                let sentences = text.iter();
                sentences.flat_map(|sentence| sentence.iter().map(Some).chain([None])).collect()
            })
            .collect();
        let Some((hypothesis, references)) = flat.split_first() else { return Ok(()) };
        let references: Vec<&[Option<&T>]> = references.iter().map(Vec::as_slice).collect();
        scratch.interner.intern_segment(hypothesis, &references);
        let FMeasure { precision, recall, f } =
            self.measure(scratch, |text, ids, sentences| sentences.fill(ids, |at| flat[text][at].is_none()))?;
        stats.push([f, precision, recall])
    }
}

//! Scores a pool (many hypotheses for one input) with chrF over text or tokens. It scores each hypothesis
//! with each reference, or with the summed counts of all references.

use core::hash::Hash;
use core::ops::Range;

use bleuprint_core::PairScorer;
use bleuprint_ngram::pairwise::{NumberedReferences, ReferenceSums};
use bleuprint_ngram::with_ids;

use super::count::ngrams_of;
use super::finish::ChrfFinish;
use super::pairs::{ChrfReferences, PairSide, score_rows};
use super::{Chrf, ChrfNgramCounts, ChrfStats};

pub(super) struct ChrfPool {
    finish: ChrfFinish,
    kinds: Vec<NumberedReferences>,
    sides: Vec<PairSide>,
    hypotheses: usize,
}

impl ChrfPool {
    pub(super) fn of_texts(chrf: &Chrf, hypotheses: &[&str], references: &[&str]) -> Option<Self> {
        let prepared = ChrfReferences::new(*chrf, references).ok()?;
        let sides = prepared.sides(hypotheses).ok()?;
        Some(ChrfPool {
            finish: chrf.finish,
            kinds: prepared.into_kinds(),
            sides,
            hypotheses: hypotheses.len(),
        })
    }

    /// Prepares a pool of token sequences for chrF. Returns `None` if the pool is too large to be numbered,
    /// or if word orders are configured, which require text.
    pub(super) fn of_tokens<T: Hash + Eq>(
        chrf: &Chrf,
        hypotheses: &[&[T]],
        references: &[&[T]],
    ) -> Option<Self> {
        let finish = chrf.finish;
        let order = chrf.orders.characters;
        if chrf.orders.words > 0 {
            return None;
        }
        let numbered = with_ids(hypotheses, references, |hypotheses, references| {
            let references = NumberedReferences::new(references, order)?;
            let side = PairSide::new(&references, hypotheses, order)?;
            let kinds = vec![references];
            let sides = vec![side];
            Some(ChrfPool { finish, kinds, sides, hypotheses: hypotheses.len() })
        });
        numbered.flatten()
    }

    pub(super) fn aggregate(&self, chrf: &Chrf) -> Vec<ChrfStats> {
        // Sums over the references are made once and serve every hypothesis.
        let kinds: Vec<(ReferenceSums, Vec<(u32, u64)>)> = self
            .kinds
            .iter()
            .zip(&self.sides)
            .map(|(references, side)| {
                (
                    ReferenceSums::new(references),
                    (1..=side.order()).map(|order| of_references(references, order)).collect(),
                )
            })
            .collect();
        let stats_of = |hypothesis| {
            let counts = self.sides.iter().zip(&kinds).flat_map(|(side, (sums, of_references))| {
                side.counts_with_all(sums, hypothesis, of_references)
            });
            let counts: Vec<ChrfNgramCounts> = counts.collect();
            ChrfStats::of_counts(&counts, chrf.orders.characters)
        };
        (0..self.hypotheses).map(stats_of).collect()
    }
}

fn of_references(references: &NumberedReferences, order: usize) -> (u32, u64) {
    let ngrams = references.lengths().iter().map(|&len| ngrams_of(len, order)).filter(|&ngrams| ngrams > 0);
    ngrams.fold((0, 0), |(references, sum), ngrams| (references + 1, sum + ngrams))
}

impl PairScorer for ChrfPool {
    fn score(&self, hypotheses: Range<usize>, scores: &mut [f64]) {
        let columns = self.kinds.first().map_or(0, NumberedReferences::len);
        let start = hypotheses.start;
        score_rows(self.finish, &self.kinds, &self.sides, hypotheses, |hypothesis, first, of_block| {
            let place = (hypothesis - start) * columns + first;
            scores[place..place + of_block.len()].copy_from_slice(of_block);
        });
    }
}

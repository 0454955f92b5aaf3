//! Scores all pairs of hypotheses and references of a pool, for metrics with clipped n-gram counts: BLEU,
//! GLEU, ROUGE-N.

use core::hash::Hash;
use core::ops::Range;

use bleuprint_core::PairScorer;
use bleuprint_ngram::pairwise::{Counts, HypothesisNgrams, NumberedReferences, ReferenceBlock, WIDTH};
use bleuprint_ngram::with_ids;

/// Highest n-gram order that scoring many pairs at once accepts. Hardly any pair has longer matches, so
/// scoring pair by pair is as fast.
const MOST_ORDERS: usize = 32;

pub(crate) trait FinishPairs: Send + Sync {
    type Tables;

    fn tables(&self) -> Self::Tables;

    /// Writes the scores of a hypothesis of `hyp_len` tokens, one for each single reference; `ref_lens` holds
    /// the reference lengths. `clipped[n - 1][i]` is the number of matches of order n with reference `i`.
    fn finish(
        &self,
        tables: &mut Self::Tables,
        hyp_len: usize,
        clipped: &[Counts],
        ref_lens: &[usize],
        scores: &mut [f64],
    );
}

struct NgramPairs<F> {
    finish: F,
    references: NumberedReferences,
    hypotheses: HypothesisNgrams,
    hyp_lens: Vec<usize>,
    max_order: usize,
}

/// Returns a scorer for all pairs of hypotheses and references of a pool. Returns `None` if the pool has too
/// many distinct n-grams to number or the order is too high.
pub(crate) fn ngram_pairs<'m, T: Hash + Eq>(
    finish: impl FinishPairs + 'm,
    max_order: usize,
    hypotheses: &[&[T]],
    references: &[&[T]],
) -> Option<Box<dyn PairScorer + 'm>> {
    if max_order > MOST_ORDERS {
        return None;
    }
    let numbered = with_ids(hypotheses, references, |hypotheses, references| {
        let references = NumberedReferences::new(references, max_order)?;
        let mut looked_up = HypothesisNgrams::default();
        looked_up.look_up(&references, hypotheses).then_some((references, looked_up))
    });
    let (references, looked_up) = numbered??;
    let hyp_lens = hypotheses.iter().map(|hypothesis| hypothesis.len()).collect();
    Some(Box::new(NgramPairs { finish, references, hypotheses: looked_up, hyp_lens, max_order }))
}

impl<F: FinishPairs> PairScorer for NgramPairs<F> {
    fn score(&self, hypotheses: Range<usize>, scores: &mut [f64]) {
        let ref_lens = self.references.lengths();
        let mut tables = self.finish.tables();
        let mut block = ReferenceBlock::default();
        let mut counts = vec![[0; WIDTH]; self.max_order];
        // References are the outer loop, so that a block of them is loaded once for all hypotheses.
        for (number, ref_lens) in ref_lens.chunks(WIDTH).enumerate() {
            block.load(&self.references, number);
            let rows = scores.chunks_mut(self.references.len());
            for ((hypothesis, &hyp_len), row) in
                hypotheses.clone().zip(&self.hyp_lens[hypotheses.clone()]).zip(rows)
            {
                block.overlap(&self.hypotheses, hypothesis, &mut counts);
                let first = number * WIDTH;
                let scores = &mut row[first..first + ref_lens.len()];
                self.finish.finish(&mut tables, hyp_len, &counts, ref_lens, scores);
            }
        }
    }
}

//! Counts the hits of ROUGE-W: common subsequences sentence by sentence, in which a run of `k` tokens counts
//! `k^w`.
//!
//! Each reference sentence is compared with every hypothesis sentence. Each comparison marks the tokens of
//! one common subsequence with the greatest weight in the reference sentence.
//!
//! The marked tokens are then read in order. A token is a hit while both whole texts have an unused
//! occurrence of it. A run of `k` consecutive hits ends before a token that is not marked, and counts `k^w`.
//!
//! Equal tokens are always paired, as in ROUGE-1.5.5, so the weight is not the greatest in all cases.

use bleuprint_core::{InputError, Result, check_interrupt};
use bleuprint_math::pow;

use super::summary::{Left, Sentences};

/// Largest number of cells of ROUGE-W's table: the product of the lengths of two sentences.
const MOST_CELLS: u64 = 1 << 30;

#[derive(Debug, Default)]
pub(super) struct Weighted {
    steps: Vec<WeightedStep>,
    /// Row of ROUGE-W's table: the weight of the best common subsequence up to each cell, and the length of
    /// the consecutive run that ends there.
    row: Vec<(f64, u32)>,
    union: Vec<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum WeightedStep {
    Both,
    Reference,
    Hypothesis,
}

impl Weighted {
    pub(super) fn hits(
        &mut self,
        left: &mut Left,
        weight: f64,
        hypothesis: &Sentences,
        reference: &Sentences,
        distinct: usize,
    ) -> Result<f64> {
        left.fill(hypothesis, reference, distinct);
        let mut hits = 0.0;
        for sentence in reference.iter() {
            self.union.clear();
            self.union.resize(sentence.len(), false);
            for other in hypothesis.iter() {
                self.unite(weight, sentence, other)?;
            }
            let mut run = 0;
            for (at, &id) in sentence.iter().enumerate() {
                if self.union[at] && left.take(id) {
                    run += 1;
                    if !self.union.get(at + 1).is_some_and(|taken| *taken) {
                        hits += power(run, weight);
                        run = 0;
                    }
                }
            }
        }
        Ok(hits)
    }

    fn unite(&mut self, weight: f64, reference: &[u32], hypothesis: &[u32]) -> Result<()> {
        let cells = reference.len() as u64 * hypothesis.len() as u64;
        if cells > MOST_CELLS {
            let ours = hypothesis.len();
            let theirs = reference.len();
            let message = format!(
                "ROUGE-W of sentences of {ours} and {theirs} tokens: {cells} pairs, above {MOST_CELLS}"
            );
            return Err(InputError::malformed(message));
        }
        self.steps.clear();
        self.row.clear();
        self.row.resize(hypothesis.len() + 1, (0.0, 0));
        for token in reference {
            check_interrupt()?;
            let mut diagonal = self.row[0];
            let mut before = self.row[0];
            for (other, here) in hypothesis.iter().zip(&mut self.row[1..]) {
                let up = *here;
                let (step, cell) = if token == other {
                    let (sum, run) = diagonal;
                    // Extending a run of k to k + 1 tokens adds the difference of their weights.
                    (WeightedStep::Both, (sum + power(run + 1, weight) - power(run, weight), run + 1))
                // Ties drop the token of the reference. The walk back follows this choice, so it decides
                // which positions are taken.
                } else if up.0 >= before.0 {
                    (WeightedStep::Reference, (up.0, 0))
                } else {
                    (WeightedStep::Hypothesis, (before.0, 0))
                };
                self.steps.push(step);
                (*here, diagonal, before) = (cell, up, cell);
            }
        }
        let mut row = reference.len();
        let mut column = hypothesis.len();
        while row > 0 && column > 0 {
            let step = self.steps[(row - 1) * hypothesis.len() + column - 1];
            self.union[row - 1] |= step == WeightedStep::Both;
            row -= usize::from(step != WeightedStep::Hypothesis);
            column -= usize::from(step != WeightedStep::Reference);
        }
        Ok(())
    }
}

pub(super) fn power(run: u32, weight: f64) -> f64 {
    pow(f64::from(run), weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(texts: &[&[u32]]) -> Sentences {
        let flat: Vec<u32> = texts.join(&0);
        let mut sentences = Sentences::default();
        sentences.fill(&flat, |at| flat[at] == 0);
        sentences
    }

    fn hits(hypothesis: &[&[u32]], reference: &[&[u32]]) -> f64 {
        let mut weighted = Weighted::default();
        let mut left = Left::default();
        weighted.hits(&mut left, 2.0, &sentences(hypothesis), &sentences(reference), 20).unwrap()
    }

    #[test]
    fn runs_count_more_than_their_tokens() {
        let reference: &[&[u32]] = &[&[1, 2, 3, 4, 5, 6, 7]];
        assert_eq!(hits(&[&[1, 2, 3, 4, 8, 9, 10]], reference), 16.0); // one run of four
        assert_eq!(hits(&[&[1, 8, 2, 9, 3, 10, 4]], reference), 16.0); // a run of the reference, not of the hypothesis
        assert_eq!(hits(&[&[1, 9, 3, 9, 5]], reference), 3.0);
    }

    #[test]
    fn positions_are_united_over_sentences_while_tokens_are_left() {
        assert_eq!(hits(&[&[1, 2], &[3]], &[&[1, 2, 3]]), 9.0);
        // The second 1 of the union finds no 1 left in the hypothesis: it neither ends the run nor counts.
        assert_eq!(hits(&[&[1]], &[&[1], &[1]]), 1.0);
    }

    #[test]
    fn tables_beyond_the_limit_are_refused() {
        let long = vec![1; 1 << 16];
        let mut weighted = Weighted { union: vec![false; long.len()], ..Weighted::default() };
        assert!(weighted.unite(1.2, &long, &long).unwrap_err().to_string().contains("4294967296"));
    }
}

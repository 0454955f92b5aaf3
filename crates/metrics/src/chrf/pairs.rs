//! [`ChrfReferences`]: the score of every one of many hypotheses with every one of many references, each alone.
//!
//! The n-grams of all references are numbered once and those of the hypotheses looked up once; then a block of
//! references is counted at a time, by [`bleuprint_ngram::pairwise`]. Equal, to the last bit, to scoring pair by pair.
//!
//! ```
//! use bleuprint_metrics::{Chrf, chrf::ChrfReferences};
//!
//! let samples = ["the cat sat.", "the cat sits.", "a dog ran."];
//! let references = ChrfReferences::new(Chrf::default(), &samples).unwrap();
//! let mut matrix = [[0.0; 3]; 3];
//! references.score_all(&samples, |hypothesis, first, scores| {
//!     matrix[hypothesis][first..first + scores.len()].copy_from_slice(scores);
//! }).unwrap();
//! assert_eq!(matrix[0][0], 100.0);
//! assert_eq!(format!("{:.2}", matrix[0][1]), "55.22");
//! ```

use bleuprint_core::{InputError, InputErrorKind};
use bleuprint_ngram::pairwise::{Block, Counts, Hypotheses, References, WIDTH};

use super::characters::is_whitespace;
use super::count::counts_of;
use super::words::{Lexicon, Words};
use super::{Chrf, Orders, check_lengths};

/// Many references, prepared for all pairs; threads can share it.
#[derive(Debug, Clone)]
pub struct ChrfReferences {
    chrf: Chrf,
    len: usize,
    lexicon: Lexicon,
    /// Characters, then words, where they are counted.
    kinds: Vec<References>,
}

/// The hypotheses of one kind of n-gram, and the block of references.
#[derive(Default)]
struct Side {
    hypotheses: Hypotheses,
    lengths: Vec<usize>,
    block: Block,
    counts: Vec<Counts>,
}

/// Sequences one after another.
#[derive(Default)]
struct Sequences {
    ids: Vec<u32>,
    ends: Vec<usize>,
}

impl ChrfReferences {
    /// Numbers the n-grams of the references.
    ///
    /// # Errors
    /// [`InputErrorKind::Limit`] where the texts have 2^31 characters or more together, or too many distinct n-grams to
    /// number: prepare a part of them at a time.
    pub fn new(chrf: Chrf, references: &[&str]) -> Result<Self, InputError> {
        check_lengths(0, references.iter().map(|text| text.len()))?;
        let Orders { characters, words, whitespace } = chrf.orders;
        let mut kinds = Vec::new();
        let mut lexicon = Lexicon::default();
        if characters > 0 {
            kinds.push(numbered(&Sequences::of_characters(references, whitespace), characters)?);
        }
        if words > 0 {
            let sequences = Sequences::of_words(references, |words, ids| lexicon.define(words, ids));
            kinds.push(numbered(&sequences, words)?);
        }
        Ok(ChrfReferences { chrf, len: references.len(), lexicon, kinds })
    }

    /// How many references there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Calls `each` with the number of a hypothesis, that of the first reference of a block, and the scores of the
    /// pairs: block by block, and in each hypothesis by hypothesis, so that a matrix need not fit memory.
    ///
    /// # Errors
    /// [`InputErrorKind::Limit`] where the texts have 2^31 characters or more together: score a part of them at a time.
    pub fn score_all(
        &self,
        hypotheses: &[&str],
        mut each: impl FnMut(usize, usize, &[f64]),
    ) -> Result<(), InputError> {
        check_lengths(0, hypotheses.iter().map(|text| text.len()))?;
        let mut sides = self.sides(hypotheses)?;
        let mut scores = [0.0; WIDTH];
        for (number, first) in (0..self.len).step_by(WIDTH).enumerate() {
            let lanes = WIDTH.min(self.len - first);
            for (side, references) in sides.iter_mut().zip(&self.kinds) {
                side.block.load(references, number);
            }
            for hypothesis in 0..hypotheses.len() {
                for side in &mut sides {
                    side.block.overlap(&side.hypotheses, hypothesis, &mut side.counts);
                }
                self.finish(&sides, hypothesis, first, &mut scores[..lanes]);
                each(hypothesis, first, &scores[..lanes]);
            }
        }
        Ok(())
    }

    fn sides(&self, hypotheses: &[&str]) -> Result<Vec<Side>, InputError> {
        let Orders { characters, words, whitespace } = self.chrf.orders;
        let mut sequences = Vec::new();
        if characters > 0 {
            sequences.push((characters, Sequences::of_characters(hypotheses, whitespace)));
        }
        if words > 0 {
            let look_up = |words: &Words, ids: &mut Vec<u32>| self.lexicon.look_up(words, ids);
            sequences.push((words, Sequences::of_words(hypotheses, look_up)));
        }
        let side = |((order, sequences), references): ((usize, Sequences), &References)| {
            let rows = sequences.rows();
            let mut side = Side { counts: vec![[0; WIDTH]; order], ..Side::default() };
            side.lengths.extend(rows.iter().map(|row| row.len()));
            if side.hypotheses.look_up(references, &rows) { Ok(side) } else { Err(too_many()) }
        };
        sequences.into_iter().zip(&self.kinds).map(side).collect()
    }

    fn finish(&self, sides: &[Side], hypothesis: usize, first: usize, scores: &mut [f64]) {
        for (lane, score) in scores.iter_mut().enumerate() {
            let kinds = sides.iter().zip(&self.kinds);
            let counts = kinds.flat_map(|(side, references)| {
                let lengths = [side.lengths[hypothesis], references.lengths()[first + lane]];
                let matches = side.counts.iter().map(move |counts| u64::from(counts[lane]));
                (1..).zip(matches).map(move |(order, matches)| counts_of(lengths, order, matches))
            });
            *score = self.chrf.finish.score(counts);
        }
    }
}

fn numbered(sequences: &Sequences, max_order: usize) -> Result<References, InputError> {
    References::new(&sequences.rows(), max_order).ok_or_else(too_many)
}

fn too_many() -> InputError {
    InputErrorKind::Limit {
        what: "the number of n-grams".to_owned(),
        given: "too large".to_owned(),
        limit: "below 2^32, of less than 2^31 characters".to_owned(),
    }
    .into()
}

impl Sequences {
    fn of_characters(texts: &[&str], whitespace: bool) -> Self {
        let mut sequences = Sequences::default();
        for text in texts {
            let kept = text.chars().filter(|&c| whitespace || !is_whitespace(c));
            sequences.ids.extend(kept.map(u32::from));
            sequences.ends.push(sequences.ids.len());
        }
        sequences
    }

    fn of_words(texts: &[&str], mut number: impl FnMut(&Words, &mut Vec<u32>)) -> Self {
        let (mut sequences, mut words, mut ids) = (Sequences::default(), Words::default(), Vec::new());
        for text in texts {
            words.split(text);
            number(&words, &mut ids);
            sequences.ids.extend_from_slice(&ids);
            sequences.ends.push(sequences.ids.len());
        }
        sequences
    }

    fn rows(&self) -> Vec<&[u32]> {
        let starts = core::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.ids[start..end]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{configurations, text};
    use super::*;
    use bleuprint_core::{Metric, Observe, Segment, SegmentCounts};
    use quickcheck::{Arbitrary, Gen, QuickCheck};

    #[derive(Debug, Clone)]
    struct Texts(Vec<String>);

    impl Arbitrary for Texts {
        fn arbitrary(g: &mut Gen) -> Self {
            Texts((0..u8::arbitrary(g) % 90).map(|_| text(g)).collect())
        }
    }

    fn alone(chrf: Chrf, hypothesis: &str, reference: &str) -> f64 {
        let mut stats = chrf.zero();
        chrf.observe(&mut chrf.scratch(), &mut stats, Segment::new(hypothesis, &[reference])).unwrap();
        chrf.finalize(&stats, &SegmentCounts::of_segment(1)).unwrap().score
    }

    #[test]
    fn all_pairs_are_pair_by_pair() {
        fn law(hypotheses: Texts, references: Texts, which: usize) -> bool {
            let chrf = configurations()[which % configurations().len()];
            let texts = |texts: &Texts| texts.0.clone();
            let (hypotheses, references) = (texts(&hypotheses), texts(&references));
            let [hypotheses, references] =
                [&hypotheses, &references].map(|texts| texts.iter().map(String::as_str).collect::<Vec<_>>());
            let prepared = ChrfReferences::new(chrf, &references).unwrap();
            let (mut pairs, mut equal) = (0, true);
            prepared
                .score_all(&hypotheses, |hypothesis, first, scores| {
                    pairs += scores.len();
                    for (score, reference) in scores.iter().zip(&references[first..]) {
                        equal &= score.to_bits() == alone(chrf, hypotheses[hypothesis], reference).to_bits();
                    }
                })
                .unwrap();
            equal && pairs == hypotheses.len() * references.len() && prepared.len() == references.len()
        }
        QuickCheck::new().tests(60).quickcheck(law as fn(Texts, Texts, usize) -> bool);
    }
}

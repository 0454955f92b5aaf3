//! [`ChrfReferences`]: scores every hypothesis of a pool with every reference of the pool as its only
//! reference.
//!
//! The n-grams of all references are numbered once, and the hypotheses' n-grams are looked up once.
//! [`bleuprint_ngram::pairwise`] then counts a block of references at a time. The scores match scoring pair
//! by pair, bit for bit.

use core::ops::Range;

use bleuprint_core::{InputError, Result};
use bleuprint_ngram::pairwise::{
    Counts, HypothesisNgrams, NumberedReferences, ReferenceBlock, ReferenceSums, WIDTH,
};

use super::characters::is_whitespace;
use super::count::{counts_of, ngrams_of};
use super::finish::{ChrfFinish, OrderSums};
use super::words::{ChrfWords, WordNumbers};
use super::{Chrf, ChrfNgramCounts, ChrfOrders, check_lengths};

#[derive(Debug, Clone)]
pub(super) struct ChrfReferences {
    chrf: Chrf,
    lexicon: WordNumbers,
    kinds: Vec<NumberedReferences>,
}

#[derive(Debug)]
pub(super) struct PairSide {
    hypotheses: HypothesisNgrams,
    lengths: Vec<usize>,
    order: usize,
}

struct Lanes {
    block: ReferenceBlock,
    counts: Vec<Counts>,
}

#[derive(Default)]
struct PairSequences {
    ids: Vec<u32>,
    ends: Vec<usize>,
}

impl ChrfReferences {
    pub(super) fn new(chrf: Chrf, references: &[&str]) -> Result<Self> {
        check_lengths(0, references.iter().map(|text| text.len()))?;
        let ChrfOrders { characters, words, whitespace } = chrf.orders;
        let mut kinds = Vec::new();
        let mut lexicon = WordNumbers::default();
        if characters > 0 {
            kinds.push(numbered(&PairSequences::of_characters(references, whitespace), characters)?);
        }
        if words > 0 {
            let sequences = PairSequences::of_words(references, |words, ids| lexicon.define(words, ids));
            kinds.push(numbered(&sequences, words)?);
        }
        Ok(ChrfReferences { chrf, lexicon, kinds })
    }

    pub(super) fn sides(&self, hypotheses: &[&str]) -> Result<Vec<PairSide>> {
        let ChrfOrders { characters, words, whitespace } = self.chrf.orders;
        let mut sequences = Vec::new();
        if characters > 0 {
            sequences.push((characters, PairSequences::of_characters(hypotheses, whitespace)));
        }
        if words > 0 {
            let look_up = |words: &ChrfWords, ids: &mut Vec<u32>| self.lexicon.look_up(words, ids);
            sequences.push((words, PairSequences::of_words(hypotheses, look_up)));
        }
        let side = |((order, sequences), references): ((usize, PairSequences), &NumberedReferences)| {
            PairSide::new(references, &sequences.rows(), order).ok_or_else(too_many)
        };
        sequences.into_iter().zip(&self.kinds).map(side).collect()
    }

    pub(super) fn into_kinds(self) -> Vec<NumberedReferences> {
        self.kinds
    }
}

impl PairSide {
    /// Creates the table of the n-grams that the hypotheses of a pool share with the references, from which
    /// chrF's matches are counted.
    ///
    /// Returns `None` if there are too many tokens for 32-bit numbers.
    pub(super) fn new(references: &NumberedReferences, hypotheses: &[&[u32]], order: usize) -> Option<Self> {
        let mut looked_up = HypothesisNgrams::default();
        let lengths = hypotheses.iter().map(|hypothesis| hypothesis.len()).collect();
        looked_up.look_up(references, hypotheses).then_some(PairSide {
            hypotheses: looked_up,
            lengths,
            order,
        })
    }

    pub(super) fn order(&self) -> usize {
        self.order
    }

    /// Returns chrF's counts of one hypothesis, summed over all references, for each n-gram order.
    ///
    /// `of_references` has two numbers for each order: the number of references that have n-grams of this
    /// order, and their total number of such n-grams. The hypothesis's n-grams are counted once for each of
    /// these references: with 10 n-grams and 3 references, the count is 30.
    pub(super) fn counts_with_all<'s>(
        &'s self,
        sums: &'s ReferenceSums,
        hypothesis: usize,
        of_references: &'s [(u32, u64)],
    ) -> impl Iterator<Item = ChrfNgramCounts> {
        let times = of_references.iter().map(|&(references, _)| references);
        let matches = sums.overlap(&self.hypotheses, hypothesis, times);
        let length = self.lengths[hypothesis];
        (1..).zip(matches).zip(of_references).map(move |((order, matches), &(references, ngrams))| {
            ChrfNgramCounts {
                hypothesis: ngrams_of(length, order).saturating_mul(u64::from(references)),
                reference: ngrams,
                matches,
            }
        })
    }
}

/// Calls `each` with the chrF scores of the given hypotheses with every reference, a block of references at a
/// time. Its arguments are the index of the hypothesis, the index of the block's first reference, and the
/// scores.
pub(super) fn score_rows(
    finish: ChrfFinish,
    kinds: &[NumberedReferences],
    sides: &[PairSide],
    hypotheses: Range<usize>,
    mut each: impl FnMut(usize, usize, &[f64]),
) {
    let lanes =
        |side: &PairSide| Lanes { block: ReferenceBlock::default(), counts: vec![[0; WIDTH]; side.order] };
    let mut lanes: Vec<Lanes> = sides.iter().map(lanes).collect();
    let mut scores = [0.0; WIDTH];
    let references = kinds.first().map_or(0, NumberedReferences::len);
    for (number, first) in (0..references).step_by(WIDTH).enumerate() {
        for (lanes, references) in lanes.iter_mut().zip(kinds) {
            lanes.block.load(references, number);
        }
        // The block is the outer loop: its tables stay in the cache while all hypotheses pass.
        for hypothesis in hypotheses.clone() {
            for (lanes, side) in lanes.iter_mut().zip(sides) {
                lanes.block.overlap(&side.hypotheses, hypothesis, &mut lanes.counts);
            }
            let scores = &mut scores[..WIDTH.min(references - first)];
            let mut sums = [OrderSums::default(); WIDTH];
            // The lanes are the inner loop, for vector instructions. Each lane still adds its orders in the
            // sequence of a single score, so the bits match.
            for ((lanes, side), references) in lanes.iter().zip(sides).zip(kinds) {
                let lengths = &references.lengths()[first..first + scores.len()];
                for (order, matches) in (1..).zip(&lanes.counts) {
                    for ((sums, &matches), &length) in sums.iter_mut().zip(matches).zip(lengths) {
                        let lengths = [side.lengths[hypothesis], length];
                        sums.add(finish.factor, counts_of(lengths, order, u64::from(matches)));
                    }
                }
            }
            for (score, sums) in scores.iter_mut().zip(&sums) {
                *score = finish.finish_sums(sums);
            }
            each(hypothesis, first, scores);
        }
    }
}

fn numbered(sequences: &PairSequences, max_order: usize) -> Result<NumberedReferences> {
    NumberedReferences::new(&sequences.rows(), max_order).ok_or_else(too_many)
}

fn too_many() -> InputError {
    InputError::limit("the number of n-grams", "too large", "below 2^32, of less than 2^31 characters")
}

impl PairSequences {
    fn of_characters(texts: &[&str], whitespace: bool) -> Self {
        let mut sequences = PairSequences::default();
        for text in texts {
            let kept = text.chars().filter(|&c| whitespace || !is_whitespace(c));
            sequences.ids.extend(kept.map(u32::from));
            sequences.ends.push(sequences.ids.len());
        }
        sequences
    }

    fn of_words(texts: &[&str], mut number: impl FnMut(&ChrfWords, &mut Vec<u32>)) -> Self {
        let mut sequences = PairSequences::default();
        let mut words = ChrfWords::default();
        let mut ids = Vec::new();
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
            Texts((0..u8::arbitrary(g) % 90).map(|_| text(&Vec::<u8>::arbitrary(g))).collect())
        }
    }

    fn alone(chrf: Chrf, hypothesis: &str, reference: &str) -> f64 {
        let mut stats = chrf.zero();
        chrf.observe(&mut Default::default(), &mut stats, Segment::new(hypothesis, &[reference])).unwrap();
        chrf.finalize(&stats, &SegmentCounts::of_segment(1)).unwrap().score
    }

    #[test]
    fn all_pairs_are_pair_by_pair() {
        fn law(hypotheses: Texts, references: Texts, which: usize) -> bool {
            let chrf = configurations()[which % configurations().len()];
            let texts = |texts: &Texts| texts.0.clone();
            let hypotheses = texts(&hypotheses);
            let references = texts(&references);
            let [hypotheses, references] =
                [&hypotheses, &references].map(|texts| texts.iter().map(String::as_str).collect::<Vec<_>>());
            let prepared = ChrfReferences::new(chrf, &references).unwrap();
            let mut pairs = 0;
            let mut equal = true;
            let sides = prepared.sides(&hypotheses).unwrap();
            let each = |hypothesis: usize, first: usize, scores: &[f64]| {
                pairs += scores.len();
                for (score, reference) in scores.iter().zip(&references[first..]) {
                    equal &= score.to_bits() == alone(chrf, hypotheses[hypothesis], reference).to_bits();
                }
            };
            score_rows(chrf.finish, &prepared.into_kinds(), &sides, 0..hypotheses.len(), each);
            equal && pairs == hypotheses.len() * references.len()
        }
        QuickCheck::new().tests(60).quickcheck(law as fn(Texts, Texts, usize) -> bool);
    }
}

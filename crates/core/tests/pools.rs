//! A metric of a user's own with shorter ways through pools: the laws pass the right ones and catch the wrong ones.

use std::ops::Range;

use bleuprint_core::{
    Identity, InputError, Metric, Observe, PairScorer, Scale, Segment, SegmentCounts, Stats, columns, laws,
};

columns! {
    /// How far the lengths are apart.
    struct Apart { apart }
}

/// The distance of the hypothesis's length to the nearest of the references'.
#[derive(Debug, Clone, Copy)]
struct LengthError {
    /// What its shorter ways get wrong.
    wrong: u64,
    left_out_wrong: u64,
    aggregate_wrong: u64,
}

const RIGHT: LengthError = LengthError { wrong: 0, left_out_wrong: 0, aggregate_wrong: 0 };

impl Metric for LengthError {
    type Stats = Apart;
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("length_error", 1)
    }
    fn scale(&self) -> Scale {
        Scale::UNBOUNDED
    }
    fn scratch(&self) {}
    fn zero(&self) -> Apart {
        Apart::default()
    }
    fn finalize(&self, stats: &Apart, counts: &SegmentCounts) -> Result<f64, InputError> {
        Ok(stats.apart as f64 / counts.segments.max(1) as f64)
    }
}

/// The lengths are all it needs of a pool, so that a pair costs a subtraction.
struct Lengths {
    hypotheses: Vec<usize>,
    references: Vec<usize>,
    wrong: u64,
}

impl PairScorer for Lengths {
    fn score(&self, hypotheses: Range<usize>, scores: &mut [f64]) {
        let pairs =
            self.hypotheses[hypotheses].iter().flat_map(|h| self.references.iter().map(move |r| (h, r)));
        for ((hypothesis, reference), score) in pairs.zip(scores) {
            // Equal lengths are left to be observed.
            *score = match hypothesis.abs_diff(*reference) as u64 {
                0 => f64::NAN,
                apart => (apart + self.wrong) as f64,
            };
        }
    }
}

impl<T> Observe<[T]> for LengthError {
    fn observe(&self, (): &mut (), stats: &mut Apart, segment: Segment<'_, [T]>) -> Result<(), InputError> {
        let own = segment.hypothesis().len();
        let apart = segment.references()?.iter().map(|reference| reference.len().abs_diff(own) as u64).min();
        stats.merge(&Apart { apart: apart.unwrap_or(0) })
    }

    fn pair_scorer<'m>(
        &'m self,
        hypotheses: &[&[T]],
        references: &[&[T]],
    ) -> Result<Option<Box<dyn PairScorer + 'm>>, InputError> {
        let lengths = |sequences: &[&[T]]| sequences.iter().map(|sequence| sequence.len()).collect();
        let (hypotheses, references) = (lengths(hypotheses), lengths(references));
        Ok(Some(Box::new(Lengths { hypotheses, references, wrong: self.wrong })))
    }

    fn leave_one_out(&self, sequences: &[&[T]]) -> Result<Option<Vec<Apart>>, InputError> {
        let mut sorted: Vec<usize> = sequences.iter().map(|sequence| sequence.len()).collect();
        sorted.sort_unstable();
        let nearest = |sequence: &&[T]| {
            let place = sorted.partition_point(|&length| length < sequence.len());
            let beside = [place.checked_sub(1), Some(place + 1)];
            let beside = beside.into_iter().flatten().filter_map(|place| sorted.get(place));
            let apart = beside.map(|other| other.abs_diff(sequence.len()) as u64).min().unwrap_or(0);
            Apart { apart: apart + self.left_out_wrong }
        };
        Ok(Some(sequences.iter().map(nearest).collect()))
    }

    fn aggregate(&self, hypotheses: &[&[T]], references: &[&[T]]) -> Result<Option<Vec<Apart>>, InputError> {
        let sum: usize = references.iter().map(|reference| reference.len()).sum();
        let apart = |hypothesis: &&[T]| (hypothesis.len() * references.len()).abs_diff(sum) as u64;
        let stats = hypotheses.iter().map(|h| Apart { apart: apart(h) + self.aggregate_wrong });
        Ok(Some(stats.collect()))
    }
}

#[test]
fn right_ways_pass() {
    laws::check(&RIGHT);
}

#[test]
#[should_panic(expected = "a pair scores")]
fn wrong_pairs_are_caught() {
    laws::check_pools::<[u8], Vec<u8>, _>(&LengthError { wrong: 1, ..RIGHT }, laws::tokens);
}

#[test]
#[should_panic(expected = "with all others")]
fn wrong_statistics_of_a_sequence_left_out_are_caught() {
    laws::check_pools::<[u8], Vec<u8>, _>(&LengthError { left_out_wrong: 1, ..RIGHT }, laws::tokens);
}

#[test]
#[should_panic(expected = "one for a single one")]
fn wrong_references_laid_together_are_caught() {
    laws::check_pools::<[u8], Vec<u8>, _>(&LengthError { aggregate_wrong: 1, ..RIGHT }, laws::tokens);
}

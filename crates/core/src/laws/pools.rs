//! The laws of pools: a metric's shorter ways give what observing gives.

use alloc::vec;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt::Debug;

use quickcheck::Gen;

use super::{OwnedSegment, corpora, name};
use crate::{Observe, Score, Segment, SegmentCounts};

/// The scores of all pairs have the bits of each pair observed and finished, or are NaN; and each sequence with all
/// the others as its references has the statistics that observing it has. With one reference that stands for a single
/// one the statistics are those of the pair, and with one for many they are such as segments can give. A metric without
/// shorter ways obeys.
///
/// [`check_sequences`](super::check_sequences) checks these laws too.
///
/// # Panics
/// When it does not.
pub fn check_pools<S, O, M>(metric: &M, generate: impl Fn(&mut Gen) -> O)
where
    S: ?Sized,
    O: Borrow<S> + Clone + Debug,
    M: Observe<S>,
    M::Stats: PartialEq + Debug,
    M::Score: Score,
{
    for corpus in corpora(&generate) {
        check_pool::<S, O, M>(metric, &corpus);
    }
}

pub(super) fn check_pool<S, O, M>(metric: &M, corpus: &[OwnedSegment<O>])
where
    S: ?Sized,
    O: Borrow<S> + Debug,
    M: Observe<S>,
    M::Stats: PartialEq + Debug,
    M::Score: Score,
{
    let hypotheses: Vec<&S> = corpus.iter().map(|segment| segment.hypothesis.borrow()).collect();
    let references: Vec<&S> =
        corpus.iter().flat_map(|segment| &segment.references).map(Borrow::borrow).collect();
    check_pairs(metric, &hypotheses, &references, &corpus);
    check_aggregate(metric, &hypotheses, &references, &corpus);
    let all: Vec<&S> = hypotheses.iter().chain(&references).copied().collect();
    if all.len() > 1 {
        check_left_out(metric, &all, &corpus);
    }
}

fn check_pairs<S, M>(metric: &M, hypotheses: &[&S], references: &[&S], corpus: &dyn Debug)
where
    S: ?Sized,
    M: Observe<S>,
    M::Score: Score,
{
    let name = name(metric);
    let scorer = match metric.pair_scorer(hypotheses, references) {
        Ok(None) => return,
        Ok(Some(scorer)) => scorer,
        Err(error) => panic!("{name}: the pairs of a corpus are refused: {error}: {corpus:?}"),
    };
    let mut scratch = metric.scratch();
    // In two portions, the second of which must not begin anew.
    for portion in [0..hypotheses.len() / 2, hypotheses.len() / 2..hypotheses.len()] {
        let mut scores = vec![f64::INFINITY; portion.len() * references.len()];
        scorer.score(portion.clone(), &mut scores);
        let pairs = hypotheses[portion].iter().flat_map(|h| references.iter().map(move |r| (*h, *r)));
        for ((hypothesis, reference), score) in pairs.zip(scores) {
            let mut stats = metric.zero();
            let observed = metric.observe(&mut scratch, &mut stats, Segment::new(hypothesis, &[reference]));
            let finished = observed.and_then(|()| metric.finalize(&stats, &SegmentCounts::of_segment(1)));
            let expected = finished.map(|score| score.value().to_bits());
            let same = score.is_nan() || expected == Ok(score.to_bits());
            assert!(same, "{name}: a pair scores {score}, observed alone {expected:?}: {corpus:?}");
        }
    }
}

fn check_aggregate<S, M>(metric: &M, hypotheses: &[&S], references: &[&S], corpus: &dyn Debug)
where
    S: ?Sized,
    M: Observe<S>,
    M::Stats: PartialEq + Debug,
{
    let name = name(metric);
    let mut scratch = metric.scratch();
    for reference in references {
        let Ok(Some(all)) = metric.aggregate(hypotheses, &[reference]) else { return };
        assert_eq!(all.len(), hypotheses.len(), "{name}: one for each hypothesis: {corpus:?}");
        for (hypothesis, stats) in hypotheses.iter().zip(all) {
            let mut expected = metric.zero();
            let observed =
                metric.observe(&mut scratch, &mut expected, Segment::new(hypothesis, &[reference]));
            assert_eq!((observed, &stats), (Ok(()), &expected), "{name}: one for a single one: {corpus:?}");
        }
    }
    let counts = SegmentCounts::of_segments(references.len(), 1);
    for stats in metric.aggregate(hypotheses, references).ok().flatten().into_iter().flatten() {
        assert_eq!(metric.check(&stats, &counts), Ok(()), "{name}: one for all: {corpus:?}");
    }
}

fn check_left_out<S, M>(metric: &M, sequences: &[&S], corpus: &dyn Debug)
where
    S: ?Sized,
    M: Observe<S>,
    M::Stats: PartialEq + Debug,
{
    let name = name(metric);
    let all = match metric.leave_one_out(sequences) {
        Ok(None) => return,
        Ok(Some(all)) => all,
        Err(error) => panic!("{name}: a pool is refused: {error}: {corpus:?}"),
    };
    assert_eq!(all.len(), sequences.len(), "{name}: one for each sequence: {corpus:?}");
    let mut scratch = metric.scratch();
    for (own, (sequence, stats)) in sequences.iter().zip(all).enumerate() {
        let others: Vec<&S> = sequences
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != own)
            .map(|(_, other)| *other)
            .collect();
        let mut expected = metric.zero();
        let observed = metric.observe(&mut scratch, &mut expected, Segment::new(sequence, &others));
        assert_eq!(observed, Ok(()), "{name}: {corpus:?}");
        assert_eq!(stats, expected, "{name}: sequence {own} with all others, {corpus:?}");
    }
}

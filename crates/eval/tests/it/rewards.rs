//! Rewards equal their naive twin, an accumulator per item, in one thread and in many.

use bleuprint_core::{Accumulator, InputErrorKind};
use bleuprint_eval::Rewards;
use bleuprint_metrics::Bleu;
use quickcheck::{Arbitrary, Gen, quickcheck};

/// Groups of hypotheses over few ids, with the references they share.
#[derive(Debug, Clone)]
struct Batch {
    group_size: usize,
    hypotheses: Vec<Vec<u32>>,
    references: Vec<Vec<Vec<u32>>>,
}

impl Arbitrary for Batch {
    fn arbitrary(g: &mut Gen) -> Self {
        let ids = |g: &mut Gen| -> Vec<u32> {
            let len = u8::arbitrary(g) % if u8::arbitrary(g).is_multiple_of(8) { 90 } else { 9 };
            (0..len).map(|_| u32::from(u8::arbitrary(g) % 4)).collect()
        };
        let group_size = usize::from(1 + u8::arbitrary(g) % 6);
        let groups = usize::from(u8::arbitrary(g) % 6);
        let references =
            (0..groups).map(|_| (0..1 + u8::arbitrary(g) % 3).map(|_| ids(g)).collect()).collect();
        let hypotheses = (0..groups * group_size).map(|_| ids(g)).collect();
        Batch { group_size, hypotheses, references }
    }
}

impl Batch {
    fn own_references(&self) -> Vec<&Vec<Vec<u32>>> {
        (0..self.hypotheses.len()).map(|item| &self.references[item / self.group_size]).collect()
    }

    /// The naive twin.
    fn expected(&self, bleu: &Bleu) -> Vec<f32> {
        let score = |(hypothesis, references): (&Vec<u32>, &Vec<Vec<u32>>)| {
            let references: Vec<&[u32]> = references.iter().map(Vec::as_slice).collect();
            let mut one = Accumulator::<_, [u32]>::new(bleu);
            one.push(hypothesis, &references).unwrap();
            one.score().unwrap().score.score as f32
        };
        self.hypotheses.iter().zip(self.own_references()).map(score).collect()
    }
}

fn equals_the_twin(batch: &Batch, mut rewards: Rewards<Bleu, [u32]>) -> bool {
    let expected = batch.expected(rewards.metric());
    let (mut items, mut groups) = (vec![-1.0; expected.len()], vec![-1.0; expected.len()]);
    rewards.per_item(&batch.hypotheses, &batch.own_references(), &mut items).unwrap();
    rewards.per_group(&batch.hypotheses, batch.group_size, &batch.references, &mut groups).unwrap();
    // Twice, so that a warm scratch is seen as well.
    rewards.per_item(&batch.hypotheses, &batch.own_references(), &mut items).unwrap();
    items == expected && groups == expected
}

quickcheck! {
    fn rewards_are_sentence_scores(batch: Batch) -> bool {
        equals_the_twin(&batch, Rewards::new(Bleu::default().sentence()))
    }

    #[cfg(feature = "parallel")]
    fn rewards_in_all_threads_are_the_same(batch: Batch) -> bool {
        equals_the_twin(&batch, Rewards::new(Bleu::default().sentence()).parallel())
    }
}

#[test]
fn every_mismatch_names_both_lengths_and_leaves_no_reward() {
    let mut rewards = Rewards::<_, [u32]>::new(Bleu::default().sentence());
    let hypotheses: [&[u32]; 3] = [&[1], &[2], &[3]];
    let reference: &[&[u32]] = &[&[1]];
    let mut out = [7.0; 3];
    let error = rewards.per_item(&hypotheses, &[reference; 2], &mut out).unwrap_err();
    assert_eq!(error.to_string(), "hypotheses has 3 segments, but references has 2");
    assert!(out.iter().all(|reward| reward.is_nan()));
    let error = rewards.per_group(&hypotheses, 2, &[reference; 2], &mut out).unwrap_err();
    assert_eq!(error.to_string(), "hypotheses has 3 segments, but 2 groups of 2 has 4");
    let error = rewards.per_group(&hypotheses, 0, &[reference; 2], &mut out).unwrap_err();
    assert_eq!(error.to_string(), "hypotheses has 3 segments, but 2 groups of 0 has 0");
    let error = rewards.per_group(&hypotheses, 3, &[reference; 1], &mut out[..2]).unwrap_err();
    assert_eq!(error.to_string(), "hypotheses has 3 segments, but rewards has 2");
}

#[test]
fn an_item_without_references_is_named_and_leaves_no_reward() {
    let mut rewards = Rewards::<_, [u32]>::new(Bleu::default().sentence());
    let mut out = [7.0; 3];
    let some: &[&[u32]] = &[&[1]];
    let error = rewards.per_item(&[[1u32], [2], [3]], &[some, some, &[]], &mut out).unwrap_err();
    assert_eq!((error.kind(), error.location().segment), (&InputErrorKind::NoReferences, Some(3)));
    assert!(out.iter().all(|reward| reward.is_nan()));
    let groups: [&[&[u32]]; 1] = [&[]];
    let error = rewards.per_group(&[[1u32], [2], [3]], 3, &groups, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.location().segment), (&InputErrorKind::NoReferences, Some(1)));
}

#[test]
fn no_items_are_no_error() {
    let mut rewards = Rewards::<_, [u32]>::new(Bleu::default().sentence());
    rewards.per_item::<Vec<u32>, Vec<Vec<u32>>, _>(&[], &[], &mut []).unwrap();
    rewards.per_group::<Vec<u32>, Vec<Vec<u32>>, _>(&[], 4, &[], &mut []).unwrap();
}

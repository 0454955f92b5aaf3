//! Rewards over buffers are those over sequences; credits are differences of the scores of prefixes.

use bleuprint_core::{Accumulator, Observe, Result, Score};
use bleuprint_eval::{Groups, Rewards, RowId, Rows};
use bleuprint_metrics::{Bleu, EditRate, Gleu};
use quickcheck::quickcheck;

/// Not a token of any sequence here.
const PAD: u32 = 99;

fn sequences(bytes: &[Vec<u8>]) -> Vec<Vec<u32>> {
    bytes.iter().map(|row| row.iter().take(12).map(|byte| u32::from(byte % 4)).collect()).collect()
}

/// One buffer, padded at the left or at the right.
fn buffer(rows: &[Vec<u32>], stride: usize, left: bool) -> Vec<u32> {
    let padded = |row: &Vec<u32>| {
        let padding = std::iter::repeat_n(PAD, stride - row.len());
        if left {
            padding.chain(row.iter().copied()).collect::<Vec<_>>()
        } else {
            row.iter().copied().chain(padding).collect()
        }
    };
    rows.iter().flat_map(padded).collect()
}

fn alone<M: Observe<[u32]>>(metric: &M, hypothesis: &[u32], references: &[&[u32]]) -> f64 {
    let mut one = Accumulator::<_, [u32]>::new(metric);
    one.push(hypothesis, references).unwrap();
    one.score().unwrap().score.value()
}

struct Batch {
    hypotheses: Vec<Vec<u32>>,
    references: Vec<Vec<u32>>,
    groups: Groups,
}

impl Batch {
    fn new(hypotheses: &[Vec<u8>], references: &[Vec<u8>], size: u8, refs: u8) -> Self {
        let (size, refs) = (usize::from(size % 5) + 1, usize::from(refs % 3) + 1);
        let (mut hypotheses, mut references) = (sequences(hypotheses), sequences(references));
        let groups = (hypotheses.len() / size).min(references.len() / refs);
        hypotheses.truncate(groups * size);
        references.truncate(groups * refs);
        Batch { hypotheses, references, groups: Groups { hypotheses: size, references: refs } }
    }

    fn own_references(&self, row: usize) -> Vec<&[u32]> {
        let start = row / self.groups.hypotheses * self.groups.references;
        self.references[start..start + self.groups.references].iter().map(Vec::as_slice).collect()
    }

    fn expected<M: Observe<[u32]>>(&self, metric: &M) -> Vec<f32> {
        let rows = self.hypotheses.iter().enumerate();
        rows.map(|(row, hypothesis)| alone(metric, hypothesis, &self.own_references(row)) as f32).collect()
    }

    fn rewards<T: RowId>(&self, rewards: &mut Rewards<Bleu, [u32]>, convert: impl Fn(u32) -> T) -> Vec<f32> {
        let mut out = vec![-1.0; self.hypotheses.len()];
        let of =
            |rows: &[Vec<u32>], left| buffer(rows, 13, left).into_iter().map(&convert).collect::<Vec<T>>();
        let (hypotheses, references) = (of(&self.hypotheses, true), of(&self.references, false));
        let hypotheses = Rows::padded(&hypotheses, 13, convert(PAD)).unwrap();
        let references = Rows::padded(&references, 13, convert(PAD)).unwrap();
        rewards.per_row(&hypotheses, &references, self.groups, &mut out).unwrap();
        out
    }

    fn credits_are_differences<M: Observe<[u32]>>(&self, metric: M) -> bool {
        let (hypotheses, references) =
            (buffer(&self.hypotheses, 13, true), buffer(&self.references, 13, true));
        let hypotheses = Rows::padded(&hypotheses, 13, PAD).unwrap();
        let references = Rows::padded(&references, 13, PAD).unwrap();
        let mut credits = vec![-1.0; self.hypotheses.len() * 13];
        let mut rewards = Rewards::<_, [u32]>::new(metric).parallel();
        rewards.credits(&hypotheses, &references, self.groups, &mut credits).unwrap();
        self.hypotheses.iter().enumerate().all(|(row, hypothesis)| {
            let own = self.own_references(row);
            let score = |end: usize| alone(rewards.metric(), &hypothesis[..end], &own);
            let start = row * 13 + 13 - hypothesis.len();
            let differences = (0..hypothesis.len()).map(|at| (score(at + 1) - score(at)) as f32);
            credits[row * 13..start].iter().all(|credit| *credit == 0.0)
                && differences.eq(credits[start..(row + 1) * 13].iter().copied())
        })
    }
}

quickcheck! {
    fn rows_are_as_sequences(hypotheses: Vec<Vec<u8>>, references: Vec<Vec<u8>>, size: u8, refs: u8) -> bool {
        let batch = Batch::new(&hypotheses, &references, size, refs);
        let mut one = Rewards::new(Bleu::default().sentence());
        let mut many = Rewards::new(Bleu::default().sentence()).parallel();
        let expected = batch.expected(one.metric());
        batch.rewards(&mut one, |id| id) == expected
            && batch.rewards(&mut one, i64::from) == expected
            && batch.rewards(&mut many, i64::from) == expected
    }

    fn credits_are_differences(hypotheses: Vec<Vec<u8>>, references: Vec<Vec<u8>>, size: u8, refs: u8) -> bool {
        let batch = Batch::new(&hypotheses, &references, size, refs);
        batch.credits_are_differences(Bleu::default().sentence())
            && batch.credits_are_differences(Gleu::default())
            && batch.credits_are_differences(EditRate::ER)
    }
}

#[test]
fn what_is_no_buffer_is_refused() {
    let message = |result: Result<Rows<'_, u32>>| result.unwrap_err().to_string();
    let ids = [1u32, 2, 3, 4];
    assert!(message(Rows::padded(&ids, 3, 0)).contains("is 4, but must be a multiple of the stride, 3"));
    assert!(message(Rows::padded(&ids, 0, 0)).contains("a multiple of the stride, 0"));
    assert!(Rows::<u32>::padded(&[], 0, 0).is_ok());
    assert_eq!(Rows::padded(&ids, 2, 0).unwrap().get(2), &[] as &[u32]);
}

const PAIRS: Groups = Groups { hypotheses: 1, references: 1 };

#[test]
fn what_is_no_id_and_no_group_is_named_and_leaves_no_reward() {
    let mut rewards = Rewards::<_, [u32]>::new(Bleu::default().sentence());
    let (good, bad) = ([1i64, 2, 3, 4], [1i64, 2, 3, -100]);
    let rows = |ids| Rows::padded(ids, 2, 0).unwrap();
    let mut out = [7.0; 2];
    let error = rewards.per_row(&rows(&bad), &rows(&good), PAIRS, &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "segment 2: an id is -100, but must be from 0 to 4294967295, of hypotheses"
    );
    assert!(out.iter().all(|reward| reward.is_nan()));
    let error = rewards.per_row(&rows(&good), &rows(&bad), PAIRS, &mut out).unwrap_err();
    assert!(error.to_string().ends_with("of references"), "{error}");
    for (groups, words) in [
        (Groups { hypotheses: 2, references: 1 }, "hypotheses has 2 segments, but 2 groups of 2 has 4"),
        (Groups { hypotheses: 1, references: 0 }, "a multiple of the 0 references"),
        (Groups { hypotheses: 0, references: 1 }, "2 groups of 0 has 0"),
    ] {
        let error = rewards.per_row(&rows(&good), &rows(&good), groups, &mut out).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    let error = rewards.per_row(&rows(&good), &rows(&good), PAIRS, &mut out[..1]).unwrap_err();
    assert!(error.to_string().contains("but rewards has 1"), "{error}");
    let error = rewards.credits(&rows(&good), &rows(&good), PAIRS, &mut out).unwrap_err();
    assert!(error.to_string().contains("but rewards has 2"), "{error}");
}

/// Preparing or not, a group of any size has the same rewards.
#[test]
fn groups_of_every_size_agree() {
    fn check<M: Observe<[u32]>>(metric: M) {
        let hypotheses: Vec<u32> = (0..48).map(|at| at * 7 % 5).collect();
        let references: Vec<u32> = (0..8).map(|at| at * 3 % 5).collect();
        let hypotheses = Rows::padded(&hypotheses, 4, PAD).unwrap();
        let references = Rows::padded(&references, 8, PAD).unwrap();
        let (mut all, mut few) = ([0.0; 12], [0.0; 12]);
        let mut rewards = Rewards::<M, [u32]>::new(metric);
        rewards
            .per_row(&hypotheses, &references, Groups { hypotheses: 12, references: 1 }, &mut all)
            .unwrap();
        let many: Vec<u32> = (0..6).flat_map(|_| (0..8).map(|at| at * 3 % 5)).collect();
        let many = Rows::padded(&many, 8, PAD).unwrap();
        rewards.per_row(&hypotheses, &many, Groups { hypotheses: 2, references: 1 }, &mut few).unwrap();
        assert_eq!(all, few);
    }
    check(Bleu::default().sentence());
    check(Gleu::default());
}

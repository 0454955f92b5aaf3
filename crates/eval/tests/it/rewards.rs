//! Tests rewards against a simple reference implementation, an accumulator for each item: over sequences and
//! buffers, in one thread and in many. Credits are differences of the scores of prefixes.

use bleuprint_core::{Accumulator, InputErrorKind, Observe, Result, Score};
use bleuprint_eval::{Groups, Rewards, RowId, Rows};
use bleuprint_metrics::{Bleu, EditRate, Gleu};
use quickcheck::{Arbitrary, Gen, quickcheck};

/// Padding, which is not a token of any sequence here.
const PAD: u32 = 99;

/// Length of a row, longer than any sequence here.
const STRIDE: usize = 90;

/// Groups of hypotheses over few ids, with the references that they share.
#[derive(Debug, Clone)]
struct Batch {
    groups: Groups,
    hypotheses: Vec<Vec<u32>>,
    references: Vec<Vec<u32>>,
}

impl Arbitrary for Batch {
    fn arbitrary(g: &mut Gen) -> Self {
        let below = |g: &mut Gen, limit: u8| usize::from(u8::arbitrary(g) % limit);
        let sizes = Groups { hypotheses: 1 + below(g, 6), references: 1 + below(g, 3) };
        let groups = below(g, 6);
        let mut sequences = |count: usize| -> Vec<Vec<u32>> {
            let mut sequence = |_| {
                let most = if below(g, 8) == 0 { STRIDE as u8 } else { 9 };
                (0..below(g, most)).map(|_| below(g, 4) as u32).collect()
            };
            (0..count).map(&mut sequence).collect()
        };
        let (hypotheses, references) =
            (sequences(groups * sizes.hypotheses), sequences(groups * sizes.references));
        Batch { groups: sizes, hypotheses, references }
    }
}

fn buffer<T>(rows: &[Vec<u32>], left: bool, convert: impl Fn(u32) -> T) -> Vec<T> {
    let padded = |row: &Vec<u32>| {
        let padding = vec![PAD; STRIDE - row.len()];
        if left { [padding, row.clone()].concat() } else { [row.clone(), padding].concat() }
    };
    rows.iter().flat_map(padded).map(convert).collect()
}

fn alone<M: Observe<[u32]>>(metric: &M, hypothesis: &[u32], references: &[&[u32]]) -> f64 {
    let mut one = Accumulator::<_, [u32]>::new(metric);
    one.push(hypothesis, references).unwrap();
    one.score().unwrap().score.value()
}

impl Batch {
    fn of_groups(&self) -> Vec<Vec<&[u32]>> {
        let groups = self.references.chunks(self.groups.references);
        groups.map(|group| group.iter().map(Vec::as_slice).collect()).collect()
    }

    fn of_items(&self) -> Vec<Vec<&[u32]>> {
        let groups = self.of_groups();
        (0..self.hypotheses.len()).map(|item| groups[item / self.groups.hypotheses].clone()).collect()
    }

    fn over_rows<T: RowId>(&self, rewards: &mut Rewards<Bleu, [u32]>, convert: fn(u32) -> T) -> Vec<f32> {
        let mut out = vec![-1.0; self.hypotheses.len()];
        let (hypotheses, references) =
            (buffer(&self.hypotheses, true, convert), buffer(&self.references, false, convert));
        let rows = |ids| Rows::padded(ids, STRIDE, convert(PAD)).unwrap();
        rewards.per_row(&rows(&hypotheses), &rows(&references), self.groups, &mut out).unwrap();
        out
    }

    fn equals_the_twin(&self, mut rewards: Rewards<Bleu, [u32]>) -> bool {
        let (metric, own) = (Bleu::default().sentence(), self.of_items());
        let twin = self.hypotheses.iter().zip(&own).map(|(text, own)| alone(&metric, text, own) as f32);
        let expected: Vec<f32> = twin.collect();
        let (mut items, mut groups) = (vec![-1.0; expected.len()], vec![-1.0; expected.len()]);
        rewards.per_group(&self.hypotheses, 1, &own, &mut items).unwrap();
        let shared = self.of_groups();
        rewards.per_group(&self.hypotheses, self.groups.hypotheses, &shared, &mut groups).unwrap();
        // Runs twice, so that a used scratch is tested as well.
        rewards.per_group(&self.hypotheses, 1, &own, &mut items).unwrap();
        let narrow = self.over_rows(&mut rewards, |id| id);
        let wide = self.over_rows(&mut rewards, i64::from);
        [items, groups, narrow, wide].iter().all(|rewards| *rewards == expected)
    }

    fn credits_are_differences<M: Observe<[u32]>>(&self, metric: M) -> bool {
        let of = |sequences| buffer(sequences, true, |id| id);
        let (hypotheses, references) = (of(&self.hypotheses), of(&self.references));
        let rows = |ids| Rows::padded(ids, STRIDE, PAD).unwrap();
        let mut credits = vec![-1.0; hypotheses.len()];
        let mut rewards = Rewards::<_, [u32]>::new(&metric).parallel();
        rewards.credits(&rows(&hypotheses), &rows(&references), self.groups, &mut credits).unwrap();
        let of_items = self.of_items();
        self.hypotheses.iter().zip(credits.chunks(STRIDE)).zip(of_items).all(
            |((hypothesis, credits), own)| {
                let score = |end: usize| alone(&metric, &hypothesis[..end], &own);
                let (padding, credits) = credits.split_at(STRIDE - hypothesis.len());
                let differences = (0..hypothesis.len()).map(|at| (score(at + 1) - score(at)) as f32);
                padding.iter().all(|credit| *credit == 0.0) && differences.eq(credits.iter().copied())
            },
        )
    }
}

quickcheck! {
    fn rewards_are_sentence_scores(batch: Batch) -> bool {
        batch.equals_the_twin(Rewards::new(Bleu::default().sentence()))
    }

    fn rewards_in_all_threads_are_the_same(batch: Batch) -> bool {
        batch.equals_the_twin(Rewards::new(Bleu::default().sentence()).parallel())
    }

    fn credits_are_differences(batch: Batch) -> bool {
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
}

fn bleu() -> Rewards<Bleu, [u32]> {
    Rewards::new(Bleu::default().sentence())
}

#[test]
fn every_mismatch_names_both_lengths_and_leaves_no_reward() {
    let hypotheses: [&[u32]; 3] = [&[1], &[2], &[3]];
    let reference: &[&[u32]] = &[&[1]];
    for (size, groups, rewards, expected) in [
        (1, 2, 3, "hypotheses has 3 segments, but 2 groups of 1 has 2"),
        (2, 2, 3, "hypotheses has 3 segments, but 2 groups of 2 has 4"),
        (0, 2, 3, "hypotheses has 3 segments, but 2 groups of 0 has 0"),
        (3, 1, 2, "hypotheses has 3 segments, but rewards has 2"),
    ] {
        let mut out = vec![7.0; rewards];
        let error = bleu().per_group(&hypotheses, size, &vec![reference; groups], &mut out).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(out.iter().all(|reward| reward.is_nan()), "{expected}");
    }
}

#[test]
fn what_is_no_id_and_no_group_is_named_and_leaves_no_reward() {
    const PAIRS: Groups = Groups { hypotheses: 1, references: 1 };
    let (good, bad) = ([1i64, 2, 3, 4], [1i64, 2, 3, -100]);
    for (hypotheses, references, groups, rewards, expected) in [
        (bad, good, PAIRS, 2, "segment 2: an id is -100, but must be from 0 to 4294967295, of hypotheses"),
        (good, bad, PAIRS, 2, "of references"),
        (
            good,
            good,
            Groups { hypotheses: 2, ..PAIRS },
            2,
            "hypotheses has 2 segments, but 2 groups of 2 has 4",
        ),
        (good, good, Groups { references: 0, ..PAIRS }, 2, "a multiple of the 0 references"),
        (good, good, Groups { hypotheses: 0, ..PAIRS }, 2, "2 groups of 0 has 0"),
        (good, good, PAIRS, 1, "but rewards has 1"),
    ] {
        let rows = [&hypotheses, &references].map(|ids| Rows::padded(ids, 2, 0).unwrap());
        let mut out = vec![7.0; rewards];
        let error = bleu().per_row(&rows[0], &rows[1], groups, &mut out).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert!(out.iter().all(|reward| reward.is_nan()), "{expected}");
    }
    let rows = Rows::padded(&good, 2, 0).unwrap();
    let error = bleu().credits(&rows, &rows, PAIRS, &mut [7.0; 2]).unwrap_err();
    assert!(error.to_string().contains("but rewards has 2"), "{error}");
}

#[test]
fn an_item_without_references_is_named_and_leaves_no_reward() {
    let some: &[&[u32]] = &[&[1]];
    let one_by_one: [&[&[u32]]; 3] = [some, some, &[]];
    let together: [&[&[u32]]; 1] = [&[]];
    for (size, references, item) in [(1, &one_by_one[..], 3), (3, &together, 1)] {
        let mut out = [7.0; 3];
        let error = bleu().per_group(&[[1u32], [2], [3]], size, references, &mut out).unwrap_err();
        assert_eq!((error.kind(), error.location().segment), (&InputErrorKind::NoReferences, Some(item)));
        assert!(out.iter().all(|reward| reward.is_nan()));
    }
}

#[test]
fn no_items_are_no_error() {
    bleu().per_group::<Vec<u32>, Vec<Vec<u32>>, _, _, _>(&[], 1, &[], &mut []).unwrap();
    bleu().per_group::<Vec<u32>, Vec<Vec<u32>>, _, _, _>(&[], 4, &[], &mut []).unwrap();
}

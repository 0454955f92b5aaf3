//! Tests of epochs with batches of any size, compared with burn's own metrics and the library's corpus
//! score.

mod common;

use bleuprint_burn::{Batch, CorpusScore, MultiReferenceInput};
use bleuprint_core::Accumulator;
use bleuprint_metrics::{Bleu, EditRate, Ter};
use bleuprint_registry::AnyMetric;
use burn_core::data::dataloader::Progress;
use burn_train::metric::{
    Adaptor, BleuInput, BleuScore, Metric, MetricAttributes, MetricMetadata, Numeric, NumericEntry, WerInput,
    WordErrorRate,
};
use common::{PAD, Pair, batch, library, pairs, tensor};

/// Output of a model for a batch, with the adaptors that a user writes.
struct Output(Vec<Pair>);

impl Adaptor<BleuInput> for Output {
    fn adapt(&self) -> BleuInput {
        let (outputs, targets) = batch(&self.0);
        BleuInput::new(outputs, targets)
    }
}

impl Adaptor<WerInput> for Output {
    fn adapt(&self) -> WerInput {
        let (outputs, targets) = batch(&self.0);
        WerInput::new(outputs, targets)
    }
}

fn metadata(iteration: usize) -> MetricMetadata {
    let progress = Progress { items_processed: iteration, items_total: 60, unit: None };
    MetricMetadata { progress, iteration: Some(iteration), lr: None }
}

/// Runs the steps of burn's processor for a metric in an epoch. Returns the final value.
fn epoch<M: Metric + Numeric>(metric: &mut M, pairs: &[Pair], size: usize) -> f64
where
    Output: Adaptor<M::Input>,
{
    for (at, chunk) in pairs.chunks(size).enumerate() {
        metric.update(&Output(chunk.to_vec()).adapt(), &metadata(at + 1)).unwrap();
    }
    metric.compute().unwrap();
    let value = metric.final_value().current();
    metric.clear();
    value
}

#[test]
fn an_epoch_is_the_score_of_the_corpus_for_every_size_of_batches() {
    let pairs = pairs(60);
    let expected = library(Bleu::default(), &pairs);
    let pad = i64::from(PAD);
    let mut ours: CorpusScore<_> = CorpusScore::new("BLEU", Bleu::default()).with_pad_token(pad);
    let any = AnyMetric::for_ids(Bleu::default()).unwrap();
    let mut erased: CorpusScore<_> = CorpusScore::new("any BLEU", any).with_pad_token(pad);
    let mut theirs = BleuScore::new().with_pad_token(0);
    let mut averages = Vec::new();
    // One metric runs all epochs, because `clear` must forget each of them.
    for size in [1, 3, 7, 60] {
        assert_eq!(epoch(&mut ours, &pairs, size).to_bits(), expected.to_bits(), "batches of {size}");
        assert_eq!(epoch(&mut erased, &pairs, size).to_bits(), expected.to_bits(), "batches of {size}");
        averages.push(epoch(&mut theirs, &pairs, size));
    }
    // burn has the corpus score only if there is one batch.
    assert!((averages[3] - expected).abs() < 1e-9, "{averages:?} {expected}");
    assert!(averages[..3].iter().all(|average| (average - expected).abs() > 0.1), "{averages:?} {expected}");
}

/// Four segments: one is equal on both sides, and three have nothing in common.
#[test]
fn burn_gives_25_where_the_corpus_has_2() {
    let mut pairs: Vec<Pair> = vec![((1..=4).collect(), (1..=4).collect())];
    pairs.extend(
        (1..=3).map(|at| ((at * 100..at * 100 + 31).collect(), (at * 200 + 50..at * 200 + 81).collect())),
    );
    let mut ours: CorpusScore<_> = CorpusScore::new("BLEU", Bleu::default());
    assert_eq!(epoch(&mut BleuScore::new().with_pad_token(0), &pairs, 1), 25.0);
    let corpus = epoch(&mut ours.clone().with_pad_token(0), &pairs, 1);
    assert_eq!(corpus.to_bits(), library(Bleu::default(), &pairs).to_bits());
    assert_eq!(format!("{corpus:.2}"), "2.44");
    assert!(ours.compute().unwrap().is_not_available());
}

#[test]
fn other_metrics_take_the_inputs_of_burn_too() {
    let pairs = pairs(40);
    let wer = EditRate::WER;
    let mut ours = CorpusScore::<_, WerInput>::new("WER", wer.clone()).with_pad_token(0);
    let mut theirs = WordErrorRate::new().with_pad_token(0);
    let expected = library(wer, &pairs);
    assert_eq!(epoch(&mut ours, &pairs, 7).to_bits(), expected.to_bits());
    assert!((epoch(&mut theirs, &pairs, 40) / 100.0 - expected).abs() < 1e-9);
    assert!(matches!(ours.attributes(), MetricAttributes::Numeric(numeric) if !numeric.higher_is_better));
    let mut ter: CorpusScore<_> = CorpusScore::new("TER", Ter::default()).with_pad_token(0);
    assert_eq!(epoch(&mut ter, &pairs, 3).to_bits(), library(Ter::default(), &pairs).to_bits());
}

#[test]
fn a_batch_has_its_own_value_beside_that_of_the_epoch_so_far() {
    let pairs = pairs(30);
    let mut ours: CorpusScore<_> = CorpusScore::new("BLEU", Bleu::default()).with_pad_token(0);
    for (at, chunk) in pairs.chunks(10).enumerate() {
        let entry = ours.update(&Output(chunk.to_vec()).adapt(), &metadata(at + 1)).unwrap();
        let (alone, so_far) =
            (library(Bleu::default(), chunk), library(Bleu::default(), &pairs[..(at + 1) * 10]));
        assert!(matches!(ours.value(), Some(NumericEntry::Value(value)) if value == alone));
        assert!(matches!(ours.running_value(), Some(NumericEntry::Value(value)) if value == so_far));
        assert_eq!(entry.serialized, alone.to_string());
        assert_eq!(entry.formatted, format!("epoch {so_far:.2} - batch {alone:.2}"));
    }
    assert_eq!(ours.total().counts().segments, 30);
    // Two workers have half of the pairs each; their totals must merge to the same state.
    let mut halves = [ours.clone(), ours.clone()];
    for (half, pairs) in halves.iter_mut().zip(pairs.chunks(15)) {
        half.clear();
        half.update(&Output(pairs.to_vec()).adapt(), &metadata(1)).unwrap();
    }
    let mut merged = halves[0].total().clone();
    merged.merge(halves[1].total()).unwrap();
    assert_eq!(&merged, ours.total());
}

#[test]
fn segments_may_have_several_references() {
    let rows = |rows: &[&[i32]]| rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>();
    let input = MultiReferenceInput {
        outputs: tensor(&rows(&[&[1, 2, 3, 4, 5], &[6, 7, 8, 9]]), 5),
        targets: vec![
            tensor(&rows(&[&[1, 2, 3, 4], &[6, 7]]), 4),
            tensor(&rows(&[&[2, 3, 4, 5, 9, 9], &[6, 7, 8, 9]]), 6),
        ],
    };
    assert_eq!(input.references().len(), 2);
    let mut ours = CorpusScore::<_, MultiReferenceInput>::new("BLEU", Bleu::default()).with_pad_token(0);
    ours.update(&input, &metadata(1)).unwrap();
    let mut corpus = Accumulator::<_, [u32]>::new(Bleu::default());
    corpus.push(&[1, 2, 3, 4, 5], &[&[1, 2, 3, 4], &[2, 3, 4, 5, 9, 9]]).unwrap();
    corpus.push(&[6, 7, 8, 9], &[&[6, 7], &[6, 7, 8, 9]]).unwrap();
    assert_eq!(ours.final_value().current(), corpus.score().unwrap().score.score);
}

/// An input that cannot be scored must be an error, and nothing of the batch may be counted.
#[test]
fn what_cannot_be_scored_is_named() {
    let mut ours = CorpusScore::<_, MultiReferenceInput>::new("BLEU", Bleu::default());
    let mut said = |outputs, targets| {
        let error = ours.update(&MultiReferenceInput { outputs, targets }, &metadata(1)).unwrap_err();
        assert_eq!(ours.total().counts().segments, 0);
        assert!(ours.compute().unwrap().is_not_available() && ours.final_value().current().is_nan());
        error.to_string()
    };
    let rows = |rows: usize| tensor(&vec![vec![1, 2]; rows], 2);
    let error = said(rows(3), vec![rows(3), rows(2)]);
    assert!(error.contains("hypotheses has 3 segments, but reference stream 2 has 2"), "{error}");
    let error = said(rows(1), vec![tensor(&[vec![1, -100]], 2)]);
    assert!(error.contains("reference stream 1, row 1: the id -100 is not in 0..="), "{error}");
    let error = said(rows(1), Vec::new());
    assert!(error.contains("BLEU: segment 1"), "{error}");
}

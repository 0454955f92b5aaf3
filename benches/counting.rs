//! Clipped n-gram counts: the kernel, the usual slice maps, and the floor. Over words, characters and ids; short and
//! long; with one reference and with many.

mod config;

use std::hash::Hash;
use std::hint::black_box;

use ahash::RandomState;
use bleuprint::ngram::{Scratch, overlap};
use bleuprint_benches::expected;
use bleuprint_benches::input::{Segment, corpus, generated_ids, ids, joined, slices};
use bleuprint_benches::rival::{Unigrams, slice_maps};
use criterion::{Criterion, Throughput};

/// Tokens of generated text per measurement.
const TOKENS: usize = 50_000;

fn main() {
    let mut criterion = config::configured().configure_from_args();
    let text = corpus("zh-en");
    let words = text.tokens("13a");
    expected::check_counts(&text, "13a", total(&words, 4));
    let segments = ids(&words);
    kinds_of_tokens(&mut criterion, &words, &text.tokens("char"), &segments);
    for length in [18, 27, 70, 500, 2_000] {
        let long = joined(&segments, length);
        measure(&mut criterion, "lengths", &format!("{length} tokens"), &long, 4);
        floor(&mut criterion, &format!("{length} tokens"), &long);
    }
    for references in [1, 2, 4, 8] {
        let many = generated_ids(27, references, TOKENS);
        measure(&mut criterion, "references", &references.to_string(), &many, 4);
    }
    for order in [1, 2, 4, 9] {
        measure(&mut criterion, "orders", &order.to_string(), &segments, order);
    }
    criterion.final_summary();
}

fn kinds_of_tokens(
    criterion: &mut Criterion,
    words: &[Segment<String>],
    characters: &[Segment<String>],
    ids: &[Segment<u32>],
) {
    let first = |token: &String| token.chars().next().unwrap_or(' ');
    let borrowed = map(words, |token| token);
    let borrowed: Vec<Segment<&str>> = map(&borrowed, |token| token.as_str());
    measure(criterion, "kinds", "ids", ids, 4);
    measure(criterion, "kinds", "&str", &borrowed, 4);
    measure(criterion, "kinds", "String", words, 4);
    measure(criterion, "kinds", "char", &map(characters, first), 4);
}

fn map<'t, T, U>(segments: &'t [Segment<T>], change: impl Fn(&'t T) -> U + Copy) -> Vec<Segment<U>> {
    let all = |tokens: &'t Vec<T>| tokens.iter().map(change).collect::<Vec<U>>();
    segments.iter().map(|(hyp, references)| (all(hyp), references.iter().map(all).collect())).collect()
}

/// The kernel beside the slice maps; equal answers first.
fn measure<T: Hash + Eq>(
    criterion: &mut Criterion,
    what: &str,
    name: &str,
    segments: &[Segment<T>],
    max_order: usize,
) {
    let segments: Vec<(&[T], Vec<&[T]>)> = segments.iter().map(slices).collect();
    let state = RandomState::with_seeds(1, 2, 3, 4);
    let (mut scratch, mut ours, mut theirs) = (Scratch::default(), vec![0; max_order], vec![0; max_order]);
    for (hypothesis, references) in &segments {
        overlap(&mut scratch, hypothesis, references, &mut ours);
        slice_maps(&state, hypothesis, references, &mut theirs);
        assert_eq!(ours, theirs, "{what}, {name}");
    }
    let mut group = criterion.benchmark_group(format!("counting/{what}/{name}"));
    let tokens: usize = segments.iter().map(|(hypothesis, _)| hypothesis.len()).sum();
    group.throughput(Throughput::Elements(tokens as u64));
    group.bench_function("kernel", |bencher| {
        bencher.iter(|| {
            for (hypothesis, references) in &segments {
                overlap(&mut scratch, hypothesis, references, &mut ours);
                black_box(&ours);
            }
        });
    });
    group.bench_function("slice maps", |bencher| {
        bencher.iter(|| {
            for (hypothesis, references) in &segments {
                slice_maps(&state, hypothesis, references, &mut theirs);
                black_box(&theirs);
            }
        });
    });
    group.finish();
}

/// Clipping of single tokens alone, against the first reference.
fn floor(criterion: &mut Criterion, name: &str, segments: &[Segment<u32>]) {
    let mut group = criterion.benchmark_group(format!("counting/lengths/{name}"));
    let tokens: usize = segments.iter().map(|(hypothesis, _)| hypothesis.len()).sum();
    group.throughput(Throughput::Elements(tokens as u64));
    let mut unigrams = Unigrams::default();
    group.bench_function("unigrams alone", |bencher| {
        bencher.iter(|| {
            for (hypothesis, references) in segments {
                black_box(unigrams.overlap(hypothesis, &references[0]));
            }
        });
    });
    group.finish();
}

fn total<T: Hash + Eq>(segments: &[Segment<T>], max_order: usize) -> Vec<u64> {
    let (mut scratch, mut total, mut clipped) = (Scratch::default(), vec![0; max_order], vec![0; max_order]);
    for segment in segments {
        let (hypothesis, references) = slices(segment);
        overlap(&mut scratch, hypothesis, &references, &mut clipped);
        total.iter_mut().zip(&clipped).for_each(|(total, clipped)| *total += clipped);
    }
    total
}

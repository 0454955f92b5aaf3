//! Targets for the kernel: next to slice maps, next to the lower bound, and prepared next to not prepared.

use std::hash::Hash;
use std::hint::black_box;

use ahash::RandomState;
use bleuprint::ngram::{PreparedIds, Scratch, overlap};
use bleuprint_benches::clock::best;
use bleuprint_benches::input::{Segment, corpus, generated_ids, ids, joined, slices, training_step};
use bleuprint_benches::rival::{Unigrams, slice_map, slice_maps};

use crate::{report, rounds};

/// Number of tokens of generated text for each measurement.
const TOKENS: usize = 30_000;

/// Returns the lengths of the targets with their segments: two real corpora, and longer segments of joined
/// neighbours.
fn lengths() -> Vec<(usize, Vec<Segment<u32>>)> {
    let of = |name: &str| ids(&corpus(name).tokens("13a"));
    let long = of("zh-en");
    let joined = |tokens| joined(&long, tokens);
    vec![(18, of("en-cs")), (27, long.clone()), (70, joined(60)), (500, joined(490)), (2_000, joined(1_990))]
}

/// Compares the kernel with a hash map of slices, by length.
pub(crate) fn lengths_of_segments() {
    for ((length, segments), wanted) in lengths().into_iter().zip([20.0, 15.0, 10.0, 6.0, 6.0]) {
        compare(&format!("ids, {length} tokens: × slice map"), &segments, 4, wanted);
    }
}

/// Compares the kernel with clipping of single tokens.
pub(crate) fn floor() {
    for ((length, segments), wanted) in lengths().into_iter().zip([1.5, 1.5, 2.0, 3.0, 3.0]) {
        let tokens = segments.iter().map(|(hypothesis, _)| hypothesis.len()).sum();
        let (mut scratch, mut unigrams, mut clipped) = (Scratch::default(), Unigrams::default(), [0; 4]);
        for (hypothesis, references) in &segments {
            overlap(&mut scratch, hypothesis, &[&references[0]], &mut clipped);
            assert_eq!(unigrams.overlap(hypothesis, &references[0]), clipped[0]);
        }
        let [kernel, floor] = best(
            rounds(),
            tokens,
            [
                &mut || {
                    for (hypothesis, references) in &segments {
                        overlap(&mut scratch, hypothesis, &[&references[0]], &mut clipped);
                        black_box(&clipped);
                    }
                },
                &mut || {
                    for (hypothesis, references) in &segments {
                        black_box(unigrams.overlap(hypothesis, &references[0]));
                    }
                },
            ],
        );
        let measured = format!("{kernel:.1} and {floor:.1} ns/token");
        report(
            &format!("ids, {length} tokens: × unigrams alone"),
            &measured,
            kernel / floor,
            wanted,
            false,
            "",
        );
    }
}

/// Measures segments whose positions need a mask of more than one word.
pub(crate) fn ids_beyond_a_word() {
    for length in [65, 96, 128] {
        let mut segments = generated_ids(2 * length, 1, 2 * TOKENS);
        // Only segments that reach the length on both sides are kept, so that every mask has the wanted
        // width.
        segments.retain(|(hypothesis, references)| hypothesis.len().min(references[0].len()) >= length);
        for (hypothesis, references) in &mut segments {
            hypothesis.truncate(length);
            references[0].truncate(length);
        }
        let segments: Vec<(&[u32], Vec<&[u32]>)> = segments.iter().map(slices).collect();
        let (mut scratch, mut clipped, mut naive) = (Scratch::default(), [0; 4], [0; 4]);
        for (hypothesis, references) in &segments {
            overlap(&mut scratch, hypothesis, references, &mut clipped);
            bleuprint::ngram::naive::overlap(hypothesis, references, &mut naive);
            assert_eq!(clipped, naive);
        }
        let mut all = || {
            for (hypothesis, references) in &segments {
                overlap(&mut scratch, hypothesis, references, &mut clipped);
                black_box(&clipped);
            }
        };
        let [taken] = best(rounds(), length * segments.len(), [&mut all]);
        report(
            &format!("ids, {length} tokens"),
            &format!("{} segments", segments.len()),
            taken,
            10.0,
            false,
            " ns/token",
        );
    }
}

/// Compares the kernel with slice maps for many references and for high orders.
pub(crate) fn references_and_orders() {
    for references in [2, 4, 8] {
        for length in [27, 70, 500] {
            let segments = generated_ids(length, references, TOKENS / references);
            compare(&format!("{references} references, {length} tokens: × slice map"), &segments, 4, 8.0);
        }
    }
    for (length, references) in [(27, 1), (27, 8), (500, 1)] {
        let segments = generated_ids(length, references, TOKENS / references);
        compare(&format!("order 9, {references} references, {length}: × slice map"), &segments, 9, 8.0);
    }
}

/// Compares the kernel with slice maps over words, which must be interned.
pub(crate) fn words() {
    let words = corpus("zh-en").tokens("13a");
    let borrowed: Vec<Segment<&str>> = words.iter().map(borrow).collect();
    compare("&str words: × slice map", &borrowed, 4, 8.0);
    compare("String words: × slice map", &words, 4, 8.0);
    let first = |tokens: &Vec<String>| -> Vec<char> {
        tokens.iter().flat_map(|token| token.chars().next()).collect()
    };
    let characters = corpus("zh-en").tokens("char");
    let characters: Vec<Segment<char>> = characters
        .iter()
        .map(|(hypothesis, references)| (first(hypothesis), references.iter().map(first).collect()))
        .collect();
    compare("characters: × slice map", &characters, 4, 8.0);
}

fn borrow((hypothesis, references): &Segment<String>) -> Segment<&str> {
    let borrowed = |tokens| -> Vec<&str> { <[String]>::iter(tokens).map(String::as_str).collect() };
    (borrowed(hypothesis), references.iter().map(|tokens| borrowed(tokens)).collect())
}

/// Measures 1,024 hypotheses against one prepared segment of references, including the preparation.
pub(crate) fn prepared() {
    for (length, references) in [(27, 1), (70, 1), (500, 1), (27, 4)] {
        let (hypotheses, references) = training_step(1_024, 1_024, length, references);
        let references: Vec<&[u32]> = references[0].iter().map(Vec::as_slice).collect();
        let (mut scratch, mut warm) = (Scratch::default(), Scratch::default());
        let (mut one, mut other) = ([0; 4], [0; 4]);
        let prepared = PreparedIds::new(&mut scratch, &references, 4);
        for hypothesis in &hypotheses {
            prepared.overlap(&mut scratch, hypothesis, &mut one);
            overlap(&mut warm, hypothesis, &references, &mut other);
            assert_eq!(one, other);
        }
        let [ready, plain] = best(
            rounds(),
            hypotheses.iter().map(|hypothesis| hypothesis.len()).sum(),
            [
                &mut || {
                    let prepared = PreparedIds::new(&mut scratch, &references, 4);
                    for hypothesis in &hypotheses {
                        prepared.overlap(&mut scratch, hypothesis, &mut one);
                        black_box(&one);
                    }
                },
                &mut || {
                    for hypothesis in &hypotheses {
                        overlap(&mut warm, hypothesis, &references, &mut other);
                        black_box(&other);
                    }
                },
            ],
        );
        let target = format!("prepared, {} references, {length} tokens", references.len());
        let measured = format!("{ready:.1} and {plain:.1} ns/token");
        report(&target, &measured, 100.0 * ready / plain, 60.0, false, " %");
    }
}

/// Compares the speed of the kernel with the slice map, and with the best method with slices.
fn compare<T: Hash + Eq>(target: &str, segments: &[Segment<T>], max_order: usize, wanted: f64) {
    let segments: Vec<(&[T], Vec<&[T]>)> = segments.iter().map(slices).collect();
    let state = RandomState::with_seeds(1, 2, 3, 4);
    let (mut scratch, mut ours, mut theirs) = (Scratch::default(), vec![0; max_order], vec![0; max_order]);
    let mut best_of_theirs = vec![0; max_order];
    for (hypothesis, references) in &segments {
        overlap(&mut scratch, hypothesis, references, &mut ours);
        slice_map(&state, hypothesis, references, &mut theirs);
        assert_eq!(ours, theirs, "{target}");
    }
    let [kernel, map, maps] = best(
        rounds(),
        segments.iter().map(|(hypothesis, _)| hypothesis.len()).sum(),
        [
            &mut || {
                for (hypothesis, references) in &segments {
                    overlap(&mut scratch, hypothesis, references, &mut ours);
                    black_box(&ours);
                }
            },
            &mut || {
                for (hypothesis, references) in &segments {
                    slice_map(&state, hypothesis, references, &mut theirs);
                    black_box(&theirs);
                }
            },
            &mut || {
                for (hypothesis, references) in &segments {
                    slice_maps(&state, hypothesis, references, &mut best_of_theirs);
                    black_box(&best_of_theirs);
                }
            },
        ],
    );
    let measured = format!("{kernel:.1}, {map:.0} ({maps:.0}) ns/token");
    report(target, &measured, map / kernel, wanted, true, "");
}

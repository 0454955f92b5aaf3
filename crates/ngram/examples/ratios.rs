//! Ratios of the kernel to a hash map of n-gram slices and to a unigram-only pass, all timed in this one process.
//!
//! `cargo run --release -p bleuprint-ngram --example ratios` times generated text, Zipf-distributed and seeded, in the
//! shapes of the targets. `.. --example ratios -- HYPOTHESES REFERENCES [REFERENCES ..]` times files of one segment per
//! line, split at white space. Answers are checked for equality before any timing.
#![allow(clippy::print_stdout, reason = "a program")]

use bleuprint_ngram::{PreparedIds, Scratch, overlap};
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::hash::Hash;
use std::hint::{black_box, select_unpredictable};
use std::time::Instant;

/// One hypothesis and its references.
type Segment<T> = (Vec<T>, Vec<Vec<T>>);
type Borrowed<'a, T> = (&'a [T], Vec<&'a [T]>);

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    println!("ns per hypothesis token, best of {ROUNDS} rounds; ratios to the kernel\n");
    println!(
        "{:<26} {:>6} {:>2} {:>8} {:>7} {:>8} {:>7} {:>7}",
        "text", "tokens", "N", "two maps", "ratio", "one map", "ratio", "kernel"
    );
    if files.is_empty() {
        generated();
    } else {
        let words = read(&files);
        let ids = to_ids(&words);
        row("ids", &ids, 4);
        row("ids", &ids, 9);
        row("&str", &borrowed_words(&words), 4);
        row("String", &words, 4);
    }
    floor_rows();
    prepared_rows();
}

/// The shapes of the targets: lengths, several references, high orders, words.
fn generated() {
    for length in [18, 27, 70, 110, 200, 250, 500, 2_000] {
        row(&format!("ids, {length} tokens"), &zipf(length, 1), 4);
    }
    for references in [2, 4, 8] {
        for length in [27, 70, 500] {
            row(&format!("ids, {references} references"), &zipf(length, references), 4);
        }
    }
    for (length, order) in [(27, 1), (27, 2), (27, 6), (27, 9), (70, 9), (500, 9)] {
        row(&format!("ids, order {order}"), &zipf(length, 1), order);
    }
    row("ids, 8 references, order 9", &zipf(27, 8), 9);
    for length in [18, 27, 70, 500] {
        let words =
            map(&zipf(length, 1), |id| format!("{}{id}", ["a", "the", "word", "another"][*id as usize % 4]));
        row("&str", &borrowed_words(&words), 4);
        row("String", &words, 4);
        row("char", &map(&zipf(length, 1), |id| char::from_u32(0x4E00 + id).unwrap_or(' ')), 4);
    }
}

/// The kernel beside the floor.
fn floor_rows() {
    println!("\n{:<26} {:>6} {:>8} {:>7} {:>7}", "unigrams alone", "tokens", "unigrams", "kernel", "ratio");
    for length in [18, 22, 27, 30, 70, 110, 200, 500, 2_000] {
        let segments = zipf(length, 1);
        let tokens: usize = segments.iter().map(|(hypothesis, _)| hypothesis.len()).sum();
        let (mut scratch, mut unigrams) = (Scratch::default(), Unigrams { slots: vec![], generation: 0 });
        let mut clipped = [0; 4];
        for (hypothesis, references) in &segments {
            overlap(&mut scratch, hypothesis, &[&references[0]], &mut clipped);
            assert_eq!(unigrams.overlap(hypothesis, &references[0]), clipped[0]);
        }
        let [floor, kernel] = best(
            tokens,
            [
                &mut || {
                    for (hypothesis, references) in &segments {
                        black_box(unigrams.overlap(hypothesis, &references[0]));
                    }
                },
                &mut || {
                    for (hypothesis, references) in &segments {
                        overlap(&mut scratch, hypothesis, &[&references[0]], &mut clipped);
                        black_box(&clipped);
                    }
                },
            ],
        );
        println!("{:<26} {length:>6} {floor:>8.2} {kernel:>7.2} {:>6.2}x", "ids", kernel / floor);
    }
}

/// 1,024 hypotheses against one prepared segment of references, beside the same without preparation.
fn prepared_rows() {
    println!(
        "\n{:<26} {:>6} {:>2} {:>9} {:>9} {:>7}",
        "1,024 hypotheses", "tokens", "R", "unprepared", "prepared", "share"
    );
    for (length, references) in [(18, 1), (27, 1), (27, 4), (70, 1), (200, 1), (500, 1), (500, 4), (2_000, 1)]
    {
        let segments = zipf_group(length, references, 1024);
        let references: Vec<&[u32]> = segments[0].1.iter().map(Vec::as_slice).collect();
        let hypotheses: Vec<&[u32]> = segments.iter().map(|(hypothesis, _)| hypothesis.as_slice()).collect();
        let mut scratch = Scratch::default();
        let mut again = Scratch::default();
        let prepared = PreparedIds::new(&mut scratch, &references, 4);
        for hypothesis in &hypotheses {
            let (mut one, mut other) = ([0; 4], [0; 4]);
            prepared.overlap(&mut scratch, hypothesis, &mut one);
            overlap(&mut scratch, hypothesis, &references, &mut other);
            assert_eq!(one, other);
        }
        let tokens = hypotheses.iter().map(|hypothesis| hypothesis.len()).sum();
        let [plain, ready] = best(
            tokens,
            [
                &mut || {
                    let mut clipped = [0; 4];
                    for hypothesis in &hypotheses {
                        overlap(&mut again, hypothesis, &references, &mut clipped);
                        black_box(&clipped);
                    }
                },
                &mut || {
                    let mut clipped = [0; 4];
                    let prepared = PreparedIds::new(&mut scratch, &references, 4);
                    for hypothesis in &hypotheses {
                        prepared.overlap(&mut scratch, hypothesis, &mut clipped);
                        black_box(&clipped);
                    }
                },
            ],
        );
        let share = 100.0 * ready / plain;
        println!("{:<26} {length:>6} {:>2} {plain:>9.1} {ready:>9.1} {share:>6.0}%", "ids", references.len());
    }
}

/// Times the kernel and its rivals over all segments and prints a row.
fn row<T: Hash + Eq>(name: &str, segments: &[Segment<T>], max_order: usize) {
    let segments: Vec<Borrowed<'_, T>> = segments
        .iter()
        .map(|(hypothesis, references)| (&hypothesis[..], references.iter().map(Vec::as_slice).collect()))
        .collect();
    let mut scratch = Scratch::default();
    let state = FixedState::default();
    for (hypothesis, references) in &segments {
        let (mut ours, mut theirs) = (vec![0; max_order], vec![0; max_order]);
        overlap(&mut scratch, hypothesis, references, &mut ours);
        slice_map(&state, hypothesis, references, &mut theirs);
        assert_eq!(ours, theirs);
    }
    let tokens: usize = segments.iter().map(|(hypothesis, _)| hypothesis.len()).sum();
    let (mut clipped, mut rival) = (vec![0; max_order], vec![0; max_order]);
    let mut other_rival = rival.clone();
    let [maps, map, kernel] = best(
        tokens,
        [
            &mut || {
                for (hypothesis, references) in &segments {
                    slice_maps(&state, hypothesis, references, &mut other_rival);
                    black_box(&other_rival);
                }
            },
            &mut || {
                for (hypothesis, references) in &segments {
                    slice_map(&state, hypothesis, references, &mut rival);
                    black_box(&rival);
                }
            },
            &mut || {
                for (hypothesis, references) in &segments {
                    overlap(&mut scratch, hypothesis, references, &mut clipped);
                    black_box(&clipped);
                }
            },
        ],
    );
    println!(
        "{name:<26} {:>6} {max_order:>2} {maps:>8.1} {:>6.1}x {map:>8.1} {:>6.1}x {kernel:>7.2}",
        tokens / segments.len().max(1),
        maps / kernel,
        map / kernel
    );
}

const ROUNDS: usize = 60;

/// Nanoseconds per token of each task, tasks in turn; the best round counts.
fn best<const K: usize>(tokens: usize, mut tasks: [&mut dyn FnMut(); K]) -> [f64; K] {
    let mut best = [f64::INFINITY; K];
    for _ in 0..ROUNDS {
        for (task, best) in tasks.iter_mut().zip(&mut best) {
            let start = Instant::now();
            task();
            *best = best.min(start.elapsed().as_nanos() as f64 / tokens.max(1) as f64);
        }
    }
    best
}

/// The floor: clipped unigrams alone, a look-up for each token in a table like the kernel's own.
struct Unigrams {
    slots: Vec<(u64, u64)>,
    generation: u64,
}

impl Unigrams {
    fn overlap(&mut self, hypothesis: &[u32], reference: &[u32]) -> u64 {
        let slots = (4 * reference.len()).next_power_of_two().max(1024);
        if self.slots.len() < slots {
            self.slots = vec![(0, 0); slots];
        }
        self.generation += 1;
        let shift = 32 - slots.trailing_zeros();
        for &token in reference {
            let (at, same) = self.probe(token, shift);
            let tag = self.generation << 32 | u64::from(token);
            self.slots[at] = (tag, select_unpredictable(same, self.slots[at].1, 0) + 1);
        }
        let mut matches = 0;
        for &token in hypothesis {
            let (at, same) = self.probe(token, shift);
            let taken = select_unpredictable(same, self.slots[at].1.min(1), 0);
            self.slots[at].1 -= taken;
            matches += taken;
        }
        matches
    }

    #[inline]
    fn probe(&self, token: u32, shift: u32) -> (usize, bool) {
        let tag = self.generation << 32 | u64::from(token);
        let mut at = (token.wrapping_mul(0x9E37_79B1) >> shift) as usize;
        loop {
            at &= self.slots.len() - 1;
            let difference = self.slots[at].0 ^ tag;
            if difference.wrapping_sub(1) >= u64::from(u32::MAX) {
                return (at, difference == 0);
            }
            at += 1;
        }
    }
}

type Counts<'a, T> = HashMap<&'a [T], u64, FixedState>;

/// The n-grams of all orders of a sequence, in one map with room for all.
fn counts<'a, T: Hash + Eq>(state: &FixedState, sequence: &'a [T], max_order: usize) -> Counts<'a, T> {
    let mut counts = HashMap::with_capacity_and_hasher(sequence.len() * max_order, state.clone());
    for gram in (1..=max_order).flat_map(|order| sequence.windows(order)) {
        *counts.entry(gram).or_default() += 1;
    }
    counts
}

/// The largest count in any one reference.
fn most<'a, T: Hash + Eq>(state: &FixedState, references: &[&'a [T]], max_order: usize) -> Counts<'a, T> {
    let (first, others) = references.split_first().expect("a reference");
    let mut most = counts(state, first, max_order);
    for (gram, count) in others.iter().flat_map(|reference| counts(state, reference, max_order)) {
        let most = most.entry(gram).or_default();
        *most = count.max(*most);
    }
    most
}

/// The usual rival: a map of n-gram slices per side, then the minima.
fn slice_maps<T: Hash + Eq>(state: &FixedState, hypothesis: &[T], references: &[&[T]], clipped: &mut [u64]) {
    let most = most(state, references, clipped.len());
    clipped.fill(0);
    for (gram, count) in counts(state, hypothesis, clipped.len()) {
        clipped[gram.len() - 1] += count.min(most.get(gram).copied().unwrap_or(0));
    }
}

/// The leanest rival: no map of the hypothesis, which counts the references' map down instead.
fn slice_map<T: Hash + Eq>(state: &FixedState, hypothesis: &[T], references: &[&[T]], clipped: &mut [u64]) {
    let mut most = most(state, references, clipped.len());
    for (order, clipped) in (1..).zip(clipped) {
        *clipped = 0;
        for gram in hypothesis.windows(order) {
            if let Some(left) = most.get_mut(gram).filter(|left| **left > 0) {
                *left -= 1;
                *clipped += 1;
            }
        }
    }
}

/// Segments of about `length` tokens whose references are noisy copies of the hypothesis.
fn zipf(length: usize, references: usize) -> Vec<Segment<u32>> {
    let count = (100_000 / length / references).clamp(8, 10_000);
    let mut random = Random(length as u64);
    (0..count)
        .map(|_| {
            let source = random.sentence(length);
            (random.noisy(&source), (0..references).map(|_| random.noisy(&source)).collect())
        })
        .collect()
}

/// Hypotheses for one source, all with the same references.
fn zipf_group(length: usize, references: usize, count: usize) -> Vec<Segment<u32>> {
    let mut random = Random(length as u64);
    let source = random.sentence(length);
    let references: Vec<_> = (0..references).map(|_| random.noisy(&source)).collect();
    (0..count).map(|_| (random.noisy(&source), references.clone())).collect()
}

/// A small generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Approximately Zipf's law over 32,000 types: the rank is log-uniform.
    fn token(&mut self) -> u32 {
        32_000f64.powf((self.next() >> 11) as f64 / (1u64 << 53) as f64) as u32
    }

    /// Between half and one and a half times the length.
    fn sentence(&mut self, length: usize) -> Vec<u32> {
        let length = length / 2 + self.next() as usize % (length + 1);
        (0..length).map(|_| self.token()).collect()
    }

    /// A third of the tokens replaced, dropped or inserted: about as many matches as between translations.
    fn noisy(&mut self, source: &[u32]) -> Vec<u32> {
        let mut noisy = Vec::with_capacity(source.len());
        for &token in source {
            match self.next() % 12 {
                0..=2 => noisy.push(self.token()),
                3 => {}
                4 => noisy.extend([token, self.token()]),
                _ => noisy.push(token),
            }
        }
        noisy
    }
}

fn read(files: &[String]) -> Vec<Segment<String>> {
    let streams: Vec<Vec<Vec<String>>> = files.iter().map(|file| lines(file)).collect();
    let Some((hypotheses, references)) = streams.split_first() else { return vec![] };
    (0..hypotheses.len())
        .map(|line| {
            (hypotheses[line].clone(), references.iter().map(|stream| stream[line].clone()).collect())
        })
        .collect()
}

fn lines(file: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    text.lines().map(|line| line.split_whitespace().map(String::from).collect()).collect()
}

/// One vocabulary over the whole file, like a tokenizer's.
fn to_ids(segments: &[Segment<String>]) -> Vec<Segment<u32>> {
    let mut vocabulary: HashMap<String, u32> = HashMap::new();
    let mut id = |word: &String| {
        let next = vocabulary.len() as u32;
        *vocabulary.entry(word.clone()).or_insert(next)
    };
    let mut sequence = |words: &Vec<String>| words.iter().map(&mut id).collect::<Vec<_>>();
    segments
        .iter()
        .map(|(hypothesis, references)| {
            (sequence(hypothesis), references.iter().map(&mut sequence).collect())
        })
        .collect()
}

fn map<T>(segments: &[Segment<u32>], name: impl Fn(&u32) -> T) -> Vec<Segment<T>> {
    let sequence = |ids: &Vec<u32>| ids.iter().map(&name).collect::<Vec<T>>();
    segments
        .iter()
        .map(|(hypothesis, references)| (sequence(hypothesis), references.iter().map(sequence).collect()))
        .collect()
}

fn borrowed_words(segments: &[Segment<String>]) -> Vec<Segment<&str>> {
    fn lend(words: &[String]) -> Vec<&str> {
        words.iter().map(String::as_str).collect()
    }
    segments
        .iter()
        .map(|(hypothesis, references)| {
            (lend(hypothesis), references.iter().map(|words| lend(words)).collect())
        })
        .collect()
}

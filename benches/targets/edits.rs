//! Targets for the edits of one long line: the time for two sides of 100,000 words.

use std::time::Instant;

use bleuprint::{Accumulator, EditRate};
use bleuprint_testkit::random::Rng;

use crate::{report, rounds};

const WORDS: usize = 100_000;

/// Measures words as ids, as WER counts them: with few edits, with many edits, and for unrelated texts.
pub(crate) fn long_lines() {
    // When run as a test, a short line is enough to check the answers.
    let words = if rounds() > 1 { WORDS } else { WORDS / 100 };
    let mut rng = Rng::new(9);
    let reference: Vec<u32> = (0..words).map(|_| rng.below(20_000) as u32).collect();
    let unrelated: Vec<u32> = (0..words).map(|_| rng.below(20_000) as u32).collect();
    for (name, every, wanted) in
        [("one edit in 100", 100, 200.0), ("one edit in 20", 20, 200.0), ("one edit in five", 5, 200.0)]
    {
        let (hypothesis, edits) = edited(&reference, every);
        measure(name, &hypothesis, &reference, edits, wanted);
    }
    measure("unrelated", &unrelated, &reference, words, 600.0);
}

/// Returns the words with one edit in `every` words, a substitution, a deletion and an insertion in turn,
/// and the number of edits.
fn edited(reference: &[u32], every: usize) -> (Vec<u32>, usize) {
    let mut hypothesis = Vec::with_capacity(reference.len());
    for (at, &word) in reference.iter().enumerate() {
        match (at % every, at / every % 3) {
            (0, 0) => hypothesis.push(u32::MAX),
            (0, 1) => {}
            (0, _) => hypothesis.extend([u32::MAX, word]),
            _ => hypothesis.push(word),
        }
    }
    (hypothesis, reference.len().div_ceil(every))
}

/// Measures the shortest of three times. The number of edits found is at most the number of edits made.
fn measure(name: &str, hypothesis: &[u32], reference: &[u32], most: usize, wanted: f64) {
    let turn = |_| {
        let start = Instant::now();
        let mut corpus = Accumulator::<_, [u32]>::new(EditRate::ER);
        corpus.push(hypothesis, &[reference]).expect("it can be observed");
        let edits = corpus.total().stats();
        let (changed, moved) = (edits.substitutions, edits.deletions + edits.insertions);
        assert!(
            (changed + moved) as usize <= most
                && edits.hits + changed + edits.deletions == reference.len() as u64
        );
        (start.elapsed().as_secs_f64() * 1e3, changed + moved)
    };
    let turns: Vec<(f64, u64)> = (0..if rounds() > 1 { 3 } else { 1 }).map(turn).collect();
    let least = turns.iter().map(|(taken, _)| *taken).fold(f64::INFINITY, f64::min);
    let measured = format!("{} edits", turns[0].1);
    report(&format!("edits of 10^5 words, {name}"), &measured, least, wanted, false, " ms");
}

//! Compares counts and scores with the jar, for the modules that need no data.

use bleuprint_captions::ENTRIES;
use bleuprint_core::{Accumulator, Score as _, Stats as _};
use bleuprint_registry::Registry;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Row {
    hypothesis: String,
    references: Vec<String>,
    counts: Vec<u64>,
    score: f64,
}

#[test]
fn golden_rows_have_their_counts_and_scores() {
    let metric = Registry::from_entries(ENTRIES).unwrap().build("meteor15:modules=exact+stem").unwrap();
    for line in include_str!("../../data/golden.jsonl").lines() {
        let row: Row = serde_json::from_str(line).unwrap();
        let references: Vec<[&str; 1]> = row.references.iter().map(|text| [text.as_str()]).collect();
        let references: Vec<&[&str]> = references.iter().map(|tokens| &tokens[..]).collect();
        let mut all = Accumulator::<_, [&str]>::new(&metric);
        all.push(&[row.hypothesis.as_str()], &references).unwrap();
        let (mut counts, score) = (Vec::new(), all.score().unwrap().score.value());
        all.total().stats().write_row(&mut counts).unwrap();
        // The program reports no chunk for a perfect match.
        let matched = |side: usize| row.counts[4 + side..20].iter().step_by(2).sum::<u64>();
        let perfect = row.counts[20] == 1 && [matched(0), matched(1)] == row.counts[..2];
        assert_eq!((&counts[..20], &counts[21..]), (&row.counts[..20], &row.counts[21..]), "{row:?}");
        assert_eq!(counts[20], if perfect { 0 } else { row.counts[20] }, "{row:?}");
        assert!((score - row.score).abs() <= 1e-15, "{row:?}: {score}");
    }
}

//! A metric of your own, the whole way: statistics, score, contract, registry entry, and the proof of its laws.
//!
//! The metric is the share of bigrams of the hypotheses that repeat an earlier bigram of the same segment. (How many
//! distinct bigrams a whole corpus has would not be a sum over segments, and so would not merge.)
#![allow(clippy::print_stdout, reason = "an example speaks to whoever runs it")]

use std::collections::HashSet;
use std::hash::Hash;

use bleuprint::{
    Accumulator, Entry, InputError, Linear, Metric, Observe, Options, Part, PartValue, Scale, Score, Show,
    Signature, StateKey, Stats, registry, row_length,
};

/// The configuration; this metric has no options.
#[derive(Debug, Clone)]
struct Repetition;

/// What is counted: integers, so that any cut of a corpus gives the same.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
struct RepetitionStats {
    repeated: u64,
    bigrams: u64,
}

/// What comes out.
#[derive(Debug, PartialEq)]
struct RepetitionScore {
    score: f64,
    bigrams: u64,
}

impl Stats for RepetitionStats {
    fn merge(&mut self, other: &Self) {
        self.repeated = self.repeated.saturating_add(other.repeated);
        self.bigrams = self.bigrams.saturating_add(other.bigrams);
    }
}

impl Linear for RepetitionStats {
    fn columns(&self) -> Vec<String> {
        vec!["repeated".to_owned(), "bigrams".to_owned()]
    }
    fn write_row(&self, row: &mut Vec<u64>) {
        row.extend([self.repeated, self.bigrams]);
    }
    fn read_row(&mut self, row: &[u64]) -> Result<(), InputError> {
        let &[repeated, bigrams] = row else {
            return Err(row_length(2, row.len()));
        };
        *self = RepetitionStats { repeated, bigrams };
        Ok(())
    }
}

impl Score for RepetitionScore {
    fn value(&self) -> f64 {
        self.score
    }
    fn scale(&self) -> Scale {
        Scale { max: 100.0, ..Scale::ERROR_PERCENT }
    }
    fn parts(&self) -> Vec<Part> {
        let value = PartValue::Count(self.bigrams);
        vec![Part { key: "bigrams", show: Show::Labelled("bigrams", 0), value }]
    }
}

impl Metric for Repetition {
    type Stats = RepetitionStats;
    type Score = RepetitionScore;

    fn zero(&self) -> RepetitionStats {
        RepetitionStats::default()
    }
    fn finalize(&self, stats: &RepetitionStats) -> RepetitionScore {
        let score = 100.0 * stats.repeated as f64 / stats.bigrams.max(1) as f64;
        RepetitionScore { score, bigrams: stats.bigrams }
    }
    fn state_key(&self) -> StateKey {
        StateKey::new("repetition", 1)
    }
    fn signature(&self) -> Signature {
        Signature::new("Repetition").with("case", "c", "mixed").with("tok", "tok", "unspecified")
    }
}

/// One implementation for words, characters and ids.
impl<T: Hash + Eq> Observe<[T]> for Repetition {
    type Scratch = ();

    fn observe(
        &self,
        (): &mut (),
        stats: &mut RepetitionStats,
        hypothesis: &[T],
        _references: &[&[T]],
    ) -> Result<(), InputError> {
        let mut seen = HashSet::new();
        let repeated = hypothesis.windows(2).filter(|bigram| !seen.insert(*bigram)).count() as u64;
        stats.merge(&RepetitionStats { repeated, bigrams: hypothesis.len().saturating_sub(1) as u64 });
        Ok(())
    }
}

/// The line that makes it known by name, with its options as data.
const ENTRY: Entry = Entry {
    name: "repetition",
    aliases: &[],
    summary: "Bigrams that repeat an earlier one of the same segment",
    paper: "this example",
    agrees_with: "its definition",
    scale: Scale { max: 100.0, ..Scale::ERROR_PERCENT },
    options: &[],
    build: |_| Ok(Box::new(Repetition)),
};

pub(crate) fn main() {
    let mut words = Accumulator::<_, [&str]>::new(Repetition);
    words.push(&["no", "no", "no", "way"], &[&["no"]]).unwrap();
    let score = words.score().unwrap().score;
    assert_eq!(score, RepetitionScore { score: 100.0 / 3.0, bigrams: 3 });

    let mut registry = registry();
    registry.add(ENTRY).unwrap();
    let plug_in = registry.get("repetition").unwrap().build(&Options::new()).unwrap();
    let mut stats = plug_in.erased_zero();
    plug_in.erased_observe(&mut plug_in.erased_scratch(), &mut stats, &[7, 7, 7, 8], &[&[7]]).unwrap();
    assert_eq!(plug_in.erased_score(&stats).unwrap().score.value, score.score);
    println!("Repetition {:.1}", score.score);

    // The proof, in one line: put it into a test of yours, with the feature `laws`.
    bleuprint::laws::check(&Repetition);
}

//! Expected results for the inputs: a benchmark stops if its counts differ.
//!
//! The numbers for WMT23 are from sacreBLEU 2.6.0. The numbers for generated text were compared with
//! sacreBLEU by `cargo xtask bench` when they were recorded.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::input::BenchCorpus;

/// Corpus, whether it is real, tokenizer, number of hypothesis tokens, and the clipped counts and BLEU if a
/// benchmark uses them.
type Expected = (String, bool, String, u64, Option<([u64; 4], f64)>);

static EXPECTED: LazyLock<Vec<Expected>> =
    LazyLock::new(|| serde_json::from_str(include_str!("expected.json")).expect("a table of these columns"));

/// Scores of the examples of metrics, by the metrics with the options that they need.
static EXAMPLES: LazyLock<BTreeMap<String, f64>> = LazyLock::new(|| {
    let scores = include_str!("../../crates/testkit/data/examples.json");
    serde_json::from_str(scores).expect("scores by the names of metrics")
});

fn find(corpus: &BenchCorpus, tokenizer: &str) -> Option<&'static Expected> {
    // Real and generated text of one name have different results.
    let wanted = (corpus.name, corpus.real, tokenizer);
    EXPECTED.iter().find(|(name, real, by, ..)| (name.as_str(), *real, by.as_str()) == wanted)
}

/// Checks the number of hypothesis tokens.
///
/// # Panics
/// Panics if the number differs from the expected one, or if none is recorded.
pub fn check_tokens(corpus: &BenchCorpus, tokenizer: &str, tokens: u64) {
    let expected = find(corpus, tokenizer).map(|expected| expected.3);
    assert_eq!(expected, Some(tokens), "tokens of {} by {tokenizer}", corpus.describe());
}

/// Checks the clipped counts.
///
/// # Panics
/// Panics if the counts differ from the expected ones, or if none are recorded.
pub fn check_counts(corpus: &BenchCorpus, tokenizer: &str, counts: Vec<u64>) {
    let expected = find(corpus, tokenizer).and_then(|expected| expected.4);
    assert_eq!(expected.map(|(counts, _)| counts.to_vec()), Some(counts), "{}", corpus.describe());
}

/// Checks the score.
///
/// # Panics
/// Panics if the score differs from the expected one in a bit, or if none is recorded.
pub fn check_score(corpus: &BenchCorpus, tokenizer: &str, score: f64) {
    let expected = find(corpus, tokenizer).and_then(|expected| expected.4);
    assert_eq!(expected.map(|(_, score)| score), Some(score), "{}", corpus.describe());
}

/// Checks the score of a metric's example.
///
/// # Panics
/// Panics if the score differs from the recorded one in a bit, or if none is recorded.
pub fn check_example(metric: &str, score: f64) {
    assert_eq!(EXAMPLES.get(metric), Some(&score), "the example of {metric}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input;
    use bleuprint::{Accumulator, Bleu};

    #[test]
    fn generated_text_is_the_same_everywhere() {
        for corpus in input::generated() {
            let tokenizer = if corpus.name == "en-zh" { "zh" } else { "13a" };
            let mut bleu = Accumulator::<_, [String]>::new(Bleu::default());
            for segment in corpus.tokens(tokenizer) {
                let (hypothesis, references) = input::slices(&segment);
                bleu.push(hypothesis, &references).unwrap();
            }
            let score = bleu.score().unwrap().score;
            check_tokens(&corpus, tokenizer, score.hyp_len);
            check_counts(&corpus, tokenizer, score.clipped.to_vec());
            check_score(&corpus, tokenizer, score.score);
        }
    }
}

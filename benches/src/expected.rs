//! The expected results for the inputs: a benchmark with other counts stops.
//!
//! The numbers for WMT23 are those of sacreBLEU 2.6.0; those for generated text were checked against it by `cargo xtask
//! bench` when they were recorded.

use std::sync::LazyLock;

use crate::input::Corpus;

/// Corpus, whether it is real, tokenizer, tokens of the hypotheses; clipped counts and BLEU if a benchmark uses them.
type Expected = (String, bool, String, u64, Option<([u64; 4], f64)>);

static EXPECTED: LazyLock<Vec<Expected>> =
    LazyLock::new(|| serde_json::from_str(include_str!("expected.json")).expect("a table of these columns"));

fn find(corpus: &Corpus, tokenizer: &str) -> Option<&'static Expected> {
    let wanted = (corpus.name, corpus.real, tokenizer);
    EXPECTED.iter().find(|(name, real, by, ..)| (name.as_str(), *real, by.as_str()) == wanted)
}

/// # Panics
/// If the hypotheses have another number of tokens than expected, or no expectation is recorded.
pub fn check_tokens(corpus: &Corpus, tokenizer: &str, tokens: u64) {
    let expected = find(corpus, tokenizer).map(|expected| expected.3);
    assert_eq!(expected, Some(tokens), "tokens of {} by {tokenizer}", corpus.describe());
}

/// # Panics
/// If the clipped counts differ from the expected ones, or no expectation is recorded.
pub fn check_counts(corpus: &Corpus, tokenizer: &str, counts: Vec<u64>) {
    let expected = find(corpus, tokenizer).and_then(|expected| expected.4);
    assert_eq!(expected.map(|(counts, _)| counts.to_vec()), Some(counts), "{}", corpus.describe());
}

/// # Panics
/// If the score differs in a bit from the expected one, or no expectation is recorded.
pub fn check_score(corpus: &Corpus, tokenizer: &str, score: f64) {
    let expected = find(corpus, tokenizer).and_then(|expected| expected.4);
    assert_eq!(expected.map(|(_, score)| score), Some(score), "{}", corpus.describe());
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

//! The expected results for the inputs: a benchmark with other counts stops.
//!
//! The numbers for WMT23 are those of sacreBLEU 2.6.0; those for generated text were checked against it by `cargo xtask
//! bench` when they were recorded.

use crate::input::Corpus;

/// Corpus, whether it is real, tokenizer, tokens of the hypotheses; clipped counts and BLEU if a benchmark uses them.
type Expected = (&'static str, bool, &'static str, u64, Option<([u64; 4], f64)>);

#[rustfmt::skip]
const EXPECTED: &[Expected] = &[
    ("en-cs", true, "13a", 36_384, Some(([25_732, 16_577, 11_494, 8135], 41.44079453455802))),
    ("en-cs", true, "intl", 36_792, None),
    ("zh-en", true, "none", 47_786, None),
    ("zh-en", true, "13a", 54_998, Some(([31_555, 16_795, 10_352, 6835], 26.761240160026357))),
    ("zh-en", true, "intl", 57_260, None),
    ("zh-en", true, "tercom", 47_786, None),
    ("zh-en", true, "char", 250_032, None),
    ("zh-en", true, "word", 56_220, None),
    ("zh-en", true, "grapheme", 250_032, None),
    ("zh-en", true, "bytes", 295_854, None),
    ("he-en", true, "13a", 45_416, Some(([39_924, 31_955, 25_712, 20_587], 67.42980406811067))),
    ("en-zh", true, "zh", 62_410, Some(([46_094, 33_395, 25_087, 19_316], 49.5968578674495))),
    ("en-zh", true, "char", 67_250, None),
    ("en-zh", true, "intl", 12_468, None),
    ("en-zh", true, "13a", 3_832, None),
    ("en-cs", false, "13a", 34_986, Some(([23_919, 13_913, 8795, 5576], 35.37022064341889))),
    ("en-cs", false, "intl", 34_937, None),
    ("zh-en", false, "none", 47_738, None),
    ("zh-en", false, "13a", 52_326, Some(([35_346, 20_696, 13_276, 8604], 34.47795634382611))),
    ("zh-en", false, "intl", 52_277, None),
    ("zh-en", false, "tercom", 47_738, None),
    ("zh-en", false, "char", 181_222, None),
    ("zh-en", false, "word", 52_326, None),
    ("zh-en", false, "grapheme", 181_222, None),
    ("zh-en", false, "bytes", 234_902, None),
    ("he-en", false, "13a", 42_761, Some(([34_135, 22_931, 15_801, 10_758], 47.805192065568185))),
    ("en-zh", false, "zh", 58_048, Some(([40_469, 23_861, 15_349, 9961], 35.47831879418801))),
    ("en-zh", false, "char", 58_048, None),
    ("en-zh", false, "intl", 10_872, None),
    ("en-zh", false, "13a", 2_074, None),
];

fn find(corpus: &Corpus, tokenizer: &str) -> Option<&'static Expected> {
    let wanted = (corpus.name, corpus.real, tokenizer);
    EXPECTED.iter().find(|&&(name, real, by, ..)| (name, real, by) == wanted)
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

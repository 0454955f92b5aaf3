//! Ways to report a wrong error rate that were seen in public: each is refused, or warned of, or cannot be taken.

use serde_json::{Value, json};

use crate::common::{Folder, pair, parsed, refused, said};

/// Forty times the lines: warnings need more than a few.
fn forty(reference: &str, system: &str) -> (Folder, String, String) {
    pair(
        &format!(
            "{reference}
"
        )
        .repeat(40),
        &format!(
            "{system}
"
        )
        .repeat(40),
    )
}

fn score(reference: &str, system: &str, options: &[&str]) -> Value {
    let usual = ["score", reference, "-i", system, "-q", "-f", "json"];
    parsed(&[&usual[..], options].concat())
}

#[test]
fn the_mean_of_segments_is_told_from_the_rate() {
    // (1 + 0) / 2, not 1 of 5.
    let (_folder, reference, system) = pair("a\nb c d e\n", "x\nb c d e\n");
    assert_eq!(score(&reference, &system, &["-m", "wer"])["score"], 0.2);
    let message = said(&["score", &reference, "-i", &system, "-m", "wer", "-sl"]);
    assert!(message.contains("their mean is not the WER of the corpus"), "{message}");
}

#[test]
fn a_normalizer_that_strips_vowel_signs_is_named() {
    let (_folder, reference, system) = forty("आप कैसे हैं", "आप केसे है");
    let message = said(&["score", &reference, "-i", &system, "-m", "wer", "--norm", "whisper-basic"]);
    assert!(message.contains("strips marks") && message.contains("whisper-basic-marks"), "{message}");
}

#[test]
fn normalizers_are_in_the_signature() {
    let (_folder, reference, system) = forty("Mr Brown", "mister brown");
    let plain = score(&reference, &system, &["-m", "wer"])["signature"].as_str().unwrap().to_owned();
    let normalized = score(&reference, &system, &["-m", "wer", "--norm", "whisper-en"]);
    assert_ne!(plain, normalized["signature"]);
    assert_eq!(normalized["score"], 0.0);
}

#[test]
fn one_side_normalized_alone_is_noticed() {
    let (_folder, reference, system) = forty("Hello, you.", "hello you");
    let message = said(&["score", &reference, "-i", &system, "-m", "wer"]);
    assert!(message.contains("have upper-case letters") && message.contains("have punctuation"), "{message}");
    assert_eq!(said(&["score", &reference, "-i", &system, "-m", "wer", "--norm", "lower+punct"]), "");
}

#[test]
fn empty_output_is_deletions_and_missing_output_an_error() {
    let (folder, reference, system) = pair("a b\nc\n", "a b\n\n");
    assert_eq!(score(&reference, &system, &["-m", "wer"])["deletions"], 1);
    assert!(
        said(&["score", &reference, "-i", &system, "-m", "wer"]).contains("1 hypothesis is without words")
    );
    refused(&["score", &reference, "-i", &folder.file("h5b", "a b\n"), "-m", "wer"], &["h5b"]);
}

#[test]
fn empty_references_count_and_are_reported() {
    let (_folder, reference, system) = pair("a b\n\n", "a b\nc\n");
    assert_eq!(score(&reference, &system, &["-m", "wer"])["score"], 0.5);
    assert!(
        said(&["score", &reference, "-i", &system, "-m", "wer"]).contains("1 reference is without words")
    );
}

#[test]
fn emptied_lines_keep_their_place() {
    let (_folder, reference, system) = pair("um\na\nb c\n", "a\na\nb c\n");
    let scored = score(&reference, &system, &["-m", "wer", "--norm", "whisper-en"]);
    assert_eq!((&scored["hits"], &scored["insertions"]), (&json!(3), &json!(1)));
}

#[test]
fn spaces_count_above_and_below_or_not_at_all() {
    let (_folder, reference, system) = pair("a b\n", "ab\n");
    assert_eq!(score(&reference, &system, &["-m", "cer"])["score"], 1.0 / 3.0);
    assert_eq!(score(&reference, &system, &["-m", "cer:tokenize=char"])["score"], 0.0);
}

#[test]
fn words_of_scripts_without_spaces_are_noticed() {
    let (_folder, reference, system) = forty("今天天气很好", "今天天气好");
    let message = said(&["score", &reference, "-i", &system, "-m", "wer"]);
    assert!(message.contains("`jiwer` splits at spaces") && message.contains("--tokenize char"), "{message}");
}

#[test]
fn mer_has_one_meaning() {
    let (_folder, reference, system) = pair("a b\n", "a x b\n");
    let [mer, wer] =
        ["mer", "wer"].map(|metric| score(&reference, &system, &["-m", metric])["score"].as_f64());
    assert_eq!((mer, wer), (Some(1.0 / 3.0), Some(0.5)));
}

#[test]
fn insertions_are_not_divided_by() {
    let (_folder, reference, system) = pair("a b\n", "a x b\n");
    let swapped = score(&system, &reference, &["-m", "wer"]);
    assert_eq!((&swapped["score"], &swapped["deletions"]), (&json!(1.0 / 3.0), &json!(1)));
}

#[test]
fn special_tokens_on_one_side_are_noticed() {
    let (_folder, reference, system) = forty("hello", "<|en|> hello");
    let message = said(&["score", &reference, "-i", &system, "-m", "wer"]);
    assert!(message.contains("40 of 40 hypotheses have special tokens such as `<|en|>`"), "{message}");
}

#[test]
fn rates_are_not_cut_at_1() {
    let (_folder, reference, system) = pair("a\n", "b c d\n");
    assert_eq!(score(&reference, &system, &["-m", "wer"])["score"], 3.0);
}

#[test]
fn a_collar_is_not_assumed() {
    let folder = Folder::new();
    let sessions = folder.file("r.stm", "X 1 r0 0 1.2 go\n");
    refused(&["score", "--speakers", &sessions, "-i", &sessions, "-m", "tcpwer"], &["collar"]);
}

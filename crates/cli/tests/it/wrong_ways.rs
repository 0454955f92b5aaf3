//! Ways to report a wrong error rate that were seen in public: each is refused, or warned of, or cannot be taken.

use serde_json::{Value, json};

use crate::common::{Folder, bleuprint, parsed, refused};

/// Forty times the line: warnings need more than a few.
fn file(folder: &Folder, name: &str, line: &str) -> String {
    folder.file(name, format!("{line}\n").repeat(40))
}

fn score(reference: &str, system: &str, options: &[&str]) -> Value {
    let usual = ["score", reference, "-i", system, "-q", "-f", "json"];
    parsed(&[&usual[..], options].concat())
}

fn said(arguments: &[&str]) -> String {
    let output = bleuprint(arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{message}");
    message
}

#[test]
fn the_mean_of_segments_is_told_from_the_rate() {
    let folder = Folder::new();
    // (1 + 0) / 2, not 1 of 5.
    let (reference, system) = (folder.file("r1", "a\nb c d e\n"), folder.file("h1", "x\nb c d e\n"));
    assert_eq!(score(&reference, &system, &["-m", "wer"])["score"], 0.2);
    let message = said(&["score", &reference, "-i", &system, "-m", "wer", "-sl"]);
    assert!(message.contains("their mean is not the WER of the corpus"), "{message}");
}

#[test]
fn a_normalizer_that_strips_vowel_signs_is_named() {
    let folder = Folder::new();
    let (reference, system) = (file(&folder, "r2", "आप कैसे हैं"), file(&folder, "h2", "आप केसे है"));
    let message = said(&["score", &reference, "-i", &system, "-m", "wer", "--norm", "whisper-basic"]);
    assert!(message.contains("strips marks") && message.contains("whisper-basic-marks"), "{message}");
}

#[test]
fn normalizers_are_in_the_signature() {
    let folder = Folder::new();
    let (reference, system) = (file(&folder, "r3", "Mr Brown"), file(&folder, "h3", "mister brown"));
    let plain = score(&reference, &system, &["-m", "wer"])["signature"].as_str().unwrap().to_owned();
    let normalized = score(&reference, &system, &["-m", "wer", "--norm", "whisper-en"]);
    assert_ne!(plain, normalized["signature"]);
    assert_eq!(normalized["score"], 0.0);
}

#[test]
fn one_side_normalized_alone_is_noticed() {
    let folder = Folder::new();
    let (reference, system) = (file(&folder, "r4", "Hello, you."), file(&folder, "h4", "hello you"));
    let message = said(&["score", &reference, "-i", &system, "-m", "wer"]);
    assert!(message.contains("have upper-case letters") && message.contains("have punctuation"), "{message}");
    assert_eq!(said(&["score", &reference, "-i", &system, "-m", "wer", "--norm", "lower+punct"]), "");
}

#[test]
fn empty_output_is_deletions_and_missing_output_an_error() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("r5", "a b\nc\n"), folder.file("h5", "a b\n\n"));
    assert_eq!(score(&reference, &system, &["-m", "wer"])["deletions"], 1);
    assert!(
        said(&["score", &reference, "-i", &system, "-m", "wer"]).contains("1 hypotheses are without words")
    );
    refused(&["score", &reference, "-i", &folder.file("h5b", "a b\n"), "-m", "wer"], &["h5b"]);
}

#[test]
fn empty_references_count_and_are_reported() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("r6", "a b\n\n"), folder.file("h6", "a b\nc\n"));
    assert_eq!(score(&reference, &system, &["-m", "wer"])["score"], 0.5);
    assert!(
        said(&["score", &reference, "-i", &system, "-m", "wer"]).contains("1 references are without words")
    );
}

#[test]
fn emptied_lines_keep_their_place() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("r7", "um\na\nb c\n"), folder.file("h7", "a\na\nb c\n"));
    let scored = score(&reference, &system, &["-m", "wer", "--norm", "whisper-en"]);
    assert_eq!((&scored["hits"], &scored["insertions"]), (&json!(3), &json!(1)));
}

#[test]
fn spaces_count_above_and_below_or_not_at_all() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("r8", "a b\n"), folder.file("h8", "ab\n"));
    assert_eq!(score(&reference, &system, &["-m", "cer"])["score"], 1.0 / 3.0);
    assert_eq!(score(&reference, &system, &["-m", "cer:tokenize=char"])["score"], 0.0);
}

#[test]
fn words_of_scripts_without_spaces_are_noticed() {
    let folder = Folder::new();
    let (reference, system) = (file(&folder, "r9", "今天天气很好"), file(&folder, "h9", "今天天气好"));
    let message = said(&["score", &reference, "-i", &system, "-m", "wer"]);
    assert!(message.contains("`jiwer` splits at spaces") && message.contains("--tokenize char"), "{message}");
}

#[test]
fn mer_has_one_meaning() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("r10", "a b\n"), folder.file("h10", "a x b\n"));
    let [mer, wer] =
        ["mer", "wer"].map(|metric| score(&reference, &system, &["-m", metric])["score"].as_f64());
    assert_eq!((mer, wer), (Some(1.0 / 3.0), Some(0.5)));
}

#[test]
fn insertions_are_not_divided_by() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("r11", "a b\n"), folder.file("h11", "a x b\n"));
    let swapped = score(&system, &reference, &["-m", "wer"]);
    assert_eq!((&swapped["score"], &swapped["deletions"]), (&json!(1.0 / 3.0), &json!(1)));
}

#[test]
fn special_tokens_on_one_side_are_noticed() {
    let folder = Folder::new();
    let (reference, system) = (file(&folder, "r12", "hello"), file(&folder, "h12", "<|en|> hello"));
    let message = said(&["score", &reference, "-i", &system, "-m", "wer"]);
    assert!(message.contains("40 of 40 hypotheses have special tokens such as `<|en|>`"), "{message}");
}

#[test]
fn rates_are_not_cut_at_1() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("r13", "a\n"), folder.file("h13", "b c d\n"));
    assert_eq!(score(&reference, &system, &["-m", "wer"])["score"], 3.0);
}

#[test]
fn a_collar_is_not_assumed() {
    let folder = Folder::new();
    let sessions = folder.file("r.stm", "X 1 r0 0 1.2 go\n");
    refused(&["score", "--speakers", &sessions, "-i", &sessions, "-m", "tcpwer"], &["collar"]);
}

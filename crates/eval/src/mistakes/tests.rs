//! Tests of the rules of likely mistakes, on texts with one sign each and on texts without any.

use bleuprint_core::Case;
use bleuprint_metrics::registry;
use bleuprint_text::{TokenizerOptions, tokenizer};

use super::*;
use crate::{ChosenTokens, Panel, Request};

fn panel(metrics: &[&str]) -> Panel {
    let registry = registry();
    Request::new(&registry, metrics, ChosenTokens::standard().unwrap()).unwrap().panel(&registry).unwrap()
}

/// Returns the rule and the message of each mistake that is found in `times` copies of one segment.
fn found(
    metrics: &[&str],
    times: usize,
    hypothesis: &str,
    references: &[&str],
) -> Vec<(&'static str, String)> {
    let mut mistakes = LikelyMistakes::new(times as u64);
    (0..times).for_each(|_| mistakes.look_at(&[hypothesis], references));
    let all = mistakes.found(Some(&panel(metrics)), &[], MistakeWording::Program).into_iter();
    all.map(|mistake| (mistake.rule, mistake.message)).collect()
}

fn rules(metrics: &[&str], times: usize, hypothesis: &str, references: &[&str]) -> Vec<&'static str> {
    found(metrics, times, hypothesis, references).into_iter().map(|(rule, _)| rule).collect()
}

#[test]
fn plain_texts_have_no_sign() {
    let metrics = ["bleu", "chrf", "wer", "rougeL", "exact_match"];
    assert_eq!(rules(&metrics, 40, "The cat sat on the mat.", &["A cat sat on a mat."]), [""; 0]);
    assert_eq!(
        rules(&metrics, 40, "Žluťoučký kůň — «říká» „úpěl“", &["„úpěl“ kůň — «říká» Žluťoučký"]),
        [""; 0]
    );
    assert_eq!(rules(&["bleu"], 1, "", &[""]), [""; 0]);
}

#[test]
fn characters_of_one_side_are_named_with_their_normalizer() {
    let cases = [
        ("tôi không biê\u{301}t", "tôi không biết", "--norm nfc"),
        ("\u{1112}\u{1161}\u{11ab} 집", "한 집", "--norm nfc"),
        ("\u{FF11}\u{FF12} dogs", "12 dogs", "--norm nfkc"),
        ("it\u{2019}s so", "it's so", "--norm ascii-punct"),
        ("a d\u{200B}og", "a dog", "--norm visible"),
        ("\u{200F}abc d", "abc d", "--norm visible"),
        ("مـرحبا بكم", "مرحبا بكم", "--norm arabic-letters"),
        ("عل\u{6CC} خانه", "عل\u{64A} خانه", "--norm arabic-letters"),
        ("yes it is。", "yes it is.", "--norm punct"),
        ("да", "yes", "another alphabet"),
    ];
    for (one, other, remedy) in cases {
        for (hypothesis, reference) in [(one, other), (other, one)] {
            let all = found(&["wer:tokenize=none"], 10, hypothesis, &[reference]);
            let message = all.iter().find(|(rule, _)| *rule == "characters").map(|(_, message)| message);
            assert!(
                message.is_some_and(|message| message.contains(remedy)),
                "{hypothesis}, {reference}: {all:?}"
            );
        }
        // Few texts are no habit, and a metric that does not see the difference is not misled.
        assert!(!rules(&["wer:tokenize=none"], 9, one, &[other]).contains(&"characters"), "{one}");
    }
    assert_eq!(rules(&["rouge1"], 20, "it\u{2019}s so", &["it's so"]), [""; 0]);
    assert_eq!(rules(&["wer:norm=nfc"], 20, "biê\u{301}t", &["biết"]), [""; 0]);
    assert_eq!(rules(&["chrf"], 20, "a\u{A0}dog", &["a dog"]), [""; 0]);
    // The letters of another language are no form of Unicode.
    let all = found(&["bleu"], 20, "le caf\u{e9} \u{e0} \u{e1}", &["il caff\u{e8} \u{e0} \u{ed}"]);
    assert!(all.iter().all(|(_, message)| message.contains("another alphabet")), "{all:?}");
}

#[test]
fn characters_that_some_lines_of_the_other_side_have_are_no_sign() {
    let mut mistakes = LikelyMistakes::new(u64::MAX);
    for segment in 0..40 {
        let reference = if segment == 39 { "it\u{2019}s so" } else { "it's so" };
        mistakes.look_at(&["it\u{2019}s so"], &[reference]);
    }
    assert_eq!(mistakes.found(Some(&panel(&["bleu"])), &[], MistakeWording::Program), []);
}

#[test]
fn marks_of_vocabularies_are_found_on_either_side() {
    assert_eq!(rules(&["bleu"], 1, "ein Haus@@ tier", &["ein Haus@@ tier"]), ["pieces"]);
    assert_eq!(rules(&["chrf"], 1, "ein Haustier", &["\u{2581}ein \u{2581}Haus tier"]), ["pieces"]);
    assert_eq!(rules(&["bleu"], 1, "a b </s>", &["a b"]), ["special tokens"]);
    assert_eq!(rules(&["bleu"], 1, "write to a@b.org", &["@@ <b>"]), [""; 0]);
}

#[test]
fn references_that_add_nothing_are_named() {
    assert_eq!(rules(&["bleu"], 1, "a b c d", &["a b c d", "a b c d"]), ["equal references"]);
    assert_eq!(rules(&["bleu"], 3, "York", &["York", "York"]), [""; 0]);
    assert_eq!(rules(&["bleu"], 1, "a b", &["a b\tb c"]), ["tabs"]);
    assert_eq!(rules(&["bleu"], 1, "a\tb", &["a b\tb c"]), [""; 0]);
    let all = found(&["bleu"], 4, "a b", &["a b\tb c\td"]);
    assert!(all[0].1.contains("`--num-refs 3`"), "{all:?}");
}

#[test]
fn words_in_place_of_references_are_found() {
    let words = ["the", "cat", "sat", "on", "the", "mat"];
    assert_eq!(rules(&["bleu"], 2, "the cat sat on the mat", &words), ["words"]);
    assert_eq!(rules(&["bleu"], 2, "the cat", &words[..3]), [""; 0]);
    assert_eq!(rules(&["bleu"], 2, "cat", &words), [""; 0]);
    let mut mistakes = LikelyMistakes::new(2);
    mistakes.look_at(&["the cat sat"], &words[..3]);
    mistakes.look_at(&["the cat sat on"], &words[..4]);
    assert_eq!(mistakes.found(None, &[], MistakeWording::Python).len(), 1);
}

#[test]
fn tokenizers_that_do_not_suit_the_script_are_named_together() {
    let all = found(&["bleu", "wer"], 3, "今天天气", &["今天天气"]);
    let [(rule, message)] = &all[..] else { panic!("{all:?}") };
    assert_eq!(*rule, "script");
    assert!(message.contains("`13a`, `jiwer` split at spaces; use `--tokenize zh`"), "{message}");
    assert_eq!(rules(&["bleu:tokenize=zh", "chrf"], 3, "今天天气", &["今天天气"]), [""; 0]);
}

#[test]
fn a_score_of_0_by_length_alone_is_explained() {
    let panel = panel(&["bleu"]);
    let scored = |text: &str| {
        let mut corpus = bleuprint_core::Accumulator::<&Panel, str>::new(&panel);
        corpus.push(text, &[text]).unwrap();
        let scored = panel.scores(corpus.total()).unwrap().remove(0);
        unreached_order(&scored.score, MistakeWording::Python).map(|mistake| mistake.message)
    };
    assert!(scored("a b c").is_some_and(
        |message| message.contains("no hypothesis has 4 tokens") && message.contains("`max_order=3`")
    ));
    assert_eq!(scored("a b c d"), None);
    assert_eq!(scored(""), None);
}

#[test]
fn weights_that_are_all_0_are_found_by_copies() {
    let learned = |references: &[&str]| {
        let segments: Vec<[&str; 1]> = references.iter().map(|&text| [text]).collect();
        let segments = segments.iter().map(|own| crate::SystemsSegment {
            hypotheses: own,
            references: own,
            source: None,
        });
        let panel = panel(&["cider_d", "bleu"]).learned_from(segments).unwrap();
        zero_weights(&panel, references.iter().copied())
    };
    assert_eq!(learned(&["a cat on a mat"]), ["CIDEr-D"]);
    assert_eq!(learned(&["a cat on a mat", "a cat on a mat"]), ["CIDEr-D"]);
    assert_eq!(learned(&["a cat on a mat", "two dogs ran"]), [""; 0]);
}

#[test]
fn counters_of_tokenizers_are_read_once() {
    let words = tokenizer("13a", &TokenizerOptions::default()).unwrap();
    let panel =
        Panel::new([registry().build("rougeL").unwrap()], &ChosenTokens::new(words, Case::Mixed)).unwrap();
    let mut corpus = bleuprint_core::Accumulator::<&Panel, str>::new(&panel);
    corpus.push("नमस्ते", &["नमस्ते"]).unwrap();
    let rules = || {
        let all = LikelyMistakes::new(1).found(Some(&panel), &[], MistakeWording::Python).into_iter();
        all.map(|mistake| mistake.rule).collect::<Vec<_>>()
    };
    assert_eq!(rules(), ["emptied"]);
    assert_eq!(rules(), [""; 0]);
}

#[test]
fn rules_about_rates_are_off_only_without_an_error_rate() {
    for (metrics, rules) in [(&["bleu", "rougeL"][..], 0), (&["rougeL", "wer"][..], 2)] {
        let panel = panel(metrics);
        let rules_of = |mut mistakes: LikelyMistakes| {
            (0..40).for_each(|_| mistakes.look_at(&["hello there"], &["Hello there."]));
            let found = mistakes.found(Some(&panel), &[], MistakeWording::Program).into_iter();
            found.map(|mistake| mistake.rule).collect::<Vec<_>>()
        };
        let all = rules_of(LikelyMistakes::new(40));
        assert_eq!(rules_of(LikelyMistakes::new(40).for_metrics_of(&panel)), all);
        assert_eq!(all.len(), rules, "{all:?}");
    }
}

//! Tests of the laws of the metric contract.

use bleuprint_core::Case;
use bleuprint_recognition::{
    RankedHypotheses, Spans, SpokenText, TermList, Terms, TimedWords, WordConfidence, WordConfidences,
};
use bleuprint_registry::{AnyMetric, laws};

use crate::built;

#[test]
fn metrics_over_words_obey_the_laws() {
    for name in [
        "bwer",
        "uwer",
        "bwer:like=biasing",
        "terms",
        "terms:of=f1",
        "terms:of=error,match=count",
        "terms:of=precision,like=texterrors",
        "terms:like=chardiff",
        "per",
        "bow",
        "term_cer",
        "term_cer:like=texterrors",
        "substitutions",
        "substitutions:like=texterrors,of=other",
    ] {
        laws::check_any(&built(name, None).unwrap());
    }
    // The list has some of the tokens that the laws draw.
    let list = TermList::parse("words", "a\tx\nthe cat\ty\n").unwrap();
    let terms = || Terms::new(list.clone().into());
    for metric in [terms(), terms().per_term(), terms().category("x").unwrap()] {
        laws::check_any(&AnyMetric::for_tokens(metric).with_default_tokens("jiwer", Case::Mixed));
    }
}

fn word(byte: &u8) -> String {
    ["a", "b", "c"][usize::from(byte % 3)].to_owned()
}

fn text(raw: &[u8]) -> String {
    // The reference is never empty, so that there is a rate.
    raw.iter().map(word).chain(["a".to_owned()]).collect::<Vec<_>>().join(" ")
}

#[test]
fn metrics_over_data_of_their_own_obey_the_laws() {
    for name in ["oracle_wer", "oracle_wer:k=1"] {
        laws::check_any_for(&built(name, None).unwrap(), |raw| {
            let texts = raw.chunks(3).map(|raw| raw.iter().map(word).collect::<Vec<_>>().join(" "));
            (RankedHypotheses(texts.collect()), vec![text(raw)], None::<RankedHypotheses>)
        });
    }
    for name in ["ece", "ece:bins=3", "brier", "ece:right=given"] {
        laws::check_any_for(&built(name, None).unwrap(), |raw| {
            let items = raw.iter().chain(&[1]).map(|byte| {
                let confidence = f64::from(byte % 8) / 7.0;
                match name {
                    "ece:right=given" => WordConfidence::Known(confidence, byte % 2 == 0),
                    _ => WordConfidence::Word(word(byte), confidence),
                }
            });
            (WordConfidences(items.collect()), vec![text(raw)], None::<WordConfidences>)
        });
    }
    for name in ["span_recall", "span_recall:label=x,like=texterrors"] {
        laws::check_any_for(&built(name, None).unwrap(), |raw| {
            let (one, other) = raw.split_at(raw.len() / 2);
            let spans: Spans =
                (0..=other.len()).map(|at| (at / 2, at + 1, ["x", "y"][at % 2].to_owned())).collect();
            (SpokenText(text(one)), vec![text(other)], Some(spans))
        });
    }
    let timed = |words: &[u8]| -> TimedWords {
        let words = (0..).zip(words).map(|(place, byte)| (word(byte), place, place + i32::from(byte % 5)));
        serde_json::from_value(serde_json::json!(words.collect::<Vec<_>>())).unwrap()
    };
    for name in ["boundaries", "boundaries:of=start", "boundaries:of=end"] {
        laws::check_any_for(&built(name, None).unwrap(), |raw| {
            let (one, other) = raw.split_at(raw.len() / 2);
            (timed(&[&[0], one].concat()), vec![timed(&[&[3], other].concat())], None::<TimedWords>)
        });
    }
}

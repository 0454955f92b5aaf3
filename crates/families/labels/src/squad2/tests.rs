//! Tests of SQuAD 2: the properties that every metric must have, thresholds, and invalid probabilities.

use bleuprint_core::{Accumulator, Score as _, State};
use bleuprint_registry::laws;

use super::*;

#[test]
fn it_obeys_the_laws() {
    for score in [Squad2Score::F1, Squad2Score::Exact] {
        laws::check_any(&AnyMetric::for_text(Squad2::new(score).unwrap()));
    }
}

#[test]
fn thresholds_obey_the_laws() {
    let make = |raw: &[u8]| {
        let text = |raw: &[u8]| {
            raw.iter().map(|byte| ["a cat", "é", "the"][usize::from(byte % 3)]).collect::<Vec<_>>().join(" ")
        };
        let probability = f64::from(raw.len() as u8 % 4) / 4.0;
        let answer = PredictedAnswer {
            prediction_text: text(&raw[raw.len() / 2..]),
            no_answer_probability: probability,
        };
        let answers = raw.chunks(2).take(raw.len() % 3).map(text).collect();
        (answer, vec![Answers(answers)], None::<Answers>)
    };
    for threshold in [0.25, 1.0] {
        let metric = Squad2Best::new(Squad2Score::F1, threshold).unwrap();
        laws::check_any_for(&AnyMetric::for_own::<PredictedAnswer, _>(metric), make);
    }
}

/// Returns the state and the score of predictions with probabilities and their answers.
fn observed(threshold: f64, items: &[(&str, f64, &[&str])]) -> (State<BestStats>, Result<PlainScore>) {
    let metric = Squad2Best::new(Squad2Score::Exact, threshold).unwrap();
    let mut all = Accumulator::<_, PredictedAnswer, Answers, Answers>::new(&metric);
    for (text, probability, answers) in items {
        let answer =
            PredictedAnswer { prediction_text: (*text).to_owned(), no_answer_probability: *probability };
        let answers = Answers(answers.iter().map(|answer| (*answer).to_owned()).collect());
        all.push_segment(Segment::with_source(&answer, &[&answers], None)).unwrap();
    }
    (all.total().clone(), all.score().map(|scored| scored.score))
}

fn part(score: &PlainScore, name: &str) -> f64 {
    let found = score.parts().into_iter().find(|part| part.key == name).unwrap_or_else(|| panic!("{name}"));
    match found.value {
        bleuprint_core::PartValue::Number(number) => number,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn equal_probabilities_have_no_threshold_between_them() {
    let items: [(&str, f64, &[&str]); 2] = [("x", 0.5, &["x"]), ("y", 0.5, &[])];
    for items in [items, [items[1], items[0]]] {
        let score = observed(1.0, &items).1.unwrap();
        assert_eq!((part(&score, "best_exact"), part(&score, "best_exact_thresh")), (50.0, 0.0));
    }
    let apart = observed(1.0, &[("x", 0.25, &["x"]), ("y", 0.5, &[])]).1.unwrap();
    assert_eq!((part(&apart, "best_exact"), part(&apart, "best_exact_thresh")), (100.0, 0.25));
}

#[test]
fn predictions_above_the_threshold_are_empty() {
    let items: [(&str, f64, &[&str]); 3] = [("x", 0.9, &["x"]), ("y", 0.9, &[]), ("the", 0.1, &["a"])];
    assert_eq!(observed(1.0, &items).1.unwrap().value(), 100.0 * 2.0 / 3.0);
    // Answers without words are still answers: a prediction silenced by the threshold is wrong, an empty one
    // is right.
    assert_eq!(observed(0.5, &items).1.unwrap().value(), 100.0 * 2.0 / 3.0);
    assert_eq!(observed(0.0, &items).1.unwrap().value(), 100.0 / 3.0);
}

#[test]
fn every_order_and_cut_gives_one_state() {
    let items: [(&str, f64, &[&str]); 4] =
        [("a b", 0.9, &["b c", "b"]), ("y", 0.3, &[]), ("", 0.3, &[]), ("c", 0.0, &["c d e"])];
    let whole = observed(0.5, &items).0;
    for cut in 0..=items.len() {
        let mut last = observed(0.5, &items[cut..]).0;
        let first = observed(0.5, &items[..cut]).0;
        last.merge(&first).unwrap();
        assert_eq!(serde_json::to_string(&last).unwrap(), serde_json::to_string(&whole).unwrap());
    }
    let metric = Squad2Best::new(Squad2Score::Exact, 0.5).unwrap();
    metric.check(whole.stats(), whole.counts()).unwrap();
    assert!(
        metric
            .check(whole.stats(), &SegmentCounts { segments: 5, references: 5, references_squared: 5 })
            .is_err()
    );
}

#[test]
fn probabilities_that_are_none_change_nothing() {
    let metric = Squad2Best::new(Squad2Score::F1, 1.0).unwrap();
    for probability in [f64::NAN, -0.1, 1.5, f64::INFINITY] {
        let answer = PredictedAnswer { prediction_text: "x".to_owned(), no_answer_probability: probability };
        let mut all = Accumulator::<_, PredictedAnswer, Answers, Answers>::new(&metric);
        let refused = all.push_segment(Segment::with_source(&answer, &[&Answers(vec![])], None));
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("no_answer_probability is") && message.contains("from 0 to 1"), "{message}");
        assert_eq!(*all.total(), State::zero(&metric));
    }
    assert!(Squad2Best::new(Squad2Score::F1, f64::NAN).is_err());
}

#[test]
fn nothing_observed_has_no_score() {
    let f1 = Accumulator::<_, str>::new(Squad2::new(Squad2Score::F1).unwrap());
    assert!(f1.score().unwrap_err().to_string().contains("no score"));
}

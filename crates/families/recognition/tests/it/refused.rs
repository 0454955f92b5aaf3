//! Tests of rejected data and options, with their messages, and of singular cases.

use std::sync::Arc;

use bleuprint_core::{Accumulator, Observe as _, Score as _, Segment};
use bleuprint_recognition::{AlignmentProgram, SpanRecall, Spans, SpokenText, TermCounts, TermList, Terms};
use serde_json::{Value, json};

use crate::{built, part, scored, scored_own};

#[test]
fn wrong_lists_and_options_are_refused() {
    for (name, words, message) in [
        ("bwer", "ann\nnew york\n", "the term `new york` has several"),
        ("term_cer", "new york\n", "the term `new york` has several"),
        ("terms", "a\tb\nc\n", "line 2: `c` and the terms before it"),
        ("terms:category=drug", "a\tname\n", "unknown category `drug`"),
        ("terms:like=sclite", "a", "unknown like `sclite`"),
    ] {
        let error = built(name, Some(words)).err().unwrap();
        assert!(error.contains(message), "{name}: {error}");
    }
    for (name, message) in
        [("ece:bins=0", "bins"), ("oracle_wer:k=0", "k is 0"), ("terms:words=no/file", "no/file")]
    {
        let error = built(name, None).err().unwrap();
        assert!(error.contains(message), "{name}: {error}");
    }
}

#[test]
fn classes_without_words_have_no_score_and_name_the_insertions() {
    let bwer = built("bwer", Some("ann")).unwrap();
    let error = scored(&bwer, &[["a ann b", "a b", ""]]).unwrap_err();
    assert!(error.contains("no word of the list; there are 1 insertion"), "{error}");
    assert_eq!(scored(&bwer, &[["", "ann", ""], ["", "", ""]]).unwrap().value(), 1.0);
    let terms = built("terms:of=f1", Some("ann")).unwrap();
    let error = scored(&terms, &[["a", "Ann", ""]]).unwrap_err();
    assert!(error.contains("0 times in the references") && error.contains("in the case"), "{error}");
}

#[test]
fn categories_and_terms_add_up() {
    let list = "new york\tplace\nann\tperson\nbob\tperson\n";
    let texts =
        [["ann saw new york", "ann saw new york", ""], ["an bob", "ann bob", ""], ["bob", "new york", ""]];
    for name in ["terms", "terms:per=term"] {
        let score = scored(&built(name, Some(list)).unwrap(), &texts).unwrap();
        assert_eq!(score.value(), 3.0 / 5.0);
        let of = |what: &str| {
            ["references", "hypotheses", "hits"].map(|name| part(&score, &format!("{what}{name}")).unwrap())
        };
        assert_eq!(
            (of(""), of("category.person."), of("category.place.")),
            ([5.0, 4.0, 3.0], [3.0, 3.0, 2.0], [2.0, 1.0, 1.0])
        );
        assert_eq!(part(&score, "category.place.error"), Some(0.5));
    }
    let person = scored(&built("terms:category=person,of=error", Some(list)).unwrap(), &texts).unwrap();
    assert_eq!(person.value(), 1.0 / 3.0);
}

#[test]
fn lists_of_hypotheses_may_be_empty_or_long() {
    let oracle = |name: &str, list: Value, text: &str| {
        scored_own(&built(name, None).unwrap(), &[(list, Some(json!(text)))])
    };
    let score = oracle("oracle_wer", json!([]), "a b").unwrap();
    assert_eq!((score.value(), part(&score, "empty")), (1.0, Some(1.0)));
    assert!(oracle("oracle_wer", json!(["a"]), " ").unwrap_err().contains("no word"));
    assert!(oracle("oracle_wer", json!(vec!["a"; 10_001]), "a").unwrap_err().contains("at most 10000"));
    for (k, expected) in [(1, 1.0), (2, 0.5), (3, 0.0), (9, 0.0)] {
        let score = oracle(&format!("oracle_wer:k={k}"), json!(["c d", "a d", "a b"]), "a b").unwrap();
        assert_eq!(score.value(), expected, "{k}");
    }
}

#[test]
fn confidences_and_times_out_of_range_are_refused() {
    let ece = built("ece", None).unwrap();
    for (hypothesis, message) in [
        (json!([["a", 1.5]]), "a confidence is 1.5, but must be from 0 to 1"),
        (json!([["a", -0.1]]), "a confidence is -0.1"),
        (json!([["a"]]), "[word, confidence]"),
        (json!([]), "no word has a confidence"),
        (json!([[0.5, true]]), "right=given"),
    ] {
        let error = scored_own(&ece, &[(hypothesis, Some(json!("a")))]).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    assert!(scored_own(&ece, &[(json!([["a", 0.5]]), None)]).unwrap_err().contains("reference"));
    // A deleted word has no confidence.
    let score = scored_own(&ece, &[(json!([["a", 1], ["c", 0]]), Some(json!("a b d")))]).unwrap();
    assert_eq!((score.value(), part(&score, "deletions")), (0.0, Some(1.0)));
    let boundaries = built("boundaries", None).unwrap();
    let timed = |end: f64| json!([["a", 0, end]]);
    let error = scored_own(&boundaries, &[(timed(1e8), Some(timed(1.0)))]).unwrap_err();
    assert!(error.contains("the time of a word is 100000000"), "{error}");
    assert!(
        scored_own(&boundaries, &[(json!([]), Some(timed(1.0)))]).unwrap_err().contains("no word is right")
    );
}

#[test]
fn insertions_around_listed_words_are_heard_with_them() {
    for (like, hypothesis, edits, wrong) in [
        ("jiwer", "ann x", 0.0, 0.0),
        ("jiwer", "", 3.0, 1.0),
        ("jiwer", "an n x", 1.0, 1.0),
        ("jiwer", "b ann x", 2.0, 0.0),
        ("jiwer", "ann b x", 0.0, 0.0),
        ("texterrors", "ann b x", 2.0, 0.0),
        ("texterrors", "c ann b x", 2.0, 0.0),
        ("chardiff", "ann b x", 2.0, 0.0),
    ] {
        let metric = built(&format!("term_cer:like={like}"), None).unwrap();
        let score = scored(&metric, &[[hypothesis, "ann x", "ann"]]).unwrap();
        let found = ["edits", "wrong", "chars", "words"].map(|name| part(&score, name).unwrap());
        assert_eq!(found, [edits, wrong, 3.0, 1.0], "{like}: {hypothesis}");
    }
    let metric = built("term_cer", None).unwrap();
    assert!(scored(&metric, &[["a", "a", "b"]]).unwrap_err().contains("no word of the list"));
}

#[test]
fn counts_of_another_list_are_refused() {
    let list = TermList::parse("f", "ann\tperson\nrome\tplace\n").unwrap();
    let (metric, mut stats) = (Terms::new(Arc::new(list)), TermCounts::default());
    for words in [&["rome"][..], &["x"][..]] {
        let observed =
            metric.observe(&mut Default::default(), &mut stats, Segment::with_source(words, &[words], None));
        let message = observed.unwrap_err().to_string();
        assert!(message.contains("the row has 6 counts, but 0 are expected"), "{message}");
    }
}

#[test]
fn spans_are_within_their_reference_and_hit_as_a_whole() {
    let recall = |label: Option<&str>, spans: &[(usize, usize, &str)]| {
        let metric = SpanRecall::new(label.map(str::to_owned), AlignmentProgram::Jiwer);
        let mut all = Accumulator::<_, SpokenText, String, Spans>::new(metric);
        let (heard, reference) =
            (SpokenText("an saw new the york".to_owned()), "ann saw new york".to_owned());
        let spans = spans.iter().map(|&(start, end, label)| (start, end, label.to_owned())).collect();
        all.push_segment(Segment::with_source(&heard, &[&reference], Some(&spans)))
            .map_err(|error| error.to_string())?;
        all.score().map(|score| score.value()).map_err(|error| error.to_string())
    };
    let spans = [(0, 1, "person"), (1, 3, "x"), (2, 4, "place"), (3, 4, "x")];
    for (label, expected) in [(None, 0.5), (Some("x"), 1.0), (Some("place"), 0.0)] {
        assert_eq!(recall(label, &spans), Ok(expected), "{label:?}");
    }
    assert!(recall(Some("city"), &spans).unwrap_err().contains("no span that counts"));
    for (start, end) in [(1, 1), (3, 2), (0, 5), (4, 5)] {
        let error = recall(Some("x"), &[(start, end, "place")]).unwrap_err();
        assert!(error.contains(&format!("the span [{start}, {end}] `place`")), "{error}");
    }
}

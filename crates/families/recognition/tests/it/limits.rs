//! Long lists of hypotheses, and counts of another list of terms.

use std::sync::Arc;

use bleuprint_core::{Observe as _, Segment};
use bleuprint_recognition::{TermCounts, TermList, Terms};
use serde_json::json;

use crate::{built, scored_own};

#[test]
fn lists_of_hypotheses_have_a_limit() {
    let segment = (json!(vec!["a"; 10_001]), Some(json!("a")));
    let error = scored_own(&built("oracle_wer", None).unwrap(), &[segment]).unwrap_err();
    assert!(error.contains("at most 10000"), "{error}");
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

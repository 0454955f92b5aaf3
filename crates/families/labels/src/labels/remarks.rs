//! [`OnlyRemarks`]: finds labels of the option `only` that no segment has, which are likely misspelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::tally::LabelTally;

/// Labels of the option `only`, and whether a segment has each; shared by all copies of a metric.
#[derive(Debug, Clone, Default)]
pub(super) struct OnlyRemarks(Arc<SeenOnly>);

#[derive(Debug, Default)]
struct SeenOnly {
    /// `true` once a segment was observed.
    any: AtomicBool,
    labels: Vec<(String, AtomicBool)>,
}

impl OnlyRemarks {
    pub(super) fn new(only: &[String]) -> Self {
        let labels = only.iter().map(|label| (label.clone(), AtomicBool::new(false))).collect();
        OnlyRemarks(Arc::new(SeenOnly { any: AtomicBool::new(false), labels }))
    }

    /// Examines the labels of one segment.
    pub(super) fn look_at(&self, labels: &[(&str, LabelTally)]) {
        if self.0.labels.is_empty() {
            return;
        }
        self.0.any.store(true, Ordering::Relaxed);
        for (label, seen) in self.0.labels.iter().filter(|(_, seen)| !seen.load(Ordering::Relaxed)) {
            if labels.iter().any(|(own, _)| own == label) {
                seen.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Returns a sentence if segments were observed, and none of them has a label of the option.
    pub(super) fn sentences(&self) -> Vec<String> {
        let unseen = self.0.labels.iter().filter(|(_, seen)| !seen.load(Ordering::Relaxed));
        let unseen: Vec<String> = unseen.map(|(label, _)| format!("`{label}`")).collect();
        if unseen.is_empty() || !self.0.any.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let are = if unseen.len() == 1 { "occurs" } else { "occur" };
        vec![format!(
            "{} of only= {are} in no output and in no reference; labels are compared with case and white space",
            unseen.join(", ")
        )]
    }
}

#[cfg(test)]
#[test]
fn labels_that_no_segment_has_are_named() {
    let remarks = OnlyRemarks::new(&["a".to_owned(), "b".to_owned(), "c".to_owned()]);
    assert!(remarks.sentences().is_empty());
    remarks.look_at(&[("a", LabelTally::RIGHT), ("A", LabelTally::GOLD)]);
    assert!(remarks.sentences()[0].starts_with("`b`, `c` of only= occur in no output"));
    remarks.look_at(&[("b", LabelTally::RIGHT), ("c", LabelTally::GOLD)]);
    assert!(remarks.sentences().is_empty());
}

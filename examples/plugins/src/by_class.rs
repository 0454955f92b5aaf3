//! The mean recall of classes: exact match by label, where every class weighs the same.

use bleuprint::contract::*;
use bleuprint::metrics::{ByLabel, ExactMatch, LabelFrom};

fn by_class() -> ByLabel<ExactMatch, LabelFrom> {
    ByLabel::from(ExactMatch, LabelFrom::Reference)
}

pub const ENTRY: MetricEntry = MetricEntry::new("class_recall", "The mean of the recalls of classes", |_| {
    Ok(AnyMetric::over_text(by_class()))
});

#[test]
fn obeys_the_laws() {
    laws::check_any(&AnyMetric::over_text(by_class()));
}

/// Three of four are right, and of the rare class none.
#[test]
fn every_class_weighs_the_same() {
    let mut recall = bleuprint::Accumulator::<_, str>::new(by_class());
    for (found, class) in [("a", "a"), ("a", "a"), ("a", "a"), ("a", "b")] {
        recall.push(found, &[class]).unwrap();
    }
    assert_eq!(recall.score().unwrap().value(), 50.0);
}

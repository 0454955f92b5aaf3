//! Accuracy, and the mean of the F-scores of classes, over classes that are known: an enum, and a table of counts.

use bleuprint::contract::*;
use serde::Deserialize;

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    Negative,
    Neutral,
    Positive,
}

const CLASSES: usize = 3;

impl Form for Class {
    const NAME: &'static str = "sentiment";
    type Reference = Self;
    type Source = Self;
}

pub const ENTRY: MetricEntry =
    MetricEntry::new("classes", "Accuracy and the mean F-score of classes", |_| {
        let metric = Totals::new(
            Identity::new("classes", 1, Scale::UNIT).needing(|needs| needs.one_reference = true),
            |segment: Segment<'_, Class>| {
                let found = *segment.hypothesis;
                let class = *segment.one_reference("classes")?;
                let mut table = [0; CLASSES * CLASSES];
                table[class as usize * CLASSES + found as usize] = 1;
                Ok(table)
            },
            |table: &[u64; CLASSES * CLASSES], _| {
                let at = |class: usize, found: usize| table[class * CLASSES + found] as f64;
                let right: f64 = (0..CLASSES).map(|class| at(class, class)).sum();
                let all: f64 = table.iter().map(|count| *count as f64).sum();
                let f = |class: usize| {
                    let both: f64 = (0..CLASSES).map(|other| at(class, other) + at(other, class)).sum();
                    2.0 * at(class, class) / both.max(1.0)
                };
                Ok([right / all.max(1.0), (0..CLASSES).map(f).sum::<f64>() / CLASSES as f64])
            },
        );
        Ok(AnyMetric::for_own::<Class, _>(metric.headlines(&["accuracy", "macro_f"])))
    });

#[test]
fn obeys_the_laws() {
    laws::check_any_for(&ENTRY.build(&Default::default()).unwrap(), |raw| {
        let class = |at: usize| {
            [Class::Negative, Class::Neutral, Class::Positive]
                [raw.get(at).map_or(0, |byte| byte % 3) as usize]
        };
        (class(0), vec![class(1)], None::<Class>)
    });
}

//! The area under the curve of true against false positives: statistics that keep all values.
//!
//! It is the probability that a positive has a greater score than a negative; half of it among equals.

use bleuprint::contract::*;
use bleuprint::metrics::KeptRows;

form! { pub struct Example as "example" { score: f64, positive: bool } }

pub const ENTRY: MetricEntry = MetricEntry::new("auc", "The area under the curve", |_| {
    Ok(AnyMetric::for_own::<Example, _>(Totals::new(
        Identity::new("auc", 1, Scale::UNIT).reference_free(),
        |segment: Segment<'_, Example>| {
            let Example { score, positive } = *segment.hypothesis;
            KeptRows::from_row([score, f64::from(u8::from(positive))])
        },
        |kept: &KeptRows<2>, _| {
            let mut wins = 0.0;
            let mut positives = 0.0;
            let mut negatives = 0.0;
            // Ascending, the negatives of a score before its positives.
            let mut last = f64::NAN;
            let mut below = 0.0;
            for ([score, positive], times) in kept.iter() {
                if score != last {
                    (last, below) = (score, negatives);
                }
                if positive > 0.0 {
                    positives += times as f64;
                    wins += times as f64 * (below + negatives) / 2.0;
                } else {
                    negatives += times as f64;
                }
            }
            if positives * negatives > 0.0 {
                return Ok(wins / (positives * negatives));
            }
            Err(InputError::no_score("auc", "all examples are of one class"))
        },
    )))
});

#[test]
fn obeys_the_laws() {
    laws::check_any_for(&ENTRY.build(&Default::default()).unwrap(), |raw| {
        let example = Example {
            score: f64::from(raw.len() as u8 % 4),
            positive: raw.first().is_some_and(|one| one % 2 == 1),
        };
        (example, Vec::<Example>::new(), None::<Example>)
    });
}

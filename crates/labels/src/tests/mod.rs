//! The numbers of other programs: rows of this package, and recorded ones beside the checkout.

mod golden;
mod recorded;

use bleuprint_core::Score as _;
use bleuprint_registry::{AnyMetric, AnyScore, Registry};

fn built(name: &str) -> AnyMetric {
    Registry::from_entries(crate::ENTRIES)
        .unwrap()
        .build(name)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A part of a score, as a number.
fn part(score: &AnyScore, key: &str) -> f64 {
    let found = score.parts().into_iter().find(|part| part.key == key);
    match found.unwrap_or_else(|| panic!("no part {key}")).value {
        bleuprint_core::PartValue::Number(number) => number,
        bleuprint_core::PartValue::Count(count) => count as f64,
        other => panic!("{key}: {other:?}"),
    }
}

//! Tests of comparing two versions: the first look fixes the plan, and units must vary independently.

use bleuprint_inference::NumpyRandom;
use bleuprint_metrics::registry;
use bleuprint_track::{Ledger, VariationUnit, VersionsCompared, VersionsRequest, compare};

use crate::support::{add, event, fresh, hour, row};

fn request(unit: &str) -> VersionsRequest {
    VersionsRequest {
        stream: "support".to_owned(),
        versions: ["m2".to_owned(), "m1".to_owned()],
        metric: None,
        unit: VariationUnit::from_name(unit),
        alpha: 0.05,
        expect: 200,
    }
}

fn fill(ledger: &mut Ledger, hours: std::ops::Range<i64>, quality: [u32; 2]) {
    let mut random = NumpyRandom::new(hours.start as u128 + 5);
    let mut events = Vec::new();
    for number in hours {
        for (version, quality) in ["m1", "m2"].iter().zip(quality) {
            for part in 0..2 {
                let row = row(&mut random, 5, quality);
                let key = format!("{version}-{number}-{part}");
                events.push(event(key, hour(number), version, &format!("u{version}{number}"), &row));
            }
        }
    }
    add(ledger, events, false).unwrap();
}

fn compared(ledger: &Ledger, request: &VersionsRequest) -> Result<VersionsCompared, String> {
    compare(ledger, &registry(), request).map_err(|error| error.to_string())
}

#[test]
fn a_difference_is_seen_and_the_plan_stays() {
    let (_place, mut ledger) = fresh();
    fill(&mut ledger, 0..10, [70, 75]);
    let early = compared(&ledger, &request("event")).unwrap();
    assert_eq!((early.units, early.difference), ([20, 20], None));
    fill(&mut ledger, 10..30, [70, 75]);
    let first = compared(&ledger, &request("event")).unwrap().difference.unwrap();
    fill(&mut ledger, 30..150, [70, 75]);
    let later = compared(&ledger, &request("event")).unwrap();
    let difference = later.difference.unwrap();
    assert_eq!((difference.plan, later.units), (first.plan, [300, 300]));
    let [low, high] = difference.interval;
    assert!(low > 0.0 && low < difference.value && difference.value < high && difference.p_value < 0.01);
    let changed = VersionsRequest { expect: 500, ..request("event") };
    assert!(compared(&ledger, &changed).unwrap_err().contains("planned with alpha 0.05 and 200 units"));
    assert!(compared(&ledger, &request("bucket")).unwrap_err().contains("are events since its first look"));
}

#[test]
fn units_are_sums_and_no_unit_sees_both_versions() {
    let (_place, mut ledger) = fresh();
    fill(&mut ledger, 0..40, [70, 70]);
    assert_eq!(compared(&ledger, &request("lang")).unwrap().units, [40, 40]);
    let wrong = |request: VersionsRequest, words: &str| {
        let error = compared(&ledger, &request).unwrap_err();
        assert!(error.contains(words), "{error}");
    };
    wrong(request("user"), "has no label `user`, which is the unit");
    wrong(VersionsRequest { stream: "x".to_owned(), ..request("event") }, "no stream `x`; it has: support");
    let versions = ["m3".to_owned(), "m1".to_owned()];
    wrong(VersionsRequest { versions, ..request("event") }, "no version `m3` with `bleu`; it has: m1, m2");
    wrong(VersionsRequest { metric: Some("chrf".to_owned()), ..request("event") }, "has no `chrf`");
    let mut random = NumpyRandom::new(1);
    let row = row(&mut random, 5, 70);
    add(
        &mut ledger,
        vec![event("x", hour(40), "m1", "um20", &row), event("y", hour(40), "m2", "um20", &row)],
        false,
    )
    .unwrap();
    assert!(compared(&ledger, &request("lang")).unwrap_err().contains("has seen both versions"));
}

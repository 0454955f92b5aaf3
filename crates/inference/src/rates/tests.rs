//! Golden rows of `crates/testkit/data/intervals`, and properties of the closed forms.

use quickcheck::{TestResult, quickcheck};
use serde::Deserialize;

use crate::{PairedRates, Power, UnitMeans, UnpairedRates};

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Row {
    Paired {
        n: u64,
        only_first: u64,
        only_second: u64,
        level: f64,
        difference: f64,
        tango: [f64; 2],
        interval: [f64; 2],
        p_exact: f64,
    },
    Unpaired {
        first: [u64; 2],
        second: [u64; 2],
        level: f64,
        difference: f64,
        interval: [f64; 2],
        p: f64,
    },
    Units {
        level: f64,
        units: Vec<[f64; 3]>,
        difference: f64,
        standard_error: f64,
        interval: [f64; 2],
        p: f64,
    },
}

fn close(what: &str, line: &str, got: &[f64], expected: &[f64]) {
    for (got, expected) in got.iter().zip(expected) {
        assert!((got - expected).abs() <= 1e-12, "{what}: {got}, but {expected} is right: {line}");
    }
}

#[test]
fn golden_rows_hold_to_twelve_places() {
    let mut kinds = [0; 3];
    for line in bleuprint_testkit::intervals().lines() {
        match serde_json::from_str(line).unwrap() {
            Row::Paired { n, only_first, only_second, level, difference, tango, interval, p_exact } => {
                let rates = PairedRates::new(n, only_first, only_second).unwrap();
                close("difference", line, &[rates.difference()], &[difference]);
                close("tango", line, &rates.tango(level), &tango);
                close("interval", line, &rates.interval(level), &interval);
                close("p", line, &[rates.p_value()], &[p_exact]);
                kinds[0] += 1;
            }
            Row::Unpaired { first, second, level, difference, interval, p } => {
                let rates = UnpairedRates::new(first, second).unwrap();
                close("difference", line, &[rates.difference()], &[difference]);
                close("interval", line, &rates.interval(level), &interval);
                close("p", line, &[rates.p_value()], &[p]);
                kinds[1] += 1;
            }
            Row::Units { level, units, difference, standard_error, interval, p } => {
                let means = UnitMeans::new(&units, Some(1.0)).unwrap();
                close("difference", line, &[means.difference()], &[difference]);
                close("standard error", line, &[means.standard_error()], &[standard_error]);
                close("interval", line, &means.interval(level).unwrap(), &interval);
                close("p", line, &[means.p_value()], &[p]);
                kinds[2] += 1;
            }
        }
    }
    assert_eq!(kinds, [188, 182, 60]);
}

quickcheck! {
    fn paired_p_and_interval_agree(n: u16, b: u8, c: u8) -> TestResult {
        let (n, b, c) = (u64::from(n) % 900 + 1, u64::from(b), u64::from(c));
        if b + c > n {
            return TestResult::discard();
        }
        let rates = PairedRates::new(n, b, c).unwrap();
        let [lower, upper] = rates.interval(0.95);
        let inside = lower <= rates.difference() && rates.difference() <= upper && lower < upper;
        let excludes = lower > 0.0 || upper < 0.0;
        TestResult::from_bool(inside && excludes == (rates.p_value() < 0.05))
    }

    fn unpaired_p_and_interval_agree(x1: u8, n1: u8, x2: u8, n2: u8) -> TestResult {
        let side = |x: u8, n: u8| [u64::from(x) % (u64::from(n) + 2), u64::from(n) + 1];
        let rates = UnpairedRates::new(side(x1, n1), side(x2, n2)).unwrap();
        let [lower, upper] = rates.interval(0.95);
        let inside = lower <= rates.difference() && rates.difference() <= upper && lower >= -1.0 && upper <= 1.0;
        let excludes = lower > 0.0 || upper < 0.0;
        TestResult::from_bool(inside && excludes == (rates.p_value() < 0.05))
    }

    fn unit_means_p_and_interval_agree(units: Vec<(u8, u8, u8)>) -> TestResult {
        if units.len() < 2 {
            return TestResult::discard();
        }
        let sums = |&(n, a, b): &(u8, u8, u8)| {
            let n = f64::from(n % 9 + 1);
            [n, f64::from(a) % (n + 1.0), f64::from(b) % (n + 1.0)]
        };
        let means = UnitMeans::new(&units.iter().map(sums).collect::<Vec<_>>(), Some(1.0)).unwrap();
        let [lower, upper] = means.interval(0.95).unwrap();
        let excludes = lower > 0.0 || upper < 0.0;
        TestResult::from_bool(excludes == (means.p_value() < 0.05))
    }
}

#[test]
fn the_smallest_difference_is_never_zero() {
    let power = Power::default();
    for (n, expected) in [(20, 0.383), (50, 0.166), (164, 0.053), (400, 0.022)] {
        let smallest = PairedRates::new(n, 0, 0).unwrap().smallest_difference(&power);
        assert!((smallest - expected).abs() < 6e-4, "{n}: {smallest}");
    }
    let rates = |differ| PairedRates::new(100, differ, 0).unwrap().smallest_difference(&power);
    assert!((0..100).all(|differ| rates(differ) <= rates(differ + 1)));
}

#[test]
fn units_without_spread_have_the_sign_test() {
    let equal = UnitMeans::new(&[[2.0, 1.0, 1.0]; 10], Some(1.0)).unwrap();
    let z2 = 1.959963984540054_f64.powi(2);
    assert_eq!(equal.p_value(), 1.0);
    assert!((equal.interval(0.95).unwrap()[1] - z2 / (10.0 + z2)).abs() < 1e-15);
    assert_eq!(UnitMeans::new(&[[2.0, 1.0, 1.0]; 10], None).unwrap().interval(0.95), None);
    let constant = UnitMeans::new(&[[2.0, 2.0, 1.0]; 10], Some(1.0)).unwrap();
    assert_eq!((constant.p_value(), constant.interval(0.95)), (1.0 / 512.0, Some([0.5, 0.5])));
    let few = UnitMeans::new(&[[2.0, 2.0, 1.0]; 4], Some(1.0)).unwrap();
    assert_eq!((few.p_value(), few.interval(0.95)), (0.125, Some([0.0, 0.5])));
    let one = UnitMeans::new(&[[2.0, 2.0, 1.0]], Some(1.0)).unwrap();
    assert!(one.p_value().is_nan() && one.interval(0.95).is_none());
    assert!(UnitMeans::new(&[[0.0, 0.0, 0.0]], None).is_err());
}

#[test]
fn the_nine_cells_of_the_old_interval_are_covered() {
    // Segments, and the probabilities that the first or the second alone is right.
    let cells = [
        (20, 0.05, 0.0),
        (50, 0.3, 0.05),
        (100, 0.1, 0.02),
        (164, 0.06, 0.01),
        (240, 0.03, 0.0),
        (400, 0.05, 0.0),
        (400, 0.05, 0.015),
        (1000, 0.05, 0.0),
        (1000, 0.1, 0.1),
    ];
    for (n, first, second) in cells {
        let coverage = coverage(n, first, second);
        assert!(coverage >= 0.93, "{n} {first} {second}: {coverage}");
    }
}

/// Returns the exact probability that the 95 % interval holds the true difference, by enumerating what can be
/// seen.
fn coverage(n: u64, first: f64, second: f64) -> f64 {
    let binomial = |k: u64, l: u64, p: f64| crate::distribution::binomial(k as f64, l as f64, p, 1.0 - p);
    let (truth, mut held) = (first - second, 0.0);
    for b in 0..=n {
        let of_first = binomial(b, n - b, first);
        if of_first < 1e-9 {
            continue;
        }
        for c in 0..=n - b {
            let of_second = binomial(c, n - b - c, second / (1.0 - first));
            if of_second < 1e-9 {
                continue;
            }
            let [lower, upper] = PairedRates::new(n, b, c).unwrap().interval(0.95);
            if lower <= truth && truth <= upper {
                held += of_first * of_second;
            }
        }
    }
    held
}

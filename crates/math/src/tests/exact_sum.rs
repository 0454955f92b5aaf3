//! Compares the exact sum with fractions of integers, for any values, order and grouping, and for extremes.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use quickcheck::{Arbitrary, Gen, QuickCheck};

use crate::{ExactSum, SumError};

/// A value that a sum holds: any sign, any exponent from `2^-140` up, with few or many bits, and some common
/// scores.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Held(f64);

impl Arbitrary for Held {
    fn arbitrary(g: &mut Gen) -> Self {
        let exponent = 2f64.powi(g.choose(&(-140..63).collect::<Vec<i32>>()).copied().unwrap_or(0));
        let fraction = f64::from_bits(1f64.to_bits() | u64::arbitrary(g) >> 12);
        let magnitude = match u8::arbitrary(g) % 8 {
            0 => 0.0,
            1 => exponent,
            2 => f64::from(u8::arbitrary(g)) / 255.0,
            3 => 100.0 * f64::from(u8::arbitrary(g)) / 255.0,
            4 => exponent * f64::from_bits((2f64.to_bits() - 1) & !0xff),
            5 => (exponent * fraction).trunc(),
            _ => exponent * fraction,
        };
        Held(if bool::arbitrary(g) { magnitude } else { -magnitude })
    }
}

fn sum(values: &[Held]) -> ExactSum {
    let mut sum = ExactSum::default();
    for value in values {
        sum.add(value.0).unwrap();
    }
    sum
}

fn combine(left: ExactSum, right: ExactSum, apply: fn(u64, u64) -> Option<u64>) -> ExactSum {
    let mut columns = left.columns;
    for (left, right) in columns.iter_mut().zip(&right.columns) {
        *left = apply(*left, *right).unwrap();
    }
    ExactSum::try_from(columns).unwrap()
}

fn exact(value: f64) -> BigRational {
    BigRational::from_float(value).unwrap()
}

fn naive_sum(values: &[Held]) -> BigRational {
    values.iter().fold(exact(0.0), |sum, value| sum + exact(value.0))
}

/// Returns `true` if no other `f64` is nearer to `truth`; of two equally near ones, `rounded` must be the
/// even one.
fn is_nearest(rounded: f64, truth: &BigRational) -> bool {
    let distance = |candidate: f64| {
        let difference = exact(candidate) - truth;
        if difference < exact(0.0) { -difference } else { difference }
    };
    [rounded.next_up(), rounded.next_down()].into_iter().all(|other| {
        match distance(rounded).cmp(&distance(other)) {
            Ordering::Less => true,
            Ordering::Equal => rounded.to_bits() & 1 == 0,
            Ordering::Greater => false,
        }
    })
}

fn check(tests: u64, size: usize, property: impl quickcheck::Testable) {
    QuickCheck::new().rng(Gen::new(size)).tests(tests).quickcheck(property);
}

#[test]
fn sums_and_means_are_rounded_once() {
    fn property(values: Vec<Held>, divisor: u64) -> bool {
        let sum = sum(&values);
        let truth = naive_sum(&values);
        let divisors = [divisor.max(1), u64::MAX, values.len().max(1) as u64];
        is_nearest(sum.to_f64(), &truth)
            && divisors.iter().all(|&divisor| {
                let quotient = &truth / BigRational::from_integer(BigInt::from(divisor));
                is_nearest(sum.mean(divisor), &quotient)
            })
    }
    check(20_000, 12, property as fn(Vec<Held>, u64) -> bool);
    check(200, 300, property as fn(Vec<Held>, u64) -> bool);
}

#[test]
fn cancellation_leaves_what_is_left() {
    fn property(kept: Held, cancelled: Vec<Held>) -> bool {
        let opposite = cancelled.iter().map(|value| Held(-value.0));
        let values: Vec<Held> = cancelled.iter().copied().chain([kept]).chain(opposite).collect();
        sum(&values).to_f64() == kept.0
    }
    check(2_000, 50, property as fn(Held, Vec<Held>) -> bool);
}

#[test]
fn order_and_grouping_leave_the_columns_alone() {
    fn property(values: Vec<Held>, cut: usize, rotation: usize) -> bool {
        let (left, right) = values.split_at(cut % (values.len() + 1));
        let mut turned = values.clone();
        turned.rotate_left(rotation % values.len().max(1));
        let first = sum(left);
        let second = sum(right);
        let whole = sum(&values);
        let merged = combine(first, second, u64::checked_add);
        whole == merged
            && whole == sum(&turned)
            && whole == combine(second, first, u64::checked_add)
            && combine(whole, second, u64::checked_sub) == first
            && whole.count() == values.len() as u64
    }
    check(2_000, 60, property as fn(Vec<Held>, usize, usize) -> bool);
}

#[test]
fn a_sum_of_nothing_is_zero() {
    assert_eq!(ExactSum::default().to_f64().to_bits(), 0f64.to_bits());
    assert_eq!(ExactSum::default().mean(3).to_bits(), 0f64.to_bits());
    assert!(ExactSum::default().mean(0).is_nan());
    assert_eq!(sum(&[Held(-0.0)]), sum(&[Held(0.0)]));
}

#[test]
fn the_limits_are_held_and_what_is_beyond_is_refused() {
    let unit = 2f64.powi(-192);
    for held in [
        2f64.powi(63).next_down(),
        2f64.powi(31),
        9.75e18_f64.next_down() / 2.0,
        2f64.powi(-140),
        unit,
        3.0 * unit,
        2f64.powi(-140).next_up(),
    ] {
        for value in [held, -held] {
            assert_eq!(sum(&[Held(value)]).to_f64(), value);
            assert_eq!(ExactSum::nearest(value), value);
        }
    }
    let tiny = f64::from_bits(1);
    let beyond = [
        2f64.powi(63),
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
        tiny,
        unit / 2.0,
        1.5 * unit,
        2f64.powi(-140).next_down(),
    ];
    let mut sum = sum(&[Held(1.0)]);
    for value in beyond.into_iter().flat_map(|value| [value, -value]) {
        let error = sum.add(value).unwrap_err();
        assert!(matches!(error, SumError::Value { .. }), "{value:e}: {error}");
        assert_eq!((sum.count(), sum.to_f64()), (1, 1.0));
    }
    assert_eq!(
        sum.add(1e-100).unwrap_err().to_string(),
        "a value to sum is 1e-100, but must be 0 or at least 2^-140 in magnitude, or a multiple of 2^-192"
    );
}

/// The way for usual values adds the same digits as the way for all values, also at its limits.
#[test]
fn both_ways_to_add_agree() {
    fn agree(start: ExactSum, value: f64) -> bool {
        let mut one = start;
        let mut other = start;
        one.add(value) == other.add_any(value) && one == other
    }
    fn property(values: Vec<Held>, value: Held, column: u8, high: u64) -> bool {
        let start = sum(&values);
        let mut full = start;
        full.columns[usize::from(column) % 9] = u64::MAX - high % (1 << 34);
        agree(start, value.0) && agree(full, value.0)
    }
    check(20_000, 10, property as fn(Vec<Held>, Held, u8, u64) -> bool);
    let limits = [2f64.powi(-140), 2f64.powi(-139), 1.0, 2f64.powi(31), 2f64.powi(63), 0.0];
    for limit in limits {
        for value in [limit, limit.next_down(), limit.next_up()] {
            assert!(agree(ExactSum::default(), value) && agree(ExactSum::default(), -value), "{value:e}");
        }
    }
}

#[test]
fn rounding_to_what_can_be_held_is_to_the_nearest() {
    let unit = 2f64.powi(-192);
    let ties = [(0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (0.5f64.next_up(), 1.0), (0.5f64.next_down(), 0.0)];
    for (given, expected) in ties.into_iter().chain([(0.0, 0.0), (1e-300, 0.0), (7.75, 8.0)]) {
        assert_eq!(ExactSum::nearest(given * unit), expected * unit, "{given}");
        assert_eq!(ExactSum::nearest(-given * unit), -expected * unit, "{given}");
    }
    assert!(ExactSum::nearest(f64::NAN).is_nan());
    assert_eq!(ExactSum::nearest(f64::MAX), f64::MAX);

    fn property(bits: u64, exponent: u8) -> bool {
        let value = f64::from_bits(1f64.to_bits() | bits >> 12) * 2f64.powi(-100 - i32::from(exponent));
        let nearest = ExactSum::nearest(value);
        let error = exact(nearest) - exact(value);
        let limit = exact(2f64.powi(-193));
        ExactSum::default().add(nearest).is_ok() && error <= limit && -error <= limit
    }
    check(20_000, 10, property as fn(u64, u8) -> bool);
}

#[test]
fn more_values_than_a_column_holds_are_an_error() {
    // Every value adds to the count and to the two digits of the integer part.
    for (index, name) in [(0, "count"), (7, "digit_6"), (8, "digit_7")] {
        let mut columns = [5; 9];
        columns[index] = u64::MAX;
        let mut sum = ExactSum { columns };
        let error = sum.add(0.375).unwrap_err();
        assert!(matches!(error, SumError::Full { column, .. } if column == name), "{error}");
        assert_eq!(sum.columns, columns);
    }
}

#[test]
fn reading_out_never_panics() {
    fn property(columns: Vec<u64>, divisor: u64) -> bool {
        let mut row = [u64::MAX; 9];
        row.iter_mut().zip(&columns).for_each(|(column, given)| *column = *given);
        let sum = ExactSum { columns: row };
        let digits = row[1..].iter().rev().fold(BigInt::from(0), |sum, &digit| (sum << 32) + digit);
        let units = digits - (BigInt::from(row[0]) << 223) - (BigInt::from(row[0]) << 255);
        let truth = BigRational::new(units, BigInt::from(1) << 192);
        let quotient = &truth / BigRational::from_integer(BigInt::from(divisor.max(1)));
        is_nearest(sum.to_f64(), &truth) && is_nearest(sum.mean(divisor.max(1)), &quotient)
    }
    check(5_000, 16, property as fn(Vec<u64>, u64) -> bool);
    assert!(property(vec![], u64::MAX) && property(vec![u64::MAX, 0, 0, 0, 0, 0, 0, 0, 0], 1));
}

#[cfg(feature = "serde")]
#[test]
fn columns_that_no_values_have_are_refused() {
    let mut columns = sum(&[Held(1.0), Held(-0.25)]).columns;
    assert_eq!(serde_json::to_string(&sum(&[])).unwrap(), "[0,0,0,0,0,0,0,0,0]");
    let text = serde_json::to_string(&sum(&[Held(0.5)])).unwrap();
    assert_eq!(serde_json::from_str::<ExactSum>(&text).unwrap(), sum(&[Held(0.5)]));
    columns[3] = 2 * u64::from(u32::MAX) + 1;
    assert!(ExactSum::try_from(columns).unwrap_err().to_string().contains("digit_2"));
    assert!(serde_json::from_str::<ExactSum>(&serde_json::to_string(&columns).unwrap()).is_err());
    assert!(serde_json::from_str::<ExactSum>("[0,1,0,0,0,0,0,0,0]").is_err());
    assert!(serde_json::from_str::<ExactSum>("[0,0]").is_err());
}

#[cfg(feature = "serde")]
#[test]
fn sums_of_eight_columns_are_those_of_the_same_values_today() {
    // What the version before wrote: digits of the value and 2^31.
    fn narrow(values: &[Held]) -> [u64; 8] {
        let mut columns = [0; 8];
        for value in values {
            let mut digits: BigInt =
                (exact(value.0) * exact(2f64.powi(192))).to_integer() + (BigInt::from(1) << 223);
            columns[0] += 1;
            for column in &mut columns[1..] {
                let digit = &digits & BigInt::from(u32::MAX);
                *column += u64::try_from(digit).unwrap();
                digits >>= 32;
            }
            assert_eq!(digits, BigInt::from(0));
        }
        columns
    }
    fn property(values: Vec<Held>) -> bool {
        let small = |value: &Held| value.0.abs() < 2f64.powi(31);
        let values: Vec<Held> = values.into_iter().filter(small).collect();
        let text = serde_json::to_string(&narrow(&values)).unwrap();
        serde_json::from_str::<ExactSum>(&text).unwrap() == sum(&values)
    }
    check(5_000, 30, property as fn(Vec<Held>) -> bool);
    assert!(property(vec![Held(-0.5), Held(2f64.powi(31).next_down()), Held(-2f64.powi(31).next_down())]));
    // The limit of the ninth column, from above and from below.
    let top = |value: f64| sum(&[Held(value)]).columns[8];
    assert_eq!(
        [top(2f64.powi(63).next_down()), top(0.0), top(-2f64.powi(63).next_down())],
        [1 << 32, 1 << 31, 0]
    );
    let mut columns = sum(&[Held(1.0)]).columns;
    columns[8] = (1 << 32) + 1;
    let error = ExactSum::try_from(columns).unwrap_err().to_string();
    assert!(error.contains("`digit_7`") && error.contains("4294967296"), "{error}");
    // No more values than the ninth column holds.
    assert!(
        serde_json::from_str::<ExactSum>("[8589934592,0,0,0,0,0,0,0]")
            .unwrap_err()
            .to_string()
            .contains("digit_7")
    );
}

//! Tests of recorded bits with and without the instruction, against each other and against the C library; of
//! the tables against their formulas; and of exact sums.

mod exact_sum;
mod formulas;

use quickcheck::quickcheck;

use crate::fused::{Emulated, Fused, Instruction};
use crate::{exp, ln, pow, single};

/// Both paths; without the instruction in the processor, `mul_add` is the C library's, which is exact on the
/// platforms tested.
fn both<T: PartialEq + std::fmt::Debug>(one: impl Fn() -> T, other: impl Fn() -> T) -> T {
    let value = one();
    assert_eq!(value, other(), "the two paths differ");
    value
}

/// Returns the bits; all NaN values count as equal.
fn bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }
}

fn bits_f32(value: f32) -> u64 {
    u64::from(if value.is_nan() { f32::NAN.to_bits() } else { value.to_bits() })
}

fn ln_bits(x: f64) -> u64 {
    both(|| bits(ln::ln::<Instruction>(x)), || bits(ln::ln::<Emulated>(x)))
}

fn exp_bits(x: f64) -> u64 {
    both(|| bits(exp::exp::<Instruction>(x)), || bits(exp::exp::<Emulated>(x)))
}

fn pow_bits(x: f64, y: f64) -> u64 {
    both(|| bits(pow::pow::<Instruction>(x, y)), || bits(pow::pow::<Emulated>(x, y)))
}

#[test]
fn recorded_bits_on_both_paths() {
    let rows: Vec<Vec<&str>> = include_str!("../data/golden.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(rows.len(), 7368);
    for row in rows {
        let number = |text: &str| u64::from_str_radix(text, 16).unwrap();
        let argument = |at: usize| f64::from_bits(number(row[at]));
        let single = |at: usize| f32::from_bits(u32::try_from(number(row[at])).unwrap());
        let value = match row[0] {
            "ln" => ln_bits(argument(1)),
            "exp" => exp_bits(argument(1)),
            "pow" => pow_bits(argument(1), argument(2)),
            "ln_f32" => both(
                || bits_f32(single::ln_f32::<Instruction>(single(1))),
                || bits_f32(single::ln_f32::<Emulated>(single(1))),
            ),
            "exp_f32" => both(
                || bits_f32(single::exp_f32::<Instruction>(single(1))),
                || bits_f32(single::exp_f32::<Emulated>(single(1))),
            ),
            "fused" => {
                let [a, b, c] = [1, 2, 3].map(argument);
                both(|| bits(Instruction::fused(a, b, c)), || bits(Emulated::fused(a, b, c)))
            }
            other => panic!("unknown function {other}"),
        };
        let nan = if row[0].ends_with("f32") { u64::from(f32::NAN.to_bits()) } else { f64::NAN.to_bits() };
        let expected = row.last().unwrap();
        assert_eq!(value, if *expected == "nan" { nan } else { number(expected) }, "{row:?}");
    }
}

/// Returns numbers that are typical of scores: quotients in percent, logarithms, penalties, powers of
/// recalls.
fn as_in_scores(seed: u64) -> impl Iterator<Item = [f64; 3]> {
    let mut state = seed;
    let mut next = move || {
        // SplitMix64 (Steele et al. 2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    std::iter::repeat_with(move || {
        let total = next() % 1_000_000 + 1;
        let quotient = (next() % total + 1) as f64 / total as f64;
        [100.0 * quotient, -50.0 * quotient, f64::from_bits(next())]
    })
}

#[test]
fn the_paths_agree_on_random_numbers() {
    for [percent, negative, any] in as_in_scores(1).take(20_000) {
        for x in [percent, percent / 100.0, negative, any] {
            ln_bits(x);
            exp_bits(x);
        }
        pow_bits(percent / 100.0, 3.0);
        pow_bits(percent, negative / 50.0);
        pow_bits(percent, any);
    }
}

/// The C library whose bits are promised, on a processor with the instruction; elsewhere the recorded bits
/// must do.
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
#[test]
#[allow(clippy::disallowed_methods, reason = "the functions to compare with")]
fn bits_of_the_c_library() {
    if !std::arch::is_x86_feature_detected!("fma") {
        return;
    }
    for [percent, negative, any] in as_in_scores(2).take(200_000) {
        for x in [percent, percent / 100.0, negative, any] {
            assert_eq!(bits(crate::ln(x)), bits(x.ln()), "ln({x:e})");
            assert_eq!(bits(crate::exp(x)), bits(x.exp()), "exp({x:e})");
        }
        let x = percent / 100.0;
        for y in [negative / 50.0, 3.0, 0.5, any] {
            assert_eq!(bits(crate::pow(x, y)), bits(x.powf(y)), "pow({x:e}, {y:e})");
        }
        let x = percent as f32;
        assert_eq!(bits_f32(crate::ln_f32(x)), bits_f32(x.ln()), "ln_f32({x:e})");
        assert_eq!(bits_f32(crate::exp_f32(-x)), bits_f32((-x).exp()), "exp_f32({:e})", -x);
    }
}

quickcheck! {
    fn near_zero_no_digits_are_lost(numerator: i32) -> bool {
        let x = f64::from(numerator) / 1e15;
        let close = |value: f64, expected: f64| (value - expected).abs() <= 1e-15 * expected.abs();
        // Four terms of the series are enough below 0.00001.
        close(crate::ln_1p(x), x - x * x / 2.0 + x * x * x / 3.0 - x * x * x * x / 4.0)
            && close(crate::exp_m1(x), x + x * x / 2.0 + x * x * x / 6.0 + x * x * x * x / 24.0)
    }
}

#[test]
fn ends_of_the_range() {
    assert_eq!(crate::exp_m1(f64::INFINITY), f64::INFINITY);
    assert_eq!(crate::exp_m1(f64::NEG_INFINITY), -1.0);
    assert_eq!(crate::ln_1p(f64::INFINITY), f64::INFINITY);
    assert_eq!(crate::ln_1p(-1.0), f64::NEG_INFINITY);
    assert!(crate::ln_1p(-1.5).is_nan() && crate::exp_m1(f64::NAN).is_nan());
}

//! Computes the constants that follow from formulas again, in integers of 400 bits.

use num_bigint::BigInt;

use crate::tables::{
    EXP_F32_T, EXP_INV_LN2_N, EXP_NEG_LN2_HI_N, EXP_NEG_LN2_LO_N, EXP_SCALE, EXP_TAIL, LN_F32_INV_C,
    LN_F32_LN2, LN_F32_LOG_C, LN_INV_C, LN_LOG_C, LN2_HI, LN2_LO, POW_INV_C, POW_LOG_C, POW_LOG_C_TAIL,
};

/// Number of binary places: a number is an integer times 2^-400.
const PLACES: u32 = 400;

fn one() -> BigInt {
    BigInt::from(1) << PLACES
}

fn product(a: &BigInt, b: &BigInt) -> BigInt {
    (a * b) >> PLACES
}

fn quotient(a: &BigInt, b: &BigInt) -> BigInt {
    (a << PLACES) / b
}

/// Converts a float, of a size that the tables have, exactly.
fn exact(value: f64) -> BigInt {
    let exponent = (value.to_bits() >> 52 & 0x7ff) as i64 - 1075;
    let digits = (value.to_bits() & ((1 << 52) - 1)) | 1 << 52;
    if value == 0.0 {
        return BigInt::ZERO;
    }
    let size = BigInt::from(digits) << u32::try_from(i64::from(PLACES) + exponent).unwrap();
    if value < 0.0 { -size } else { size }
}

/// Returns the nearest float; no number here is half-way between two floats.
fn rounded(value: &BigInt) -> f64 {
    let negative = *value < BigInt::ZERO;
    let size = if negative { -value } else { value.clone() };
    if size == BigInt::ZERO {
        return 0.0;
    }
    let dropped = u32::try_from(size.bits()).unwrap() - 53;
    let digits = (size + (BigInt::from(1) << (dropped - 1))) >> dropped;
    let digits = u64::try_from(digits).unwrap() as f64;
    let scaled = digits * f64::from_bits((1023 + u64::from(dropped) - u64::from(PLACES)) << 52);
    if negative { -scaled } else { scaled }
}

/// Computes `ln x` as `2 atanh((x - 1) / (x + 1))`.
fn ln(x: &BigInt) -> BigInt {
    let y = quotient(&(x - one()), &(x + one()));
    let square = product(&y, &y);
    let mut sum = BigInt::ZERO;
    let mut power = y;
    let mut odd = 1;
    while power != BigInt::ZERO && power != BigInt::from(-1) {
        sum += &power / odd;
        power = product(&power, &square);
        odd += 2;
    }
    sum * 2
}

fn ln2() -> BigInt {
    ln(&(one() * 2))
}

/// Computes 2^(i/n) for a power of two `n`, by square roots.
fn roots(n: u32) -> Vec<BigInt> {
    let mut root = one() * 2;
    for _ in 0..n.ilog2() {
        let shifted: BigInt = root << PLACES;
        root = shifted.sqrt();
    }
    let mut powers = vec![one()];
    for _ in 1..n {
        powers.push(product(powers.last().unwrap(), &root));
    }
    powers
}

#[test]
fn powers_of_two() {
    for (at, power) in roots(128).iter().enumerate() {
        let nearest = rounded(power);
        assert_eq!(EXP_SCALE[at], nearest.to_bits().wrapping_sub((at as u64) << 45), "scale {at}");
        let tail = rounded(&(quotient(power, &exact(nearest)) - one()));
        assert_eq!(EXP_TAIL[at], if at == 0 { 0 } else { tail.to_bits() }, "tail {at}");
    }
    for (at, power) in roots(32).iter().enumerate() {
        assert_eq!(EXP_F32_T[at], rounded(power).to_bits().wrapping_sub((at as u64) << 47), "t {at}");
    }
}

#[test]
fn logarithms_of_two() {
    let ln2 = ln2();
    assert_eq!(EXP_INV_LN2_N, rounded(&quotient(&(one() * 128), &ln2)));
    assert_eq!(EXP_NEG_LN2_LO_N, rounded(&(-exact(EXP_NEG_LN2_HI_N) - &ln2 / BigInt::from(128))));
    assert_eq!(LN2_LO, rounded(&(&ln2 - exact(LN2_HI))));
    assert_eq!(LN_F32_LN2, rounded(&ln2));
}

/// Splits `-ln c` into a multiple of 2^-43 and the rest.
fn split(inverse: u64) -> (f64, f64) {
    let value = -ln(&exact(f64::from_bits(inverse)));
    let unit = PLACES - 43;
    let high = ((&value + (BigInt::from(1) << (unit - 1))) >> unit) << unit;
    (rounded(&high), rounded(&(&value - &high)))
}

#[test]
fn logarithms_of_the_points() {
    for at in 0..128 {
        assert_eq!(f64::from_bits(LN_LOG_C[at]), split(LN_INV_C[at]).0, "ln {at}");
        let (high, low) = split(POW_INV_C[at]);
        assert_eq!(
            (f64::from_bits(POW_LOG_C[at]), f64::from_bits(POW_LOG_C_TAIL[at])),
            (high, low),
            "pow {at}"
        );
    }
    for at in 0..16 {
        let value = rounded(&-ln(&exact(f64::from_bits(LN_F32_INV_C[at]))));
        assert_eq!(f64::from_bits(LN_F32_LOG_C[at]), value, "ln_f32 {at}");
    }
}

#[test]
fn points_of_powers_have_few_bits() {
    for (at, &inverse) in POW_INV_C.iter().enumerate() {
        // The centre of the interval, as the first one begins at 0x3fe69555 and 128 make a factor of two.
        let bits = 0x3fe6_9555_0000_0000_u64 + ((at as u64) << 45) + (1 << 44);
        let centre = f64::from_bits(bits);
        let expected =
            if centre < 1.0 { (128.0 / centre).round() / 128.0 } else { (256.0 / centre).round() / 256.0 };
        // At 1 the table has 1, so that the logarithm of 1 is 0.
        assert_eq!(f64::from_bits(inverse), expected, "{at}");
    }
}

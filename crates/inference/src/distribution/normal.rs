//! Tail probability and quantile of the standard normal distribution.

use bleuprint_math::{exp, ln};

/// Returns the probability that a standard normal variable exceeds `x`. It has about 14 correct digits even
/// if it is tiny. Returns NaN for NaN.
///
/// For `x` below 2.5 the function uses the power series of the distribution function (DLMF 7.6.2). For larger
/// `x` it uses the continued fraction of Mills' ratio, with the normal density `φ`:
/// `φ(x)/(x + 1/(x + 2/(x + ..)))` (DLMF 7.9.1).
pub(crate) fn normal_tail(x: f64) -> f64 {
    if x < 0.0 {
        return 1.0 - normal_tail(-x);
    }
    let density = exp(-0.5 * x * x) / core::f64::consts::TAU.sqrt();
    // The series is subtracted from a half, so its relative error grows with x. The fraction converges the
    // faster the larger x is. At 2.5 both still have about 14 digits.
    if x < 2.5 {
        let mut term = x;
        let mut sum = x;
        let mut odd = 1.0;
        while term > 1e-18 {
            odd += 2.0;
            term *= x * x / odd;
            sum += term;
        }
        return 0.5 - sum * density;
    }
    // From the inside out. A fixed depth of 120 is enough at 2.5, the slowest case.
    let fraction = (1..120).rev().fold(x, |rest, step| x + f64::from(step) / rest);
    density / fraction
}

/// Returns the value that a standard normal variable does not exceed with this probability, by algorithm AS
/// 241 (Wichura 1988), to about 16 digits. It is infinite at 0 and 1, and NaN outside this range.
pub(crate) fn normal_quantile(probability: f64) -> f64 {
    let centred = probability - 0.5;
    // AS 241 has three rational approximations: the centre (A over B), and the tails by the root of −ln p, up
    // to 5 (C over D) and beyond (E over F). All constants are from the paper.
    if centred.abs() <= 0.425 {
        let square = 0.425 * 0.425 - centred * centred;
        return centred * polynomial(&A, square) / polynomial(&B, square);
    }
    let tail = if centred < 0.0 { probability } else { 1.0 - probability };
    if tail < 0.0 || tail.is_nan() {
        return f64::NAN;
    }
    if tail == 0.0 {
        return f64::INFINITY.copysign(centred);
    }
    let depth = (-ln(tail)).sqrt();
    let quantile = if depth <= 5.0 {
        polynomial(&C, depth - 1.6) / polynomial(&D, depth - 1.6)
    } else {
        polynomial(&E, depth - 5.0) / polynomial(&F, depth - 5.0)
    };
    quantile.copysign(centred)
}

/// Returns the value of a polynomial by Horner's scheme. The coefficients begin with the constant.
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |value, coefficient| value * x + coefficient)
}

const A: [f64; 8] = [
    3.387_132_872_796_366_5,
    133.141_667_891_784_38,
    1_971.590_950_306_551_3,
    13_731.693_765_509_46,
    45_921.953_931_549_87,
    67_265.770_927_008_7,
    33_430.575_583_588_13,
    2_509.080_928_730_122_7,
];
const B: [f64; 8] = [
    1.0,
    42.313_330_701_600_91,
    687.187_007_492_057_9,
    5_394.196_021_424_751,
    21_213.794_301_586_597,
    39_307.895_800_092_71,
    28_729.085_735_721_943,
    5_226.495_278_852_545,
];
const C: [f64; 8] = [
    1.423_437_110_749_683_5,
    4.630_337_846_156_546,
    5.769_497_221_460_691,
    3.647_848_324_763_204_5,
    1.270_458_252_452_368_4,
    0.241_780_725_177_450_6,
    0.022_723_844_989_269_184,
    7.745_450_142_783_414e-4,
];
const D: [f64; 8] = [
    1.0,
    2.053_191_626_637_759,
    1.676_384_830_183_803_8,
    0.689_767_334_985_1,
    0.148_103_976_427_480_08,
    0.015_198_666_563_616_457,
    5.475_938_084_995_345e-4,
    1.050_750_071_644_416_9e-9,
];
const E: [f64; 8] = [
    6.657_904_643_501_103,
    5.463_784_911_164_114,
    1.784_826_539_917_291_3,
    0.296_560_571_828_504_87,
    0.026_532_189_526_576_124,
    0.001_242_660_947_388_078_4,
    2.711_555_568_743_487_6e-5,
    2.010_334_399_292_288_1e-7,
];
const F: [f64; 8] = [
    1.0,
    0.599_832_206_555_888,
    0.136_929_880_922_735_8,
    0.014_875_361_290_850_615,
    7.868_691_311_456_133e-4,
    1.846_318_317_510_054_8e-5,
    1.421_511_758_316_446e-7,
    2.044_263_103_389_939_8e-15,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_tables() {
        // statistics.NormalDist().inv_cdf of CPython 3.11.
        let known = [
            (0.5, 0.0),
            (0.8, 0.841_621_233_572_914_4),
            (0.95, 1.644_853_626_951_472_6),
            (0.025, -1.959_963_984_540_054),
            (1e-9, -5.997_807_015_007_686),
            (1e-20, -9.262_340_089_798_407),
            (0.999_999, 4.753_424_308_817_087),
        ];
        for (probability, quantile) in known {
            let got = normal_quantile(probability);
            assert!((got - quantile).abs() <= 1e-12 * quantile.abs().max(1.0), "{probability}: {got}");
        }
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
        assert!(normal_quantile(1.1).is_nan() && normal_quantile(f64::NAN).is_nan());
    }

    #[test]
    fn tails_are_those_of_scipy() {
        // scipy.stats.norm.sf of 1.17.1.
        let known = [
            (-8.0, 0.999_999_999_999_999_3),
            (-1.0, 0.841_344_746_068_542_9),
            (0.5, 0.308_537_538_725_986_9),
            (1.96, 0.024_997_895_148_220_435),
            (4.0, 3.167_124_183_311_986e-5),
            (8.0, 6.220_960_574_271_74e-16),
            (12.0, 1.776_482_112_077_653e-33),
        ];
        for (x, tail) in known {
            assert!((normal_tail(x) - tail).abs() < 1e-13 * tail, "{x}: {}", normal_tail(x));
        }
        assert!(normal_tail(f64::NAN).is_nan());
        assert_eq!((normal_tail(f64::INFINITY), normal_tail(f64::NEG_INFINITY)), (0.0, 1.0));
    }

    #[test]
    fn the_two_ways_meet() {
        assert!((normal_tail(2.5) / normal_tail(2.5 - 1e-15) - 1.0).abs() < 1e-13);
    }

    #[test]
    fn a_tail_of_one_fortieth() {
        assert!((normal_tail(1.959963984540054) - 0.025).abs() < 1e-16);
        assert_eq!(normal_tail(0.0), 0.5);
    }

    #[test]
    fn the_quantile_of_that_tail() {
        assert!((normal_quantile(0.975) - 1.959963984540054).abs() < 1e-15);
    }
}

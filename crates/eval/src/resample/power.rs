//! Standard errors without resampling, and what difference a test set can show.

use bleuprint_core::Result;

use super::rows::subtract_row;
use super::{Finish, Rows};

/// The scores that remain when one segment at a time is left out.
///
/// `score(all) − score(without it)` is the contribution of a segment in points, exact, by subtraction.
///
/// # Errors
/// [`CountRange`](bleuprint_core::InputErrorKind::CountRange) when the counts do not fit 64 bits.
///
/// ```
/// use bleuprint_eval::resample::{Rows, leave_one_out};
/// let rows = Rows::new(2, vec![1, 2, 2, 2]).unwrap();
/// let percent = |row: &[u64]| 100.0 * row[0] as f64 / row[1] as f64;
/// assert_eq!(leave_one_out(&rows, &percent).unwrap(), [100.0, 50.0]);
/// ```
pub fn leave_one_out(rows: &Rows, finish: &Finish<'_>) -> Result<Vec<f64>> {
    let total = rows.total()?;
    let mut rest = total.clone();
    let without = |row: &[u64]| {
        rest.copy_from_slice(&total);
        subtract_row(&mut rest, row)?;
        Ok(finish(&rest))
    };
    rows.iter().map(without).collect()
}

/// The jackknife's standard error of a score, or of the difference of two scores on the same segments, from what
/// [`leave_one_out`] gives: `√((n − 1)/n · Σ (x_i − mean x)²)`. 0 for fewer than two segments.
///
/// To first order it is the standard error of the bootstrap, in one pass and without chance.
pub fn standard_error(left_out: &[f64]) -> f64 {
    let count = left_out.len() as f64;
    if left_out.len() < 2 {
        return 0.0;
    }
    let mean = left_out.iter().sum::<f64>() / count;
    let squares: f64 = left_out.iter().map(|value| (value - mean) * (value - mean)).sum();
    ((count - 1.0) / count * squares).sqrt()
}

/// How sure a test is to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Power {
    /// The probability of finding a difference that does not exist.
    pub significance: f64,
    /// Whether differences in both directions count.
    pub two_sided: bool,
    /// The probability of finding a difference of the size asked for.
    pub power: f64,
}

impl Default for Power {
    /// The field's habit: 5 %, both directions, 80 %.
    fn default() -> Self {
        Power { significance: 0.05, two_sided: true, power: 0.8 }
    }
}

impl Power {
    /// The smallest difference that such a test finds with this power, where differences have this standard error.
    ///
    /// ```
    /// use bleuprint_eval::resample::Power;
    /// let smallest = Power::default().smallest_difference(0.5);
    /// assert!((smallest - 1.4008).abs() < 1e-4);
    /// ```
    pub fn smallest_difference(&self, standard_error: f64) -> f64 {
        self.factor() * standard_error
    }

    /// How many segments like these would show a difference of this size; at least 1. `None` where no number would.
    pub fn segments_needed(&self, standard_error: f64, segments: usize, difference: f64) -> Option<u64> {
        let ratio = self.smallest_difference(standard_error) / difference.abs();
        let needed = (ratio * ratio * segments as f64).ceil();
        (needed.is_finite() && needed < 1e18).then_some((needed as u64).max(1))
    }

    fn factor(&self) -> f64 {
        let tail = if self.two_sided { self.significance / 2.0 } else { self.significance };
        normal_quantile(1.0 - tail) + normal_quantile(self.power)
    }
}

/// The value below which a standard normal variable lies with this probability: algorithm AS 241 (Wichura 1988), to
/// about 16 digits. Infinite at 0 and 1, NaN outside.
///
/// ```
/// use bleuprint_eval::resample::normal_quantile;
/// assert!((normal_quantile(0.975) - 1.959963984540054).abs() < 1e-15);
/// ```
pub fn normal_quantile(probability: f64) -> f64 {
    let centred = probability - 0.5;
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
    let depth = (-tail.ln()).sqrt();
    let quantile = if depth <= 5.0 {
        polynomial(&C, depth - 1.6) / polynomial(&D, depth - 1.6)
    } else {
        polynomial(&E, depth - 5.0) / polynomial(&F, depth - 5.0)
    };
    quantile.copysign(centred)
}

/// Coefficients from the constant up.
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
    fn the_standard_error_of_a_mean_is_the_textbook_one() {
        let values = [3_u64, 5, 8, 1, 9, 4];
        let rows = Rows::new(2, values.iter().flat_map(|&value| [value, 1]).collect()).unwrap();
        let mean = |row: &[u64]| row[0] as f64 / row[1] as f64;
        let mu = values.iter().sum::<u64>() as f64 / 6.0;
        let variance = values.iter().map(|&v| (v as f64 - mu).powi(2)).sum::<f64>() / 5.0;
        let error = standard_error(&leave_one_out(&rows, &mean).unwrap());
        assert!((error - (variance / 6.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_quarter_of_the_difference_needs_sixteen_times_the_segments() {
        let power = Power::default();
        let whole = power.segments_needed(0.5, 2000, 2.0).unwrap();
        let quarter = power.segments_needed(0.5, 2000, 0.5).unwrap();
        assert!(quarter.abs_diff(16 * whole) <= 16);
        assert_eq!(power.segments_needed(0.5, 2000, 0.0), None);
        assert_eq!(power.segments_needed(0.0, 2000, 1.0), Some(1));
    }
}

//! Regularized incomplete beta function, and the binomial probability that is a factor of it.

use bleuprint_math::{exp, ln, ln_1p};

/// Returns the regularized incomplete beta function `I_x(a, b)`, to about 14 digits. This is the probability
/// that a beta variable with `a, b > 0` is below `x`. It is 0 below 0 and 1 above 1. It is NaN if a parameter
/// is not positive and finite or `x` is NaN.
///
/// `I_x(a, b) = x^a (1 − x)^b / B(a, b) / (β_0 + α_1/(β_1 + α_2/(β_2 + ..)))`, the even part of the continued
/// fraction DLMF 8.17.22, by Lentz's method. It is used for `x < (a + 1)/(a + b + 2)`, for which it converges
/// fast; otherwise `1 − I_{1−x}(b, a)`.
///
/// The factor in front is a binomial probability that is computed without differences of large logarithms
/// (Loader 2000). The digits therefore hold for a million degrees of freedom.
pub(crate) fn beta_incomplete(a: f64, b: f64, x: f64) -> f64 {
    if !(a > 0.0 && b > 0.0 && a.is_finite() && b.is_finite()) || x.is_nan() {
        return f64::NAN;
    }
    of_complement(a, b, x, 1.0 - x)
}

/// Returns the regularized incomplete beta function `I_x(a, b)`. The caller passes `rest = 1 − x` too,
/// because the caller may know this number more precisely than `1 − x` can be computed.
pub(super) fn of_complement(a: f64, b: f64, x: f64, rest: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if rest <= 0.0 {
        return 1.0;
    }
    if x < (a + 1.0) / (a + b + 2.0) { below(a, b, x, rest) } else { 1.0 - below(b, a, rest, x) }
}

/// Returns the regularized incomplete beta function `I_x(a, b)`, computed by a continued fraction. `x` must
/// be in the range in which the fraction converges fast, and `rest` is `1 − x`. The terms are arranged so
/// that they do not cancel when `x` is close to 1.
fn below(a: f64, b: f64, x: f64, rest: f64) -> f64 {
    // Lentz's method divides by partial denominators. One that vanishes is replaced by a tiny number, which
    // does not change the limit.
    const LEAST: f64 = 1e-300;
    let away = |value: f64| if value.abs() < LEAST { LEAST } else { value };
    let part_of_denominator = |m: f64| {
        let shift = a * rest - b * x + 1.0 + m * (1.0 + rest);
        (a + m) * shift / (a + 2.0 * m + 1.0)
    };
    let mut fraction = away(part_of_denominator(0.0));
    let mut c = fraction;
    let mut d = 0.0;
    // The loop takes about √max(a, b) steps; the bound only stops it for extreme parameters.
    for m in (1..1_000_000).map(f64::from) {
        let scaled = x / (a + 2.0 * m - 1.0);
        let numerator = (a + m - 1.0) * (a + b + m - 1.0) * m * (b - m) * scaled * scaled;
        // The partial denominator β_m of the even part: two steps of the original fraction are contracted
        // into one.
        let own = m + m * (b - m) * scaled + part_of_denominator(m);
        d = 1.0 / away(own + numerator * d);
        c = away(own + numerator / c);
        fraction *= c * d;
        if (c * d - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    // x^a (1 − x)^b / B(a, b) = ab/(a + b) · C(a + b, a) x^a (1 − x)^b
    (a * b / (a + b) * binomial(a, b, x, rest) / fraction).clamp(0.0, 1.0)
}

/// Returns the binomial probability `C(k + l, k) p^k q^l` for any real `k, l ≥ 0`. The caller passes
/// `q = 1 − p` (Loader 2000).
pub(crate) fn binomial(k: f64, l: f64, p: f64, q: f64) -> f64 {
    if k == 0.0 || l == 0.0 {
        let (count, base, rest) = if k == 0.0 { (l, q, p) } else { (k, p, q) };
        // The logarithm comes from the smaller of p and q, which keeps all its digits.
        let log = if rest < 0.5 { ln_1p(-rest) } else { ln(base) };
        return if count == 0.0 { 1.0 } else { exp(count * log) };
    }
    if p <= 0.0 || q <= 0.0 {
        return 0.0;
    }
    let n = k + l;
    let exponent = stirling_error(n)
        - stirling_error(k)
        - stirling_error(l)
        - deviance(k, n * p, k * q - l * p)
        - deviance(l, n * q, l * p - k * q);
    exp(exponent) * (n / (core::f64::consts::TAU * k * l)).sqrt()
}

/// Returns `x ln(x/mean) + mean − x`, a term of the binomial probability (Loader 2000). The caller passes
/// `difference = x − mean`. For small differences a series replaces this formula, whose terms would cancel.
fn deviance(x: f64, mean: f64, difference: f64) -> f64 {
    if difference.abs() >= 0.1 * (x + mean) {
        return x * ln(x / mean) - difference;
    }
    // Loader's series in odd powers of (x − mean)/(x + mean); below 0.1 each term is at least 100 times
    // smaller than the one before, so the sum soon stops changing.
    let ratio = difference / (x + mean);
    let square = ratio * ratio;
    let mut sum = difference * ratio;
    let mut term = 2.0 * x * ratio;
    for odd in (3..200).step_by(2).map(f64::from) {
        term *= square;
        let next = sum + term / odd;
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// Returns the error of Stirling's formula at `x`: `ln Γ(x + 1) − (x + ½) ln x + x − ½ ln 2π`. It uses a
/// series from 16 on; smaller arguments are shifted up by `Γ(x + 1) = x Γ(x)`.
fn stirling_error(x: f64) -> f64 {
    let mut x = x;
    let mut sum = 0.0;
    while x < 16.0 {
        sum += (x + 0.5) * ln_1p(1.0 / x) - 1.0;
        x += 1.0;
    }
    // The first omitted term, 1/(156 x¹³), is below 2·10⁻¹⁸ from 16 on: less than the rounding of a double.
    let square = 1.0 / (x * x);
    const SERIES: [f64; 6] =
        [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1_260.0, -1.0 / 1_680.0, 1.0 / 1_188.0, -691.0 / 360_360.0];
    sum + SERIES.iter().rev().fold(0.0, |value, coefficient| value * square + coefficient) / x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_a_program_with_40_digits() {
        // mpmath 1.3: betainc(a, b, 0, x, regularized=True).
        let known = [
            (500.0, 500.0, 0.52, 0.897_082_472_693_004_3),
            (3.5, 0.5, 0.999, 0.935_632_268_844_022_4),
            (2000.0, 0.5, 4000.0 / (4000.0 + 2.3 * 2.3), 0.021_499_464_497_191_99),
            (500_000.0, 0.5, 1e6 / (1e6 + 2.3 * 2.3), 0.021_448_424_946_658_773),
        ];
        for (a, b, x, expected) in known {
            let got = beta_incomplete(a, b, x);
            assert!((got - expected).abs() < 1e-13 * expected.max(0.1), "{a} {b} {x}: {got}");
        }
    }

    #[test]
    fn arguments_outside_have_no_value() {
        assert!(beta_incomplete(0.0, 1.0, 0.5).is_nan() && beta_incomplete(1.0, f64::INFINITY, 0.5).is_nan());
        assert!(beta_incomplete(1.0, 1.0, f64::NAN).is_nan());
        assert_eq!((beta_incomplete(1.0, 1.0, -3.0), beta_incomplete(1.0, 1.0, 3.0)), (0.0, 1.0));
    }

    #[test]
    fn binomial_probabilities_add_up() {
        for p in [0.0, 0.01, 0.5, 0.75, 1.0] {
            let sum: f64 = (0..=30).map(|k| binomial(f64::from(k), f64::from(30 - k), p, 1.0 - p)).sum();
            assert!((sum - 1.0).abs() < 1e-14, "{p}: {sum}");
        }
        assert!((binomial(2.0, 3.0, 0.5, 0.5) - 10.0 / 32.0).abs() < 1e-15);
    }

    #[test]
    fn the_ends_and_a_polynomial() {
        assert!((beta_incomplete(2.0, 3.0, 0.1) - 0.0523).abs() < 1e-15);
        assert_eq!((beta_incomplete(2.0, 3.0, 0.0), beta_incomplete(2.0, 3.0, 1.0)), (0.0, 1.0));
    }
}

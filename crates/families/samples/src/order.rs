//! Computes the expected best and worst score of k samples, from the scores of all samples in ascending
//! order.

use crate::misses;

/// Returns the expected largest of `k` values: the mean, over all subsets of `k` values, of the largest
/// value. `sorted` is ascending and has at least `k` values.
///
/// ```math
/// x_{(k)} + \sum_{i=k}^{n-1} (x_{(i+1)} - x_{(i)}) \cdot (1 - P(n, n-i, k))
/// ```
pub(crate) fn greatest(sorted: &[f64], k: u32) -> f64 {
    let n = sorted.len() as u32;
    let start = sorted[k as usize - 1];
    let steps = (k..n).zip(sorted[k as usize - 1..].windows(2));
    // Values often repeat. Equal neighbours add nothing, so skipping them saves most of the products.
    steps.fold(start, |sum, (i, pair)| match pair[1] - pair[0] {
        0.0 => sum,
        step => sum + step * (1.0 - misses(n, n - i, k)),
    })
}

/// Returns the expected smallest of `k` values: the mean, over all subsets of `k` values, of the smallest
/// value. `sorted` is ascending and has at least `k` values.
///
/// ```math
/// x_{(1)} + \sum_{i=1}^{n-k} (x_{(i+1)} - x_{(i)}) \cdot P(n, i, k)
/// ```
pub(crate) fn least(sorted: &[f64], k: u32) -> f64 {
    let n = sorted.len() as u32;
    let steps = (1..=n - k).zip(sorted.windows(2));
    steps.fold(sorted[0], |sum, (i, pair)| match pair[1] - pair[0] {
        0.0 => sum,
        step => sum + step * misses(n, i, k),
    })
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    #[test]
    fn of_zeros_and_ones_they_are_pass_at_k_to_the_bit() {
        for n in 1..=64_u32 {
            for right in 0..=n {
                let mut values = vec![0.0; (n - right) as usize];
                values.resize(n as usize, 1.0);
                for k in 1..=n {
                    let pass = 1.0 - misses(n, right, k);
                    let all = misses(n, n - right, k);
                    assert_eq!(greatest(&values, k).to_bits(), pass.to_bits(), "{n} {right} {k}");
                    assert_eq!(least(&values, k).to_bits(), all.to_bits(), "{n} {right} {k}");
                }
            }
        }
    }

    quickcheck! {
        fn they_are_means_over_all_subsets(values: Vec<u8>, k: u32) -> bool {
            let mut values: Vec<f64> = values.into_iter().take(9).map(|value| f64::from(value) / 255.0).collect();
            if values.is_empty() {
                return true;
            }
            values.sort_by(f64::total_cmp);
            let k = 1 + k % values.len() as u32;
            let mut best = 0.0;
            let mut worst = 0.0;
            let mut subsets = 0.0;
            for subset in (0_u32..1 << values.len()).filter(|subset| subset.count_ones() == k) {
                let drawn = || (0..values.len()).filter(|place| subset >> place & 1 == 1).map(|place| values[place]);
                best += drawn().fold(0.0, f64::max);
                worst += drawn().fold(1.0, f64::min);
                subsets += 1.0;
            }
            (greatest(&values, k) - best / subsets).abs() < 1e-13 && (least(&values, k) - worst / subsets).abs() < 1e-13
        }
    }
}

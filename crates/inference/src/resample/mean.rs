//! NumPy's sum of floats, with the same rounding, for the means that sacreBLEU computes with NumPy.

use core::ops::Add;

/// Returns NumPy's `sum` of contiguous floats, bit for bit. Longer lists are halved down to blocks of at most
/// 128 values, and eight accumulators sum a block.
pub(crate) fn pairwise_sum<T: Copy + Default + Add<Output = T>>(values: &[T]) -> T {
    const BLOCK: usize = 128;
    match values.len() {
        0..8 => values.iter().fold(T::default(), |sum, &value| sum + value),
        8..=BLOCK => {
            let (eights, rest) = values.as_chunks::<8>();
            let mut sums = eights.first().copied().unwrap_or_default();
            for eight in &eights[1..] {
                for (sum, &value) in sums.iter_mut().zip(eight) {
                    *sum = *sum + value;
                }
            }
            // The order of these additions, and of the rest after them, is NumPy's: another order rounds
            // differently.
            let [a, b, c, d, e, f, g, h] = sums;
            rest.iter().fold(((a + b) + (c + d)) + ((e + f) + (g + h)), |sum, &value| sum + value)
        }
        many => {
            let half = many / 2;
            // NumPy cuts at a multiple of eight, so that every accumulator keeps its position.
            let (left, right) = values.split_at(half - half % 8);
            pairwise_sum(left) + pairwise_sum(right)
        }
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        fn pairwise_sums_of_integers_are_exact(values: Vec<i32>) -> bool {
            let values: Vec<f64> = values.iter().cycle().take(values.len() * 9).map(|&v| f64::from(v)).collect();
            pairwise_sum(&values) == values.iter().sum::<f64>()
        }
    }
}

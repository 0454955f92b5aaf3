//! Vectorized (SIMD) weighted sums over segments, for tables of counts that are cut into pieces of 15 bits.
//! The instruction set is chosen at run time.
//!
//! A portable build for x86-64 uses vectors of 128 bits. Most processors have vectors of 256 bits, which
//! halve the time of a sum. Both code paths add the same integers, so their results are equal bit for bit.

use wide::{i16x8, i32x4};

/// Number of columns of counts in one processor vector.
pub(super) const LANES: usize = 8;

/// Row of a table for two segments `s` and `t`. Each count is cut into pieces of 15 bits, and each piece has
/// its own column. In each column the row has first the piece of `s` and then the piece of `t`: `s0, t0, s1,
/// t1, ..`. One vector instruction can then multiply and add both. The row has `V` vectors with [`LANES`]
/// columns each.
pub(super) type Row<const V: usize> = [[i16x8; 2]; V];

/// Sum of each column of a table of 15-bit pieces of counts, in which each segment is multiplied by its
/// weight. The table has `V` vectors with [`LANES`] columns each.
pub(super) type Sums<const V: usize> = [[i32; LANES]; V];

/// Creates a table row of 15-bit pieces of counts, for two segments; `number` returns the piece at each
/// position.
pub(super) fn row<const V: usize>(number: impl Fn(usize) -> i16) -> Row<V> {
    let vector = |first: usize| i16x8::new(core::array::from_fn(|lane| number(first + lane)));
    core::array::from_fn(|v| core::array::from_fn(|half| vector(16 * v + 8 * half)))
}

/// Sums the rows of a table of 15-bit pieces of counts, column by column, each segment times its weight. A
/// row holds two segments, and `weights` has their two weights. The sums wrap on overflow.
pub(super) fn sums<const V: usize>(rows: &[Row<V>], weights: &[[i16; 2]]) -> Sums<V> {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        #[allow(
            unsafe_code,
            reason = "half the instructions in the innermost loop of resampling; `portable` is the safe version"
        )]
        // SAFETY: the processor has AVX2.
        return unsafe { avx2(rows, weights) };
    }
    portable(rows, weights)
}

fn portable<const V: usize>(rows: &[Row<V>], weights: &[[i16; 2]]) -> Sums<V> {
    let mut sums = [[i32x4::splat(0); 2]; V];
    for (row, &[one, other]) in rows.iter().zip(weights) {
        // The digits of two segments alternate, so one instruction multiplies eight pairs and adds each
        // product of the first segment to that of the second.
        let weight = i16x8::new([one, other, one, other, one, other, one, other]);
        for (sum, digits) in sums.as_flattened_mut().iter_mut().zip(row.as_flattened()) {
            *sum += digits.dot(weight);
        }
    }
    bytemuck::must_cast(sums)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[allow(clippy::needless_range_loop, reason = "see below")]
fn avx2<const V: usize>(rows: &[Row<V>], weights: &[[i16; 2]]) -> Sums<V> {
    use core::arch::x86_64::{_mm256_add_epi32, _mm256_madd_epi16, _mm256_set1_epi32, _mm256_setzero_si256};
    // By index: iterators are not inlined into a function that enables other processor features than its
    // caller.
    let mut sums = [_mm256_setzero_si256(); V];
    // Equal lengths, so that the compiler removes the bound checks from the loop.
    let length = rows.len().min(weights.len());
    let rows = &rows[..length];
    let weights = &weights[..length];
    for at in 0..length {
        let weight = _mm256_set1_epi32(bytemuck::must_cast(weights[at]));
        for v in 0..V {
            let digits = bytemuck::must_cast(rows[at][v]);
            sums[v] = _mm256_add_epi32(sums[v], _mm256_madd_epi16(digits, weight));
        }
    }
    bytemuck::must_cast(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    quickcheck::quickcheck! {
        fn every_path_is_the_plain_sum(digits: Vec<i16>, weights: Vec<(i16, i16)>) -> bool {
            let digit = |row: usize, lane: usize| digits.get((31 * row + lane) % digits.len().max(1)).map_or(0, |d| d & i16::MAX);
            let weights: Vec<[i16; 2]> = weights.iter().map(|&(a, b)| [a & i16::MAX, b & i16::MAX]).collect();
            let rows: Vec<Row<2>> = (0..weights.len()).map(|at| row(|lane| digit(at, lane))).collect();
            let plain = |column: usize| {
                let product = |(at, [one, other]): (usize, &[i16; 2])| {
                    let product = |weight: i16, lane| i32::from(weight) * i32::from(digit(at, lane));
                    product(*one, 2 * column).wrapping_add(product(*other, 2 * column + 1))
                };
                weights.iter().enumerate().map(product).fold(0, i32::wrapping_add)
            };
            let plain: Vec<i32> = (0..2 * LANES).map(plain).collect();
            let mut paths = vec![portable(&rows, &weights), sums(&rows, &weights)];
            #[cfg(target_arch = "x86_64")]
            if std::is_x86_feature_detected!("avx2") {
                #[allow(unsafe_code, reason = "the processor has the instructions")]
                // SAFETY: it has AVX2.
                paths.push(unsafe { avx2(&rows, &weights) });
            }
            paths.iter().all(|path| path.as_flattened() == plain)
        }
    }
}

//! Finds the pairs of vectors that may be most similar, by integer sketches (roughly rounded vectors), so
//! that only these pairs are multiplied exactly.
//!
//! A coordinate of a unit vector is rounded to 1/32,000. Sums of products of the rounded numbers are exact
//! integers, and differ from the similarity by at most a known error. A pair cannot be a maximum if its sum
//! is below the greatest sum of its row and of its column by more than twice that error. The remaining pairs
//! are multiplied in double precision, so that the result matches multiplying all pairs bit for bit.

use bleuprint_core::Result;
use bleuprint_metrics::KernelWork;

use crate::rows::NormedRows;

/// The integer that represents 1.0 in a sketch (a copy of a unit vector, rounded to integers). Sketches are
/// at most slightly longer than this. Therefore the products of two sketches can be added in 32 bits in any
/// order.
const UNIT: f64 = 32_000.0;

/// Maximum width of vectors for which a sketch (a copy rounded to integers) is made. For wider vectors, the
/// rounding error of a product could exceed 32 bits.
const MAX_WIDTH: usize = 1 << 24;

/// Minimum number of pairs of vectors for which the search for similar pairs rounds the vectors to integers,
/// because it is faster. With fewer pairs, all exact products are computed.
const MIN_PAIRS: usize = 16;

#[derive(Debug, Clone, Default)]
pub(super) struct Sketch(Vec<i16>);

impl Sketch {
    pub(super) fn fill(&mut self, rows: &NormedRows) {
        self.0.clear();
        if rows.width().is_none_or(|width| width > MAX_WIDTH) {
            return;
        }
        for (row, norm) in rows.with_norms() {
            let scale = UNIT / norm;
            self.0.extend(row.iter().map(|value| rounded((value * scale) as f32)));
        }
    }
}

/// Rounds a small number to the nearest integer. Adding 1.5 · 2^23 moves the integer into the last bits of
/// the float.
fn rounded(value: f32) -> i16 {
    const LAST_PLACE_1: f32 = 12_582_912.0;
    (value + LAST_PLACE_1).to_bits() as i16
}

/// Returns the margin for choosing candidates by products of rounded vectors. The most similar pair's rounded
/// product is below the greatest rounded product by at most this margin. It is twice the largest error that
/// rounding can cause, plus 1 for the rounding of each of the two sums.
fn margin(width: usize) -> i32 {
    // Each coordinate is off by at most a half, plus its rounding to single precision. The coordinates of a
    // unit row sum to at most √width.
    let coordinate = 0.51;
    let width = width as f64;
    let limit = 2.0 * coordinate * width.sqrt() * UNIT + coordinate * coordinate * width;
    (2.0 * limit) as i32 + 2
}

/// Returns the dot product of two integer vectors. It uses 256-bit vector instructions if the processor has
/// them, which is tested when the program runs.
fn sum(one: &[i16], other: &[i16]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        #[allow(
            unsafe_code,
            reason = "an eighth off BERTScore from files; `portable_sum` is the safe twin"
        )]
        // SAFETY: the processor has AVX2.
        return unsafe { avx2_sum(one, other) };
    }
    portable_sum(one, other)
}

/// Returns the dot product of two integer vectors on any processor. The loop uses indexes because iterators
/// are not inlined into a function with its own target features.
#[inline(always)]
fn portable_sum(one: &[i16], other: &[i16]) -> i32 {
    let length = one.len().min(other.len());
    let one = &one[..length];
    let other = &other[..length];
    let mut sum = 0_i32;
    for at in 0..length {
        // Wrapping avoids a check for overflow in the loop; the bound of `UNIT` excludes an overflow.
        sum = sum.wrapping_add(i32::from(one[at]).wrapping_mul(i32::from(other[at])));
    }
    sum
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2_sum(one: &[i16], other: &[i16]) -> i32 {
    portable_sum(one, other)
}

#[derive(Debug, Default)]
pub(super) struct PairCandidates {
    sums: Vec<i32>,
    of_rows: Vec<i32>,
    of_columns: Vec<i32>,
}

impl PairCandidates {
    /// Calls `each` with every pair of vectors that may be the most similar pair of one of its two vectors,
    /// and possibly with further pairs. The arguments of `each` are the row, the column and the similarity.
    pub(super) fn for_each(
        &mut self,
        [one, other]: [(&NormedRows, &Sketch); 2],
        mut each: impl FnMut(usize, usize, f64),
    ) -> Result<()> {
        let [rows, columns] = [one, other].map(|(rows, _)| rows.weights().len());
        let width = one.0.width().unwrap_or_default();
        if rows * columns < MIN_PAIRS || one.1.0.is_empty() || other.1.0.is_empty() {
            return one.0.similarities(other.0, each);
        }
        self.fill(&one.1.0, &other.1.0, width, [rows, columns])?;
        let margin = margin(width);
        let mut work = KernelWork::default();
        for (row, (sums, greatest)) in self.sums.chunks(columns).zip(&self.of_rows).enumerate() {
            for (column, (sum, of_column)) in sums.iter().zip(&self.of_columns).enumerate() {
                if *sum >= greatest.saturating_sub(margin) || *sum >= of_column.saturating_sub(margin) {
                    work.add(width)?;
                    each(row, column, one.0.similarity(row, other.0, column));
                }
            }
            work.add(columns)?;
        }
        Ok(())
    }

    fn fill(&mut self, one: &[i16], other: &[i16], width: usize, [rows, columns]: [usize; 2]) -> Result<()> {
        let mut work = KernelWork::default();
        self.sums.clear();
        self.sums.reserve(rows * columns);
        for row in one.chunks(width) {
            work.add(other.len())?;
            self.sums.extend(other.chunks(width).map(|column| sum(row, column)));
        }
        self.of_rows.clear();
        self.of_columns.clear();
        self.of_columns.resize(columns, i32::MIN);
        for sums in self.sums.chunks(columns) {
            self.of_rows.extend(sums.iter().max());
            self.of_columns.iter_mut().zip(sums).for_each(|(greatest, sum)| *greatest = *sum.max(greatest));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::VectorText;
    use bleuprint_testkit::random::Rng;

    fn rows(random: &mut Rng, width: usize) -> NormedRows {
        let number = |random: &mut Rng| (random.below(2001) as f32 - 1000.0) / 1000.0;
        let mut all: Vec<Vec<f32>> = Vec::new();
        for _ in 0..1 + random.below(13) {
            let mut row: Vec<f32> = match random.below(4) {
                0 if !all.is_empty() => all[random.below(all.len())].clone(),
                1 => (0..width).map(|at| f32::from(u8::from(at % 7 == 3))).collect(),
                _ => (0..width).map(|_| number(random)).collect(),
            };
            let at = random.below(width);
            row[at] += [0.0, 1e-6, 1e-3, -1e-4][random.below(4)] + 1e-9;
            let factor = [1.0, -1.0, 1e-20, 3e7][random.below(4)];
            row.iter_mut().for_each(|value| *value *= factor);
            if row.iter().all(|value| *value == 0.0) {
                row[0] = 1.0;
            }
            all.push(row);
        }
        let all: Vec<&[f32]> = all.iter().map(Vec::as_slice).collect();
        let mut rows = NormedRows::default();
        rows.fill(VectorText::Hypothesis, &all, |_| Ok(1.0)).unwrap();
        rows
    }

    #[test]
    fn greatest_similarities_are_those_of_all_pairs() {
        let mut random = Rng::new(77);
        let mut candidates = PairCandidates::default();
        for case in 0..3000 {
            let width = [1, 2, 3, 7, 8, 33, 130][case % 7];
            let one = rows(&mut random, width);
            let other = rows(&mut random, width);
            let mut sketches = [Sketch::default(), Sketch::default()];
            sketches[0].fill(&one);
            sketches[1].fill(&other);
            let [of_all, of_some] = [true, false].map(|all| {
                let mut best = [vec![f64::MIN; one.weights().len()], vec![f64::MIN; other.weights().len()]];
                let each = |row: usize, column: usize, similarity: f64| {
                    best[0][row] = best[0][row].max(similarity);
                    best[1][column] = best[1][column].max(similarity);
                };
                if all {
                    one.similarities(&other, each).unwrap();
                } else {
                    candidates.for_each([(&one, &sketches[0]), (&other, &sketches[1])], each).unwrap();
                }
                best.map(|side| side.into_iter().map(f64::to_bits).collect::<Vec<_>>())
            });
            assert_eq!(of_all, of_some, "case {case}");
        }
    }

    #[test]
    fn every_path_has_the_same_sum() {
        let mut random = Rng::new(79);
        for width in [0, 1, 7, 15, 16, 33, 1024] {
            let mut row =
                || (0..width).map(|_| (random.below(64_001) as i32 - 32_000) as i16).collect::<Vec<_>>();
            let one = row();
            let other = row();
            let naive: i64 =
                one.iter().zip(&other).map(|(one, other)| i64::from(*one) * i64::from(*other)).sum();
            let mut sums = vec![sum(&one, &other), portable_sum(&one, &other)];
            #[cfg(target_arch = "x86_64")]
            if std::is_x86_feature_detected!("avx2") {
                #[allow(unsafe_code, reason = "the processor has the instructions")]
                // SAFETY: the processor has AVX2.
                sums.push(unsafe { avx2_sum(&one, &other) });
            }
            assert!(sums.iter().all(|sum| *sum == naive as i32), "{width}");
        }
    }

    #[test]
    fn sums_are_within_their_limit() {
        let mut random = Rng::new(78);
        for width in [1, 5, 64, 1024] {
            let one = rows(&mut random, width);
            let other = rows(&mut random, width);
            let mut sketches = [Sketch::default(), Sketch::default()];
            sketches[0].fill(&one);
            sketches[1].fill(&other);
            one.similarities(&other, |row, column, similarity| {
                let [left, right] =
                    [(row, 0), (column, 1)].map(|(row, side)| &sketches[side].0[row * width..][..width]);
                let error = (f64::from(sum(left, right)) - similarity * UNIT * UNIT).abs();
                assert!(2.0 * error <= f64::from(margin(width)), "{width}: {error}");
            })
            .unwrap();
        }
    }
}

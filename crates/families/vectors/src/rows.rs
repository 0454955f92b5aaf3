//! The vectors of a text, checked and with their norms, and dot products that are bit-identical on all
//! machines.
//!
//! ```text
//! x · y = Σ_i x_i · y_i        in eight lanes: i belongs to lane i mod 8; lanes are joined as a fixed tree
//! ```
//!
//! The product of two `f32` is exact in `f64`. Therefore a fused multiply-add gives the same bits as a
//! multiplication and an addition, and every processor gives the same result. One product is never split over
//! threads.

use bleuprint_core::{ConfigError, InputError, Result, Vector, VectorValues};
use bleuprint_metrics::KernelWork;
use num_traits::AsPrimitive;

use crate::AsVector;

const LANES: usize = 8;

/// Range in which numbers can be squared safely. A vector whose greatest coordinate, in magnitude, is outside
/// of this range is first scaled by a power of two.
const SQUARED: std::ops::RangeInclusive<f64> = 1e-140..=1e140;

fn products<A: AsPrimitive<f64>, B: AsPrimitive<f64>, const N: usize>(
    one: &[A],
    others: [&[B]; N],
) -> [f64; N] {
    let mut lanes = [[0.0; LANES]; N];
    let (head, tail) = one.as_chunks::<LANES>();
    let others = others.map(|other| other.as_chunks::<LANES>());
    for (at, chunk) in head.iter().enumerate() {
        for (lanes, (other, _)) in lanes.iter_mut().zip(&others) {
            if let Some(other) = other.get(at) {
                for ((lane, one), other) in lanes.iter_mut().zip(chunk).zip(other) {
                    *lane += one.as_() * other.as_();
                }
            }
        }
    }
    for (lanes, (_, other)) in lanes.iter_mut().zip(&others) {
        for (lane, (one, other)) in lanes.iter_mut().zip(tail.iter().zip(*other)) {
            *lane += one.as_() * other.as_();
        }
    }
    // The fixed tree fixes the order of the additions, whatever vector instructions the compiler chooses.
    lanes.map(|[a, b, c, d, e, f, g, h]| ((a + e) + (c + g)) + ((b + f) + (d + h)))
}

pub(crate) fn product(one: &[f64], other: &[f64]) -> f64 {
    let [product] = products(one, [other]);
    product
}

/// Returns `true` if `squared` is a usable sum of squares of a vector: the coordinates are finite, not all
/// zero, and were squared without loss of range.
fn is_fit(squared: f64, width: usize) -> bool {
    squared > 0.0 && (1e-279 * width as f64..=1e279).contains(&squared)
}

/// Returns the cosine of two single-precision vectors, without copying them. The sums have the same order as
/// in [`NormedRows`], so the result is the same. Returns `None` if the widths differ, or if a vector is zero
/// or not finite.
pub(crate) fn cosine_of_singles(one: &[f32], other: &[f32]) -> Option<f64> {
    if one.len() != other.len() {
        return None;
    }
    let [squared, both] = products(one, [one, other]);
    let [of_other] = products(other, [other]);
    let fit = is_fit(squared, one.len()) && is_fit(of_other, one.len());
    fit.then(|| (both / (squared.sqrt() * of_other.sqrt())).clamp(-1.0, 1.0))
}

#[derive(Debug, Clone, Default)]
pub(crate) struct NormedRows {
    width: usize,
    values: Vec<f64>,
    norms: Vec<f64>,
    weights: Vec<f64>,
    /// Index and original coordinates of each vector that was scaled by a power of two.
    given: Vec<(usize, Vec<f64>)>,
}

impl NormedRows {
    pub(crate) fn fill<V: AsVector>(
        &mut self,
        text: VectorText,
        vectors: &[V],
        mut weight: impl FnMut(&Vector<'_>) -> Result<f64>,
    ) -> Result<()> {
        self.values.clear();
        self.norms.clear();
        self.weights.clear();
        self.given.clear();
        self.width = vectors.first().map_or(0, |first| width(first.as_vector()));
        for (number, vector) in (1..).zip(vectors) {
            let vector = vector.as_vector();
            let at = |what: String| InputError::malformed(format!("vector {number} of {text} {what}"));
            let width = width(vector);
            if width != self.width {
                return Err(at(format!("has {width} coordinates, but the first one has {}", self.width)));
            }
            let weight = weight(&vector).map_err(|error| at(error.to_string()))?;
            if !(weight.is_finite() && weight >= 0.0) {
                return Err(at(format!("weighs {weight}, but weights are finite and at least 0")));
            }
            self.push(&vector, weight).map_err(|error| match error {
                Unfit::Zero => at("is zero, which has no direction".to_owned()),
                Unfit::NotFinite(place, value) => {
                    at(format!("is {value} in coordinate {place}, but must be finite"))
                }
            })?;
        }
        Ok(())
    }

    fn push(&mut self, vector: &Vector<'_>, weight: f64) -> Result<(), Unfit> {
        let start = self.values.len();
        match vector.values {
            VectorValues::F32(values) => self.values.extend(values.iter().map(|&value| f64::from(value))),
            VectorValues::F64(values) => self.values.extend(values),
        }
        let row = &mut self.values[start..];
        // If the square of the norm is neither huge nor tiny, all numbers are finite and can be squared
        // without scaling.
        let squared = product(row, row);
        if is_fit(squared, row.len()) {
            self.norms.push(squared.sqrt());
            self.weights.push(weight);
            return Ok(());
        }
        if let Some(place) = row.iter().position(|value| !value.is_finite()) {
            return Err(Unfit::NotFinite(place + 1, row[place]));
        }
        let given = (self.norms.len(), row.to_vec());
        fit(row);
        let norm = product(row, row).sqrt();
        if norm == 0.0 {
            return Err(Unfit::Zero);
        }
        self.given.push(given);
        self.norms.push(norm);
        self.weights.push(weight);
        Ok(())
    }

    pub(crate) fn width(&self) -> Option<usize> {
        (!self.norms.is_empty()).then_some(self.width)
    }

    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    pub(crate) fn with_norms(&self) -> impl Iterator<Item = (&[f64], f64)> {
        self.values.chunks(self.width.max(1)).zip(self.norms.iter().copied())
    }

    fn row(&self, number: usize) -> &[f64] {
        &self.values[number * self.width..][..self.width]
    }

    pub(crate) fn similarity(&self, one: usize, other: &NormedRows, two: usize) -> f64 {
        self.cosine(one, other, two, product(self.row(one), other.row(two)))
    }

    fn cosine(&self, one: usize, other: &NormedRows, two: usize, product: f64) -> f64 {
        (product / (self.norms[one] * other.norms[two])).clamp(-1.0, 1.0)
    }

    pub(crate) fn similarities(
        &self,
        other: &NormedRows,
        mut each: impl FnMut(usize, usize, f64),
    ) -> Result<()> {
        let mut work = KernelWork::default();
        // The rows of the other text stay in the cache, and each row of this text is loaded once for two
        // products.
        for one in 0..self.norms.len() {
            let row = self.row(one);
            work.add(row.len() * other.norms.len())?;
            let mut two = 0;
            while two + 1 < other.norms.len() {
                let [left, right] = products(row, [other.row(two), other.row(two + 1)]);
                each(one, two, self.cosine(one, other, two, left));
                each(one, two + 1, self.cosine(one, other, two + 1, right));
                two += 2;
            }
            if two < other.norms.len() {
                each(one, two, self.similarity(one, other, two));
            }
        }
        Ok(())
    }

    /// Returns the weighted mean of the vectors, with their original coordinates before any scaling. The mean
    /// of a single vector is the vector itself. Returns `None` if all weights are 0.
    pub(crate) fn pooled(&self) -> Option<Vec<f64>> {
        let total: f64 = self.weights.iter().sum();
        if total <= 0.0 {
            return None;
        }
        // Rows with different scales cannot be added: take the original rows.
        let mut values = self.values.clone();
        for (number, row) in &self.given {
            values[number * self.width..][..self.width].copy_from_slice(row);
        }
        if self.norms.len() == 1 {
            return Some(values);
        }
        let rows = || values.chunks(self.width.max(1)).zip(&self.weights);
        let mut sum = vec![0.0; self.width];
        for (row, weight) in rows() {
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * value);
        }
        if SQUARED.contains(&greatest_of(&sum)) && total.is_finite() {
            sum.iter_mut().for_each(|sum| *sum /= total);
            return Some(sum);
        }
        // Divide the weights first, so that no sum exceeds the greatest float.
        let greatest = greatest_of(&self.weights);
        let total: f64 = self.weights.iter().map(|weight| weight / greatest).sum();
        sum.fill(0.0);
        for (row, weight) in rows() {
            let share = weight / greatest / total;
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += share * value);
        }
        Some(sum)
    }
}

enum Unfit {
    Zero,
    /// A coordinate of the vector is not finite: its position, counted from 1, and its value.
    NotFinite(usize, f64),
}

fn greatest_of(row: &[f64]) -> f64 {
    row.iter().fold(0.0, |greatest, value| greatest.max(value.abs()))
}

/// Scales a vector by a power of two if its coordinates cannot be squared safely. The direction of the vector
/// stays the same.
pub(crate) fn fit(row: &mut [f64]) {
    let greatest = greatest_of(row);
    if greatest > 0.0 && !SQUARED.contains(&greatest) {
        // The scale has the exponent of the greatest number. It is applied in two steps, because the power
        // itself may be outside of the range of floats.
        let exponent = (greatest.to_bits() >> 52) as i64 - 1023;
        let half = f64::from_bits(((1023 + (-exponent).div_euclid(2)) as u64) << 52);
        row.iter_mut().for_each(|value| *value = *value * half * half);
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum VectorText {
    Hypothesis,
    Reference(usize),
}

impl std::fmt::Display for VectorText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            VectorText::Hypothesis => f.write_str("the hypothesis"),
            VectorText::Reference(number) => write!(f, "reference {number}"),
        }
    }
}

pub(crate) fn require_one_width(
    hypothesis: &NormedRows,
    text: VectorText,
    reference: &NormedRows,
) -> Result<()> {
    match (hypothesis.width(), reference.width()) {
        (Some(one), Some(other)) if one != other => Err(InputError::limit(
            format!("the width of {text}"),
            other,
            format!("{one}, that of the hypothesis"),
        )),
        _ => Ok(()),
    }
}

/// Rejects a producer, the name of the program that computed the vectors, if it looks like a list of numbers.
/// Such a list does not name a program.
pub(crate) fn check_producer(option: &str, producer: Option<&String>) -> Result<(), ConfigError> {
    match producer.filter(|text| !text.contains(char::is_alphabetic)) {
        Some(text) => {
            Err(ConfigError::out_of_range(option, format!("`{text}`"), "the name or signature of a program"))
        }
        None => Ok(()),
    }
}

fn width(vector: Vector<'_>) -> usize {
    match vector.values {
        VectorValues::F32(values) => values.len(),
        VectorValues::F64(values) => values.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive(one: &[f64], other: &[f64]) -> f64 {
        let lane =
            |lane: usize| (lane..one.len()).step_by(LANES).fold(0.0, |sum, at| sum + one[at] * other[at]);
        ((lane(0) + lane(4)) + (lane(2) + lane(6))) + ((lane(1) + lane(5)) + (lane(3) + lane(7)))
    }

    #[test]
    fn products_have_the_bits_of_their_definition() {
        let number = |at: usize| f64::from(((at * 2_654_435_761) % 1009) as f32 / 1009.0 - 0.5);
        for width in 0..70 {
            let rows: Vec<Vec<f64>> =
                (0..3).map(|row| (0..width).map(|at| number(row * 977 + at)).collect()).collect();
            let [left, right] = products(&rows[0], [&rows[1], &rows[2]]);
            assert_eq!(left.to_bits(), naive(&rows[0], &rows[1]).to_bits(), "{width}");
            assert_eq!(right.to_bits(), naive(&rows[0], &rows[2]).to_bits(), "{width}");
            assert_eq!(product(&rows[0], &rows[1]).to_bits(), left.to_bits(), "{width}");
            // Both are equal, because the product of two numbers in single precision is exact in double
            // precision.
            let fused = |lane: usize| {
                (lane..width).step_by(LANES).fold(0.0, |sum, at| rows[0][at].mul_add(rows[1][at], sum))
            };
            let fused = ((fused(0) + fused(4)) + (fused(2) + fused(6)))
                + ((fused(1) + fused(5)) + (fused(3) + fused(7)));
            assert_eq!(fused.to_bits(), left.to_bits(), "{width}");
        }
    }

    #[test]
    fn giant_and_tiny_vectors_have_a_direction() {
        for scale in [1e300, 1e-300, 5e-324, f64::MAX / 8.0] {
            let mut rows = NormedRows::default();
            let row = [3.0 * scale, 4.0 * scale];
            rows.fill(VectorText::Hypothesis, &[&row[..], &[3.0, 4.0][..]], |_| Ok(1.0)).unwrap();
            rows.similarities(&rows.clone(), |_, _, cosine| assert!((cosine - 1.0).abs() < 1e-15, "{scale}"))
                .unwrap();
        }
    }
}

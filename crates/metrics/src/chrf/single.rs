//! Computes chrF of a bootstrap resample as sacreBLEU 2.6.0 does with NumPy 2: precisions, recalls and their
//! means in `f32`.

use core::ops::{Add, Div, Mul};

use bleuprint_core::{NumpyNumber, SinglePrecision};

use super::Chrf;
use super::finish::EPSILON;

/// Number with the rules of NumPy's mixed arithmetic (NEP 50). A Python float combined with an `f32` is first
/// rounded to `f32`, and the result is an `f32`. Two Python floats give a Python float.
#[derive(Debug, Clone, Copy)]
struct Mixed(NumpyNumber);

impl Mixed {
    fn combine(self, other: Self, double: fn(f64, f64) -> f64, single: fn(f32, f32) -> f32) -> Self {
        Mixed(match (self.0, other.0) {
            (NumpyNumber::Double(one), NumpyNumber::Double(other)) => NumpyNumber::Double(double(one, other)),
            (NumpyNumber::Double(one), NumpyNumber::Single(other)) => {
                NumpyNumber::Single(single(one as f32, other))
            }
            (NumpyNumber::Single(one), NumpyNumber::Double(other)) => {
                NumpyNumber::Single(single(one, other as f32))
            }
            (NumpyNumber::Single(one), NumpyNumber::Single(other)) => NumpyNumber::Single(single(one, other)),
        })
    }

    fn value(self) -> f64 {
        self.0.into()
    }
}

impl Add for Mixed {
    type Output = Mixed;
    fn add(self, other: Mixed) -> Mixed {
        self.combine(other, |a, b| a + b, |a, b| a + b)
    }
}

impl Mul for Mixed {
    type Output = Mixed;
    fn mul(self, other: Mixed) -> Mixed {
        self.combine(other, |a, b| a * b, |a, b| a * b)
    }
}

impl Div for Mixed {
    type Output = Mixed;
    fn div(self, other: Mixed) -> Mixed {
        self.combine(other, |a, b| a / b, |a, b| a / b)
    }
}

/// Computes chrF in single precision. For each n-gram order, a segment adds three numbers, rounded to `f32`:
/// hypothesis n-grams, reference n-grams and matches.
impl SinglePrecision for Chrf {
    fn row(&self, row: &[u64], out: &mut Vec<f32>) {
        out.extend(row.iter().map(|&count| count as f32));
    }

    fn finish(&self, sums: &[f32]) -> NumpyNumber {
        let double = |value: f64| Mixed(NumpyNumber::Double(value));
        let zero = double(0.0);
        let factor = double(self.finish.factor);
        let one_more = double(1.0 + self.finish.factor);
        // The sums begin as Python floats and become `f32` with the first `f32` that is added. The type at
        // each step decides the rounding, so this repeats `finish.rs` with typed numbers.
        let mut f = zero;
        let mut precisions = zero;
        let mut recalls = zero;
        let mut orders = 0_u32;
        let mut effective = 0_u32;
        for counts in sums.chunks_exact(3) {
            let hypothesis = counts[0];
            let reference = counts[1];
            let matches = counts[2];
            // Without n-grams the program uses a Python float, which does not make the sum an `f32`.
            let share = |total: f32| {
                if total > 0.0 { Mixed(NumpyNumber::Single(matches / total)) } else { double(EPSILON) }
            };
            let precision = share(hypothesis);
            let recall = share(reference);
            let denominator = factor * precision + recall;
            let of_order = if denominator.value() > 0.0 {
                one_more * precision * recall / denominator
            } else {
                double(EPSILON)
            };
            f = f + of_order;
            if hypothesis > 0.0 && reference > 0.0 {
                (precisions, recalls) = (precisions + precision, recalls + recall);
                effective += 1;
            }
            orders += 1;
        }
        let hundred = double(100.0);
        if self.finish.smoothed {
            return (hundred * f / double(f64::from(orders))).0;
        }
        if effective == 0 {
            return zero.0;
        }
        let effective = double(f64::from(effective));
        let precision = precisions / effective;
        let recall = recalls / effective;
        if (precision + recall).value() == 0.0 {
            return zero.0;
        }
        (hundred * (one_more * precision * recall / (factor * precision + recall))).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ChrfBuilder;
    use bleuprint_core::{Metric, SegmentCounts, Stats};
    use quickcheck::quickcheck;

    #[test]
    fn a_float_of_python_gives_way() {
        let (single, double) =
            (|value| Mixed(NumpyNumber::Single(value)), |value| Mixed(NumpyNumber::Double(value)));
        let third = single(1.0) / single(3.0);
        assert_eq!((double(100.0) * third).0, NumpyNumber::Single(100.0 * (1.0_f32 / 3.0)));
        assert_eq!((double(0.1) + double(0.2)).0, NumpyNumber::Double(0.1 + 0.2));
    }

    quickcheck! {
        fn is_near_the_score(counts: Vec<(u8, u8, u8)>, smoothed: bool) -> bool {
            let chrf = ChrfBuilder::default().eps_smoothing(smoothed).build().unwrap();
            let mut stats = chrf.zero();
            let mut given = counts.into_iter().chain([(0, 0, 0)].into_iter().cycle());
            let mut row = Vec::new();
            for _ in 0..6 {
                let (hypothesis, reference, matches) = given.next().unwrap();
                row.extend([hypothesis, reference, matches.min(hypothesis).min(reference)].map(u64::from));
            }
            stats.read_row(&row).unwrap();
            let mut numbers = Vec::new();
            chrf.row(&row, &mut numbers);
            let exact = chrf.finalize(&stats, &SegmentCounts::default()).unwrap().score;
            (f64::from(SinglePrecision::finish(&chrf, &numbers)) - exact).abs() <= 1e-5 * exact
        }
    }
}

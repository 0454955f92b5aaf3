//! chrF of a bootstrap resample as sacreBLEU 2.6.0 computes it with NumPy 2: shares and their means in `f32`.

use bleuprint_core::{Number, SinglePrecision};

use super::Chrf;
use super::finish::EPSILON;

/// The numbers of a segment: for each order n-grams of the hypothesis, of the reference, matches.
impl SinglePrecision for Chrf {
    fn row(&self, row: &[u64], out: &mut Vec<f32>) {
        out.extend(row.iter().map(|&count| count as f32));
    }

    fn finish(&self, sums: &[f32]) -> Number {
        let zero = Number::Double(0.0);
        let factor = Number::Double(self.finish.factor);
        let one_more = Number::Double(1.0 + self.finish.factor);
        let (mut f, mut precisions, mut recalls) = (zero, zero, zero);
        let (mut orders, mut effective) = (0_u32, 0_u32);
        for counts in sums.chunks_exact(3) {
            let (hypothesis, reference, matches) = (counts[0], counts[1], counts[2]);
            // Where there is nothing to divide by, a float of Python enters.
            let share = |total: f32| {
                if total > 0.0 { Number::Single(matches / total) } else { Number::Double(EPSILON) }
            };
            let (precision, recall) = (share(hypothesis), share(reference));
            let denominator = factor * precision + recall;
            let of_order = if denominator > zero {
                one_more * precision * recall / denominator
            } else {
                Number::Double(EPSILON)
            };
            f = f + of_order;
            if hypothesis > 0.0 && reference > 0.0 {
                (precisions, recalls) = (precisions + precision, recalls + recall);
                effective += 1;
            }
            orders += 1;
        }
        let hundred = Number::Double(100.0);
        if self.finish.smoothed {
            return hundred * f / Number::Double(f64::from(orders));
        }
        if effective == 0 {
            return zero;
        }
        let effective = Number::Double(f64::from(effective));
        let (precision, recall) = (precisions / effective, recalls / effective);
        if (precision + recall).is_zero() {
            return zero;
        }
        hundred * (one_more * precision * recall / (factor * precision + recall))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ChrfBuilder;
    use bleuprint_core::{Linear, Metric, SegmentCounts};
    use quickcheck::quickcheck;

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
            (SinglePrecision::finish(&chrf, &numbers).value() - exact).abs() <= 1e-5 * exact
        }
    }
}

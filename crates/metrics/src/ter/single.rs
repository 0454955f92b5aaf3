//! TER of a bootstrap resample as sacreBLEU 2.6.0 computes it with NumPy 2: sums and their ratio in `f32`.

use bleuprint_core::{NumpyNumber, SinglePrecision};

use super::Ter;
use crate::shared::AVERAGE_UNITS;

/// Computes TER in single precision. The two numbers of a segment, its edits and the mean length of its
/// references, are rounded to `f32`.
impl SinglePrecision for Ter {
    fn row(&self, row: &[u64], out: &mut Vec<f32>) {
        let column = |index: usize| row.get(index).copied().unwrap_or(0) as f64;
        out.extend([column(0) as f32, (column(1) / AVERAGE_UNITS as f64) as f32]);
    }

    fn finish(&self, sums: &[f32]) -> NumpyNumber {
        match *sums {
            [edits, ref_len] if ref_len > 0.0 => NumpyNumber::Single(100.0 * (edits / ref_len)),
            // sacreBLEU returns these two constants as Python floats, which are doubles, instead of a NumPy
            // quotient.
            [edits, _] if edits > 0.0 => NumpyNumber::Double(100.0),
            _ => NumpyNumber::Double(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degenerate_sums_are_floats_of_python() {
        let ter = Ter::default();
        let finish = |sums: [f32; 2]| ter.finish(&sums);
        assert_eq!(finish([0.0, 0.0]), NumpyNumber::Double(0.0));
        assert_eq!(finish([3.0, 0.0]), NumpyNumber::Double(100.0));
        assert_eq!(finish([1.0, 3.0]), NumpyNumber::Single(100.0 * (1.0_f32 / 3.0)));
        let mut row = Vec::new();
        ter.row(&[4, 11 * AVERAGE_UNITS / 3], &mut row);
        assert_eq!(row, [4.0, (11.0_f64 / 3.0) as f32]);
    }
}

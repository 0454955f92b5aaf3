//! [`AsVector`]: what these metrics take for a vector.

use bleuprint_core::Vector;

/// What is a vector for metrics: [`Vector`] itself, and rows of numbers.
///
/// ```
/// use bleuprint_core::Vector;
/// use bleuprint_vectors::AsVector;
/// let row: &[f32] = &[0.5, -1.0];
/// assert_eq!(row.as_vector(), Vector::from(row));
/// ```
pub trait AsVector {
    /// The vector.
    fn as_vector(&self) -> Vector<'_>;
}

impl AsVector for Vector<'_> {
    fn as_vector(&self) -> Vector<'_> {
        *self
    }
}

macro_rules! rows {
    ($($Row:ty),*) => {$(
        impl AsVector for $Row {
            fn as_vector(&self) -> Vector<'_> {
                Vector::from(&self[..])
            }
        }
    )*};
}

rows!(&[f32], &[f64], Vec<f32>, Vec<f64>);

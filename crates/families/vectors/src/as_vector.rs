//! [`AsVector`]: the types that metrics such as BERTScore accept as a vector of numbers.

use bleuprint_core::Vector;

/// A type that metrics accept as a vector: [`Vector`], or a row of numbers.
///
/// ```
/// use bleuprint_core::Vector;
/// use bleuprint_vectors::AsVector;
/// let row: &[f32] = &[0.5, -1.0];
/// assert_eq!(row.as_vector(), Vector::from(row));
/// ```
pub trait AsVector {
    /// Returns the vector without copying its numbers.
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

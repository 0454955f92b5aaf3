//! [`Vector`]: what a model computed of a token or of a text, with its weight and its piece.

/// The coordinates of a vector.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "closed: the two widths of floats")]
pub enum VectorValues<'v> {
    /// In single precision, as models compute them; the products of two are exact in `f64`.
    F32(&'v [f32]),
    /// In double precision.
    F64(&'v [f64]),
}

impl<'v> From<&'v [f32]> for VectorValues<'v> {
    fn from(values: &'v [f32]) -> Self {
        VectorValues::F32(values)
    }
}

impl<'v> From<&'v [f64]> for VectorValues<'v> {
    fn from(values: &'v [f64]) -> Self {
        VectorValues::F64(values)
    }
}

/// A vector: of one piece of a text, or of a whole text. Nothing is copied.
///
/// Its weight is 1, and it is the vector of no piece that is known, unless these are given. Special pieces such as `[CLS]` weigh
/// 0: they can be matched, and have no part in means.
///
/// ```
/// use bleuprint_core::{Vector, VectorValues};
/// let of_cat = Vector { weight: 2.5, piece: Some(4937), ..Vector::from(&[0.5_f32, -1.0][..]) };
/// assert_eq!(of_cat.values, VectorValues::F32(&[0.5, -1.0]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a vector and its weight and piece")]
pub struct Vector<'v> {
    /// The coordinates.
    pub values: VectorValues<'v>,
    /// The weight.
    pub weight: f64,
    /// The id of the piece, if it is known.
    pub piece: Option<i64>,
}

/// A vector of weight 1, of no known piece.
impl<'v, V: Into<VectorValues<'v>>> From<V> for Vector<'v> {
    fn from(values: V) -> Self {
        Vector { values: values.into(), weight: 1.0, piece: None }
    }
}

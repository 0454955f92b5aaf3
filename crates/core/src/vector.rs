//! [`Vector`]: the embedding of a token or a text, with its weight and the id of the token.

/// Coordinates of a vector, borrowed from the caller.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "closed: the two widths of floats")]
pub enum VectorValues<'v> {
    /// Coordinates of one embedding vector in single precision, as models compute them; the product of two
    /// coordinates is exact in `f64`.
    F32(&'v [f32]),
    /// Coordinates of one embedding vector in double precision.
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

/// The embedding vector of one token (piece) of a text, or of a whole text. The coordinates are borrowed, not
/// copied.
///
/// The default weight is 1, and the default piece is unknown. Special pieces such as `[CLS]` get the weight
/// 0: they can be matched, but do not count in means.
///
/// ```
/// use bleuprint_core::{Vector, VectorValues};
/// let of_cat = Vector { weight: 2.5, piece: Some(4937), ..Vector::from(&[0.5_f32, -1.0][..]) };
/// assert_eq!(of_cat.values, VectorValues::F32(&[0.5, -1.0]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a vector and its weight and piece")]
pub struct Vector<'v> {
    /// Coordinates of the embedding vector.
    pub values: VectorValues<'v>,
    /// Weight of this vector in means over the tokens of a text; 0 for special tokens such as `[CLS]`.
    pub weight: f64,
    /// Vocabulary id of the token that the vector embeds, if it is known.
    pub piece: Option<i64>,
}

/// Converts coordinates to an embedding vector of weight 1, without the id of a token.
impl<'v, V: Into<VectorValues<'v>>> From<V> for Vector<'v> {
    fn from(values: V) -> Self {
        Vector { values: values.into(), weight: 1.0, piece: None }
    }
}

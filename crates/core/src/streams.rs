//! [`zip_streams`]: converts parallel streams of hypotheses and references into segments, and checks their
//! lengths.
//!
//! All other functions take each hypothesis together with its references, so that references cannot be
//! transposed by accident. Data with a stream of hypotheses and one or more streams of references is
//! converted here.

use core::borrow::Borrow;

use crate::prelude::*;
use crate::{InputErrorKind, Result};

/// Pairs each hypothesis with its references, one from each reference stream. Without reference streams no
/// segment has a reference, and the metric may reject that.
///
/// # Errors
/// Returns [`LengthMismatch`](InputErrorKind::LengthMismatch) if a stream is longer or shorter than the
/// hypotheses.
///
/// ```
/// use bleuprint_core::zip_streams;
/// let hypotheses = ["a b", "c"];
/// let segments = zip_streams::<str, _>(&hypotheses, &[&["a b", "d"], &["a", "c"]]).unwrap();
/// assert_eq!(segments[1], ("c", vec!["d", "c"]));
///
/// let error = zip_streams::<str, _>(&hypotheses, &[&["a b"]]).unwrap_err();
/// assert_eq!(error.to_string(), "hypotheses has 2 segments, but reference stream 1 has 1");
/// ```
pub fn zip_streams<'a, S: ?Sized, T: Borrow<S>>(
    hypotheses: &'a [T],
    streams: &[&'a [T]],
) -> Result<Vec<(&'a S, Vec<&'a S>)>> {
    for (index, stream) in streams.iter().enumerate() {
        if stream.len() != hypotheses.len() {
            return Err(InputErrorKind::LengthMismatch {
                left: "hypotheses".to_owned(),
                left_len: hypotheses.len() as u64,
                right: format!("reference stream {}", index + 1),
                right_len: stream.len() as u64,
            }
            .into());
        }
    }
    let references = |segment: usize| streams.iter().map(|stream| stream[segment].borrow()).collect();
    let segments = hypotheses.iter().enumerate();
    Ok(segments.map(|(segment, hypothesis)| (hypothesis.borrow(), references(segment))).collect())
}

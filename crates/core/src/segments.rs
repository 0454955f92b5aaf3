//! [`Segments`]: the explicit, checked way from parallel streams to segments.
//!
//! Everywhere else references are per segment, so that they cannot be transposed by accident. Data that comes as
//! a stream of hypotheses and one or more streams of references passes through here, where lengths are checked.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use core::borrow::Borrow;

use crate::{InputErrorKind, Result};

/// Hypotheses, each with its own references.
///
/// ```
/// use bleuprint_core::Segments;
/// let hypotheses = ["a b", "c"];
/// let (first, second) = (["a b", "d"], ["a", "c"]);
/// let segments = Segments::<str>::from_streams(&hypotheses, &[&first, &second]).unwrap();
/// assert_eq!(segments.iter().nth(1), Some(("c", ["d", "c"].as_slice())));
///
/// let error = Segments::<str>::from_streams(&hypotheses, &[&["a b"]]).unwrap_err();
/// assert_eq!(error.to_string(), "hypotheses has 2 segments, but reference stream 1 has 1");
/// ```
#[derive(Debug, Clone)]
pub struct Segments<'a, S: ?Sized> {
    hypotheses: Vec<&'a S>,
    references: Vec<Vec<&'a S>>,
}

impl<'a, S: ?Sized> Segments<'a, S> {
    /// From streams of references, each as long as the hypotheses. Without a stream no segment has a reference, which
    /// the metric accepts or refuses.
    ///
    /// # Errors
    /// [`LengthMismatch`](InputErrorKind::LengthMismatch) when a stream is longer or shorter.
    pub fn from_streams<T: Borrow<S>>(hypotheses: &'a [T], streams: &[&'a [T]]) -> Result<Self> {
        for (index, stream) in streams.iter().enumerate() {
            if stream.len() != hypotheses.len() {
                return Err(InputErrorKind::LengthMismatch {
                    left: "hypotheses".to_owned(),
                    left_len: hypotheses.len() as u64,
                    right: alloc::format!("reference stream {}", index + 1),
                    right_len: stream.len() as u64,
                }
                .into());
            }
        }
        let references: Vec<Vec<&S>> = (0..hypotheses.len())
            .map(|segment| streams.iter().map(|stream| stream[segment].borrow()).collect())
            .collect();
        Ok(Segments { hypotheses: hypotheses.iter().map(Borrow::borrow).collect(), references })
    }

    /// The segments in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&'a S, &[&'a S])> {
        self.hypotheses
            .iter()
            .zip(&self.references)
            .map(|(hypothesis, references)| (*hypothesis, &references[..]))
    }
}

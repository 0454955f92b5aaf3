//! [`Segment`]: the input of a metric, which is a hypothesis, its references and, if known, its source.

use crate::{InputError, InputErrorKind, Result};

/// One unit of evaluation: a hypothesis, its references and its source.
///
/// All of them are sequences of type `S`: `[T]` for tokens, `str` for text. [`Segment::with_source`] creates
/// segments whose references (`R`) and source (`C`) have other types, such as a ranking with judged documents
/// and a query.
///
/// Later versions may add fields for metrics that need other inputs.
///
/// ```
/// use bleuprint_core::Segment;
/// let segment = Segment::with_source("a cat", &["the cat", "a cat"], Some("un chat"));
/// assert_eq!(segment.references().unwrap().len(), 2);
/// assert_eq!(segment.source().unwrap(), "un chat");
/// assert!(Segment::new("a cat", &[]).references().is_err());
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Segment<'a, S: ?Sized, R: ?Sized = S, C: ?Sized = S> {
    /// Output of the system for this segment.
    pub hypothesis: &'a S,
    /// References that the hypothesis is compared with, possibly none.
    pub references: &'a [&'a R],
    /// Source of the segment: the input of the system, if it is known.
    pub source: Option<&'a C>,
}

impl<S: ?Sized, R: ?Sized, C: ?Sized> Clone for Segment<'_, S, R, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized, R: ?Sized, C: ?Sized> Copy for Segment<'_, S, R, C> {}

/// Values that functions over a corpus take as segments: a [`Segment`], a pair of a hypothesis and its
/// references, or a triple with the source at the end.
///
/// ```
/// use bleuprint_core::{AsSegment, Segment};
/// fn words<'s, I: AsSegment<str>>(segments: &[I]) -> usize {
///     segments.iter().map(|segment| segment.as_segment().hypothesis.split(' ').count()).sum()
/// }
/// assert_eq!(words(&[("a cat", ["the cat"]), ("a", ["a"])]), 3);
/// assert_eq!(words(&[("a cat", ["the cat"], Some("un chat"))]), 2);
/// assert_eq!(words(&[Segment::new("a cat", &["the cat"])]), 2);
/// ```
pub trait AsSegment<S: ?Sized, R: ?Sized = S, C: ?Sized = S> {
    /// Returns the hypothesis with its references and, if known, its source.
    fn as_segment(&self) -> Segment<'_, S, R, C>;
}

impl<S: ?Sized, R: ?Sized, C: ?Sized> AsSegment<S, R, C> for Segment<'_, S, R, C> {
    fn as_segment(&self) -> Segment<'_, S, R, C> {
        *self
    }
}

impl<'s, S: ?Sized, R: ?Sized + 's, C: ?Sized, L: AsRef<[&'s R]>> AsSegment<S, R, C> for (&'s S, L) {
    fn as_segment(&self) -> Segment<'_, S, R, C> {
        Segment::with_source(self.0, self.1.as_ref(), None)
    }
}

impl<'s, S: ?Sized, R: ?Sized + 's, C: ?Sized, L: AsRef<[&'s R]>> AsSegment<S, R, C>
    for (&'s S, L, Option<&'s C>)
{
    fn as_segment(&self) -> Segment<'_, S, R, C> {
        Segment::with_source(self.0, self.1.as_ref(), self.2)
    }
}

impl<S: ?Sized, R: ?Sized, C: ?Sized, A: AsSegment<S, R, C>> AsSegment<S, R, C> for &A {
    fn as_segment(&self) -> Segment<'_, S, R, C> {
        (**self).as_segment()
    }
}

impl<'a, S: ?Sized> Segment<'a, S> {
    /// Creates a segment without a source. `references` may be empty.
    pub fn new(hypothesis: &'a S, references: &'a [&'a S]) -> Self {
        Segment { hypothesis, references, source: None }
    }
}

impl<'a, S: ?Sized, R: ?Sized, C: ?Sized> Segment<'a, S, R, C> {
    /// Creates a segment whose hypothesis, references and source may have different types.
    pub fn with_source(hypothesis: &'a S, references: &'a [&'a R], source: Option<&'a C>) -> Self {
        Segment { hypothesis, references, source }
    }

    /// Returns `true` if both segments have the same references and source in memory (equal pointers).
    pub fn shares_references(&self, other: &Self) -> bool {
        // Pointers are compared, not texts: the segments of several systems usually borrow the same
        // references, and a false answer only costs time.
        let same_source = match (self.source, other.source) {
            (Some(one), Some(other)) => core::ptr::eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_source && core::ptr::eq(self.references, other.references)
    }

    /// Returns the references, at least one. An empty reference counts as a reference of length 0.
    ///
    /// # Errors
    /// Returns [`NoReferences`](InputErrorKind::NoReferences) if there are none. A metric that needs
    /// references calls this method; a metric that reads the field `references` accepts segments without any.
    pub fn references(&self) -> Result<&'a [&'a R]> {
        if self.references.is_empty() {
            Err(InputErrorKind::NoReferences.into())
        } else {
            Ok(self.references)
        }
    }

    /// Returns the only reference, for metrics that are defined for exactly one. `metric` names the metric in
    /// errors.
    ///
    /// # Errors
    /// Returns [`NoReferences`](InputErrorKind::NoReferences) if there is none, and
    /// [`Malformed`](InputErrorKind::Malformed) if there are several.
    pub fn one_reference(&self, metric: &str) -> Result<&'a R> {
        match self.references()? {
            [reference] => Ok(reference),
            several => Err(InputError::malformed(format!(
                "{metric} is defined for one reference, but the segment has {}",
                several.len()
            ))),
        }
    }

    /// Returns the source: the input from which the system made the hypothesis.
    ///
    /// # Errors
    /// Returns [`NoSource`](InputErrorKind::NoSource) if the segment has no source.
    pub fn source(&self) -> Result<&'a C> {
        self.source.ok_or_else(|| InputErrorKind::NoSource.into())
    }
}

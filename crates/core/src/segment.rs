//! [`Segment`]: what a metric observes: a hypothesis, its references and, where there is one, its source.

use crate::{InputError, InputErrorKind, Result};

/// One unit of evaluation, as sequences of kind `S`: `[T]` for tokens, `str` for text. References and source are of
/// types of their own, `R` and `C`, where these are not `S`: a ranking, judgements of documents and a query, made by
/// [`Segment::of`].
///
/// The type can grow, so that a metric which needs more than the references, such as the source, is a metric like any other.
///
/// ```
/// use bleuprint_core::Segment;
/// let segment = Segment::of("a cat", &["the cat", "a cat"], Some("un chat"));
/// assert_eq!(segment.references().unwrap().len(), 2);
/// assert_eq!(segment.source().unwrap(), "un chat");
/// assert!(Segment::new("a cat", &[]).references().is_err());
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Segment<'a, S: ?Sized, R: ?Sized = S, C: ?Sized = S> {
    /// The output of the system.
    pub hypothesis: &'a S,
    /// The references, possibly none.
    pub references: &'a [&'a R],
    /// The input of the system, if it is known.
    pub source: Option<&'a C>,
}

impl<S: ?Sized, R: ?Sized, C: ?Sized> Clone for Segment<'_, S, R, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized, R: ?Sized, C: ?Sized> Copy for Segment<'_, S, R, C> {}

impl<'a, S: ?Sized> Segment<'a, S> {
    /// A hypothesis and its references, possibly none.
    pub fn new(hypothesis: &'a S, references: &'a [&'a S]) -> Self {
        Segment { hypothesis, references, source: None }
    }
}

impl<'a, S: ?Sized, R: ?Sized, C: ?Sized> Segment<'a, S, R, C> {
    /// A hypothesis, its references and its source, of types of their own.
    pub fn of(hypothesis: &'a S, references: &'a [&'a R], source: Option<&'a C>) -> Self {
        Segment { hypothesis, references, source }
    }

    /// Whether both share references and source in memory, as the segments of several systems do.
    pub fn shares_references(&self, other: &Self) -> bool {
        let same_source = match (self.source, other.source) {
            (Some(one), Some(other)) => core::ptr::eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_source && core::ptr::eq(self.references, other.references)
    }

    /// The references, at least one. An empty reference is a real one, of length 0.
    ///
    /// # Errors
    /// [`NoReferences`](InputErrorKind::NoReferences) when there are none. A metric that needs references asks
    /// here; one that does not never fails for lack of them.
    pub fn references(&self) -> Result<&'a [&'a R]> {
        if self.references.is_empty() {
            Err(InputErrorKind::NoReferences.into())
        } else {
            Ok(self.references)
        }
    }

    /// The reference, for a metric that is defined for one.
    ///
    /// # Errors
    /// [`NoReferences`](InputErrorKind::NoReferences); several references.
    pub fn one_reference(&self, metric: &str) -> Result<&'a R> {
        match self.references()? {
            [reference] => Ok(reference),
            several => Err(InputError::malformed(format!(
                "{metric} is defined for one reference, but the segment has {}",
                several.len()
            ))),
        }
    }

    /// The source.
    ///
    /// # Errors
    /// [`NoSource`](InputErrorKind::NoSource) when it is not known.
    pub fn source(&self) -> Result<&'a C> {
        self.source.ok_or_else(|| InputErrorKind::NoSource.into())
    }
}

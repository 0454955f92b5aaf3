//! [`Ask`]: a question that a metric may answer faster than by observing segments, and its [`Answer`].

use core::ops::Range;

use crate::prelude::*;
use crate::{Result, ScorePart, Segment, SegmentCounts};

/// The kinds of question that [`Observe::ask`](crate::Observe::ask) can answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wanted {
    /// Scores of every hypothesis with every single reference, answered by [`Answer::Scores`].
    Pairs,
    /// Statistics of each hypothesis with all references except the one at the same index, answered by
    /// [`Answer::Stats`].
    ///
    /// The references are the hypotheses themselves; a wrapper may have tokenized them in another way.
    LeaveOneOut,
    /// Statistics of each hypothesis with all references combined, answered by [`Answer::Stats`].
    ///
    /// They estimate the mean score of the hypothesis over the references, in linear time. They count one
    /// segment per reference, with the hypothesis repeated for each. With one reference they equal the
    /// statistics of the pair.
    Aggregate,
    /// Pairs behind the counts of one segment, answered by [`Answer::Pairing`]. It is for metrics that match
    /// parts of the reference with parts of the hypothesis, such as speakers.
    Pairing,
    /// Timeline of one segment for reports, answered by [`Answer::Picture`]. A metric answers for every
    /// segment or for none.
    Picture,
}

/// A question over sequences. A wrapper passes it on; [`Ask::over`] replaces the sequences by those that the
/// wrapper makes.
///
/// ```
/// use bleuprint_core::{Ask, Wanted};
/// let ask = Ask::new(Wanted::Pairs, &["a b"], &["a c", "b"]);
/// let cut = |text: &'static str| text.split(' ').collect::<Vec<_>>();
/// let (hypotheses, references) = ([cut("a b")], [cut("a c"), cut("b")]);
/// let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
/// let over_tokens = ask.over(&[&hypotheses[0][..]], &references, None::<&[&str]>).references.len();
/// assert_eq!(over_tokens, 2);
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Ask<'a, S: ?Sized, R: ?Sized = S, C: ?Sized = S> {
    /// Kind of the question, which decides the kind of the answer.
    pub wanted: Wanted,
    /// Hypotheses that the question is about; a single one if it is about one segment.
    pub hypotheses: &'a [&'a S],
    /// References of the question, shared by all its hypotheses.
    pub references: &'a [&'a R],
    /// Source, if the question is about one segment that has a source.
    pub source: Option<&'a C>,
}

impl<S: ?Sized, R: ?Sized, C: ?Sized> Clone for Ask<'_, S, R, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized, R: ?Sized, C: ?Sized> Copy for Ask<'_, S, R, C> {}

impl<'a, S: ?Sized> Ask<'a, S> {
    /// Creates a question over sequences of one kind, without a source.
    pub fn new(wanted: Wanted, hypotheses: &'a [&'a S], references: &'a [&'a S]) -> Self {
        Ask { wanted, hypotheses, references, source: None }
    }
}

impl<'a, S: ?Sized, R: ?Sized, C: ?Sized> Ask<'a, S, R, C> {
    /// Returns the same question over other sequences, one for each sequence of this question.
    pub fn over<'z, Z: ?Sized, Q: ?Sized, W: ?Sized>(
        &self,
        hypotheses: &'z [&'z Z],
        references: &'z [&'z Q],
        source: Option<&'z W>,
    ) -> Ask<'z, Z, Q, W> {
        Ask { wanted: self.wanted, hypotheses, references, source }
    }

    /// Returns the segment that the question is about; `None` for a question about several hypotheses.
    pub fn segment(&self) -> Option<Segment<'a, S, R, C>> {
        let &[hypothesis] = self.hypotheses else { return None };
        Some(Segment::with_source(hypothesis, self.references, self.source))
    }

    /// Returns the counts of segments and references that each statistics in the answer covers.
    pub fn counts(&self) -> SegmentCounts {
        match self.wanted {
            Wanted::LeaveOneOut => SegmentCounts::of_segment(self.references.len().saturating_sub(1)),
            Wanted::Aggregate => {
                // One segment with one reference for each reference, so `Σ r = Σ r² = segments`.
                let segments = self.references.len() as u64;
                SegmentCounts { segments, references: segments, references_squared: segments }
            }
            Wanted::Pairs => SegmentCounts::of_segment(1),
            Wanted::Pairing | Wanted::Picture => SegmentCounts::of_segment(self.references.len()),
        }
    }
}

/// The answer to an [`Ask`]; [`Wanted`] documents which variant answers which question.
#[non_exhaustive]
pub enum Answer<'m, T> {
    /// Scores of pairs of a hypothesis and a reference, computed when a range of hypotheses is requested.
    Scores(Box<dyn PairScorer + 'm>),
    /// Statistics of the metric, one for each hypothesis.
    Stats(Vec<T>),
    /// Names in the reference, such as speakers, matched with names in the hypothesis.
    Pairing(Pairing),
    /// Rows of intervals on one axis, from top to bottom.
    ///
    /// The key of a row is `reference`, `hypothesis`, `error`, or `out` for intervals that are not scored.
    /// Its label is the name of the row, and its [`Points`](crate::PartValue::Points) are the start and end
    /// of each interval. The part `axis` has the unit as its label and the end as its number. Reports reject
    /// other parts.
    Picture(Vec<ScorePart>),
}

impl<'m, T> Answer<'m, T> {
    /// Converts the statistics in the answer, for wrappers whose statistics differ from the inner metric's.
    ///
    /// # Errors
    /// Returns the errors of `change`.
    pub fn map_stats<U>(self, change: impl FnMut(T) -> Result<U>) -> Result<Answer<'m, U>> {
        Ok(match self {
            Answer::Scores(scorer) => Answer::Scores(scorer),
            Answer::Stats(all) => Answer::Stats(all.into_iter().map(change).collect::<Result<_>>()?),
            Answer::Pairing(pairing) => Answer::Pairing(pairing),
            Answer::Picture(rows) => Answer::Picture(rows),
        })
    }
}

/// Scores of all pairs of a pool: every hypothesis with every single reference. The scorer borrows no
/// sequence, and threads share it.
pub trait PairScorer: Send + Sync {
    /// Writes the scores of these hypotheses, row by row, one for each reference:
    /// `scores[(h - hypotheses.start) * references + r]`.
    ///
    /// NaN marks a pair that has no score, or that the caller must observe instead.
    fn score(&self, hypotheses: Range<usize>, scores: &mut [f64]);
}

impl<F: Fn(Range<usize>, &mut [f64]) + Send + Sync> PairScorer for F {
    fn score(&self, hypotheses: Range<usize>, scores: &mut [f64]) {
        self(hypotheses, scores);
    }
}

/// Matched names, such as speakers, each a pair of reference name and hypothesis name, in order. `None` marks
/// a name without a partner.
pub type Pairing = Vec<[Option<String>; 2]>;

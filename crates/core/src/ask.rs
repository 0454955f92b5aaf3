//! [`Ask`]: a question that a metric may answer faster than by observing, and its [`Answer`].

use core::ops::Range;

use crate::prelude::*;
use crate::{Result, ScorePart, Segment, SegmentCounts};

/// The kinds of questions of [`Observe::ask`](crate::Observe::ask).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wanted {
    /// The scores of every hypothesis with every reference alone, as [`Answer::Scores`].
    Pairs,
    /// The statistics of each hypothesis with all references but the one at its own place, as [`Answer::Stats`]. The
    /// references are the hypotheses; a wrapper may have cut them in another way.
    LeaveOneOut,
    /// The statistics of each hypothesis with all references laid together, as [`Answer::Stats`]: an estimate of its mean
    /// score over the references, in linear time. They count one segment per reference, with the hypothesis repeated as
    /// often; with a single reference they are those of the pair.
    Aggregate,
    /// The pairs that the counts of one segment are of, as [`Answer::Pairing`]: for metrics that pair parts of the reference
    /// with parts of the hypothesis, such as speakers.
    Pairing,
    /// The picture of one segment, as [`Answer::Picture`]: for metrics over stretches of time, which reports draw. A metric
    /// answers for every segment or for none.
    Picture,
}

/// A question over sequences. A wrapper hands it on, over sequences of its own where it makes these: [`Ask::over`].
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
    /// The kind of the question.
    pub wanted: Wanted,
    /// The hypotheses; one, if the question is of one segment.
    pub hypotheses: &'a [&'a S],
    /// The references, those of all hypotheses.
    pub references: &'a [&'a R],
    /// The source, if the question is of one segment that has one.
    pub source: Option<&'a C>,
}

impl<S: ?Sized, R: ?Sized, C: ?Sized> Clone for Ask<'_, S, R, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized, R: ?Sized, C: ?Sized> Copy for Ask<'_, S, R, C> {}

impl<'a, S: ?Sized> Ask<'a, S> {
    /// A question over sequences of one kind, without a source.
    pub fn new(wanted: Wanted, hypotheses: &'a [&'a S], references: &'a [&'a S]) -> Self {
        Ask { wanted, hypotheses, references, source: None }
    }
}

impl<'a, S: ?Sized, R: ?Sized, C: ?Sized> Ask<'a, S, R, C> {
    /// The same question over other sequences, one for each of its own.
    pub fn over<'z, Z: ?Sized, Q: ?Sized, W: ?Sized>(
        &self,
        hypotheses: &'z [&'z Z],
        references: &'z [&'z Q],
        source: Option<&'z W>,
    ) -> Ask<'z, Z, Q, W> {
        Ask { wanted: self.wanted, hypotheses, references, source }
    }

    /// The segment that the question is of; none for a question of several hypotheses.
    pub fn segment(&self) -> Option<Segment<'a, S, R, C>> {
        let &[hypothesis] = self.hypotheses else { return None };
        Some(Segment::of(hypothesis, self.references, self.source))
    }

    /// The counts of the segments that each of the statistics of the answer is of.
    pub fn counts(&self) -> SegmentCounts {
        match self.wanted {
            Wanted::LeaveOneOut => SegmentCounts::of_segment(self.references.len().saturating_sub(1)),
            Wanted::Aggregate => {
                let segments = self.references.len() as u64;
                SegmentCounts { segments, references: segments, references_squared: segments }
            }
            Wanted::Pairs => SegmentCounts::of_segment(1),
            Wanted::Pairing | Wanted::Picture => SegmentCounts::of_segment(self.references.len()),
        }
    }
}

/// The answer to an [`Ask`], in the form that [`Wanted`] names.
#[non_exhaustive]
pub enum Answer<'m, T> {
    /// Scores of pairs.
    Scores(Box<dyn PairScorer + 'm>),
    /// Statistics, one for each hypothesis.
    Stats(Vec<T>),
    /// Pairs of names.
    Pairing(Pairing),
    /// Rows of stretches on one axis, from the top: the key of a part is `reference`, `hypothesis`, `error` or, for stretches
    /// that do not count, `out`; its label is the name of the row, and its [`Points`](crate::PartValue::Points) are start and
    /// end of each stretch. The part `axis` has the unit as its label and the end as its number. Reports refuse other parts.
    Picture(Vec<ScorePart>),
}

impl<'m, T> Answer<'m, T> {
    /// The same answer with other statistics, for wrappers whose statistics are not the metric's.
    ///
    /// # Errors
    /// Those of `change`.
    pub fn map_stats<U>(self, change: impl FnMut(T) -> Result<U>) -> Result<Answer<'m, U>> {
        Ok(match self {
            Answer::Scores(scorer) => Answer::Scores(scorer),
            Answer::Stats(all) => Answer::Stats(all.into_iter().map(change).collect::<Result<_>>()?),
            Answer::Pairing(pairing) => Answer::Pairing(pairing),
            Answer::Picture(rows) => Answer::Picture(rows),
        })
    }
}

/// The scores of all pairs of a pool: of every hypothesis with every reference alone.
///
/// It borrows no sequence, and threads share it.
pub trait PairScorer: Send + Sync {
    /// Writes the scores of these hypotheses, row after row, with one score for each reference:
    /// `scores[(h - hypotheses.start) * references + r]`.
    ///
    /// NaN marks a pair without a score, or one that has to be observed.
    fn score(&self, hypotheses: Range<usize>, scores: &mut [f64]);
}

impl<F: Fn(Range<usize>, &mut [f64]) + Send + Sync> PairScorer for F {
    fn score(&self, hypotheses: Range<usize>, scores: &mut [f64]) {
        self(hypotheses, scores);
    }
}

/// Pairs of names, of the reference and of the hypothesis, in order; a part without a partner stands alone.
pub type Pairing = Vec<[Option<String>; 2]>;

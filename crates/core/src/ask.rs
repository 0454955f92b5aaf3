//! [`Ask`]: a request for results over many sequences at once, which a metric may answer faster than segment
//! by segment. [`Answer`]: the result.

use core::ops::Range;

use crate::prelude::*;
use crate::{Result, ScorePart, Segment, SegmentCounts};

/// Kind of result that is requested from a metric through [`Observe::ask`](crate::Observe::ask), such as all
/// pair scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wanted {
    /// Scores of every hypothesis with every single reference, answered by [`Answer::Scores`].
    Pairs,
    /// Statistics of each hypothesis, computed with all references except the reference at the same index.
    /// [`Answer::Stats`] holds them.
    ///
    /// Here the references are the hypotheses themselves, so each hypothesis is compared with all others. A
    /// wrapper may tokenize a text differently as hypothesis and as reference.
    LeaveOneOut,
    /// Statistics of each hypothesis with all references combined, answered by [`Answer::Stats`].
    ///
    /// They estimate the mean score of the hypothesis over the references, in linear time. They count one
    /// segment per reference, with the hypothesis repeated for each. With one reference they equal the
    /// statistics of the pair.
    Aggregate,
    /// Matched pairs of names in one segment, such as each reference speaker with a hypothesis speaker.
    /// [`Answer::Pairing`] holds them. Metrics that do not match parts of the reference with parts of the
    /// hypothesis do not answer.
    Pairing,
    /// Drawing of one segment as rows of intervals on an axis, for reports; [`Answer::Picture`] holds it. A
    /// metric answers for every segment or for none.
    Picture,
}

/// A request to a metric for results over many sequences at once, which the metric may compute faster than
/// segment by segment. A wrapper metric forwards the request to its inner metric; [`Ask::with_sequences`] replaces the
/// sequences, such as texts by their tokens.
///
/// ```
/// use bleuprint_core::{Ask, Wanted};
/// let ask = Ask::new(Wanted::Pairs, &["a b"], &["a c", "b"]);
/// let cut = |text: &'static str| text.split(' ').collect::<Vec<_>>();
/// let (hypotheses, references) = ([cut("a b")], [cut("a c"), cut("b")]);
/// let references: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
/// let for_tokens = ask.with_sequences(&[&hypotheses[0][..]], &references, None::<&[&str]>).references.len();
/// assert_eq!(for_tokens, 2);
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Ask<'a, S: ?Sized, R: ?Sized = S, C: ?Sized = S> {
    /// Kind of result that is requested, such as the scores of all pairs.
    pub wanted: Wanted,
    /// Hypotheses that the request covers; exactly one if it is about a single segment.
    pub hypotheses: &'a [&'a S],
    /// References that every hypothesis is compared with.
    pub references: &'a [&'a R],
    /// Source text of the segment, if the request is about a single segment that has a source.
    pub source: Option<&'a C>,
}

impl<S: ?Sized, R: ?Sized, C: ?Sized> Clone for Ask<'_, S, R, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized, R: ?Sized, C: ?Sized> Copy for Ask<'_, S, R, C> {}

impl<'a, S: ?Sized> Ask<'a, S> {
    /// Creates a request over sequences of one type, without a source text.
    pub fn new(wanted: Wanted, hypotheses: &'a [&'a S], references: &'a [&'a S]) -> Self {
        Ask { wanted, hypotheses, references, source: None }
    }
}

impl<'a, S: ?Sized, R: ?Sized, C: ?Sized> Ask<'a, S, R, C> {
    /// Returns a copy of the request with each sequence replaced by a converted sequence, such as a text by
    /// its tokens.
    pub fn with_sequences<'z, Z: ?Sized, Q: ?Sized, W: ?Sized>(
        &self,
        hypotheses: &'z [&'z Z],
        references: &'z [&'z Q],
        source: Option<&'z W>,
    ) -> Ask<'z, Z, Q, W> {
        Ask { wanted: self.wanted, hypotheses, references, source }
    }

    /// Returns the segment that the request is about; `None` for a request about several hypotheses.
    pub fn segment(&self) -> Option<Segment<'a, S, R, C>> {
        let &[hypothesis] = self.hypotheses else { return None };
        Some(Segment::with_source(hypothesis, self.references, self.source))
    }

    /// Returns the numbers of segments and references that each entry of [`Answer::Stats`] covers, such as
    /// one segment for the statistics of one hypothesis.
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

/// A metric's answer to a request ([`Ask`]). [`Wanted`] documents which variant answers which kind of
/// request.
#[non_exhaustive]
pub enum Answer<'m, T> {
    /// Scorer of pairs of a hypothesis and a reference. It computes the scores when a range of hypotheses is
    /// requested.
    Scores(Box<dyn PairScorer + 'm>),
    /// Mergeable statistics of the metric (such as match counts), one entry for each hypothesis.
    Stats(Vec<T>),
    /// Pairs of matched names, such as a speaker in the reference and a speaker in the hypothesis.
    Pairing(Pairing),
    /// Drawing of one segment: rows of intervals on a common axis, from top to bottom.
    ///
    /// The key of a row is `reference`, `hypothesis`, `error`, or `out` for intervals that are not scored.
    /// Its label is the name of the row, and its [`Points`](crate::PartValue::Points) are the start and end
    /// of each interval. The part with the key `axis` has the unit of the axis as its label and the end as
    /// its number. Reports reject other parts.
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

/// Scorer of pairs: every hypothesis with every single reference of a fixed set of texts. The scorer borrows
/// no text, and threads can share it.
pub trait PairScorer: Send + Sync {
    /// Writes the scores of a range of hypotheses with every reference. Each hypothesis is a row with one
    /// score per reference: `scores[(h - hypotheses.start) * references + r]`.
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

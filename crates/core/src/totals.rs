//! [`Totals`]: a metric made of two closures: one counts a segment, one computes the score from the summed
//! counts.

use crate::prelude::*;
use crate::{CountRow, CountWriter, Identity, Metric, Observe, Result, Score, Segment, SegmentCounts, Stats};

/// A metric made of two closures: the first computes the statistics of a segment, the second computes the
/// score from the merged statistics.
///
/// ```text
/// Totals(f, g) = g( f(segment_1) ⊕ .. ⊕ f(segment_n) )
/// ```
///
/// The statistics are any [`Stats`]: [`columns!`](crate::columns), arrays of counts, a row of any number of
/// counts ([`Totals::counts`]), [`ExactSum`](crate::ExactSum)s, maps, user-defined sets, or tuples of these. A metric that reuses buffers
/// or has faster methods implements [`Metric`] and [`Observe`] instead.
///
/// | singular case | result |
/// |---|---|
/// | no segments | the second closure's score of `Default` statistics |
/// | an error of a closure | that error; the statistics are unchanged |
///
/// The length of hypotheses relative to their references, over any tokens, with the hypothesis length as a
/// second number:
///
/// ```
/// use bleuprint_core::*;
///
/// columns! { pub struct Lengths { hypotheses, references } }
///
/// let identity = Identity::new("length_ratio", 1, Scale::UNBOUNDED);
/// let ratio = Totals::new(
///     identity,
///     |segment: Segment<'_, [char]>| {
///         let reference = segment.one_reference("length_ratio")?;
///         Ok(Lengths { hypotheses: segment.hypothesis.len() as u64, references: reference.len() as u64 })
///     },
///     |all: &Lengths, _| Ok([all.hypotheses as f64 / all.references.max(1) as f64, all.hypotheses as f64]),
/// );
/// let mut all = Accumulator::<_, [char]>::new(ratio.headlines(&["ratio", "tokens"]));
/// all.push(&['a', 'b', 'c'], &[&['a', 'b']]).unwrap();
/// all.push(&['a'], &[&['a', 'b']]).unwrap();
/// assert_eq!(all.score().unwrap().score, [1.0, 4.0]);
/// ```
#[derive(Debug, Clone)]
pub struct Totals<T, V, F> {
    identity: Identity,
    headlines: &'static [&'static str],
    of_segment: V,
    score: F,
    zero: T,
    /// Check that statistics have the shape of `zero`, which only a row of a length known at run time needs.
    require_like: fn(&T, &T) -> Result<()>,
}

/// A closure that adds the counts of a segment to a total, for [`Totals::counts`].
#[derive(Debug, Clone)]
pub struct Writing<V>(V);

impl<T: Stats, V, F> Totals<T, V, F> {
    /// Creates a metric from two closures: `of_segment` computes the statistics of a segment, and `score`
    /// computes the score of their total.
    pub fn new<S: ?Sized, R: ?Sized, C: ?Sized, O: Score>(identity: Identity, of_segment: V, score: F) -> Self
    where
        V: Fn(Segment<'_, S, R, C>) -> Result<T>,
        F: Fn(&T, &SegmentCounts) -> Result<O>,
    {
        Totals {
            identity,
            headlines: &["score"],
            of_segment,
            score,
            zero: T::default(),
            require_like: |_, _| Ok(()),
        }
    }

    /// Creates a metric from two closures that receive the tokens as text, for `AnyMetric::for_tokens`. The
    /// first closure must accept tokens of any lifetime.
    pub fn for_tokens<O: Score>(identity: Identity, of_segment: V, score: F) -> Self
    where
        V: for<'s, 't> Fn(Segment<'s, [&'t str]>) -> Result<T>,
        F: Fn(&T, &SegmentCounts) -> Result<O>,
    {
        Totals::new(identity.needing(|needs| needs.tokens = true), of_segment, score)
    }

    /// Names the numbers of the metric's score, if the closure that computes the score returns several
    /// numbers as an array. Without this call the only name is `score`.
    #[must_use]
    pub fn headlines(self, headlines: &'static [&'static str]) -> Self {
        Totals { headlines, ..self }
    }
}

impl<V, F> Totals<CountRow, Writing<V>, F> {
    /// Creates a metric over a row of `columns` counts. The closure `of_segment` adds the counts of a segment
    /// to the total itself, so that a long row costs no more than a short one. It must add the same counts
    /// whenever it gets the same segment.
    ///
    /// ```
    /// use bleuprint_core::*;
    /// // The entropy of ids in 256 buckets.
    /// let entropy = Totals::counts(
    ///     Identity::new("id_entropy", 1, Scale::higher_is_better(0.0, 8.0)).reference_free(),
    ///     256,
    ///     |segment: Segment<'_, [u32]>, counts| {
    ///         segment.hypothesis.iter().for_each(|id| counts.add(*id as usize % 256, 1));
    ///         Ok(())
    ///     },
    ///     |counts: &CountRow, _| {
    ///         let all = counts.iter().sum::<u64>().max(1) as f64;
    ///         let shares = counts.iter().filter(|count| **count > 0).map(|count| *count as f64 / all);
    ///         Ok(shares.map(|share| -share * share.log2()).sum::<f64>())
    ///     },
    /// );
    /// let mut all = Accumulator::<_, [u32]>::new(entropy);
    /// all.push(&[1, 2, 3, 4], &[]).unwrap();
    /// assert_eq!(all.score().unwrap().score, 2.0);
    /// ```
    pub fn counts<S: ?Sized, R: ?Sized, C: ?Sized, O: Score>(
        identity: Identity,
        columns: usize,
        of_segment: V,
        score: F,
    ) -> Self
    where
        V: Fn(Segment<'_, S, R, C>, &mut CountWriter<'_>) -> Result<()>,
        F: Fn(&CountRow, &SegmentCounts) -> Result<O>,
    {
        Totals {
            identity,
            headlines: &["score"],
            of_segment: Writing(of_segment),
            score,
            zero: CountRow::new(columns),
            require_like: CountRow::require_like,
        }
    }

    /// Creates a metric like [`Totals::counts`], from a closure that receives the tokens as text, for
    /// `AnyMetric::for_tokens`.
    pub fn counts_for_tokens<O: Score>(identity: Identity, columns: usize, of_segment: V, score: F) -> Self
    where
        V: for<'s, 't> Fn(Segment<'s, [&'t str]>, &mut CountWriter<'_>) -> Result<()>,
        F: Fn(&CountRow, &SegmentCounts) -> Result<O>,
    {
        Totals::counts(identity.needing(|needs| needs.tokens = true), columns, of_segment, score)
    }
}

impl<T, V, F, O> Metric for Totals<T, V, F>
where
    T: Stats,
    V: Send + Sync,
    F: Fn(&T, &SegmentCounts) -> Result<O> + Send + Sync,
    O: Score,
{
    type Stats = T;
    type Score = O;
    type Scratch = ();

    fn identity(&self) -> Identity {
        self.identity.clone()
    }
    fn finalize(&self, stats: &T, counts: &SegmentCounts) -> Result<O> {
        // A closure that indexes a row must not meet a shorter one.
        (self.require_like)(&self.zero, stats)?;
        (self.score)(stats, counts)
    }
    fn zero(&self) -> T {
        self.zero.clone()
    }
    fn check(&self, stats: &T, counts: &SegmentCounts) -> Result<()> {
        (self.require_like)(&self.zero, stats)?;
        stats.check(counts)
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        self.headlines.iter().copied().map(Cow::Borrowed).collect()
    }
}

impl<S, R, C, T, V, F, O> Observe<S, R, C> for Totals<T, V, F>
where
    S: ?Sized,
    R: ?Sized,
    C: ?Sized,
    T: Stats,
    V: Fn(Segment<'_, S, R, C>) -> Result<T> + Send + Sync,
    F: Fn(&T, &SegmentCounts) -> Result<O> + Send + Sync,
    O: Score,
{
    fn observe(&self, (): &mut (), stats: &mut T, segment: Segment<'_, S, R, C>) -> Result<()> {
        stats.merge(&(self.of_segment)(segment)?)
    }
}

impl<S, R, C, V, F, O> Observe<S, R, C> for Totals<CountRow, Writing<V>, F>
where
    S: ?Sized,
    R: ?Sized,
    C: ?Sized,
    V: Fn(Segment<'_, S, R, C>, &mut CountWriter<'_>) -> Result<()> + Send + Sync,
    F: Fn(&CountRow, &SegmentCounts) -> Result<O> + Send + Sync,
    O: Score,
{
    fn observe(&self, (): &mut (), row: &mut CountRow, segment: Segment<'_, S, R, C>) -> Result<()> {
        row.write(|total| (self.of_segment.0)(segment, total))
    }
}

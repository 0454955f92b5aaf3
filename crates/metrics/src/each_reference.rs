//! [`EachReference`]: scores each hypothesis with every reference alone, by any metric. The corpus score is
//! the mean over segments of the best or the average score.

use bleuprint_core::{
    Answer, Ask, Direction, Identity, Mean, Metric, Observe, Result, Score, Segment, SegmentCounts, Wanted,
    metric_through,
};

/// Metric that scores a hypothesis with each of its references alone. A segment counts with its best or its
/// average score, and the corpus score is the mean over segments.
///
/// The signature shows the choice as `references`.
///
/// ```
/// use bleuprint_core::*;
/// use bleuprint_metrics::EachReference;
/// // The share of the letters of all references that are the hypothesis.
/// let share = || {
///     let counts = |segment: Segment<'_, str>| {
///         let all = segment.references()?.concat();
///         Ok([all.matches(segment.hypothesis).count() as u64, all.len() as u64])
///     };
///     let share = |[own, all]: &[u64; 2], _: &SegmentCounts| Ok(*own as f64 / (*all).max(1) as f64);
///     Totals::new(Identity::new("share", 1, Scale::UNIT), counts, share)
/// };
/// fn score(mean: impl Observe<str, Score = PlainScore>) -> f64 {
///     let mut mean = Accumulator::<_, str>::new(mean);
///     mean.push("a", &["ab", "b"]).unwrap();
///     mean.score().unwrap().score.value()
/// }
/// assert_eq!(score(Mean::new(share())), 1.0 / 3.0);
/// assert_eq!(score(EachReference::best(share())), 0.5);
/// assert_eq!(score(EachReference::average(share())), 0.25);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EachReference<M> {
    mean: Mean<M>,
    best: bool,
}

impl<M> EachReference<M> {
    /// Creates a metric that takes, for each segment, the best score with a single reference; the corpus
    /// score is the mean over segments.
    pub fn best(metric: M) -> Self {
        EachReference { mean: Mean::new(metric), best: true }
    }

    /// Creates a metric that takes, for each segment, the average of the scores with single references; the
    /// corpus score is the mean over segments.
    pub fn average(metric: M) -> Self {
        EachReference { mean: Mean::new(metric), best: false }
    }
}

impl<M: Metric> Metric for EachReference<M> {
    type Stats = <Mean<M> as Metric>::Stats;
    type Score = <Mean<M> as Metric>::Score;
    type Scratch = M::Scratch;

    fn identity(&self) -> Identity {
        self.mean.identity().counted("references", "refs", if self.best { "best" } else { "average" })
    }
    metric_through!(all but identity, self => self.mean);
}

impl<S: ?Sized, R: ?Sized, C: ?Sized, M: Observe<S, R, C>> Observe<S, R, C> for EachReference<M> {
    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, S, R, C>,
    ) -> Result<()> {
        let metric = &self.mean.metric;
        let mut all: Vec<Vec<f64>> = Vec::new();
        for reference in segment.references()? {
            let own = [*reference];
            let alone = Segment::with_source(segment.hypothesis, &own, segment.source);
            let mut stats = metric.zero();
            metric.observe(scratch, &mut stats, alone)?;
            all.push(metric.finalize(&stats, &SegmentCounts::of_segment(1))?.headlines());
        }
        // Sorting by the numbers, with the best one last, makes the floating-point sum below independent of
        // the order of the references.
        all.sort_by(|one, other| {
            let mut orders = one.iter().zip(other).map(|(one, other)| one.total_cmp(other));
            orders.find(|order| order.is_ne()).unwrap_or(core::cmp::Ordering::Equal)
        });
        if self.scale().direction == Direction::LowerIsBetter {
            all.reverse();
        }
        let average =
            |place: usize| all.iter().flat_map(|one| one.get(place)).sum::<f64>() / all.len() as f64;
        let headlines = match all.last() {
            Some(best) if self.best => best.clone(),
            _ => (0..self.headline_names().len()).map(average).collect(),
        };
        self.mean.add(stats, headlines, 1)
    }

    /// Answers a request to score many pairs of one hypothesis and one reference at once. The wrapped metric
    /// scores them, because the best or average score over one reference is the score itself. Returns `None`
    /// for all other requests.
    fn ask(
        &self,
        scratch: &mut Self::Scratch,
        ask: Ask<'_, S, R, C>,
    ) -> Result<Option<Answer<'_, Self::Stats>>> {
        if ask.wanted == Wanted::Pairs { self.mean.ask(scratch, ask) } else { Ok(None) }
    }
}

#[cfg(test)]
#[test]
fn a_segment_counts_all_its_references() {
    use bleuprint_core::Accumulator;

    let matched = EachReference::best(crate::ExactMatch);
    let mut all = Accumulator::<_, [u32]>::new(matched);
    let segment = all.push(&[7], &[&[3], &[7]]).unwrap();
    assert_eq!(segment.counts().references, 2);
    assert_eq!(all.score().unwrap().score.headlines(), [100.0]);
}

//! [`Mean`]: the mean of the segment scores of any metric, with statistics that merge exactly.

use core::fmt::Display;
use core::ops::Range;

use serde::{Deserialize, Serialize};

use crate::prelude::*;
use crate::{
    Answer, Ask, Composition, ExactSum, Identity, InputError, Linear, Location, Metric, Observe, PlainScore,
    Prepared, Result, Score, Segment, SegmentCounts, Stats as _,
};

/// A metric that averages the segment scores of another metric, with one mean for each number of the score.
///
/// ```text
/// Mean(M) = ( Σ over segments:  M of the segment alone ) / segments
/// ```
///
/// Many scores are defined as such a mean: ROUGE, METEOR, CIDEr, and the averaged sentence BLEU that some
/// papers report. A running float sum would depend on the order of the segments and could not be split again.
/// This sum is held in integers ([`ExactSum`]) and rounded once, so it merges, subtracts and resamples like
/// counts.
///
/// | singular case | result |
/// |---|---|
/// | a segment without a score | error, naming the reason |
/// | a segment score between 0 and `2^-140` | rounded to a multiple of `2^-192` |
/// | a segment score of `2^63` or more | error |
///
/// All settings of the inner metric are part of the state key: they change the scores that are summed.
///
/// ```
/// use bleuprint_core::*;
/// let share = || {
///     let counts = |segment: Segment<'_, str>| {
///         Ok([segment.hypothesis.matches('a').count() as u64, segment.hypothesis.len() as u64])
///     };
///     let share = |[a, all]: &[u64; 2], _: &SegmentCounts| Ok(*a as f64 / (*all).max(1) as f64);
///     Totals::new(Identity::new("share", 1, Scale::UNIT), counts, share)
/// };
/// // The share of the letter a. Over all: 3 of 6 letters; as a mean of segments: (1 + 2/5) / 2.
/// let (mut pooled, mut mean) = (Accumulator::<_, str>::new(share()), Accumulator::<_, str>::new(Mean::new(share())));
/// for hypothesis in ["a", "abbab"] {
///     pooled.push(hypothesis, &[]).unwrap();
///     mean.push(hypothesis, &[]).unwrap();
/// }
/// assert_eq!(pooled.score().unwrap().score, 0.5);
/// assert_eq!(mean.score().unwrap().score.value(), 0.7);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a wrapper")]
pub struct Mean<M> {
    /// Metric whose segment scores are averaged.
    pub metric: M,
}

impl<M> Mean<M> {
    /// Creates the mean of the segment scores of `metric`.
    pub fn new(metric: M) -> Self {
        Mean { metric }
    }
}

/// Exact sums of segment scores, one sum for each number of the score, such as precision and recall.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeanStats {
    sums: Vec<ExactSum>,
}

impl Linear for MeanStats {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        for (index, sum) in self.sums.iter_mut().enumerate() {
            Linear::columns(sum, &mut |name, count| visit(&format_args!("sum_{index}.{name}"), count));
        }
    }
}

impl Linear for ExactSum {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        for (name, count) in ExactSum::COLUMNS.iter().zip(&mut self.columns) {
            visit(name, count);
        }
    }

    /// Checks that the stored sums are valid, and that each sum has at most one value for each segment.
    fn check_bounds(&self, counts: &SegmentCounts) -> Result<()> {
        ExactSum::try_from(self.columns)?;
        InputError::require_at_most("values", self.count(), "segments", counts.segments)
    }

    /// Returns the number of segments that have no score and are therefore left out of the mean.
    fn without_number(&self, counts: &SegmentCounts) -> u64 {
        counts.segments.saturating_sub(self.count())
    }

    fn add(&mut self, other: &Self) -> Result<()> {
        // Written out because it runs once for each segment: without closures behind pointers the loop is
        // unrolled. Only an overflow takes the slow path, which names the column.
        let mut sum = self.columns;
        for (sum, &count) in sum.iter_mut().zip(&other.columns) {
            match sum.checked_add(count) {
                Some(fits) => *sum = fits,
                None => return self.add_columns(other),
            }
        }
        self.columns = sum;
        Ok(())
    }
}

impl<M: Metric> Metric for Mean<M> {
    type Stats = MeanStats;
    type Score = PlainScore;
    type Scratch = M::Scratch;

    fn identity(&self) -> Identity {
        // Finished scores are summed, so even settings that change only the finishing change the statistics.
        self.metric.identity().counted("mean", "mean", "segments").all_counted().composed(Composition::Mean)
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        self.metric.headline_names()
    }
    fn batch(&self) -> usize {
        self.metric.batch()
    }
    fn zero(&self) -> MeanStats {
        MeanStats { sums: self.headline_names().iter().map(|_| ExactSum::default()).collect() }
    }

    fn finalize(&self, stats: &MeanStats, counts: &SegmentCounts) -> Result<PlainScore> {
        let mean = |sum: &ExactSum| sum.mean(sum.count().max(1));
        let means: Vec<f64> = stats.sums.iter().map(mean).collect();
        let first = PlainScore::new(means.first().copied().unwrap_or(0.0));
        let mut score = first.with_count("segments", counts.segments);
        score.headlines = Some(means);
        Ok(score)
    }

    fn check(&self, stats: &MeanStats, counts: &SegmentCounts) -> Result<()> {
        let expected = self.headline_names().len();
        if stats.sums.len() != expected {
            let message = format!("there are {} sums, but {expected} are expected", stats.sums.len());
            return Err(InputError::malformed_state(message));
        }
        let scale = self.scale();
        stats.sums.iter().try_for_each(|sum| scale.check_mean(sum, counts.segments))
    }
}

impl<S: ?Sized, R: ?Sized, C: ?Sized, M: Observe<S, R, C>> Observe<S, R, C> for Mean<M> {
    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut MeanStats,
        segment: Segment<'_, S, R, C>,
    ) -> Result<()> {
        let mut own = self.metric.zero();
        self.metric.observe(scratch, &mut own, segment)?;
        self.add_score(stats, &own, &SegmentCounts::of_segment(segment.references.len()))
    }

    fn observe_each(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut [MeanStats],
        segments: &[Segment<'_, S, R, C>],
    ) -> Result<()> {
        let mut own: Vec<M::Stats> = segments.iter().map(|_| self.metric.zero()).collect();
        self.metric.observe_each(scratch, &mut own, segments)?;
        for (number, ((stats, own), segment)) in (1..).zip(stats.iter_mut().zip(&own).zip(segments)) {
            let counts = SegmentCounts::of_segment(segment.references.len());
            let added = self.add_score(stats, own, &counts);
            added.map_err(|error| error.at(Location::segment(number)))?;
        }
        Ok(())
    }

    fn prepare(&self, scratch: &mut Self::Scratch, references: &[&R]) -> Result<Prepared> {
        self.metric.prepare(scratch, references)
    }

    fn observe_prepared(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut MeanStats,
        segment: Segment<'_, S, R, C>,
        prepared: &Prepared,
    ) -> Result<()> {
        let mut own = self.metric.zero();
        self.metric.observe_prepared(scratch, &mut own, segment, prepared)?;
        let references = prepared.references().unwrap_or(segment.references.len());
        self.add_score(stats, &own, &SegmentCounts::of_segment(references))
    }

    fn observe_prefixes(
        &self,
        scratch: &mut Self::Scratch,
        segment: Segment<'_, S, R, C>,
        each: &mut dyn FnMut(&MeanStats) -> Result<()>,
    ) -> Result<bool> {
        let counts = SegmentCounts::of_segment(segment.references.len());
        self.metric.observe_prefixes(scratch, segment, &mut |own| {
            let mut stats = self.zero();
            self.add_score(&mut stats, own, &counts)?;
            each(&stats)
        })
    }

    /// Passes a request to the metric whose segment scores are averaged, and converts its statistics to sums
    /// of scores. If the request combines all references, the score is added once for each reference.
    fn ask(
        &self,
        scratch: &mut Self::Scratch,
        ask: Ask<'_, S, R, C>,
    ) -> Result<Option<Answer<'_, MeanStats>>> {
        let Some(answer) = self.metric.ask(scratch, ask)? else { return Ok(None) };
        if let Answer::Scores(scorer) = answer {
            // The score of a pair is a mean of one value, so it is returned as it is, if an exact sum would
            // hold it without rounding.
            let means = move |hypotheses: Range<usize>, scores: &mut [f64]| {
                scorer.score(hypotheses, scores);
                for score in scores {
                    // Between `2^-140` (7e-43) and `2^63` (9.2e18) a sum keeps every bit; the bounds here are
                    // a little stricter. NaN makes the caller observe the pair, which rounds or fails as
                    // usual.
                    let held = *score == 0.0 || (1e-40..9e18).contains(&score.abs());
                    // An exact sum has no sign for zero, so a negative zero must become a positive one here
                    // too.
                    *score = if held { *score + 0.0 } else { f64::NAN };
                }
            };
            return Ok(Some(Answer::Scores(Box::new(means))));
        }
        let counts = ask.counts();
        let score = |own: M::Stats| {
            let mut stats = self.zero();
            self.add_score(&mut stats, &own, &counts).map(|()| stats)
        };
        answer.map_stats(score).map(Some)
    }
}

impl<M: Metric> Mean<M> {
    /// Computes the wrapped metric's score of the statistics `own`, and adds it to the sum of scores once for
    /// each of the segments in `counts`. Adds nothing after an error.
    fn add_score(&self, stats: &mut MeanStats, own: &M::Stats, counts: &SegmentCounts) -> Result<()> {
        self.add(stats, self.metric.finalize(own, counts)?.headlines(), counts.segments)
    }

    /// Adds the numbers of a segment score to the sums, `segments` times each. It is for wrappers that
    /// compute scores without observing a segment.
    ///
    /// # Errors
    /// Returns the errors of [`ExactSum::add`]; `stats` is then unchanged.
    pub fn add(&self, stats: &mut MeanStats, headlines: Vec<f64>, segments: u64) -> Result<()> {
        let mut observed = self.zero();
        for (sum, value) in observed.sums.iter_mut().zip(headlines) {
            sum.add(ExactSum::nearest(value))?;
        }
        stats.merge_times(&observed, segments)
    }
}

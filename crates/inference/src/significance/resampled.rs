//! Scores of resamples, subsets and left-out segments, and the bootstrap interval of each system.

use std::any::TypeId;

use bleuprint_core::{InputErrorKind, Metric, NumpyNumber, Result, SegmentCounts, SinglePrecision};

use super::{Significance, SystemStats, borrowed};
use crate::compare::caution::MOST_REDRAWN;
use crate::rows::require_equal;
use crate::tested::{Estimate, Precision, Resamples};
use crate::work::threads::map_with;
use crate::{
    Approach, Arithmetic, Caution, CountRows, Interval, NumpyRandom, ResamplePlan, Scores, bootstrap_from,
    contributions, leave_one_out, subsets,
};

impl<M: Metric> Significance<'_, M> {
    /// Returns each system's leave-one-out scores: its score without one segment, for each segment in turn.
    ///
    /// # Errors
    /// Returns an error if a sum does not fit 64 bits or if statistics cannot be merged.
    pub fn leave_one_out(&self) -> Result<Vec<Vec<f64>>> {
        match &self.systems {
            SystemStats::Rows(systems) => {
                let finish = |row: &[u64]| self.finish(row);
                let of_system = |(): &mut (), system: usize| leave_one_out(&systems[system], &finish);
                map_with(systems.len(), || (), of_system).into_iter().collect()
            }
            SystemStats::Merges(merges) => merges.leave_one_out(),
        }
    }

    /// Returns the contribution of each segment to the score difference of the two systems, in points: the
    /// difference on all segments minus the difference without this segment.
    ///
    /// The values are exact, by subtraction of counts or by merging the other segments. They do not add up to
    /// the difference, because scores are not sums.
    ///
    /// # Errors
    /// Returns an error unless there are exactly two systems, and the errors of
    /// [`Significance::leave_one_out`].
    pub fn contributions(&self) -> Result<Vec<f64>> {
        match &self.systems {
            SystemStats::Rows(systems) => {
                require_equal("a difference", 2, "the systems", systems.len())?;
                contributions(&systems[0], &systems[1], &|row: &[u64]| self.finish(row))
            }
            SystemStats::Merges(merges) => merges.contributions(),
        }
    }

    /// Returns the scores of bootstrap resamples, one list for each system. All systems have the same
    /// resamples.
    ///
    /// # Errors
    /// Returns an error if more resamples have no score than may be drawn again, and the errors of
    /// [`bootstrap`](crate::bootstrap) and of merging.
    pub fn resampled(&self, plan: ResamplePlan) -> Result<Vec<Vec<f64>>> {
        let Resamples { scores, .. } = self.resamples(plan)?;
        scores.iter().try_for_each(|scores| require_scores(self.metric, scores))?;
        Ok(scores)
    }

    /// Returns the scores of bootstrap resamples, one list for each system, and the share of resamples
    /// without a score, which are drawn again. All systems have the same resamples.
    ///
    /// # Errors
    /// Returns the errors of [`bootstrap`](crate::bootstrap) and of merging.
    pub fn resamples(&self, plan: ResamplePlan) -> Result<Resamples> {
        match &self.systems {
            SystemStats::Rows(systems) => {
                let (scores, redrawn) = self.drawn(&borrowed(systems), plan)?;
                Ok(Resamples { scores: scores.iter().map(Scores::to_f64).collect(), redrawn })
            }
            SystemStats::Merges(merges) => merges.resampled(plan),
        }
    }

    /// Returns the scores of random subsets of the segments, one list for each system, as
    /// [`subsets`](crate::subsets()) does for rows of counts.
    ///
    /// # Errors
    /// Returns the errors of [`subsets`](crate::subsets()) and of merging.
    pub fn subsets(&self, plan: ResamplePlan) -> Result<Vec<Vec<f64>>> {
        match &self.systems {
            SystemStats::Rows(systems) => subsets(&borrowed(systems), &|row: &[u64]| self.finish(row), plan),
            SystemStats::Merges(merges) => merges.subsets(plan),
        }
    }

    /// Returns the bootstrap interval of each system's score, as `sacrebleu --confidence` reports it. There
    /// is no interval if the metric ignores repeated segments or if too many resamples have no score.
    ///
    /// # Errors
    /// Returns the errors of [`bootstrap`](crate::bootstrap) and of merging.
    pub fn confidence(&self, plan: ResamplePlan) -> Result<Vec<Estimate>> {
        if self.approach == Approach::Repeats {
            let none = Estimate { interval: None, redrawn: 0.0, caution: Some(Caution::Repeats) };
            return Ok(self.segment_lists().map(|_| none).collect());
        }
        let (drawn, redrawn) = self.all_drawn(plan)?;
        let estimate =
            |(value, drawn): (f64, &Scores)| self.estimate(value, drawn, redrawn, drawn.interval());
        Ok(self.all_scores()?.into_iter().zip(&drawn).map(estimate).collect())
    }

    pub(super) fn drawn(&self, systems: &[&CountRows], plan: ResamplePlan) -> Result<(Vec<Scores>, f64)> {
        self.drawn_from(NumpyRandom::new(plan.seed), plan.count, systems)
    }

    pub(super) fn drawn_from(
        &self,
        random: NumpyRandom,
        count: usize,
        systems: &[&CountRows],
    ) -> Result<(Vec<Scores>, f64)> {
        let finish = |row: &[u64]| self.finish(row);
        // Only the metrics of sacreBLEU offer single precision; all others are computed exactly in either
        // mode.
        let single = single_precision(self.metric).map(Single);
        match (&single, self.precision) {
            (Some(single), Precision::Sacrebleu) => {
                bootstrap_from(random, count, systems, Arithmetic::Single(single))
            }
            _ => bootstrap_from(random, count, systems, Arithmetic::Exact(&finish)),
        }
    }

    pub(super) fn all_drawn(&self, plan: ResamplePlan) -> Result<(Vec<Scores>, f64)> {
        match &self.systems {
            SystemStats::Rows(systems) => self.drawn(&borrowed(systems), plan),
            SystemStats::Merges(merges) => {
                let Resamples { scores, redrawn } = merges.resampled(plan)?;
                Ok((scores.into_iter().map(Scores::Double).collect(), redrawn))
            }
        }
    }

    /// Returns the confidence interval of a score, `interval`, if the resampled scores support it, otherwise
    /// the reason why there is none. There is none if resamples lack scores, or if their mean is far from
    /// `value`, the score on all segments.
    ///
    /// In sacreBLEU's arithmetic, a mean that is far from the score only gives a warning, because sacreBLEU
    /// prints the interval.
    pub(super) fn estimate(
        &self,
        value: f64,
        resampled: &Scores,
        redrawn: f64,
        interval: Interval,
    ) -> Estimate {
        let scores = resampled.to_f64();
        if redrawn > MOST_REDRAWN || !scores.iter().all(|score| score.is_finite()) {
            let caution = Some(Caution::Unscored {
                share: redrawn,
                segments: self.scored_alone(),
                of: self.segments() as u64,
            });
            return Estimate { interval: None, redrawn, caution };
        }
        let of_sacrebleu = self.precision == Precision::Sacrebleu && single_precision(self.metric).is_some();
        let caution = match Caution::of_bias(value, &scores) {
            Some(Caution::Shrunk { mean, value, spread }) if of_sacrebleu => {
                Some(Caution::Biased { mean, value, spread })
            }
            caution => caution,
        };
        let refused = caution.is_some_and(|caution| caution.refuses());
        Estimate { interval: (!refused).then_some(interval), redrawn, caution }
    }

    /// Counts the segments for which the metric has a score in every system if the segment is scored alone.
    pub(super) fn scored_alone(&self) -> u64 {
        let scores = self.segment_scores();
        let has = |&segment: &usize| scores.iter().all(|scores| scores[segment].is_finite());
        (0..self.segments()).filter(has).count() as u64
    }
}

fn require_scores<M: Metric>(metric: &M, scores: &[f64]) -> Result<()> {
    let without = scores.iter().filter(|score| !score.is_finite()).count();
    if without == 0 {
        return Ok(());
    }
    let reason = format!("{without} of {} resamples have no score", scores.len());
    Err(InputErrorKind::NoScore { metric: metric.identity().name(), reason }.into())
}

/// sacreBLEU's single-precision arithmetic for rows of counts whose first columns count segments. These
/// columns are removed before sacreBLEU's arithmetic is applied.
struct Single(Box<dyn SinglePrecision>);

/// Returns sacreBLEU's single-precision arithmetic for this metric, or `None` if the metric has none.
fn single_precision<M: Metric + ?Sized>(metric: &M) -> Option<Box<dyn SinglePrecision>> {
    let offered = metric.extension(TypeId::of::<Box<dyn SinglePrecision>>())?;
    offered.downcast().ok().map(|offered| *offered)
}

impl SinglePrecision for Single {
    fn row(&self, row: &[u64], out: &mut Vec<f32>) {
        self.0.row(row.get(SegmentCounts::COLUMNS..).unwrap_or_default(), out);
    }

    fn finish(&self, sums: &[f32]) -> NumpyNumber {
        self.0.finish(sums)
    }
}

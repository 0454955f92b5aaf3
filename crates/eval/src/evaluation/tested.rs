//! Confidence intervals and paired significance tests of the evaluated systems.

use bleuprint_core::{InputErrorKind, Result};
use bleuprint_inference::{Approach, Caution, Interval, Precision, ResamplePlan, Significance, Test, Tested};
use bleuprint_registry::AnyMetric;

use super::Run;

impl Run {
    /// Returns the score of each system with its bootstrap confidence interval, for the metric with this
    /// index. Resamples draw the units of the run, such as documents.
    ///
    /// # Errors
    /// Returns an error if a segment lacks the label of the unit, and the errors of
    /// [`Significance::confidence`].
    pub fn confidence(&self, metric: usize, plan: ResamplePlan, precision: Precision) -> Result<Vec<Tested>> {
        let tested = |system: usize| {
            let score = self.score_of(metric, system, 0..self.len())?.score.value;
            let present = self.present(metric, system, 0..self.len());
            let tests = self.drawn_at(metric, system..system + 1, &present, precision)?;
            let mut tested = Tested::new(score);
            if let Some(estimate) = tests.confidence(plan)?.pop() {
                (tested.interval, tested.redrawn, tested.caution) =
                    (estimate.interval, estimate.redrawn, estimate.caution);
            }
            Ok(tested)
        };
        (0..self.systems.len()).map(tested).collect()
    }

    /// Tests every system against the first, on the segments for which all systems have a number. Returns the
    /// number of segments left out, and the result of each system. Units, such as documents, are drawn or
    /// swapped between systems as a whole. `resamples` is the number of resamples for intervals next to a
    /// randomization test.
    ///
    /// # Errors
    /// Returns an error if no segment has a number for every system, or if a segment lacks the label of the
    /// unit, and the errors of [`Significance::paired`].
    pub fn paired(
        &self,
        metric: usize,
        test: Test,
        (plan, resamples): (ResamplePlan, Option<usize>),
        precision: Precision,
    ) -> Result<(usize, Vec<Tested>)> {
        let segments = self.common_segments(metric)?;
        let tests = self.drawn_at(metric, 0..self.systems.len(), &segments, precision)?;
        Ok((self.len() - segments.len(), tests.paired(test, plan, resamples)?))
    }

    /// Prepares the significance tests of a metric on the given segments. The segments of each resampling
    /// unit are merged.
    pub(super) fn drawn_at(
        &self,
        metric: usize,
        systems: core::ops::Range<usize>,
        segments: &[usize],
        precision: Precision,
    ) -> Result<Significance<'_, AnyMetric>> {
        let tests = self.significance_at(metric, systems, segments, precision)?;
        match self.units(self.unit(), segments)? {
            None => Ok(tests),
            Some(units) => tests.by_units(&units),
        }
    }

    /// Returns the macro average of a metric over groups of segments, such as languages, for every system.
    /// Every group has the same weight; for a single group it is the group's score. The confidence interval
    /// resamples every group separately, with a separate seed.
    ///
    /// # Errors
    /// Returns an error if there is no group or if a group has no score, and the errors of
    /// [`Run::confidence`].
    ///
    /// ```
    /// use bleuprint_inference::{Precision, ResamplePlan};
    /// use bleuprint_eval::{ChosenTokens, evaluation::{Evaluation, NumberColumn, SystemNumbers, TextCorpus}};
    /// let mut corpus = TextCorpus::of_numbers(["a"], 3);
    /// let systems = vec![SystemNumbers::new([Some(0.5), Some(1.0), Some(0.25)])];
    /// corpus.add_column(NumberColumn { name: "comet".to_owned(), systems, outside: Vec::new() }).unwrap();
    /// let metrics = ["given:name=comet"];
    /// let evaluation = Evaluation::from_parts(&bleuprint_metrics::registry(), metrics, &ChosenTokens::standard().unwrap());
    /// let run = evaluation.unwrap().run(corpus).unwrap();
    /// let of = |groups: &[Vec<usize>]| run.mean_of_groups(0, groups, ResamplePlan::new(100), Precision::Exact).unwrap()[0];
    /// assert_eq!(of(&[vec![0, 1], vec![2]]).score, (0.75 + 0.25) / 2.0);
    /// let interval = of(&[vec![0, 1], vec![2]]).interval.unwrap();
    /// assert_eq!((interval.lower, interval.upper), (0.375, 0.625));
    /// ```
    pub fn mean_of_groups(
        &self,
        metric: usize,
        groups: &[Vec<usize>],
        plan: ResamplePlan,
        precision: Precision,
    ) -> Result<Vec<Tested>> {
        if groups.is_empty() {
            return Err(InputErrorKind::EmptyCorpus.into());
        }
        let count = groups.len() as f64;
        let tested = |system: usize| {
            let (mut score, mut resampled, mut refused, mut redrawn) =
                (0.0, vec![0.0; plan.count], None, 0.0_f64);
            for (number, group) in (0..).zip(groups) {
                score += self.score_of(metric, system, group.iter().copied())?.score.value / count;
                let present = self.present(metric, system, group.iter().copied());
                let plan = ResamplePlan { seed: plan.seed.wrapping_add(number), ..plan };
                let tests = self.drawn_at(metric, system..system + 1, &present, precision)?;
                if tests.approach() == Approach::Repeats {
                    refused = Some(Caution::Repeats);
                }
                if refused.is_some() {
                    continue;
                }
                let resamples = tests.resamples(plan)?;
                redrawn = redrawn.max(resamples.redrawn);
                if resamples.are_unscored() {
                    let scores = tests.segment_scores();
                    let all = || scores.iter().flatten();
                    let segments = all().filter(|score| score.is_finite()).count() as u64;
                    let (share, of) = (resamples.redrawn, all().count() as u64);
                    refused = Some(Caution::Unscored { share, segments, of });
                }
                let scores = resamples.scores.into_iter().flatten();
                resampled.iter_mut().zip(scores).for_each(|(sum, score)| *sum += score / count);
            }
            let interval = refused.is_none().then(|| Interval::from_values(resampled));
            Ok(Tested { interval, redrawn, caution: refused, ..Tested::new(score) })
        };
        (0..self.systems.len()).map(tested).collect()
    }
}

//! Paired tests as sacreBLEU reports them: every system against the first, by the bootstrap or by randomization.

use bleuprint_core::{Metric, Result};

use super::{Significance, SystemStats, borrowed};
use crate::compare::randomization::swapped;
use crate::rows::require_equal;
use crate::tested::{Estimate, Precision, Tested};
use crate::{
    Approach, AtLeast, Caution, CountRows, NumpyRandom, ResamplePlan, Scores, SwappedDifference, SystemPair,
    Test, paired_bootstrap, randomization,
};

impl<M: Metric> Significance<'_, M> {
    /// Tests every system against the first system: by the paired bootstrap of `sacrebleu --paired-bs`, or by
    /// the approximate randomization of `--paired-ar`. Randomization replaces the bootstrap if the metric
    /// ignores repeated segments, such as a count of distinct words.
    ///
    /// If the metric's statistics are rows of counts, randomization also computes an interval of each score
    /// from `resamples` bootstrap resamples (`n_ar_confidence` of sacreBLEU's `PairedTest`). Random numbers
    /// are drawn in sacreBLEU's order: the baseline's resamples from the seed, the other systems' resamples
    /// after the coins of the trials. The bootstrap computes intervals anyway.
    ///
    /// # Errors
    /// Returns the errors of [`Significance::confidence`].
    pub fn paired(&self, test: Test, plan: ResamplePlan, resamples: Option<usize>) -> Result<Vec<Tested>> {
        let repeats = self.approach == Approach::Repeats;
        let mut tested = match (&self.systems, test) {
            (_, Test::Bootstrap) if !repeats => return self.bootstrap(plan),
            (SystemStats::Rows(systems), _) => {
                self.randomization(&borrowed(systems), plan, resamples.filter(|_| !repeats))?
            }
            (SystemStats::Merges(merges), _) => merges.randomization(plan, self.extreme())?,
        };
        if repeats {
            tested.iter_mut().for_each(|tested| tested.caution = Some(Caution::Repeats));
        }
        Ok(tested)
    }

    fn bootstrap(&self, plan: ResamplePlan) -> Result<Vec<Tested>> {
        let (drawn, redrawn) = self.all_drawn(plan)?;
        let scores = self.all_scores()?;
        let tested = |(index, (&score, of_system)): (usize, (&f64, &Scores))| {
            let Estimate { interval, caution, .. } =
                self.estimate(score, of_system, redrawn, of_system.paired_interval());
            let unscored = matches!(caution, Some(Caution::Unscored { .. }));
            let p_value = (index > 0 && !unscored).then(|| {
                let seen = (scores[0] - score).abs();
                paired_bootstrap(&drawn[0], of_system, seen, self.extreme())
            });
            Tested { score, interval, p_value, redrawn, caution }
        };
        Ok(scores.iter().zip(&drawn).enumerate().map(tested).collect())
    }

    fn randomization(
        &self,
        systems: &[&CountRows],
        plan: ResamplePlan,
        resamples: Option<usize>,
    ) -> Result<Vec<Tested>> {
        let scores = self.scores(systems)?;
        let pair =
            |second: usize| SystemPair { first: 0, second, difference: (scores[0] - scores[second]).abs() };
        let pairs: Vec<SystemPair> = (1..systems.len()).map(pair).collect();
        let finish = |row: &[u64]| self.finish(row);
        let p_values = randomization(systems, &pairs, &finish, plan, self.extreme())?;
        let p_values = std::iter::once(None).chain(p_values.into_iter().map(Some));
        let tested = |(&score, p_value)| Tested { p_value, ..Tested::new(score) };
        let mut tested: Vec<Tested> = scores.iter().zip(p_values).map(tested).collect();
        if let Some(resamples) = resamples {
            self.add_intervals(&mut tested, systems, plan, resamples)?;
        }
        Ok(tested)
    }

    fn add_intervals(
        &self,
        tested: &mut [Tested],
        systems: &[&CountRows],
        plan: ResamplePlan,
        resamples: usize,
    ) -> Result<()> {
        let (baseline, others) = systems.split_at(systems.len().min(1));
        let (mut drawn, mut redrawn) = self.drawn(baseline, ResamplePlan { count: resamples, ..plan })?;
        if !others.is_empty() {
            // sacreBLEU has tossed one coin for each segment of each trial before it resamples the other
            // systems.
            let mut random = NumpyRandom::new(plan.seed);
            random.skip_booleans((plan.count as u64).saturating_mul(others[0].len() as u64));
            let (of_others, redrawn_of_others) = self.drawn_from(random, resamples, others)?;
            drawn.extend(of_others);
            redrawn = redrawn.max(redrawn_of_others);
        }
        for (tested, drawn) in tested.iter_mut().zip(&drawn) {
            let estimate = self.estimate(tested.score, drawn, redrawn, drawn.paired_interval());
            (tested.interval, tested.redrawn, tested.caution) =
                (estimate.interval, estimate.redrawn, estimate.caution);
        }
        Ok(())
    }

    /// Returns the score difference of the two systems with its paired randomization test, which gives
    /// intervals of any confidence level.
    ///
    /// # Errors
    /// Returns an error unless there are exactly two systems, and the errors of merging.
    pub fn swapped_difference(&self, plan: ResamplePlan) -> Result<SwappedDifference> {
        let scores = self.all_scores()?;
        require_equal("a difference", 2, "the systems", scores.len())?;
        let difference = scores[0] - scores[1];
        let pairs = [SystemPair { first: 0, second: 1, difference: difference.abs() }];
        let trials = match &self.systems {
            SystemStats::Rows(systems) => {
                swapped(&borrowed(systems), &pairs, &|row: &[u64]| self.finish(row), plan)
            }
            SystemStats::Merges(merges) => merges.swapped(&pairs, plan),
        }?;
        Ok(SwappedDifference::new(difference, trials.iter().flatten().copied()))
    }

    fn extreme(&self) -> AtLeast {
        match self.precision {
            // sacreBLEU counts only trials with a larger difference; ties must count for a valid p-value.
            Precision::Sacrebleu => AtLeast::Larger,
            Precision::Exact => AtLeast::AsLarge,
        }
    }
}

//! [`Significance`]: confidence intervals and significance tests for any metric, from the statistics of
//! segments.

use std::any::TypeId;
use std::borrow::Cow;

use bleuprint_core::{
    Composition, InputErrorKind, Metric, NumpyNumber, Result, SegmentCounts, SinglePrecision, State,
    Stats as _, column_names, score_row,
};

use crate::compare::caution::MOST_REDRAWN;
use crate::compare::closed::{Found, SegmentNumbers};
use crate::compare::pairs::{SystemParts, matrix_of};
use crate::compare::randomization::swapped;
use crate::compare::units::of_units;
use crate::merges::Merges;
use crate::rows::{require_equal, require_parallel};
use crate::tested::{Estimate, Precision, Resamples, Tested};
use crate::work::threads::map_with;
use crate::{
    Approach, Arithmetic, AtLeast, Caution, CountRows, Design, Interval, NumpyRandom, PairMatrix,
    ResamplePlan, Scores, SwappedDifference, SystemPair, Test, Units, bootstrap_from, contributions,
    leave_one_out, paired_bootstrap, randomization, resampled, subsets,
};

/// Confidence intervals and significance tests of one metric, for systems with outputs for the same segments.
///
/// Statistics that are rows of counts are summed. All other statistics, such as sets of n-grams, are merged.
/// Both ways draw the same resamples and give bit-identical results; sums of rows are faster.
///
/// ```
/// use bleuprint_core::{Segment, State};
/// use bleuprint_inference::{ResamplePlan, Precision, Significance, Test};
/// use bleuprint_metrics::{Bleu, Distinct};
///
/// let bleu = Bleu::default();
/// let references: [&[u32]; 1] = [&[1, 2, 3, 4, 5]];
/// let states = |hypotheses: [&[u32]; 3]| {
///     hypotheses.map(|hypothesis| {
///         State::of_segment(&bleu, &mut Default::default(), Segment::new(hypothesis, &references)).unwrap()
///     })
/// };
/// let baseline = states([&[1, 2, 3, 4, 9], &[1, 2, 3, 4, 5], &[1, 2, 3, 4]]);
/// let system = states([&[1, 2, 3, 4, 5], &[1, 2, 3, 4, 5], &[1, 2, 3, 4, 5]]);
/// let tests = Significance::new(&bleu, [&baseline, &system], Precision::Sacrebleu).unwrap();
/// let tested = tests.paired(Test::Bootstrap, ResamplePlan::new(200), None).unwrap();
/// assert!(tested[1].p_value.unwrap() <= 1.0 && tested[1].interval.unwrap().half_width == 0.0);
///
/// // Sets of n-grams are merged; drawn segments would repeat some, so a set has no interval.
/// let distinct = Distinct::new(1).unwrap();
/// let states = [&["a", "b"][..], &["a", "a"], &["c", "a"], &["d", "e"]].map(|tokens| {
///     State::of_segment(&distinct, &mut Default::default(), Segment::new(tokens, &[])).unwrap()
/// });
/// let tests = Significance::new(&distinct, [&states], Precision::Exact).unwrap();
/// let estimate = tests.confidence(ResamplePlan::new(200)).unwrap()[0];
/// assert!(estimate.interval.is_none() && estimate.caution.is_some());
/// ```
pub struct Significance<'s, M: Metric> {
    metric: &'s M,
    precision: Precision,
    systems: SystemStats<'s, M>,
    approach: Approach,
}

/// Statistics of every segment of every system: as rows of counts, which are added, or as states, which are
/// merged.
enum SystemStats<'s, M: Metric> {
    Rows(Vec<Cow<'s, CountRows>>),
    Merges(Merges<'s, M>),
}

impl<M: Metric> core::fmt::Debug for Significance<'_, M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Significance").field("precision", &self.precision).finish_non_exhaustive()
    }
}

/// Returns a table with one row of counts for each segment, from the states of the segments.
///
/// # Errors
/// Returns [`NotLinear`](InputErrorKind::NotLinear) if the metric's statistics are not a row of counts, and
/// an error if a state belongs to another metric.
pub fn rows_of<'s, M: Metric>(
    metric: &M,
    states: impl IntoIterator<Item = &'s State<M::Stats>>,
) -> Result<CountRows> {
    metric.require_rows("be resampled")?;
    let mut rows = CountRows::with_columns(column_names(metric).len());
    let key = metric.state_key();
    for state in states {
        key.require_equal(state.key())?;
        rows.push(&state.row()?)?;
    }
    Ok(rows)
}

impl<'s, M: Metric> Significance<'s, M> {
    /// Creates significance tests for a metric from the metric's statistics: one list of states for each
    /// system, with one state for each segment.
    ///
    /// # Errors
    /// Returns [`EmptyCorpus`](InputErrorKind::EmptyCorpus) if there are no segments,
    /// [`LengthMismatch`](InputErrorKind::LengthMismatch) if systems have different numbers of segments, and
    /// an error if a state belongs to another metric.
    pub fn new(
        metric: &'s M,
        systems: impl IntoIterator<Item = impl IntoIterator<Item = &'s State<M::Stats>>>,
        precision: Precision,
    ) -> Result<Self> {
        if !metric.zero().is_row() {
            return Significance::merging(metric, systems, precision);
        }
        let systems: Vec<Vec<&State<M::Stats>>> =
            systems.into_iter().map(|states| states.into_iter().collect()).collect();
        let rows = map_with(
            systems.len(),
            || (),
            |(), system| rows_of(metric, systems[system].iter().copied()).map(Cow::Owned),
        );
        Significance::summing(metric, rows.into_iter().collect::<Result<_>>()?, precision)
    }

    /// Creates significance tests for a metric from tables of its counts: one table for each system, one row
    /// for each segment.
    ///
    /// # Errors
    /// Returns [`NotLinear`](InputErrorKind::NotLinear) if the metric's statistics are not a row of counts,
    /// and the errors of [`Significance::new`].
    pub fn of_rows(
        metric: &'s M,
        systems: impl IntoIterator<Item = &'s CountRows>,
        precision: Precision,
    ) -> Result<Self> {
        metric.require_rows("be resampled")?;
        Significance::summing(metric, systems.into_iter().map(Cow::Borrowed).collect(), precision)
    }

    fn summing(metric: &'s M, systems: Vec<Cow<'s, CountRows>>, precision: Precision) -> Result<Self> {
        require_parallel(&borrowed(&systems))?;
        Ok(Significance::approached(metric, precision, SystemStats::Rows(systems)))
    }

    /// Creates tests that merge the states of segments, for statistics of any kind. Metrics with additive
    /// counts get the same results as with the faster sums of rows.
    pub(crate) fn merging(
        metric: &'s M,
        systems: impl IntoIterator<Item = impl IntoIterator<Item = &'s State<M::Stats>>>,
        precision: Precision,
    ) -> Result<Self> {
        let merges = Merges::new(metric, systems)?;
        Ok(Significance::approached(metric, precision, SystemStats::Merges(merges)))
    }

    /// Creates the tests and determines how scores follow from segments (mean, rate or other), so that every
    /// pair of systems gets the same kind of test.
    fn approached(metric: &'s M, precision: Precision, systems: SystemStats<'s, M>) -> Self {
        let mut tests = Significance { metric, precision, systems, approach: Approach::Other };
        let composition = metric.identity().composition();
        let scores = match composition {
            Composition::MeanOrRate => tests.segment_scores(),
            // Other approaches do not depend on the scores of segments, so these are not computed.
            _ => Vec::new(),
        };
        tests.approach = Approach::new(composition, metric.scale(), scores.into_iter().flatten());
        tests
    }

    /// Returns the kind of score (mean, rate or other), which determines the significance tests. The kind was
    /// derived from all systems together.
    pub fn approach(&self) -> Approach {
        self.approach
    }

    /// Replaces the kind of score (mean, rate or other), which determines the tests, by one that was derived
    /// from more systems or segments.
    #[must_use]
    pub fn with_approach(self, approach: Approach) -> Self {
        Significance { approach, ..self }
    }

    fn segments(&self) -> usize {
        match &self.systems {
            SystemStats::Rows(systems) => systems.first().map_or(0, |rows| rows.len()),
            SystemStats::Merges(merges) => merges.segments(),
        }
    }

    /// Returns the scores and weights of all segments in all systems. A segment without a score in some
    /// system has the weight 0.
    fn numbers(&self) -> SegmentNumbers {
        let scores = self.segment_scores();
        let mut weights: Vec<f64> = match &self.systems {
            // The first column of a row counts segments, so it is the weight of a segment in a mean.
            SystemStats::Rows(systems) => systems
                .first()
                .map(|rows| rows.column(0).map(|count| count as f64).collect())
                .unwrap_or_default(),
            SystemStats::Merges(merges) => merges.weights(),
        };
        for (segment, weight) in weights.iter_mut().enumerate() {
            if scores.iter().any(|scores| !scores[segment].is_finite()) {
                *weight = 0.0;
            }
        }
        SegmentNumbers { weights, scores }
    }

    /// Returns tests in which each group of segments is merged into one segment. A group lists the indices of
    /// its segments.
    ///
    /// # Errors
    /// Returns an error if an index is beyond the last segment or if statistics cannot be merged, and the
    /// errors of [`Significance::new`].
    pub fn grouped<'g>(&self, groups: impl IntoIterator<Item = &'g [usize]>) -> Result<Self> {
        self.merged(&groups.into_iter().collect::<Vec<_>>())
    }

    /// Returns the same tests with units in place of segments: the segments of each unit are merged into one.
    ///
    /// # Errors
    /// Returns an error if the number of unit labels differs from the number of segments, and the errors of
    /// [`Significance::grouped`].
    pub fn by_units(&self, units: &Units) -> Result<Self> {
        self.merged(&units.members(self.segments())?.collect::<Vec<_>>())
    }

    fn merged(&self, groups: &[&[usize]]) -> Result<Self> {
        let Significance { metric, precision, .. } = *self;
        let systems = match &self.systems {
            SystemStats::Merges(merges) => SystemStats::Merges(merges.grouped(groups)?),
            SystemStats::Rows(systems) => {
                let empty = |rows: &Cow<'_, CountRows>| CountRows::with_columns(rows.columns());
                let mut summed: Vec<CountRows> = systems.iter().map(empty).collect();
                for members in groups {
                    for (rows, summed) in systems.iter().zip(&mut summed) {
                        summed.push(&rows.sum_of(members.iter().copied())?)?;
                    }
                }
                SystemStats::Rows(summed.into_iter().map(Cow::Owned).collect())
            }
        };
        Ok(Significance { metric, precision, systems, approach: self.approach })
    }

    fn finish(&self, row: &[u64]) -> f64 {
        score_row(self.metric, row).unwrap_or(f64::NAN)
    }

    /// Returns the score of every segment, one list for each system; NaN marks a segment without a score.
    pub fn segment_scores(&self) -> Vec<Vec<f64>> {
        match &self.systems {
            SystemStats::Rows(systems) => {
                systems.iter().map(|rows| rows.iter().map(|row| self.finish(row)).collect()).collect()
            }
            SystemStats::Merges(merges) => merges.segment_scores(),
        }
    }

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

    fn drawn(&self, systems: &[&CountRows], plan: ResamplePlan) -> Result<(Vec<Scores>, f64)> {
        self.drawn_from(NumpyRandom::new(plan.seed), plan.count, systems)
    }

    fn drawn_from(
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

    /// Returns the confidence interval of a score, `interval`, if the resampled scores support it, otherwise
    /// the reason why there is none. There is none if resamples lack scores, or if their mean is far from
    /// `value`, the score on all segments.
    ///
    /// In sacreBLEU's arithmetic, a mean that is far from the score only gives a warning, because sacreBLEU
    /// prints the interval.
    fn estimate(&self, value: f64, resampled: &Scores, redrawn: f64, interval: Interval) -> Estimate {
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
    fn scored_alone(&self) -> u64 {
        let scores = self.segment_scores();
        let has = |&segment: &usize| scores.iter().all(|scores| scores[segment].is_finite());
        (0..self.segments()).filter(has).count() as u64
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

    fn segment_lists(&self) -> core::ops::Range<usize> {
        match &self.systems {
            SystemStats::Rows(systems) => 0..systems.len(),
            SystemStats::Merges(merges) => 0..merges.systems(),
        }
    }

    fn all_drawn(&self, plan: ResamplePlan) -> Result<(Vec<Scores>, f64)> {
        match &self.systems {
            SystemStats::Rows(systems) => self.drawn(&borrowed(systems), plan),
            SystemStats::Merges(merges) => {
                let Resamples { scores, redrawn } = merges.resampled(plan)?;
                Ok((scores.into_iter().map(Scores::Double).collect(), redrawn))
            }
        }
    }

    fn all_scores(&self) -> Result<Vec<f64>> {
        match &self.systems {
            SystemStats::Rows(systems) => self.scores(&borrowed(systems)),
            SystemStats::Merges(merges) => merges.scores(),
        }
    }

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

    /// Compares every pair of systems with exact arithmetic. Each pair gets one test, one interval and one
    /// standard error. All systems are ranked, and p-values are corrected by Holm's method. The method
    /// depends on the metric and on the unit of resampling (segments, or groups of segments such as
    /// documents):
    ///
    /// | the metric's score is | unit | method |
    /// |---|---|---|
    /// | a rate | segments | Tango's interval and McNemar's exact test ([`PairedRates`](crate::PairedRates)) |
    /// | a rate or a mean | groups | t interval of the ratio estimator ([`UnitMeans`](crate::UnitMeans)) |
    /// | a rate | groups, all right or all wrong in themselves | Tango and McNemar over groups |
    /// | unchanged by repeated segments | any | paired randomization |
    /// | anything else | any | paired bootstrap of whole units, widened for few |
    ///
    /// `units`, such as documents or users, take the place of segments: a resample draws units, a trial swaps
    /// the outputs of whole units, and the standard error leaves out one unit at a time.
    ///
    /// # Errors
    /// Returns an error if a system has no score, and the errors of [`bootstrap`](crate::bootstrap) and
    /// [`Units::rows`].
    pub fn compare_all(&self, units: Option<&Units>, design: Design) -> Result<PairMatrix> {
        let decided = units.map(|units| self.are_decided(units)).transpose()?;
        self.compare_decided(units, decided.unwrap_or(false), design)
    }

    /// Returns `true` if whole units (such as documents) are right or wrong, so that tests of rates apply to
    /// them. Each system must get all segments of a unit right, or all of them wrong. The metric must be a
    /// rate, and all units must have the same number of segments.
    ///
    /// # Errors
    /// Returns an error if the number of unit labels differs from the number of segments.
    pub fn are_decided(&self, units: &Units) -> Result<bool> {
        let members: Vec<&[usize]> = units.members(self.segments())?.collect();
        Ok(self.approach == Approach::Rate && self.numbers().are_decided(&members, self.metric.scale()))
    }

    /// Compares every pair of systems on a part of a run's segments. `decided` is the result of
    /// [`Significance::are_decided`] on the whole run, so that all parts use the same method.
    ///
    /// # Errors
    /// Returns the errors of [`Significance::compare_all`].
    pub fn compare_decided(
        &self,
        units: Option<&Units>,
        decided: bool,
        design: Design,
    ) -> Result<PairMatrix> {
        let (scale, power) = (self.metric.scale(), &design.power);
        let numbers = match self.approach {
            Approach::Rate | Approach::Mean => self.numbers(),
            Approach::Other | Approach::Repeats => SegmentNumbers::default(),
        };
        let Some(units) = units else {
            let closed = numbers.rates(self.approach, scale, design.test, power)?;
            return self.matrix(closed, design);
        };
        let members: Vec<&[usize]> = units.members(self.segments())?.collect();
        let closed = numbers.units(&members, self.approach, (scale, decided), design.test, power)?;
        let matrix = self.merged(&members)?.matrix(closed, design)?;
        Ok(of_units(matrix, &self.leave_one_out()?, units))
    }

    fn matrix(&self, closed: Option<Vec<Found>>, design: Design) -> Result<PairMatrix> {
        let parts = SystemParts {
            scores: self.all_scores()?,
            closed,
            left_out: self.leave_one_out()?,
            repeats: self.approach == Approach::Repeats,
        };
        let resampled = || match &self.systems {
            SystemStats::Rows(systems) => {
                let finish = |row: &[u64]| self.finish(row);
                let (scores, redrawn) =
                    resampled(&borrowed(systems), Arithmetic::Exact(&finish), design.plan)?;
                Ok(Resamples { scores: scores.iter().map(Scores::to_f64).collect(), redrawn })
            }
            SystemStats::Merges(merges) => merges.resampled(design.plan),
        };
        let swapped = |pairs: &[SystemPair]| match &self.systems {
            SystemStats::Rows(systems) => {
                swapped(&borrowed(systems), pairs, &|row: &[u64]| self.finish(row), design.plan)
            }
            SystemStats::Merges(merges) => merges.swapped(pairs, design.plan),
        };
        matrix_of(parts, design, &resampled, &swapped, &|| self.scored_alone())
    }

    fn scores(&self, systems: &[&CountRows]) -> Result<Vec<f64>> {
        systems.iter().map(|rows| score_row(self.metric, &rows.total()?)).collect()
    }

    fn extreme(&self) -> AtLeast {
        match self.precision {
            // sacreBLEU counts only trials with a larger difference; ties must count for a valid p-value.
            Precision::Sacrebleu => AtLeast::Larger,
            Precision::Exact => AtLeast::AsLarge,
        }
    }
}

fn borrowed<'r>(systems: &'r [Cow<'_, CountRows>]) -> Vec<&'r CountRows> {
    systems.iter().map(Cow::as_ref).collect()
}

pub(crate) fn require_scores<M: Metric>(metric: &M, scores: &[f64]) -> Result<()> {
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

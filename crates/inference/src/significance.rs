//! [`Significance`]: intervals and tests for any metric, from the statistics of segments.

use std::any::TypeId;
use std::borrow::Cow;

use bleuprint_core::{
    InputErrorKind, Metric, NumpyNumber, Result, SegmentCounts, SinglePrecision, State, Stats as _,
    column_names, score_row,
};

use crate::merges::Merges;
use crate::rows::{require_equal, require_parallel};
use crate::{
    Arithmetic, AtLeast, CountRows, Design, Interval, NumpyRandom, PairMatrix, ResamplePlan, Scores,
    SystemPair, Test, Units, bootstrap_from, compare_all, compare_units, contributions, leave_one_out,
    paired_bootstrap, randomization, subsets,
};

/// The arithmetic of resamples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precision {
    /// sacreBLEU's `float32` for the metrics that it has, exact for the others.
    #[default]
    Sacrebleu,
    /// Exact integers, finished in `f64`.
    Exact,
}

/// The result of a paired test for one system.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a score with its interval and p-value")]
pub struct Tested {
    /// The score on all segments.
    pub score: f64,
    /// The interval of the score; none by randomization.
    pub interval: Option<Interval>,
    /// The p-value of the difference from the baseline; none for the baseline itself.
    pub p_value: Option<f64>,
}

/// Intervals and tests of one metric, of systems on the same segments.
///
/// Statistics that are rows of counts are summed; others, such as sets, maps and kept values, are merged. Both ways draw the
/// same resamples and give the same bits, and rows are faster.
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
/// // Sets of n-grams are merged.
/// let distinct = Distinct::new(1).unwrap();
/// let states = [&["a", "b"][..], &["a", "a"], &["c", "a"], &["d", "e"]].map(|tokens| {
///     State::of_segment(&distinct, &mut Default::default(), Segment::new(tokens, &[])).unwrap()
/// });
/// let tests = Significance::new(&distinct, [&states], Precision::Exact).unwrap();
/// let interval = tests.confidence(ResamplePlan::new(200)).unwrap()[0];
/// assert!(interval.lower < interval.upper);
/// ```
pub struct Significance<'s, M: Metric> {
    metric: &'s M,
    precision: Precision,
    systems: SystemStats<'s, M>,
}

enum SystemStats<'s, M: Metric> {
    Rows(Vec<Cow<'s, CountRows>>),
    Merges(Merges<'s, M>),
}

impl<M: Metric> core::fmt::Debug for Significance<'_, M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Significance").field("precision", &self.precision).finish_non_exhaustive()
    }
}

/// The counts of each segment's state.
///
/// # Errors
/// [`NotLinear`](InputErrorKind::NotLinear) where the statistics are not a row of counts; states of another metric.
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
    /// Tests of this metric, from the states of each segment of each system.
    ///
    /// # Errors
    /// [`EmptyCorpus`](InputErrorKind::EmptyCorpus); [`LengthMismatch`](InputErrorKind::LengthMismatch) when systems have
    /// different numbers of segments; states of another metric.
    pub fn new(
        metric: &'s M,
        systems: impl IntoIterator<Item = impl IntoIterator<Item = &'s State<M::Stats>>>,
        precision: Precision,
    ) -> Result<Self> {
        if !metric.zero().is_row() {
            return Significance::merging(metric, systems, precision);
        }
        let rows = systems.into_iter().map(|states| rows_of(metric, states).map(Cow::Owned));
        Significance::summing(metric, rows.collect::<Result<_>>()?, precision)
    }

    /// Tests of this metric, from the counts of each segment of each system.
    ///
    /// # Errors
    /// [`NotLinear`](InputErrorKind::NotLinear) where the statistics are not a row of counts; those of [`Significance::new`].
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
        Ok(Significance { metric, precision, systems: SystemStats::Rows(systems) })
    }

    /// The twin of sums of rows, for statistics of any kind.
    pub(crate) fn merging(
        metric: &'s M,
        systems: impl IntoIterator<Item = impl IntoIterator<Item = &'s State<M::Stats>>>,
        precision: Precision,
    ) -> Result<Self> {
        let merges = Merges::new(metric, systems)?;
        Ok(Significance { metric, precision, systems: SystemStats::Merges(merges) })
    }

    /// The same where the segments of each group, by index, are one.
    ///
    /// # Errors
    /// Those of [`Significance::new`]; an index beyond the last segment; statistics that do not merge.
    pub fn grouped<'g>(&self, groups: impl IntoIterator<Item = &'g [usize]>) -> Result<Self> {
        self.merged(&groups.into_iter().collect::<Vec<_>>())
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
                let summed = summed.into_iter().map(Cow::Owned).collect();
                return Significance::summing(metric, summed, precision);
            }
        };
        Ok(Significance { metric, precision, systems })
    }

    fn finish(&self, row: &[u64]) -> f64 {
        score_row(self.metric, row).unwrap_or(f64::NAN)
    }

    /// For each system the scores of its segments; NaN where there is none.
    pub fn segment_scores(&self) -> Vec<Vec<f64>> {
        match &self.systems {
            SystemStats::Rows(systems) => {
                systems.iter().map(|rows| rows.iter().map(|row| self.finish(row)).collect()).collect()
            }
            SystemStats::Merges(merges) => merges.segment_scores(),
        }
    }

    /// For each system its scores without one segment each.
    ///
    /// # Errors
    /// Sums that do not fit 64 bits; those of merging.
    pub fn leave_one_out(&self) -> Result<Vec<Vec<f64>>> {
        match &self.systems {
            SystemStats::Rows(systems) => {
                systems.iter().map(|rows| leave_one_out(rows, &|row: &[u64]| self.finish(row))).collect()
            }
            SystemStats::Merges(merges) => merges.leave_one_out(),
        }
    }

    /// The contribution of each segment to the score of the first system minus that of the second, in points: the difference on
    /// all segments minus the difference without it. Exact, by subtraction or by merging the others; the contributions do not
    /// add up to the difference, because scores are not sums.
    ///
    /// # Errors
    /// Another number of systems than two; those of [`Significance::leave_one_out`].
    pub fn contributions(&self) -> Result<Vec<f64>> {
        match &self.systems {
            SystemStats::Rows(systems) => {
                require_equal("a difference", 2, "the systems", systems.len())?;
                contributions(&systems[0], &systems[1], &|row: &[u64]| self.finish(row))
            }
            SystemStats::Merges(merges) => merges.contributions(),
        }
    }

    /// The scores of resamples of each system, all of the same segments.
    ///
    /// # Errors
    /// Those of [`Significance::confidence`].
    pub fn resampled(&self, plan: ResamplePlan) -> Result<Vec<Vec<f64>>> {
        match &self.systems {
            SystemStats::Rows(systems) => {
                Ok(self.resamples(&borrowed(systems), plan)?.iter().map(Scores::to_f64).collect())
            }
            SystemStats::Merges(merges) => merges.resampled(plan),
        }
    }

    fn resamples(&self, systems: &[&CountRows], plan: ResamplePlan) -> Result<Vec<Scores>> {
        self.resampled_from(NumpyRandom::new(plan.seed), plan.count, systems)
    }

    fn resampled_from(
        &self,
        random: NumpyRandom,
        count: usize,
        systems: &[&CountRows],
    ) -> Result<Vec<Scores>> {
        let finish = |row: &[u64]| self.finish(row);
        let single = single_precision(self.metric).map(Single);
        let scores = match (&single, self.precision) {
            (Some(single), Precision::Sacrebleu) => {
                bootstrap_from(random, count, systems, Arithmetic::Single(single))
            }
            _ => bootstrap_from(random, count, systems, Arithmetic::Exact(&finish)),
        }?;
        scores.iter().try_for_each(|scores| require_scores(self.metric, &scores.to_f64()))?;
        Ok(scores)
    }

    /// The scores that decide [`subsets`](crate::subsets()) of each system.
    ///
    /// # Errors
    /// Those of [`subsets`](crate::subsets()) and of merging.
    pub fn subsets(&self, plan: ResamplePlan) -> Result<Vec<Vec<f64>>> {
        match &self.systems {
            SystemStats::Rows(systems) => subsets(&borrowed(systems), &|row: &[u64]| self.finish(row), plan),
            SystemStats::Merges(merges) => merges.subsets(plan),
        }
    }

    /// The interval of each system's score, as `sacrebleu --confidence` gives it.
    ///
    /// # Errors
    /// Those of [`bootstrap`](crate::bootstrap) and of merging; resamples without a score.
    pub fn confidence(&self, plan: ResamplePlan) -> Result<Vec<Interval>> {
        match &self.systems {
            SystemStats::Rows(systems) => {
                Ok(self.resamples(&borrowed(systems), plan)?.iter().map(Scores::interval).collect())
            }
            SystemStats::Merges(merges) => {
                Ok(merges.resampled(plan)?.into_iter().map(Interval::from_values).collect())
            }
        }
    }

    /// The paired test of every system against the first: the bootstrap as `sacrebleu --paired-bs` gives it, or approximate
    /// randomization as `--paired-ar` does.
    ///
    /// With `resamples`, randomization of rows also has the interval of each score from that number of resamples:
    /// `n_ar_confidence` of sacreBLEU's `PairedTest`. As there, those of the baseline are drawn from the seed, and those of the
    /// others behind the coins of the trials. The bootstrap has intervals of its own.
    ///
    /// # Errors
    /// Those of [`Significance::confidence`].
    pub fn paired(&self, test: Test, plan: ResamplePlan, resamples: Option<usize>) -> Result<Vec<Tested>> {
        match (&self.systems, test) {
            (SystemStats::Rows(systems), Test::Bootstrap) => self.bootstrap(&borrowed(systems), plan),
            (SystemStats::Rows(systems), Test::Randomization) => {
                self.randomization(&borrowed(systems), plan, resamples)
            }
            (SystemStats::Merges(merges), test) => merges.paired(test, plan, self.extreme()),
        }
    }

    fn bootstrap(&self, systems: &[&CountRows], plan: ResamplePlan) -> Result<Vec<Tested>> {
        let resampled = self.resamples(systems, plan)?;
        let scores = self.scores(systems)?;
        let tested = |(index, (&score, resampled_scores)): (usize, (&f64, &Scores))| {
            let p_value = (index > 0).then(|| {
                let seen = (scores[0] - score).abs();
                paired_bootstrap(&resampled[0], resampled_scores, seen, self.extreme())
            });
            Tested { score, interval: Some(resampled_scores.paired_interval()), p_value }
        };
        Ok(scores.iter().zip(&resampled).enumerate().map(tested).collect())
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
        let tested = |(&score, p_value)| Tested { score, interval: None, p_value };
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
        let mut resampled = self.resamples(baseline, ResamplePlan { count: resamples, ..plan })?;
        if !others.is_empty() {
            let mut random = NumpyRandom::new(plan.seed);
            random.skip_booleans((plan.count as u64).saturating_mul(others[0].len() as u64));
            resampled.extend(self.resampled_from(random, resamples, others)?);
        }
        for (tested, resampled) in tested.iter_mut().zip(&resampled) {
            tested.interval = Some(resampled.paired_interval());
        }
        Ok(())
    }

    /// Every pair of systems, exact: one test, one interval and one standard error a pair, the ranks of all, p-values corrected
    /// by Holm's method. Rows of two systems that are right or wrong have an exact test.
    ///
    /// With `units`, as documents or users, these take the place of segments: the counts of a unit are those of its segments,
    /// summed first. A resample draws units, a trial swaps the outputs of whole units, and the standard error leaves out one
    /// unit at a time. With fewer than [`FEWEST_UNITS`](crate::FEWEST_UNITS) there is no p-value.
    ///
    /// # Errors
    /// Those of [`bootstrap`](crate::bootstrap) and [`Units::rows`]; resamples without a score.
    pub fn compare_all(&self, units: Option<&Units>, design: Design) -> Result<PairMatrix> {
        let finish = |row: &[u64]| self.finish(row);
        let matrix = match (&self.systems, units) {
            (SystemStats::Merges(merges), units) => return merges.compare_all(units, design),
            (SystemStats::Rows(systems), Some(units)) => {
                compare_units(&borrowed(systems), units, &finish, design)?
            }
            (SystemStats::Rows(systems), None) => compare_all(&borrowed(systems), &finish, design)?,
        };
        require_scores(self.metric, &matrix.scores)?;
        require_scores(self.metric, &matrix.pairs.iter().map(|pair| pair.interval.mean).collect::<Vec<_>>())?;
        Ok(matrix)
    }

    fn scores(&self, systems: &[&CountRows]) -> Result<Vec<f64>> {
        systems.iter().map(|rows| score_row(self.metric, &rows.total()?)).collect()
    }

    fn extreme(&self) -> AtLeast {
        match self.precision {
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

/// Single precision of whole rows, whose first columns are not the metric's.
struct Single(Box<dyn SinglePrecision>);

/// The arithmetic that this metric offers.
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

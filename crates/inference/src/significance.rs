//! [`Significance`]: intervals and tests for any metric chosen at run time, from the statistics of segments.

use bleuprint_core::{
    InputErrorKind, Metric, Number, Result, SegmentCounts, SinglePrecision, State, column_names, score_row,
};

use crate::{
    Arithmetic, AtLeast, Design, Interval, Matrix, NumpyRandom, Pair, Plan, Rows, Scores, Test, Units,
    bootstrap_from, compare_all, compare_units, paired_bootstrap, randomization,
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

/// Intervals and tests of one metric.
///
/// ```
/// use bleuprint_core::{Segment, State};
/// use bleuprint_inference::{Plan, Precision, Rows, Significance, Test, rows_of};
/// use bleuprint_metrics::Bleu;
///
/// let bleu = Bleu::default();
/// let references: [&[u32]; 1] = [&[1, 2, 3, 4, 5]];
/// let rows = |hypotheses: &[&[u32]]| -> Rows {
///     let states = hypotheses.iter().map(|hypothesis| {
///         State::of_segment(&bleu, &mut Default::default(), Segment::new(*hypothesis, &references)).unwrap()
///     });
///     rows_of(&bleu, &states.collect::<Vec<_>>()).unwrap()
/// };
/// let baseline = rows(&[&[1, 2, 3, 4, 9], &[1, 2, 3, 4, 5], &[1, 2, 3, 4]]);
/// let system = rows(&[&[1, 2, 3, 4, 5], &[1, 2, 3, 4, 5], &[1, 2, 3, 4, 5]]);
/// let tests = Significance::new(&bleu, Precision::Sacrebleu).unwrap();
/// let tested = tests.paired(&[&baseline, &system], Test::Bootstrap, Plan::of(200), None).unwrap();
/// assert!(tested[1].p_value.unwrap() <= 1.0 && tested[1].interval.unwrap().half_width == 0.0);
/// ```
#[derive(Clone, Copy)]
pub struct Significance<'m, M> {
    metric: &'m M,
    precision: Precision,
}

impl<M> core::fmt::Debug for Significance<'_, M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Significance").field("precision", &self.precision).finish_non_exhaustive()
    }
}

/// The counts of each segment's state.
///
/// # Errors
/// [`NotLinear`](InputErrorKind::NotLinear) where the statistics are no row of counts; states of another metric.
pub fn rows_of<'s, M: Metric>(
    metric: &M,
    states: impl IntoIterator<Item = &'s State<M::Stats>>,
) -> Result<Rows> {
    metric.require_rows("be resampled")?;
    let mut rows = Rows::with_columns(column_names(metric).len());
    for state in states {
        metric.state_key().require_equal(state.key())?;
        rows.push(&state.row()?)?;
    }
    Ok(rows)
}

impl<'m, M: Metric> Significance<'m, M> {
    /// Tests of this metric.
    ///
    /// # Errors
    /// [`NotLinear`](InputErrorKind::NotLinear) where the statistics are no row of counts.
    pub fn new(metric: &'m M, precision: Precision) -> Result<Self> {
        metric.require_rows("be resampled")?;
        Ok(Significance { metric, precision })
    }

    fn finish(&self, row: &[u64]) -> f64 {
        score_row(self.metric, row).unwrap_or(f64::NAN)
    }

    /// The scores of resamples of each system, all of the same segments.
    ///
    /// # Errors
    /// Those of [`Significance::confidence`].
    pub fn resampled(&self, systems: &[&Rows], plan: Plan) -> Result<Vec<Vec<f64>>> {
        Ok(self.resamples(systems, plan)?.iter().map(Scores::to_f64).collect())
    }

    fn resamples(&self, systems: &[&Rows], plan: Plan) -> Result<Vec<Scores>> {
        self.resampled_from(NumpyRandom::new(plan.seed), plan.count, systems)
    }

    fn resampled_from(&self, random: NumpyRandom, count: usize, systems: &[&Rows]) -> Result<Vec<Scores>> {
        let finish = |row: &[u64]| self.finish(row);
        let single = <dyn SinglePrecision>::of(self.metric).map(Single);
        let scores = match (&single, self.precision) {
            (Some(single), Precision::Sacrebleu) => {
                bootstrap_from(random, count, systems, Arithmetic::Single(single))
            }
            _ => bootstrap_from(random, count, systems, Arithmetic::Exact(&finish)),
        }?;
        scores.iter().try_for_each(|scores| require_scores(self.metric, &scores.to_f64()))?;
        Ok(scores)
    }

    /// The interval of a system's score, as `sacrebleu --confidence` gives it.
    ///
    /// # Errors
    /// Those of [`bootstrap`](crate::bootstrap); resamples without a score.
    pub fn confidence(&self, rows: &Rows, plan: Plan) -> Result<Interval> {
        let scores = self.resamples(&[rows], plan)?;
        scores.first().map(Scores::interval).ok_or_else(|| InputErrorKind::EmptyCorpus.into())
    }

    /// The paired test of every system against the first: the bootstrap as `sacrebleu --paired-bs` gives it, or approximate
    /// randomization as `--paired-ar` does.
    ///
    /// With `resamples`, randomization also has the interval of each score from that number of resamples: `n_ar_confidence` of
    /// sacreBLEU's `PairedTest`. As there, those of the baseline are drawn from the seed, and those of the others behind the
    /// coins of the trials. The bootstrap has intervals of its own.
    ///
    /// # Errors
    /// Those of [`Significance::confidence`].
    pub fn paired(
        &self,
        systems: &[&Rows],
        test: Test,
        plan: Plan,
        resamples: Option<usize>,
    ) -> Result<Vec<Tested>> {
        match test {
            Test::Bootstrap => self.bootstrap(systems, plan),
            Test::Randomization => self.randomization(systems, plan, resamples),
        }
    }

    fn bootstrap(&self, systems: &[&Rows], plan: Plan) -> Result<Vec<Tested>> {
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

    fn randomization(&self, systems: &[&Rows], plan: Plan, resamples: Option<usize>) -> Result<Vec<Tested>> {
        let scores = self.scores(systems)?;
        let pair = |second: usize| Pair { first: 0, second, difference: (scores[0] - scores[second]).abs() };
        let pairs: Vec<Pair> = (1..systems.len()).map(pair).collect();
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
        systems: &[&Rows],
        plan: Plan,
        resamples: usize,
    ) -> Result<()> {
        let (baseline, others) = systems.split_at(systems.len().min(1));
        let mut resampled = self.resamples(baseline, Plan { count: resamples, ..plan })?;
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
    /// by Holm's method.
    ///
    /// With `units`, as documents or users, these take the place of segments: the counts of a unit are those of its segments,
    /// summed first. A resample draws units, a trial swaps the outputs of whole units, and the standard error leaves out one
    /// unit at a time. With fewer than [`FEWEST_UNITS`](crate::FEWEST_UNITS) there is no p-value.
    ///
    /// # Errors
    /// Those of [`bootstrap`](crate::bootstrap) and [`Units::rows`]; resamples without a score.
    pub fn compare_all(&self, systems: &[&Rows], units: Option<&Units>, design: Design) -> Result<Matrix> {
        let finish = |row: &[u64]| self.finish(row);
        let matrix = match units {
            Some(units) => compare_units(systems, units, &finish, design)?,
            None => compare_all(systems, &finish, design)?,
        };
        require_scores(self.metric, &matrix.scores)?;
        require_scores(self.metric, &matrix.pairs.iter().map(|pair| pair.interval.mean).collect::<Vec<_>>())?;
        Ok(matrix)
    }

    fn scores(&self, systems: &[&Rows]) -> Result<Vec<f64>> {
        systems.iter().map(|rows| score_row(self.metric, &rows.total()?)).collect()
    }

    fn extreme(&self) -> AtLeast {
        self.precision.extreme()
    }
}

impl Precision {
    pub(crate) fn extreme(self) -> AtLeast {
        match self {
            Precision::Sacrebleu => AtLeast::Larger,
            Precision::Exact => AtLeast::AsLarge,
        }
    }
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

impl SinglePrecision for Single {
    fn row(&self, row: &[u64], out: &mut Vec<f32>) {
        self.0.row(row.get(SegmentCounts::COLUMNS..).unwrap_or_default(), out);
    }

    fn finish(&self, sums: &[f32]) -> Number {
        self.0.finish(sums)
    }
}

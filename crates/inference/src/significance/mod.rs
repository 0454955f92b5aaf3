//! [`Significance`]: confidence intervals and significance tests for any metric, from the statistics of
//! segments.

mod paired;
mod pairs;
mod resampled;

use std::borrow::Cow;

use bleuprint_core::{Composition, Metric, Result, State, Stats as _, column_names, score_row};

use crate::compare::closed::SegmentNumbers;
use crate::merges::Merges;
use crate::rows::require_parallel;
use crate::tested::Precision;
use crate::work::threads::map_with;
use crate::{Approach, CountRows, Units};

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
/// Returns [`NotLinear`](bleuprint_core::InputErrorKind::NotLinear) if the metric's statistics are not a row of counts, and
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
    /// Returns [`EmptyCorpus`](bleuprint_core::InputErrorKind::EmptyCorpus) if there are no segments,
    /// [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) if systems have different numbers of segments, and
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
    /// Returns [`NotLinear`](bleuprint_core::InputErrorKind::NotLinear) if the metric's statistics are not a row of counts,
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

    fn segment_lists(&self) -> core::ops::Range<usize> {
        match &self.systems {
            SystemStats::Rows(systems) => 0..systems.len(),
            SystemStats::Merges(merges) => 0..merges.systems(),
        }
    }

    fn all_scores(&self) -> Result<Vec<f64>> {
        match &self.systems {
            SystemStats::Rows(systems) => self.scores(&borrowed(systems)),
            SystemStats::Merges(merges) => merges.scores(),
        }
    }

    fn scores(&self, systems: &[&CountRows]) -> Result<Vec<f64>> {
        systems.iter().map(|rows| score_row(self.metric, &rows.total()?)).collect()
    }
}

fn borrowed<'r>(systems: &'r [Cow<'_, CountRows>]) -> Vec<&'r CountRows> {
    systems.iter().map(Cow::as_ref).collect()
}

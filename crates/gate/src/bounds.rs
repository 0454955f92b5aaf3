//! Bounds of a drop or a score, from resamples of segments or documents, and from the variation among runs of
//! one recipe.

use bleuprint_core::{InputError, InputErrorKind, Metric as _, Result};
use bleuprint_inference::{
    FEWEST_UNITS, Power, ResamplePlan, standard_error, student_quantile, tail_of_percentile,
};
use bleuprint_registry::AnyMetric;

use crate::counts::{OutputCounts, resampled, without_each};
use crate::policy::Method;
use crate::runs::Runs;

/// The data from which bounds are computed: the counts of each unit, and the metric that turns their sum into
/// a score.
#[expect(clippy::exhaustive_structs, reason = "closed: bounds need all of it")]
pub struct ResampledCounts<'s> {
    /// Metric that is judged.
    pub metric: &'s AnyMetric,
    /// Counts of each unit in the baseline, if there is one.
    pub baseline: Option<&'s OutputCounts>,
    /// Counts of each unit of the new output; one entry per run if several runs of one recipe are judged.
    pub runs: &'s [OutputCounts],
    /// 1 if higher scores are better, −1 if lower scores are: a drop is `sign · (baseline − new)`.
    pub sign: f64,
    /// How units are resampled.
    pub method: Method,
}

/// One-sided bounds at any confidence, and the drops that such a test can detect.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// Resampled values in ascending order.
    sorted: Vec<f64>,
    method: Method,
    runs: Runs,
    /// Number of units.
    pub units: usize,
    /// Standard error that comes from the units, by the jackknife.
    pub standard_error: f64,
}

impl Bounds {
    /// Returns `true` if there are too few units for bounds.
    pub fn too_few(&self) -> bool {
        self.units < FEWEST_UNITS
    }

    /// Returns the lower bound: the true value exceeds it with probability `1 − tail`.
    pub fn lower(&self, tail: f64) -> f64 {
        let place = self.place(tail);
        place.and_then(|place| self.sorted.get(place)).copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// Returns the upper bound: it exceeds the true value with probability `1 − tail`.
    pub fn upper(&self, tail: f64) -> f64 {
        let place = self.place(tail).and_then(|place| self.sorted.len().checked_sub(1 + place));
        place.and_then(|place| self.sorted.get(place)).copied().unwrap_or(f64::INFINITY)
    }

    /// Returns the number of resampled values outside a bound with this tail; `None` if the resamples are too
    /// few for it.
    fn place(&self, tail: f64) -> Option<usize> {
        let count = self.sorted.len() as f64;
        match self.method {
            Method::PairedBootstrap => Some((tail_of_percentile(tail, self.units) * count) as usize),
            // The true value is equally likely between any two neighbours, below all and above all values
            // (Hartigan 1969).
            Method::PairedRandomization => ((tail * (count + 1.0)) as usize).checked_sub(1),
        }
    }

    /// Returns the share of resampled values that are at most `value`: the p-value of "the true value is at
    /// most this".
    pub fn share_at_most(&self, value: f64) -> f64 {
        let at_most = self.sorted.partition_point(|&resampled| resampled <= value);
        // The observed value counts as one more resample, so that a p-value is never 0.
        (at_most + 1) as f64 / (self.sorted.len() + 1) as f64
    }

    /// Returns the smallest drop that is detected with this power, and the number of units that would detect
    /// a drop of `allowed` (`None` if no number would).
    pub fn power(&self, tail: f64, power: f64, allowed: f64) -> (f64, Option<u64>) {
        if self.runs.count < 2 {
            let power = Power { significance: tail, two_sided: false, power };
            let smallest = power.smallest_difference(self.standard_error);
            return (smallest, power.segments_needed(self.standard_error, self.units, allowed));
        }
        // Significance and power each add a quantile of Student's distribution, as in the usual sample-size
        // formula.
        let freedom = self.runs.freedom(self.standard_error, self.units);
        let factor = student_quantile(tail, freedom) + student_quantile(1.0 - power, freedom);
        let smallest = factor * (self.standard_error.powi(2) + self.runs.error.powi(2)).sqrt();
        // More units reduce only the units' part of the error; the part of the runs stays.
        let left = allowed * allowed - (factor * self.runs.error).powi(2);
        let needed = ((factor * self.standard_error).powi(2) * self.units as f64 / left).ceil();
        (smallest, (left > 0.0 && needed < 1e18).then_some((needed as u64).max(1)))
    }
}

/// Computes the bounds of the drop from the baseline to the new output.
///
/// A resample takes the same units of the baseline and of every run. Its drop is the baseline's score minus
/// the mean score of the runs. Several runs add the uncertainty of that mean: see [`Runs`].
///
/// ```
/// use bleuprint_core::Accumulator;
/// use bleuprint_registry::AnyMetric;
/// use bleuprint_inference::{ResamplePlan, rows_of};
/// use bleuprint_gate::{Method, OutputCounts, ResampledCounts, bounds_of_drop};
/// let metric = AnyMetric::over_text(bleuprint_metrics::ExactMatch);
/// let metric: &AnyMetric = &metric;
/// let rows = |right: usize| -> OutputCounts {
///     let mut test = Accumulator::<_, str>::new(metric);
///     let states = (0..400).map(|at| test.push(if at % 10 < right { "a" } else { "b" }, &["a"]).unwrap());
///     rows_of(metric, &states.collect::<Vec<_>>()).unwrap().into()
/// };
/// let (baseline, runs) = (rows(8), [rows(6)]);
/// for method in [Method::PairedBootstrap, Method::PairedRandomization] {
///     let sample = ResampledCounts { metric, baseline: Some(&baseline), runs: &runs, sign: 1.0, method };
///     let bounds = bounds_of_drop(&sample, ResamplePlan::new(1000)).unwrap();
///     assert!(bounds.lower(0.05) > 16.0 && bounds.upper(0.05) < 24.0); // 80 − 60 = 20 points
/// }
/// ```
///
/// # Errors
/// Returns an error if there is no baseline or no unit, and [`NoScore`](InputErrorKind::NoScore) if a
/// resample has no score.
pub fn bounds_of_drop(sample: &ResampledCounts<'_>, plan: ResamplePlan) -> Result<Bounds> {
    let baseline = sample.baseline.ok_or_else(|| InputError::malformed("there is no baseline"))?;
    let systems: Vec<&OutputCounts> = std::iter::once(baseline).chain(sample.runs).collect();
    bounds(sample, &systems, plan, |scores, run| sample.sign * (scores[0] - scores[1 + run]))
}

/// Computes the bounds of the score of the new output.
///
/// # Errors
/// Returns the errors of [`bounds_of_drop`].
pub fn bounds_of_score(sample: &ResampledCounts<'_>, plan: ResamplePlan) -> Result<Bounds> {
    bounds(sample, &sample.runs.iter().collect::<Vec<_>>(), plan, |scores, run| scores[run])
}

/// Computes the bounds of the mean over runs of a value, which `value` computes from the scores of all
/// systems and the number of a run.
fn bounds(
    sample: &ResampledCounts<'_>,
    systems: &[&OutputCounts],
    plan: ResamplePlan,
    value: impl Fn(&[f64], usize) -> f64,
) -> Result<Bounds> {
    let count = sample.runs.len();
    let resampled = resampled(sample.metric, systems, sample.method, plan)?;
    let mean = |scores: &[f64]| (0..count).map(|run| value(scores, run)).sum::<f64>() / count as f64;
    let mut sorted = rowwise(&resampled, mean);
    if let Some(without) = sorted.iter().position(|value| !value.is_finite()) {
        let reason = format!("resample {} of {} has no score", without + 1, plan.count);
        return Err(InputErrorKind::NoScore { metric: sample.metric.identity().name(), reason }.into());
    }
    let all: Vec<f64> =
        systems.iter().map(|counts| Ok(counts.score(sample.metric)?.score.value)).collect::<Result<_>>()?;
    let runs = Runs::from_scores(&(0..count).map(|run| value(&all, run)).collect::<Vec<_>>());
    // Spread before sorting: each resample is shifted by another step of the runs' error.
    runs.spread(&mut sorted, plan.seed);
    sorted.sort_by(f64::total_cmp);
    let left_out = without_each(sample.metric, systems)?;
    let standard_error = standard_error(&rowwise(&left_out, mean));
    let units = systems.first().map_or(0, |counts| counts.len());
    Ok(Bounds { sorted, method: sample.method, runs, units, standard_error })
}

fn rowwise(lists: &[Vec<f64>], value: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let count = lists.first().map_or(0, Vec::len);
    (0..count).map(|place| value(&lists.iter().map(|list| list[place]).collect::<Vec<_>>())).collect()
}

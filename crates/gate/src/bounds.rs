//! Bounds of a drop or a score, from resamples of segments or documents.

use bleuprint_core::{AnyMetric, InputError, InputErrorKind};
use bleuprint_eval::resample::{
    Arithmetic, Plan, Power, Rows, Scores, bootstrap, leave_one_out, standard_error,
};

use crate::student::tail_of_percentile;

/// With fewer units, resamples say too little of how outputs vary: no bounds are given.
pub const FEWEST_UNITS: usize = 10;

/// What is drawn from: counts of each unit, and how the sum of some becomes a score.
pub struct Sample<'s> {
    /// The metric.
    pub metric: &'s dyn AnyMetric,
    /// The counts of each unit under the baseline, where there is one.
    pub baseline: Option<&'s Rows>,
    /// The counts of each unit of the new output.
    pub new: &'s Rows,
    /// 1 where higher scores are better, −1 where lower ones are: a drop is `sign · (baseline − new)`.
    pub sign: f64,
}

/// One-sided bounds, each of which holds with a confidence of its own, and what such a test could see.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// The resampled values, from the least to the greatest.
    sorted: Vec<f64>,
    /// How many units were drawn from.
    pub units: usize,
    /// The standard error, by the jackknife.
    pub standard_error: f64,
}

impl Bounds {
    /// Whether there are too few units for bounds.
    pub fn too_few(&self) -> bool {
        self.units < FEWEST_UNITS
    }

    /// The value that the true one exceeds with probability `1 − tail`.
    pub fn lower(&self, tail: f64) -> f64 {
        self.sorted.get(self.place(tail)).copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// The value that exceeds the true one with probability `1 − tail`.
    pub fn upper(&self, tail: f64) -> f64 {
        let place = self.sorted.len().checked_sub(1 + self.place(tail));
        place.and_then(|place| self.sorted.get(place)).copied().unwrap_or(f64::INFINITY)
    }

    fn place(&self, tail: f64) -> usize {
        (tail_of_percentile(tail, self.units) * self.sorted.len() as f64) as usize
    }

    /// The share of the resamples that are at most this value: the p-value of "the true one is at most this".
    pub fn share_at_most(&self, value: f64) -> f64 {
        let at_most = self.sorted.partition_point(|&resampled| resampled <= value);
        (at_most + 1) as f64 / (self.sorted.len() + 1) as f64
    }

    /// The smallest drop that is seen with this power, and the number of units that would show one of `allowed`.
    pub fn power(&self, tail: f64, power: f64, allowed: f64) -> (f64, Option<u64>) {
        let power = Power { significance: tail, two_sided: false, power };
        let smallest = power.smallest_difference(self.standard_error);
        (smallest, power.segments_needed(self.standard_error, self.units, allowed))
    }
}

/// The bounds of the drop from the baseline to the new output.
///
/// ```
/// use bleuprint_core::{AnyMetric, AnySegment, OverText, Segment};
/// use bleuprint_eval::{resample::{Plan, Rows}, rows_of};
/// use bleuprint_gate::{Sample, bounds_of_drop};
/// let metric = OverText::new(bleuprint_metrics::ExactMatch);
/// let metric: &dyn AnyMetric = &metric;
/// let rows = |right: usize| -> Rows {
///     let segment = |index: usize| {
///         let hypothesis = if index % 10 < right { "a" } else { "b" };
///         metric.observe_one(&mut metric.scratch(), AnySegment::Text(Segment::new(hypothesis, &["a"]))).unwrap()
///     };
///     rows_of(metric, &(0..400).map(segment).collect::<Vec<_>>()).unwrap()
/// };
/// let (baseline, new) = (rows(8), rows(6));
/// let sample = Sample { metric, baseline: Some(&baseline), new: &new, sign: 1.0 };
/// let bounds = bounds_of_drop(&sample, Plan::of(1000)).unwrap();
/// assert!(bounds.lower(0.05) > 16.0 && bounds.upper(0.05) < 24.0); // 80 − 60 = 20 points
/// ```
///
/// # Errors
/// Metrics whose statistics are no counts; no units; resamples without a score.
pub fn bounds_of_drop(sample: &Sample<'_>, plan: Plan) -> Result<Bounds, InputError> {
    let baseline = sample.baseline.ok_or_else(|| InputError::malformed("there is no baseline"))?;
    bounds(sample, &[baseline, sample.new], plan, |scores| sample.sign * (scores[0] - scores[1]))
}

/// The bounds of the score of the new output.
///
/// # Errors
/// Those of [`bounds_of_drop`].
pub fn bounds_of_score(sample: &Sample<'_>, plan: Plan) -> Result<Bounds, InputError> {
    bounds(sample, &[sample.new], plan, |scores| scores[0])
}

fn bounds(
    sample: &Sample<'_>,
    systems: &[&Rows],
    plan: Plan,
    value: impl Fn(&[f64]) -> f64,
) -> Result<Bounds, InputError> {
    let linear = sample.metric.require_linear("be resampled")?;
    let finish = |row: &[u64]| linear.score_row(row).unwrap_or(f64::NAN);
    let resampled = bootstrap(systems, Arithmetic::Exact(&finish), plan)?;
    let mut sorted = rowwise(&resampled.iter().map(Scores::to_f64).collect::<Vec<_>>(), &value);
    if let Some(without) = sorted.iter().position(|value| !value.is_finite()) {
        let reason = format!("resample {} of {} has no score", without + 1, plan.count);
        return Err(InputErrorKind::NoScore { metric: sample.metric.identity().name(), reason }.into());
    }
    sorted.sort_by(f64::total_cmp);
    let left_out = systems.iter().map(|rows| leave_one_out(rows, &finish)).collect::<Result<Vec<_>, _>>()?;
    let standard_error = standard_error(&rowwise(&left_out, &value));
    Ok(Bounds { sorted, units: sample.new.len(), standard_error })
}

/// The value of each place over all lists.
fn rowwise(lists: &[Vec<f64>], value: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let count = lists.first().map_or(0, Vec::len);
    (0..count).map(|place| value(&lists.iter().map(|list| list[place]).collect::<Vec<_>>())).collect()
}

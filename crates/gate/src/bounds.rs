//! Computes confidence bounds of a score, or of its drop from a baseline. A closed formula is used if the
//! metric and its units (segments or documents) allow it, otherwise resampling. If the new output has several
//! repetitions (runs), such as with different seeds, the variation of their scores widens the bounds.

use bleuprint_core::{InputError, Metric as _, Result};
use bleuprint_inference::{
    Approach, Caution, DifferenceMethod, FEWEST_UNITS, PairedRates, Power, ResamplePlan, SwappedDifference,
    UnitMeans, standard_error, student_quantile, tail_of_percentile, wilson,
};
use bleuprint_registry::AnyMetric;

use crate::counts::{OutputCounts, resampled, significance};
use crate::policy::Method;
use crate::runs::Runs;

/// Data from which confidence bounds are computed: the metric, and its counts for each unit (segment or
/// document) of the outputs.
#[expect(clippy::exhaustive_structs, reason = "closed: bounds need all of it")]
pub struct ResampledCounts<'s> {
    /// Metric whose score, or drop from the baseline, is judged.
    pub metric: &'s AnyMetric,
    /// Counts of each unit (segment or document) of the baseline; `None` if only a score is judged.
    pub baseline: Option<&'s OutputCounts>,
    /// Counts of each unit of the new output, one entry for each repetition (run), such as runs with
    /// different seeds.
    pub runs: &'s [OutputCounts],
    /// 1 if higher scores are better, −1 if lower scores are: a drop is `sign · (baseline − new)`.
    pub sign: f64,
    /// Resampling method that the policy requires; `None` to choose the method by the metric.
    pub method: Option<Method>,
    /// Way in which the score follows from the segments' values: a rate, a mean, or neither. It is decided on
    /// all segments of all outputs, so that every group of segments uses the same method.
    pub approach: Approach,
    /// `true` if every document of every output is entirely right or entirely wrong (has the highest or the
    /// lowest score). The score is then a rate over documents. `None` if segments, not documents, are
    /// resampled.
    pub decided: Option<bool>,
}

/// Method that computed the confidence bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoundMethod {
    /// Method that computes the confidence interval of the difference of two scores.
    Difference(DifferenceMethod),
    /// Wilson's interval for the share of correct segments or documents in one output.
    Wilson,
    /// Percentiles of the scores of one output's bootstrap resamples.
    Bootstrap,
    /// No confidence bounds were computed: both bounds are the score itself.
    Point,
}

impl BoundMethod {
    /// Returns the method's name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            BoundMethod::Difference(method) => method.name(),
            BoundMethod::Wilson => "wilson",
            BoundMethod::Bootstrap => "bootstrap",
            BoundMethod::Point => "point",
        }
    }

    /// Returns the method's name in words, for a report.
    pub fn in_words(self) -> &'static str {
        match self {
            BoundMethod::Difference(method) => method.in_words(),
            BoundMethod::Wilson => "Wilson's interval",
            BoundMethod::Bootstrap => "bootstrap",
            BoundMethod::Point => "the number itself, without bounds",
        }
    }
}

/// One-sided confidence bounds of a score or a drop, at any confidence level, and the smallest drop that
/// could be detected.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    form: Form,
    runs: Runs,
    /// Number of units (segments or documents) from which the bounds were computed.
    pub units: usize,
    /// Standard error of the score or drop due to the sampling of units (segments or documents), computed by
    /// the jackknife or by a formula.
    pub standard_error: f64,
    /// Method that computed the confidence bounds, such as the bootstrap.
    pub method: BoundMethod,
    /// Share of the resamples that were drawn again because they had no score, from 0 to 1.
    pub redrawn: f64,
    /// Warning about the bounds, or reason why they are missing; `None` if neither applies.
    pub caution: Option<Caution>,
}

#[derive(Debug, Clone, PartialEq)]
enum Form {
    /// Values of the bootstrap or randomization resamples, in ascending order: scores, or drops from the
    /// baseline. The second field is the method of resampling.
    Resampled(Vec<f64>, Method),
    /// Shares of correct units (segments or documents) of the baseline and the new output, ordered so that a
    /// drop is positive, and highest possible score.
    Rates(PairedRates, f64),
    Means(UnitMeans),
    Swapped(SwappedDifference),
    /// Number of correct units (segments or documents), number of all units, and highest possible score.
    Rate(u64, u64, f64),
    Point(f64),
    Nothing,
}

impl Bounds {
    /// Returns `true` if there are too few units (segments or documents) to compute bounds.
    pub fn too_few(&self) -> bool {
        self.units < FEWEST_UNITS
    }

    /// Returns `true` if no confidence bounds were computed; [`caution`](Self::caution) has the reason.
    pub fn are_refused(&self) -> bool {
        self.form == Form::Nothing
    }

    /// Returns the lower confidence bound: the true value exceeds it with probability `1 − tail`.
    pub fn lower(&self, tail: f64) -> f64 {
        let [lower, _] = self.both(tail);
        lower
    }

    /// Returns the upper confidence bound: it exceeds the true value with probability `1 − tail`.
    pub fn upper(&self, tail: f64) -> f64 {
        let [_, upper] = self.both(tail);
        upper
    }

    /// Returns the two-sided confidence interval that has the probability `tail` below its lower end, and the
    /// probability `tail` above its upper end.
    fn both(&self, tail: f64) -> [f64; 2] {
        const OPEN: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
        // Two one-sided bounds at `1 − tail` are the ends of one two-sided interval that leaves `tail` twice.
        let level = 1.0 - 2.0 * tail;
        match &self.form {
            Form::Resampled(sorted, method) => {
                let place = self.place(*method, sorted.len(), tail);
                let at = |place: Option<usize>, open: f64| {
                    place.and_then(|place| sorted.get(place)).copied().unwrap_or(open)
                };
                let last = place.and_then(|place| sorted.len().checked_sub(1 + place));
                [at(place, OPEN[0]), at(last, OPEN[1])]
            }
            // Rates are computed between 0 and 1; the metric's scale may be 0 to 100.
            Form::Rates(rates, max) => rates.interval(level).map(|end| end * max),
            Form::Means(means) => means.interval(level).unwrap_or(OPEN),
            Form::Swapped(swapped) => swapped.interval(level).unwrap_or([swapped.difference(); 2]),
            Form::Rate(successes, trials, max) => {
                wilson(*successes, *trials, level).map_or(OPEN, |ends| ends.map(|end| end * max))
            }
            Form::Point(value) => [*value; 2],
            Form::Nothing => OPEN,
        }
    }

    /// Returns how many of `count` sorted resampled values are beyond a one-sided bound with tail probability
    /// `tail`. Returns `None` if there are too few resamples for this probability.
    fn place(&self, method: Method, count: usize, tail: f64) -> Option<usize> {
        let count = count as f64;
        match method {
            Method::PairedBootstrap => Some((tail_of_percentile(tail, self.units) * count) as usize),
            // The true value is equally likely between any two neighbours, below all and above all values
            // (Hartigan 1969).
            Method::PairedRandomization => ((tail * (count + 1.0)) as usize).checked_sub(1),
        }
    }

    /// Returns the p-value of the hypothesis that the true value is at most `value`. If the bounds come from
    /// resamples, it is the share of resampled values that are at most `value`.
    pub fn share_at_most(&self, value: f64) -> f64 {
        match &self.form {
            Form::Resampled(sorted, _) => {
                let at_most = sorted.partition_point(|&resampled| resampled <= value);
                // The observed value counts as one more resample, so that a p-value is never 0.
                (at_most + 1) as f64 / (sorted.len() + 1) as f64
            }
            Form::Rates(rates, max) => rates.p_above(value / max),
            Form::Means(means) => means.p_above(value),
            // The p-value is two-sided, and this question has one side.
            Form::Swapped(swapped) if swapped.difference() > value => swapped.p_value() / 2.0,
            Form::Point(point) if *point > value => 0.0,
            Form::Swapped(_) | Form::Point(_) | Form::Rate(..) | Form::Nothing => 1.0,
        }
    }

    /// Returns the smallest drop that the test detects with probability `power`. Also returns the number of
    /// units (segments or documents) needed to detect a drop of `allowed`; `None` if no number suffices.
    pub fn power(&self, tail: f64, power: f64, allowed: f64) -> (f64, Option<u64>) {
        let one_sided = Power { significance: tail, two_sided: false, power };
        let closed = match &self.form {
            Form::Rates(rates, max) => Some(rates.smallest_difference(&one_sided) * max),
            Form::Means(means) => Some(means.smallest_difference(&one_sided)),
            _ => None,
        };
        if let Some(smallest) = closed {
            // The detectable drop shrinks with the square root of the number of units. A number of 1e18 and
            // more is no use to a reader, and the cast of a larger one would saturate.
            let needed = ((smallest / allowed).powi(2) * self.units as f64).ceil();
            return (smallest, (needed.is_finite() && needed < 1e18).then_some((needed as u64).max(1)));
        }
        if self.runs.count < 2 {
            let smallest = one_sided.smallest_difference(self.standard_error);
            return (smallest, one_sided.segments_needed(self.standard_error, self.units, allowed));
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

/// Computes the confidence bounds of the score's drop from the baseline to the new output.
///
/// The metric determines the method:
///
/// - a rate: Tango's interval;
/// - a mean over units: the t interval of the ratio estimator;
/// - a metric for which repeated segments are no new evidence: paired randomization;
/// - every other metric, and several runs: resampling.
///
/// A resample takes the same units of the baseline and of every run. Its drop is the baseline's score minus
/// the mean score of the runs. Several runs add the uncertainty of that mean: see [`Runs`].
///
/// ```
/// use bleuprint_core::Accumulator;
/// use bleuprint_registry::AnyMetric;
/// use bleuprint_inference::{Approach, ResamplePlan, rows_of};
/// use bleuprint_gate::{Method, OutputCounts, ResampledCounts, bounds_of_drop};
/// let metric = AnyMetric::for_text(bleuprint_metrics::ExactMatch);
/// let metric: &AnyMetric = &metric;
/// let rows = |right: usize| -> OutputCounts {
///     let mut test = Accumulator::<_, str>::new(metric);
///     let states = (0..400).map(|at| test.push(if at % 10 < right { "a" } else { "b" }, &["a"]).unwrap());
///     rows_of(metric, &states.collect::<Vec<_>>()).unwrap().into()
/// };
/// let (baseline, runs) = (rows(8), [rows(6)]);
/// for method in [None, Some(Method::PairedBootstrap), Some(Method::PairedRandomization)] {
///     let (approach, baseline) = (Approach::Rate, Some(&baseline));
///     let (sign, runs) = (1.0, &runs[..]);
///     let sample = ResampledCounts { metric, baseline, runs, sign, method, approach, decided: None };
///     let bounds = bounds_of_drop(&sample, ResamplePlan::new(1000)).unwrap();
///     assert!(bounds.lower(0.05) > 16.0 && bounds.upper(0.05) < 24.0); // 80 − 60 = 20 points
/// }
/// ```
///
/// # Errors
/// Returns an error if there is no baseline or no unit, and
/// [`NoScore`](bleuprint_core::InputErrorKind::NoScore) if an output has no score.
pub fn bounds_of_drop(sample: &ResampledCounts<'_>, plan: ResamplePlan) -> Result<Bounds> {
    let baseline = sample.baseline.ok_or_else(|| InputError::malformed("there is no baseline"))?;
    let systems: Vec<&OutputCounts> = std::iter::once(baseline).chain(sample.runs).collect();
    let value = |scores: &[f64], run: usize| sample.sign * (scores[0] - scores[1 + run]);
    if let [new] = sample.runs {
        // The methods for two systems compute first minus second. A drop is baseline minus new output for
        // scores that should be high, and the reverse for scores that should be low.
        let [first, second] = if sample.sign < 0.0 { [new, baseline] } else { [baseline, new] };
        if let Some(bounds) = closed(sample, [first, second])? {
            return Ok(bounds);
        }
        if sample.approach == Approach::Repeats {
            let tests = significance(sample.metric, &[first, second])?;
            let swapped = tests.swapped_difference(plan)?;
            let method = match swapped.interval(0.9) {
                Some(_) => BoundMethod::Difference(DifferenceMethod::PairedRandomization),
                None => BoundMethod::Point,
            };
            let left_out = tests.leave_one_out()?;
            let error = standard_error(&rowwise(&left_out, |scores| scores[0] - scores[1]));
            return Ok(sample.bounds_of(Form::Swapped(swapped), method, error));
        }
    }
    bounds(sample, &systems, plan, value)
}

/// Computes the confidence bounds of the score of the output under test, without comparing it with a
/// baseline.
///
/// # Errors
/// Returns an error if there are no segments or documents, and
/// [`NoScore`](bleuprint_core::InputErrorKind::NoScore) if an output has no score.
pub fn bounds_of_score(sample: &ResampledCounts<'_>, plan: ResamplePlan) -> Result<Bounds> {
    if let ([new], Approach::Rate, None, None) = (sample.runs, sample.approach, sample.decided, sample.method)
    {
        let (numbers, max) = (new.numbers(sample.metric)?, sample.metric.scale().max);
        // Wilson's interval is for independent trials that succeed or fail, each with the same weight.
        if are_decided(&numbers, max) && numbers.iter().all(|[segments, _]| *segments == 1.0) {
            let right = numbers.iter().filter(|[_, score]| *score == max).count() as u64;
            let form = Form::Rate(right, numbers.len() as u64, max);
            return Ok(sample.bounds_of(form, BoundMethod::Wilson, 0.0));
        }
    }
    bounds(sample, &sample.runs.iter().collect::<Vec<_>>(), plan, |scores, run| scores[run])
}

impl ResampledCounts<'_> {
    fn bounds_of(&self, form: Form, method: BoundMethod, standard_error: f64) -> Bounds {
        let units = self.runs.first().map_or(0, OutputCounts::len);
        let runs = Runs { count: self.runs.len(), error: 0.0 };
        Bounds { form, runs, units, standard_error, method, redrawn: 0.0, caution: None }
    }
}

/// Returns `true` if every unit (segment or document) has the lowest score, 0, or the highest score, `max`.
/// Each entry of `numbers` is a unit's number of segments and its score.
fn are_decided(numbers: &[[f64; 2]], max: f64) -> bool {
    numbers.iter().all(|[_, score]| *score == 0.0 || *score == max)
}

/// Returns `true` if all units (segments or documents) have an equal number of segments, and each has a score
/// of 0 or the maximum. The score is then a rate over units.
pub(crate) fn all_decided(metric: &AnyMetric, outputs: &[&OutputCounts]) -> Result<bool> {
    let max = metric.scale().max;
    let mut size = None;
    for output in outputs {
        let numbers = output.numbers(metric)?;
        let first = *size.get_or_insert(numbers.first().map_or(0.0, |[segments, _]| *segments));
        if !are_decided(&numbers, max) || numbers.iter().any(|[segments, _]| *segments != first) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the bounds from a closed formula, for a rate or a mean over units. Returns `None` if the metric or
/// the policy requires resampling.
fn closed(sample: &ResampledCounts<'_>, systems: [&OutputCounts; 2]) -> Result<Option<Bounds>> {
    let scale = sample.metric.scale();
    let as_rates = match (sample.approach, sample.decided, sample.method) {
        (Approach::Rate, None, method) => method != Some(Method::PairedBootstrap),
        (Approach::Rate, Some(decided), None) => decided,
        _ => false,
    };
    let as_means = matches!(
        (sample.approach, sample.decided, sample.method),
        (Approach::Rate | Approach::Mean, Some(_), None)
    );
    if !as_rates && !as_means {
        return Ok(None);
    }
    let numbers = [systems[0].numbers(sample.metric)?, systems[1].numbers(sample.metric)?];
    let pairs = || numbers[0].iter().zip(&numbers[1]);
    let first = pairs().next().map_or(0.0, |([segments, _], _)| *segments);
    let alike = pairs().all(|([one, _], [other, _])| *one == first && *other == first);
    if as_rates && alike && numbers.iter().all(|numbers| are_decided(numbers, scale.max)) {
        let only = |wanted: fn(&f64, &f64) -> bool| {
            pairs().filter(|([_, one], [_, other])| wanted(one, other)).count() as u64
        };
        let rates = PairedRates::new(numbers[0].len() as u64, only(f64::gt), only(f64::lt))?;
        let method = match sample.decided {
            None => DifferenceMethod::Tango,
            Some(_) => DifferenceMethod::TangoOfUnits,
        };
        let form = Form::Rates(rates, scale.max);
        return Ok(Some(sample.bounds_of(form, BoundMethod::Difference(method), 0.0)));
    }
    if !as_means {
        return Ok(None);
    }
    let sums =
        |([segments, one], [_, other]): (&[f64; 2], &[f64; 2])| match one.is_finite() && other.is_finite() {
            true => [*segments, segments * one, segments * other],
            false => [0.0; 3],
        };
    let range = Some(scale.max - scale.min).filter(|range| range.is_finite());
    let means = UnitMeans::new(&pairs().map(sums).collect::<Vec<_>>(), range)?;
    let method = BoundMethod::Difference(DifferenceMethod::UnitMeans);
    let form =
        if means.interval(0.9).is_some() { Form::Means(means) } else { Form::Point(means.difference()) };
    Ok(Some(sample.bounds_of(form, method, means.standard_error())))
}

/// Computes confidence bounds by resampling, for the mean of `value` over the runs. `value` takes the scores
/// of all systems and the index of a run, and returns the number to bound, such as a drop.
fn bounds(
    sample: &ResampledCounts<'_>,
    systems: &[&OutputCounts],
    plan: ResamplePlan,
    value: impl Fn(&[f64], usize) -> f64,
) -> Result<Bounds> {
    let count = sample.runs.len();
    let mean = |scores: &[f64]| (0..count).map(|run| value(scores, run)).sum::<f64>() / count as f64;
    let all: Vec<f64> =
        systems.iter().map(|counts| Ok(counts.score(sample.metric)?.score.value)).collect::<Result<_>>()?;
    if sample.approach == Approach::Repeats {
        let point = sample.bounds_of(Form::Point(mean(&all)), BoundMethod::Point, f64::NAN);
        return Ok(Bounds { caution: Some(Caution::Repeats), ..point });
    }
    let method = sample.method.unwrap_or(Method::PairedBootstrap);
    let (resampled, redrawn) = resampled(sample.metric, systems, method, plan)?;
    let mut sorted = rowwise(&resampled, mean);
    let tests = significance(sample.metric, systems)?;
    // The jackknife gives the error of the units alone, from which the needed number of units is computed.
    let standard_error = standard_error(&rowwise(&tests.leave_one_out()?, mean));
    let shown = match (method, systems.len() > count) {
        (Method::PairedBootstrap, true) => BoundMethod::Difference(DifferenceMethod::PairedBootstrap),
        (Method::PairedBootstrap, false) => BoundMethod::Bootstrap,
        (Method::PairedRandomization, _) => BoundMethod::Difference(DifferenceMethod::PairedRandomization),
    };
    let empty = sample.bounds_of(Form::Nothing, shown, standard_error);
    // Values that stay without a score even after a new draw cannot be sorted into percentiles. Bias is
    // checked only for the bootstrap.
    let caution = match sorted.iter().all(|value| value.is_finite()) {
        false => {
            let scores = tests.segment_scores();
            let has = |unit: &usize| scores.iter().all(|scores| scores[*unit].is_finite());
            let segments = (0..empty.units).filter(has).count() as u64;
            Some(Caution::Unscored { share: redrawn, segments, of: empty.units as u64 })
        }
        true if method == Method::PairedBootstrap => Caution::of_bias(mean(&all), &sorted),
        true => None,
    };
    if caution.is_some_and(|caution| caution.refuses()) {
        return Ok(Bounds { redrawn, caution, ..empty });
    }
    let runs = Runs::from_scores(&(0..count).map(|run| value(&all, run)).collect::<Vec<_>>());
    runs.spread(&mut sorted, plan.seed);
    sorted.sort_by(f64::total_cmp);
    Ok(Bounds { form: Form::Resampled(sorted, method), runs, redrawn, caution, ..empty })
}

fn rowwise(lists: &[Vec<f64>], value: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let count = lists.first().map_or(0, Vec::len);
    (0..count).map(|place| value(&lists.iter().map(|list| list[place]).collect::<Vec<_>>())).collect()
}

//! [`band()`]: confidence intervals of a curve over k, such as pass@k, from resampled prompts; simultaneous
//! for all k and separate for each k.

use bleuprint_core::{ExactSum, InputError, InputErrorKind, Result, Stats as _};
use bleuprint_inference::{Interrupt, Interval, NumpyRandom, ResamplePlan};
use bleuprint_math::exact_mean;

use crate::{CountedSamples, SampleTally, Samples};

/// Point of a curve such as pass@k at one `k`, with its confidence intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct CurveBand {
    /// Number of samples drawn for each prompt: the `k` of pass@k.
    pub k: u32,
    /// Mean of the metric over prompts at this `k`: the value of the curve.
    pub value: f64,
    /// Standard error of the mean: the standard deviation of the means of resampled prompts.
    pub standard_error: f64,
    /// Confidence interval for this `k` alone.
    pub single: Interval,
    /// Lower end at this `k` of the simultaneous band, which contains the whole curve in 95 of 100 cases.
    pub lower: f64,
    /// Upper end at this `k` of the simultaneous band, which contains the whole curve in 95 of 100 cases.
    pub upper: f64,
}

/// Computes the curve of a metric such as pass@k over k, with a simultaneous confidence band. Prompts are
/// drawn with replacement, and each resample gives a whole curve.
///
/// ```math
/// d_k \pm q \cdot se_k, \qquad q = \text{the 95 \% quantile of } \max_k |d^*_k - d_k| / se_k
/// ```
///
/// Here `d_k` is the value of the curve at k, `d^*_k` the value in a resample, and `se_k` the standard error.
/// The quantile is over resamples; a k with a standard error of 0 is left out of the maximum.
///
/// Whole prompts are resampled, so the band includes the noise of sampled answers. [`NumpyRandom`] draws
/// indices into the list of prompts, which is sorted by the prompts' samples.
///
/// ```
/// use bleuprint_core::Stats;
/// use bleuprint_inference::ResamplePlan;
/// use bleuprint_samples::{CountedSamples, PromptNumber, Samples, SampleTally, band};
///
/// let mut prompts = SampleTally::default();
/// for right in [0, 1, 1, 2, 5, 8, 8, 10] {
///     prompts.merge(&SampleTally::from_cell(CountedSamples { n: 10, right })).unwrap();
/// }
/// let curve = Samples::new(PromptNumber::Pass, Some(&[1.0, 2.0, 5.0, 10.0]), None).unwrap();
/// let band = band(&curve, &prompts, ResamplePlan::new(1000)).unwrap();
/// assert_eq!((band[0].value, band[3].value), (0.4375, 0.875));
/// // Wider than twice the standard error, as it holds four points at once.
/// assert!(band.iter().all(|point| point.upper - point.value > 2.0 * point.standard_error));
/// ```
///
/// # Errors
/// Returns the errors of scoring. Returns an error if the plan has no resample, if there are 2^32 prompts or
/// more, or if the user interrupts the work.
pub fn band(
    samples: &Samples,
    prompts: &SampleTally<CountedSamples>,
    plan: ResamplePlan,
) -> Result<Vec<CurveBand>> {
    // avg@n has no k, so its curve is one point.
    let ks = if samples.draws() { samples.ks() } else { &samples.ks()[..1] };
    let curve = samples.curve(prompts.iter().map(|(cell, times)| (*cell, times)))?;
    let too_many = |_| {
        let what = "the number of prompts".to_owned();
        let given = prompts.prompts().to_string();
        InputErrorKind::Limit { what, given, limit: format!("at most {}", u32::MAX) }
    };
    let count = u32::try_from(prompts.prompts()).map_err(too_many)?;
    if plan.count == 0 {
        return Err(InputError::malformed("a band needs at least one resample"));
    }
    let value = |(cell, _): (&CountedSamples, u64)| {
        ks.iter().map(|k| samples.value(*cell, *k)).collect::<Result<Vec<f64>>>()
    };
    let values: Vec<Vec<f64>> = prompts.iter().map(value).collect::<Result<_>>()?;
    // Prompts with the same samples share a cell, so values are computed once for each cell.
    let cells: Vec<usize> = prompts
        .iter()
        .enumerate()
        .flat_map(|(cell, (_, times))| core::iter::repeat_n(cell, times as usize))
        .collect();
    let mut random = NumpyRandom::new(plan.seed);
    let mut drawn = vec![0; cells.len()];
    let interrupt = Interrupt::of_thread();
    let mut resampled: Vec<Vec<f64>> = vec![Vec::with_capacity(plan.count); ks.len()];
    for _ in 0..plan.count {
        interrupt.check()?;
        random.fill_indices(count, &mut drawn);
        // Draws are counted by cell: the mean needs only how often each cell was drawn.
        let mut times = vec![0_u64; values.len()];
        drawn.iter().for_each(|&prompt| times[cells[prompt as usize]] += 1);
        for (place, means) in resampled.iter_mut().enumerate() {
            means.push(mean(values.iter().map(|values| values[place]).zip(times.iter().copied()))?);
        }
    }
    let errors: Vec<f64> = resampled.iter().map(|means| deviation(means)).collect();
    let q = quantile(&curve, &errors, &resampled);
    let points = ks.iter().zip(curve).zip(errors).zip(resampled);
    Ok(points
        .map(|(((&k, value), standard_error), means)| {
            let lower = value - q * standard_error;
            let upper = value + q * standard_error;
            CurveBand { k, value, standard_error, single: Interval::from_values(means), lower, upper }
        })
        .collect())
}

fn mean(values: impl Iterator<Item = (f64, u64)>) -> Result<f64> {
    let mut sum = ExactSum::default();
    for (value, times) in values.filter(|(_, times)| *times > 0) {
        sum.merge_times(&ExactSum::from_value(value)?, times)?;
    }
    Ok(sum.mean(sum.count()))
}

fn deviation(means: &[f64]) -> f64 {
    let mean = exact_mean(means);
    let squares: Vec<f64> = means.iter().map(|value| (value - mean) * (value - mean)).collect();
    let count = means.len() as f64;
    // One resample has no spread; the divisor stays 1 instead of 0.
    (exact_mean(&squares) * (count / (count - 1.0).max(1.0))).sqrt()
}

/// Returns the 95 % quantile of the largest distance between a resampled curve and `curve` at any k, measured
/// in standard errors.
fn quantile(curve: &[f64], errors: &[f64], resampled: &[Vec<f64>]) -> f64 {
    let distance = |at: usize| {
        let points = curve.iter().zip(errors).zip(resampled).filter(|((_, error), _)| **error > 0.0);
        points.map(|((value, error), means)| (means[at] - value).abs() / error).fold(0.0, f64::max)
    };
    let mut distances: Vec<f64> = (0..resampled.first().map_or(0, Vec::len)).map(distance).collect();
    distances.sort_by(f64::total_cmp);
    let place = (distances.len() * 95).div_ceil(100);
    distances.get(place.saturating_sub(1)).copied().unwrap_or_default()
}

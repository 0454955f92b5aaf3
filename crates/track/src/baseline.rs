//! [`Baseline`]: the expected score with which a monitored service is compared, and a linear approximation of
//! the score around it.

use bleuprint_core::{Direction, InputError, Metric as _, Result, StateKey};
use bleuprint_eval::store::{StoredMetric, StoredState, StoredStatistics};
use bleuprint_registry::AnyMetric;

use crate::chart::Observation;
use crate::event::MetricName;
use crate::metric::{TrackNumber, metric_of, number, with_numbers};

/// Factor by which the baseline's counts are multiplied before a few new counts are added to them. With a
/// large factor, the score changes almost linearly with the new counts. The second-order error is below 1e-4
/// of the change, and the rounding error below 1e-6 points.
const SCALE: u64 = 1 << 14;

/// Expected score of a monitored service, with which its observed scores are compared.
#[derive(Debug)]
#[non_exhaustive]
pub enum Baseline {
    /// Expected score computed from the per-segment counts of a test set.
    Counted(Box<BaselineCounts>),
    /// Expected score that the user stated as numbers, without a file of test results. Only for metrics whose
    /// score is a mean over segments.
    Stated {
        /// Expected score of the service: the mean of the scores of its segments.
        score: f64,
        /// Standard deviation of the segments' scores; `None` to estimate it from the first time buckets.
        deviation: Option<f64>,
    },
}

/// Per-segment counts of a test set, from which the expected score of a monitored service is computed.
#[derive(Debug)]
pub struct BaselineCounts {
    metric: AnyMetric,
    stored: StoredMetric,
    total: Vec<u64>,
    rows: Vec<Vec<u64>>,
}

impl Baseline {
    /// Reads a metric's baseline from a statistics file. The file's state key must equal the key of `name`,
    /// the metric in the ledger.
    ///
    /// # Errors
    /// Returns an error if the file lacks the metric or has fewer than 2 segments, or if the state key
    /// differs; the message names the differing field.
    pub fn read(
        registry: &bleuprint_registry::Registry,
        file: &str,
        statistics: &StoredStatistics,
        name: &MetricName,
    ) -> Result<Self> {
        let said = |error: &dyn std::fmt::Display| InputError::malformed(format!("{file}: {error}"));
        let spec = |text: &str| registry.parse_stored(text).map_err(|error| said(&error));
        let wanted = spec(&name.spec)?;
        let mut known = Vec::new();
        for (place, stored) in statistics.header.metrics.iter().enumerate() {
            let there = spec(&stored.spec)?;
            if there.metric != wanted.metric || there.options != wanted.options {
                known.push(stored.spec.as_str());
                continue;
            }
            stored
                .key
                .parse::<StateKey>()?
                .require_equal(&name.key.parse()?)
                .map_err(|error| said(&error))?;
            let metric = metric_of(registry, name, Some(stored))?;
            stored.require_of(&metric).map_err(|error| said(&error))?;
            let table = statistics.rows(place).map_err(|error| said(&error))?;
            // One segment has no variation, from which the standard deviation could be computed.
            if table.len() < 2 {
                return Err(said(&"a baseline needs at least 2 segments"));
            }
            // Each segment is opened once, so that damaged counts are reported with their segment.
            for (segment, found) in (1..).zip(&statistics.segments) {
                if let Some(Err(error)) =
                    found.states.get(place).map(|state| StoredState::open(state, &metric))
                {
                    return Err(said(&format!("segment {segment}: {error}")));
                }
            }
            let total = table.total().map_err(|error| said(&error))?;
            let rows = table.iter().map(<[u64]>::to_vec).collect();
            return Ok(Baseline::Counted(Box::new(BaselineCounts {
                metric,
                stored: stored.clone(),
                total,
                rows,
            })));
        }
        Err(said(&format!("it holds no `{}`; it holds: {}", name.spec, known.join(", "))))
    }

    pub(crate) fn stored(&self) -> Option<&StoredMetric> {
        match self {
            Baseline::Counted(counted) => Some(&counted.stored),
            Baseline::Stated { .. } => None,
        }
    }

    pub(crate) fn number(&self, which: TrackNumber) -> Option<f64> {
        match self {
            Baseline::Counted(counted) => number(&counted.metric, &counted.total, which),
            Baseline::Stated { score, .. } => (which == TrackNumber::Score).then_some(*score),
        }
    }

    /// Returns a linear approximation of the score, or of the length ratio (`which`), around its value in the
    /// baseline. Returns `None` if the baseline lacks this number. A missing standard deviation is estimated
    /// from `first`, the summed counts of the first time buckets.
    pub(crate) fn measure<'m>(
        &'m self,
        metric: &'m AnyMetric,
        which: TrackNumber,
        first: &[u64],
    ) -> Option<LinearScore<'m>> {
        match self {
            Baseline::Stated { score, deviation } => {
                let at = (which == TrackNumber::Score).then_some(*score)?;
                let observed = || {
                    let error = number(metric, first, TrackNumber::StandardError)?;
                    Some(error * with_numbers(metric, first)?.sqrt())
                };
                let deviation = deviation.or_else(observed).unwrap_or(0.0);
                Some(LinearScore { metric, which, scaled: None, at, deviation })
            }
            Baseline::Counted(counted) => {
                let BaselineCounts { metric, total, rows, .. } = &**counted;
                let most = total.iter().copied().max().unwrap_or(1).max(1);
                // The scaled counts plus any row must fit 64 bits.
                let scale = SCALE.min((u64::MAX / 4) / most).max(1);
                let scaled: Vec<u64> = total.iter().map(|count| count * scale).collect();
                let at = number(metric, &scaled, which)?;
                let mut measure = LinearScore { metric, which, scaled: Some(scaled), at, deviation: 0.0 };
                let each = rows.iter().map(|row| measure.difference(row)).collect::<Option<Vec<f64>>>()?;
                let count = each.len() as f64;
                let mean = each.iter().sum::<f64>() / count;
                let squares: f64 = each.iter().map(|value| (value - mean) * (value - mean)).sum();
                measure.deviation = (squares / (count - 1.0)).sqrt();
                Some(measure)
            }
        }
    }
}

/// Linear approximation of a score around the baseline. For counts `r` of `n` segments it is `x = (f(K·T + r)
/// − f(K·T))·K·N/n`, where `f` computes the score from counts.
///
/// `T` are the counts of the baseline's `N` segments, and `K` is large. The value `x` is the gradient of the
/// score at the baseline times the counts, per segment. It is therefore a mean over segments, even for small
/// time buckets, and counts can be added or retracted.
pub(crate) struct LinearScore<'m> {
    metric: &'m AnyMetric,
    which: TrackNumber,
    /// Baseline's summed counts, multiplied by a large constant so that a few new segments change the score
    /// almost linearly. `None` if the score is already a linear function of the counts.
    scaled: Option<Vec<u64>>,
    /// Score of the baseline, from which score differences are measured.
    at: f64,
    /// Standard deviation of the scores of single segments, under the linear approximation.
    pub(crate) deviation: f64,
}

impl LinearScore<'_> {
    /// Returns the mean difference from the baseline, in points, of the segments whose summed counts are
    /// `row`. The difference is positive if the segments score higher.
    pub(crate) fn difference(&self, row: &[u64]) -> Option<f64> {
        let Some(scaled) = &self.scaled else {
            return Some(number(self.metric, row, self.which)? - self.at);
        };
        let sum = scaled.iter().zip(row).map(|(scaled, count)| scaled.checked_add(*count));
        let sum = sum.collect::<Option<Vec<u64>>>()?;
        let all = with_numbers(self.metric, scaled)?;
        let own = with_numbers(self.metric, row)?;
        Some((number(self.metric, &sum, self.which)? - self.at) * all / own)
    }

    /// Returns the mean difference from the baseline, with its standard error, of the segments whose summed
    /// counts are `row`. The difference is positive if the segments are better than the baseline. Segments
    /// are assumed to be independent.
    pub(crate) fn observation(&self, row: &[u64], direction: Direction) -> Option<Observation> {
        let sign = if direction == Direction::HigherIsBetter { 1.0 } else { -1.0 };
        let difference = sign * self.difference(row)?;
        let error = self.deviation / with_numbers(self.metric, row)?.sqrt();
        (difference.is_finite() && error > 0.0).then_some(Observation { difference, error })
    }

    pub(crate) fn direction(&self) -> Direction {
        self.metric.scale().direction
    }
}

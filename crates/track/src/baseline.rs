//! [`Baseline`]: what is compared with, and the linear score of counts around it.

use bleuprint_core::{Direction, InputError, Metric as _, Result, StateKey};
use bleuprint_eval::store::{StoredMetric, StoredState, StoredStatistics};
use bleuprint_registry::AnyMetric;

use crate::chart::Observation;
use crate::event::MetricName;
use crate::metric::{Number, metric_of, number, with_numbers};

/// By how much the baseline's counts are multiplied to measure the change that others make: the error of the second order
/// is then below 1e-4 of the change, that of rounding below 1e-6 points.
const SCALE: u64 = 1 << 14;

/// The expected place of a score.
#[derive(Debug)]
#[non_exhaustive]
pub enum Baseline {
    /// The counts of a test set, segment by segment.
    Counted(Box<Counted>),
    /// A mean and the standard deviation of segments: for means of numbers, which are linear already.
    Stated {
        /// The mean of segments.
        score: f64,
        /// The standard deviation; of the first buckets, if none is given.
        deviation: Option<f64>,
    },
}

/// The counts of a baseline.
#[derive(Debug)]
pub struct Counted {
    metric: AnyMetric,
    stored: StoredMetric,
    total: Vec<u64>,
    rows: Vec<Vec<u64>>,
}

impl Baseline {
    /// The baseline of a metric in a file of statistics, for a state key of the ledger.
    ///
    /// # Errors
    /// A file without segments or without the metric; another state key, with the field that differs.
    pub fn read(
        registry: &bleuprint_registry::Registry,
        file: &str,
        statistics: &StoredStatistics,
        name: &MetricName,
    ) -> Result<Self> {
        let said = |error: &dyn std::fmt::Display| InputError::malformed(format!("{file}: {error}"));
        let spec = |text: &str| registry.parse(text).map_err(|error| said(&error));
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
            if table.len() < 2 {
                return Err(said(&"a baseline needs at least 2 segments"));
            }
            for (segment, found) in (1..).zip(&statistics.segments) {
                if let Some(Err(error)) =
                    found.states.get(place).map(|state| StoredState::open(state, &metric))
                {
                    return Err(said(&format!("segment {segment}: {error}")));
                }
            }
            let total = table.total().map_err(|error| said(&error))?;
            let rows = table.iter().map(<[u64]>::to_vec).collect();
            return Ok(Baseline::Counted(Box::new(Counted { metric, stored: stored.clone(), total, rows })));
        }
        Err(said(&format!("it holds no `{}`; it holds: {}", name.spec, known.join(", "))))
    }

    pub(crate) fn stored(&self) -> Option<&StoredMetric> {
        match self {
            Baseline::Counted(counted) => Some(&counted.stored),
            Baseline::Stated { .. } => None,
        }
    }

    pub(crate) fn number(&self, which: Number) -> Option<f64> {
        match self {
            Baseline::Counted(counted) => number(&counted.metric, &counted.total, which),
            Baseline::Stated { score, .. } => (which == Number::Score).then_some(*score),
        }
    }

    /// The measure of differences of a number from that of the baseline; none where the baseline has no such number.
    /// `first` are the counts of the first buckets: their numbers vary as all do, where squares are kept.
    pub(crate) fn measure<'m>(
        &'m self,
        metric: &'m AnyMetric,
        which: Number,
        first: &[u64],
    ) -> Option<Measure<'m>> {
        match self {
            Baseline::Stated { score, deviation } => {
                let at = (which == Number::Score).then_some(*score)?;
                let observed = || {
                    let error = number(metric, first, Number::StandardError)?;
                    Some(error * with_numbers(metric, first)?.sqrt())
                };
                let deviation = deviation.or_else(observed).unwrap_or(0.0);
                Some(Measure { metric, which, scaled: None, at, deviation })
            }
            Baseline::Counted(counted) => {
                let Counted { metric, total, rows, .. } = &**counted;
                let most = total.iter().copied().max().unwrap_or(1).max(1);
                let scale = SCALE.min((u64::MAX / 4) / most).max(1);
                let scaled: Vec<u64> = total.iter().map(|count| count * scale).collect();
                let at = number(metric, &scaled, which)?;
                let mut measure = Measure { metric, which, scaled: Some(scaled), at, deviation: 0.0 };
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

/// The linear score: `x = (f(K·T + r) − f(K·T))·K·N/n` for counts `r` of `n` segments, where `T` are the counts of the
/// baseline's `N` segments and `K` is large. It is the gradient of the score at the baseline times the counts, per
/// segment: their mean over segments, so it merges and retracts as they do, and no bucket is too small for it.
pub(crate) struct Measure<'m> {
    metric: &'m AnyMetric,
    which: Number,
    /// The baseline's counts times `K`; none where the number is linear already.
    scaled: Option<Vec<u64>>,
    /// `f(K·T)`.
    at: f64,
    /// The standard deviation of the linear scores of segments.
    pub(crate) deviation: f64,
}

impl Measure<'_> {
    /// The mean difference of a row's segments from the baseline, in points, higher for a higher number.
    pub(crate) fn difference(&self, row: &[u64]) -> Option<f64> {
        let Some(scaled) = &self.scaled else {
            return Some(number(self.metric, row, self.which)? - self.at);
        };
        let sum = scaled.iter().zip(row).map(|(scaled, count)| scaled.checked_add(*count));
        let sum = sum.collect::<Option<Vec<u64>>>()?;
        let (all, own) = (with_numbers(self.metric, scaled)?, with_numbers(self.metric, row)?);
        Some((number(self.metric, &sum, self.which)? - self.at) * all / own)
    }

    /// The observation of a row, as better or worse than the baseline; segments are taken for independent.
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

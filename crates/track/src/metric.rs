//! Builds the metrics of a ledger from their names, and computes scores from rows of counts.

use bleuprint_core::{ConfigError, InputError, Metric as _, PartValue, Result, State, StateKey, Stats as _};
use bleuprint_eval::evaluation::finisher;
use bleuprint_eval::store::{NarrowSums, StoredMetric};
use bleuprint_registry::{AnyMetric, MetricSpec, Registry, ViewKind};

use crate::event::MetricName;

/// Key of the length ratio in a score's details. If a metric has this detail, it is monitored and shown next
/// to the score.
pub(crate) const RATIO: &str = "ratio";

/// Checks that the statistics of a metric are additive counts, as the events of a ledger must be.
///
/// # Errors
/// Returns an error if they are not a row of counts. It names the option that makes them a row, if the metric
/// has one.
pub fn require_event(registry: &Registry, spec: &MetricSpec, metric: &AnyMetric) -> Result<()> {
    let Err(refused) = metric.require_rows("be an event") else { return Ok(()) };
    let rows_with = registry.get(&spec.metric).map_or("", |entry| entry.rows_with);
    if rows_with.is_empty() {
        return Err(refused);
    }
    Err(InputError::malformed(format!("{refused}; they are one with {}:{rows_with}", spec.metric)))
}

/// Builds the metric with this name and options. Its state key determines the tokenizer or the vocabulary of
/// ids; `like` provides weights that the metric learned from references.
///
/// # Errors
/// Returns an error if the registry lacks the metric, or if the key belongs to another configuration.
pub(crate) fn metric_of(
    registry: &Registry,
    name: &MetricName,
    like: Option<&StoredMetric>,
) -> Result<AnyMetric> {
    let words = |error: ConfigError| InputError::malformed(error.to_string());
    let key: StateKey = name.key.parse()?;
    let spec = registry.parse_stored(&name.spec).map_err(words)?;
    let stored = StoredMetric {
        spec: name.spec.clone(),
        key: name.key.clone(),
        signature: String::new(),
        columns: None,
        learned: like.and_then(|like| like.learned.clone()),
    };
    let metric = finisher(registry, &spec, &stored, &key)?;
    if metric.first_pass().is_none() {
        metric.identity().require_own(&key)?;
    }
    Ok(metric)
}

pub(crate) fn row_of(metric: &AnyMetric, key: &str, row: &[u64]) -> Result<Vec<u64>> {
    match NarrowSums::from_metric(metric, &key.parse()?)? {
        Some(sums) => sums.row(row),
        None => Ok(row.to_vec()),
    }
}

/// Key of the standard error in a score's details, for metrics that estimate it.
const STANDARD_ERROR: &str = "standard_error";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrackNumber {
    /// The metric's score, such as BLEU, as opposed to a detail of it.
    Score,
    /// Ratio of output length to reference length, for metrics that report it as a detail of the score.
    Ratio,
    /// Standard error of the score, for metrics that report it as a detail of the score.
    StandardError,
}

impl TrackNumber {
    fn part(self) -> Option<&'static str> {
        match self {
            TrackNumber::Score => None,
            TrackNumber::Ratio => Some(RATIO),
            TrackNumber::StandardError => Some(STANDARD_ERROR),
        }
    }
}

/// Computes the score, or the detail of it that `number` selects, from a row of counts. Returns `None` if the
/// metric gives no finite number.
pub(crate) fn number(metric: &AnyMetric, row: &[u64], number: TrackNumber) -> Option<f64> {
    let value = match number.part() {
        None => bleuprint_core::score_row(metric, row).ok()?,
        Some(key) => {
            let score = State::from_row(metric, row).ok()?.score(metric).ok()?.score;
            match score.parts.iter().find(|part| part.key == key)?.value {
                PartValue::Number(value) => value,
                _ => return None,
            }
        }
    };
    value.is_finite().then_some(value)
}

/// Returns the number of segments with a value, read from a row of counts; `None` if there are none.
pub(crate) fn with_numbers(metric: &AnyMetric, row: &[u64]) -> Option<f64> {
    let segments = *row.first()?;
    // Only metrics over numbers have missing values. For all others the state need not be built.
    let missing = match metric.view.kind {
        ViewKind::Numbers => {
            let state = State::from_row(metric, row).ok()?;
            state.stats().missing(state.counts())
        }
        _ => 0,
    };
    segments.checked_sub(missing).filter(|&count| count > 0).map(|count| count as f64)
}

/// Adds a row of counts to `sum`, column by column.
///
/// # Errors
/// Returns an error if the rows differ in length or a sum exceeds 64 bits.
pub(crate) fn add_row(sum: &mut Vec<u64>, row: &[u64]) -> Result<()> {
    combine(sum, row, u64::checked_add)
}

/// Subtracts a row of counts from `sum`, column by column.
///
/// # Errors
/// Returns an error if the rows differ in length or a count would become negative.
pub(crate) fn subtract_row(sum: &mut Vec<u64>, row: &[u64]) -> Result<()> {
    combine(sum, row, u64::checked_sub)
}

fn combine(sum: &mut Vec<u64>, row: &[u64], apply: fn(u64, u64) -> Option<u64>) -> Result<()> {
    if sum.is_empty() {
        sum.resize(row.len(), 0);
    }
    if sum.len() != row.len() {
        return Err(InputError::row_length(sum.len(), row.len()));
    }
    for (column, (sum, &count)) in sum.iter_mut().zip(row).enumerate() {
        *sum = apply(*sum, count).ok_or_else(|| {
            InputError::malformed(format!("column {}: {sum} and {count} do not fit 64 bits", column + 1))
        })?;
    }
    Ok(())
}

//! [`compare`]: compares two deployed model versions. The probability of a false finding stays at a stated
//! level, however often the comparison is repeated.

use std::collections::{BTreeMap, BTreeSet};

use bleuprint_core::{InputError, Result, score_row};
use bleuprint_inference::{
    CountRows, FEWEST_UNITS_OF_LOOK, Sequence, SequentialLook, leave_one_out, standard_error,
};
use bleuprint_registry::{AnyMetric, Registry};

use crate::check::name_of;
use crate::event::{EventCounts, MetricName};
use crate::ledger::{AlarmPlan, Ledger, Selection};
use crate::metric::{add_row, metric_of, row_of};
use crate::widened::buckets;
use crate::{Event, Time};

/// Unit of independent variation in a comparison: the scores of different units are assumed to be independent
/// of each other. The standard error of the score difference is computed over units.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum VariationUnit {
    /// Each event, such as a request or a session, is one unit: its score is independent of all other events.
    Event,
    /// All events of a time bucket (such as an hour) are one unit, for traffic in which neighbouring requests
    /// are similar.
    Bucket,
    /// All events that have an equal value of this label, such as a user id, are one unit.
    Label(String),
}

impl VariationUnit {
    /// Parses the name of a unit of variation: `event`, `bucket`, or the name of a label such as `user`,
    /// which makes all events with an equal label value one unit.
    pub fn from_name(name: &str) -> Self {
        match name {
            "event" => VariationUnit::Event,
            "bucket" => VariationUnit::Bucket,
            label => VariationUnit::Label(label.to_owned()),
        }
    }

    /// Returns the name of the unit: `event`, `bucket` or the name of a label.
    pub fn name(&self) -> &str {
        match self {
            VariationUnit::Event => "event",
            VariationUnit::Bucket => "bucket",
            VariationUnit::Label(label) => label,
        }
    }
}

/// Settings of a comparison of two model versions.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "closed: a comparison needs all of them")]
pub struct VersionsRequest {
    /// Name of the stream of outputs in which both model versions run.
    pub stream: String,
    /// Names of the two model versions to compare.
    pub versions: [String; 2],
    /// Metric with which the versions are compared; `None` if the stream has only one metric.
    pub metric: Option<String>,
    /// Unit whose scores are assumed to be independent of each other, such as an event or a user.
    pub unit: VariationUnit,
    /// Allowed probability that equal versions are found to differ, over all evaluations of the comparison
    /// together.
    pub alpha: f64,
    /// Planned number of units of each version; the confidence interval is narrowest at this number.
    pub expect: u64,
}

/// Result of comparing two model versions with the data so far.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct VersionsCompared {
    /// Metric with which the versions were compared.
    pub metric: MetricName,
    /// Scores of the two compared model versions; `None` for a version without data.
    pub scores: [Option<f64>; 2],
    /// Number of independent units, such as events or users, in the data of each of the two versions.
    pub units: [usize; 2],
    /// Time from which both versions ran; earlier events are ignored. `None` if they never ran together.
    pub since: Option<Time>,
    /// Difference of the scores (first minus second) with its interval; `None` if there are too few units,
    /// such as requests.
    pub difference: Option<VersionDifference>,
}

/// Difference between the scores of two model versions, with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct VersionDifference {
    /// Difference between the scores of the two versions.
    pub value: f64,
    /// Standard error of the difference between the scores.
    pub error: f64,
    /// Ends of the difference's confidence interval, which remains valid if the comparison is repeated over
    /// time.
    pub interval: [f64; 2],
    /// P-value of the difference, which remains valid if the comparison is repeated over time.
    pub p_value: f64,
    /// Plan of the comparison, which was fixed before the first look at the data.
    pub plan: AlarmPlan,
}

/// Compares two model versions of a stream. The first call with enough units (such as requests) fixes the
/// plan of the comparison, which the ledger then stores.
///
/// # Errors
/// Returns an error if the stream, a version or the metric is unknown, if the parameters differ from the
/// fixed plan, or if units lack the label.
pub fn compare(ledger: &Ledger, registry: &Registry, request: &VersionsRequest) -> Result<VersionsCompared> {
    let selection = Selection { stream: Some(&request.stream), ..Selection::ALL };
    let buckets = buckets(ledger, registry, selection)?;
    if buckets.is_empty() {
        let known =
            ledger.streams(None)?.into_iter().map(|(stream, _)| stream).collect::<Vec<_>>().join(", ");
        let message = format!("the ledger has no stream `{}`; it has: {known}", request.stream);
        return Err(InputError::malformed(message));
    }
    let spec = match &request.metric {
        Some(metric) => metric.clone(),
        None => {
            let specs: BTreeSet<&str> = buckets.iter().map(|bucket| bucket.metric.spec.as_str()).collect();
            match specs.into_iter().collect::<Vec<_>>()[..] {
                [only] => only.to_owned(),
                ref several => {
                    let message = format!("the stream has several metrics, name one: {}", several.join(", "));
                    return Err(InputError::malformed(message));
                }
            }
        }
    };
    let name = name_of(registry, &buckets, &request.stream, &spec)?;
    let mut starts = [None; 2];
    for (version, start) in request.versions.iter().zip(&mut starts) {
        let mut own =
            buckets.iter().filter(|bucket| bucket.series.version == *version && bucket.metric == name);
        *start = own.next().map(|bucket| bucket.start);
        if start.is_none() {
            let known: BTreeSet<&str> = buckets.iter().map(|bucket| bucket.series.version.as_str()).collect();
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            let message = format!("the stream has no version `{version}` with `{spec}`; it has: {known}");
            return Err(InputError::malformed(message));
        }
    }
    // Earlier units of one version saw other traffic, so only the common time is compared.
    let since = starts.into_iter().flatten().max();
    let metric = metric_of(registry, &name, None)?;
    let rows = units(ledger, request, &name, &metric, since)?;
    let finish = |row: &[u64]| score_row(&metric, row).unwrap_or(f64::NAN);
    let score = |rows: &CountRows| -> Result<Option<f64>> {
        Ok(Some(finish(&rows.total()?)).filter(|score| !rows.is_empty() && score.is_finite()))
    };
    let scores = [score(&rows[0])?, score(&rows[1])?];
    let units = [rows[0].len(), rows[1].len()];
    let difference = match scores {
        [Some(one), Some(other)] if units.iter().all(|&units| units >= FEWEST_UNITS_OF_LOOK) => {
            difference(ledger, request, &name, &metric, &rows, one - other)?
        }
        _ => None,
    };
    Ok(VersionsCompared { metric: name, scores, units, since, difference })
}

fn units(
    ledger: &Ledger,
    request: &VersionsRequest,
    name: &MetricName,
    metric: &AnyMetric,
    since: Option<Time>,
) -> Result<[CountRows; 2]> {
    let mut counted = Vec::new();
    let mut retracted = BTreeSet::new();
    ledger.events(|Event { key, time, retracts, counts }| {
        retracted.extend(retracts);
        let Some(mut counts) = counts else { return Ok(()) };
        // Events of an earlier layout are converted to today's, so that a comparison continues across an
        // update.
        if counts.metric != *name
            && counts.metric.spec == name.spec
            && let Ok(row) = row_of(metric, &counts.metric.key, &counts.row)
        {
            (counts.metric, counts.row) = (name.clone(), row);
        }
        let place = request.versions.iter().position(|version| *version == counts.series.version);
        let own = counts.series.stream == request.stream && counts.metric == *name;
        if let Some(place) = place.filter(|_| own && Some(time) >= since) {
            counted.push((place, key, time, counts));
        }
        Ok::<_, InputError>(())
    })?;
    let mut sums: [BTreeMap<String, Vec<u64>>; 2] = Default::default();
    for (place, key, time, EventCounts { series, row, .. }) in counted {
        if retracted.contains(&key) || row.first() == Some(&0) {
            continue;
        }
        let unit = match &request.unit {
            VariationUnit::Event => key,
            VariationUnit::Bucket => time.floor(ledger.bucket()).0.to_string(),
            VariationUnit::Label(label) => series.slice.get(label).cloned().ok_or_else(|| {
                InputError::malformed(format!("the event `{key}` has no label `{label}`, which is the unit"))
            })?,
        };
        add_row(sums[place].entry(unit).or_default(), &row)?;
    }
    // A user who saw both versions would make the two samples dependent, which the test does not allow.
    if let (VariationUnit::Label(label), Some(both)) =
        (&request.unit, sums[0].keys().find(|unit| sums[1].contains_key(*unit)))
    {
        let message = format!("{label} `{both}` has seen both versions, so the versions are not independent");
        return Err(InputError::malformed(message));
    }
    let rows = |sums: &BTreeMap<String, Vec<u64>>| {
        let mut rows = CountRows::with_columns(sums.values().next().map_or(1, Vec::len));
        sums.values().try_for_each(|row| rows.push(row))?;
        Ok::<_, InputError>(rows)
    };
    Ok([rows(&sums[0])?, rows(&sums[1])?])
}

fn difference(
    ledger: &Ledger,
    request: &VersionsRequest,
    name: &MetricName,
    metric: &AnyMetric,
    rows: &[CountRows; 2],
    value: f64,
) -> Result<Option<VersionDifference>> {
    let finish = |row: &[u64]| score_row(metric, row).unwrap_or(f64::NAN);
    let error = |rows: &CountRows| Ok::<_, InputError>(standard_error(&leave_one_out(rows, &finish)?));
    let errors = [error(&rows[0])?, error(&rows[1])?];
    // The versions serve different units, so their errors are independent and the variances add.
    let both = (errors[0] * errors[0] + errors[1] * errors[1]).sqrt();
    if !(both > 0.0 && both.is_finite()) {
        return Ok(None);
    }
    let versions = request.versions.join("\u{1F}");
    let (seen, _) = ledger.seen(None)?;
    let plan = ledger.plan([&request.stream, &name.spec, &versions, request.unit.name()], || {
        // The standard error at the planned number of units, estimated from the deviation of the units seen
        // so far.
        let planned =
            |error: f64, rows: &CountRows| error * error * rows.len() as f64 / request.expect as f64;
        let information = (planned(errors[0], &rows[0]) + planned(errors[1], &rows[1])).recip();
        Ok(Some(AlarmPlan { alpha: request.alpha, expect: request.expect, information, seen }))
    })?;
    let Some(plan) = plan else { return Ok(None) };
    if (plan.alpha, plan.expect) != (request.alpha, request.expect) {
        return Err(InputError::malformed(format!(
            "this comparison was planned with alpha {} and {} units of each version; a plan must not change after the first look",
            plan.alpha, plan.expect
        )));
    }
    VersionDifference::at(plan, value, both).map(Some)
}

impl VersionDifference {
    /// Computes the confidence interval and the p-value of a score difference `value` with standard error
    /// `error`. Both remain valid if the comparison is repeated over time.
    ///
    /// # Errors
    /// Returns the errors of [`Sequence::new`].
    pub fn at(plan: AlarmPlan, value: f64, error: f64) -> Result<Self> {
        let SequentialLook { low, high, p_value, .. } =
            Sequence::new(plan.alpha, plan.information)?.look(value, error);
        Ok(VersionDifference { value, error, interval: [low, high], p_value, plan })
    }
}

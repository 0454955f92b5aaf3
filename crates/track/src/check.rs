//! [`check`]: applies a monitoring policy to a ledger (database of metric counts over time), and raises
//! alarms for scores that dropped.

use std::collections::BTreeMap;

use bleuprint_core::{Direction, InputError, Location, Result};
use bleuprint_eval::store::{StoredMetric, StoredStatistics};
use bleuprint_registry::{AnyMetric, Registry};

use crate::baseline::{Baseline, LinearScore};
use crate::chart::{Chart, Observation, over_dispersion};
use crate::event::MetricName;
use crate::ledger::{Alarm, AlarmKind, Bucket, Late, Ledger, Selection};
use crate::metric::{TrackNumber, add_row, metric_of};
use crate::policy::{BaselineSource, Watch, WatchPolicy};
use crate::widened::buckets;
use crate::{Span, Time};

/// Number of observations of a service's score after which their noise (variance) is first estimated.
pub const CALIBRATION: usize = 30;

/// Observed score of a model version over a stretch of time, with the evidence that the score has dropped.
/// The evidence accumulates over all observations up to this one.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Point {
    /// Start of the first time bucket whose counts the observation includes.
    pub start: Time,
    /// End of the last time bucket whose counts the observation includes.
    pub end: Time,
    /// Mean difference of the score from the baseline, in points; a negative difference is worse.
    pub difference: f64,
    /// Accumulated evidence for a drop of the score, as a multiple of the alarm threshold: 1 or more is an
    /// alarm.
    pub evidence: f64,
}

/// Observations of one model version, with the evidence that its score dropped.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct VersionReport {
    /// Name of the model version, such as `v2`.
    pub version: String,
    /// Start of the first time bucket with outputs of this version.
    pub since: Time,
    /// Observations of the version's score, in order of time.
    pub points: Vec<Point>,
    /// Evidence of a change after the last observation, as a multiple of the alarm threshold. It is the
    /// largest value over all control charts of the version.
    pub evidence: f64,
}

/// Report on one watch, a rule that compares the score of a service's outputs with a baseline over time.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WatchReport {
    /// Monitoring rule of the policy that this report is about.
    pub watch: Watch,
    /// Metric of the monitoring rule, as named in the ledger.
    pub metric: MetricName,
    /// Metric as stored in the baseline file, with any weights that it learned; `None` without a file.
    pub stored: Option<StoredMetric>,
    /// Expected score of the watched service, with which its observed scores are compared. It is computed
    /// from the test set, or stated in the policy.
    pub baseline: f64,
    /// Factor by which the variance of observations exceeds the variance for independent segments; `None`
    /// while there are too few observations.
    pub dispersion: Option<f64>,
    /// Reports on the model versions, in the order in which they first appear in the stream.
    pub versions: Vec<VersionReport>,
    /// All alarms that the control charts raise, including those that are already recorded or acknowledged.
    pub raised: Vec<Alarm>,
}

impl WatchReport {
    /// Returns the largest number of observations of any model version in the report.
    pub fn observations(&self) -> usize {
        self.versions.iter().map(|version| version.points.len()).max().unwrap_or(0)
    }
}

/// Time at which a ledger (database of metric counts over time) is checked for dropped scores, and number of
/// events that the check includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: two times")]
pub struct Moment {
    /// Current time, which decides if a stream has been silent for too long.
    pub now: Time,
    /// Number of events to include: events that were added to the ledger later are ignored. `None` for all
    /// events.
    pub as_of: Option<u64>,
}

/// Result of checking a ledger (database of metric counts over time) against a policy: a report on each rule,
/// and the active alarms.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Checked {
    /// Reports on the policy's rules, in the order of the policy.
    pub watches: Vec<WatchReport>,
    /// Alarms that are active: raised but not acknowledged.
    pub standing: Vec<Alarm>,
    /// Number of events that the ledger contained when it was checked.
    pub seen: u64,
}

impl Checked {
    /// Returns the exit code: 0 without an alarm, 1 if an alarm is active, 3 if there is too little data for
    /// alarms.
    pub fn exit_code(&self) -> u8 {
        match () {
            () if !self.standing.is_empty() => 1,
            () if self.watches.iter().any(|watch| watch.dispersion.is_none()) => 3,
            () => 0,
        }
    }
}

/// Checks a ledger against all rules of a policy, and records new alarms, which stay active until they are
/// acknowledged.
///
/// If an earlier state of the ledger is checked, nothing is recorded, and all alarms that were raised until
/// then count as active.
///
/// # Errors
/// Returns an error if the ledger lacks a stream or metric, if a baseline does not fit, or if the ledger
/// cannot be written.
pub fn check(ledger: &Ledger, policy: &WatchPolicy, registry: &Registry, moment: Moment) -> Result<Checked> {
    let (seen, received) = ledger.seen(moment.as_of)?;
    // An earlier state is checked at the time at which its last event arrived, so that silence is judged as
    // it was then.
    let now = if moment.as_of.is_some() { received.unwrap_or(moment.now) } else { moment.now };
    let moment = Moment { now, ..moment };
    let mut reports = Vec::new();
    for watch in &policy.watches {
        let place = Location::line(policy.file.as_str(), watch.line);
        let report = report(ledger, policy, watch, registry, moment, seen);
        reports.push(
            report.map_err(|error| {
                InputError::malformed(format!("watch `{}`: {error}", watch.name)).at(place)
            })?,
        );
    }
    let known = if moment.as_of.is_some() { Vec::new() } else { ledger.alarms()? };
    let mut news: Vec<Alarm> = Vec::new();
    for alarm in reports.iter().flat_map(|report| &report.raised) {
        let same = |other: &&Alarm| {
            (&other.watch, other.kind, &other.version) == (&alarm.watch, alarm.kind, &alarm.version)
        };
        // An active alarm is reported once, and alarms before an acknowledgement are not raised again.
        let is_known = |other: &Alarm| other.acknowledged.is_none_or(|then| then.max(other.at) >= alarm.at);
        if !known.iter().chain(&news).filter(same).any(is_known) {
            news.push(alarm.clone());
        }
    }
    let standing = match moment.as_of {
        Some(_) => news,
        None => {
            ledger.record(&news)?;
            let watched = |alarm: &Alarm| policy.watches.iter().any(|watch| watch.name == alarm.watch);
            let stands = |alarm: &Alarm| alarm.acknowledged.is_none() && watched(alarm);
            ledger.alarms()?.into_iter().filter(stands).collect()
        }
    };
    Ok(Checked { watches: reports, standing, seen })
}

/// Finds the metric in the buckets of a stream and returns its name in the ledger, with its state key (the
/// layout of its counts).
///
/// # Errors
/// Returns an error if the stream lacks the metric, or has it with several state keys.
pub(crate) fn name_of(
    registry: &Registry,
    buckets: &[Bucket],
    stream: &str,
    metric: &str,
) -> Result<MetricName> {
    let words = |error: bleuprint_core::ConfigError| InputError::malformed(error.to_string());
    let wanted = registry.parse(metric).map_err(words)?;
    let mut names: Vec<&MetricName> = buckets.iter().map(|bucket| &bucket.metric).collect();
    names.sort();
    names.dedup();
    let is_wanted = |name: &&&MetricName| registry.parse_stored(&name.spec).is_ok_and(|spec| spec == wanted);
    let found: Vec<&&MetricName> = names.iter().filter(is_wanted).collect();
    match found[..] {
        [name] => Ok((*name).clone()),
        [] => {
            let known = names.iter().map(|name| name.spec.as_str()).collect::<Vec<_>>().join(", ");
            Err(InputError::malformed(format!("the stream `{stream}` has no `{metric}`; it has: {known}")))
        }
        [..] => {
            let keys = found.iter().map(|name| name.key.as_str()).collect::<Vec<_>>().join(" and ");
            Err(InputError::malformed(format!("`{metric}` has unlike states in `{stream}`: {keys}")))
        }
    }
}

fn report(
    ledger: &Ledger,
    policy: &WatchPolicy,
    watch: &Watch,
    registry: &Registry,
    moment: Moment,
    seen: u64,
) -> Result<WatchReport> {
    ledger.require_buckets("buckets", watch.bucket)?;
    let streams = ledger.streams(moment.as_of)?;
    let Some((_, newest)) = streams.iter().find(|(stream, _)| *stream == watch.stream) else {
        let known = streams.iter().map(|(stream, _)| stream.as_str()).collect::<Vec<_>>().join(", ");
        let message = format!("the ledger has no stream `{}`; it has: {known}", watch.stream);
        return Err(InputError::malformed(message));
    };
    let late = Late::LeaveOut(watch.lateness, watch.bucket);
    let selection = Selection { stream: Some(&watch.stream), as_of: moment.as_of, late, ..Selection::ALL };
    let buckets = buckets(ledger, registry, selection)?;
    let name = name_of(registry, &buckets, &watch.stream, &watch.metric)?;
    let baseline = match &watch.expected {
        BaselineSource::File(file) => {
            let statistics = StoredStatistics::read(policy.place(file))?;
            Baseline::read(registry, file, &statistics, &name)?
        }
        &BaselineSource::Stated { score, deviation } => Baseline::Stated { score, deviation },
    };
    let metric = metric_of(registry, &name, baseline.stored())?;
    let wanted = |bucket: &&Bucket| {
        let slice = &bucket.series.slice;
        bucket.metric == name && watch.slice.iter().all(|(label, value)| slice.get(label) == Some(value))
    };
    // A bucket is closed if the stream has an event that is later than its end by the allowed lateness; no
    // clock is involved.
    let closed =
        |bucket: &&Bucket| bucket.start.floor(watch.bucket) + watch.bucket + watch.lateness <= *newest;
    let mut versions: Versions = BTreeMap::new();
    for bucket in buckets.iter().filter(wanted).filter(closed) {
        let rows = versions.entry(bucket.series.version.clone()).or_default();
        add_row(rows.entry(bucket.start.floor(watch.bucket)).or_default(), &bucket.row)?;
    }
    let mut report = watch_rows(watch, &baseline, &metric, &versions)?;
    report.metric = name;
    report.raised.extend(silence(ledger, registry, watch, &report.metric, *newest, moment)?);
    report.raised.sort_by_key(|alarm| (alarm.at, alarm.kind));
    report.raised.iter_mut().for_each(|alarm| alarm.seen = seen);
    Ok(report)
}

/// Rows of counts of closed time buckets, by model version and by the start of the bucket.
pub type Versions = BTreeMap<String, BTreeMap<Time, Vec<u64>>>;

/// Checks time buckets that are not in a ledger, such as simulated ones, against one rule. Computes the
/// control charts of every model version and their alarms. Use [`check`] for ledgers.
///
/// # Errors
/// Returns an error if the baseline has no score, or if its segments do not vary.
pub fn watch_rows(
    watch: &Watch,
    baseline: &Baseline,
    metric: &AnyMetric,
    versions: &Versions,
) -> Result<WatchReport> {
    // Slices of one start are added, so that the first observations cover all versions together.
    let mut first: BTreeMap<Time, Vec<u64>> = BTreeMap::new();
    for (&start, row) in versions.values().flatten() {
        add_row(first.entry(start).or_default(), row)?;
    }
    let mut early = Vec::new();
    first.values().take(CALIBRATION).try_for_each(|row| add_row(&mut early, row))?;
    let charts = charts(watch, baseline, metric, &early)?;
    let seen_of = |(version, rows): (&String, &BTreeMap<Time, Vec<u64>>)| {
        Ok((version.clone(), observations(watch, &charts, rows)?))
    };
    let versions = versions.iter().map(seen_of).collect::<Result<Vec<(String, Vec<Observed>)>>>()?;
    let calibration = BaselineObservations::from_versions(watch, &charts, &versions);
    let mut report = WatchReport {
        baseline: baseline.number(TrackNumber::Score).unwrap_or(f64::NAN),
        watch: watch.clone(),
        metric: MetricName { spec: watch.metric.clone(), key: String::new() },
        stored: baseline.stored().cloned(),
        dispersion: calibration.as_ref().and_then(BaselineObservations::dispersion),
        versions: Vec::new(),
        raised: Vec::new(),
    };
    for (version, observed) in versions {
        let Some(since) = observed.first().map(|first| first.start) else { continue };
        let mut own = VersionReport { version, since, points: Vec::new(), evidence: 0.0 };
        own.points = observed.iter().map(Observed::point).collect();
        for (place, one) in charts.iter().enumerate() {
            let Some(calibration) = &calibration else { break };
            let shares = calibration.evidence(watch, one, place, &observed);
            report.raised.extend(alarms(
                watch,
                one.kind,
                calibration.end(),
                &own.version,
                &observed,
                &shares,
            ));
            if one.kind == AlarmKind::Drop {
                own.points.iter_mut().zip(&shares).for_each(|(point, &share)| point.evidence = share);
            }
            own.evidence = shares.last().copied().unwrap_or(0.0).max(own.evidence);
        }
        report.versions.push(own);
    }
    report.versions.sort_by_key(|version| version.since);
    Ok(report)
}

struct Watched<'m> {
    kind: AlarmKind,
    measure: LinearScore<'m>,
    direction: Direction,
    /// Size of the change that the control chart is tuned to detect.
    change: f64,
    /// Fraction of the rule's allowed false alarms that this chart may raise.
    share: f64,
}

/// Creates the control charts of a rule: one for a drop of the score, and two for a shorter or longer length
/// ratio if the score has one. The charts share the allowed false alarms.
///
/// # Errors
/// Returns an error if the baseline has no score, or if its segments do not vary.
fn charts<'m>(
    watch: &Watch,
    baseline: &'m Baseline,
    metric: &'m AnyMetric,
    early: &[u64],
) -> Result<Vec<Watched<'m>>> {
    let no_score = || InputError::malformed("the baseline has no score");
    let score = baseline.measure(metric, TrackNumber::Score, early).ok_or_else(no_score)?;
    if score.deviation <= 0.0 && !early.is_empty() {
        let message = match baseline {
            Baseline::Counted(_) => "the segments of the baseline do not vary",
            Baseline::Stated { .. } => {
                "how much do segments vary? Give `deviation`, or count with spread=yes"
            }
        };
        return Err(InputError::malformed(message));
    }
    let direction = score.direction();
    let mut charts =
        vec![Watched { kind: AlarmKind::Drop, measure: score, direction, change: watch.drop, share: 1.0 }];
    if watch.length_ratio > 0.0 {
        let sides =
            [(AlarmKind::Shorter, Direction::HigherIsBetter), (AlarmKind::Longer, Direction::LowerIsBetter)];
        for (kind, direction) in sides {
            let Some(mut measure) = baseline.measure(metric, TrackNumber::Ratio, early) else { continue };
            let change = watch.length_ratio;
            // If lengths never vary in the baseline, a small deviation is assumed, so that a change is still
            // detected.
            measure.deviation = measure.deviation.max(change / 10.0);
            charts.push(Watched { kind, measure, direction, change, share: 0.25 });
        }
    }
    if charts.len() > 1 {
        // The score gets half of the allowed false alarms, and each direction of the length ratio a quarter.
        charts[0].share = 0.5;
    }
    Ok(charts)
}

/// Observations of one model version over the same time buckets, which together have enough segments. `each`
/// has one for each control chart (of the score, and of the length ratio).
struct Observed {
    start: Time,
    end: Time,
    each: Vec<Observation>,
}

impl Observed {
    fn point(&self) -> Point {
        let difference = self.each.first().map_or(0.0, |score| score.difference);
        Point { start: self.start, end: self.end, difference, evidence: 0.0 }
    }
}

/// Converts closed time buckets into observations. Buckets with too few segments are merged with the next
/// bucket.
fn observations(
    watch: &Watch,
    charts: &[Watched<'_>],
    rows: &BTreeMap<Time, Vec<u64>>,
) -> Result<Vec<Observed>> {
    let mut observed = Vec::new();
    let mut waiting: Option<(Time, Vec<u64>)> = None;
    for (&start, row) in rows {
        let (first, mut sum) = waiting.take().unwrap_or((start, Vec::new()));
        add_row(&mut sum, row)?;
        let enough = sum.first().is_some_and(|&segments| segments >= watch.min_segments);
        let each = charts.iter().map(|chart| chart.measure.observation(&sum, chart.direction));
        match each.collect::<Option<Vec<Observation>>>().filter(|_| enough) {
            Some(each) => observed.push(Observed { start: first, end: start + watch.bucket, each }),
            None => waiting = Some((first, sum)),
        }
    }
    Ok(observed)
}

/// Numbers of observed scores after which their noise (variance) is estimated again. Raised alarms stay
/// unchanged: an estimate applies only to later observations. The first estimate also applies to the first
/// observations.
const STAGES: [usize; 4] = [CALIBRATION, 2 * CALIBRATION, 4 * CALIBRATION, 8 * CALIBRATION];

/// Estimates of the noise (variance) of observed scores, one for each stage in [`STAGES`]. The observations
/// are from one model version: the first that had enough of them.
struct BaselineObservations(Vec<Stage>);

struct Stage {
    end: Time,
    dispersion: Vec<f64>,
    errors: Vec<Vec<f64>>,
    /// Average number of observations per nanosecond, which converts the allowed rate of false alarms to a
    /// rate per observation.
    frequency: f64,
}

impl BaselineObservations {
    fn from_versions(
        watch: &Watch,
        charts: &[Watched<'_>],
        versions: &[(String, Vec<Observed>)],
    ) -> Option<Self> {
        let whole = versions.iter().filter(|(_, observed)| observed.len() >= CALIBRATION);
        let (_, first) =
            whole.min_by_key(|(_, observed)| observed.get(CALIBRATION - 1).map(|last| last.end))?;
        let stage = |count: &usize| {
            let observed = first.get(..*count)?;
            let of = |place: usize| observed.iter().map(|one| one.each[place]).collect::<Vec<Observation>>();
            let end = observed.last()?.end;
            let time = (end - observed.first()?.start).0.max(watch.bucket.0) as f64;
            Some(Stage {
                end,
                dispersion: (0..charts.len()).map(|place| over_dispersion(&of(place))).collect(),
                errors: (0..charts.len())
                    .map(|place| of(place).iter().map(|one| one.error).collect())
                    .collect(),
                frequency: *count as f64 / time,
            })
        };
        Some(BaselineObservations(STAGES.iter().map_while(stage).collect()))
    }

    /// Returns the time of the observation after which the noise (variance) of the observations was first
    /// estimated. No alarm is dated earlier.
    fn end(&self) -> Time {
        self.0.first().map_or(Time(i64::MAX), |first| first.end)
    }

    fn dispersion(&self) -> Option<f64> {
        self.0.last()?.dispersion.first().copied()
    }

    /// Returns the evidence of a control chart after each observation, as a multiple of its alarm threshold.
    fn evidence(&self, watch: &Watch, chart: &Watched<'_>, place: usize, observed: &[Observed]) -> Vec<f64> {
        let tuned = |stage: &Stage| {
            // Dispersion is a factor of variances, and the chart needs standard errors.
            let wider = stage.dispersion[place].sqrt();
            // The allowed rate per observation follows from the time per observation and the chart's share.
            let rate = chart.share / (watch.false_alarms.0 as f64 * stage.frequency);
            let errors: Vec<f64> = stage.errors[place].iter().map(|error| error * wider).collect();
            (stage.end, wider, Chart::new(chart.change, &errors, rate))
        };
        let tuned: Vec<(Time, f64, Chart)> = self.0.iter().map(tuned).collect();
        let Some((_, _, mut sum)) = tuned.first().copied() else { return Vec::new() };
        let share = |one: &Observed| {
            let known = tuned.iter().rfind(|(end, _, _)| *end <= one.end).or(tuned.first());
            let (_, wider, chart) = known.copied()?;
            // A new estimate changes threshold and scale, but the evidence collected so far is kept.
            sum = chart.after(&sum);
            let Observation { difference, error } = one.each[place];
            Some(sum.add(Observation { difference, error: error * wider }))
        };
        observed.iter().filter_map(share).collect()
    }
}

/// Returns the alarms of a control chart for one model version. `known` is the time when the noise (variance)
/// of the observations was first estimated; an earlier alarm is dated at `known`.
fn alarms(
    watch: &Watch,
    kind: AlarmKind,
    known: Time,
    version: &str,
    observed: &[Observed],
    shares: &[f64],
) -> Vec<Alarm> {
    let mut alarms = Vec::new();
    let mut since = None;
    for (one, &evidence) in observed.iter().zip(shares) {
        // Evidence of 0 restarts the chart, so the change is estimated to begin with the next observation.
        if evidence <= 0.0 {
            since = None;
            continue;
        }
        let start = *since.get_or_insert(one.start);
        if evidence >= 1.0 {
            since = None;
            alarms.push(Alarm {
                id: 0,
                watch: watch.name.clone(),
                kind,
                version: version.to_owned(),
                at: one.end.max(known),
                since: start,
                evidence,
                seen: 0,
                acknowledged: None,
            });
        }
    }
    alarms
}

/// Returns an alarm if too few segments have arrived in a stream, otherwise `None`.
fn silence(
    ledger: &Ledger,
    registry: &Registry,
    watch: &Watch,
    metric: &MetricName,
    newest: Time,
    moment: Moment,
) -> Result<Option<Alarm>> {
    let Some(silent) = watch.silent else { return Ok(None) };
    let from = moment.now - silent;
    let selection = Selection {
        // Buckets that began before the period may still contain events within it.
        from: from - Span(ledger.bucket().0 - 1),
        stream: Some(&watch.stream),
        as_of: moment.as_of,
        late: Late::Count,
    };
    let buckets = buckets(ledger, registry, selection)?;
    let wanted = |bucket: &&Bucket| {
        let slice = &bucket.series.slice;
        bucket.metric == *metric && watch.slice.iter().all(|(label, value)| slice.get(label) == Some(value))
    };
    let segments = buckets.iter().filter(wanted).filter_map(|bucket| bucket.row.first()).sum::<u64>();
    Ok((segments < watch.min_segments).then(|| Alarm {
        id: 0,
        watch: watch.name.clone(),
        kind: AlarmKind::Silent,
        version: String::new(),
        at: newest + silent,
        since: newest,
        evidence: 1.0,
        seen: 0,
        acknowledged: None,
    }))
}

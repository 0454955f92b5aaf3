//! [`prometheus`]: exports a ledger's counts as Prometheus counters, which Prometheus can sum over machines
//! and time windows. Also exports the few numbers that Prometheus cannot compute from the counters.
//!
//! Counters include all counts that were ever added. Retracted counts have separate counters, because
//! Prometheus interprets a falling counter as a restart. There are no time stamps, because node_exporter
//! rejects files that have them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use bleuprint_core::{ExactSum, InputError, Metric as _, Result, SegmentCounts, StateKey, column_names};
use bleuprint_registry::{AnyMetric, Registry};

use crate::check::Checked;
use crate::event::{MetricName, Series, slice_text};
use crate::ledger::{Ledger, Selection};
use crate::metric::{add_row, metric_of};
use crate::widened::{buckets, widened};
use crate::window::{ShowRequest, show};
use crate::{Span, Time};

/// Largest number of label combinations (slices) that are exported. A label with more values would create too
/// many time series.
const MOST_SLICES: usize = 50;

const SUM: [&str; 9] =
    ["count", "digit_0", "digit_1", "digit_2", "digit_3", "digit_4", "digit_5", "digit_6", "digit_7"];

/// Options of the Prometheus export.
#[derive(Debug, Clone, Default)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct PrometheusRequest<'c> {
    /// Length of the newest time window, from which scores are computed.
    pub window: Span,
    /// `true` for the OpenMetrics format, `false` for Prometheus' own text format.
    pub openmetrics: bool,
    /// Result of a check against a policy, whose evidence and alarms are exported; `None` to export neither.
    pub checked: Option<&'c Checked>,
}

struct PrometheusFamily {
    kind: &'static str,
    unit: Option<&'static str>,
    help: String,
    samples: BTreeMap<Vec<(String, String)>, f64>,
}

/// Exports a ledger as text in the format of Prometheus or OpenMetrics.
///
/// # Errors
/// Returns an error if there are more than 50 slices, if the registry lacks a metric, or if the ledger is
/// damaged.
pub fn prometheus(ledger: &Ledger, registry: &Registry, request: &PrometheusRequest<'_>) -> Result<String> {
    ledger.require_buckets("a window", request.window)?;
    let mut families = PrometheusFamilies(BTreeMap::new());
    let mut sums: BTreeMap<(Series, MetricName), [Vec<u64>; 2]> = BTreeMap::new();
    let there = buckets(ledger, registry, Selection::ALL)?;
    let gone = widened(registry, ledger.retracted()?)?;
    for (bucket, retracted) in there.iter().map(|one| (one, false)).chain(gone.iter().map(|one| (one, true)))
    {
        // Buckets no longer contain retracted events. They are added back, so that the counter of added
        // events never falls.
        let [added, out] = sums.entry((bucket.series.clone(), bucket.metric.clone())).or_default();
        add_row(added, &bucket.row)?;
        if retracted {
            add_row(out, &bucket.row)?;
        }
    }
    let slices: BTreeSet<String> = sums.keys().map(|(series, _)| slice_text(&series.slice)).collect();
    if slices.len() > MOST_SLICES {
        let message = format!(
            "{} slices are too many for labels of time series; the limit is {MOST_SLICES}",
            slices.len()
        );
        return Err(InputError::malformed(message));
    }
    let mut metrics: BTreeMap<MetricName, AnyMetric> = BTreeMap::new();
    for ((series, name), [added, out]) in &sums {
        if !metrics.contains_key(name) {
            metrics.insert(name.clone(), metric_of(registry, name, None)?);
        }
        let metric = &metrics[name];
        let labels = labels(series, name);
        families.counts(metric, name, &labels, added, "")?;
        families.counts(metric, name, &labels, out, "retracted_")?;
    }
    families.scores(ledger, registry, request.window)?;
    families.ledger(ledger, request.checked)?;
    let created = ledger.created()?;
    Ok(families.text(request.openmetrics, created))
}

type Labels = Vec<(String, String)>;

/// Returns the Prometheus labels that identify a source of counts (stream, version, labels) and a metric.
fn labels(series: &Series, name: &MetricName) -> Labels {
    let slice = match slice_text(&series.slice) {
        none if none.is_empty() => "all".to_owned(),
        slice => slice,
    };
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    vec![
        pair("key", &name.key),
        pair("metric", &name.spec),
        pair("slice", &slice),
        pair("stream", &series.stream),
        pair("version", &series.version),
    ]
}

struct PrometheusFamilies(BTreeMap<String, PrometheusFamily>);

impl PrometheusFamilies {
    fn add(&mut self, name: &str, kind: &'static str, help: &str, labels: Labels, value: f64) -> Result<()> {
        let unit = ["seconds", "ratio"].into_iter().find(|unit| name.ends_with(&format!("_{unit}")));
        let made = || PrometheusFamily { kind, unit, help: help.to_owned(), samples: BTreeMap::new() };
        let family = self.0.entry(name.to_owned()).or_insert_with(made);
        match family.samples.insert(labels, value) {
            None => Ok(()),
            Some(_) => Err(InputError::malformed(format!("two series of {name} have the same labels"))),
        }
    }

    fn counts(
        &mut self,
        metric: &AnyMetric,
        name: &MetricName,
        labels: &Labels,
        row: &[u64],
        prefix: &str,
    ) -> Result<()> {
        let columns = column_names(metric);
        let key: StateKey = name.key.parse()?;
        let of_metric = key.parts.first().map_or("metric", |part| &part.metric).to_owned();
        let mut place = 0;
        while let (Some(column), Some(&count)) = (columns.get(place), row.get(place)) {
            if let Some((part, sum)) = exact_sum(&columns[place..], &row[place..]) {
                let segments = row.first().copied().unwrap_or(0);
                self.values(metric, labels, prefix, &part, &sum, segments)?;
                place += SUM.len();
                continue;
            }
            place += 1;
            if place > SegmentCounts::COLUMNS - 1 && place <= SegmentCounts::COLUMNS {
                // The squared number of references, which the state needs, is meaningless as a time series.
                continue;
            }
            let shared = place < SegmentCounts::COLUMNS;
            let (base, order) = match column.rsplit_once('_') {
                Some((base, order)) if order.bytes().all(|byte| byte.is_ascii_digit()) => (base, Some(order)),
                _ => (column.as_str(), None),
            };
            // Counters end in `_total`, so a column with that name would have the ending twice.
            let base = if base == "total" { "all" } else { base };
            let family = if shared {
                format!("bleuprint_{prefix}{}", plain(base))
            } else {
                format!("bleuprint_{prefix}{}_{}", plain(&of_metric), plain(base))
            };
            let mut labels = labels.clone();
            labels.extend(order.map(|order| ("order".to_owned(), order.to_owned())));
            let done = if prefix.is_empty() { "added" } else { "retracted" };
            let help =
                if shared { format!("{base}, {done}") } else { format!("{base} of {of_metric}, {done}") };
            self.add(&family, "counter", &help, labels, count as f64)?;
        }
        Ok(())
    }

    fn values(
        &mut self,
        metric: &AnyMetric,
        labels: &Labels,
        prefix: &str,
        part: &str,
        sum: &ExactSum,
        segments: u64,
    ) -> Result<()> {
        let mut labels = labels.clone();
        labels.push(("part".to_owned(), part.to_owned()));
        let family = |name: &str| format!("bleuprint_{prefix}{name}");
        let count = sum.count();
        self.add(&family("values"), "counter", "Numbers", labels.clone(), count as f64)?;
        let help = "Segments without a number";
        self.add(
            &family("values_missing"),
            "counter",
            help,
            labels.clone(),
            segments.saturating_sub(count) as f64,
        )?;
        // A counter must not fall, so the smallest possible value is subtracted from every number.
        let least = metric.scale().min;
        let squares = part.strip_suffix("_squared");
        let min = match part {
            _ if squares.is_some() => Some(0.0),
            "value" => Some(least),
            part if part.starts_with("sum_") => Some(least),
            _ => Some(0.0).filter(|_| least >= 0.0),
        };
        // Without a finite minimum, no offset makes the sum of arbitrary numbers rise.
        let Some(min) = min.filter(|min| min.is_finite()) else { return Ok(()) };
        let (name, part) = squares.map_or(("value_above_min", part), |part| ("value_squares", part));
        if let Some(label) = labels.last_mut() {
            part.clone_into(&mut label.1);
        }
        let help = "Sum of numbers, less the least of their scale, or of their squares; a double, not the bits of the ledger";
        self.add(&family(name), "counter", help, labels, sum.to_f64() - min * count as f64)
    }

    /// Adds the scores of the newest time window to the export; Prometheus cannot compute them from exported
    /// counts.
    fn scores(&mut self, ledger: &Ledger, registry: &Registry, window: Span) -> Result<()> {
        let by = vec!["version".to_owned()];
        let request = ShowRequest { window, by, stream: None, as_of: None };
        if ledger.streams(None)?.is_empty() {
            return Ok(());
        }
        for shown in show(ledger, registry, &request)? {
            let Ok(score) = shown.score else { continue };
            let scale = score.score.scale;
            // Prometheus asks for base units: ratios from 0 to 1 instead of percent.
            let ratio = if scale.percent { 0.01 } else { 1.0 };
            let bounded = scale.percent || (scale.min, scale.max) == (0.0, 1.0);
            let family = if bounded { "bleuprint_window_score_ratio" } else { "bleuprint_window_score" };
            let pair = |name: &str, value: String| (name.to_owned(), value);
            let labels = vec![
                pair("key", shown.key),
                pair("metric", shown.metric),
                pair("stream", shown.stream),
                pair("version", shown.labels.concat()),
                pair("window", window.to_string()),
            ];
            let help = "Score of the last window of this ledger. Never average it over instances: make it of the counters";
            self.add(family, "gauge", help, labels, score.value() * ratio)?;
        }
        Ok(())
    }

    fn ledger(&mut self, ledger: &Ledger, checked: Option<&Checked>) -> Result<()> {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let tallies = ledger.tallies()?;
        let results = [
            ("merged", tallies.merged),
            ("duplicate", tallies.duplicate),
            ("late", tallies.late),
            ("refused", tallies.refused),
            ("retracted", tallies.retracted),
        ];
        for (result, count) in results {
            let help = "Events by result; refused counts batches";
            self.add("bleuprint_events", "counter", help, vec![pair("result", result)], count as f64)?;
        }
        for (stream, newest) in ledger.streams(None)? {
            let help = "Newest time of an event";
            let labels = vec![pair("stream", &stream)];
            let seconds = newest.0 as f64 / 1e9;
            self.add("bleuprint_last_event_timestamp_seconds", "gauge", help, labels, seconds)?;
        }
        let Some(checked) = checked else { return Ok(()) };
        for watch in &checked.watches {
            let name = &watch.watch.name;
            for version in &watch.versions {
                let help = "Evidence for a change over its threshold: an alarm from 1 on";
                let labels = vec![pair("version", &version.version), pair("watch", name)];
                self.add("bleuprint_alarm_evidence_ratio", "gauge", help, labels, version.evidence)?;
            }
            let standing = checked.standing.iter().filter(|alarm| alarm.watch == *name).count();
            let help = "Active alarms";
            self.add("bleuprint_alarms", "gauge", help, vec![pair("watch", name)], standing as f64)?;
        }
        Ok(())
    }

    fn text(&self, openmetrics: bool, created: Option<Time>) -> String {
        let mut text = String::new();
        for (name, family) in &self.0 {
            let counter = family.kind == "counter";
            let sample = if counter { format!("{name}_total") } else { name.clone() };
            // OpenMetrics puts the name of the family into the header, Prometheus the name of the sample.
            let titled = if openmetrics { name } else { &sample };
            // Writing to a string does not fail.
            let _ = writeln!(text, "# HELP {titled} {}.", family.help);
            let _ = writeln!(text, "# TYPE {titled} {}", family.kind);
            if let Some(unit) = family.unit.filter(|_| openmetrics) {
                let _ = writeln!(text, "# UNIT {titled} {unit}");
            }
            for (labels, value) in &family.samples {
                let labels = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value)));
                let labels = labels.collect::<Vec<_>>().join(",");
                let _ = writeln!(text, "{sample}{{{labels}}} {value}");
                if let Some(created) = created.filter(|_| openmetrics && counter) {
                    let _ = writeln!(text, "{name}_created{{{labels}}} {}", created.0 as f64 / 1e9);
                }
            }
        }
        if openmetrics {
            text.push_str("# EOF\n");
        }
        text
    }
}

fn exact_sum(columns: &[String], row: &[u64]) -> Option<(String, ExactSum)> {
    let prefix = columns.first()?.strip_suffix(SUM[0])?;
    let own = columns.get(..SUM.len())?;
    let is_sum = own.iter().zip(SUM).all(|(column, name)| column.strip_prefix(prefix) == Some(name));
    let counts: [u64; 9] = row.get(..SUM.len())?.try_into().ok()?;
    let name = prefix.trim_end_matches(['.', '_']);
    let name = if name.is_empty() { "value" } else { name };
    is_sum.then_some((name.to_owned(), ExactSum::try_from(counts).ok()?))
}

fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

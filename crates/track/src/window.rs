//! [`show`] and [`Window`]: compute the scores of time windows, such as the last day, from the summed counts
//! of time buckets.

use std::collections::{BTreeMap, VecDeque};

use bleuprint_core::{InputError, Result, Scored, State};
use bleuprint_registry::{AnyMetric, AnyScore, Registry};

use crate::event::{MetricName, Series, slice_text};
use crate::ledger::{Bucket, Late, Ledger, Selection};
use crate::metric::{add_row, metric_of, subtract_row};
use crate::widened::buckets;
use crate::{Span, Time};

/// Moving time window over counts: the newest bucket is added and the oldest is subtracted. Counts are
/// integers, so the result equals a fresh sum.
///
/// ```
/// use bleuprint_track::{Span, Time, Window};
/// let mut window = Window::new(Span(2));
/// assert_eq!(window.add(Time(0), &[1, 10]).unwrap(), [1, 10]);
/// assert_eq!(window.add(Time(1), &[1, 20]).unwrap(), [2, 30]);
/// assert_eq!(window.add(Time(2), &[1, 40]).unwrap(), [2, 60]);
/// ```
#[derive(Debug, Clone)]
pub struct Window {
    length: Span,
    total: Vec<u64>,
    held: VecDeque<(Time, Vec<u64>)>,
}

impl Window {
    /// Creates an empty time window of this length.
    pub fn new(length: Span) -> Self {
        Window { length, total: Vec::new(), held: VecDeque::new() }
    }

    /// Adds the counts of the bucket that starts at `start`, removes buckets that have left the window, and
    /// returns the sum. Buckets must be added in order of time.
    ///
    /// # Errors
    /// Returns an error if rows differ in length or a sum exceeds 64 bits.
    pub fn add(&mut self, start: Time, row: &[u64]) -> Result<&[u64]> {
        add_row(&mut self.total, row)?;
        self.held.push_back((start, row.to_vec()));
        while let Some((held, row)) = self.held.front() {
            if *held + self.length > start {
                break;
            }
            subtract_row(&mut self.total, row)?;
            self.held.pop_front();
        }
        Ok(&self.total)
    }
}

/// Selection of the scores to compute from a ledger: stream, time window, state of the ledger, and grouping.
#[derive(Debug, Clone, Default)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct ShowRequest {
    /// Length of the time window, which ends with the newest time bucket of each stream.
    pub window: Span,
    /// Properties by which scores are grouped, besides stream and metric: `version`, `slice` (all labels), or
    /// names of labels.
    pub by: Vec<String>,
    /// Name of the stream of model outputs (such as a service) whose scores are computed; `None` for all
    /// streams.
    pub stream: Option<String>,
    /// Number of events to include: events that were added to the ledger later are ignored. `None` for all
    /// events.
    pub as_of: Option<u64>,
}

/// Score over a time window, for a group of outputs with equal labels.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WindowScore {
    /// Name of the stream of outputs.
    pub stream: String,
    /// Metric with its options, such as `bleu:smooth-method=floor`.
    pub metric: String,
    /// State key of the metric, which names the layout of its counts.
    pub key: String,
    /// Values of the labels by which scores are grouped; empty text if the outputs lack a label.
    pub labels: Vec<String>,
    /// End of the time window, which is the end of the newest bucket.
    pub until: Time,
    /// Number of segments that were counted in the time window.
    pub segments: u64,
    /// Score of the time window, or the reason why it has none.
    pub score: Result<Scored<AnyScore>, String>,
}

/// Computes the scores of the newest time window, grouped by stream, metric and the requested labels.
///
/// # Errors
/// Returns an error if the stream is unknown, no slice has a requested label, the ledger has fewer events
/// than requested, or the ledger is damaged.
pub fn show(ledger: &Ledger, registry: &Registry, request: &ShowRequest) -> Result<Vec<WindowScore>> {
    ledger.require_buckets("a window", request.window)?;
    ledger.seen(request.as_of)?;
    let streams = ledger.streams(request.as_of)?;
    let wanted = |name: &str| request.stream.as_ref().is_none_or(|stream| stream == name);
    let known: Vec<&str> = streams.iter().map(|(stream, _)| stream.as_str()).collect();
    if !known.iter().any(|name| wanted(name)) {
        let stream = request.stream.as_deref().unwrap_or_default();
        let message = if known.is_empty() {
            "the ledger has no events with counts".to_owned()
        } else {
            format!("the ledger has no stream `{stream}`; it has: {}", known.join(", "))
        };
        return Err(InputError::malformed(message));
    }
    let mut groups: BTreeMap<(String, MetricName, Vec<String>, Time), Vec<u64>> = BTreeMap::new();
    let mut labels = vec!["version".to_owned(), "slice".to_owned()];
    for (stream, newest) in streams.iter().filter(|(stream, _)| wanted(stream)) {
        // Each stream has its own end, so that a stream that stopped still shows its last window.
        let until = newest.floor(ledger.bucket()) + ledger.bucket();
        let from = until - request.window;
        let selection = Selection { from, stream: Some(stream), as_of: request.as_of, late: Late::Count };
        for Bucket { start, series, metric, row } in buckets(ledger, registry, selection)? {
            if start < from {
                continue;
            }
            labels.extend(
                series.slice.keys().filter(|label| !labels.contains(label)).cloned().collect::<Vec<_>>(),
            );
            let values = request.by.iter().map(|label| value(&series, label)).collect();
            add_row(groups.entry((stream.clone(), metric, values, until)).or_default(), &row)?;
        }
    }
    if let Some(unknown) = request.by.iter().find(|label| !labels.contains(label)) {
        let message = format!("no slice has the label `{unknown}`; there are: {}", labels.join(", "));
        return Err(InputError::malformed(message));
    }
    let mut metrics: BTreeMap<MetricName, AnyMetric> = BTreeMap::new();
    let mut shown = Vec::new();
    for ((stream, name, labels, until), row) in groups {
        if !metrics.contains_key(&name) {
            metrics.insert(name.clone(), metric_of(registry, &name, None)?);
        }
        let score = State::from_row(&metrics[&name], &row).and_then(|state| state.score(&metrics[&name]));
        let segments = row.first().copied().unwrap_or(0);
        let score = score.map_err(|error| error.to_string());
        let MetricName { spec: metric, key } = name;
        shown.push(WindowScore { stream, metric, key, labels, until, segments, score });
    }
    Ok(shown)
}

fn value(series: &Series, label: &str) -> String {
    match label {
        "version" => series.version.clone(),
        "slice" => slice_text(&series.slice),
        label => series.slice.get(label).cloned().unwrap_or_default(),
    }
}

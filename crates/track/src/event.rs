//! [`Event`]: metric counts of the outputs that a service produced, as one line of JSON with a unique key.

use std::collections::BTreeMap;
use std::fmt;

use bleuprint_core::{InputError, Location, Result, SegmentCounts, State, Stats};
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Time;

/// Name and version of the JSON format of events.
pub const FORMAT: &str = "bleuprint-event/1";

/// Largest length of a name or key in an event, in bytes.
const LONGEST: usize = 1024;

/// Source of metric counts: a stream of model outputs, the version of the model, and labels such as
/// `lang=de`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Series {
    /// Name of the stream of model outputs, such as a service's name.
    pub stream: String,
    /// Version of the model that produced the outputs.
    pub version: String,
    /// Labels of the outputs by label name, such as `lang` with the value `de`.
    pub slice: BTreeMap<String, String>,
}

/// Metric in a ledger: its name with options, and its state key. Only counts with equal state keys can be
/// added up.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "closed: the two names of a metric")]
pub struct MetricName {
    /// Name of the metric with its options, such as `bleu:smooth-method=floor`.
    pub spec: String,
    /// Key that names the layout and meaning of the metric's counts; only counts with equal keys are added
    /// up.
    pub key: String,
}

/// Counts that an event adds to the ledger, with their metric, stream, model version and labels.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventCounts {
    /// Stream, model version and labels of the outputs that were counted.
    pub series: Series,
    /// Metric that computed the counts.
    pub metric: MetricName,
    /// Row of counts: the numbers of segments and references, then the metric's count columns.
    pub row: Vec<u64>,
    /// Label whose values are the units of the counted segments, such as `item`; `None` if each segment is a
    /// unit.
    pub unit: Option<String>,
}

/// One line of a ledger, an append-only record of metric counts. An event adds counts, retracts an earlier
/// event, or does both, which is a correction.
///
/// The key ensures that an event counts once. The same key with the same content is a duplicate; with other
/// content it is an error.
///
/// ```text
/// {"format":"bleuprint-event/1","key":"pod3-0007","time":"2026-11-21T10:00:00Z","stream":"support","version":"m1",
///  "slice":{"lang":"de"},"state":{"spec":"bleu","key":"bleu/1|order:4|case:mixed|tok:13a","row":[60,60,60,1531,..]}}
/// {"format":"bleuprint-event/1","key":"pod3-0007-off","time":"2026-11-22T08:00:00Z","retracts":"pod3-0007"}
/// ```
///
/// ```
/// use bleuprint_core::Accumulator;
/// use bleuprint_metrics::Bleu;
/// use bleuprint_track::{Event, Time};
///
/// let mut hour = Accumulator::<_, [u32]>::new(Bleu::default());
/// hour.push(&[1, 2, 3, 4, 5], &[&[1, 2, 3, 4, 6]]).unwrap();
/// let time: Time = "2026-11-21T10:00:00Z".parse().unwrap();
/// let event = Event::new("pod3-0007", time).counting("support", "m1", "bleu", hour.total()).unwrap();
/// let event = event.labelled("lang", "de");
/// assert_eq!(Event::parse(&event.line()).unwrap(), event);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Event::new(..)`")]
pub struct Event {
    /// Unique key of the event, which must never be reused for different content.
    pub key: String,
    /// Time at which the outputs of the event were observed.
    pub time: Time,
    /// Key of the earlier event whose counts this event subtracts; `None` if it subtracts nothing.
    pub retracts: Option<String>,
    /// Counts that the event adds; `None` if it only retracts another event.
    pub counts: Option<EventCounts>,
}

impl Event {
    /// Creates an event with a key and a time, without counts.
    pub fn new(key: impl Into<String>, time: Time) -> Self {
        Event { key: key.into(), time, retracts: None, counts: None }
    }

    /// Adds a metric's counts of a service's outputs to this event, a record of the ledger. `stream` names
    /// the service, `version` the model version. `spec` is the metric as users write it, such as `bleu` or
    /// `wer:tokenize=char`.
    ///
    /// # Errors
    /// Returns [`NotLinear`](bleuprint_core::InputErrorKind::NotLinear) if the statistics are not a row of
    /// counts.
    pub fn counting<S: Stats>(
        mut self,
        stream: impl Into<String>,
        version: impl Into<String>,
        spec: impl Into<String>,
        state: &State<S>,
    ) -> Result<Self> {
        let series = Series { stream: stream.into(), version: version.into(), slice: BTreeMap::new() };
        let metric = MetricName { spec: spec.into(), key: state.key().to_string() };
        self.counts = Some(EventCounts { series, metric, row: state.row()?, unit: None });
        Ok(self)
    }

    /// Sets the label whose values are the units of the counted segments, such as `item`; `None` if each
    /// segment is a unit. Without counts, the event stays unchanged.
    #[must_use]
    pub fn by_unit(mut self, unit: Option<&str>) -> Self {
        if let Some(counts) = &mut self.counts {
            counts.unit = unit.map(str::to_owned);
        }
        self
    }

    /// Adds a label with its value, such as `lang` and `de`, to the outputs that the event counts. Scores can
    /// be grouped by label. Without counts, the event stays unchanged.
    #[must_use]
    pub fn labelled(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        if let Some(counts) = &mut self.counts {
            counts.series.slice.insert(name.into(), value.into());
        }
        self
    }

    /// Marks the event as a retraction of the earlier event with this key, so that its counts are subtracted.
    #[must_use]
    pub fn retracting(mut self, key: impl Into<String>) -> Self {
        self.retracts = Some(key.into());
        self
    }

    /// Returns the event as a line of canonical JSON, without a line end. Equal events give equal bytes.
    pub fn line(&self) -> String {
        let counts = self.counts.as_ref();
        let series = counts.map(|counts| &counts.series);
        let line = EventLine {
            format: FORMAT.to_owned(),
            key: self.key.clone(),
            time: self.time.to_string(),
            stream: series.map(|series| series.stream.clone()),
            version: series.map(|series| series.version.clone()),
            slice: series.map(|series| series.slice.clone()).unwrap_or_default(),
            unit: counts.and_then(|counts| counts.unit.clone()),
            retracts: self.retracts.clone(),
            state: counts.map(|EventCounts { metric, row, .. }| LineState {
                spec: metric.spec.clone(),
                key: metric.key.clone(),
                row: row.clone(),
            }),
        };
        // Text and whole numbers always serialize, so there is no error to report.
        serde_json::to_string(&line).unwrap_or_default()
    }

    /// Returns the SHA-256 hash of the event's canonical JSON line, as hexadecimal digits.
    pub fn sha256(&self) -> String {
        hash(&self.line())
    }

    /// Parses an event from a line of JSON.
    ///
    /// # Errors
    /// Returns an error for another format, unknown or missing fields, or impossible values.
    pub fn parse(line: &str) -> Result<Self> {
        // The format is read first, because a later version may have other fields.
        #[derive(Deserialize)]
        struct EventFormat {
            format: Option<String>,
        }
        let wrong = |error: serde_json::Error| InputError::malformed(format!("not an event: {error}"));
        match serde_json::from_str::<EventFormat>(line).map_err(wrong)?.format {
            Some(format) if format == FORMAT => {}
            Some(other) => {
                let message = format!("the format is `{other}`, but this program reads {FORMAT}");
                return Err(InputError::malformed(message));
            }
            None => return Err(InputError::malformed(format!("not an event: no `format`, as in {FORMAT}"))),
        }
        let EventLine { key, time, stream, version, slice, unit, retracts, state, .. } =
            serde_json::from_str(line).map_err(wrong)?;
        let counts = match (stream, version, state) {
            (Some(stream), Some(version), Some(LineState { spec, key, row })) => {
                let series = Series { stream, version, slice };
                let metric = MetricName { spec, key };
                Some(EventCounts { series, metric, row, unit })
            }
            (None, None, None) if slice.is_empty() && unit.is_none() => None,
            _ => {
                let message = "`stream`, `version` and `state` go together, and `slice` and `unit` with them";
                return Err(InputError::malformed(message));
            }
        };
        let event = Event { key, time: time.parse()?, retracts, counts };
        event.check()?;
        Ok(event)
    }

    /// Checks that a ledger can store the event.
    ///
    /// # Errors
    /// Returns an error if the event has neither counts nor a retraction, if a name is empty or too long, or
    /// if a count exceeds 2⁶³ − 1, the largest integer of SQLite.
    pub(crate) fn check(&self) -> Result<()> {
        let name = |what: &str, text: &str| match text.len() {
            0 => Err(InputError::malformed(format!("an empty {what}"))),
            // Users cannot see that `s` and `s ` are two names.
            1..=LONGEST if text.trim() != text => {
                Err(InputError::malformed(format!("the {what} `{text}` begins or ends with white space")))
            }
            1..=LONGEST => Ok(()),
            long => Err(InputError::malformed(format!("a {what} of {long} bytes; the limit is {LONGEST}"))),
        };
        name("key", &self.key)?;
        self.retracts.as_deref().map_or(Ok(()), |key| name("key in `retracts`", key))?;
        if self.retracts.as_ref() == Some(&self.key) {
            return Err(InputError::malformed("an event that retracts itself"));
        }
        let Some(EventCounts { series, metric, row, unit }) = &self.counts else {
            return match &self.retracts {
                Some(_) => Ok(()),
                None => Err(InputError::malformed("an event without `state` and without `retracts`")),
            };
        };
        name("stream", &series.stream)?;
        name("version", &series.version)?;
        name("metric", &metric.spec)?;
        unit.as_deref().map_or(Ok(()), |unit| name("unit", unit))?;
        for (label, value) in &series.slice {
            name("label of a slice", label)?;
            name("value of a slice", value)?;
        }
        if row.len() < SegmentCounts::COLUMNS {
            return Err(InputError::row_length(SegmentCounts::COLUMNS, row.len()));
        }
        match row.iter().find(|&&count| i64::try_from(count).is_err()) {
            Some(count) => Err(InputError::malformed(format!("the count {count} exceeds {}", i64::MAX))),
            None => Ok(()),
        }
    }
}

pub(crate) fn hash(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.stream, self.version)?;
        match slice_text(&self.slice).as_str() {
            "" => Ok(()),
            slice => write!(f, " {slice}"),
        }
    }
}

/// Formats the labels of an event as users write them: `domain=news,lang=de`, or an empty text without
/// labels. Commas and backslashes, and `=` in a name, are escaped by a backslash, so that different labels
/// give different texts.
pub(crate) fn slice_text(slice: &BTreeMap<String, String>) -> String {
    let escaped = |text: &str| text.replace('\\', r"\\").replace(',', r"\,");
    let label = |(name, value): (&String, &String)| {
        format!("{}={}", escaped(name).replace('=', r"\="), escaped(value))
    };
    slice.iter().map(label).collect::<Vec<_>>().join(",")
}

/// Parses labels as users write them, such as `domain=news,lang=de`.
///
/// ```
/// let slice = bleuprint_track::slice_of(r"lang=de,topic=cats\, dogs").unwrap();
/// assert_eq!((slice["lang"].as_str(), slice["topic"].as_str()), ("de", "cats, dogs"));
/// assert!(bleuprint_track::slice_of("lang=de,lang=fr").unwrap_err().to_string().contains("`lang` comes twice"));
/// ```
///
/// # Errors
/// Returns an error if a label lacks `=` or occurs twice.
pub fn slice_of(text: &str) -> Result<BTreeMap<String, String>> {
    let mut slice = BTreeMap::new();
    let mut name = None;
    let mut part = String::new();
    let mut letters = text.chars().peekable();
    loop {
        match letters.next() {
            Some('\\') => part.push(letters.next_if(|next| r"\,=".contains(*next)).unwrap_or('\\')),
            Some('=') if name.is_none() => name = Some(std::mem::take(&mut part)),
            Some(letter) if letter != ',' => part.push(letter),
            end => {
                let value = std::mem::take(&mut part);
                let Some(name) = name.take() else {
                    return Err(InputError::malformed(format!(
                        "`{value}` is not a label; write labels as in lang=de,domain=news"
                    )));
                };
                if slice.contains_key(&name) {
                    return Err(InputError::malformed(format!("the label `{name}` comes twice")));
                }
                slice.insert(name, value);
                if end.is_none() {
                    return Ok(slice);
                }
            }
        }
    }
}

/// Parses a text with one event in JSON per line, and returns each event with its location. Empty lines are
/// skipped. Errors name `file` and the line.
///
/// # Errors
/// Yields the errors of [`Event::parse`], one for each bad line.
pub fn events<'t>(file: &'t str, text: &'t str) -> impl Iterator<Item = Result<(Location, Event)>> + 't {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).map(move |(number, line)| {
        let place = Location::line(file, number);
        let event = Event::parse(line).map_err(|error| error.at(place.clone()))?;
        Ok((place, event))
    })
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EventLine {
    format: String,
    key: String,
    time: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stream: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "labels")]
    slice: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retracts: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<LineState>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LineState {
    spec: String,
    key: String,
    row: Vec<u64>,
}

/// Deserializes the labels of an event from a JSON object. A label that occurs twice is an error; a plain map
/// would keep the last value.
fn labels<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    struct EventLabels;
    impl<'de> Visitor<'de> for EventLabels {
        type Value = BTreeMap<String, String>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("labels, each a text")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut labels = BTreeMap::new();
            while let Some((name, value)) = map.next_entry::<String, String>()? {
                if labels.contains_key(&name) {
                    return Err(de::Error::custom(format!("the label `{name}` comes twice")));
                }
                labels.insert(name, value);
            }
            Ok(labels)
        }
    }
    deserializer.deserialize_map(EventLabels)
}

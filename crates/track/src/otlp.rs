//! Evaluations in logs of OpenTelemetry, `gen_ai.evaluation.result`: those of other programs as events of a ledger, and ours
//! for other programs ([`Evaluation`]).
//!
//! The log is OTLP in JSON, as the file exporter of the collector writes it: one request per line, or one document. A metric
//! over numbers takes the evaluations whose `gen_ai.evaluation.name` is its first column. The convention is in development
//! there, so what is read may change with it.
//!
//! | event | from |
//! |---|---|
//! | key | `gen_ai.response.id` and the name; else trace, span and name |
//! | time | `timeUnixNano`, else `observedTimeUnixNano` |
//! | stream, version | `service.name`, `service.version` of the resource; version `-` without it |
//! | number | `gen_ai.evaluation.score.value`, else the word of the metric that is `gen_ai.evaluation.score.label` |
//! | no number | `error.type`, or neither: the segment counts as missing, never as 0 |

use std::collections::BTreeMap;

use bleuprint_core::{AnyMetric, InputError, Location, Numbers, Result, Segment, State};
use serde::{Deserialize, Deserializer, de};
use serde_json::{Value, json};

use crate::{Event, Time};

const NAME: &str = "gen_ai.evaluation.result";

const SERVICE: &str = "service.name";
const VERSION: &str = "service.version";
const METRIC: &str = "gen_ai.evaluation.name";
const RESPONSE: &str = "gen_ai.response.id";
const VALUE: &str = "gen_ai.evaluation.score.value";
const LABEL: &str = "gen_ai.evaluation.score.label";
const EXPLANATION: &str = "gen_ai.evaluation.explanation";
const ERROR: &str = "error.type";

/// The version of a service that names none.
const NO_VERSION: &str = "-";

/// The score of one response, to be written.
///
/// ```
/// use bleuprint_track::{Time, otlp::Evaluation};
/// let score = Ok((0.5, "wer|tok:none|version:bleuprint-0.1.0".to_owned()));
/// let evaluation = Evaluation { service: "bot", version: None, time: Time(1), response: "r1", name: "WER", score };
/// assert!(evaluation.line().contains(r#"{"key":"gen_ai.evaluation.score.value","value":{"doubleValue":0.5}}"#));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation<'e> {
    /// The service that answered: the stream.
    pub service: &'e str,
    /// Its version.
    pub version: Option<&'e str>,
    /// When it was evaluated.
    pub time: Time,
    /// The id of the response.
    pub response: &'e str,
    /// The name of the metric.
    pub name: &'e str,
    /// The score and its signature, or why there is none.
    pub score: Result<(f64, String), String>,
}

impl Evaluation<'_> {
    /// A request of one log record, in one line of JSON without its end: [`read`] and the file receiver of the collector
    /// read it. The signature is the attribute `bleuprint.signature`.
    pub fn line(&self) -> String {
        let text = |key: &str, text: &str| json!({ "key": key, "value": { "stringValue": text } });
        let version = self.version.map(|version| text(VERSION, version));
        let resource: Vec<Value> = [text(SERVICE, self.service)].into_iter().chain(version).collect();
        let mut attributes = vec![text(METRIC, self.name), text(RESPONSE, self.response)];
        match &self.score {
            Ok((score, signature)) => {
                // What JSON has no number for is a text in this form of it.
                let value = match score.is_finite() {
                    true => json!(score),
                    false if score.is_nan() => json!("NaN"),
                    false => json!(if *score > 0.0 { "Infinity" } else { "-Infinity" }),
                };
                attributes.push(json!({ "key": VALUE, "value": { "doubleValue": value } }));
                attributes.push(text("bleuprint.signature", signature));
            }
            Err(reason) => attributes.extend([text(ERROR, "no_score"), text(EXPLANATION, reason)]),
        }
        let record =
            json!({ "timeUnixNano": self.time.0.to_string(), "eventName": NAME, "attributes": attributes });
        let scope = json!({ "name": "bleuprint", "version": env!("CARGO_PKG_VERSION") });
        let logs = json!([{ "scope": scope, "logRecords": [record] }]);
        json!({ "resourceLogs": [{ "resource": { "attributes": resource }, "scopeLogs": logs }] }).to_string()
    }
}

/// The events of a log.
#[derive(Debug)]
pub struct Evaluations {
    /// The events, with their lines.
    pub events: Vec<(Location, Event)>,
    /// Evaluations that no metric asks for, by their names.
    pub others: BTreeMap<String, u64>,
}

/// Reads a log with metrics over numbers, each with the name that users give it.
///
/// # Errors
/// JSON of another form; an evaluation without name, time, service or key; a number that the metric refuses.
pub fn read(file: &str, text: &str, metrics: &[(String, AnyMetric)]) -> Result<Evaluations> {
    let mut read = Evaluations { events: Vec::new(), others: BTreeMap::new() };
    let wrong = |error: serde_json::Error, place: &Location| {
        InputError::malformed(format!("not a log of OpenTelemetry in JSON: {error}")).at(place.clone())
    };
    match serde_json::from_str::<Request>(text) {
        Ok(request) => {
            one(&Location::file(file), request, metrics, &mut read)?;
            return Ok(read);
        }
        Err(error) if error.is_data() => {
            let place = Location::line(file, error.line() as u64);
            return Err(wrong(error, &place));
        }
        // One request per line.
        Err(_) => {}
    }
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let place = Location::line(file, number);
        let request = serde_json::from_str(line).map_err(|error| wrong(error, &place))?;
        one(&place, request, metrics, &mut read)?;
    }
    Ok(read)
}

fn one(
    place: &Location,
    request: Request,
    metrics: &[(String, AnyMetric)],
    read: &mut Evaluations,
) -> Result<()> {
    for resource in request.resource_logs {
        let service = text(&resource.resource.attributes, SERVICE);
        let version = text(&resource.resource.attributes, VERSION);
        let records = resource.scope_logs.into_iter().flat_map(|scope| scope.log_records);
        for record in records.filter(Record::is_evaluation) {
            let event = record.event(service.as_deref(), version.as_deref(), metrics, &mut read.others);
            let event = event.map_err(|error| error.at(place.clone()))?;
            read.events.extend(event.map(|event| (place.clone(), event)));
        }
    }
    Ok(())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    resource_logs: Vec<ResourceLogs>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct ResourceLogs {
    resource: Resource,
    scope_logs: Vec<ScopeLogs>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Resource {
    #[serde(deserialize_with = "attributes")]
    attributes: Attributes,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct ScopeLogs {
    log_records: Vec<Record>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Record {
    time_unix_nano: Value,
    observed_time_unix_nano: Value,
    event_name: String,
    trace_id: String,
    span_id: String,
    #[serde(deserialize_with = "attributes")]
    attributes: Attributes,
}

type Attributes = BTreeMap<String, AnyValue>;

/// A value in one of these forms, or in another, which is not read.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct AnyValue {
    string_value: Option<Value>,
    double_value: Option<Value>,
    int_value: Option<Value>,
    bool_value: Option<Value>,
}

/// Reads attributes; one that comes twice is an error, and so is a value in two forms.
fn attributes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Attributes, D::Error> {
    #[derive(Deserialize)]
    struct Attribute {
        key: String,
        #[serde(default)]
        value: AnyValue,
    }
    let mut attributes = Attributes::new();
    for Attribute { key, value } in Vec::deserialize(deserializer)? {
        let AnyValue { string_value, double_value, int_value, bool_value } = &value;
        if [string_value, double_value, int_value, bool_value].into_iter().flatten().count() > 1 {
            return Err(de::Error::custom(format!("the attribute `{key}` has two values")));
        }
        if attributes.contains_key(&key) {
            return Err(de::Error::custom(format!("the attribute `{key}` comes twice")));
        }
        attributes.insert(key, value);
    }
    Ok(attributes)
}

fn attribute<'a>(attributes: &'a Attributes, key: &str) -> Option<&'a Value> {
    let AnyValue { string_value, double_value, int_value, bool_value } = attributes.get(key)?;
    [string_value, double_value, int_value, bool_value].into_iter().flatten().next()
}

fn text(attributes: &Attributes, key: &str) -> Option<String> {
    attribute(attributes, key)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

impl Record {
    fn is_evaluation(&self) -> bool {
        self.event_name == NAME || text(&self.attributes, "event.name").as_deref() == Some(NAME)
    }

    fn event(
        &self,
        service: Option<&str>,
        version: Option<&str>,
        metrics: &[(String, AnyMetric)],
        others: &mut BTreeMap<String, u64>,
    ) -> Result<Option<Event>> {
        let wrong = |what: &str| InputError::malformed(format!("an evaluation without {what}"));
        let name = text(&self.attributes, METRIC);
        let name = name.ok_or_else(|| wrong("`gen_ai.evaluation.name`"))?;
        let asks = |(_, metric): &&(String, AnyMetric)| metric.view().numbers.columns.first() == Some(&name);
        let Some((spec, metric)) = metrics.iter().find(asks) else {
            *others.entry(name).or_default() += 1;
            return Ok(None);
        };
        let service =
            service.ok_or_else(|| wrong("the `service.name` of its resource, which is the stream"))?;
        let time = time(&self.time_unix_nano).or_else(|| time(&self.observed_time_unix_nano));
        let time = time.ok_or_else(|| wrong("a time"))?;
        let key = match text(&self.attributes, RESPONSE) {
            Some(response) => format!("{response}/{name}"),
            None if self.span_id.is_empty() => {
                return Err(wrong(
                    "`gen_ai.response.id` and without a span, so nothing keeps it from counting twice",
                ));
            }
            None => format!("{}/{}/{name}", self.trace_id, self.span_id),
        };
        let number = self
            .number(metric)
            .map_err(|what| InputError::malformed(format!("the evaluation `{name}` of `{key}`: {what}")))?;
        let numbers: &Numbers = number.as_slice();
        let state = State::of_segment(metric, &mut Default::default(), Segment::new(numbers, &[]))?;
        let event = Event::new(key, time);
        event.counting(service, version.unwrap_or(NO_VERSION), spec, &state).map(Some)
    }

    fn number(&self, metric: &AnyMetric) -> Result<Option<f64>, String> {
        if attribute(&self.attributes, ERROR).is_some() {
            return Ok(None);
        }
        match attribute(&self.attributes, VALUE) {
            Some(Value::Number(number)) => return Ok(number.as_f64()),
            // Whole numbers of 64 bits are texts in this form of JSON, and so are NaN and infinities.
            Some(Value::String(text)) => {
                let number = text.parse().map_err(|_| format!("`{text}` is no number"))?;
                return Ok(Some(number));
            }
            Some(Value::Bool(flag)) => return Ok(Some(f64::from(u8::from(*flag)))),
            Some(other) => return Err(format!("{other} is no number")),
            None => {}
        }
        let label = text(&self.attributes, LABEL);
        let words = &metric.view().numbers.words;
        match label.filter(|_| !words.is_empty()) {
            None => Ok(None),
            Some(label) => match words.iter().find(|(word, _)| *word == label) {
                Some((_, number)) => Ok(Some(*number)),
                None => Err(format!("the label `{label}` is no word of the metric's map")),
            },
        }
    }
}

/// Nanoseconds, which are a text in this form of JSON, or a number in what some programs write; 0 is none.
fn time(value: &Value) -> Option<Time> {
    let nanoseconds = match value {
        Value::String(text) => text.parse().ok()?,
        value => value.as_i64()?,
    };
    Some(Time(nanoseconds)).filter(|time| time.0 > 0)
}

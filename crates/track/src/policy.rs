//! [`WatchPolicy`]: reads from a TOML file which scores to monitor, and how rare false alarms must be.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use bleuprint_core::Result;
use bleuprint_gate::section::{At, PolicyText, Section, schema};
use bleuprint_registry::Registry;
use serde_json::Value;

use crate::{Span, slice_of};

const FORMAT: &str = "bleuprint-track/1";

/// Source of the expected score of a monitored stream.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum BaselineSource {
    /// Statistics file of a test set; a relative path starts from the folder of the policy.
    File(String),
    /// Expected score that the user states in the policy as numbers, in place of a file of test results.
    Stated {
        /// Expected score of the service: the mean of the scores of its segments.
        score: f64,
        /// Standard deviation of the segments' scores; `None` to estimate it from the first time buckets.
        deviation: Option<f64>,
    },
}

/// Rule that compares one metric of one stream of outputs with a baseline over time, and raises alarms.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Watch {
    /// Unique name of the rule, which alarms and reports show.
    pub name: String,
    /// Name of the stream of model outputs that is monitored.
    pub stream: String,
    /// Metric with its options, written as in the ledger's events.
    pub metric: String,
    /// Labels with the values that monitored outputs must have; empty for all outputs of the stream.
    pub slice: BTreeMap<String, String>,
    /// Source of the expected score, with which the stream is compared.
    pub expected: BaselineSource,
    /// Length of a time bucket, the interval over which counts are summed.
    pub bucket: Span,
    /// Time between the end of a bucket and its closing; events that arrive later do not change alarms.
    pub lateness: Span,
    /// Size of the drop that the control chart is tuned to detect, in points.
    pub drop: f64,
    /// Time in which one false alarm is acceptable on average; it determines the alarm threshold.
    pub false_alarms: Span,
    /// Change in the ratio of output length to reference length that the control chart is tuned to detect; 0
    /// disables this chart.
    pub length_ratio: f64,
    /// Time within which at least [`Watch::min_segments`] segments must arrive, otherwise an alarm is raised;
    /// `None` for no such alarm.
    pub silent: Option<Span>,
    /// Smallest number of segments in an observation; buckets with fewer segments are merged with the next
    /// bucket.
    pub min_segments: u64,
    /// Line of the policy file at which the rule begins.
    pub line: u64,
}

/// Monitoring policy: rules that compare scores with baselines and raise alarms, read from a TOML file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WatchPolicy {
    /// Path of the policy file, as the user gave it.
    pub file: String,
    /// Rules of the policy; there is at least one.
    pub watches: Vec<Watch>,
}

impl WatchPolicy {
    /// Parses a monitoring policy from the TOML text of `file`.
    ///
    /// ```
    /// use bleuprint_track::WatchPolicy;
    /// let text = "format = \"bleuprint-track/1\"\n[[watch]]\nstream = \"support\"\nmetric = \"bleu\"\nbaseline = \"main.stats\"\ndrop = 1.0\nfalse-alarms = \"1 per 365d\"\n";
    /// let policy = WatchPolicy::parse("track.toml", text, &bleuprint_metrics::registry()).unwrap();
    /// assert_eq!((policy.watches[0].drop, policy.watches[0].bucket.to_string()), (1.0, "1h".to_string()));
    /// let error = WatchPolicy::parse("track.toml", &text.replace("drop", "dorp"), &bleuprint_metrics::registry());
    /// assert!(error.unwrap_err().to_string().contains("line 6: watch `support bleu` has no `dorp`; did you mean `drop`?"));
    /// ```
    ///
    /// # Errors
    /// Returns an error with file and line for invalid TOML, an unknown key, a value out of range, an unknown
    /// metric, or a policy without a watch.
    pub fn parse(file: &str, text: &str, registry: &Registry) -> Result<Self> {
        WatchPolicy::read(PolicyText { file, text, asked: None }, registry)
    }

    /// Returns the JSON Schema of monitoring policies, for use in editors. It is derived from the keys that
    /// the policy reader requests.
    ///
    /// ```
    /// let schema = bleuprint_track::WatchPolicy::schema(&bleuprint_metrics::registry()).unwrap();
    /// assert_eq!(schema["properties"]["watch"]["items"]["properties"]["drop"]["exclusiveMinimum"], 0.0);
    /// ```
    ///
    /// # Errors
    /// Returns an error only if the registry has no BLEU, which the recorded sample policy uses.
    pub fn schema(registry: &Registry) -> Result<Value> {
        let asked = RefCell::new(Value::Null);
        let watch = "stream = \"s\"\nmetric = \"bleu\"\nbaseline = \"main.stats\"\ndrop = 1\nfalse-alarms = \"1 per 1d\"";
        let text = format!("format = \"{FORMAT}\"\n[[watch]]\n{watch}\n");
        WatchPolicy::read(PolicyText { file: "a policy", text: &text, asked: Some(&asked) }, registry)?;
        Ok(schema(&asked.into_inner(), FORMAT, "watch", &["stream", "metric", "drop", FALSE_ALARMS]))
    }

    fn read(source: PolicyText<'_>, registry: &Registry) -> Result<Self> {
        let table = source.tables(FORMAT)?;
        let list = source.list(&table, "watch")?;
        if list.is_empty() {
            return Err(source.error(1, "the policy has no [[watch]]: nothing would be watched"));
        }
        let mut top = Section::new(source, "the policy", Some(&table), 1);
        top.text("format")?;
        top.expect("watch");
        top.end()?;
        let mut watches: Vec<Watch> = Vec::new();
        for (line, table) in list {
            let watch = watch(source, Section::new(source, "a watch", Some(table), line), registry)?;
            if watches.iter().any(|other| other.name == watch.name) {
                let message = format!("two watches are called `{}`; give them a `name`", watch.name);
                return Err(source.error(line, message));
            }
            watches.push(watch);
        }
        Ok(WatchPolicy { file: source.file.to_owned(), watches })
    }

    /// Returns the path of a baseline file, resolved against the folder of the policy.
    pub fn place(&self, file: &str) -> PathBuf {
        Path::new(&self.file).parent().unwrap_or(Path::new("")).join(file)
    }
}

fn watch(source: PolicyText<'_>, mut section: Section<'_, '_>, registry: &Registry) -> Result<Watch> {
    let line = section.line;
    let name = section.text("name")?.map(|at| at.value);
    let stream = section.text("stream")?;
    let metric = section.text("metric")?;
    let (Some(stream), Some(metric)) = (stream, metric) else {
        return Err(source.error(line, "a watch needs `stream` and `metric`"));
    };
    let name = name.unwrap_or_else(|| format!("{} {}", stream.value, metric.value));
    section.rename(&format!("watch `{name}`"));
    let parsed = registry.parse(&metric.value);
    parsed.map_err(|error| source.error(metric.line, error.to_string()))?;
    let slice = match section.text("slice")? {
        Some(At { value, line }) => {
            slice_of(&value).map_err(|error| source.error(line, format!("`slice`: {error}")))?
        }
        None => BTreeMap::new(),
    };
    let positive = (Bound::Excluded(0.0), Bound::Unbounded);
    let expected = ExpectedKeys::read(&mut section)?;
    let hour = Span(3_600_000_000_000);
    let bucket = span(source, &mut section, "bucket")?.unwrap_or(hour);
    let lateness = span(source, &mut section, "lateness")?.unwrap_or(hour);
    let false_alarms = span(source, &mut section, FALSE_ALARMS)?;
    let silent = span(source, &mut section, "silent")?;
    let drop = section.number("drop", positive, "a number of points above 0")?;
    let ratio = section.number("length-ratio", 0.0.., "a change of the ratio, 0 or more")?;
    let min_segments = section.whole("min-segments", 1, 1_000_000_000)?.unwrap_or(30);
    section.end()?;
    let error = |message: &str| source.error(line, format!("watch `{name}`: {message}"));
    let expected = expected.source().map_err(error)?;
    let Some(drop) = drop else { return Err(error("`drop` is missing: the drop that matters, in points")) };
    let Some(false_alarms) = false_alarms else {
        return Err(error("`false-alarms` is missing: how often one is acceptable, as in \"1 per 365d\""));
    };
    Ok(Watch {
        stream: stream.value,
        metric: metric.value,
        slice,
        expected,
        bucket,
        lateness,
        drop: drop.value,
        false_alarms,
        length_ratio: ratio.map_or(0.05, |at| at.value),
        silent,
        min_segments,
        line,
        name,
    })
}

/// Keys that give the expected score of a stream.
struct ExpectedKeys {
    baseline: Option<At<String>>,
    score: Option<At<f64>>,
    deviation: Option<At<f64>>,
}

impl ExpectedKeys {
    fn read(section: &mut Section<'_, '_>) -> Result<Self> {
        let positive = (Bound::Excluded(0.0), Bound::Unbounded);
        Ok(ExpectedKeys {
            baseline: section.text("baseline")?,
            score: section.number("score", .., "a number")?,
            deviation: section.number("deviation", positive, "a number above 0")?,
        })
    }

    /// Returns where the expected score is from. Returns a message if the keys do not name one place.
    fn source(self) -> core::result::Result<BaselineSource, &'static str> {
        match (self.baseline, self.score, self.deviation) {
            (Some(file), None, None) => Ok(BaselineSource::File(file.value)),
            (None, Some(score), deviation) => {
                let deviation = deviation.map(|at| at.value);
                Ok(BaselineSource::Stated { score: score.value, deviation })
            }
            _ => Err(
                "give `baseline`, a file of statistics; or `score`, for a mean of numbers, with the `deviation` of segments or spread=yes in the metric",
            ),
        }
    }
}

const FALSE_ALARMS: &str = "false-alarms";

/// Reads a duration, such as `6h`, or the rate of false alarms, such as `1 per 365d`.
fn span(source: PolicyText<'_>, section: &mut Section<'_, '_>, key: &'static str) -> Result<Option<Span>> {
    let Some(At { value, line }) = section.text(key)? else { return Ok(None) };
    // Only `false-alarms` is a rate, written "1 per TIME"; all other keys are plain durations.
    let is_rate = key == FALSE_ALARMS;
    let wanted = if is_rate { value.strip_prefix("1 per ").unwrap_or("") } else { &value };
    let form = if is_rate { "as in \"1 per 365d\"" } else { "as in \"6h\"" };
    let parsed = wanted.parse::<Span>();
    parsed.map(Some).map_err(|_| source.error(line, format!("`{key}` is `{value}`, but must be {form}")))
}

//! [`Policy`]: what is watched, and how sure an alarm is to be, from a TOML file.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use bleuprint_core::Result;
use bleuprint_gate::section::{At, Section, Text, schema};
use bleuprint_registry::Registry;
use serde_json::Value;

use crate::{Span, slice_of};

const FORMAT: &str = "bleuprint-track/1";

/// The source of the baseline of a watch.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Expected {
    /// A file of statistics, named from the folder of the policy.
    File(String),
    /// A mean, and the standard deviation of segments.
    Stated {
        /// The mean of segments.
        score: f64,
        /// The standard deviation; of the first buckets, if none is given.
        deviation: Option<f64>,
    },
}

/// One watch.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Watch {
    /// Its name in outputs; unique.
    pub name: String,
    /// The stream.
    pub stream: String,
    /// The metric with its options, as events name it.
    pub metric: String,
    /// The labels that a slice must have; none for all slices together.
    pub slice: BTreeMap<String, String>,
    /// The expected score.
    pub expected: Expected,
    /// The length of a bucket.
    pub bucket: Span,
    /// How long after its end a bucket closes.
    pub lateness: Span,
    /// The drop that matters, in points.
    pub drop: f64,
    /// The time within which one false alarm is acceptable.
    pub false_alarms: Span,
    /// The change of the length ratio that matters; 0 for none.
    pub length_ratio: f64,
    /// The time within which at least [`Watch::min_segments`] must come.
    pub silent: Option<Span>,
    /// Smaller buckets wait, and merge with the next.
    pub min_segments: u64,
    /// Its first line.
    pub line: u64,
}

/// The subject of the watch.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Policy {
    /// The file, as named by the user.
    pub file: String,
    /// The watches, at least one.
    pub watches: Vec<Watch>,
}

impl Policy {
    /// Reads a policy.
    ///
    /// ```
    /// use bleuprint_track::Policy;
    /// let text = "format = \"bleuprint-track/1\"\n[[watch]]\nstream = \"support\"\nmetric = \"bleu\"\nbaseline = \"main.stats\"\ndrop = 1.0\nfalse-alarms = \"1 per 365d\"\n";
    /// let policy = Policy::parse("track.toml", text, &bleuprint_metrics::registry()).unwrap();
    /// assert_eq!((policy.watches[0].drop, policy.watches[0].bucket.to_string()), (1.0, "1h".to_string()));
    /// let error = Policy::parse("track.toml", &text.replace("drop", "dorp"), &bleuprint_metrics::registry());
    /// assert!(error.unwrap_err().to_string().contains("line 6: watch `support bleu` has no `dorp`; did you mean `drop`?"));
    /// ```
    ///
    /// # Errors
    /// Invalid TOML, an unknown key, a value out of range, an unknown metric, no watch: with file and line.
    pub fn parse(file: &str, text: &str, registry: &Registry) -> Result<Self> {
        Policy::read(Text { file, text, asked: None }, registry)
    }

    /// The JSON Schema of policies, for editors, from what the reader asks for.
    ///
    /// ```
    /// let schema = bleuprint_track::Policy::schema(&bleuprint_metrics::registry()).unwrap();
    /// assert_eq!(schema["properties"]["watch"]["items"]["properties"]["drop"]["exclusiveMinimum"], 0.0);
    /// ```
    ///
    /// # Errors
    /// None for a registry that has BLEU.
    pub fn schema(registry: &Registry) -> Result<Value> {
        let asked = RefCell::new(Value::Null);
        let watch = "stream = \"s\"\nmetric = \"bleu\"\nbaseline = \"main.stats\"\ndrop = 1\nfalse-alarms = \"1 per 1d\"";
        let text = format!("format = \"{FORMAT}\"\n[[watch]]\n{watch}\n");
        Policy::read(Text { file: "a policy", text: &text, asked: Some(&asked) }, registry)?;
        Ok(schema(&asked.into_inner(), FORMAT, "watch", &["stream", "metric", "drop", FALSE_ALARMS]))
    }

    fn read(source: Text<'_>, registry: &Registry) -> Result<Self> {
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
        Ok(Policy { file: source.file.to_owned(), watches })
    }

    /// The place of a baseline.
    pub fn place(&self, file: &str) -> PathBuf {
        Path::new(&self.file).parent().unwrap_or(Path::new("")).join(file)
    }
}

fn watch(source: Text<'_>, mut section: Section<'_, '_>, registry: &Registry) -> Result<Watch> {
    let line = section.line;
    let name = section.text("name")?.map(|at| at.value);
    let (stream, metric) = (section.text("stream")?, section.text("metric")?);
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
    let baseline = section.text("baseline")?;
    let score = section.number("score", .., "a number")?;
    let deviation = section.number("deviation", positive, "a number above 0")?;
    let mut span = |key| match section.text(key)? {
        Some(At { value, line }) => {
            let read = value.strip_prefix("1 per ").filter(|_| key == FALSE_ALARMS);
            let wanted = if key == FALSE_ALARMS { read.unwrap_or("") } else { &value };
            let form = if key == FALSE_ALARMS { "as in \"1 per 365d\"" } else { "as in \"6h\"" };
            let parsed = wanted.parse::<Span>();
            parsed
                .map(Some)
                .map_err(|_| source.error(line, format!("`{key}` is `{value}`, but must be {form}")))
        }
        None => Ok(None),
    };
    let hour = Span(3_600_000_000_000);
    let (bucket, lateness) = (span("bucket")?.unwrap_or(hour), span("lateness")?.unwrap_or(hour));
    let (false_alarms, silent) = (span(FALSE_ALARMS)?, span("silent")?);
    let drop = section.number("drop", positive, "a number of points above 0")?;
    let ratio = section.number("length-ratio", 0.0.., "a change of the ratio, 0 or more")?;
    let min_segments = section.whole("min-segments", 1, 1_000_000_000)?.unwrap_or(30);
    section.end()?;
    let error = |message: &str| source.error(line, format!("watch `{name}`: {message}"));
    let expected = match (baseline, score, deviation) {
        (Some(file), None, None) => Expected::File(file.value),
        (None, Some(score), deviation) => {
            Expected::Stated { score: score.value, deviation: deviation.map(|at| at.value) }
        }
        _ => {
            let message = "give `baseline`, a file of statistics; or `score`, for a mean of numbers, with the `deviation` of segments or spread=yes in the metric";
            return Err(error(message));
        }
    };
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

const FALSE_ALARMS: &str = "false-alarms";

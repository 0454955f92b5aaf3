//! [`LogRecord`]: one sample (answer of a model) in a harness's log, in a form common to all harnesses.

use std::collections::HashMap;

use bleuprint_core::{InputError, Location, Result};
use serde_json::{Map, Value};

use crate::{LogTexts, LogValue, helm};

/// The name of the data set among the [`arguments`](LogRecord::arguments) of a run.
pub(crate) const DATA_SET: &str = "dataset";

/// One sample (answer of a model to a benchmark item), with the numbers that an evaluation harness logged for
/// it.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct LogRecord {
    /// The name of the evaluated system, if one log has several systems.
    pub system: Option<String>,
    /// The name of the benchmark task.
    pub task: Option<String>,
    /// The arguments of the task in inspect-ai, by name; the last one, `dataset`, is the data set. The same
    /// task with other arguments counts as another task.
    pub arguments: Vec<(String, String)>,
    /// The id of the benchmark item within its task.
    pub id: String,
    /// The index of the sample among all answers to the same item, from 0.
    pub sample: u64,
    /// The name of the filter that lm-evaluation-harness applied to the answer before it computed the
    /// numbers.
    pub filter: Option<String>,
    /// The subject or category of the benchmark item.
    pub group: Option<String>,
    /// The name of the perturbation, a change of the text such as added typing errors, that HELM applied to
    /// the item.
    pub perturbation: Option<String>,
    /// The numbers that the harness computed for the sample, by name, in the order of the log. The list is
    /// empty if the run of the sample failed.
    pub values: Vec<(String, LogValue)>,
    /// The asserts (checks) of the item in promptfoo, each with its type and the name of its score. Items of
    /// one log can have different asserts.
    pub asserts: Vec<(String, Option<String>)>,
    /// An identifier of the item's data: its hash in lm-evaluation-harness, the id of the document in
    /// lighteval.
    pub data: Option<String>,
    /// The hash of the prompt, which only lm-evaluation-harness logs.
    pub prompt: Option<String>,
    /// The texts of the sample, for display.
    pub texts: LogTexts,
    /// The log file that the record was read from, with the line if the format has lines.
    pub location: Location,
}

impl LogRecord {
    /// The keys of [`row`](Self::row) that describe a sample; all other keys of a row are numbers.
    pub const FIELDS: [&'static str; 7] =
        ["task", "arguments", "id", "sample", "filter", "group", "perturbation"];

    /// Returns an error if the sample has two numbers of the same name with different values.
    pub(crate) fn require_one_of_each(&self) -> Result<()> {
        let mut seen = HashMap::new();
        for (name, value) in &self.values {
            // A number that is repeated with an equal value is harmless.
            if seen.insert(name, value).is_some_and(|other| other != value) {
                let message = format!("the sample of `{}` has two numbers `{name}`", self.id);
                return Err(InputError::malformed(message).at(self.location.clone()));
            }
        }
        Ok(())
    }

    /// Returns the task's name without HELM's argument `model=`, so that runs of different models have the
    /// same name.
    pub fn paired_task(&self) -> Option<String> {
        self.task.as_deref().map(helm::without_model)
    }

    /// Returns the record as a JSON object: the [`FIELDS`](Self::FIELDS) that are present, and the numbers by
    /// name. A quotient is an object with `numerator` and `denominator`. A number that has the name of a
    /// field is in the object `values`. The task does not contain HELM's argument `model=`, so that systems
    /// are paired by the task.
    ///
    /// ```
    /// use bleuprint_harness::{LogRecord, LogValue};
    /// let mut record = LogRecord::default();
    /// record.id = "7".to_owned();
    /// record.values = vec![("acc".to_owned(), LogValue::Number(1.0)), ("group".to_owned(), LogValue::Missing("null"))];
    /// let row = serde_json::Value::Object(record.row());
    /// assert_eq!(row, serde_json::json!({"acc": 1.0, "id": "7", "sample": 0, "values": {"group": null}}));
    /// ```
    pub fn row(&self) -> Map<String, Value> {
        let mut row = Map::new();
        let mut under = Map::new();
        for (name, value) in &self.values {
            if Self::FIELDS.contains(&name.as_str()) {
                drop(under.insert(name.clone(), value.to_json()))
            } else {
                drop(row.insert(name.clone(), value.to_json()))
            }
        }
        if !under.is_empty() {
            row.insert("values".to_owned(), Value::Object(under));
        }
        row.insert("id".to_owned(), self.id.clone().into());
        row.insert("sample".to_owned(), self.sample.into());
        let texts = [
            ("task", self.paired_task()),
            ("filter", self.filter.clone()),
            ("group", self.group.clone()),
            ("perturbation", self.perturbation.clone()),
        ];
        row.extend(texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?.into()))));
        if !self.arguments.is_empty() {
            let arguments = self.arguments.iter().map(|(name, value)| (name.clone(), value.clone().into()));
            row.insert("arguments".to_owned(), Value::Object(arguments.collect()));
        }
        row
    }
}

//! [`LogRecord`]: one sample of a log, the same for all harnesses.

use std::collections::HashMap;

use bleuprint_core::{InputError, Location, Result};
use serde_json::{Map, Value};

use crate::{LogValue, helm};

/// A sample of an item, with its numbers.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct LogRecord {
    /// The system, if the log names several.
    pub system: Option<String>,
    /// The task.
    pub task: Option<String>,
    /// The item within the task.
    pub id: String,
    /// The place of the sample among those of the item.
    pub sample: u64,
    /// The filter between answer and number, of lm-eval.
    pub filter: Option<String>,
    /// The subject or category.
    pub group: Option<String>,
    /// How the item was changed, of HELM.
    pub perturbation: Option<String>,
    /// The numbers by name, as the harness orders them; none if the run of the sample failed.
    pub values: Vec<(String, LogValue)>,
    /// What identifies the item's data: their hash in lm-eval, the document's id in lighteval.
    pub data: Option<String>,
    /// The hash of the prompt, of lm-eval.
    pub prompt: Option<String>,
    /// The file, and the line if it has lines.
    pub location: Location,
}

impl LogRecord {
    /// The fields with a meaning of their own in [`row`](Self::row).
    pub const FIELDS: [&'static str; 6] = ["task", "id", "sample", "filter", "group", "perturbation"];

    /// Refuses two unlike numbers of one name.
    pub(crate) fn require_one_of_each(&self) -> Result<()> {
        let mut seen = HashMap::new();
        for (name, value) in &self.values {
            if seen.insert(name, value).is_some_and(|other| other != value) {
                let message = format!("the sample of `{}` has two numbers `{name}`", self.id);
                return Err(InputError::malformed(message).at(self.location.clone()));
            }
        }
        Ok(())
    }

    /// The record as an object: the [`FIELDS`](Self::FIELDS) that it has, and its numbers under their names, those of a quotient
    /// as `NAME.numerator` and `NAME.denominator`. A number whose name is one of a field is `values.NAME`. The task is without
    /// HELM's argument `model=`, since systems are paired by it.
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
            match Self::FIELDS.contains(&name.as_str()) {
                true => drop(under.insert(name.clone(), value.to_json())),
                false => drop(row.insert(name.clone(), value.to_json())),
            }
        }
        if !under.is_empty() {
            row.insert("values".to_owned(), Value::Object(under));
        }
        row.insert("id".to_owned(), self.id.clone().into());
        row.insert("sample".to_owned(), self.sample.into());
        let task = self.task.as_deref().map(helm::without_model);
        let texts = [
            ("task", task),
            ("filter", self.filter.clone()),
            ("group", self.group.clone()),
            ("perturbation", self.perturbation.clone()),
        ];
        row.extend(texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?.into()))));
        row
    }
}

//! Tests the example of every metric of the registry: the recorded score, or the reason why SQL does not have
//! the metric. No metric is named here, so the metrics of a new family are met without a change.

use std::collections::BTreeMap;

use bleuprint::contract::{AnyMetric, Metric as _, MetricEntry, Stats as _, ViewKind};
use datafusion::common::Result;
use datafusion::prelude::SessionContext;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::data::{bits, floats, run};

/// Example of a metric: the metric with the options that it needs, and one segment.
struct MetricExample {
    spec: String,
    metric: AnyMetric,
    record: Value,
}

impl MetricExample {
    fn from_entry(entry: &MetricEntry) -> Self {
        let options = entry.example_options();
        let record = serde_json::from_str(entry.example);
        MetricExample {
            spec: options.named(&entry.name),
            metric: entry.build(&options).unwrap(),
            record: record.unwrap_or_else(|error| panic!("the example of {}: {error}", entry.name)),
        }
    }

    /// Returns the columns of the segment as literals of SQL, each with its name.
    fn columns(&self) -> Vec<(&'static str, String)> {
        let hypothesis = self.record.get("hypothesis").or_else(|| self.record.get("number"));
        let reference = self.record.get("reference").or_else(|| self.record.get("references"));
        let source = self.record.get("source");
        let mut columns = vec![("hyp", literal(hypothesis.unwrap()))];
        match (reference, source) {
            (Some(reference), _) => columns.push(("ref", literal(reference))),
            // Arguments of SQL are taken by position, so a source needs a reference before it.
            (None, Some(_)) => columns.push(("ref", literal(&Value::from("")))),
            (None, None) => {}
        }
        columns.extend(source.map(|source| ("source", literal(source))));
        columns
    }

    /// Returns the queries that score the segment: at once, from its state and from its counts.
    fn queries(&self) -> [String; 3] {
        let columns = self.columns();
        let literals: Vec<&str> = columns.iter().map(|(_, literal)| &**literal).collect();
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        let literals = literals.join(", ");
        let names = names.join(", ");
        let table = format!("(values ({literals})) t ({names})");
        let call = |function: &str| format!("{function}('{}', {names})", self.spec);
        [
            format!("select {} from {table}", call("metric")),
            format!(
                "select metric_score(metric_merge(s)) from (select {} s from {table})",
                call("metric_state")
            ),
            format!("select metric_score(metric_sum({})) from {table}", call("metric_counts")),
        ]
    }

    /// Returns the error of a query, or `None` if SQL has the metric. `is_counted` is true of a query for the
    /// counts of the segment.
    fn refusal(&self, is_counted: bool) -> Option<String> {
        let spec = &self.spec;
        match self.metric.view.kind {
            // Columns of numbers and of lists of numbers are data of a form.
            ViewKind::Numbers | ViewKind::Vectors => {
                Some(format!("metric '{spec}': no column has the data that the metric takes"))
            }
            _ if self.metric.first_pass().is_some() => Some(format!(
                "metric '{spec}' learns from all references first, but a function of SQL sees every row once"
            )),
            // An array of SQL has items of one type: DataFusion itself refuses a text beside a number.
            ViewKind::Own if is_unlike(&self.record) => Some("Cannot cast string".to_owned()),
            _ if is_counted && !self.metric.zero().is_row() => {
                Some(format!("the statistics of {spec} are not a row of counts; use metric_state"))
            }
            _ => None,
        }
    }
}

/// Returns `true` if a list in the value has items of several types, which no column has.
fn is_unlike(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.values().any(is_unlike),
        Value::Array(items) => {
            let kind = |value: &Value| std::mem::discriminant(value);
            items.iter().any(is_unlike) || items.windows(2).any(|pair| kind(&pair[0]) != kind(&pair[1]))
        }
        _ => false,
    }
}

/// Returns a JSON value as a literal of SQL.
fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{}'", text.replace('\'', "''")),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(literal).collect();
            format!("make_array({})", items.join(", "))
        }
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("'{name}', {}", literal(value))).collect();
            format!("named_struct({})", fields.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

/// Returns the recorded score of each example, which this package may lack.
fn recorded() -> BTreeMap<String, f64> {
    // The digits are parsed by the standard library, because `serde_json` may read another last bit.
    let texts: BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(include_str!("../../../../crates/testkit/data/examples.json")).unwrap();
    texts.into_iter().map(|(spec, score)| (spec, score.get().parse().unwrap())).collect()
}

#[tokio::test]
async fn every_metric_has_its_recorded_score() -> Result<()> {
    let context = SessionContext::new();
    bleuprint_datafusion::register(&context)?;
    let mut recorded = recorded();
    let mut wrong = Vec::new();
    let mut scored = 0;
    for example in bleuprint::registry().entries().iter().map(MetricExample::from_entry) {
        let score =
            recorded.remove(&example.spec).unwrap_or_else(|| panic!("{} is not recorded", example.spec));
        for (query, is_counted) in example.queries().into_iter().zip([false, false, true]) {
            let expected = example.refusal(is_counted);
            match (floats(&context, &query).await, expected) {
                (Ok(found), None) if bits(&found) == bits(&[Some(score)]) => scored += 1,
                (Err(error), Some(expected)) if error.to_string().contains(&expected) => {}
                (found, expected) => wrong.push(format!("{query}: {found:?}, {expected:?} or {score}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Most queries have a score, so a mistake that refuses all of them is found.
    assert!(scored > 150, "{scored}");
    // Only metrics of features that this build lacks are left.
    for spec in recorded.keys() {
        let error = run(&context, &format!("select metric('{spec}', '', '')")).await.unwrap_err().to_string();
        assert!(error.contains("was built without the feature"), "{error}");
    }
    Ok(())
}

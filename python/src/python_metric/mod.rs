//! Wraps a metric that a user wrote in Python (a subclass of `bleuprint.Metric`) as a metric of the Rust
//! library.
//!
//! If the class names `columns` or `sums`, its statistics are a row of counts and exact sums. Otherwise they
//! are any value that Python's `json` can write. The wrapper holds only a weak reference to the Python
//! object: the object refers to the wrapper, so a strong one would form a cycle.

mod described;
mod gathered;
mod look;
mod row;

use std::sync::Arc;

use bleuprint::contract::{Choice as _, Composition, Direction};
use bleuprint::{AnyMetric, Identity, Scale, SegmentCounts, Stats as _};
use bleuprint_core::Form;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyWeakrefReference};
use serde::Deserialize;

use crate::errors::{type_error, value};
use crate::values::count::{ListedItems, WholeNumber};
use described::{Described, DescribedObject};
use gathered::Gathering;
use row::RowCounting;

pub(crate) use look::LooksAt;

/// Data type of metrics over Python objects: state keys name it `object`. The objects themselves are never
/// converted to it.
#[derive(Debug, Deserialize)]
struct PythonObject;

impl Form for PythonObject {
    const NAME: &'static str = "object";
    type Reference = Self;
    type Source = Self;
}

/// Metric written in Python. The variants differ in the type of the per-segment statistics.
pub(crate) enum WrittenMetric {
    /// Metric whose statistics are a row of counts and exact sums.
    Counting(RowCounting),
    /// Metric whose statistics are any value that Python's `json` module can write.
    Gathering(Gathering),
}

/// Returns the metric as an [`AnyMetric`] for the kind of data that its Python class declares. With
/// `own_tokens`, it takes lists of tokens that the user made.
pub(crate) fn erased(object: &Bound<'_, PyAny>, own_tokens: bool) -> PyResult<AnyMetric> {
    let looks_at = if own_tokens { LooksAt::Objects } else { looks_at(object)? };
    Ok(written(object, looks_at)?.erased_over(matches!(looks_at, LooksAt::Tokens | LooksAt::Ids)))
}

impl WrittenMetric {
    /// Returns the metric as an [`AnyMetric`] that takes texts. Each text may be the key of a Python object.
    pub(crate) fn erased(self) -> AnyMetric {
        self.erased_over(false)
    }

    fn erased_over(self, tokens: bool) -> AnyMetric {
        match (self, tokens) {
            (WrittenMetric::Counting(metric), false) => AnyMetric::for_text(metric),
            (WrittenMetric::Counting(metric), true) => AnyMetric::for_tokens(metric),
            (WrittenMetric::Gathering(metric), false) => AnyMetric::for_text(metric),
            (WrittenMetric::Gathering(metric), true) => AnyMetric::for_tokens(metric),
        }
    }
}

pub(crate) fn looks_at(object: &Bound<'_, PyAny>) -> PyResult<LooksAt> {
    match object.getattr("looks_at")?.extract::<String>()?.as_str() {
        "text" => Ok(LooksAt::Text),
        "tokens" => Ok(LooksAt::Tokens),
        "ids" => Ok(LooksAt::Ids),
        "numbers" | "objects" => Ok(LooksAt::Objects),
        other => Err(value(format!(
            "looks_at is `{other}`, but must be `text`, `tokens`, `ids`, `numbers` or `objects`"
        ))),
    }
}

pub(crate) fn written(object: &Bound<'_, PyAny>, looks_at: LooksAt) -> PyResult<WrittenMetric> {
    let names = |name: &str| {
        let names: Option<ListedItems<String>> = object.getattr(name)?.extract()?;
        Ok::<_, PyErr>(names.map(|names| names.0))
    };
    let wanted: String = object.getattr("looks_at")?.extract()?;
    let scale = scale_of(object)?;
    let mut identity = identity_of(object, scale)?;
    if looks_at == LooksAt::Objects && wanted == "tokens" {
        // The user's tokens come from no known tokenizer, so the signature calls them `custom`.
        identity = identity.counted("tokens", "tokens", "custom");
    }
    // Numbers and objects have no case and no tokens.
    identity = match wanted.as_str() {
        "numbers" => identity.for_form::<f64>(),
        "objects" => identity.for_form::<PythonObject>(),
        _ => identity,
    };
    let described = Described {
        object: DescribedObject(Arc::new(PyWeakrefReference::new(object)?.unbind())),
        identity,
        batch: batch_of(object)?,
        looks_at,
        wanted,
        one_reference: object.getattr("one_reference")?.extract()?,
        scale,
        parts: names("parts")?,
    };
    let columns = names("columns")?;
    let sums = names("sums")?;
    if columns.is_none() && sums.is_none() {
        return Ok(WrittenMetric::Gathering(Gathering { described }));
    }
    let columns = columns.unwrap_or_default();
    let sums = sums.unwrap_or_default();
    let mut all = columns.iter().chain(&sums);
    // Two columns with one name could not be told apart in tables and in `rows`.
    if let Some(name) =
        all.clone().enumerate().find_map(|(at, name)| all.clone().take(at).find(|one| *one == name))
    {
        return Err(value(format!("the column `{name}` is named twice")));
    }
    // The first columns of every row are those of its segments.
    let of_segments = SegmentCounts::default().column_names();
    if let Some(name) = all.clone().find(|name| of_segments.contains(name)) {
        return Err(value(format!(
            "a column is called `{name}`, but every state has a column of this name: choose another name"
        )));
    }
    if all.next().is_none() {
        return Err(value("there are neither columns nor sums: leave both out for a state of any kind"));
    }
    Ok(WrittenMetric::Counting(RowCounting { described, columns, sums }))
}

fn scale_of(object: &Bound<'_, PyAny>) -> PyResult<Scale> {
    if object.hasattr("range")? {
        return Err(value(
            "the attribute `range` is called `score_range`: `range` would hide Python's function",
        ));
    }
    let (min, max): (Option<f64>, Option<f64>) = object.getattr("score_range")?.extract()?;
    let higher: bool = object.getattr("higher_is_better")?.extract()?;
    let direction = if higher { Direction::HigherIsBetter } else { Direction::LowerIsBetter };
    Ok(Scale {
        min: min.unwrap_or(f64::NEG_INFINITY),
        max: max.unwrap_or(f64::INFINITY),
        direction,
        percent: max == Some(100.0),
    })
}

fn identity_of(object: &Bound<'_, PyAny>, scale: Scale) -> PyResult<Identity> {
    let name: String = object.getattr("name")?.extract()?;
    if name.is_empty() || name.contains(['|', ':', '/', '+']) || name.chars().any(char::is_whitespace) {
        return Err(value(format!(
            "the metric's name is `{name}`, but must be one word without `|`, `:`, `/` and `+`"
        )));
    }
    let version: u32 = object.getattr("version")?.extract()?;
    let mut identity = Identity::new(name, version, scale);
    if !object.getattr("needs_references")?.extract::<bool>()? {
        identity = identity.reference_free();
    }
    if object.getattr("needs_sources")?.extract::<bool>()? {
        identity = identity.needing(|needs| needs.source = true);
    }
    if object.getattr("one_reference")?.extract::<bool>()? {
        identity = identity.needing(|needs| needs.one_reference = true);
    }
    let composition: String = object.getattr("composition")?.extract()?;
    identity = identity.composed(Composition::by_name("composition", &composition).map_err(value)?);
    let options = object.call_method0("options")?;
    let options = options.cast::<PyDict>().map_err(|_| type_error("options() must give a dict"))?;
    for (key, option) in options {
        let key: String = key.extract()?;
        identity = identity.counted(key.clone(), key, option.str()?);
    }
    Ok(identity)
}

fn batch_of(object: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let base = object.py().import("bleuprint")?.getattr("Metric")?.getattr("observe_each")?;
    if object.get_type().getattr("observe_each")?.is(&base) {
        return Ok(None);
    }
    match object.getattr("batch_size")?.extract::<WholeNumber>()?.at_most("batch_size", usize::MAX)? {
        0 => Err(value("batch_size is 0, but must be at least 1")),
        size => Ok(Some(size)),
    }
}

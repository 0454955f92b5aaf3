//! A metric written in Python (`bleuprint.Metric`), as a metric of the library.
//!
//! The statistics are a row of counts if the class names its columns, else any value that `json` can write. The metric
//! is held weakly: its engines and states do not keep it alive, so there are no cycles.

use std::sync::Arc;
use std::{fmt, slice};

use bleuprint::{
    AnyMetric, Identity, InputError, Location, Metric, Observe, PlainScore, Result, Scale, Segment,
    SegmentCounts, Stats,
    contract::{Direction, Linear, PartValue, ScorePart, ShowPart},
};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyWeakrefReference};
use serde::{Deserialize, Serialize};

use crate::count::{Count, Listed};
use crate::errors::{keep, keep_reason, type_error, value};

/// The Python object, while alive.
#[derive(Clone)]
struct Object(Arc<Py<PyWeakrefReference>>);

impl Object {
    fn call<T>(&self, work: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Result<T> {
        self.try_call(work).map_err(keep)
    }

    fn try_call<T>(&self, work: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> PyResult<T> {
        Python::attach(|py| {
            let object = self.0.bind(py).upgrade();
            work(&object.ok_or_else(|| value("the metric of this state is gone"))?)
        })
    }
}

#[derive(Clone)]
struct Described {
    object: Object,
    identity: Identity,
    /// The number of segments per call of `observe_each`, if the class defines it.
    batch: Option<usize>,
}

pub(crate) fn erased(object: &Bound<'_, PyAny>) -> PyResult<AnyMetric> {
    let text = |name: &str| object.getattr(name)?.extract::<String>();
    let name = text("name")?;
    if name.is_empty() || name.contains(['|', ':', '/', '+']) || name.chars().any(char::is_whitespace) {
        return Err(value(format!(
            "the metric's name is `{name}`, but must be one word without `|`, `:`, `/` and `+`"
        )));
    }
    let version: u32 = object.getattr("version")?.extract()?;
    let (min, max): (Option<f64>, Option<f64>) = object.getattr("range")?.extract()?;
    let higher: bool = object.getattr("higher_is_better")?.extract()?;
    let direction = if higher { Direction::HigherIsBetter } else { Direction::LowerIsBetter };
    let scale = Scale {
        min: min.unwrap_or(f64::NEG_INFINITY),
        max: max.unwrap_or(f64::INFINITY),
        direction,
        percent: max == Some(100.0),
    };
    let mut identity = Identity::new(name, version, scale);
    if !object.getattr("needs_references")?.extract::<bool>()? {
        identity = identity.reference_free();
    }
    if object.getattr("needs_sources")?.extract::<bool>()? {
        identity = identity.needs_source();
    }
    let options = object.call_method0("options")?;
    let options = options.cast::<PyDict>().map_err(|_| type_error("options() must give a dict"))?;
    for (key, option) in options {
        let key: String = key.extract()?;
        identity = identity.counted(key.clone(), key, option.str()?);
    }
    let described = Described {
        object: Object(Arc::new(PyWeakrefReference::new(object)?.unbind())),
        identity,
        batch: batch_of(object)?,
    };
    let tokens = match text("looks_at")?.as_str() {
        "text" => false,
        "tokens" => true,
        other => return Err(value(format!("looks_at is `{other}`, but must be `text` or `tokens`"))),
    };
    let columns: Option<Listed<String>> = object.getattr("columns")?.extract()?;
    let columns = columns.map(|columns| columns.0);
    Ok(match (columns, tokens) {
        (Some(columns), false) => AnyMetric::over_text(Counting { described, columns }),
        (Some(columns), true) => AnyMetric::over_tokens(Counting { described, columns }),
        (None, false) => AnyMetric::over_text(Gathering { described }),
        (None, true) => AnyMetric::over_tokens(Gathering { described }),
    })
}

fn batch_of(object: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let base = object.py().import("bleuprint")?.getattr("Metric")?.getattr("observe_each")?;
    if object.get_type().getattr("observe_each")?.is(&base) {
        return Ok(None);
    }
    match object.getattr("batch_size")?.extract::<Count>()?.at_most("batch_size", usize::MAX)? {
        0 => Err(value("batch_size is 0, but must be at least 1")),
        size => Ok(Some(size)),
    }
}

trait Look {
    fn look<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
}

impl Look for str {
    fn look<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.into_pyobject(py)?.into_any())
    }
}

impl Look for [&str] {
    fn look<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self)?.into_any())
    }
}

impl Described {
    fn observe<'py, S: Look + ?Sized>(
        &self,
        object: &Bound<'py, PyAny>,
        states: Vec<Bound<'py, PyAny>>,
        segments: &[Segment<'_, S>],
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        if self.batch.is_some() {
            return self.observe_at_once(object, states, segments);
        }
        let observed = states.into_iter().zip(segments).map(|(state, segment)| {
            let py = object.py();
            let mut arguments = vec![state.clone(), hypothesis_of(py, segment)?, references_of(py, segment)?];
            if self.identity.is_source_needed() {
                arguments.push(source_of(py, segment)?);
            }
            let after = object.call_method1("observe", PyTuple::new(py, arguments)?)?;
            // A state changed in place returns None.
            Ok(if after.is_none() { state } else { after })
        });
        observed.collect()
    }

    fn observe_at_once<'py, S: Look + ?Sized>(
        &self,
        object: &Bound<'py, PyAny>,
        states: Vec<Bound<'py, PyAny>>,
        segments: &[Segment<'_, S>],
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let py = object.py();
        let states = PyList::new(py, states)?;
        let of_each = |get: fn(Python<'py>, &Segment<'_, S>) -> PyResult<Bound<'py, PyAny>>| {
            let all = segments.iter().map(|one| get(py, one)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, all).map(Bound::into_any)
        };
        let mut arguments = vec![states.clone().into_any(), of_each(hypothesis_of)?, of_each(references_of)?];
        if self.identity.is_source_needed() {
            arguments.push(of_each(source_of)?);
        }
        let after = object.call_method1("observe_each", PyTuple::new(py, arguments)?)?;
        let after: Vec<_> =
            if after.is_none() { states.iter().collect() } else { after.extract::<Listed<_>>()?.0 };
        if after.len() != segments.len() {
            let (given, wanted) = (after.len(), segments.len());
            return Err(value(format!("observe_each gave {given} states for {wanted} segments")));
        }
        Ok(after)
    }

    fn check<S: ?Sized>(&self, segments: &[Segment<'_, S>]) -> Result<()> {
        let check = |segment: &Segment<'_, S>| {
            if !self.identity.is_reference_free() {
                segment.references()?;
            }
            if self.identity.is_source_needed() {
                segment.source()?;
            }
            Ok(())
        };
        (1..).zip(segments).try_for_each(|(number, segment)| {
            check(segment).map_err(|error: InputError| error.at(Location::segment(number)))
        })
    }

    fn finalize(
        &self,
        segments: u64,
        state: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
    ) -> Result<PlainScore> {
        let score = self.object.try_call(|object| Self::score(object, state(object)?, segments));
        score.map_err(|error| keep_reason(self.identity.name(), segments, error))
    }

    fn score(object: &Bound<'_, PyAny>, state: Bound<'_, PyAny>, segments: u64) -> PyResult<PlainScore> {
        let result = object.call_method1("finalize", (state, segments))?;
        if let Ok(number) = result.extract::<f64>() {
            return Ok(PlainScore::new(number));
        }
        let Ok(parts) = result.cast::<PyDict>() else {
            return Err(type_error("finalize must give a number, or a dict with `score` and parts"));
        };
        let number = parts.get_item("score")?.ok_or_else(|| value("finalize gave a dict without `score`"))?;
        let mut score = PlainScore::new(number.extract()?);
        for (key, part) in parts {
            let key: String = key.extract()?;
            if key != "score" {
                let part = if let Ok(count) = part.extract::<u64>() {
                    PartValue::Count(count)
                } else if let Ok(number) = part.extract::<f64>() {
                    PartValue::Number(number)
                } else if let Ok(counts) = part.extract::<Listed<u64>>() {
                    PartValue::Counts(counts.0)
                } else {
                    PartValue::Numbers(part.extract::<Listed<f64>>()?.0)
                };
                score = score.with(ScorePart::new(key.clone(), ShowPart::Labelled(key.into(), 3), part));
            }
        }
        Ok(score)
    }
}

fn hypothesis_of<'py, S: Look + ?Sized>(
    py: Python<'py>,
    segment: &Segment<'_, S>,
) -> PyResult<Bound<'py, PyAny>> {
    segment.hypothesis().look(py)
}

fn references_of<'py, S: Look + ?Sized>(
    py: Python<'py>,
    segment: &Segment<'_, S>,
) -> PyResult<Bound<'py, PyAny>> {
    let all = segment.references_or_none().iter().map(|one| one.look(py)).collect::<PyResult<Vec<_>>>()?;
    Ok(PyList::new(py, all)?.into_any())
}

fn source_of<'py, S: Look + ?Sized>(
    py: Python<'py>,
    segment: &Segment<'_, S>,
) -> PyResult<Bound<'py, PyAny>> {
    segment.source().map_err(value)?.look(py)
}

/// A metric whose statistics are a row of counts.
struct Counting {
    described: Described,
    columns: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    columns: Vec<String>,
    counts: Vec<u64>,
}

impl Linear for Row {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn fmt::Display, &mut u64)) {
        self.columns.iter().zip(&mut self.counts).for_each(|(name, count)| visit(name, count));
    }
}

impl Counting {
    fn counts(&self, state: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
        let Listed(counts): Listed<u64> = state.extract().map_err(|_| {
            let given = state.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
            type_error(format!(
                "a state of {} is {given}, but must be a list of counts from 0",
                self.described.identity.name()
            ))
        })?;
        if counts.len() != self.columns.len() {
            let (given, expected) = (counts.len(), self.columns.len());
            return Err(value(format!("a state has {given} counts, but there are {expected} columns")));
        }
        Ok(counts)
    }

    fn row(&self, counts: Vec<u64>) -> Row {
        Row { columns: self.columns.clone(), counts }
    }
}

impl Metric for Counting {
    type Stats = Row;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        self.described.identity.clone()
    }
    fn batch(&self) -> usize {
        self.described.batch.unwrap_or(1)
    }
    /// Nothing counted: a row of zeros, whatever `zero()` gives; the laws compare them.
    fn zero(&self) -> Row {
        self.row(vec![0; self.columns.len()])
    }
    fn finalize(&self, row: &Row, counts: &SegmentCounts) -> Result<PlainScore> {
        self.described.finalize(counts.segments, |object| row.counts.clone().into_bound_py_any(object.py()))
    }
    fn check(&self, row: &Row, _: &SegmentCounts) -> Result<()> {
        if row.columns == self.columns && row.counts.len() == self.columns.len() {
            return Ok(());
        }
        Err(InputError::malformed_state(format!(
            "columns {:?}, where {:?} were expected",
            row.columns, self.columns
        )))
    }
}

impl<S: Look + ?Sized> Observe<S> for Counting {
    fn observe(&self, tables: &mut (), row: &mut Row, segment: Segment<'_, S>) -> Result<()> {
        self.observe_each(tables, slice::from_mut(row), &[segment])
    }

    fn observe_each(&self, (): &mut (), rows: &mut [Row], segments: &[Segment<'_, S>]) -> Result<()> {
        self.described.check(segments)?;
        let counts = self.described.object.call(|object| {
            let zeros = segments.iter().map(|_| object.call_method0("zero")).collect::<PyResult<_>>()?;
            let states = self.described.observe(object, zeros, segments)?;
            states.iter().map(|state| self.counts(state)).collect::<PyResult<Vec<_>>>()
        })?;
        rows.iter_mut().zip(counts).try_for_each(|(row, counts)| row.add(&self.row(counts)))
    }
}

/// A metric whose statistics are any value that `json` can write.
struct Gathering {
    described: Described,
}

/// A state as written by `json`, and the metric that can merge it.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Gathered {
    state: serde_json::Value,
    #[serde(skip)]
    object: Option<Object>,
}

impl PartialEq for Gathered {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

impl fmt::Debug for Gathered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.state.fmt(f)
    }
}

/// Written with sorted keys, so that equal states are equal bytes.
fn to_json(state: &Bound<'_, PyAny>) -> PyResult<serde_json::Value> {
    let options = PyDict::new(state.py());
    options.set_item("sort_keys", true)?;
    options.set_item("allow_nan", false)?;
    let text: String =
        state.py().import("json")?.call_method("dumps", (state,), Some(&options))?.extract()?;
    serde_json::from_str(&text).map_err(value)
}

fn of_json<'py>(metric: &Bound<'py, PyAny>, state: &serde_json::Value) -> PyResult<Bound<'py, PyAny>> {
    if state.is_null() {
        // No observations, or a `zero` that raised.
        return metric.call_method0("zero");
    }
    metric.py().import("json")?.call_method1("loads", (state.to_string(),))
}

impl Stats for Gathered {
    fn merge(&mut self, other: &Self) -> Result<()> {
        let object = self.object.clone().or_else(|| other.object.clone());
        let object = object
            .ok_or_else(|| InputError::malformed_state("states that were read merge into a new one"))?;
        self.state = object.call(|metric| {
            let own = of_json(metric, &self.state)?;
            let merged = metric.call_method1("merge", (&own, of_json(metric, &other.state)?))?;
            to_json(if merged.is_none() { &own } else { &merged })
        })?;
        self.object = Some(object);
        Ok(())
    }
}

impl Metric for Gathering {
    type Stats = Gathered;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        self.described.identity.clone().remembers_tokens()
    }
    fn batch(&self) -> usize {
        self.described.batch.unwrap_or(1)
    }
    fn zero(&self) -> Gathered {
        let object = &self.described.object;
        // `zero` of the contract cannot fail: it is called again, and may raise, when the state is read.
        let state = object.call(|metric| to_json(&metric.call_method0("zero")?)).unwrap_or_default();
        Gathered { state, object: Some(object.clone()) }
    }
    fn finalize(&self, gathered: &Gathered, counts: &SegmentCounts) -> Result<PlainScore> {
        self.described.finalize(counts.segments, |metric| of_json(metric, &gathered.state))
    }
}

impl<S: Look + ?Sized> Observe<S> for Gathering {
    fn observe(&self, tables: &mut (), gathered: &mut Gathered, segment: Segment<'_, S>) -> Result<()> {
        self.observe_each(tables, slice::from_mut(gathered), &[segment])
    }

    fn observe_each(&self, (): &mut (), all: &mut [Gathered], segments: &[Segment<'_, S>]) -> Result<()> {
        self.described.check(segments)?;
        let states = self.described.object.call(|metric| {
            let before = all.iter().map(|one| of_json(metric, &one.state)).collect::<PyResult<_>>()?;
            let states = self.described.observe(metric, before, segments)?;
            states.iter().map(to_json).collect::<PyResult<Vec<_>>>()
        })?;
        all.iter_mut().zip(states).for_each(|(one, state)| one.state = state);
        Ok(())
    }
}

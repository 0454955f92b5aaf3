//! A metric that is written in Python, behind the door that all metrics have: `bleuprint.Metric`.
//!
//! The statistics are a row of counts where the class names its columns, else anything that `json` can write. The
//! metric is held weakly: what was made with it does not keep it alive, so there are no cycles.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use bleuprint::{
    AnyMetric, Direction, Identity, InputError, Linear, Metric, Observe, OverText, OverTokens, PartValue,
    PlainScore, Scale, ScorePart, Segment, SegmentCounts, ShowPart, Stats,
};
use pyo3::exceptions::{PyAssertionError, PyException, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyWeakrefReference};
use serde::{Deserialize, Serialize};

use crate::count::Listed;
use crate::errors::{keep, raised, raised_since, type_error, value, without_panic};

/// The Python object, while it is there.
#[derive(Clone)]
struct Object(Arc<Py<PyWeakrefReference>>);

impl Object {
    fn call<T>(&self, work: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Result<T, InputError> {
        Python::attach(|py| {
            let object = self.0.bind(py).upgrade();
            work(&object.ok_or_else(|| value("the metric of this state is gone"))?)
        })
        .map_err(keep)
    }
}

/// What the class says of itself.
#[derive(Clone)]
struct Described {
    object: Object,
    identity: Identity,
    scale: Scale,
    needs_source: bool,
}

/// The erased metric of a Python object.
pub(crate) fn erased(object: &Bound<'_, PyAny>) -> PyResult<Box<dyn AnyMetric>> {
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
    let scale = Scale { min: min.unwrap_or(f64::NEG_INFINITY), max: max.unwrap_or(f64::INFINITY), direction };
    let needs_source: bool = object.getattr("needs_sources")?.extract()?;
    let mut identity = Identity::new(name.clone(), version).named(name);
    if !object.getattr("needs_references")?.extract::<bool>()? {
        identity = identity.reference_free();
    }
    if needs_source {
        identity = identity.needs_source();
    }
    let options = object.call_method0("options")?;
    let options = options.cast::<PyDict>().map_err(|_| type_error("options() must give a dict"))?;
    for (key, option) in options {
        identity = identity.counted(
            intern(&key.extract::<String>()?),
            intern(&key.extract::<String>()?),
            option.str()?,
        );
    }
    let described = Described {
        object: Object(Arc::new(PyWeakrefReference::new(object)?.unbind())),
        identity,
        scale,
        needs_source,
    };
    let tokens = match text("looks_at")?.as_str() {
        "text" => false,
        "tokens" => true,
        other => return Err(value(format!("looks_at is `{other}`, but must be `text` or `tokens`"))),
    };
    let columns: Option<Listed<String>> = object.getattr("columns")?.extract()?;
    let columns = columns.map(|columns| columns.0);
    Ok(match (columns, tokens) {
        (Some(columns), false) => Box::new(OverText::new(Counting { described, columns })),
        (Some(columns), true) => Box::new(OverTokens::new(Counting { described, columns })),
        (None, false) => Box::new(OverText::not_linear(Gathering { described })),
        (None, true) => Box::new(OverTokens::not_linear(Gathering { described })),
    })
}

/// Names that live as long as the program: of options and parts, of which a program has a few.
fn intern(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(name);
    name
}

/// What Python is given of a segment.
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
        Ok(pyo3::types::PyList::new(py, self)?.into_any())
    }
}

impl Described {
    /// `observe(state, hypothesis, references[, source])`; a state that comes back as `None` was changed in place.
    fn observe<'py, S: Look + ?Sized>(
        &self,
        object: &Bound<'py, PyAny>,
        state: Bound<'py, PyAny>,
        segment: Segment<'_, S>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let hypothesis = segment.hypothesis().look(py)?;
        let references =
            segment.references_or_none().iter().map(|one| one.look(py)).collect::<PyResult<Vec<_>>>()?;
        let after = if self.needs_source {
            let source = segment.source().map_err(value)?.look(py)?;
            object.call_method1("observe", (&state, hypothesis, references, source))?
        } else {
            object.call_method1("observe", (&state, hypothesis, references))?
        };
        Ok(if after.is_none() { state } else { after })
    }

    fn require_references<S: ?Sized>(&self, segment: &Segment<'_, S>) -> Result<(), InputError> {
        if self.identity.is_reference_free() { Ok(()) } else { segment.references().map(|_| ()) }
    }

    fn finalize(
        &self,
        object: &Bound<'_, PyAny>,
        state: Bound<'_, PyAny>,
        segments: u64,
    ) -> PyResult<PlainScore> {
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
                let name = intern(&key);
                score = score.with(ScorePart::new(name, ShowPart::Labelled(name, 3), part));
            }
        }
        Ok(score)
    }
}

/// A metric whose statistics are a row of counts.
struct Counting {
    described: Described,
    columns: Vec<String>,
}

/// A row of counts, with the names of its columns.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    columns: Vec<String>,
    counts: Vec<u64>,
}

impl Linear for Row {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn std::fmt::Display, &mut u64)) {
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
    fn scale(&self) -> Scale {
        self.described.scale
    }
    fn scratch(&self) {}
    /// Nothing counted: a row of zeros, whatever `zero()` gives; the laws compare them.
    fn zero(&self) -> Row {
        self.row(vec![0; self.columns.len()])
    }
    fn finalize(&self, row: &Row, counts: &SegmentCounts) -> Result<PlainScore, InputError> {
        self.described.object.call(|object| {
            self.described.finalize(
                object,
                row.counts.clone().into_pyobject(object.py())?.into_any(),
                counts.segments,
            )
        })
    }
    fn check(&self, row: &Row, _: &SegmentCounts) -> Result<(), InputError> {
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
    fn observe(&self, (): &mut (), row: &mut Row, segment: Segment<'_, S>) -> Result<(), InputError> {
        self.described.require_references(&segment)?;
        let counts = self.described.object.call(|object| {
            let zero = object.call_method0("zero")?;
            self.counts(&self.described.observe(object, zero, segment)?)
        })?;
        row.add(&self.row(counts))
    }
}

/// A metric whose statistics are anything that `json` can write.
struct Gathering {
    described: Described,
}

/// A state as `json` writes it, and who can merge it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Gathered {
    state: serde_json::Value,
    #[serde(skip)]
    object: Option<Object>,
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
        // Nothing observed, or a `zero` that raised.
        return metric.call_method0("zero");
    }
    metric.py().import("json")?.call_method1("loads", (state.to_string(),))
}

impl Stats for Gathered {
    fn merge(&mut self, other: &Self) -> Result<(), InputError> {
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

    fn check_merge(&self, other: &Self) -> Result<(), InputError> {
        self.clone().merge(other)
    }
}

impl Metric for Gathering {
    type Stats = Gathered;
    type Score = PlainScore;
    type Scratch = ();

    const REMEMBERS_TOKENS: bool = true;

    fn identity(&self) -> Identity {
        self.described.identity.clone()
    }
    fn scale(&self) -> Scale {
        self.described.scale
    }
    fn scratch(&self) {}
    fn zero(&self) -> Gathered {
        let object = &self.described.object;
        // `zero` of the contract cannot fail: it is asked again, and may raise, when the state is looked at.
        let state = object.call(|metric| to_json(&metric.call_method0("zero")?)).unwrap_or_default();
        Gathered { state, object: Some(object.clone()) }
    }
    fn finalize(&self, gathered: &Gathered, counts: &SegmentCounts) -> Result<PlainScore, InputError> {
        let Described { object, .. } = &self.described;
        object.call(|metric| {
            self.described.finalize(metric, of_json(metric, &gathered.state)?, counts.segments)
        })
    }
}

impl<S: Look + ?Sized> Observe<S> for Gathering {
    fn observe(
        &self,
        (): &mut (),
        gathered: &mut Gathered,
        segment: Segment<'_, S>,
    ) -> Result<(), InputError> {
        self.described.require_references(&segment)?;
        gathered.state = self.described.object.call(|metric| {
            let state = of_json(metric, &gathered.state)?;
            to_json(&self.described.observe(metric, state, segment)?)
        })?;
        Ok(())
    }
}

/// Checks the laws of a metric, built in or written in Python.
#[pyfunction]
pub(crate) fn check_laws(engine: &Bound<'_, crate::engine::Engine>) -> PyResult<()> {
    let panel = engine.get().unlearned()?;
    let metric = crate::state::metric_of(&panel)?;
    let before = raised();
    let py = engine.py();
    let Err(panic) = without_panic(|| bleuprint_core::laws::check_any(metric)) else {
        // The laws hold; a metric may say by a ValueError that it has no score, and by nothing else.
        while let Some(raised) = raised_since(before) {
            if !raised.is_instance_of::<PyException>(py) {
                return Err(raised);
            }
            if !raised.is_instance_of::<PyValueError>(py) {
                let text = format!("finalize raised {raised}; where there is no score, raise a ValueError");
                let broken = PyAssertionError::new_err(text);
                broken.set_cause(py, Some(raised));
                return Err(broken);
            }
        }
        return Ok(());
    };
    let broken = PyAssertionError::new_err(panic);
    match raised_since(before) {
        // What is no error, as an interruption, stays what it is.
        Some(raised) if !raised.is_instance_of::<PyException>(py) => Err(raised),
        raised => {
            broken.set_cause(py, raised);
            Err(broken)
        }
    }
}

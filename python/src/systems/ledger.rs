//! `Ledger`: a record on disk of a deployed service's metric counts over time, to which programs add events.

use std::path::PathBuf;

use bleuprint::{InputError, contract::MetricSpec};
use bleuprint_track::{
    Adding, Event, Ledger as Opened, ShowRequest, Span, Time, WindowScore, require_event, show,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{OrRaise as _, type_error, value, warn};
use crate::metric::engine::MetricEngine;
use crate::metric::score::PyScore;
use crate::metric::state::PyState;
use crate::registry::registry;
use crate::systems::statistics::PyStatistics;
use crate::values::count::{ListedItems, WholeNumber};

/// Ledger, an append-only record of metric counts on disk. Each call opens the file anew, so threads and
/// processes can share it, even after a fork.
#[pyclass(frozen, module = "bleuprint._native", name = "Ledger")]
pub(crate) struct PyLedger {
    place: PathBuf,
    bucket: Span,
}

#[pymethods]
impl PyLedger {
    #[new]
    #[pyo3(signature = (place, bucket=None))]
    fn new(py: Python<'_>, place: PathBuf, bucket: Option<&str>) -> PyResult<Self> {
        let bucket = bucket.map(str::parse::<Span>).transpose().or_raise()?;
        let bucket = py.detach(|| Opened::open_or_create(&place, bucket).map(|opened| opened.bucket()));
        Ok(PyLedger { bucket: bucket.or_raise()?, place })
    }

    #[getter]
    fn bucket(&self) -> String {
        self.bucket.to_string()
    }

    /// Adds a metric's state (accumulated counts) to the ledger as an event. `source`, an `Engine` or
    /// statistics, names the metric. Returns true if the event is new.
    #[pyo3(signature = (source, state, key, stream, version, slice, time=None, retracts=None, upsert=false, reset_clock=false))]
    #[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
    fn add(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        state: &Bound<'_, PyState>,
        key: &str,
        stream: &str,
        version: &str,
        slice: ListedItems<(String, String)>,
        time: Option<&str>,
        retracts: Option<&str>,
        upsert: bool,
        reset_clock: bool,
    ) -> PyResult<bool> {
        let spec = spec_of(source)?;
        let state = state.get();
        if registry().get(&spec.metric).is_err() {
            let name = spec.metric;
            return Err(value(format!("{name} is a metric of this program alone, but others read a ledger")));
        }
        require_event(&registry(), &spec, &state.metric).or_raise()?;
        // The name leaves out the tokens, which are part of the state key, so it equals the name on the
        // command line.
        let event = Event::new(key, time_of(time)?);
        let event = event.counting(stream, version, spec.name(), &state.state).or_raise()?;
        let event = slice.0.into_iter().fold(event, |event, (name, value)| event.labelled(name, value));
        let event = retracts.into_iter().fold(event, Event::retracting);
        let registry = registry();
        self.add_event(
            py,
            event,
            Adding { upsert, reset_clock, undated: time.is_none(), ..Adding::new(&registry) },
        )
    }

    /// Adds an event to the ledger that cancels the earlier event `target`. Returns true if the ledger did
    /// not already contain the new event.
    #[pyo3(signature = (target, key, time=None))]
    fn retract(&self, py: Python<'_>, target: &str, key: &str, time: Option<&str>) -> PyResult<bool> {
        let registry = registry();
        let how = Adding { undated: time.is_none(), ..Adding::new(&registry) };
        self.add_event(py, Event::new(key, time_of(time)?).retracting(target), how)
    }

    #[pyo3(signature = (window, by, stream=None, as_of=None))]
    fn show<'py>(
        &self,
        py: Python<'py>,
        window: &str,
        by: ListedItems<String>,
        stream: Option<String>,
        as_of: Option<WholeNumber>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let as_of = as_of.map(|count| count.0);
        let window = window.parse::<Span>().or_raise()?;
        let request = ShowRequest { window, by: by.0, stream, as_of };
        let shown = || {
            let ledger = Opened::open(&self.place)?;
            Ok::<_, InputError>((show(&ledger, &registry(), &request)?, ledger.unchecked()?))
        };
        let (shown, note) = py.detach(shown).or_raise()?;
        if let Some(note) = note {
            warn(py, &note)?;
        }
        shown.into_iter().map(|shown| shown_dict(py, shown, &request.by)).collect()
    }

    fn verify(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        py.detach(|| Opened::open(&self.place)?.verify()).or_raise()
    }
}

impl PyLedger {
    fn add_event(&self, py: Python<'_>, event: Event, how: Adding<'_>) -> PyResult<bool> {
        let add = || Opened::open(&self.place)?.add_all([event], &how);
        // The interpreter lock is released while the call waits for the disk or for other processes.
        Ok(py.detach(add).or_raise()?.added > 0)
    }
}

fn spec_of(source: &Bound<'_, PyAny>) -> PyResult<MetricSpec> {
    if let Ok(engine) = source.cast::<MetricEngine>() {
        return engine.get().spec();
    }
    match source.cast::<PyStatistics>() {
        Ok(statistics) => Ok(statistics.get().run().specs[0].clone()),
        Err(_) => Err(type_error("a state has the metric of an engine or of statistics")),
    }
}

fn time_of(time: Option<&str>) -> PyResult<Time> {
    time.map_or_else(|| Ok(Time::now()), |time| time.parse::<Time>().or_raise())
}

fn shown_dict<'py>(py: Python<'py>, shown: WindowScore, by: &[String]) -> PyResult<Bound<'py, PyDict>> {
    let WindowScore { stream, metric, labels: values, until, segments, score, .. } = shown;
    let labels = PyDict::new(py);
    by.iter().zip(values).try_for_each(|(name, value)| labels.set_item(name, value))?;
    let (score, error) = match score {
        Ok(scored) => (Some(Py::new(py, PyScore::new(scored))?), None),
        Err(error) => (None, Some(error)),
    };
    let dict = PyDict::new(py);
    dict.set_item("stream", stream)?;
    dict.set_item("metric", metric)?;
    dict.set_item("labels", labels)?;
    dict.set_item("until", until.to_string())?;
    dict.set_item("segments", segments)?;
    dict.set_item("score", score)?;
    dict.set_item("error", error)?;
    Ok(dict)
}

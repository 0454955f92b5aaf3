//! `Objects`: data that stay in Python. A metric of the library sees a text for each, which names it; a metric in Python gets
//! the object back.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Noncharacters of Unicode, which are in no text: before the name of an object, and of a whole segment.
const MARK: char = '\u{fdd0}';
const SEGMENT_MARK: char = '\u{fdd1}';

type All = HashMap<u64, Vec<Py<PyAny>>>;

/// The objects of all calls that run, by the number of the call.
static ALL: Mutex<Option<(u64, All)>> = Mutex::new(None);

fn all() -> MutexGuard<'static, Option<(u64, All)>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The objects of one call, as long as this lives.
#[pyclass(frozen, module = "bleuprint._native")]
pub(crate) struct Objects {
    call: u64,
}

#[pymethods]
impl Objects {
    #[new]
    fn new() -> Self {
        let mut guard = all();
        let (calls, objects) = guard.get_or_insert_default();
        *calls += 1;
        objects.insert(*calls, Vec::new());
        Objects { call: *calls }
    }

    /// Keeps the object; returns its text.
    fn add(&self, object: Py<PyAny>) -> String {
        let mut guard = all();
        let (_, objects) = guard.get_or_insert_default();
        let own = objects.entry(self.call).or_default();
        own.push(object);
        format!("{MARK}{}:{}", self.call, own.len() - 1)
    }
}

impl Objects {
    pub(crate) fn len(&self) -> usize {
        all().as_ref().and_then(|(_, objects)| objects.get(&self.call)).map_or(0, Vec::len)
    }

    /// The text of the whole segment at a place.
    pub(crate) fn segment(&self, place: usize) -> String {
        format!("{SEGMENT_MARK}{}:{place}", self.call)
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        let gone = all().as_mut().and_then(|(_, objects)| objects.remove(&self.call));
        // Outside the lock: the end of an object may run code of Python.
        drop(gone);
    }
}

/// The object of a text; of an empty text an empty list. None for the texts of users.
pub(crate) fn find<'py>(py: Python<'py>, text: &str) -> Option<Bound<'py, PyAny>> {
    if text.is_empty() {
        return Some(PyList::empty(py).into_any());
    }
    kept(py, text.strip_prefix(MARK)?)
}

fn kept<'py>(py: Python<'py>, name: &str) -> Option<Bound<'py, PyAny>> {
    let (call, place) = name.split_once(':')?;
    let call = call.parse::<u64>().ok()?;
    let place = place.parse::<usize>().ok()?;
    let guard = all();
    let (_, objects) = guard.as_ref()?;
    Some(objects.get(&call)?.get(place)?.bind(py).clone())
}

/// The hypothesis, the references and the source of a whole segment.
pub(crate) type Sample<'py> = (Bound<'py, PyAny>, Bound<'py, PyList>, Bound<'py, PyAny>);

/// The whole segment that a text of the laws names.
pub(crate) fn sample<'py>(py: Python<'py>, text: &str) -> Option<PyResult<Sample<'py>>> {
    kept(py, text.strip_prefix(SEGMENT_MARK)?).map(|object| object.extract())
}

/// The object as text, for fingerprints and reports: JSON if it can be written, else its `repr`.
pub(crate) fn shown(py: Python<'_>, text: &str) -> PyResult<String> {
    let Some(object) = find(py, text) else { return Ok(text.to_owned()) };
    let options = PyDict::new(py);
    options.set_item("sort_keys", true)?;
    options.set_item("default", py.import("builtins")?.getattr("repr")?)?;
    match py.import("json")?.call_method("dumps", (&object,), Some(&options)) {
        Ok(json) => json.extract(),
        Err(_) => object.repr()?.extract(),
    }
}

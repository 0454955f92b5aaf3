//! `Objects`: input that stays in Python as objects. The Rust library handles a text key in place of each
//! object, and a metric written in Python gets the object back.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Unicode noncharacters that begin the keys of Python objects (`MARK`) and of whole segments
/// (`SEGMENT_MARK`). They do not occur in ordinary text.
const MARK: char = '\u{fdd0}';
const SEGMENT_MARK: char = '\u{fdd1}';

type All = HashMap<u64, Vec<Py<PyAny>>>;

/// Number of calls so far, and the Python objects of the calls in progress, by the number of the call.
static ALL: Mutex<Option<(u64, All)>> = Mutex::new(None);

fn all() -> MutexGuard<'static, Option<(u64, All)>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Python objects that one call passes to metrics. They are released when this value is dropped.
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
        // Numbers of calls are never reused, so the key of a finished call finds no object.
        *calls += 1;
        objects.insert(*calls, Vec::new());
        Objects { call: *calls }
    }

    /// Stores a Python object, and returns a text that is its key.
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

    /// Returns the text key of the segment with this index. [`sample`] finds the segment's hypothesis,
    /// references and source by this key.
    pub(crate) fn segment(&self, place: usize) -> String {
        format!("{SEGMENT_MARK}{}:{place}", self.call)
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        let gone = all().as_mut().and_then(|(_, objects)| objects.remove(&self.call));
        // The objects are dropped outside the lock: a destructor may run Python code.
        drop(gone);
    }
}

/// Returns the Python object with this key. Returns an empty list for an empty text, and `None` if the text
/// is not a key.
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

/// Hypothesis, references and source of one segment, as Python objects.
pub(crate) type Sample<'py> = (Bound<'py, PyAny>, Bound<'py, PyList>, Bound<'py, PyAny>);

/// Finds the segment with this key and returns its hypothesis, references and source, or `None` if the text
/// is not a segment's key. Checks of metric laws (such as independence of segment order) use such keys.
pub(crate) fn sample<'py>(py: Python<'py>, text: &str) -> Option<PyResult<Sample<'py>>> {
    kept(py, text.strip_prefix(SEGMENT_MARK)?).map(|object| object.extract())
}

/// Returns a Python object, given by its key, as text for fingerprints and reports: JSON if possible,
/// otherwise its `repr`. A text that is not a key is returned unchanged.
pub(crate) fn shown(py: Python<'_>, text: &str) -> PyResult<String> {
    let Some(object) = find(py, text) else { return Ok(text.to_owned()) };
    let options = PyDict::new(py);
    // Sorted keys make the text, and so the fingerprint, independent of the order of insertion.
    options.set_item("sort_keys", true)?;
    options.set_item("default", py.import("builtins")?.getattr("repr")?)?;
    match py.import("json")?.call_method("dumps", (&object,), Some(&options)) {
        Ok(json) => json.extract(),
        Err(_) => object.repr()?.extract(),
    }
}

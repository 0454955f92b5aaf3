//! Converts a segment to the Python arguments of a metric that is written in Python.

use bleuprint::Segment;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::segments::objects::{Sample, find};

/// Kind of data that a metric written in Python takes, named by its class attribute `looks_at`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LooksAt {
    Text,
    /// Tokenized text: lists of `str` that a tokenizer made.
    Tokens,
    /// Token ids: lists of `int`.
    Ids,
    /// Python objects: numbers, any other objects, or lists of tokens that the user made. The Rust library
    /// handles a text key in place of each object.
    Objects,
}

/// Text or token sequence in Rust that can be converted to a Python object for a Python metric.
pub(super) trait SequenceLook {
    fn look<'py>(&self, py: Python<'py>, at: LooksAt) -> Option<PyResult<Bound<'py, PyAny>>>;
    fn text(&self) -> &str;
}

impl SequenceLook for str {
    fn look<'py>(&self, py: Python<'py>, at: LooksAt) -> Option<PyResult<Bound<'py, PyAny>>> {
        match at {
            LooksAt::Objects => find(py, self).map(Ok),
            _ => Some(self.into_pyobject(py).map(Bound::into_any).map_err(Into::into)),
        }
    }
    fn text(&self) -> &str {
        self
    }
}

impl SequenceLook for [&str] {
    fn look<'py>(&self, py: Python<'py>, at: LooksAt) -> Option<PyResult<Bound<'py, PyAny>>> {
        if at != LooksAt::Ids {
            return Some(PyList::new(py, self).map(Bound::into_any));
        }
        // Ids are handed over as tokens of decimal digits.
        let ids = self.iter().map(|id| id.parse().ok()).collect::<Option<Vec<u32>>>()?;
        Some(PyList::new(py, ids).map(Bound::into_any))
    }
    fn text(&self) -> &str {
        ""
    }
}

/// Arguments of a call to a Python metric for several segments: hypotheses, references, and sources if the
/// metric takes them.
pub(super) struct Arguments<'py> {
    pub(super) hypotheses: Vec<Bound<'py, PyAny>>,
    pub(super) references: Vec<Bound<'py, PyAny>>,
    pub(super) sources: Vec<Bound<'py, PyAny>>,
}

pub(super) type Parts<'py> = (Bound<'py, PyAny>, Bound<'py, PyList>, Option<Bound<'py, PyAny>>);

/// Returns the Python arguments for a segment that a check of metric laws drew at random. Real references of
/// the user's segment replace the random references.
pub(super) fn drawn<'py, S: SequenceLook + ?Sized>(
    (hypothesis, own, source): &Sample<'py>,
    segment: &Segment<'_, S>,
) -> PyResult<Parts<'py>> {
    let references = PyList::empty(own.py());
    if own.is_empty() {
        return Ok((hypothesis.clone(), references, segment.source.map(|_| source.clone())));
    }
    for reference in segment.references {
        // The key of a segment ends with its number, which selects the reference.
        let place = reference.text().rsplit(':').next().and_then(|place| place.parse::<usize>().ok());
        references.append(own.get_item(place.unwrap_or(0) % own.len())?)?;
    }
    Ok((hypothesis.clone(), references, segment.source.map(|_| source.clone())))
}

//! `Ids`: sequences of token ids, converted once from an array, for use as hypotheses or references.

use bleuprint_core::counted;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::value;
use crate::segments::lists::Ids;
use crate::values::count::ListedItems;

/// Sequences of token ids, created by the Python function `bleuprint.ids`.
#[pyclass(frozen, module = "bleuprint", name = "Ids")]
pub(crate) struct IdSequences {
    pub(crate) list: Ids,
}

type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>, Vec<usize>));

#[pymethods]
impl IdSequences {
    fn __len__(&self) -> usize {
        self.list.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<Vec<u32>> {
        let at = if index < 0 { index + self.list.len() as isize } else { index };
        match usize::try_from(at).ok().filter(|at| *at < self.list.len()) {
            Some(at) => Ok(self.list.get(at).to_vec()),
            None => Err(pyo3::exceptions::PyIndexError::new_err(format!(
                "{index} of {} sequences of ids",
                self.list.len()
            ))),
        }
    }

    fn __repr__(&self) -> String {
        let list = self.list.len();
        let ids = self.list.data().len();
        format!("Ids({}, {})", counted(list, "sequence"), counted(ids, "id"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        // Little-endian bytes, so that a pickle is the same on every platform.
        let bytes: Vec<u8> = self.list.data().iter().flat_map(|id| id.to_le_bytes()).collect();
        let restore = py.import("bleuprint._native")?.getattr("restore_ids")?;
        Ok((restore, (PyBytes::new(py, &bytes), self.list.ends().to_vec())))
    }
}

#[pyfunction]
pub(crate) fn restore_ids(bytes: &[u8], ends: ListedItems<usize>) -> PyResult<IdSequences> {
    let flat: Vec<u32> =
        bytes.chunks_exact(4).map(|id| id.first_chunk().map_or(0, |id| u32::from_le_bytes(*id))).collect();
    let mut list = Ids::default();
    let mut from = 0;
    for end in ends.0 {
        list.push(flat.get(from..end).ok_or_else(|| value("the ends of these ids do not fit them"))?);
        from = end;
    }
    Ok(IdSequences { list })
}

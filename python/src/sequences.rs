//! `Ids`: sequences of ids, made from an array once, for use as hypotheses or references.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

use crate::buffer::{self, Filter};
use crate::count::Listed;
use crate::errors::{type_error, value};
use crate::lists::Ids;
use crate::read::{Place, Sequences, sequences};

/// Sequences of ids; made by `bleuprint.ids`.
#[pyclass(frozen, module = "bleuprint", name = "Ids")]
pub(crate) struct IdSequences {
    list: Ids,
}

impl IdSequences {
    pub(crate) fn list(&self) -> &Ids {
        &self.list
    }
}

/// The pickled form: a function and its arguments.
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
        format!("Ids({} sequences, {} ids)", self.list.len(), self.list.data().len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let bytes: Vec<u8> = self.list.data().iter().flat_map(|id| id.to_le_bytes()).collect();
        let restore = py.import("bleuprint._native")?.getattr("restore_ids")?;
        Ok((restore, (PyBytes::new(py, &bytes), self.list.ends().to_vec())))
    }
}

/// Sequences of ids from the output of `Ids.__reduce__`.
#[pyfunction]
pub(crate) fn restore_ids(bytes: &[u8], ends: Listed<usize>) -> PyResult<IdSequences> {
    let flat: Vec<u32> =
        bytes.chunks_exact(4).map(|id| id.first_chunk().map_or(0, |id| u32::from_le_bytes(*id))).collect();
    let (mut list, mut from) = (Ids::default(), 0);
    for end in ends.0 {
        list.push(flat.get(from..end).ok_or_else(|| value("the ends of these ids do not fit them"))?);
        from = end;
    }
    Ok(IdSequences { list })
}

/// See `bleuprint.ids`.
#[pyfunction]
#[pyo3(signature = (array, offsets=None, lengths=None, pad_id=None, eos_id=None, name="array"))]
pub(crate) fn ids(
    array: &Bound<'_, PyAny>,
    offsets: Option<&Bound<'_, PyAny>>,
    lengths: Option<&Bound<'_, PyAny>>,
    pad_id: Option<&Bound<'_, PyAny>>,
    eos_id: Option<&Bound<'_, PyAny>>,
    name: &str,
) -> PyResult<IdSequences> {
    let place = Place::of(name);
    let filter = Filter { pad: special("pad_id", pad_id)?, eos: special("eos_id", eos_id)? };
    let offsets = offsets.map(|offsets| sizes("offsets", offsets)).transpose()?;
    let lengths = lengths.map(|lengths| sizes("lengths", lengths)).transpose()?;
    if offsets.is_some() && lengths.is_some() {
        return Err(value("offsets cut an array of one dimension, lengths one of two: give one of them"));
    }
    if !array.is_instance_of::<PyList>()
        && !array.is_instance_of::<PyTuple>()
        && let Some(read) = buffer::read(array, place)?
    {
        let list = match offsets {
            Some(offsets) => read.pieces(&offsets, &filter, place)?,
            None if lengths.is_none() && filter.pad.is_empty() && filter.eos.is_empty() => {
                read.rows(place)?
            }
            None => read.filtered(lengths.as_deref(), &filter, place)?,
        };
        return Ok(IdSequences { list });
    }
    if offsets.is_some() || lengths.is_some() {
        return Err(type_error("offsets and lengths are for arrays; of a list, every item is a sequence"));
    }
    let Sequences::Ids(all) = sequences(array, place)? else {
        return Err(type_error(format!("{name} holds text, but must hold ids")));
    };
    let mut list = Ids::default();
    for sequence in all.iter() {
        let kept = sequence.iter().take_while(|id| !filter.eos.contains(&i64::from(**id)));
        list.data_mut().extend(kept.filter(|id| !filter.pad.contains(&i64::from(**id))));
        list.end();
    }
    Ok(IdSequences { list })
}

/// One id or several, for `pad_id` and `eos_id`. They may be negative, like ignored labels.
fn special(name: &str, object: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<i64>> {
    let Some(object) = object else { return Ok(Vec::new()) };
    let read = object
        .extract::<i64>()
        .map(|id| vec![id])
        .or_else(|_| object.extract::<Listed<i64>>().map(|ids| ids.0));
    read.map_err(|_| type_error(format!("{name} must be an int or a list of int")))
}

fn sizes(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    if let Ok(Listed(list)) = object.extract::<Listed<i64>>() {
        let size = |(at, size): (usize, &i64)| {
            usize::try_from(*size)
                .map_err(|_| value(format!("{name}[{at}] is {size}, but must be at least 0")))
        };
        return list.iter().enumerate().map(size).collect();
    }
    match buffer::read(object, Place::of(name))? {
        Some(array) => array.sizes(Place::of(name)),
        None => Err(type_error(format!("{name} must be a list of int or an integer array"))),
    }
}

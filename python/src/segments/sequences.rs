//! Implements `bleuprint.ids`, which makes sequences of token ids from an array with padding, lengths or
//! offsets.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::{type_error, value};
use crate::segments::ids::IdSequences;
use crate::segments::lists::{Ids, ListSequences};
use crate::segments::read::{is_bool, items, push_id, push_ids, sequences};
use crate::values::buffer::{self, BufferFilter};
use crate::values::count::ListedItems;
use crate::values::place::ValuePlace;

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
    let place = ValuePlace::new(name);
    let filter = BufferFilter { pad: special("pad_id", pad_id)?, eos: special("eos_id", eos_id)? };
    let offsets = offsets.map(|offsets| sizes("offsets", offsets)).transpose()?;
    let lengths = lengths.map(|lengths| sizes("lengths", lengths)).transpose()?;
    if offsets.is_some() && lengths.is_some() {
        return Err(value("offsets cut an array of one dimension, lengths one of two: give one of them"));
    }
    // Lists, tuples and arrays of objects are read item by item below: their rows may differ in length.
    let rows = items(array).transpose()?;
    if rows.is_none()
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
    if let Some(rows) = rows {
        return filtered_rows(&rows, &filter, place);
    }
    let ListSequences::Ids(all) = sequences(array, place)? else {
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

/// Reads a list of sequences of ids, which are lists or arrays. Padding is dropped before ids are checked, since it
/// is often negative.
fn filtered_rows(
    rows: &[Bound<'_, PyAny>],
    filter: &BufferFilter,
    place: ValuePlace<'_>,
) -> PyResult<IdSequences> {
    let mut list = Ids::default();
    let is_plain = filter.pad.is_empty() && filter.eos.is_empty();
    for (row, sequence) in rows.iter().enumerate() {
        let place = place.at(row);
        let ids = if is_plain { None } else { items(sequence).transpose()? };
        if let Some(ids) = ids {
            for (at, id) in ids.iter().enumerate() {
                // A value that is no integer of 64 bits is no padding, so that `push_id` explains it.
                match id.extract::<i64>() {
                    Ok(special) if !is_bool(id) && filter.eos.contains(&special) => break,
                    Ok(special) if !is_bool(id) && filter.pad.contains(&special) => {}
                    _ => push_id(list.data_mut(), id, place, at)?,
                }
            }
            list.end();
        } else if is_plain || sequence.is_instance_of::<PyString>() {
            push_ids(&mut list, sequence, place)?;
        } else {
            match buffer::read(sequence, place)? {
                Some(array) => array.push_filtered(&mut list, filter, place)?,
                None => push_ids(&mut list, sequence, place)?,
            }
        }
    }
    Ok(IdSequences { list })
}

/// Reads one or several token ids from the argument `pad_id` or `eos_id`. They may be negative, like the
/// label -100 that training ignores.
fn special(name: &str, object: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<i64>> {
    let Some(object) = object else { return Ok(Vec::new()) };
    let read = object
        .extract::<i64>()
        .map(|id| vec![id])
        .or_else(|_| object.extract::<ListedItems<i64>>().map(|ids| ids.0));
    read.map_err(|_| type_error(format!("{name} must be an int or a list of int")))
}

fn sizes(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    if let Ok(ListedItems(list)) = object.extract::<ListedItems<i64>>() {
        let size = |(at, size): (usize, &i64)| {
            usize::try_from(*size)
                .map_err(|_| value(format!("{name}[{at}] is {size}, but must be at least 0")))
        };
        return list.iter().enumerate().map(size).collect();
    }
    match buffer::read(object, ValuePlace::new(name))? {
        Some(array) => array.sizes(ValuePlace::new(name)),
        None => Err(type_error(format!("{name} must be a list of int or an integer array"))),
    }
}

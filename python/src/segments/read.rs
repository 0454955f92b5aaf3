//! Reads texts and token ids from Python objects: lists of strings, lists of ids, arrays and Arrow data. The
//! type of an object decides how it is read; an unsupported type is an error with its location.

use std::borrow::Cow;
use std::fmt::Display;

use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyDictValues, PyFloat, PyInt, PyIterator, PyList, PyMemoryView, PySequence, PyString, PyTuple,
};

use crate::errors::{is_refusal, type_error, value};
use crate::segments::ids::IdSequences;
use crate::segments::lists::{Ids, ListSequences, Texts};
use crate::values::arrow::{self, ArrowColumn};
use crate::values::buffer;
use crate::values::place::{ValuePlace, type_name, wrong};

const LIST: &str = "a list of str, a list of lists of int, an integer array of two dimensions, `bleuprint.ids(..)` or an \
                    Arrow array";

/// Converts a generator, another iterator or `dict.values()` to a list, so that it can be read more than
/// once. Does the same for such items of a list. Returns other objects unchanged, even sets, because they
/// have no order.
#[pyfunction]
pub(crate) fn held<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let whole = once(object).transpose()?.unwrap_or_else(|| object.clone());
    let Ok(list) = whole.cast::<PyList>() else { return Ok(whole) };
    if !list.iter().any(|item| is_once(&item)) {
        return Ok(whole);
    }
    let items = list.iter().map(|item| once(&item).unwrap_or(Ok(item)));
    Ok(PyList::new(object.py(), items.collect::<PyResult<Vec<_>>>()?)?.into_any())
}

/// Returns `true` if the object can be iterated only once or is `dict.values()`. Returns `false` for an Arrow
/// stream.
pub(crate) fn is_once(object: &Bound<'_, PyAny>) -> bool {
    let is_values = || object.is_instance_of::<PyDictValues>();
    // Most items are texts, so this quick test is first.
    !object.is_exact_instance_of::<PyString>()
        && (object.cast::<PyIterator>().is_ok() || is_values())
        && !object.hasattr("__arrow_c_stream__").unwrap_or(true)
}

fn once<'py>(object: &Bound<'py, PyAny>) -> Option<PyResult<Bound<'py, PyAny>>> {
    is_once(object).then(|| list_of(object))
}

fn list_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    object.py().get_type::<PyList>().call1((object,))
}

/// Returns the items of a list, a tuple, an iterator or another sequence, such as a column of Hugging Face
/// datasets. A NumPy or pandas column of objects or strings is converted to a list. Returns `None` for a
/// `str`, an array of numbers, and other objects.
pub(crate) fn items<'py>(object: &Bound<'py, PyAny>) -> Option<PyResult<Vec<Bound<'py, PyAny>>>> {
    if let Ok(list) = object.cast::<PyList>() {
        return Some(Ok(list.iter().collect()));
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return Some(Ok(tuple.iter().collect()));
    }
    let list = match column(object) {
        Some(column) => column.call_method0("tolist"),
        None if is_once(object) || is_sequence(object) => list_of(object),
        None => return None,
    };
    Some(list.and_then(|list| Ok(list.cast_into::<PyList>()?.iter().collect())))
}

/// Returns `true` if the object is registered as `collections.abc.Sequence`, but is neither a `str` nor an
/// array.
fn is_sequence(object: &Bound<'_, PyAny>) -> bool {
    let array = ["__arrow_c_array__", "__arrow_c_stream__", "__dlpack__"];
    object.cast::<PySequence>().is_ok()
        && !object.is_instance_of::<PyString>()
        && PyMemoryView::from(object).is_err()
        && !array.iter().any(|name| object.hasattr(*name).unwrap_or(true))
}

/// Returns the object if it is a one-dimensional NumPy or pandas array of objects or strings, else `None`.
fn column<'a, 'py>(object: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, PyAny>> {
    let kind: String = object.getattr_opt("dtype").ok()??.getattr_opt("kind").ok()??.extract().ok()?;
    let one_dimension = object.getattr_opt("ndim").ok()??.extract::<usize>().is_ok_and(|ndim| ndim == 1);
    // NumPy's codes of types: object, fixed-width text, and text of variable width.
    (matches!(&*kind, "O" | "U" | "T") && one_dimension).then_some(object)
}

pub(crate) fn push_text(texts: &mut Texts, object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<()> {
    let Ok(given) = object.cast::<PyString>() else { return Err(wrong(place, object, "a str")) };
    texts.push(&whole(given, &place)?);
    Ok(())
}

/// Converts a Python `str` to a Rust string. A `str` with a lone surrogate is an error, because it has no
/// UTF-8.
pub(crate) fn text(given: &Bound<'_, PyString>, place: &impl Display) -> PyResult<String> {
    whole(given, place).map(Cow::into_owned)
}

fn whole<'a>(given: &'a Bound<'_, PyString>, place: &impl Display) -> PyResult<Cow<'a, str>> {
    given.to_cow().map_err(|_| {
        let at = first_surrogate(given)
            .map_or_else(String::new, |(at, code)| format!(" U+{code:04X} at character {at}"));
        value(format!("{place} is no text: it has a lone surrogate{at}"))
    })
}

fn first_surrogate(text: &Bound<'_, PyAny>) -> Option<(usize, u32)> {
    for (at, character) in text.try_iter().ok()?.enumerate() {
        let code: u32 = text
            .py()
            .import("builtins")
            .ok()?
            .getattr("ord")
            .ok()?
            .call1((character.ok()?,))
            .ok()?
            .extract()
            .ok()?;
        if (0xD800..0xE000).contains(&code) {
            return Some((at, code));
        }
    }
    None
}

/// Returns `true` for a Python or NumPy bool. Old versions of NumPy treat bools as integers.
pub(crate) fn is_bool(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyBool>() || matches!(&*type_name(object), "bool" | "bool_")
}

pub(crate) fn push_id(
    ids: &mut Vec<u32>,
    object: &Bound<'_, PyAny>,
    place: ValuePlace<'_>,
    at: usize,
) -> PyResult<()> {
    // Most items are exactly `int`, and a bool is not, so this fast test is first.
    if !object.is_exact_instance_of::<PyInt>() && is_bool(object) {
        return Err(type_error(format!("{place}[{at}] is a bool, but must be an int")));
    }
    match object.extract::<u32>() {
        Ok(id) => {
            ids.push(id);
            return Ok(());
        }
        // An exception that `__index__` itself raised is passed on.
        Err(error) if !is_refusal(&error, object.py()) => return Err(error),
        Err(_) => {}
    }
    let text = object.str().map_or_else(|_| "?".to_owned(), |text| text.to_string());
    // An object with `__index__` is an integer that is out of range. Floats, NaN included, have the wrong
    // type.
    if object.hasattr("__index__")? {
        return Err(buffer::out_of_range(&format!("{place}[{at}]"), &text));
    }
    Err(type_error(format!("{place}[{at}] is {} ({text}), but must be an int", type_name(object))))
}

/// Reads one sequence of token ids from Python, a list of ints or a one-dimensional array, and appends it to
/// `ids`.
pub(crate) fn push_ids(ids: &mut Ids, object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<()> {
    if let Some(items) = items(object) {
        for (at, item) in items?.iter().enumerate() {
            push_id(ids.data_mut(), item, place, at)?;
        }
        ids.end();
        return Ok(());
    }
    match buffer::read(object, place)? {
        Some(array) => {
            let [_] = array.shape[..] else {
                let dimensions = array.shape.len();
                return Err(value(format!(
                    "{place} has {dimensions} dimensions, but one sequence of ids has one"
                )));
            };
            array.append(ids.data_mut(), place)?;
            ids.end();
            Ok(())
        }
        None => Err(wrong(place, object, "a list of int or an integer array")),
    }
}

/// Reads a list with one text or one id sequence for each segment.
pub(crate) fn sequences(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<ListSequences> {
    if let Ok(ids) = object.cast::<IdSequences>() {
        return Ok(ListSequences::Ids(ids.get().list.clone()));
    }
    if let Some(items) = items(object) {
        let items = items?;
        // The first item decides the kind. An empty list is read as texts, and is accepted as ids too.
        let is_text = |first: &Bound<'_, PyAny>| {
            // NaN is a text that is missing, as columns of pandas have it.
            first.is_instance_of::<PyString>() || first.is_none() || first.is_exact_instance_of::<PyFloat>()
        };
        if items.first().is_none_or(is_text) {
            let mut texts = Texts::default();
            for (index, item) in items.iter().enumerate() {
                push_text(&mut texts, item, place.at(index))?;
            }
            return Ok(ListSequences::Texts(texts));
        }
        if items.first().is_some_and(is_id) {
            return Err(type_error(format!(
                "{place} is one sequence of ids, but must be a list of them: one for each segment. If the numbers are \
                 labels or answers, give each as text, as in [str(one) for one in ..]"
            )));
        }
        let mut ids = Ids::default();
        for (index, item) in items.iter().enumerate() {
            if item.is_instance_of::<PyString>() {
                return Err(wrong(place.at(index), item, "a list of int, as those before it"));
            }
            push_ids(&mut ids, item, place.at(index))?;
        }
        return Ok(ListSequences::Ids(ids));
    }
    match arrow::read(object, place)? {
        Some(ArrowColumn { items, ends: None }) => return Ok(items),
        Some(_) => {
            return Err(type_error(format!(
                "{place} is a list of lists of Arrow, but must have one sequence for each segment"
            )));
        }
        None => {}
    }
    match buffer::read(object, place)? {
        Some(array) => Ok(ListSequences::Ids(array.rows(place)?)),
        None => Err(wrong(place, object, LIST)),
    }
}

pub(crate) fn is_id(object: &Bound<'_, PyAny>) -> bool {
    object.hasattr("__index__").unwrap_or(false) && object.extract::<i128>().is_ok()
}

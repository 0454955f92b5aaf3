//! Reads columns of numbers, words or ids from Python. A column is a list, a one-dimensional array, a data
//! frame column or an Arrow array. Errors name the bad value by its index.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{ArrowPrimitiveType, Float16Type, Float32Type, Float64Type};
use arrow_array::{Array as _, ArrayRef, downcast_integer};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};

use crate::errors::{is_refusal, type_error, value};
use crate::segments::read::items;
use crate::values::arrow;
use crate::values::place::{ValuePlace, type_name, wrong};

/// One value of a column that was read from Python.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ColumnCell {
    /// Missing value: `None`, an Arrow null, or pandas' `NA`.
    Missing,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(String),
}

pub(crate) fn cells(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<Vec<ColumnCell>> {
    if let Some(list) = array(object, place)? {
        return of_list(&list, place);
    }
    if let Some(chunks) = arrow::chunks(object, place)? {
        let mut cells = Vec::new();
        chunks.iter().try_for_each(|chunk| of_arrow(chunk, &mut cells, place))?;
        return Ok(cells);
    }
    match items(object) {
        Some(list) => of_list(&list?, place),
        None => Err(wrong(place, object, "a list, an array of one dimension or an Arrow array")),
    }
}

/// Reads a column of numbers from Python. `True` is read as 1 and `False` as 0; missing values and NaN become
/// `None`.
pub(crate) fn numbers(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<Vec<Option<f64>>> {
    let number = |(at, cell)| match cell {
        ColumnCell::Missing => Ok(None),
        ColumnCell::Bool(truth) => Ok(Some(f64::from(u8::from(truth)))),
        ColumnCell::Integer(integer) => Ok(Some(integer as f64)),
        ColumnCell::Float(float) => Ok(Some(float).filter(|float| !float.is_nan())),
        ColumnCell::Text(text) => {
            Err(type_error(format!("{} is a str (`{text}`), but must be a number", place.at(at))))
        }
    };
    cells(object, place)?.into_iter().enumerate().map(number).collect()
}

/// Reads a column of strings from Python. Integers become decimal digits; missing values become `None`.
pub(crate) fn words(object: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<Vec<Option<String>>> {
    let word = |(at, cell)| {
        let refused =
            |what: &str| type_error(format!("{} is {what}, but must be a str or an int", place.at(at)));
        match cell {
            ColumnCell::Missing => Ok(None),
            ColumnCell::Integer(integer) => Ok(Some(integer.to_string())),
            ColumnCell::Text(text) => Ok(Some(text)),
            // A bool or float as an id is likely a mistake: pandas turns integer columns with gaps into
            // floats.
            ColumnCell::Bool(_) => Err(refused("a bool")),
            ColumnCell::Float(float) => Err(refused(&format!("a float ({float})"))),
        }
    };
    cells(object, place)?.into_iter().enumerate().map(word).collect()
}

/// Returns the items of a NumPy, pandas or PyTorch array as Python objects, with `None` for masked items.
/// Returns `None` if `object` is not such an array.
fn array<'py>(object: &Bound<'py, PyAny>, place: ValuePlace<'_>) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
    if !object.hasattr("tolist")? {
        return Ok(None);
    }
    if let Some(shape) =
        object.getattr_opt("shape")?.and_then(|shape| shape.len().ok()).filter(|&shape| shape != 1)
    {
        return Err(value(format!("{place} has {shape} dimensions, but a column has one")));
    }
    // `tolist` gives `None` for masked items, and keeps the missing values of pandas.
    let list = object.call_method0("tolist")?;
    items(&list).transpose()
}

fn of_list(items: &[Bound<'_, PyAny>], place: ValuePlace<'_>) -> PyResult<Vec<ColumnCell>> {
    items.iter().enumerate().map(|(at, item)| cell(item, place.at(at))).collect()
}

fn cell(item: &Bound<'_, PyAny>, place: ValuePlace<'_>) -> PyResult<ColumnCell> {
    if item.is_none() || type_name(item) == "NAType" {
        return Ok(ColumnCell::Missing);
    }
    if let Ok(text) = item.cast::<PyString>() {
        let text =
            text.to_cow().map_err(|_| value(format!("{place} is no text: it has a lone surrogate")))?;
        return Ok(ColumnCell::Text(text.into_owned()));
    }
    // A bool is an int in Python, so it is tested first.
    if item.is_instance_of::<PyBool>() || matches!(&*type_name(item), "bool" | "bool_") {
        return item.is_truthy().map(ColumnCell::Bool);
    }
    // NumPy integers are not instances of `int`, but have `__index__`.
    if item.is_instance_of::<PyInt>() || !item.is_instance_of::<PyFloat>() && item.hasattr("__index__")? {
        // Only a refusal of the type is replaced; exceptions of user code such as KeyboardInterrupt pass
        // through.
        let refused = |error: PyErr| {
            if is_refusal(&error, item.py()) {
                value(format!("{place} is an int beyond 128 bits"))
            } else {
                error
            }
        };
        return item.extract::<i128>().map(ColumnCell::Integer).map_err(refused);
    }
    match item.extract::<f64>() {
        Ok(float) => Ok(ColumnCell::Float(float)),
        Err(error) if !is_refusal(&error, item.py()) => Err(error),
        Err(_) => Err(wrong(place, item, "a number, a str or None")),
    }
}

pub(crate) fn of_arrow(chunk: &ArrayRef, cells: &mut Vec<ColumnCell>, place: ValuePlace<'_>) -> PyResult<()> {
    fn primitive<T: ArrowPrimitiveType>(
        chunk: &ArrayRef,
        cells: &mut Vec<ColumnCell>,
        cell: impl Fn(T::Native) -> ColumnCell,
    ) {
        cells.extend(chunk.as_primitive::<T>().iter().map(|item| item.map_or(ColumnCell::Missing, &cell)));
    }
    fn texts<'t>(cells: &mut Vec<ColumnCell>, texts: impl Iterator<Item = Option<&'t str>>) {
        cells.extend(
            texts.map(|text| text.map_or(ColumnCell::Missing, |text| ColumnCell::Text(text.to_owned()))),
        );
    }
    macro_rules! integers {
        ($Type:ty) => {
            primitive::<$Type>(chunk, cells, |item| ColumnCell::Integer(i128::from(item)))
        };
    }
    downcast_integer! {
        chunk.data_type() => (integers),
        DataType::Null => cells.extend((0..chunk.len()).map(|_| ColumnCell::Missing)),
        DataType::Boolean => {
            cells.extend(chunk.as_boolean().iter().map(|item| item.map_or(ColumnCell::Missing, ColumnCell::Bool)));
        }
        DataType::Float16 => primitive::<Float16Type>(chunk, cells, |item| ColumnCell::Float(item.to_f64())),
        DataType::Float32 => primitive::<Float32Type>(chunk, cells, |item| ColumnCell::Float(f64::from(item))),
        DataType::Float64 => primitive::<Float64Type>(chunk, cells, ColumnCell::Float),
        DataType::Utf8 => texts(cells, chunk.as_string::<i32>().iter()),
        DataType::LargeUtf8 => texts(cells, chunk.as_string::<i64>().iter()),
        DataType::Utf8View => texts(cells, chunk.as_string_view().iter()),
        DataType::Dictionary(..) => {
            let Some(dictionary) = chunk.as_any_dictionary_opt() else {
                return Err(type_error(format!("{place} has a chunk of {}", chunk.data_type())));
            };
            let mut values = Vec::new();
            of_arrow(dictionary.values(), &mut values, place)?;
            let keys = dictionary.normalized_keys();
            for (at, key) in keys.into_iter().enumerate() {
                let cell = if chunk.is_null(at) { None } else { values.get(key).cloned() };
                cells.push(cell.unwrap_or(ColumnCell::Missing));
            }
        }
        DataType::Struct(_) => {
            return Err(type_error(format!("{place} is an Arrow table: give one of its columns")));
        }
        other => {
            return Err(type_error(format!(
                "{place} is an Arrow array of {other}, but must hold numbers, truths or strings"
            )));
        }
    }
    Ok(())
}

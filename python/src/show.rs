//! Results as notebooks show them, and as data frames. What a row has is said in `bleuprint/_shown.py`, for both.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{Field, Schema};
use bleuprint::report::{Grid, forest as picture};
use pyo3::prelude::*;

use crate::cells::{Cell, cells};
use crate::count::Listed;
use crate::errors::{type_error, value};
use crate::place::Place;
use crate::tables::Table;

/// A result as an object of that module: a dict or a list that notebooks show and data frames take.
pub(crate) fn shown<'py, A>(py: Python<'py>, name: &str, arguments: A) -> PyResult<Bound<'py, PyAny>>
where
    A: pyo3::call::PyCallArgs<'py>,
{
    py.import("bleuprint._shown")?.getattr(name)?.call1(arguments)
}

#[pyfunction]
pub(crate) fn html_table(header: Vec<String>, rows: Listed<Vec<String>>) -> String {
    Grid { header, rows: rows.0 }.html()
}

/// Intervals as a picture: name, middle, lower and upper end of each, and the value of a line through all.
#[pyfunction]
#[pyo3(signature = (rows, mark=None))]
pub(crate) fn forest(rows: Listed<(String, f64, f64, f64)>, mark: Option<f64>) -> String {
    let rows: Vec<(&str, [f64; 3])> =
        rows.0.iter().map(|(name, middle, low, high)| (name.as_str(), [*middle, *low, *high])).collect();
    picture(&rows, mark)
}

/// Columns of numbers, truths or texts as a table of Arrow.
#[pyfunction]
pub(crate) fn frame(columns: Listed<(String, Bound<'_, PyAny>)>) -> PyResult<Table> {
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for (name, column) in &columns.0 {
        let array = array(name, &cells(column, Place::of(name))?)?;
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(value)?;
    Ok(Table::of(batch))
}

/// By the first cell that is there; numbers are floats if one of them is. A column without any is of texts.
fn array(name: &str, cells: &[Cell]) -> PyResult<ArrayRef> {
    let is_float = cells.iter().any(|cell| matches!(cell, Cell::Float(_)));
    let other = || type_error(format!("the column {name} has values of two types"));
    fn of<T>(cells: &[Cell], item: impl Fn(&Cell) -> Option<T>) -> Option<Vec<Option<T>>> {
        cells
            .iter()
            .map(|cell| if *cell == Cell::Missing { Some(None) } else { item(cell).map(Some) })
            .collect()
    }
    let array: Option<ArrayRef> = match cells.iter().find(|cell| **cell != Cell::Missing) {
        Some(Cell::Bool(_)) => {
            of(cells, |cell| if let Cell::Bool(truth) = cell { Some(*truth) } else { None })
                .map(|cells| Arc::new(BooleanArray::from(cells)) as _)
        }
        Some(Cell::Integer(_) | Cell::Float(_)) if is_float => of(cells, |cell| match cell {
            Cell::Float(float) => Some(*float),
            Cell::Integer(integer) => Some(*integer as f64),
            _ => None,
        })
        .map(|cells| Arc::new(Float64Array::from(cells)) as _),
        Some(Cell::Integer(_) | Cell::Float(_)) => of(cells, |cell| match cell {
            Cell::Integer(integer) => i64::try_from(*integer).ok(),
            _ => None,
        })
        .map(|cells| Arc::new(Int64Array::from(cells)) as _),
        _ => of(cells, |cell| if let Cell::Text(text) = cell { Some(text.clone()) } else { None })
            .map(|cells| Arc::new(StringArray::from(cells)) as _),
    };
    array.ok_or_else(other)
}

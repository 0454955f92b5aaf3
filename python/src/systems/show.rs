//! Converts results to objects that notebooks display and data frames accept. `bleuprint/_shown.py` defines
//! their columns.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{Field, Schema};
use bleuprint::report::{CellGrid, forest as picture};
use pyo3::prelude::*;

use crate::errors::{type_error, value};
use crate::tables::CountTable;
use crate::values::cells::{ColumnCell, cells};
use crate::values::count::ListedItems;
use crate::values::place::ValuePlace;

/// Returns a result as an object of the class `name` in `bleuprint._shown`: a dict or a list that notebooks
/// show and data frames accept.
pub(crate) fn shown<'py, A>(py: Python<'py>, name: &str, arguments: A) -> PyResult<Bound<'py, PyAny>>
where
    A: pyo3::call::PyCallArgs<'py>,
{
    py.import("bleuprint._shown")?.getattr(name)?.call1(arguments)
}

#[pyfunction]
pub(crate) fn html_table(header: Vec<String>, rows: ListedItems<Vec<String>>) -> String {
    CellGrid { header, rows: rows.0 }.html()
}

/// Draws confidence intervals as a text forest plot. Each row has a name, middle, lower and upper end; `mark`
/// is the value of a vertical line through all rows.
#[pyfunction]
#[pyo3(signature = (rows, mark=None))]
pub(crate) fn forest(rows: ListedItems<(String, f64, f64, f64)>, mark: Option<f64>) -> String {
    let rows: Vec<(&str, [f64; 3])> =
        rows.0.iter().map(|(name, middle, low, high)| (name.as_str(), [*middle, *low, *high])).collect();
    picture(&rows, mark)
}

/// Returns an Arrow table with these named columns of numbers, bools or texts.
#[pyfunction]
pub(crate) fn frame(columns: ListedItems<(String, Bound<'_, PyAny>)>) -> PyResult<CountTable> {
    let mut fields = Vec::new();
    let mut arrays = Vec::new();
    for (name, column) in &columns.0 {
        let array = array(name, &cells(column, ValuePlace::new(name))?)?;
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(value)?;
    Ok(CountTable::from_batch(batch))
}

/// Converts a column of Python values to an Arrow array. The first value that is not missing decides the
/// type. Numbers are floats if any number is a float; a column without values has type text.
fn array(name: &str, cells: &[ColumnCell]) -> PyResult<ArrayRef> {
    let is_float = cells.iter().any(|cell| matches!(cell, ColumnCell::Float(_)));
    let other = || type_error(format!("the column {name} has values of two types"));
    fn column<T>(cells: &[ColumnCell], item: impl Fn(&ColumnCell) -> Option<T>) -> Option<Vec<Option<T>>> {
        cells
            .iter()
            .map(|cell| if *cell == ColumnCell::Missing { Some(None) } else { item(cell).map(Some) })
            .collect()
    }
    let array: Option<ArrayRef> = match cells.iter().find(|cell| **cell != ColumnCell::Missing) {
        Some(ColumnCell::Bool(_)) => {
            column(cells, |cell| if let ColumnCell::Bool(truth) = cell { Some(*truth) } else { None })
                .map(|cells| Arc::new(BooleanArray::from(cells)) as _)
        }
        Some(ColumnCell::Integer(_) | ColumnCell::Float(_)) if is_float => column(cells, |cell| match cell {
            ColumnCell::Float(float) => Some(*float),
            ColumnCell::Integer(integer) => Some(*integer as f64),
            _ => None,
        })
        .map(|cells| Arc::new(Float64Array::from(cells)) as _),
        Some(ColumnCell::Integer(_) | ColumnCell::Float(_)) => column(cells, |cell| match cell {
            ColumnCell::Integer(integer) => i64::try_from(*integer).ok(),
            _ => None,
        })
        .map(|cells| Arc::new(Int64Array::from(cells)) as _),
        _ => column(cells, |cell| if let ColumnCell::Text(text) = cell { Some(text.clone()) } else { None })
            .map(|cells| Arc::new(StringArray::from(cells)) as _),
    };
    array.ok_or_else(other)
}

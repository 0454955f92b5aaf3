//! `Table`: a table of per-segment counts, which other programs read through the Arrow PyCapsule interface.

use std::ffi::CStr;

use arrow_array::ffi::FFI_ArrowArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array as _, RecordBatch, RecordBatchIterator, StructArray};
use arrow_schema::ffi::FFI_ArrowSchema;
use bleuprint_core::counted;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::errors::value;
use crate::values::cells::{ColumnCell, of_arrow};
use crate::values::place::ValuePlace;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// Table of per-segment counts, with one row for each segment: the columns `key` and `check` identify the
/// metric, and then the metric's counts follow.
///
/// Anything that reads Arrow takes the table without a copy: `pyarrow.table(..)`, `polars.DataFrame(..)`,
/// DuckDB, pandas.
#[pyclass(frozen, module = "bleuprint", name = "Table")]
pub(crate) struct CountTable {
    pub(super) batch: RecordBatch,
}

impl CountTable {
    pub(crate) fn from_batch(batch: RecordBatch) -> Self {
        CountTable { batch }
    }
}

#[pymethods]
impl CountTable {
    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// Returns the names of the table's columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.batch.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __repr__(&self) -> String {
        format!("Table({}: {})", counted(self.batch.num_rows(), "row"), self.columns().join(", "))
    }

    /// Returns the rows as tuples. The columns must hold numbers, bools or strings.
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let batch = &self.batch;
        let mut columns = Vec::new();
        for (column, field) in batch.columns().iter().zip(batch.schema().fields()) {
            let mut cells = Vec::new();
            of_arrow(column, &mut cells, ValuePlace::new(field.name()))?;
            columns.push(cells);
        }
        let row = |at: usize| {
            let cells =
                columns.iter().map(|column| in_python(py, &column[at])).collect::<PyResult<Vec<_>>>()?;
            PyTuple::new(py, cells)
        };
        (0..batch.num_rows()).map(row).collect()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.batch.schema()).map_err(value)?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }

    /// Exports the table as an Arrow array of structs. A requested schema is ignored, as the interface
    /// allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let array = FFI_ArrowArray::new(&StructArray::from(self.batch.clone()).to_data());
        Ok((self.__arrow_c_schema__(py)?, PyCapsule::new_with_value(py, array, ARRAY)?))
    }

    /// Exports the table as an Arrow stream of one batch. A requested schema is ignored, as the interface
    /// allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), STREAM)
    }
}

fn in_python<'py>(py: Python<'py>, cell: &ColumnCell) -> PyResult<Bound<'py, PyAny>> {
    Ok(match cell {
        ColumnCell::Missing => py.None().into_bound(py),
        ColumnCell::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        ColumnCell::Integer(integer) => integer.into_pyobject(py)?.into_any(),
        ColumnCell::Float(float) => float.into_pyobject(py)?.into_any(),
        ColumnCell::Text(text) => text.into_pyobject(py)?.into_any(),
    })
}

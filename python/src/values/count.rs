//! Reads non-negative integers and lists from Python. [`WholeNumber`] rejects values that are not such
//! integers with a ValueError or a TypeError, never with an OverflowError. [`ListedItems`] does not trust the
//! length that a sequence claims.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;
use pyo3::types::{PyList, PySequence, PyString};

use crate::errors::{is_refusal, type_error, value};

/// Non-negative integer argument from Python.
#[derive(Clone, Copy)]
pub(crate) struct WholeNumber(pub(crate) u64);

impl WholeNumber {
    pub(crate) fn at_most(self, name: &str, most: usize) -> PyResult<usize> {
        let size = usize::try_from(self.0).ok().filter(|size| *size <= most);
        size.ok_or_else(|| value(format!("{name} is {}, but must be at most {most}", self.0)))
    }
}

impl<'py> FromPyObject<'_, 'py> for WholeNumber {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<u64>() {
            Ok(count) => return Ok(WholeNumber(count)),
            Err(error) if !is_refusal(&error, object.py()) => return Err(error),
            Err(_) => {}
        }
        let shown = object.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
        // A negative or too large integer has the right type, so the error is a ValueError.
        if object.hasattr("__index__")? {
            return Err(value(format!("{shown} is given where a whole number from 0 is meant")));
        }
        Err(type_error(format!("{shown} is given where a whole number is meant")))
    }
}

/// Items of a Python sequence. They are collected one by one: reserving memory for a false `__len__` would
/// abort the process.
pub(crate) struct ListedItems<T>(pub(crate) Vec<T>);

impl<'py, T: FromPyObjectOwned<'py>> FromPyObject<'_, 'py> for ListedItems<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        // A str is a sequence of its characters, which is hardly ever meant.
        if object.is_instance_of::<PyString>() {
            return Err(type_error("a str is given where a list is meant"));
        }
        object.cast::<PySequence>()?;
        // The copy cannot change while items are converted, which may run user code.
        let list = object.py().get_type::<PyList>().call1((object,))?.cast_into::<PyList>()?;
        let mut items = Vec::new();
        for item in list.iter() {
            items.push(item.extract::<T>().map_err(Into::into)?);
        }
        Ok(ListedItems(items))
    }
}

//! `Count`: a whole number as Python gives it. What is none, or does not fit, is a `ValueError` or `TypeError`, never an
//! `OverflowError`.

use pyo3::prelude::*;

use crate::errors::{type_error, value};

/// A number from 0.
#[derive(Clone, Copy)]
pub(crate) struct Count(pub(crate) u64);

impl Count {
    /// The number as a size, which must not exceed `most`.
    pub(crate) fn at_most(self, name: &str, most: usize) -> PyResult<usize> {
        let size = usize::try_from(self.0).ok().filter(|size| *size <= most);
        size.ok_or_else(|| value(format!("{name} is {}, but must be at most {most}", self.0)))
    }
}

impl<'py> FromPyObject<'_, 'py> for Count {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(count) = object.extract::<u64>() {
            return Ok(Count(count));
        }
        let shown = object.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
        if object.hasattr("__index__")? {
            return Err(value(format!("{shown} is given where a whole number from 0 is meant")));
        }
        Err(type_error(format!("{shown} is given where a whole number is meant")))
    }
}

//! [`ValuePlace`]: the location of a value within the arguments of a call, for error messages.

use pyo3::prelude::*;
use pyo3::types::PyFloat;

use crate::errors::type_error;

/// Location of a value within an argument, for error messages, as in `references[3][0]`.
#[derive(Clone, Copy)]
pub(crate) struct ValuePlace<'p> {
    pub(crate) name: &'p str,
    pub(crate) outer: Option<usize>,
    pub(crate) inner: Option<usize>,
}

impl<'p> ValuePlace<'p> {
    pub(crate) fn new(name: &'p str) -> Self {
        ValuePlace { name, outer: None, inner: None }
    }

    pub(crate) fn at(self, index: usize) -> Self {
        match self.outer {
            None => ValuePlace { outer: Some(index), ..self },
            Some(_) => ValuePlace { inner: Some(index), ..self },
        }
    }
}

impl std::fmt::Display for ValuePlace<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)?;
        [self.outer, self.inner].into_iter().flatten().try_for_each(|index| write!(f, "[{index}]"))
    }
}

pub(crate) fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string())
}

pub(crate) fn wrong(place: ValuePlace<'_>, object: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let given = match object.cast::<PyFloat>() {
        _ if object.is_none() => "None".to_owned(),
        // A column of pandas has NaN where a text is missing.
        Ok(float) if float.value().is_nan() => "NaN, which stands for a missing value".to_owned(),
        _ => type_name(object),
    };
    type_error(format!("{place} is {given}, but must be {expected}"))
}

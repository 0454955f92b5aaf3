//! Errors of the library as Python exceptions: both kinds are a `ValueError` with the library's own message.

use std::cell::RefCell;
use std::fmt::Display;

use bleuprint::{ConfigError, InputError};
use pyo3::PyErr;
use pyo3::exceptions::{PyTypeError, PyValueError};

/// What the library returns, as an exception.
pub(crate) trait OrRaise<T> {
    fn or_raise(self) -> Result<T, PyErr>;
}

impl<T> OrRaise<T> for Result<T, InputError> {
    fn or_raise(self) -> Result<T, PyErr> {
        self.map_err(|error| input(&error))
    }
}

impl<T> OrRaise<T> for Result<T, ConfigError> {
    fn or_raise(self) -> Result<T, PyErr> {
        self.map_err(value)
    }
}

thread_local! {
    /// What a metric written in Python raised: the library's errors hold text only.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Keeps an exception of Python code that the library called, and gives the library an error for it.
pub(crate) fn keep(error: PyErr) -> InputError {
    let text = error.to_string();
    RAISED.with(|raised| *raised.borrow_mut() = Some(error));
    InputError::malformed(text)
}

/// The exception of an error: the one that Python code raised, if the error stands for it.
pub(crate) fn input(error: &InputError) -> PyErr {
    RAISED.with(|raised| raised.borrow_mut().take()).unwrap_or_else(|| value(error))
}

pub(crate) fn value(message: impl Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}

pub(crate) fn type_error(message: impl Display) -> PyErr {
    PyTypeError::new_err(message.to_string())
}

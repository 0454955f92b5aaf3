//! The program in the wheel: the same as the program's `main`.

use std::ffi::OsString;

use pyo3::prelude::*;

use crate::registry::families;

/// Runs the program with the arguments, of which the first is its name, and returns its exit code.
#[pyfunction]
pub(crate) fn program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| bleuprint_cli::Program::over(families().clone()).run_with(arguments.into_iter()))
}

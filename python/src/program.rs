//! Runs the command-line program from the wheel, as its `main` does.

use std::ffi::OsString;

use pyo3::prelude::*;

use crate::registry::families;

/// Runs the program with these arguments and returns its exit code. The first argument is the name of the
/// program.
#[pyfunction]
pub(crate) fn program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| bleuprint_cli::Program::over(families().clone()).run_with(arguments.into_iter()))
}

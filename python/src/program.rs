//! Runs the `bleuprint` command-line program from the Python package.

use std::ffi::OsString;

use bleuprint::text::run_in_python;
use pyo3::prelude::*;

use crate::registry::{families, package_folders};

/// Runs the command-line program with these arguments and returns its exit code. The first argument is the
/// program's name.
#[pyfunction]
pub(crate) fn program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    run_in_python(package_folders, "--dictionary");
    py.detach(|| bleuprint_cli::Program::with_families(families().clone()).run_with(arguments.into_iter()))
}

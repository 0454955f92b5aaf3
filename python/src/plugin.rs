//! Extension modules of others that add families of metrics to this one: the macro [`plugin`](macro@crate::plugin)
//! and the function that it calls.

use bleuprint::ConfigError;
use bleuprint::text::Families;
use pyo3::prelude::*;

use crate::errors::{OrRaise as _, value};
use crate::registry::set_families;

/// Fills a plug-in's Python module with everything in `bleuprint._native`, for the metric families that
/// `families` returns. The macro [`plugin`](macro@crate::plugin) calls it.
///
/// # Errors
/// Returns the error of `families`, or an error if the plug-in was imported before in this process.
pub fn fill(module: &Bound<'_, PyModule>, families: fn() -> Result<Families, ConfigError>) -> PyResult<()> {
    if !set_families(families().or_raise()?) {
        return Err(value("the plug-in was imported before in this process: an interpreter has it once"));
    }
    let native = pyo3::wrap_pymodule!(crate::_native)(module.py());
    for (name, member) in native.bind(module.py()).dict() {
        // Names such as `__name__` and `__file__` belong to each module.
        if !name.extract::<String>()?.starts_with("__") {
            module.add(name.extract::<String>()?.as_str(), member)?;
        }
    }
    module.add("__bleuprint__", env!("CARGO_PKG_VERSION"))
}

/// Creates a Python extension module that adds metrics to bleuprint; users load it with `bleuprint.load`. A
/// plug-in of the crate type `cdylib` needs only this line. The module has the name of the library;
/// `$families` is a function `fn() -> Result<Families, ConfigError>`.
#[macro_export]
macro_rules! plugin {
    ($module:ident, $families:path) => {
        #[$crate::pyo3::pymodule]
        #[pyo3(crate = "bleuprint_python::pyo3")]
        fn $module(
            module: &$crate::pyo3::Bound<'_, $crate::pyo3::types::PyModule>,
        ) -> $crate::pyo3::PyResult<()> {
            $crate::fill(module, $families)
        }
    };
}

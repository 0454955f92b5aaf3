//! The families of this module: those of the library, or with more of them the ones of a plug-in in a wheel of its own.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use bleuprint::text::{Families, Tokenizers};
use bleuprint::{ConfigError, Registry};
use pyo3::prelude::*;

use crate::errors::{OrRaise as _, value};

static FAMILIES: OnceLock<Families> = OnceLock::new();

/// True from the first metric on: its results do not mix with those of a module that is loaded later.
static USED: AtomicBool = AtomicBool::new(false);

pub(crate) fn families() -> &'static Families {
    FAMILIES.get_or_init(bleuprint::families)
}

pub(crate) fn registry() -> Registry {
    families().registry().clone()
}

pub(crate) fn tokenizers() -> Tokenizers {
    families().tokenizers().clone()
}

pub(crate) fn note_use() {
    USED.store(true, Ordering::Relaxed);
}

#[pyfunction]
pub(crate) fn is_used() -> bool {
    USED.load(Ordering::Relaxed)
}

/// Makes the module of a plug-in: everything that `bleuprint._native` has, over these families. For [`plugin`](crate::plugin).
///
/// # Errors
/// Those of the families.
pub fn fill(module: &Bound<'_, PyModule>, families: fn() -> Result<Families, ConfigError>) -> PyResult<()> {
    if FAMILIES.set(families().or_raise()?).is_err() {
        return Err(value("the plug-in was imported before in this process: an interpreter has it once"));
    }
    let native = pyo3::wrap_pymodule!(crate::_native)(module.py());
    for (name, member) in native.bind(module.py()).dict() {
        if !name.extract::<String>()?.starts_with("__") {
            module.add(name.extract::<String>()?.as_str(), member)?;
        }
    }
    module.add("__bleuprint__", env!("CARGO_PKG_VERSION"))
}

/// A module of Python with more metrics, for `bleuprint.load`: the one line of a plug-in of the crate type `cdylib`. The module has
/// the name of the library; the function makes the families, as `fn() -> Result<Families, ConfigError>`.
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

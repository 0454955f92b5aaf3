//! Holds the metric families (groups of related metrics) of this Python extension module: the library's
//! families and, in a plug-in, the plug-in's.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bleuprint::text::{Families, Tokenizers, run_in_python};
use bleuprint::{ConfigError, MetricEntry, Registry, contract::MetricOptions};
use pyo3::prelude::*;

use crate::errors::OrRaise as _;
use crate::python_metric::erased;

static FAMILIES: OnceLock<Families> = OnceLock::new();

/// `true` as soon as this process has created a metric. The metric's results cannot be combined with results
/// of an extension module that is loaded later.
static USED: AtomicBool = AtomicBool::new(false);

pub(crate) fn families() -> &'static Families {
    // The program has named its own option before.
    run_in_python(package_folders, "dictionary=");
    FAMILIES.get_or_init(bleuprint::families)
}

/// Sets the families of a plug-in. Returns `false` if the families of this process are known already.
pub(crate) fn set_families(families: Families) -> bool {
    FAMILIES.set(families).is_ok()
}

/// Returns the folders in which the running interpreter finds a package, and the folder in which `pip` would
/// install it.
pub(crate) fn package_folders(package: &str) -> Vec<PathBuf> {
    // An interpreter that finds no package, for whatever reason, leaves the other places.
    Python::attach(|py| folders_of(py, package)).unwrap_or_default()
}

fn folders_of(py: Python<'_>, package: &str) -> PyResult<Vec<PathBuf>> {
    let spec = py.import("importlib.util")?.call_method1("find_spec", (package,))?;
    let mut folders = Vec::new();
    if !spec.is_none() {
        for folder in spec.getattr("submodule_search_locations")?.try_iter()? {
            folders.push(folder?.extract::<PathBuf>()?);
        }
    }
    let packages: PathBuf = py.import("sysconfig")?.call_method1("get_path", ("purelib",))?.extract()?;
    folders.push(packages.join(package));
    Ok(folders)
}

/// Metrics written in Python that were registered, so that every call can refer to them by name. They live as
/// long as the process.
static REGISTERED: Mutex<Vec<MetricEntry>> = Mutex::new(Vec::new());

/// Registry with the metrics of [`REGISTERED`], which is built once: each call of `bleuprint.metric` looks names up.
/// `None` before the first call and after a metric was registered.
static BUILT: Mutex<Option<Arc<Registry>>> = Mutex::new(None);

/// Returns the metrics of the families, and those that `bleuprint.register` has added.
pub(crate) fn registry() -> Arc<Registry> {
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    built.get_or_insert_with(|| Arc::new(with_registered())).clone()
}

fn with_registered() -> Registry {
    let mut registry = families().registry().clone();
    for entry in &*REGISTERED.lock().unwrap_or_else(PoisonError::into_inner) {
        // The name was free when the metric was registered.
        let _ = registry.add(entry.clone());
    }
    registry
}

/// Registers a metric written in Python, so that every later call can refer to it by `name`. A metric that
/// was registered under the same name before is replaced, as in a notebook whose cell runs again.
#[pyfunction]
pub(crate) fn register(metric: Py<PyAny>, name: String, summary: String) -> PyResult<()> {
    // The metric is built once now, so that an invalid attribute is an error of this call.
    Python::attach(|py| erased(metric.bind(py), false))?;
    let build = move |_: &MetricOptions| {
        Python::attach(|py| erased(metric.bind(py), false))
            .map_err(|error| ConfigError::Conflict(error.to_string()))
    };
    let entry = MetricEntry::owned(name.clone(), summary, build).agrees_with("its class in Python");
    families().registry().clone().add(entry.clone()).or_raise()?;
    let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    registered.retain(|other| other.name != name);
    registered.push(entry);
    drop(registered);
    *BUILT.lock().unwrap_or_else(PoisonError::into_inner) = None;
    Ok(())
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

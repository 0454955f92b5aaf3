//! Implements `from_files` and `from_logs`, which read files as the command `compare` does, and `normalize`,
//! which applies text normalizers.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use bleuprint::text::{Chain, Normalizer as _, ReaderEntry};
use bleuprint_cli::counted as count;
use pyo3::prelude::*;

use crate::calls::plain::FEW_BYTES;
use crate::errors::{OrRaise as _, value, warn};
use crate::metric::engine::texts as read_texts;
use crate::registry::{families, tokenizers};
use crate::run::{ProgressArgument, WatchPlan, short, whole};
use crate::systems::counted_run::PyRun;
use crate::values::count::{ListedItems, WholeNumber};

/// Greatest number of chains of normalizers that are kept for later calls.
const MOST_KEPT: usize = 16;

/// Reads and counts the files that these command-line arguments of `compare` name, and returns the counts of
/// all systems. Notes of the file readers become Python warnings.
#[pyfunction]
#[pyo3(signature = (arguments, threads=None, progress=None))]
pub(crate) fn counted(
    py: Python<'_>,
    arguments: ListedItems<String>,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
) -> PyResult<PyRun> {
    let read = whole(py, &WatchPlan::new(threads, progress)?, |_| Ok(count(families(), arguments.0)))?;
    let read = read.map_err(value)?;
    read.notes.iter().try_for_each(|note| warn(py, note))?;
    Ok(PyRun::of_systems(read.run, None))
}

/// Returns the available file readers by name. Each has a flag, `true` if it reads references from the file
/// given as `--segments`, and the names of its options.
#[pyfunction]
pub(crate) fn readers() -> BTreeMap<&'static str, (bool, Vec<&'static str>)> {
    let entries = families().list().iter().flat_map(|family| family.readers);
    let options = |entry: &ReaderEntry| entry.options.iter().map(|option| option.name).collect();
    entries.map(|entry| (entry.name, (entry.value.is_some(), options(entry)))).collect()
}

/// Applies a chain of normalizers to texts and returns the normalized texts.
#[pyfunction]
pub(crate) fn normalize(py: Python<'_>, texts: &Bound<'_, PyAny>, norm: &str) -> PyResult<Vec<String>> {
    let texts = read_texts(texts, "texts")?;
    let chain = chain(norm)?;
    let apply = || Ok(texts.iter().map(|text| chain.apply(text)).collect());
    if texts.data().len() <= FEW_BYTES {
        return short(py, apply);
    }
    whole(py, &WatchPlan::default(), |_| apply())
}

/// Returns the chain of normalizers with this name, which is kept for later calls unless it depends on a file.
fn chain(norm: &str) -> PyResult<Chain> {
    static KEPT: Mutex<Vec<(String, Chain)>> = Mutex::new(Vec::new());
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let found = kept().iter().find(|(name, _)| name == norm).map(|(_, chain)| chain.clone());
    if let Some(chain) = found {
        return Ok(chain);
    }
    let chain = tokenizers().normalizers.build(norm).or_raise()?;
    let mut kept = kept();
    // The name of a normalizer with a file has a hash, and the file can change.
    if kept.len() < MOST_KEPT && !chain.name().contains('#') {
        kept.push((norm.to_owned(), chain.clone()));
    }
    Ok(chain)
}

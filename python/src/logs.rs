//! `from_logs`: the logs of evaluation harnesses, as the program's `--from` reads them.

use bleuprint_cli::read_logs as read;
use pyo3::prelude::*;

use crate::count::{Count, Listed};
use crate::errors::{value, warn};
use crate::registry::families;
use crate::run::{Plan, Progress, whole};
use crate::systems::Run;

#[pyfunction]
#[pyo3(signature = (harness, logs, metrics, filters, threads=None, progress=None))]
pub(crate) fn read_logs(
    py: Python<'_>,
    harness: &str,
    logs: Listed<(Option<String>, String)>,
    metrics: Listed<String>,
    filters: Listed<(String, String)>,
    threads: Option<Count>,
    progress: Option<Progress>,
) -> PyResult<Run> {
    let plan = Plan::new(threads, progress)?;
    let read = whole(py, &plan, |_| Ok(read(families(), harness, &logs.0, &metrics.0, &filters.0)))?;
    let read = read.map_err(value)?;
    read.notes.iter().try_for_each(|note| warn(py, note))?;
    Ok(Run::of_systems(read.run, None).by_unit(read.unit))
}

//! `Policy`, `gate` and `Verdict`: new output against a stored baseline.

use std::path::PathBuf;

use bleuprint::gate::{self, write};
use bleuprint_core::counted;
use pyo3::prelude::*;

use crate::count::WholeNumber;
use crate::errors::{OrRaise as _, value};
use crate::registry::registry;
use crate::run::{ProgressArgument, WatchPlan, whole};
use crate::show::shown;
use crate::systems::PyRun;
use crate::testing::python_of;

/// The demands on new output, from a TOML file; paths in it start from its folder.
#[pyclass(frozen, module = "bleuprint", name = "Policy")]
pub(crate) struct PyPolicy {
    policy: gate::Policy,
}

#[pymethods]
impl PyPolicy {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).map_err(|error| value(format!("{name}: {error}")))?;
        Ok(PyPolicy { policy: gate::Policy::parse(&name, &text, &registry()).or_raise()? })
    }

    /// The metrics of its rules, for `Evaluation`.
    #[getter]
    fn metrics(&self) -> Vec<String> {
        self.policy.metrics().into_iter().map(str::to_owned).collect()
    }

    fn __repr__(&self) -> String {
        format!("Policy({}, {})", self.policy.file, counted(self.policy.rules.len(), "rule"))
    }
}

/// The verdict of a policy on a run.
#[pyclass(frozen, module = "bleuprint", name = "Verdict")]
pub(crate) struct PyVerdict {
    verdict: gate::Verdict,
}

#[pymethods]
impl PyVerdict {
    /// `pass`, `fail`, `inconclusive` or `error`.
    #[getter]
    fn outcome(&self) -> &'static str {
        self.verdict.outcome().name()
    }

    /// The exit code of the program: 0 pass, 1 fail, 2 error, 3 inconclusive unless the policy maps it to another.
    #[getter]
    fn exit_code(&self) -> u8 {
        self.verdict.exit_code()
    }

    /// The verdict as text.
    fn text(&self) -> String {
        write::text(&self.verdict)
    }

    /// The verdict as plain data, as `bleuprint gate --json` writes it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python_of(py, &write::json(&self.verdict))
    }

    /// The verdict as JUnit XML.
    fn junit(&self) -> String {
        write::junit(&self.verdict)
    }

    /// The verdict as Markdown.
    fn summary(&self) -> String {
        write::summary(&self.verdict)
    }

    /// A row for each group of each rule, as a table of Arrow for data frames.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        shown(slf.py(), "verdict_frame", (slf,))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        shown(slf.py(), "verdict_html", (slf,))
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("Verdict({})", self.outcome())
    }
}

/// The JSON Schemas of the policies of the gate and of `track`, from their readers.
#[pyfunction]
pub(crate) fn schemas(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let gate = gate::Policy::schema(&registry()).or_raise()?;
    let track = bleuprint_track::WatchPolicy::schema(&registry()).or_raise()?;
    python_of(py, &serde_json::json!({ "gate": gate, "track": track }))
}

#[pyfunction]
#[pyo3(name = "gate", signature = (policy, run, threads=None, progress=None))]
pub(crate) fn judge(
    py: Python<'_>,
    policy: &Bound<'_, PyPolicy>,
    run: &Bound<'_, PyRun>,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
) -> PyResult<PyVerdict> {
    let policy = &policy.get().policy;
    let run = &run.get().run;
    let verdict = whole(py, &WatchPlan::new(threads, progress)?, |_| gate::judge(policy, run))?;
    Ok(PyVerdict { verdict })
}

//! `Policy`, `gate` and `Verdict`: compare the scores of new output with a stored baseline, for CI builds.

use std::path::PathBuf;

use bleuprint::gate::{self, write};
use bleuprint::report::Colour;
use bleuprint_core::counted;
use pyo3::prelude::*;

use crate::errors::{OrRaise as _, value};
use crate::registry::registry;
use crate::run::{ProgressArgument, WatchPlan, whole};
use crate::systems::counted_run::PyRun;
use crate::systems::show::shown;
use crate::systems::testing::python_of;
use crate::values::count::WholeNumber;

/// Quality requirements on new output, read from a TOML policy file. Relative paths in the file start from
/// its folder.
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

    /// Returns the metrics that the policy's rules use, as arguments for `Evaluation`.
    #[getter]
    fn metrics(&self) -> Vec<String> {
        self.policy.metrics().into_iter().map(str::to_owned).collect()
    }

    fn __repr__(&self) -> String {
        format!("Policy({}, {})", self.policy.file, counted(self.policy.rules.len(), "rule"))
    }
}

/// Result of checking new output against a policy: pass, fail, inconclusive or error.
#[pyclass(frozen, module = "bleuprint", name = "Verdict")]
pub(crate) struct PyVerdict {
    verdict: gate::Verdict,
}

#[pymethods]
impl PyVerdict {
    /// Returns the outcome of the check: `pass`, `fail`, `inconclusive` or `error`.
    #[getter]
    fn outcome(&self) -> &'static str {
        self.verdict.outcome().name()
    }

    /// Returns the exit code that `bleuprint gate` would have: 0 pass, 1 fail, 2 error, 3 inconclusive. The
    /// policy can map inconclusive to another code.
    #[getter]
    fn exit_code(&self) -> u8 {
        self.verdict.exit_code()
    }

    /// Returns the verdict as the text that `bleuprint gate` prints.
    fn text(&self) -> String {
        write::text(&self.verdict, Colour::Off)
    }

    /// Returns the verdict as nested dicts and lists, with the content that `bleuprint gate --json` writes.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python_of(py, &write::json(&self.verdict))
    }

    /// Returns the verdict as a JUnit XML test report.
    fn junit(&self) -> String {
        write::junit(&self.verdict)
    }

    /// Returns the verdict as a Markdown summary for a CI step.
    fn summary(&self) -> String {
        write::summary(&self.verdict)
    }

    /// Returns the verdict as an Arrow table for data frames, with one row for each segment group of each
    /// rule.
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

/// Returns the JSON Schemas of the policy files of `gate` and `track`. They are derived from the code that
/// reads policies.
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

//! `State`: the statistics of a metric over some data. States can be merged, subtracted and stored, and give
//! the score.

use std::sync::Arc;

use bleuprint::eval::{Panel, PanelState};
use bleuprint::{
    AnyMetric, InputError, Metric as _, Result,
    contract::{AnyState, column_names},
};
use pyo3::prelude::*;

use crate::errors::OrRaise as _;
use crate::metric::mistakes::warn_of_score;
use crate::metric::score::PyScore;

/// Statistics of a metric over some data, together with the metric.
#[pyclass(frozen, module = "bleuprint._native", name = "State")]
pub(crate) struct PyState {
    /// Shared by the states of a metric: an accumulator makes two states for each batch.
    pub(crate) metric: Arc<AnyMetric>,
    pub(crate) state: AnyState,
}

impl PyState {
    pub(crate) fn new(metric: impl Into<Arc<AnyMetric>>, state: AnyState) -> Self {
        PyState { metric: metric.into(), state }
    }

    pub(crate) fn from_panel(panel: &Panel, state: &PanelState) -> Result<Self> {
        Ok(PyState::new(metric_of(panel)?.clone(), state_of(panel, state)?))
    }

    pub(crate) fn score_now(&self) -> Result<PyScore> {
        self.state.score(&*self.metric).map(PyScore::new)
    }
}

pub(crate) fn metric_of(panel: &Panel) -> Result<&AnyMetric> {
    panel.metrics().next().ok_or_else(no_metric)
}

pub(crate) fn state_of(panel: &Panel, state: &PanelState) -> Result<AnyState> {
    panel.states(state)?.pop().ok_or_else(no_metric)
}

fn no_metric() -> InputError {
    InputError::malformed_state("a panel without a metric")
}

#[pymethods]
impl PyState {
    fn merge(&self, other: &PyState) -> PyResult<PyState> {
        let metric = self.metric.clone();
        let mut state = self.state.clone();
        state.merge(&other.state).or_raise()?;
        Ok(PyState { metric, state })
    }

    fn retract(&self, other: &PyState) -> PyResult<PyState> {
        let metric = self.metric.clone();
        let mut state = self.state.clone();
        state.retract(&*metric, &other.state).or_raise()?;
        Ok(PyState { metric, state })
    }

    #[pyo3(signature = (quiet=false))]
    fn score(&self, py: Python<'_>, quiet: bool) -> PyResult<PyScore> {
        let scored = self.state.score(&*self.metric).or_raise()?;
        if !quiet {
            warn_of_score(py, &scored.score)?;
        }
        Ok(PyScore::new(scored))
    }

    fn value(&self) -> PyResult<f64> {
        Ok(self.state.score(&*self.metric).or_raise()?.score.value)
    }

    fn row(&self) -> PyResult<Vec<u64>> {
        self.metric.require_rows("be written as a row").or_raise()?;
        self.state.row().or_raise()
    }

    fn columns(&self) -> PyResult<Vec<String>> {
        self.metric.require_rows("be written as a row").or_raise()?;
        Ok(column_names(&self.metric))
    }

    #[getter]
    fn key(&self) -> String {
        self.state.key().to_string()
    }

    #[getter]
    fn segments(&self) -> u64 {
        self.state.counts().segments
    }

    /// Returns the number of segments, the number of references, and the sum over segments of the squared
    /// number of references.
    #[getter]
    fn counts(&self) -> (u64, u64, u64) {
        let counts = self.state.counts();
        (counts.segments, counts.references, counts.references_squared)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyState>().is_ok_and(|other| other.get().state == self.state)
    }
}

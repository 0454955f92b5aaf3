//! `State`: what was observed: merges, subtracts, is stored, and gives the score.

use std::sync::Arc;

use bleuprint::eval::{Panel, PanelState};
use bleuprint::{AnyMetric, AnyState};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{OrRaise as _, value};
use crate::score::Score;

/// Statistics, and the metric that observed them.
#[pyclass(frozen, module = "bleuprint._native")]
pub(crate) struct State {
    pub(crate) panel: Arc<Panel>,
    pub(crate) state: PanelState,
}

impl State {
    pub(crate) fn of(panel: Arc<Panel>, state: AnyState) -> PyResult<Self> {
        let state = panel.state_of(vec![state]).or_raise()?;
        Ok(State { panel, state })
    }

    pub(crate) fn any(&self) -> PyResult<&AnyState> {
        self.state.states().first().ok_or_else(|| value("a state without a metric"))
    }

    pub(crate) fn score_now(&self) -> PyResult<Score> {
        Ok(Score::new(self.metric()?.score(self.any()?).or_raise()?))
    }

    pub(crate) fn metric(&self) -> PyResult<&dyn AnyMetric> {
        metric_of(&self.panel)
    }
}

/// The metric of a panel of one.
pub(crate) fn metric_of(panel: &Panel) -> PyResult<&dyn AnyMetric> {
    panel.metrics().next().ok_or_else(|| value("a panel without a metric"))
}

#[pymethods]
impl State {
    /// Both together.
    fn merge(&self, other: &State) -> PyResult<State> {
        let mut state = self.any()?.clone();
        self.metric()?.merge(&mut state, other.any()?).or_raise()?;
        State::of(self.panel.clone(), state)
    }

    /// This without the other.
    fn retract(&self, other: &State) -> PyResult<State> {
        let metric = self.metric()?;
        let mut state = self.any()?.clone();
        metric.require_linear("be subtracted").or_raise()?.retract(&mut state, other.any()?).or_raise()?;
        State::of(self.panel.clone(), state)
    }

    fn score(&self) -> PyResult<Score> {
        self.score_now()
    }

    /// The number alone.
    fn value(&self) -> PyResult<f64> {
        Ok(self.metric()?.score(self.any()?).or_raise()?.score.value)
    }

    fn row(&self) -> PyResult<Vec<u64>> {
        self.metric()?.require_linear("be written as a row").or_raise()?.row(self.any()?).or_raise()
    }

    fn columns(&self) -> PyResult<Vec<String>> {
        Ok(self.metric()?.require_linear("be written as a row").or_raise()?.column_names())
    }

    #[getter]
    fn key(&self) -> PyResult<String> {
        Ok(self.any()?.key().to_string())
    }

    #[getter]
    fn segments(&self) -> PyResult<u64> {
        Ok(self.any()?.counts().segments)
    }

    /// Segments, references, and the sum of the squares of references per segment.
    #[getter]
    fn counts(&self) -> PyResult<(u64, u64, u64)> {
        let counts = self.any()?.counts();
        Ok((counts.segments, counts.references, counts.references_squared))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = serde_json::to_vec(self.any()?).map_err(value)?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<State>() else { return Ok(false) };
        let bytes = |state: &State| serde_json::to_vec(state.any()?).map_err(value);
        Ok(bytes(self)? == bytes(other.get())?)
    }
}

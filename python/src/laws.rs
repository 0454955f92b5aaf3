//! The laws of a metric, from Python.

use bleuprint_core::laws::check_any;
use pyo3::exceptions::{PyAssertionError, PyException};
use pyo3::prelude::*;

use crate::engine::Engine;
use crate::errors::{OrRaise as _, raised, raised_since, without_panic};
use crate::state::metric_of;

#[pyfunction]
pub(crate) fn check_laws(engine: &Bound<'_, Engine>) -> PyResult<()> {
    let panel = engine.get().unlearned()?;
    let metric = metric_of(&panel).or_raise()?;
    let before = raised();
    let py = engine.py();
    let Err(panic) = without_panic(|| check_any(metric)) else {
        // Other exceptions come from forged states, which a metric may refuse.
        while let Some(raised) = raised_since(before) {
            if !raised.is_instance_of::<PyException>(py) {
                return Err(raised);
            }
        }
        return Ok(());
    };
    let broken = PyAssertionError::new_err(panic);
    match raised_since(before) {
        // Other exceptions, such as an interruption, stay unchanged.
        Some(raised) if !raised.is_instance_of::<PyException>(py) => Err(raised),
        raised => {
            broken.set_cause(py, raised);
            Err(broken)
        }
    }
}

//! Computes BLEU with all the numbers that sacreBLEU's `BLEUScore` has, in one call. Python functions that
//! score one sentence at a time use it.

use std::fmt::Write as _;

use bleuprint::{
    Bleu,
    contract::AnyStats,
    metrics::{BleuStats, Smoothing, Summation},
};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

use crate::calls::plain::sentence;
use crate::errors::OrRaise as _;
use crate::metric::engine::MetricEngine;
use crate::metric::mistakes::warn_of_counters;
use crate::metric::state::PyState;
use crate::values::count::WholeNumber;

/// Python callable that turns BLEU counts into the fields of sacreBLEU's `BLEUScore`. It does not support
/// add-k smoothing, for which sacreBLEU changes the counts.
#[pyclass(frozen, module = "bleuprint._native")]
pub(crate) struct BleuFinisher {
    bleu: Bleu,
}

/// Fields of sacreBLEU's `BLEUScore`, in order: score, counts, totals, precisions, bp, sys_len, ref_len,
/// ratio, prec_str, verbose.
type Finished = (f64, Vec<u64>, Vec<u64>, Vec<f64>, f64, u64, u64, f64, String, String);

#[pymethods]
impl BleuFinisher {
    #[new]
    fn new(
        smooth_method: &str,
        smooth_value: Option<f64>,
        max_order: WholeNumber,
        effective_order: bool,
        compensated: bool,
    ) -> PyResult<Self> {
        let summation = if compensated { Summation::Compensated } else { Summation::Plain };
        let bleu = Bleu::builder()
            .max_order(max_order.at_most("max_order", usize::MAX)?)
            .smoothing(Smoothing::by_name(smooth_method, smooth_value).or_raise()?)
            .effective_order(effective_order)
            .summation(summation)
            .build();
        Ok(BleuFinisher { bleu: bleu.or_raise()? })
    }

    fn __call__(&self, state: &PyState) -> PyResult<Finished> {
        self.finished(state.state.stats())
    }
}

impl BleuFinisher {
    fn finished(&self, stats: &AnyStats) -> PyResult<Finished> {
        let score = self.bleu.finalize_as::<f64>(stats.typed::<BleuStats>().or_raise()?).or_raise()?;
        let precisions = score.precisions.to_vec();
        let ratio = score.ratio();
        let mut text = String::with_capacity(96);
        for (at, precision) in precisions.iter().enumerate() {
            // The text is `precisions (BP = ..)` in the format of sacreBLEU; `prec_str` is its part before
            // the space.
            let slash = if at == 0 { "" } else { "/" };
            let _ = write!(text, "{slash}{precision:.1}");
        }
        let shown = text.clone();
        // The cast is exact: the closest reference length is a whole number.
        let bp = score.brevity_penalty;
        let sys_len = score.hyp_len;
        let ref_len = score.ref_len as u64;
        let _ = write!(text, " (BP = {bp:.3} ratio = {ratio:.3} hyp_len = {sys_len} ref_len = {ref_len})");
        let counts = score.clipped.to_vec();
        let totals = score.total.to_vec();
        Ok((score.score, counts, totals, precisions, bp, sys_len, ref_len, ratio, shown, text))
    }
}

/// Counts one sentence with a few references and returns the fields of sacreBLEU's `BLEUScore`. Returns None
/// if the texts are not a `str` and a list of `str`, or are long.
#[pyfunction]
pub(crate) fn bleu_sentence(
    py: Python<'_>,
    engine: &MetricEngine,
    finisher: &BleuFinisher,
    hypothesis: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> PyResult<Option<Finished>> {
    let Some(segment) = sentence(hypothesis, references) else { return Ok(None) };
    let panel = engine.panel(false, false)?;
    let state = engine.count_few(py, &panel, &segment)?;
    warn_of_counters(py, &panel)?;
    state.stats().members.first().map(|stats| finisher.finished(stats)).transpose()
}

/// Returns the natural logarithm of `x`; the result is bit-identical on every platform.
///
/// Raises ValueError if `x` is not positive, like `math.log`.
#[pyfunction]
pub(crate) fn ln(x: f64) -> PyResult<f64> {
    if x <= 0.0 {
        return Err(PyValueError::new_err(format!("math domain error: ln of {x}")));
    }
    Ok(bleuprint_math::ln(x))
}

/// Returns e to the power `x`; the result is bit-identical on every platform.
///
/// Raises OverflowError if the result is too large, like `math.exp`.
#[pyfunction]
pub(crate) fn exp(x: f64) -> PyResult<f64> {
    let power = bleuprint_math::exp(x);
    if power.is_infinite() && x.is_finite() {
        return Err(PyOverflowError::new_err(format!("math range error: exp of {x}")));
    }
    Ok(power)
}

//! Checks from Python that a metric follows the metric laws, such as that the order of segments does not
//! matter.

use std::borrow::Borrow;
use std::fmt;

use bleuprint::eval::{ChosenTokens, Panel, PanelMetric, PanelScratch};
use bleuprint::{InputErrorKind, Metric as _, Segment, State};
use bleuprint_registry::laws::{check_any, check_any_for, check_borrowed};
use pyo3::exceptions::{PyAssertionError, PyException};
use pyo3::prelude::*;

use crate::errors::{OrRaise as _, raised, raised_since, value, without_panic};
use crate::metric::engine::MetricEngine;
use crate::metric::state::metric_of;
use crate::python_metric::WrittenMetric;
use crate::segments::data::SequenceData;
use crate::segments::lists::{ListInput, OwnSequence};
use crate::segments::objects::Objects;

/// Checks whether a metric follows the metric laws, such as that the order of segments does not matter, on
/// random data. A metric written in Python is also checked with the user's `segments`: tuples of hypothesis,
/// references and source. A metric with its own data type is checked with `data` of this type.
#[pyfunction]
#[pyo3(signature = (engine, segments=None, data=None))]
pub(crate) fn check_laws(
    engine: &Bound<'_, MetricEngine>,
    segments: Option<&Objects>,
    data: Option<&SequenceData>,
) -> PyResult<()> {
    let py = engine.py();
    let own = engine.get();
    let before = raised();
    // A broken law panics with a report, which becomes an AssertionError below.
    let checked = match segments {
        Some(segments) if segments.len() == 0 => return Err(value("there are no segments to check with")),
        Some(segments) => {
            let make = |raw: &[u8]| Drawn(segments.segment(number(raw) % segments.len()));
            match own.over_objects()? {
                WrittenMetric::Counting(metric) => {
                    without_panic(|| py.detach(|| check_borrowed::<str, _, _>(&metric, make)))
                }
                WrittenMetric::Gathering(metric) => {
                    without_panic(|| py.detach(|| check_borrowed::<str, _, _>(&metric, make)))
                }
            }
        }
        None => {
            let panel = own.unlearned()?;
            let metric = metric_of(&panel).or_raise()?;
            // The law about threads calls Python from other threads, so the checks release the interpreter
            // lock.
            match data.map(|data| &data.input) {
                Some(given) if given.len() == 0 => return Err(value("there are no segments to check with")),
                Some(ListInput::Own(given)) => {
                    let make = |raw: &[u8]| {
                        let at = number(raw) % given.len();
                        let named = |own: &OwnSequence| (at + 1, own.data.clone());
                        let (hypothesis, references, source) = given.whole(at);
                        (named(hypothesis), references.iter().map(named).collect(), source.map(named))
                    };
                    without_panic(|| py.detach(|| check_any_for(metric, make)))
                }
                _ => without_panic(|| py.detach(|| check_any(metric))),
            }
        }
    };
    let Err(panic) = checked else {
        // Other exceptions are expected: the laws also test invalid states, which a metric may reject.
        // All exceptions since the start are examined: one of them may be an interruption.
        while let Some(raised) = raised_since(before) {
            if !raised.is_instance_of::<PyException>(py) {
                return Err(raised);
            }
        }
        return if own.is_python() { require_reached(own, segments) } else { Ok(()) };
    };
    let broken = PyAssertionError::new_err(panic);
    match raised_since(before) {
        // Exceptions such as KeyboardInterrupt stay unchanged.
        Some(raised) if !raised.is_instance_of::<PyException>(py) => Err(raised),
        raised => {
            broken.set_cause(py, raised);
            Err(broken)
        }
    }
}

/// Key of one segment of the user's data. Its `Debug` output names the segment in error messages about broken
/// metric laws.
struct Drawn(String);

impl Borrow<str> for Drawn {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "segment {} of the data", self.0.rsplit(':').next().unwrap_or("?"))
    }
}

/// Hashes random bytes to a number, which selects one of the user's segments.
fn number(raw: &[u8]) -> usize {
    raw.iter().fold(raw.len(), |number, byte| number.wrapping_mul(31).wrapping_add(usize::from(*byte)))
}

/// Rejects test data for which the metric laws hold trivially. The segments must give at least two different
/// statistics and two different scores.
fn require_reached(engine: &MetricEngine, segments: Option<&Objects>) -> PyResult<()> {
    let texts: Vec<[String; 2]> = match segments {
        Some(segments) => (0..segments.len()).map(|at| [segments.segment(at), segments.segment(0)]).collect(),
        None => PAIRS.iter().map(|pair| pair.map(str::to_owned)).collect(),
    };
    let own = if segments.is_some() { Some(engine.over_objects()?.erased()) } else { None };
    let panel = match own {
        Some(metric) => {
            Panel::new([PanelMetric::from(metric)], &ChosenTokens::standard().or_raise()?).or_raise()?
        }
        None => engine.unlearned()?,
    };
    let missing = match reached(&panel, &texts)? {
        // A single value means that all segments were counted alike.
        [0 | 1, _] => "the statistics",
        [_, 0 | 1] => "the score",
        _ => return Ok(()),
    };
    let name = panel.identity().name();
    let remedy =
        "give data of your own, `check_laws(hypotheses, references)`, which have better and worse segments";
    Err(PyAssertionError::new_err(format!(
        "{name}: the laws hold, but no segment changes {missing}, so they show nothing: {remedy}"
    )))
}

/// Test pairs of hypothesis and reference, with equal, similar and different texts.
const PAIRS: [[&str; 2]; 6] = [
    ["", ""],
    ["a", "a"],
    ["a b", "b a c"],
    ["a b c d", "a b c d"],
    ["e", "a b c"],
    ["a b a b", "a b c d e"],
];

/// Counts how many distinct results the test segments give: per-segment statistics, and scores. The scores
/// are those of each segment, and of the first n segments together for every n.
fn reached(panel: &Panel, texts: &[[String; 2]]) -> PyResult<[usize; 2]> {
    let mut statistics = Vec::new();
    let mut scores = Vec::new();
    let mut scratch = PanelScratch::default();
    let mut total = State::zero(panel);
    for [hypothesis, reference] in texts {
        let references = [reference.as_str()];
        let segment = Segment::with_source(hypothesis.as_str(), &references, Some(reference.as_str()));
        let state = State::of_segment(panel, &mut scratch, segment).or_raise()?;
        if !statistics.contains(state.stats()) {
            statistics.push(state.stats().clone());
        }
        total.merge(&state).or_raise()?;
        for state in [&state, &total] {
            match panel.scores(state).map(|scores| scores[0].score.value) {
                Ok(score) if !scores.contains(&score) => scores.push(score),
                Err(error) if !matches!(error.kind(), InputErrorKind::NoScore { .. }) => {
                    return Err(PyAssertionError::new_err(error.to_string()));
                }
                _ => {}
            }
        }
    }
    Ok([statistics.len(), scores.len()])
}

//! Reads the attributes of a metric class written in Python, and calls its methods.

use std::sync::Arc;

use bleuprint::{
    Identity, InputError, Location, PlainScore, Result, Scale, Segment,
    contract::{PartValue, ScorePart, ShowPart},
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyWeakrefReference};

use super::look::{Arguments, LooksAt, Parts, SequenceLook, drawn};
use crate::errors::{keep, keep_reason, type_error, value};
use crate::segments::objects::sample;
use crate::values::count::ListedItems;

/// Weak reference to the Python object that implements a metric.
#[derive(Clone)]
pub(super) struct DescribedObject(pub(super) Arc<Py<PyWeakrefReference>>);

impl DescribedObject {
    pub(super) fn call<T>(&self, work: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Result<T> {
        self.try_call(work).map_err(keep)
    }

    fn try_call<T>(&self, work: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> PyResult<T> {
        Python::attach(|py| {
            let object = self.0.bind(py).upgrade();
            work(&object.ok_or_else(|| value("the metric of this state is gone"))?)
        })
    }
}

/// Metric written in Python: a weak reference to its object, and the attributes that were read from it.
#[derive(Clone)]
pub(super) struct Described {
    pub(super) object: DescribedObject,
    pub(super) identity: Identity,
    /// Number of segments per call of the Python method `observe_each`; `None` if the class does not define
    /// it.
    pub(super) batch: Option<usize>,
    pub(super) looks_at: LooksAt,
    /// Value of the class attribute `looks_at`, the kind of data that the metric takes, for error messages.
    pub(super) wanted: String,
    pub(super) one_reference: bool,
    pub(super) scale: Scale,
    /// Names of the details of a score, such as precision and recall, that the class attribute `parts`
    /// declares.
    pub(super) parts: Option<Vec<String>>,
}

impl Described {
    fn arguments<'py, S: SequenceLook + ?Sized>(
        &self,
        py: Python<'py>,
        segments: &[Segment<'_, S>],
    ) -> PyResult<Arguments<'py>> {
        let mut arguments = Arguments { hypotheses: Vec::new(), references: Vec::new(), sources: Vec::new() };
        for segment in segments {
            let (hypothesis, references, source) = match sample(py, segment.hypothesis.text()) {
                Some(sample) if self.looks_at == LooksAt::Objects => drawn(&sample?, segment)?,
                _ => self.given(py, segment)?,
            };
            arguments.hypotheses.push(hypothesis);
            arguments.references.push(match references.iter().next() {
                Some(reference) if self.one_reference => reference,
                _ => references.into_any(),
            });
            if self.identity.needs().source {
                let source = source.ok_or_else(|| value("the segment has no source"))?;
                arguments.sources.push(source);
            }
        }
        Ok(arguments)
    }

    fn given<'py, S: SequenceLook + ?Sized>(
        &self,
        py: Python<'py>,
        segment: &Segment<'_, S>,
    ) -> PyResult<Parts<'py>> {
        let look = |sequence: &S| sequence.look(py, self.looks_at).unwrap_or_else(|| Err(self.refusal()));
        let references = segment.references.iter().map(|one| look(one));
        let references = PyList::new(py, references.collect::<PyResult<Vec<_>>>()?)?;
        Ok((look(segment.hypothesis)?, references, segment.source.map(look).transpose()?))
    }

    fn refusal(&self) -> PyErr {
        let name = self.identity.name();
        let wanted = &self.wanted;
        type_error(format!("{name} takes {wanted}, but the data are something else"))
    }

    pub(super) fn observe<'py, S: SequenceLook + ?Sized>(
        &self,
        object: &Bound<'py, PyAny>,
        states: Vec<Bound<'py, PyAny>>,
        segments: &[Segment<'_, S>],
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let py = object.py();
        let Arguments { hypotheses, references, sources } = self.arguments(py, segments)?;
        if self.batch.is_some() {
            let wanted = states.len();
            let mut arguments =
                vec![PyList::new(py, states)?, PyList::new(py, hypotheses)?, PyList::new(py, references)?];
            if self.identity.needs().source {
                arguments.push(PyList::new(py, sources)?);
            }
            return self.observe_at_once(object, wanted, PyTuple::new(py, arguments)?);
        }
        // If the metric takes no sources, this iterator is empty and adds no argument.
        let mut sources = sources.into_iter();
        let observed =
            states.into_iter().zip(hypotheses).zip(references).map(|((state, hypothesis), references)| {
                let arguments = [state, hypothesis, references].into_iter().chain(sources.next());
                let after =
                    object.call_method1("observe", PyTuple::new(py, arguments.collect::<Vec<_>>())?)?;
                self.require_state("observe", &after)?;
                Ok(after)
            });
        observed.collect()
    }

    fn observe_at_once<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        wanted: usize,
        arguments: Bound<'py, PyTuple>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let after = object.call_method1("observe_each", arguments)?;
        self.require_state("observe_each", &after)?;
        let after: Vec<_> = after.extract::<ListedItems<_>>()?.0;
        after.iter().try_for_each(|state| self.require_state("observe_each", state))?;
        if after.len() != wanted {
            return Err(value(format!("observe_each gave {} states for {wanted} segments", after.len())));
        }
        Ok(after)
    }

    /// Rejects None as the state that a method returned. A method without `return` gives None, and its
    /// segments would not be counted.
    fn require_state(&self, method: &str, after: &Bound<'_, PyAny>) -> PyResult<()> {
        if !after.is_none() {
            return Ok(());
        }
        let name = self.identity.name();
        Err(type_error(format!(
            "{method} of {name} returned None, but must return the new state, also if it changed the state in place"
        )))
    }

    pub(super) fn check<S: ?Sized>(&self, segments: &[Segment<'_, S>]) -> Result<()> {
        let check = |segment: &Segment<'_, S>| {
            if self.one_reference && !segment.references.is_empty() {
                segment.one_reference(&self.identity.name())?;
            } else if self.identity.needs().references {
                segment.references()?;
            }
            if self.identity.needs().source {
                segment.source()?;
            }
            Ok(())
        };
        (1..).zip(segments).try_for_each(|(number, segment)| {
            check(segment).map_err(|error: InputError| error.at(Location::segment(number)))
        })
    }

    pub(super) fn finalize(
        &self,
        segments: u64,
        state: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
    ) -> Result<PlainScore> {
        let score = self.object.try_call(|object| self.score(object, state(object)?, segments));
        let score = score.map_err(|error| keep_reason(self.identity.name(), segments, error))?;
        // Without segments and for NaN the range does not apply: such a score is not a measurement.
        if segments > 0 && score.score.is_finite() && !self.scale.contains(score.score) {
            let name = self.identity.name();
            let score = score.score;
            let Scale { min, max, .. } = self.scale;
            return Err(InputError::malformed(format!(
                "the score of {name} is {score}, but its `score_range` is from {min} to {max}"
            )));
        }
        Ok(score)
    }

    fn score(
        &self,
        object: &Bound<'_, PyAny>,
        state: Bound<'_, PyAny>,
        segments: u64,
    ) -> PyResult<PlainScore> {
        let result = object.call_method1("finalize", (state, segments))?;
        if let Ok(number) = result.extract::<f64>() {
            self.require_parts(Vec::new())?;
            return Ok(PlainScore::new(number));
        }
        let Ok(parts) = result.cast::<PyDict>() else {
            return Err(type_error("finalize must give a number, or a dict with `score` and parts"));
        };
        let number = parts.get_item("score")?.ok_or_else(|| value("finalize gave a dict without `score`"))?;
        let mut score = PlainScore::new(number.extract()?);
        let mut names = parts.keys().iter().map(|key| key.extract()).collect::<PyResult<Vec<String>>>()?;
        names.retain(|name| name != "score");
        self.require_parts(names)?;
        for (key, part) in parts {
            let key: String = key.extract()?;
            if key != "score" {
                // Integers are tried before floats, because a Python int would also convert to a float.
                let part = if let Ok(count) = part.extract::<u64>() {
                    PartValue::Count(count)
                } else if let Ok(number) = part.extract::<f64>() {
                    PartValue::Number(number)
                } else if let Ok(counts) = part.extract::<ListedItems<u64>>() {
                    PartValue::Counts(counts.0)
                } else {
                    PartValue::Numbers(part.extract::<ListedItems<f64>>()?.0)
                };
                score = score.with(ScorePart::new(key.clone(), ShowPart::Labelled(key.into(), 3), part));
            }
        }
        Ok(score)
    }

    /// Rejects a score with other details than the class attribute `parts` declares. `given` has the names of
    /// the score's details.
    fn require_parts(&self, mut given: Vec<String>) -> PyResult<()> {
        let Some(mut named) = self.parts.clone() else { return Ok(()) };
        given.sort_unstable();
        named.sort_unstable();
        if given == named {
            return Ok(());
        }
        let listed = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        Err(type_error(format!(
            "the score of {} has these parts: {}, but `parts` names: {}",
            self.identity.name(),
            listed(&given),
            listed(&named)
        )))
    }
}

//! Wraps a metric written in Python whose statistics are any value that Python's `json` module can write.

use std::{fmt, slice};

use bleuprint::contract::Restore;
use bleuprint::{Identity, InputError, Metric, Observe, PlainScore, Result, Segment, SegmentCounts, Stats};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::{Deserialize, Deserializer, Serialize};

use super::described::{Described, DescribedObject};
use super::look::SequenceLook;
use crate::errors::value;

pub(crate) struct Gathering {
    pub(super) described: Described,
}

/// State (accumulated statistics) of a Python metric as JSON, with the Python object that can merge states.
#[derive(Clone, Default, Serialize)]
pub(crate) struct Gathered {
    state: serde_json::Value,
    #[serde(skip)]
    object: Option<DescribedObject>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredValue {
    state: serde_json::Value,
}

/// Reads a state together with the object of the zero, which can merge it.
impl Restore for Gathered {
    fn restore<'de, D: Deserializer<'de>>(&self, deserializer: D) -> Result<Self, D::Error> {
        let StoredValue { state } = StoredValue::deserialize(deserializer)?;
        Ok(Gathered { state, object: self.object.clone() })
    }
}

impl PartialEq for Gathered {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

impl fmt::Debug for Gathered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.state.fmt(f)
    }
}

impl Gathered {
    /// Returns `true` for the default value, which has no metric and so is not a valid state.
    fn is_nobodys(&self) -> bool {
        self.object.is_none() && self.state.is_null()
    }
}

/// Converts a Python state to JSON with sorted keys, so that equal states have equal bytes.
fn to_json(state: &Bound<'_, PyAny>) -> PyResult<serde_json::Value> {
    let options = PyDict::new(state.py());
    options.set_item("sort_keys", true)?;
    options.set_item("allow_nan", false)?;
    let text: String =
        state.py().import("json")?.call_method("dumps", (state,), Some(&options))?.extract()?;
    serde_json::from_str(&text).map_err(value)
}

fn of_json<'py>(metric: &Bound<'py, PyAny>, state: &serde_json::Value) -> PyResult<Bound<'py, PyAny>> {
    if state.is_null() {
        // There are no observations yet, or `zero` raised an exception, which this call raises again.
        return metric.call_method0("zero");
    }
    metric.py().import("json")?.call_method1("loads", (state.to_string(),))
}

impl Stats for Gathered {
    fn merge(&mut self, other: &Self) -> Result<()> {
        if self.is_nobodys() || other.is_nobodys() {
            return Err(InputError::malformed_state("no value, but the metric has one before any segment"));
        }
        // A state that was read from a file has no object yet; the other state then has it.
        let object = self.object.clone().or_else(|| other.object.clone());
        let object = object
            .ok_or_else(|| InputError::malformed_state("states that were read merge into a new one"))?;
        self.state = object.call(|metric| {
            let own = of_json(metric, &self.state)?;
            let merged = metric.call_method1("merge", (&own, of_json(metric, &other.state)?))?;
            to_json(if merged.is_none() { &own } else { &merged })
        })?;
        self.object = Some(object);
        Ok(())
    }
}

impl Metric for Gathering {
    type Stats = Gathered;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        self.described.identity.clone().needing(|needs| needs.tokens = true)
    }
    fn batch(&self) -> usize {
        self.described.batch.unwrap_or(1)
    }
    fn zero(&self) -> Gathered {
        let object = &self.described.object;
        // The contract does not let `zero` fail. If it raises, the state stays null, and `zero` is called
        // again when the state is read.
        let state = object.call(|metric| to_json(&metric.call_method0("zero")?)).unwrap_or_default();
        Gathered { state, object: Some(object.clone()) }
    }
    /// Rejects the default value: it has no metric and so is not a valid state.
    fn check(&self, gathered: &Gathered, _: &SegmentCounts) -> Result<()> {
        if gathered.is_nobodys() {
            let name = self.described.identity.name();
            return Err(InputError::malformed_state(format!(
                "no value, but {name} has one before any segment"
            )));
        }
        Ok(())
    }
    fn finalize(&self, gathered: &Gathered, counts: &SegmentCounts) -> Result<PlainScore> {
        self.described.finalize(counts.segments, |metric| of_json(metric, &gathered.state))
    }
}

impl<S: SequenceLook + ?Sized> Observe<S> for Gathering {
    fn observe(&self, tables: &mut (), gathered: &mut Gathered, segment: Segment<'_, S>) -> Result<()> {
        self.observe_each(tables, slice::from_mut(gathered), &[segment])
    }

    fn observe_each(&self, (): &mut (), all: &mut [Gathered], segments: &[Segment<'_, S>]) -> Result<()> {
        self.described.check(segments)?;
        let states = self.described.object.call(|metric| {
            let before = all.iter().map(|one| of_json(metric, &one.state)).collect::<PyResult<_>>()?;
            let states = self.described.observe(metric, before, segments)?;
            states.iter().map(to_json).collect::<PyResult<Vec<_>>>()
        })?;
        all.iter_mut().zip(states).for_each(|(one, state)| one.state = state);
        Ok(())
    }
}

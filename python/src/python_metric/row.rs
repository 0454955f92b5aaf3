//! Wraps a metric written in Python whose statistics are a row of counts and exact sums of floats.

use std::{fmt, slice};

use bleuprint::{
    Identity, InputError, Metric, Observe, PlainScore, Result, Segment, SegmentCounts, contract::Linear,
};
use bleuprint_core::ExactSum;
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde::{Deserialize, Serialize};

use super::described::Described;
use super::look::SequenceLook;
use crate::errors::{type_error, value};
use crate::values::count::ListedItems;

pub(crate) struct RowCounting {
    pub(super) described: Described,
    pub(super) columns: Vec<String>,
    pub(super) sums: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CountRow {
    columns: Vec<String>,
    counts: Vec<u64>,
    /// Exact floating-point sums, with their names. Each segment adds one value to every sum.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sums: Vec<(String, ExactSum)>,
}

impl Linear for CountRow {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn fmt::Display, &mut u64)) {
        self.columns.iter().zip(&mut self.counts).for_each(|(name, count)| visit(name, count));
        for (name, sum) in &mut self.sums {
            Linear::columns(sum, &mut |column, count| visit(&format_args!("{name}_{column}"), count));
        }
    }

    fn check_bounds(&self, counts: &SegmentCounts) -> Result<()> {
        self.sums.iter().try_for_each(|(_, sum)| sum.check_bounds(counts))
    }
}

impl RowCounting {
    /// Converts the state of a Python metric to a row. The state is a list of counts, followed by one number
    /// for each exact sum.
    fn row(&self, state: &Bound<'_, PyAny>) -> PyResult<CountRow> {
        let refused = || {
            let given = state.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
            let sums = if self.sums.is_empty() { "" } else { ", then a number for each sum" };
            type_error(format!(
                "a state of {} is {given}, but must be a list of counts from 0{sums}",
                self.described.identity.name()
            ))
        };
        let ListedItems(given): ListedItems<Bound<'_, PyAny>> = state.extract().map_err(|_| refused())?;
        let len = given.len();
        let columns = self.columns.len();
        let sums = self.sums.len();
        if len != columns + sums {
            let sums = if sums == 0 { String::new() } else { format!(" and {sums} sums") };
            return Err(value(format!("a state has {len} counts, but there are {columns} columns{sums}")));
        }
        let (counts, sums) = given.split_at(columns);
        let counts = counts.iter().map(|count| count.extract::<u64>().map_err(|_| refused()));
        let sums = sums.iter().zip(&self.sums).map(|(given, name)| {
            let given: f64 = given.extract().map_err(|_| refused())?;
            let sum =
                ExactSum::from_value(given).map_err(|error| value(format!("the sum `{name}`: {error}")))?;
            Ok::<_, PyErr>((name.clone(), sum))
        });
        let counts = counts.collect::<PyResult<_>>()?;
        let sums = sums.collect::<PyResult<_>>()?;
        Ok(CountRow { columns: self.columns.clone(), counts, sums })
    }

    fn state<'py>(row: &CountRow, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let counts = row.counts.iter().map(|count| count.into_bound_py_any(py));
        let sums = row.sums.iter().map(|(_, sum)| sum.to_f64().into_bound_py_any(py));
        Ok(PyList::new(py, counts.chain(sums).collect::<PyResult<Vec<_>>>()?)?.into_any())
    }
}

impl Metric for RowCounting {
    type Stats = CountRow;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        self.described.identity.clone()
    }
    fn batch(&self) -> usize {
        self.described.batch.unwrap_or(1)
    }
    /// Returns a row of zeros. The Python method `zero` may return other values, so the checks of metric laws
    /// compare its values with this row.
    fn zero(&self) -> CountRow {
        let sums = self.sums.iter().map(|name| (name.clone(), ExactSum::default()));
        CountRow { columns: self.columns.clone(), counts: vec![0; self.columns.len()], sums: sums.collect() }
    }
    fn finalize(&self, row: &CountRow, counts: &SegmentCounts) -> Result<PlainScore> {
        self.described.finalize(counts.segments, |object| RowCounting::state(row, object.py()))
    }
    fn check(&self, row: &CountRow, counts: &SegmentCounts) -> Result<()> {
        let sums = row.sums.iter().map(|(name, _)| name);
        if row.columns != self.columns || row.counts.len() != self.columns.len() || !sums.eq(&self.sums) {
            let given: Vec<&String> =
                row.columns.iter().chain(row.sums.iter().map(|(name, _)| name)).collect();
            let expected: Vec<&String> = self.columns.iter().chain(&self.sums).collect();
            return Err(InputError::malformed_state(format!(
                "columns {given:?}, where {expected:?} were expected"
            )));
        }
        match row.sums.iter().find(|(_, sum)| sum.count() != counts.segments) {
            None => Ok(()),
            Some((name, sum)) => Err(InputError::malformed_state(format!(
                "the sum `{name}` is of {} values, but there are {} segments",
                sum.count(),
                counts.segments
            ))),
        }
    }
}

impl<S: SequenceLook + ?Sized> Observe<S> for RowCounting {
    fn observe(&self, tables: &mut (), row: &mut CountRow, segment: Segment<'_, S>) -> Result<()> {
        self.observe_each(tables, slice::from_mut(row), &[segment])
    }

    fn observe_each(&self, (): &mut (), rows: &mut [CountRow], segments: &[Segment<'_, S>]) -> Result<()> {
        self.described.check(segments)?;
        let observed = self.described.object.call(|object| {
            // Each segment is observed into a fresh zero, and rows are added here. Python floats would not
            // add exactly.
            let zeros = segments.iter().map(|_| object.call_method0("zero")).collect::<PyResult<_>>()?;
            let states = self.described.observe(object, zeros, segments)?;
            states.iter().map(|state| self.row(state)).collect::<PyResult<Vec<_>>>()
        })?;
        rows.iter_mut().zip(&observed).try_for_each(|(row, counts)| row.add(counts))
    }
}

//! `bleuprint.tables`: exchanges metric statistics as Arrow tables of counts or as bytes. The sums of the
//! count columns of a table are a valid state (accumulated statistics).

mod groups;
mod rows;
mod states;
mod table;

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use bleuprint::eval::evaluation::Run;
use bleuprint::eval::store::{Fingerprint, Header, LEADING, METADATA, leading};
use bleuprint::{
    AnyMetric, Metric as _,
    contract::{AnyState, MetricSpec, column_names},
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{OrRaise as _, value};
use crate::metric::engine::MetricEngine;
use crate::metric::mistakes::warn_of_input;
use crate::metric::observe::{counts, total};
use crate::metric::score::PyScore;
use crate::metric::state::{metric_of, state_of};
use crate::registry::registry;
use crate::run::{ProgressArgument, WatchPlan};
use crate::segments::data::SequenceData;
use crate::systems::statistics::PyStatistics;
use crate::systems::testing::intervals;
use crate::values::count::{ListedItems, WholeNumber};
use groups::GroupKeys;
pub(crate) use groups::{BatchGroups, GroupStates, Numbered};
use rows::StateRows;
pub(crate) use states::OpenedStates;
use states::{header, merged};
pub(crate) use table::CountTable;

#[pyfunction]
#[pyo3(signature = (engine, data, *, quiet=false, threads=None, progress=None))]
pub(crate) fn table_counts(
    py: Python<'_>,
    engine: &MetricEngine,
    data: &SequenceData,
    quiet: bool,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
) -> PyResult<CountTable> {
    let panel = engine.panel(data.is_ids(), false)?;
    let metric = metric_of(&panel).or_raise()?;
    metric.require_rows("be counted in columns").or_raise()?;
    let width = column_names(metric).len();
    let counted = counts(py, &engine.plan(threads, progress)?, &panel, width, &data.input)?;
    if !quiet {
        warn_of_input(py, &panel, &data.input, None)?;
    }
    let batch = batch(&header(engine, metric)?, metric, counted, &data.kept)?;
    Ok(CountTable { batch })
}

/// Returns columns of counts as an Arrow record batch. A segment whose flag in `kept` is `false` becomes a
/// row of nulls.
fn batch(
    header: &Header,
    metric: &AnyMetric,
    counted: Vec<Vec<u64>>,
    kept: &[bool],
) -> PyResult<RecordBatch> {
    let names = column_names(metric);
    let of_row = leading(&metric.state_key().to_string(), &names);
    let mut row = vec![0; counted.len()];
    let rows = (0..counted.first().map_or(0, Vec::len)).map(|at| {
        row.iter_mut().zip(&counted).for_each(|(count, column)| *count = column[at]);
        let [key, check] = of_row(&row);
        (key, check)
    });
    let (keys, checks): (Vec<u64>, Vec<u64>) = rows.unzip();
    let fields = LEADING.into_iter().chain(names.iter().map(String::as_str));
    let columns = fields.clone().zip([keys, checks].into_iter().chain(counted)).map(|(name, column)| {
        if column.iter().any(|&count| i64::try_from(count).is_err()) {
            return Err(value(format!("a count of {name} does not fit 64 bits with a sign")));
        }
        // This conversion reuses the memory of the column.
        let column: Vec<i64> = column.into_iter().map(u64::cast_signed).collect();
        // Without missing rows the column is used without a copy.
        if column.len() == kept.len() {
            return Ok(Arc::new(Int64Array::from(column)) as ArrayRef);
        }
        let mut counts = column.into_iter();
        Ok(Arc::new(kept.iter().map(|kept| if *kept { counts.next() } else { None }).collect::<Int64Array>())
            as ArrayRef)
    });
    let columns = columns.collect::<PyResult<Vec<_>>>()?;
    let fields: Vec<Field> = fields.map(|name| Field::new(name, DataType::Int64, true)).collect();
    let stored = serde_json::to_string(header).map_err(value)?;
    let schema = Schema::new_with_metadata(fields, HashMap::from([(METADATA.to_owned(), stored)]));
    RecordBatch::try_new(Arc::new(schema), columns).map_err(value)
}

#[pyfunction]
#[pyo3(signature = (engine, data, *, threads=None, progress=None))]
pub(crate) fn table_state<'py>(
    py: Python<'py>,
    engine: &MetricEngine,
    data: &SequenceData,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
) -> PyResult<Bound<'py, PyBytes>> {
    let panel = engine.panel(data.is_ids(), false)?;
    let total = total(py, &engine.plan(threads, progress)?, &panel, &data.input)?;
    warn_of_input(py, &panel, &data.input, None)?;
    let metric = metric_of(&panel).or_raise()?.clone();
    let state = state_of(&panel, &total).or_raise()?;
    OpenedStates { header: header(engine, &metric)?, metric, state }.to_bytes(py)
}

#[pyfunction]
#[pyo3(signature = (states, engine=None))]
pub(crate) fn table_merge<'py>(
    py: Python<'py>,
    states: &Bound<'py, PyAny>,
    engine: Option<&MetricEngine>,
) -> PyResult<Bound<'py, PyBytes>> {
    merged(states, engine)?.to_bytes(py)
}

#[pyfunction]
#[pyo3(signature = (states, part, engine=None))]
pub(crate) fn table_subtract<'py>(
    py: Python<'py>,
    states: &Bound<'py, PyAny>,
    part: &Bound<'py, PyAny>,
    engine: Option<&MetricEngine>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut whole = merged(states, engine)?;
    let part = merged(part, engine)?;
    whole.header.require_like(&part.header).or_raise()?;
    whole.state.retract(&whole.metric, &part.state).or_raise()?;
    whole.to_bytes(py)
}

#[pyfunction]
#[pyo3(signature = (states, engine=None))]
pub(crate) fn table_decode(states: &Bound<'_, PyAny>, engine: Option<&MetricEngine>) -> PyResult<CountTable> {
    let OpenedStates { header, metric, state } = merged(states, engine)?;
    metric.require_rows("be written as a row").or_raise()?;
    let columns = state.row().or_raise()?.into_iter().map(|count| vec![count]).collect();
    let batch = batch(&Header { each: true, ..header }, &metric, columns, &[true])?;
    Ok(CountTable { batch })
}

#[pyfunction]
#[pyo3(signature = (rows, engine=None, *, skip=false))]
pub(crate) fn table_encode<'py>(
    py: Python<'py>,
    rows: &Bound<'py, PyAny>,
    engine: Option<&MetricEngine>,
    skip: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let StateRows { header, metric, states, .. } = StateRows::read(rows, engine, &[], skip)?;
    let state = sum(&metric, &states)?;
    OpenedStates { header, metric, state }.to_bytes(py)
}

fn sum<'s>(metric: &AnyMetric, states: impl IntoIterator<Item = &'s AnyState>) -> PyResult<AnyState> {
    let mut sum = AnyState::zero(metric);
    states.into_iter().try_for_each(|state| sum.merge(state)).or_raise()?;
    Ok(sum)
}

/// Score of a group, with its confidence interval if requested.
type Scored<'py> = (PyScore, Option<Bound<'py, PyAny>>);

/// Returns a table of the group labels, and the score of each group.
#[pyfunction]
#[pyo3(signature = (given, engine=None, by=ListedItems(Vec::new()), confidence=None, seed=WholeNumber(12345), *, skip=false, threads=None, progress=None))]
#[allow(clippy::too_many_arguments, reason = "the arguments are Python's")]
pub(crate) fn table_score<'py>(
    py: Python<'py>,
    given: &Bound<'py, PyAny>,
    engine: Option<&MetricEngine>,
    by: ListedItems<String>,
    confidence: Option<WholeNumber>,
    seed: WholeNumber,
    skip: bool,
    threads: Option<WholeNumber>,
    progress: Option<ProgressArgument>,
) -> PyResult<(CountTable, Vec<Scored<'py>>)> {
    // Bytes are one state; any other object is a table of rows.
    if given.is_instance_of::<PyBytes>() {
        if !by.0.is_empty() || confidence.is_some() {
            return Err(value("a state has neither labels nor an interval, which need rows"));
        }
        let OpenedStates { metric, state, .. } = merged(given, engine)?;
        let score = state.score(&metric).map(PyScore::new).or_raise()?;
        return Ok((GroupKeys::default().table()?, vec![(score, None)]));
    }
    let rows = StateRows::read(given, engine, &by.0, skip)?;
    // Without labels all rows are one group, even if there are no rows.
    let count = if by.0.is_empty() { 1 } else { rows.keys.len() };
    let mut groups: Vec<Vec<&AnyState>> = vec![Vec::new(); count];
    rows.groups.iter().zip(&rows.states).for_each(|(group, state)| groups[*group].push(state));
    let spec = spec_of(engine, &rows.header)?;
    let plan = WatchPlan::new(threads, progress)?;
    let scored = |states: Vec<&AnyState>| {
        let score =
            sum(&rows.metric, states.iter().copied())?.score(&rows.metric).map(PyScore::new).or_raise()?;
        let interval = match confidence {
            None => None,
            Some(count) => {
                let run = run_of(&spec, &rows.metric, states.into_iter().cloned())?;
                intervals(py, &run, 0, (count, seed), "sacrebleu", &plan)?.pop().flatten()
            }
        };
        Ok((score, interval))
    };
    Ok((rows.keys.table()?, groups.into_iter().map(scored).collect::<PyResult<_>>()?))
}

/// Returns the score of each table row. With `skip`, a row of nulls has no score. Also shows warnings that
/// were suppressed when the segments were counted.
#[pyfunction]
#[pyo3(signature = (rows, engine, *, skip=false))]
pub(crate) fn table_each(
    rows: &Bound<'_, PyAny>,
    engine: &MetricEngine,
    skip: bool,
) -> PyResult<Vec<Option<PyScore>>> {
    engine.warn(rows.py())?;
    let engine = Some(engine);
    let rows = StateRows::read(rows, engine, &[], skip)?;
    let mut scores: Vec<Option<PyScore>> = (0..rows.len).map(|_| None).collect();
    for (row, state) in rows.places.into_iter().zip(&rows.states) {
        scores[row] = Some(state.score(&rows.metric).map(PyScore::new).or_raise()?);
    }
    Ok(scores)
}

#[pyfunction]
#[pyo3(signature = (states, engine=None))]
pub(crate) fn table_segments(states: &Bound<'_, PyAny>, engine: Option<&MetricEngine>) -> PyResult<u64> {
    Ok(merged(states, engine)?.state.counts().segments)
}

#[pyfunction]
#[pyo3(signature = (rows, engine=None, *, skip=false, owner=None))]
pub(crate) fn table_statistics(
    rows: &Bound<'_, PyAny>,
    engine: Option<&MetricEngine>,
    skip: bool,
    owner: Option<Py<PyAny>>,
) -> PyResult<PyStatistics> {
    let rows = StateRows::read(rows, engine, &[], skip)?;
    let spec = spec_of(engine, &rows.header)?;
    Ok(PyStatistics::of_run(run_of(&spec, &rows.metric, rows.states.into_iter())?).owned_by(owner))
}

fn spec_of(engine: Option<&MetricEngine>, header: &Header) -> PyResult<MetricSpec> {
    match engine {
        Some(engine) => engine.spec(),
        None => registry().parse(header.metrics.first().map_or("", |metric| &metric.spec)).or_raise(),
    }
}

/// Creates a run of one system in which each state is one unit of bootstrap resampling. Each state must hold
/// one segment.
fn run_of(spec: &MetricSpec, metric: &AnyMetric, states: impl Iterator<Item = AnyState>) -> PyResult<Run> {
    let one = |(row, state): (usize, AnyState)| match state.counts().segments {
        1 => Ok((state, (Fingerprint::default(), None))),
        several => {
            Err(value(format!("row {row} counts {several} segments, but an interval needs a row for each")))
        }
    };
    let states = states.enumerate().map(one).collect::<PyResult<Vec<_>>>()?;
    Run::of_states("system", spec.clone(), metric.clone(), states).or_raise()
}

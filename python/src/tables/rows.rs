//! Reads metric states (accumulated statistics) from the count columns of a table, found by their names. Each
//! row is validated as a state.

use arrow_array::cast::AsArray as _;
use arrow_array::types::Decimal128Type;
use arrow_array::{Array as _, ArrayRef, StructArray, downcast_integer};
use arrow_schema::DataType;
use bleuprint::eval::store::{Header, LEADING, METADATA, NarrowSums, StoredMetric, required};
use bleuprint::{
    AnyMetric, Metric as _, State,
    contract::{AnyState, column_names},
};
use pyo3::prelude::*;

use super::groups::GroupKeys;
use super::states::{header, metric_of_header};
use crate::errors::{OrRaise as _, type_error, value, warn};
use crate::metric::engine::MetricEngine;
use crate::metric::state::metric_of;
use crate::values::arrow::{self, ArrowTable};
use crate::values::place::{ValuePlace, type_name};

/// Metric states read from the rows of a table, with the group of each row. Rows with equal values in the
/// label columns are one group.
pub(super) struct StateRows {
    pub(super) header: Header,
    pub(super) metric: AnyMetric,
    pub(super) states: Vec<AnyState>,
    /// Index of each state's row in the table. `len` is the number of rows in the table, including skipped
    /// rows.
    pub(super) places: Vec<usize>,
    pub(super) len: usize,
    /// Label values of each group of rows. `groups` has the index of each state's group in this list.
    pub(super) keys: GroupKeys,
    pub(super) groups: Vec<usize>,
}

impl StateRows {
    /// Reads the states of a metric from the rows of a table. The metric is that of `engine` if given,
    /// otherwise the table's metadata names it. A row of nulls is an error, unless `skip` leaves it out.
    pub(super) fn read(
        object: &Bound<'_, PyAny>,
        engine: Option<&MetricEngine>,
        by: &[String],
        skip: bool,
    ) -> PyResult<Self> {
        let table = arrow::table(object, ValuePlace::new("rows"))?.ok_or_else(|| {
            type_error(format!("rows is {}, but must be bytes or a table of Arrow", type_name(object)))
        })?;
        let NamedState { header, metric, prefix, narrow } = metric_of_table(&table, engine)?;
        metric.require_rows("be read from columns").or_raise()?;
        // The column `check` was computed with the stored names, so a table of an older version is checked
        // with these names.
        let (key, own, narrow) = match narrow {
            Some((stored, sums)) => (stored.key, stored.columns.unwrap_or_default(), Some(sums)),
            None => (metric.state_key().to_string(), column_names(&metric), None),
        };
        let required = required(&key, &own);
        let checked = table.schema.column_with_name(&format!("{prefix}{}", LEADING[1])).is_some();
        if !checked {
            let unchecked = "the table has no column `check`, as those of earlier versions: columns that were not summed alike \
                 are not found";
            warn(object.py(), unchecked)?;
        }
        let leading = if checked { 2 } else { 1 };
        let names = LEADING.into_iter().take(leading).chain(own.iter().map(String::as_str));
        let names: Vec<String> = names.map(|name| format!("{prefix}{name}")).collect();
        let states = Vec::new();
        let places = Vec::new();
        let keys = GroupKeys::new(by.to_vec());
        let mut rows = StateRows { header, metric, states, places, len: 0, keys, groups: Vec::new() };
        for chunk in &table.chunks {
            let before = rows.len;
            let columns = names.iter().map(|name| integers(chunk, name, before));
            let columns = columns.collect::<PyResult<Vec<_>>>()?;
            let labels = by.iter().map(|name| column(chunk, name).cloned()).collect::<PyResult<Vec<_>>>()?;
            let labels = rows.keys.bits(&labels)?;
            let mut row = Vec::with_capacity(names.len());
            for at in 0..chunk.len() {
                if !fill_row(&mut row, &columns, &names, [at, before], skip)? {
                    continue;
                }
                let (leading, counts) = row.split_at(leading);
                let state = match &narrow {
                    Some(sums) => sums.row(counts).and_then(|wide| State::from_row(&rows.metric, &wide)),
                    None => State::from_row(&rows.metric, counts),
                };
                let check = || required(leading[0], leading.get(1).copied(), counts);
                let state = state.and_then(|state| check().map(|()| state));
                rows.states.push(state.map_err(|error| value(format!("row {}: {error}", before + at)))?);
                rows.places.push(before + at);
                let bits = labels.as_ref().map(|labels| labels.row(at));
                let group = rows.keys.place(bits.as_ref().map_or(&[][..], |bits| bits.data()));
                rows.groups.push(group);
            }
            rows.len += chunk.len();
        }
        Ok(rows)
    }
}

/// Reads the counts of row `at` of a chunk, after `before` rows. Returns `false` if all columns are null and `skip`
/// leaves such a row out.
fn fill_row(
    row: &mut Vec<u64>,
    columns: &[Vec<Option<u64>>],
    names: &[String],
    [at, before]: [usize; 2],
    skip: bool,
) -> PyResult<bool> {
    row.clear();
    row.extend(columns.iter().filter_map(|column| column[at]));
    if row.len() == names.len() {
        return Ok(true);
    }
    // Only a row whose columns are all null was left out when it was counted. A row with some nulls is damaged.
    if row.is_empty() && skip {
        return Ok(false);
    }
    let null = columns.iter().position(|column| column[at].is_none()).unwrap_or_default();
    Err(value(format!("{}[{}] is null, but must be there", names[null], before + at)))
}

struct NamedState {
    header: Header,
    metric: AnyMetric,
    prefix: String,
    /// Stored metric and converter, for a table of an older format whose exact sums have eight columns
    /// instead of nine.
    narrow: Option<(StoredMetric, NarrowSums)>,
}

/// Returns the metric whose counts a table has. The table's metadata names the metric; the metric of
/// `engine`, if given, must be equal to it. Without metadata, the metric of `engine` is returned, and the
/// column `key` decides between text and ids.
fn metric_of_table(table: &ArrowTable, engine: Option<&MetricEngine>) -> PyResult<NamedState> {
    if let Some(stored) = table.schema.metadata().get(METADATA) {
        let header: Header = serde_json::from_str(stored)
            .map_err(|error| value(format!("the entry `{METADATA}` of the table's metadata: {error}")))?;
        let stored = header.metrics.clone();
        let (header, narrow) = header.widened().or_raise()?;
        let narrow: Vec<_> =
            stored.into_iter().zip(narrow).map(|(stored, sums)| Some((stored, sums?))).collect();
        return match header.metrics.len() {
            0 | 1 => {
                let metric = metric_of_header(&header, engine)?;
                let narrow = narrow.into_iter().next().flatten();
                Ok(NamedState { header, metric, prefix: String::new(), narrow })
            }
            _ => one_of_several(header, narrow, engine),
        };
    }
    let Some(engine) = engine else {
        return Err(value(format!(
            "the table does not say which metric counted it (no `{METADATA}` in the metadata of its schema): name it by `metric=`"
        )));
    };
    let of =
        |ids: bool| -> PyResult<AnyMetric> { Ok(metric_of(&*engine.panel(ids, false)?).or_raise()?.clone()) };
    let sum = first_key(table)?;
    let fits = |metric: &AnyMetric| {
        let required = required::<&str>(&metric.state_key().to_string(), &[]);
        sum.is_some_and(|(sum, segments)| required(sum, None, &[segments]).is_ok())
    };
    // The metric is over ids only if the key of ids fits and the key of text does not. Either metric may be
    // impossible.
    let metric = match (of(false), of(true)) {
        (Ok(text), Ok(ids)) => {
            if !fits(&text) && fits(&ids) {
                ids
            } else {
                text
            }
        }
        (Ok(only), Err(_)) | (Err(_), Ok(only)) => only,
        (Err(error), Err(_)) => return Err(error),
    };
    Ok(NamedState { header: header(engine, &metric)?, metric, prefix: String::new(), narrow: None })
}

/// Returns the metric of `engine` from a table with counts of several metrics. Each column name in such a
/// table begins with a metric's name.
fn one_of_several(
    header: Header,
    narrow: Vec<Option<(StoredMetric, NarrowSums)>>,
    engine: Option<&MetricEngine>,
) -> PyResult<NamedState> {
    let specs: Vec<&str> = header.metrics.iter().map(|stored| stored.spec.as_str()).collect();
    let there = specs.join(", ");
    let engine = engine
        .ok_or_else(|| value(format!("the table has several metrics: name one of {there} by `metric=`")))?;
    let found =
        header.metrics.iter().zip(narrow).find_map(|(stored, narrow)| {
            Some((stored.clone(), engine.metric_of_stored(stored).ok()?, narrow))
        });
    let (stored, metric, narrow) = found.ok_or_else(|| {
        let wanted = engine.spec().map(|spec| spec.name()).unwrap_or_default();
        value(format!("the table has no metric with the state key of `{wanted}`; it has: {there}"))
    })?;
    let prefix = format!("{}.", stored.spec);
    Ok(NamedState { header: Header { metrics: vec![stored], ..header }, metric, prefix, narrow })
}

/// Returns the values in the columns `key` and `segments` of the first row that has both.
fn first_key(table: &ArrowTable) -> PyResult<Option<(u64, u64)>> {
    let mut before = 0;
    for chunk in &table.chunks {
        let [keys, segments] = [LEADING[0], "segments"].map(|name| integers(chunk, name, before));
        let pair = keys?.into_iter().zip(segments?).find_map(|(key, segments)| key.zip(segments));
        if pair.is_some() {
            return Ok(pair);
        }
        before += chunk.len();
    }
    Ok(None)
}

fn column<'c>(chunk: &'c StructArray, name: &str) -> PyResult<&'c ArrayRef> {
    chunk.column_by_name(name).ok_or_else(|| {
        let there = chunk.column_names().join(", ");
        value(format!("the table has no column `{name}`; it has: {there}"))
    })
}

/// Reads a column of counts; nulls become `None`. Error messages number the rows from `before`, the number of
/// rows in earlier chunks.
fn integers(chunk: &StructArray, name: &str, before: usize) -> PyResult<Vec<Option<u64>>> {
    let column = column(chunk, name)?;
    let mut counts = Vec::with_capacity(chunk.len());
    macro_rules! of {
        ($Type:ty) => {
            for (at, count) in column.as_primitive::<$Type>().iter().enumerate() {
                let count = count.filter(|_| chunk.is_valid(at)).map(|count| {
                    u64::try_from(count).map_err(|_| {
                        value(format!(
                            "{name}[{}] is {count}, but counts are from 0 to 2^64 - 1",
                            before + at
                        ))
                    })
                });
                counts.push(count.transpose()?);
            }
        };
    }
    downcast_integer! {
        column.data_type() => (of),
        // SQL sums of integers are often decimals.
        DataType::Decimal128(_, 0) => of!(Decimal128Type),
        DataType::Null => counts.resize(chunk.len(), None),
        other => return Err(type_error(format!("{name} is a column of {other}, but counts are integers"))),
    }
    Ok(counts)
}

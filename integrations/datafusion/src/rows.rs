//! Structs of counts as rows: columns are found by name, and every row has its key.

use bleuprint::contract::State;
use bleuprint::eval::store::{Header, LEADING, METADATA, required};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array, StructArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Fields, Int64Type};
use datafusion::common::{Result, exec_datafusion_err, exec_err, plan_err};

use crate::catalogue::{Chosen, external};
use crate::columns::Place;
use crate::state::score;

/// Columns before a metric's own columns, in every struct of counts.
const FIRST: [&str; 2] = [LEADING[0], "segments"];

/// Returns the type that a struct of counts is cast to. Any other type is an error of the plan.
pub(crate) fn coerced(function: &str, kind: &DataType) -> Result<DataType> {
    let DataType::Struct(fields) = kind else {
        return plan_err!("{function} takes counts, a struct as metric_counts makes it, not {kind}");
    };
    for name in FIRST {
        if fields.find(name).is_none() {
            let there: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
            return plan_err!(
                "{function} takes counts with the column `{name}`, as metric_counts makes them; given are ({}): name them by \
                 named_struct('{}', .., 'segments', ..)",
                there.join(", "),
                LEADING[0]
            );
        }
    }
    // A cast would drop the metadata, which names the metric.
    if fields.iter().all(|field| *field.data_type() == DataType::Int64) {
        return Ok(kind.clone());
    }
    let fields: Fields = fields.iter().map(|field| Field::new(field.name(), DataType::Int64, true)).collect();
    Ok(DataType::Struct(fields))
}

/// Returns the description of the counts from the metadata of a field, if there is one.
pub(crate) fn header(field: &Field) -> Result<Option<Header>> {
    let Some(stored) = field.metadata().get(METADATA) else { return Ok(None) };
    serde_json::from_str(stored).map(Some).map_err(|error| {
        exec_datafusion_err!("the entry `{METADATA}` of the metadata of {}: {error}", field.name())
    })
}

pub(crate) fn columns(counts: &StructArray) -> Result<Vec<Int64Array>> {
    let of = |column: &ArrayRef| Ok(cast(column, &DataType::Int64)?.as_primitive::<Int64Type>().clone());
    counts.columns().iter().map(of).collect()
}

/// Reads the counts of a row. A null or a negative count is an error, except that a null in the column
/// `open` is 0.
pub(crate) fn read(
    counts: &StructArray,
    columns: &[Int64Array],
    place: &Place<'_>,
    row: usize,
    open: Option<usize>,
    out: &mut Vec<i64>,
) -> Result<()> {
    out.clear();
    if counts.is_null(row) {
        return Err(place.null(0, row));
    }
    for (at, (column, name)) in columns.iter().zip(counts.column_names()).enumerate() {
        match column.is_valid(row).then(|| column.value(row)) {
            Some(count @ 0..) => out.push(count),
            Some(count) => {
                return Err(place.wrong(0, row, format!("has {count} in `{name}`, but counts are from 0")));
            }
            None if open == Some(at) => out.push(0),
            None => return Err(place.wrong(0, row, format!("has a null in `{name}`"))),
        }
    }
    Ok(())
}

/// Returns the score of each row of counts, which must belong to this metric. A null in `check` means that
/// the counts come from an earlier version and cannot be checked.
pub(crate) fn scores(chosen: &Chosen, counts: &StructArray, names: &[String]) -> Result<Vec<Option<f64>>> {
    let own = chosen.require_columns()?;
    let there = counts.column_names();
    let checked = there.contains(&LEADING[1]);
    let wanted = own.iter().filter(|name| checked || *name != LEADING[1]);
    let order: Option<Vec<usize>> = wanted.map(|name| there.iter().position(|there| there == name)).collect();
    let Some(order) = order.filter(|order| order.len() == there.len()) else {
        return exec_err!(
            "the counts of {} are ({}), but given are ({})",
            chosen.name,
            own.join(", "),
            there.join(", ")
        );
    };
    if !checked {
        return exec_err!(
            "{} has no column `check`, as counts of earlier versions: sums in which a column was lost, doubled or averaged are not \
             found. To take them so, write 'check', null in named_struct(..)",
            names[0]
        );
    }
    let columns = columns(counts)?;
    let check = order[1];
    let required = required(&chosen.key, &own[LEADING.len()..]);
    let place = Place { names, before: 0, within: "a batch of the query" };
    let mut row = Vec::with_capacity(own.len());
    let mut of = |at: usize| {
        // Sums of no rows are null, and so is their score.
        if counts.is_null(at) || columns.iter().all(|column| column.is_null(at)) {
            return Ok(None);
        }
        read(counts, &columns, &place, at, Some(check), &mut row)?;
        let row: Vec<u64> = order.iter().map(|&column| row[column].unsigned_abs()).collect();
        let own = &row[LEADING.len()..];
        let state = State::from_row(&chosen.metric, own);
        let sum = columns[check].is_valid(at).then(|| row[1]);
        let state = state.and_then(|state| required(row[0], sum, own).map(|()| state));
        score(
            chosen,
            &state.map_err(|error| {
                place.wrong(0, at, format!("does not hold counts of {}: {error}", chosen.name))
            })?,
        )
    };
    (0..counts.len()).map(&mut of).collect()
}

pub(crate) fn opened(header: Option<Header>, function: &str) -> Result<Header> {
    header.ok_or_else(|| {
        external(bleuprint::contract::InputError::malformed(format!(
            "these counts do not say whose they are (an engine's SUM and files drop it): name it, as in {function}('bleu', ..)"
        )))
    })
}

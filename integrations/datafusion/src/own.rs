//! Columns with data of a metric's own form: structs, lists, numbers and text, read like the JSON values of
//! files.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use bleuprint::AnyMetric;
use bleuprint::contract::Data;
use bleuprint::eval::evaluation::{SegmentPart, read_own};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, UInt64Array};
use datafusion::arrow::compute::{cast, take};
use datafusion::arrow::datatypes::{DataType, Float64Type, Int64Type, UInt64Type};
use datafusion::common::{DataFusionError, Result};
use serde_json::{Map, Number, Value};

use crate::columns::{Read, plain, utf8};

/// Data of each row from the first that is read, or the reason why a row is invalid.
pub(crate) struct Values {
    first: usize,
    data: Vec<Result<Arc<Data>, String>>,
}

impl<'a> Read<'a> for Values {
    type Item = Data;

    fn new(array: &'a dyn Array, rows: Range<usize>, metric: &AnyMetric, part: SegmentPart) -> Result<Self> {
        let (Some(form), Some(kind)) = (metric.view.form, plain(array.data_type())) else {
            let message = format!("{} cannot be the data of a metric", array.data_type());
            return Err(DataFusionError::Internal(message));
        };
        let array = cast(&array_of(array, &rows, &kind)?, &kind)?;
        let of = |row| {
            let read = read_own(&form, part, "", &value(&array, row)?);
            read.map_err(|error| error.to_string().trim_start().to_owned())
        };
        Ok(Values { first: rows.start, data: (0..array.len()).map(of).collect() })
    }

    fn get(&self, row: usize) -> Result<&Data, Cow<'static, str>> {
        self.data[row - self.first].as_deref().map_err(|error| error.clone().into())
    }
}

/// Returns these rows of an array. A cast would convert all values behind its lists, so the rows are copied
/// first.
fn array_of(array: &dyn Array, rows: &Range<usize>, kind: &DataType) -> Result<ArrayRef> {
    if array.data_type() == kind {
        return Ok(array.slice(rows.start, rows.len()));
    }
    let places: UInt64Array = (rows.start as u64..rows.end as u64).collect::<Vec<_>>().into();
    Ok(take(array, &places, None)?)
}

/// Returns a row of a plain column as JSON. A null field is left out, like a missing field.
fn value(array: &ArrayRef, row: usize) -> Result<Value, String> {
    if array.is_null(row) {
        return Ok(Value::Null);
    }
    Ok(match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).into(),
        DataType::Float64 => {
            let float = array.as_primitive::<Float64Type>().value(row);
            // JSON has no NaN or infinity, and neither do the forms of metrics.
            Number::from_f64(float).ok_or_else(|| format!("has {float}, but numbers are finite"))?.into()
        }
        DataType::Utf8 => array.as_string::<i32>().value(row).into(),
        DataType::BinaryView => utf8(array.as_binary_view().value(row))?.into(),
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            // SQL tables give every row every field, so a missing field can only be null.
            let there = columns.filter(|(_, column)| column.is_valid(row));
            let read = there.map(|(field, column)| Ok((field.name().clone(), value(column, row)?)));
            Value::Object(read.collect::<Result<Map<_, _>, String>>()?)
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            (0..items.len()).map(|at| value(&items, at)).collect::<Result<Vec<_>, _>>()?.into()
        }
        _ => Value::Null,
    })
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::ListArray;
    use datafusion::arrow::datatypes::Float32Type;

    use super::*;

    #[test]
    fn a_slice_of_lists_casts_its_own_values() {
        let row = |length| Some(vec![Some(-1.5_f32); length]);
        let lists = ListArray::from_iter_primitive::<Float32Type, _, _>([row(9), row(2), row(5)]);
        let kind = plain(lists.data_type()).unwrap();
        let of =
            |rows: Range<usize>| cast(&array_of(&lists.slice(1, 2), &rows, &kind).unwrap(), &kind).unwrap();
        assert_eq!(of(0..1).as_list::<i32>().values().len(), 2);
        assert_eq!(value(&of(1..2), 0).unwrap(), serde_json::json!([-1.5, -1.5, -1.5, -1.5, -1.5]));
    }
}

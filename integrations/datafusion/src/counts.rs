//! Scalar function `metric_counts`: the counts of each segment, as a struct of columns that names the metric
//! in its metadata.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use bleuprint::contract::{Metric as _, Observe, SegmentCounts, Stats as _};
use bleuprint::eval::store::{Header, LEADING, METADATA, leading};
use bleuprint::eval::{Panel, PanelScratch, PanelStats};
use datafusion::arrow::array::{ArrayRef, Int64Array, StructArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::{Result, ScalarValue, exec_datafusion_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

use crate::catalogue::{Catalogue, Chosen, external};
use crate::columns::{Ids, Place, Read, Texts, View, coerced, each};
use crate::own::Values;

pub(crate) struct Counts {
    catalogue: Arc<Catalogue>,
    signature: Signature,
}

impl Counts {
    pub(crate) fn new(catalogue: Arc<Catalogue>) -> Self {
        Counts { catalogue, signature: Signature::user_defined(Volatility::Immutable) }
    }

    fn chosen(&self, name: &str, fields: &[FieldRef]) -> Result<Arc<Chosen>> {
        let kinds: Vec<_> = fields.iter().map(|field| field.data_type().clone()).collect();
        self.catalogue.over(NAME, name, &kinds)
    }
}

const NAME: &str = "metric_counts";

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME)
    }
}

impl PartialEq for Counts {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.catalogue, &other.catalogue)
    }
}

impl Eq for Counts {}

impl Hash for Counts {
    fn hash<H: Hasher>(&self, state: &mut H) {
        NAME.hash(state);
    }
}

pub(crate) fn name_of(function: &str, value: Option<&ScalarValue>) -> Result<String> {
    match value.and_then(|value| value.try_as_str().flatten()) {
        Some(name) => Ok(name.to_owned()),
        None => plan_err!(
            "the first argument of {function} is the name of a metric between quotes, such as 'bleu'"
        ),
    }
}

pub(crate) fn scalar(value: &ColumnarValue) -> Option<&ScalarValue> {
    match value {
        ColumnarValue::Scalar(value) => Some(value),
        ColumnarValue::Array(_) => None,
    }
}

/// Returns the columns of counts, in the form of `bleuprint.tables`.
fn fields(names: &[String]) -> Fields {
    names.iter().map(|name| Field::new(name, DataType::Int64, false)).collect()
}

fn metadata(header: &Header) -> Result<HashMap<String, String>> {
    let stored = serde_json::to_string(header).map_err(external)?;
    Ok(HashMap::from([(METADATA.to_owned(), stored)]))
}

impl ScalarUDFImpl for Counts {
    fn name(&self) -> &str {
        NAME
    }
    fn signature(&self) -> &Signature {
        &self.signature
    }
    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let Some((_, columns)) = types.split_first() else {
            return plan_err!("{NAME} takes the name of a metric first, such as 'bleu'");
        };
        let mut out = vec![DataType::Utf8];
        out.extend(coerced(NAME, columns)?.1);
        Ok(out)
    }
    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        plan_err!("the type of {NAME} depends on the metric")
    }
    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let name = name_of(NAME, args.scalar_arguments.first().copied().flatten())?;
        let chosen = self.chosen(&name, &args.arg_fields[1..])?;
        let kind = DataType::Struct(fields(chosen.require_columns()?));
        Ok(Arc::new(Field::new(NAME, kind, false).with_metadata(metadata(&chosen.header)?)))
    }
    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let name = name_of(NAME, scalar(&args.args[0]))?;
        let chosen = self.chosen(&name, &args.arg_fields[1..])?;
        let columns = args.args[1..].iter().map(|value| value.to_array(args.number_rows));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let names: Vec<String> = args.arg_fields[1..].iter().map(|field| field.name().clone()).collect();
        let counted = match chosen.view {
            View::Text => count::<Texts<'_>>(&chosen, &columns, &names)?,
            View::Ids => count::<Ids<'_>>(&chosen, &columns, &names)?,
            View::Own => count::<Values>(&chosen, &columns, &names)?,
        };
        let arrays =
            counted.into_iter().map(|column| Arc::new(Int64Array::from(column)) as ArrayRef).collect();
        let fields = fields(chosen.require_columns()?);
        Ok(ColumnarValue::Array(Arc::new(StructArray::try_new(fields, arrays, None)?)))
    }
}

fn count<'a, R: Read<'a>>(chosen: &Chosen, columns: &'a [ArrayRef], names: &[String]) -> Result<Vec<Vec<i64>>>
where
    Panel: Observe<R::Item, Stats = PanelStats, Scratch = PanelScratch>,
{
    let own = chosen.require_columns()?;
    let panel = chosen.panel.as_ref().ok_or_else(|| exec_datafusion_err!("{NAME} has no metric"))?;
    let place = Place { names, before: 0, within: "a batch of the query" };
    let leading = leading(&chosen.key, &own[LEADING.len()..]);
    let mut counted: Vec<Vec<i64>> = own.iter().map(|_| Vec::with_capacity(columns[0].len())).collect();
    let mut scratch = PanelScratch::default();
    let mut counts = Vec::with_capacity(own.len());
    each::<R>(
        columns,
        // One scratch serves all rows of the batch; a fresh one for each row would allocate anew.
        &chosen.metric,
        &place,
        |_| true,
        |row, segment| {
            let wrong = |message: &dyn fmt::Display| place.wrong(0, row, format!("in {NAME}: {message}"));
            let mut stats = panel.zero();
            Observe::<R::Item>::observe(panel, &mut scratch, &mut stats, segment)
                .map_err(|error| wrong(&error))?;
            counts.clear();
            let of_segment = SegmentCounts::of_segment(segment.references.len());
            let written = of_segment.write_row(&mut counts).and_then(|()| stats.write_row(&mut counts));
            written.map_err(|error| wrong(&error))?;
            let row = leading(&counts).into_iter().chain(counts.iter().copied());
            for ((column, count), name) in counted.iter_mut().zip(row).zip(own) {
                // Arrow engines sum signed numbers, so counts above 63 bits are an error here and not a
                // negative number later.
                let fits = i64::try_from(count);
                column.push(
                    fits.map_err(|_| wrong(&format!("the count of {name}, {count}, does not fit 63 bits")))?,
                );
            }
            Ok(())
        },
    )?;
    Ok(counted)
}

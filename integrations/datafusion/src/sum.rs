//! Aggregate `metric_sum`: the sum of counts, with checks of their key and of overflow.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{Array as _, ArrayRef, AsArray, Int64Array, StructArray};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::{AggregateOrderSensitivity, format_state_name};
use datafusion::logical_expr::{Accumulator, AggregateUDFImpl, GroupsAccumulator, Signature, Volatility};

use crate::columns::Place;
use crate::groups::{Groups, Totals};
use crate::rows::{coerced, columns, read};

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MetricSum {
    signature: Signature,
}

impl MetricSum {
    pub(crate) fn new() -> Self {
        MetricSum { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

const NAME: &str = "metric_sum";

impl Hash for MetricSum {
    fn hash<H: Hasher>(&self, state: &mut H) {
        NAME.hash(state);
    }
}

/// Returns the fields of the result. The struct may be null, which is the sum of no rows.
fn nullable(kind: &DataType) -> Result<Fields> {
    match coerced(NAME, kind)? {
        DataType::Struct(fields) => Ok(fields),
        other => plan_err!("{NAME} takes counts, not {other}"),
    }
}

fn sums(args: &AccumulatorArgs) -> Result<Groups<Sums>> {
    if args.is_distinct {
        return plan_err!("{NAME} counts every row: it takes no DISTINCT");
    }
    let fields = nullable(args.expr_fields[0].data_type())?;
    let at = |name: &str| fields.iter().position(|field| field.name() == name).unwrap_or_default();
    Ok(Groups::new(Sums {
        names: vec![args.expr_fields[0].name().clone()],
        key: at("key"),
        segments: at("segments"),
        fields,
        before: 0,
    }))
}

impl AggregateUDFImpl for MetricSum {
    fn name(&self) -> &str {
        NAME
    }
    fn signature(&self) -> &Signature {
        &self.signature
    }
    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [counts] => Ok(vec![coerced(NAME, counts)?]),
            _ => plan_err!("{NAME} takes counts, a struct as metric_counts makes it"),
        }
    }
    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Struct(nullable(&types[0])?))
    }
    /// Returns the field of the result with the metadata of the counts, which names their metric.
    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        let kind = DataType::Struct(nullable(fields[0].data_type())?);
        Ok(Arc::new(Field::new(NAME, kind, true).with_metadata(fields[0].metadata().clone())))
    }
    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let kind = args.return_field.data_type().clone();
        Ok(vec![Arc::new(Field::new(format_state_name(args.name, "sum"), kind, true))])
    }
    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(sums(&args)?))
    }
    fn groups_accumulator_supported(&self, _: AccumulatorArgs) -> bool {
        true
    }
    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(sums(&args)?))
    }
    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::Insensitive
    }
}

#[derive(Clone)]
struct Sums {
    names: Vec<String>,
    fields: Fields,
    key: usize,
    segments: usize,
    before: u64,
}

type Sum = Option<Vec<i64>>;

impl Sums {
    fn add(
        &mut self,
        counts: &StructArray,
        keep: impl Fn(usize) -> bool,
        totals: &mut [Sum],
        group: impl Fn(usize) -> usize,
    ) -> Result<()> {
        let columns = columns(counts)?;
        let place = Place {
            names: &self.names,
            before: self.before,
            within: "the partition of the query that failed",
        };
        let mut own = Vec::with_capacity(columns.len());
        for row in (0..counts.len()).filter(|&row| keep(row)) {
            read(counts, &columns, &place, row, None, &mut own)?;
            match &mut totals[group(row)] {
                Some(total) => {
                    // The column `key` is a number for each segment, so sums of one metric have equal
                    // quotients. Cross products avoid division.
                    let times = |key: &[i64], segments: &[i64]| {
                        i128::from(key[self.key]) * i128::from(segments[self.segments])
                    };
                    if times(total, &own) != times(&own, total) {
                        return Err(place.wrong(
                            0,
                            row,
                            "has counts of another state key than the rows before",
                        ));
                    }
                    for ((total, own), field) in total.iter_mut().zip(&own).zip(&self.fields) {
                        *total = total.checked_add(*own).ok_or_else(|| {
                            let message = format!(
                                "overflows the sum of `{}`, which fits 63 bits: sum in groups, and merge their states",
                                field.name()
                            );
                            place.wrong(0, row, message)
                        })?;
                    }
                }
                total => *total = Some(own.clone()),
            }
        }
        self.before += counts.len() as u64;
        Ok(())
    }
}

impl Totals for Sums {
    type Total = Vec<i64>;

    fn update(
        &mut self,
        values: &[ArrayRef],
        keep: impl Fn(usize) -> bool,
        totals: &mut [Sum],
        group: impl Fn(usize) -> usize,
    ) -> Result<()> {
        self.add(values[0].as_struct(), keep, totals, group)
    }

    fn merge(&mut self, sums: &ArrayRef, totals: &mut [Sum], group: impl Fn(usize) -> usize) -> Result<()> {
        self.add(sums.as_struct(), |row| sums.is_valid(row), totals, group)
    }

    fn subtract(&self, total: &mut Sum, left: Vec<i64>) -> Result<()> {
        if let Some(own) = total {
            // The leaving rows were added before, so no count falls below zero.
            own.iter_mut().zip(left).for_each(|(own, left)| *own -= left);
        }
        // A window without segments has the sum of no rows, which is null.
        total.take_if(|own| own[self.segments] == 0);
        Ok(())
    }

    fn finish(&self, totals: &[Sum]) -> Result<ArrayRef> {
        let column = |at: usize| -> ArrayRef {
            Arc::new(totals.iter().map(|total| total.as_ref().map(|total| total[at])).collect::<Int64Array>())
        };
        let arrays = (0..self.fields.len()).map(column).collect();
        let nulls: NullBuffer = totals.iter().map(Option::is_some).collect::<Vec<bool>>().into();
        Ok(Arc::new(StructArray::try_new(self.fields.clone(), arrays, Some(nulls))?))
    }

    fn fresh(&self) -> Self {
        self.clone()
    }

    fn size_of_group(&self) -> usize {
        size_of::<Sum>() + 8 * self.fields.len()
    }
}

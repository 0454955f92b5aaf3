//! The aggregate `metric_sum`: the sum of counts, with their key and with overflow checked.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, BooleanArray, Int64Array, StructArray};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::{AggregateOrderSensitivity, format_state_name};
use datafusion::logical_expr::{
    Accumulator, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility,
};

use crate::aggregate::kept;
use crate::columns::Place;
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

/// A null struct is the sum of no rows.
fn nullable(kind: &DataType) -> Result<Fields> {
    match coerced(NAME, kind)? {
        DataType::Struct(fields) => Ok(fields),
        other => plan_err!("{NAME} takes counts, not {other}"),
    }
}

fn sums(args: &AccumulatorArgs) -> Result<Sums> {
    if args.is_distinct {
        return plan_err!("{NAME} counts every row: it takes no DISTINCT");
    }
    let fields = nullable(args.expr_fields[0].data_type())?;
    let at = |name: &str| fields.iter().position(|field| field.name() == name).unwrap_or_default();
    Ok(Sums {
        names: vec![args.expr_fields[0].name().clone()],
        key: at("key"),
        segments: at("segments"),
        fields,
        totals: Vec::new(),
        before: 0,
    })
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
    /// With the metadata of its counts, which name their metric.
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

/// The sums of groups.
#[derive(Debug, Clone)]
struct Sums {
    names: Vec<String>,
    fields: Fields,
    /// The columns of the key and of the segments.
    key: usize,
    segments: usize,
    totals: Vec<Option<Vec<i64>>>,
    /// Rows so far.
    before: u64,
}

impl Sums {
    fn grow(&mut self, count: usize) {
        self.totals.resize_with(self.totals.len().max(count), || None);
    }

    /// Adds rows to their groups; sums of earlier steps may be null.
    fn add(
        &mut self,
        counts: &StructArray,
        are_sums: bool,
        keep: impl Fn(usize) -> bool,
        group: impl Fn(usize) -> usize,
    ) -> Result<()> {
        use datafusion::arrow::array::Array as _;
        let columns = columns(counts)?;
        let place = Place {
            names: &self.names,
            before: self.before,
            within: "the partition of the query that failed",
        };
        let mut own = Vec::with_capacity(columns.len());
        for row in (0..counts.len()).filter(|&row| keep(row) && !(are_sums && counts.is_null(row))) {
            read(counts, &columns, &place, row, &mut own)?;
            match &mut self.totals[group(row)] {
                Some(total) => {
                    // Of one key: the same number for each segment.
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

    fn array(&self, totals: &[Option<Vec<i64>>]) -> Result<StructArray> {
        let column = |at: usize| -> ArrayRef {
            Arc::new(totals.iter().map(|total| total.as_ref().map(|total| total[at])).collect::<Int64Array>())
        };
        let arrays = (0..self.fields.len()).map(column).collect();
        let nulls: NullBuffer = totals.iter().map(Option::is_some).collect::<Vec<bool>>().into();
        Ok(StructArray::try_new(self.fields.clone(), arrays, Some(nulls))?)
    }

    fn scalar(&mut self) -> Result<ScalarValue> {
        self.grow(1);
        Ok(ScalarValue::Struct(Arc::new(self.array(&self.totals[..1])?)))
    }

    fn bytes(&self) -> usize {
        let row = size_of::<Option<Vec<i64>>>() + 8 * self.fields.len();
        size_of::<Self>() + self.totals.capacity() * row
    }
}

impl Accumulator for Sums {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.grow(1);
        self.add(values[0].as_struct(), false, |_| true, |_| 0)
    }
    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.scalar()
    }
    fn size(&self) -> usize {
        self.bytes()
    }
    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.scalar()?])
    }
    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.grow(1);
        self.add(states[0].as_struct(), true, |_| true, |_| 0)
    }
    /// Of a window: sums subtract.
    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let mut left = Sums { totals: Vec::new(), ..self.clone() };
        Accumulator::update_batch(&mut left, values)?;
        let left = left.totals.pop().flatten();
        if let (Some(Some(total)), Some(left)) = (self.totals.first_mut(), left) {
            total.iter_mut().zip(left).for_each(|(total, left)| *total -= left);
        }
        let segments = self.segments;
        self.totals
            .iter_mut()
            .filter(|total| total.as_ref().is_some_and(|sum| sum[segments] == 0))
            .for_each(|total| *total = None);
        Ok(())
    }
    fn supports_retract_batch(&self) -> bool {
        true
    }
}

impl GroupsAccumulator for Sums {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        count: usize,
    ) -> Result<()> {
        self.grow(count);
        self.add(values[0].as_struct(), false, kept(filter), |row| groups[row])
    }
    fn evaluate(&mut self, emit: EmitTo) -> Result<ArrayRef> {
        let totals = emit.take_needed(&mut self.totals);
        Ok(Arc::new(self.array(&totals)?))
    }
    fn state(&mut self, emit: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(vec![GroupsAccumulator::evaluate(self, emit)?])
    }
    fn merge_batch(&mut self, values: &[ArrayRef], groups: &[usize], count: usize) -> Result<()> {
        self.grow(count);
        self.add(values[0].as_struct(), true, |_| true, |row| groups[row])
    }
    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        use datafusion::arrow::array::Array as _;
        let mut each = Sums { totals: vec![None; values[0].len()], ..self.clone() };
        each.add(values[0].as_struct(), false, kept(filter), |row| row)?;
        Ok(vec![Arc::new(each.array(&each.totals)?)])
    }
    fn size(&self) -> usize {
        self.bytes()
    }
}

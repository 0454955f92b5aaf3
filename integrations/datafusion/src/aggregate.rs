//! Aggregates `metric`, `metric_state` and `metric_merge`, and short names such as `bleu`.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};

use datafusion::arrow::array::{RecordBatch, RecordBatchOptions};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::expr::AggregateFunction;
use datafusion::logical_expr::function::{AccumulatorArgs, AggregateFunctionSimplification, StateFieldsArgs};
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::utils::{AggregateOrderSensitivity, format_state_name};
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, ColumnarValue, Expr, GroupsAccumulator, Signature,
    Volatility, lit,
};

use crate::catalogue::{Catalogue, pinned};
use crate::columns::coerced;
use crate::groups::Groups;
use crate::meter::Meter;
use crate::state::Opener;

/// Input and output of an aggregate: segments to scores, segments to states, or states to a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    Score,
    State,
    Merge,
}

impl Role {
    pub(crate) fn function(self) -> &'static str {
        match self {
            Role::Score => "metric",
            Role::State => "metric_state",
            Role::Merge => "metric_merge",
        }
    }
}

#[derive(Clone)]
pub(crate) struct MetricAggregate {
    catalogue: Arc<Catalogue>,
    role: Role,
    name: String,
    /// Metric of a short name; if absent, the first argument names the metric.
    fixed: Option<String>,
    signature: Signature,
}

impl MetricAggregate {
    pub(crate) fn generic(catalogue: Arc<Catalogue>, role: Role) -> Self {
        let signature = Signature::user_defined(Volatility::Immutable);
        MetricAggregate { catalogue, role, name: role.function().to_owned(), fixed: None, signature }
    }

    pub(crate) fn short(catalogue: Arc<Catalogue>, name: &str, metric: &str) -> Self {
        let generic = MetricAggregate::generic(catalogue, Role::Score);
        MetricAggregate { name: name.to_owned(), fixed: Some(metric.to_owned()), ..generic }
    }

    /// Returns `true` if the first of this number of arguments names the metric.
    fn is_named(&self, arguments: usize) -> bool {
        self.fixed.is_none() && (self.role != Role::Merge || arguments == 2)
    }

    // DISTINCT would drop repeated segments, and a corpus score counts every one.
    fn meter(&self, args: &AccumulatorArgs) -> Result<Meter> {
        if args.is_distinct {
            return plan_err!("{} counts every segment: it takes no DISTINCT", self.name);
        }
        // A literal name is no column, so the columns start after it.
        let skip = usize::from(self.is_named(args.exprs.len()));
        let named = if skip == 1 { Some(literal(&self.name, args)?) } else { self.fixed.clone() };
        let mut chosen = None;
        if let (Role::Score | Role::State, Some(name)) = (self.role, &named) {
            let kinds: Vec<_> = args.expr_fields.iter().map(|field| field.data_type().clone()).collect();
            chosen = Some(self.catalogue.over(&self.name, name, &kinds[skip..])?);
        }
        Ok(Meter {
            catalogue: self.catalogue.clone(),
            function: self.name.clone(),
            role: self.role,
            skip,
            names: args.expr_fields[skip..].iter().map(|field| field.name().clone()).collect(),
            chosen,
            opener: Opener::new(named.filter(|_| self.role == Role::Merge)),
            before: 0,
            scratch: Mutex::default(),
        })
    }

    /// Returns the call of the generic function with the state key added to its first argument, so that
    /// every process checks the key.
    fn pinned(&self, mut call: AggregateFunction, context: &SimplifyContext) -> Result<Expr> {
        let skip = usize::from(self.fixed.is_none());
        // A name that is not a literal cannot be pinned here; planning reports it later.
        let name = match (&self.fixed, call.params.args.first()) {
            (Some(fixed), _) => fixed.clone(),
            (None, Some(Expr::Literal(value, _))) => match value.try_as_str().flatten() {
                Some(name) => name.to_owned(),
                None => return Ok(Expr::AggregateFunction(call)),
            },
            _ => return Ok(Expr::AggregateFunction(call)),
        };
        let kinds = call.params.args[skip..].iter().map(|expr| context.get_data_type(expr));
        let kinds = kinds.collect::<Result<Vec<_>>>()?;
        let chosen = self.catalogue.over(&self.name, &name, &kinds)?;
        drop(call.params.args.splice(..skip, [lit(pinned(&name, &chosen))]));
        // Executors know only the generic functions for certain: short names may be added by a session
        // alone.
        call.func = Arc::new(AggregateUDF::from(MetricAggregate::generic(self.catalogue.clone(), self.role)));
        Ok(Expr::AggregateFunction(call))
    }
}

/// Returns the first argument, which must be known before any row is read.
fn literal(function: &str, args: &AccumulatorArgs) -> Result<String> {
    let one = RecordBatchOptions::new().with_row_count(Some(1));
    let one = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &one)?;
    match args.exprs[0].evaluate(&one) {
        Ok(ColumnarValue::Scalar(value)) if value.try_as_str().flatten().is_some() => {
            Ok(value.try_as_str().flatten().unwrap_or_default().to_owned())
        }
        _ => plan_err!(
            "the first argument of {function} is the name of a metric between quotes, such as 'bleu'"
        ),
    }
}

impl fmt::Debug for MetricAggregate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MetricAggregate").field("name", &self.name).field("metric", &self.fixed).finish()
    }
}

impl PartialEq for MetricAggregate {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.fixed, self.role) == (&other.name, &other.fixed, other.role)
    }
}

impl Eq for MetricAggregate {}

impl Hash for MetricAggregate {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.name, &self.fixed, self.role).hash(state);
    }
}

impl AggregateUDFImpl for MetricAggregate {
    fn name(&self) -> &str {
        &self.name
    }
    fn signature(&self) -> &Signature {
        &self.signature
    }
    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let (mut out, rest) = match types {
            [_, rest @ ..] if self.is_named(types.len()) => (vec![DataType::Utf8], rest),
            [] if self.fixed.is_none() && self.role != Role::Merge => {
                return plan_err!("{} takes the name of a metric first, such as 'bleu'", self.name);
            }
            _ => (Vec::new(), types),
        };
        match (self.role, rest) {
            (
                Role::Merge,
                [DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::Null],
            ) => {
                out.push(DataType::Binary);
            }
            (Role::Merge, _) => {
                return plan_err!("{} takes ([metric,] state), where states are binary", self.name);
            }
            _ => out.extend(coerced(&self.name, rest)?.1),
        }
        Ok(out)
    }
    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(if self.role == Role::Score { DataType::Float64 } else { DataType::Binary })
    }
    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new(format_state_name(args.name, "state"), DataType::Binary, true))])
    }
    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Groups::new(self.meter(&args)?)))
    }
    fn groups_accumulator_supported(&self, _: AccumulatorArgs) -> bool {
        true
    }
    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(Groups::new(self.meter(&args)?)))
    }
    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::Insensitive
    }
    fn simplify(&self) -> Option<AggregateFunctionSimplification> {
        let own = self.clone();
        (self.role != Role::Merge).then(|| -> AggregateFunctionSimplification {
            Box::new(move |call, context| own.pinned(call, context))
        })
    }
}

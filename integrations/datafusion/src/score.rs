//! Scalar function `metric_score`: finishes states or counts, by their own metric or by a named one.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Float64Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};

use crate::catalogue::{Catalogue, Chosen};
use crate::columns::View;
use crate::counts::{name_of, scalar};
use crate::rows;
use crate::state::{Opener, at_place, score};

pub(crate) struct MetricScore {
    catalogue: Arc<Catalogue>,
    signature: Signature,
}

const NAME: &str = "metric_score";

impl MetricScore {
    pub(crate) fn new(catalogue: Arc<Catalogue>) -> Self {
        MetricScore { catalogue, signature: Signature::user_defined(Volatility::Immutable) }
    }

    fn of_states(&self, named: Option<String>, states: &ArrayRef, column: &str) -> Result<Float64Array> {
        let mut opener = Opener::new(named);
        let states = states.as_binary::<i32>();
        let of = |(row, state): (usize, Option<&[u8]>)| {
            // The state of a group without segments is null, and so is its score.
            let Some(state) = state else { return Ok(None) };
            let place = format!("{column}[{row}]");
            let scored = opener
                .open(&self.catalogue, state, &place)
                .and_then(|(chosen, state)| score(&chosen, &state));
            scored.map_err(|error| at_place(error, &place))
        };
        states.iter().enumerate().map(of).collect()
    }

    /// Returns the metric of counts: the metric of their header, which a named metric must match, or the
    /// named metric if there is no header.
    fn of_counts(&self, named: Option<&str>, args: &ScalarFunctionArgs) -> Result<Arc<Chosen>> {
        let header = match args.arg_fields.last() {
            Some(field) => rows::header(field)?,
            None => None,
        };
        // An engine's own SUM and files drop the metadata, so a name must do without a header.
        match (named, header) {
            (Some(name), None) => self.catalogue.observing(name, View::Text),
            (named, header) => self.catalogue.finishing(named, &rows::opened(header, NAME)?),
        }
    }
}

impl fmt::Debug for MetricScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME)
    }
}

impl PartialEq for MetricScore {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.catalogue, &other.catalogue)
    }
}

impl Eq for MetricScore {}

impl Hash for MetricScore {
    fn hash<H: Hasher>(&self, state: &mut H) {
        NAME.hash(state);
    }
}

impl ScalarUDFImpl for MetricScore {
    fn name(&self) -> &str {
        NAME
    }
    fn signature(&self) -> &Signature {
        &self.signature
    }
    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let (mut out, given) = match types {
            [given] => (Vec::new(), given),
            [_, given] => (vec![DataType::Utf8], given),
            _ => return plan_err!("{NAME} takes ([metric,] state or counts)"),
        };
        out.push(match given {
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::Null => {
                DataType::Binary
            }
            DataType::Struct(_) => rows::coerced(NAME, given)?,
            other => return plan_err!("{NAME} takes a state (binary) or counts (a struct), not {other}"),
        });
        Ok(out)
    }
    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Float64)
    }
    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let last = args.args.len() - 1;
        let named = if last == 1 { Some(name_of(NAME, scalar(&args.args[0]))?) } else { None };
        let given = args.args[last].to_array(args.number_rows)?;
        let names = [args.arg_fields[last].name().clone()];
        let scores = match given.data_type() {
            DataType::Struct(_) => {
                let chosen = self.of_counts(named.as_deref(), &args)?;
                rows::scores(&chosen, given.as_struct(), &names)?.into_iter().collect()
            }
            _ => self.of_states(named, &given, &names[0])?,
        };
        Ok(ColumnarValue::Array(Arc::new(scores)))
    }
}

//! Every metric of bleuprint as SQL functions for DataFusion, exact on any number of partitions.
//!
//! | function | kind | result |
//! |---|---|---|
//! | `metric('chrf:word-order=2', hyp, ref [, source])` | aggregate | the score |
//! | `bleu(hyp, ref)`, `chrf`, `chrfpp`, `ter`, `wer`, `rouge_l`, .. | aggregate | the score, by a short name and without options |
//! | `metric_state(name, hyp, ref [, source])` | aggregate | the state, as the bytes of `bleuprint.tables` |
//! | `metric_merge([name,] state)` | aggregate | the merged state |
//! | `metric_counts(name, hyp, ref [, source])` | scalar | the counts of a segment, a struct with the columns of `bleuprint.tables` |
//! | `metric_sum(counts)` | aggregate | the sum of counts, with checks |
//! | `metric_score([name,] state or counts)` | scalar | the score |
//!
//! Columns are text (strings, or bytes in UTF-8) or lists of integers, which are token ids
//! (`bleu:space=gpt2` names their vocabulary). Metrics over data of other forms (`pass`, `perplexity`,
//! `der`) take structs, lists and numbers with the same fields as in JSON Lines: `pass(named_struct('n', n,
//! 'c', c))`. References may be lists of any of these.
//!
//! A null is an error with its column and row; `FILTER (WHERE hyp IS NOT NULL)` leaves such rows out. A
//! group without segments is null.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use datafusion::prelude::SessionContext;
//!
//! let context = SessionContext::new();
//! bleuprint_datafusion::register(&context)?;
//! let query = "SELECT bleu(hyp, ref) >= 100 AS same FROM (VALUES ('a b c d', 'a b c d'), ('e f', 'e f')) AS t (hyp, ref)";
//! let rows = context.sql(query).await?.collect().await?;
//! assert_eq!(rows[0].column(0).as_ref(), &datafusion::arrow::array::BooleanArray::from(vec![true]));
//! # datafusion::common::Result::<()>::Ok(())
//! # }).unwrap();
//! ```

mod aggregate;
mod catalogue;
mod columns;
mod counts;
mod groups;
mod meter;
mod own;
pub mod program;
mod rows;
mod score;
mod state;
mod sum;

use std::sync::Arc;

use bleuprint::Registry;
use bleuprint::eval::{ChosenTokens, TokenRequest};
use bleuprint::text::Families;
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};
use datafusion::prelude::SessionContext;

use aggregate::{MetricAggregate, Role};
use catalogue::Catalogue;
use columns::View;

/// Registers the functions of all metrics of [`bleuprint::families`].
///
/// # Errors
/// Returns no error in practice, because the metrics are tested.
pub fn register(context: &SessionContext) -> Result<()> {
    Functions::standard()?.register(context);
    Ok(())
}

/// SQL functions of a registry of metrics, for a session or for the executors of a cluster.
#[derive(Clone)]
pub struct Functions {
    catalogue: Arc<Catalogue>,
    /// Aggregates: `metric`, `metric_state`, `metric_merge`, `metric_sum`, and the short names.
    pub aggregates: Vec<Arc<AggregateUDF>>,
    /// Scalar functions: `metric_counts` and `metric_score`.
    pub scalars: Vec<Arc<ScalarUDF>>,
}

impl Functions {
    /// Creates the functions of all metrics of [`bleuprint::families`].
    ///
    /// # Errors
    /// Returns no error in practice, because the metrics are tested.
    pub fn standard() -> Result<Self> {
        Functions::new(&bleuprint::families())
    }

    /// Creates the generic functions, and one short name for each metric that is computed in one pass. Names
    /// that DataFusion already has (`avg`) are left out.
    ///
    /// # Errors
    /// Returns an error if two metrics have the same short name.
    pub fn new(families: &Families) -> Result<Self> {
        let tokens = TokenRequest::default().choose(families.tokenizers()).map_err(catalogue::external)?;
        Functions::with_tokens(families.registry().clone(), tokens)
    }

    /// Creates the functions with other tokens, which apply to every metric that names none.
    ///
    /// # Errors
    /// Returns the errors of [`Functions::new`].
    pub fn with_tokens(metrics: Registry, tokens: ChosenTokens) -> Result<Self> {
        let catalogue = Arc::new(Catalogue::new(metrics, tokens));
        let generic = |role| Arc::new(AggregateUDF::from(MetricAggregate::generic(catalogue.clone(), role)));
        let mut aggregates: Vec<_> = [Role::Score, Role::State, Role::Merge].map(generic).into();
        aggregates.push(Arc::new(AggregateUDF::from(sum::MetricSum::new())));
        let scalars = vec![
            Arc::new(ScalarUDF::from(counts::Counts::new(catalogue.clone()))),
            Arc::new(ScalarUDF::from(score::MetricScore::new(catalogue.clone()))),
        ];
        let mut functions = Functions { catalogue: catalogue.clone(), aggregates, scalars };
        // A short name must not replace a function of SQL such as `avg`, or existing queries would change
        // their meaning.
        let builtin = SessionContext::new().state();
        let is_builtin = |name: &str| {
            builtin.aggregate_functions().contains_key(name) || builtin.scalar_functions().contains_key(name)
        };
        for names in catalogue.names() {
            let mut shorts = Vec::new();
            for name in names {
                let short = short_name(name);
                // Several names of a metric may be the same in SQL, for example `cider-d` and `CIDEr-D`.
                if is_builtin(&short) || shorts.contains(&short) {
                    continue;
                }
                if catalogue.observing(name, View::Text).is_ok() {
                    functions.add(&short, name)?;
                } else if catalogue.learns(name) {
                    // The short name exists anyway, so that planning a query reports why the metric cannot
                    // be used.
                    functions.push(&short, name)?;
                }
                shorts.push(short);
            }
        }
        Ok(functions)
    }

    /// Adds a short name for a metric with options, for example `bleu_zh` for `bleu:tokenize=zh`.
    ///
    /// # Errors
    /// Returns an error if the metric cannot be built, if it cannot be computed in one pass, or if the name
    /// is taken.
    pub fn add(&mut self, name: &str, metric: &str) -> Result<()> {
        self.catalogue.observing(metric, View::Text)?;
        self.push(name, metric)
    }

    fn push(&mut self, name: &str, metric: &str) -> Result<()> {
        let taken = |own: &str| own == name;
        if self.aggregates.iter().any(|own| taken(own.name()))
            || self.scalars.iter().any(|own| taken(own.name()))
        {
            return plan_err!("a function `{name}` already exists; choose another name");
        }
        let short = MetricAggregate::short(self.catalogue.clone(), name, metric);
        self.aggregates.push(Arc::new(AggregateUDF::from(short)));
        Ok(())
    }

    /// Registers the functions in a session.
    pub fn register(&self, context: &SessionContext) {
        for function in &self.aggregates {
            context.register_udaf(AggregateUDF::clone(function));
        }
        for function in &self.scalars {
            context.register_udf(ScalarUDF::clone(function));
        }
    }
}

/// Returns a name that SQL accepts without quotes: `rougeLsum` becomes `rouge_lsum`, `chrf++` becomes
/// `chrfpp`.
fn short_name(name: &str) -> String {
    let mut short = String::new();
    for c in name.chars() {
        match c {
            '+' => short.push('p'),
            c if c.is_ascii_alphanumeric() => {
                if c.is_ascii_uppercase() && short.ends_with(|last: char| last.is_ascii_lowercase()) {
                    short.push('_');
                }
                short.push(c.to_ascii_lowercase());
            }
            _ => short.push('_'),
        }
    }
    short
}

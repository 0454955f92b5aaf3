//! The functions of `bleuprint-datafusion` in the processes of a cluster of [Ballista](https://datafusion.apache.org/ballista/).
//!
//! Ballista sends query plans that refer to functions by name, so the client, the scheduler and every
//! executor must register them. Each plan contains the state key of every metric. A process whose tokenizer
//! or metric differs rejects the plan and names the field that differs. Executors exchange only states, some
//! hundred bytes for each partition and group, and never text.
//!
//! ```
//! use ballista_scheduler::config::SchedulerConfig;
//! use bleuprint_datafusion::Functions;
//!
//! let functions = Functions::standard()?;
//! let scheduler = SchedulerConfig {
//!     override_session_builder: Some(bleuprint_ballista::session_builder(functions.clone())),
//!     ..SchedulerConfig::default()
//! };
//! // For an executor: `ExecutorProcessConfig { override_function_registry: Some(Arc::new(registry)), .. }`.
//! let registry = bleuprint_ballista::function_registry(&functions);
//! let client = bleuprint_ballista::client("http://localhost:50050", &functions)?;
//! assert!(registry.aggregate_functions.contains_key("metric_state") && client.state().aggregate_functions().contains_key("bleu"));
//! # datafusion::common::Result::<()>::Ok(())
//! ```

use std::sync::Arc;

use ballista_core::extension::SessionStateExt as _;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::utils::{default_config_producer, default_session_builder};
use ballista_scheduler::SessionBuilder;
use bleuprint_datafusion::Functions;
use datafusion::common::Result;
use datafusion::prelude::SessionContext;

/// Returns the functions of an executor, for `override_function_registry` of its configuration.
#[must_use]
pub fn function_registry(functions: &Functions) -> BallistaFunctionRegistry {
    let mut registry = BallistaFunctionRegistry::default();
    let named = |function: &Arc<_>| {
        (datafusion::logical_expr::AggregateUDF::name(function).to_owned(), function.clone())
    };
    registry.aggregate_functions.extend(functions.aggregates.iter().map(named));
    registry
        .scalar_functions
        .extend(functions.scalars.iter().map(|function| (function.name().to_owned(), function.clone())));
    registry
}

/// Returns the builder of a scheduler's sessions, for `override_session_builder` of its configuration.
#[must_use]
pub fn session_builder(functions: Functions) -> SessionBuilder {
    Arc::new(move |config| {
        let context = SessionContext::new_with_state(default_session_builder(config)?);
        functions.register(&context);
        Ok(context.state())
    })
}

/// Creates a session whose queries are run by the scheduler at this address, for example
/// `http://localhost:50050`.
///
/// # Errors
/// Returns the errors of Ballista.
pub fn client(scheduler: &str, functions: &Functions) -> Result<SessionContext> {
    let state = default_session_builder(default_config_producer())?;
    let context = SessionContext::new_with_state(state.upgrade_for_ballista(scheduler.to_owned())?);
    functions.register(&context);
    Ok(context)
}

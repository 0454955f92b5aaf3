//! Ballista: the scheduler, the executors and the client of a cluster whose processes all have the functions of bleuprint.
//!
//! A query goes to the executors with the state key of every metric in it, so one whose tokenizer, metric or version is another
//! refuses its task.

use std::sync::Arc;

use ballista::prelude::SessionContextExt as _;
use ballista_core::extension::SessionConfigExt as _;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use bleuprint_datafusion::Functions;
use datafusion::common::Result;
use datafusion::execution::{FunctionRegistry as _, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};

/// How long an executor may be silent before its tasks go to others, in seconds.
const SILENCE: u64 = 12;

/// Runs a scheduler on this machine, until it is ended.
///
/// # Errors
/// Those of Ballista, in words.
pub(crate) async fn scheduler(functions: Functions, port: u16) -> Result<(), String> {
    let builder = move |config: SessionConfig| {
        let mut state = SessionStateBuilder::new().with_config(config).with_default_features().build();
        for function in &functions.aggregates {
            state.register_udaf(function.clone())?;
        }
        for function in &functions.scalars {
            state.register_udf(function.clone())?;
        }
        Ok(state)
    };
    let config = SchedulerConfig {
        bind_port: port,
        executor_timeout_seconds: SILENCE,
        expire_dead_executor_interval_seconds: SILENCE / 4,
        override_session_builder: Some(Arc::new(builder)),
        ..SchedulerConfig::default()
    };
    let address = format!("127.0.0.1:{port}").parse().map_err(words)?;
    let cluster = BallistaCluster::new_from_config(&config).await.map_err(words)?;
    start_server(cluster, address, Arc::new(config)).await.map_err(words)
}

/// Runs an executor on this machine, until it is ended. It listens on `port` and the next, and keeps its files in `folder`.
///
/// # Errors
/// Those of Ballista, in words.
pub(crate) async fn executor(
    functions: Functions,
    scheduler: u16,
    port: u16,
    folder: &str,
) -> Result<(), String> {
    let mut registry = BallistaFunctionRegistry::default();
    for function in &functions.aggregates {
        registry.aggregate_functions.insert(function.name().to_owned(), function.clone());
    }
    for function in &functions.scalars {
        registry.scalar_functions.insert(function.name().to_owned(), function.clone());
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("{folder}: {error}"))?;
    let config = ExecutorProcessConfig {
        executor_id: format!("executor-{port}"),
        port,
        grpc_port: port + 1,
        scheduler_host: "127.0.0.1".to_owned(),
        scheduler_port: scheduler,
        scheduler_connect_timeout_seconds: 20,
        executor_heartbeat_interval_seconds: 2,
        vcores: 1,
        work_dir: Some(folder.to_owned()),
        override_function_registry: Some(Arc::new(registry)),
        ..ExecutorProcessConfig::default()
    };
    start_executor_process(Arc::new(config)).await.map_err(words)
}

/// A session whose queries run on the cluster of the scheduler `HOST:PORT`; its functions are still to be registered.
///
/// # Errors
/// Those of Ballista.
pub(crate) async fn client(scheduler: &str, partitions: Option<usize>) -> Result<SessionContext> {
    let mut config = SessionConfig::new_with_ballista().with_ballista_job_name("bleuprint-sql");
    if let Some(count) = partitions {
        config = config.with_target_partitions(count);
    }
    let state = SessionStateBuilder::new().with_config(config).with_default_features().build();
    // It replaces the functions of the state by its own.
    SessionContext::remote_with_state(&format!("df://{scheduler}"), state).await
}

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

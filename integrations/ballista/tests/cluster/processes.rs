//! Processes of a cluster: a scheduler and executors, each this program started again with other arguments.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use bleuprint::eval::ChosenTokens;
use bleuprint::registry;
use bleuprint::text::{TokenizerOptions, tokenizer};
use bleuprint_ballista::{client, function_registry, session_builder};
use bleuprint_datafusion::Functions;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Volatility, create_udf};
use datafusion::prelude::SessionContext;

/// Scheduler with its executors; all processes are killed when the value is dropped.
pub(crate) struct Cluster {
    processes: Vec<Child>,
    port: u16,
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for process in &mut self.processes {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Cluster {
    /// Starts a scheduler and an executor of each role, which keep their files in the folder.
    pub(crate) fn start(roles: &[&str], folder: &Path) -> Self {
        let mut cluster = Cluster { processes: Vec::new(), port: free_port() };
        cluster.spawn(&["scheduler", &cluster.port.to_string()]);
        for role in roles {
            let below = folder.join(role);
            std::fs::create_dir_all(&below).unwrap();
            cluster.spawn(&["executor", &cluster.port.to_string(), role, &below.display().to_string()]);
        }
        cluster
    }

    fn spawn(&mut self, arguments: &[&str]) {
        let program = std::env::current_exe().unwrap();
        self.processes.push(Command::new(program).args(arguments).spawn().unwrap());
    }

    pub(crate) fn client(&self) -> Result<SessionContext> {
        let context = client(&format!("http://localhost:{}", self.port), &functions("sound"))?;
        context.register_udf(one_dies("client", PathBuf::new()));
        Ok(context)
    }

    pub(crate) fn alive(&mut self) -> usize {
        self.processes.iter_mut().map(|process| usize::from(process.try_wait().unwrap().is_none())).sum()
    }
}

fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

fn functions(role: &str) -> Functions {
    match role {
        "characters" => {
            let tokens = tokenizer("char", &TokenizerOptions::default()).unwrap();
            let tokens = ChosenTokens::new(tokens, bleuprint::contract::Case::Mixed);
            Functions::with_tokens(registry(), tokens).unwrap()
        }
        _ => Functions::standard().unwrap(),
    }
}

/// Returns a function that returns its text unchanged. The doomed executor aborts in its second task; the
/// other waits for that in its first.
fn one_dies(role: &'static str, folder: PathBuf) -> ScalarUDF {
    let calls = AtomicUsize::new(0);
    let body = move |values: &[ColumnarValue]| {
        let mark = folder.with_file_name("died");
        match role {
            "doomed" if calls.fetch_add(1, Ordering::SeqCst) > 0 => {
                std::fs::write(&mark, "").unwrap();
                std::process::abort();
            }
            "doomed" | "client" => {}
            _ => {
                let mut turns = 0;
                while !mark.exists() {
                    turns += 1;
                    if turns > 3000 {
                        return exec_err!("the other executor had no second task");
                    }
                    std::thread::sleep(Duration::from_millis(100));
                }
            }
        }
        Ok(values[0].clone())
    };
    create_udf("one_dies", vec![DataType::Utf8], DataType::Utf8, Volatility::Volatile, Arc::new(body))
}

/// Runs the scheduler until the process is killed.
pub(crate) async fn scheduler(port: u16) {
    let functions = functions("sound");
    let build = session_builder(functions);
    let config = SchedulerConfig {
        override_session_builder: Some(Arc::new(move |config| {
            let context = SessionContext::new_with_state(build(config)?);
            context.register_udf(one_dies("client", PathBuf::new()));
            Ok(context.state())
        })),
        bind_port: port,
        executor_timeout_seconds: 20,
        expire_dead_executor_interval_seconds: 1,
        ..SchedulerConfig::default()
    };
    let cluster = BallistaCluster::new_from_config(&config).await.unwrap();
    start_server(cluster, (Ipv4Addr::LOCALHOST, port).into(), Arc::new(config)).await.unwrap();
}

pub(crate) async fn executor(scheduler_port: u16, role: &str, folder: &Path) {
    let registry = match role {
        // An executor of a version without these functions.
        "bare" => BallistaFunctionRegistry::default(),
        _ => {
            let mut registry = function_registry(&functions(role));
            let role = if role == "doomed" { "doomed" } else { "sound" };
            let one_dies = one_dies(role, folder.to_owned());
            registry.scalar_functions.insert(one_dies.name().to_owned(), Arc::new(one_dies));
            registry
        }
    };
    let config = ExecutorProcessConfig {
        executor_id: role.to_owned(),
        port: free_port(),
        grpc_port: free_port(),
        scheduler_port,
        scheduler_connect_timeout_seconds: 300,
        vcores: 1,
        work_dir: Some(folder.display().to_string()),
        executor_heartbeat_interval_seconds: 1,
        override_function_registry: Some(Arc::new(registry)),
        ..ExecutorProcessConfig::default()
    };
    start_executor_process(Arc::new(config)).await.unwrap();
}

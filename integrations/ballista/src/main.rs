//! `bleuprint-cluster`: the processes of a cluster of Ballista that knows the metrics, and queries that run on it.

mod cluster;

use std::process::ExitCode;

use bleuprint_datafusion::program::{self, OPTIONS, Request, functions};

const USAGE: &str = "\
bleuprint-cluster scheduler PORT
bleuprint-cluster executor SCHEDULER_PORT PORT FOLDER [TOKENIZER]
bleuprint-cluster query HOST:PORT [-f FORMAT] [-p PARTITIONS] [--tokenize NAME] SQL
  scheduler   listens on PORT of this machine
  executor    listens on PORT and the next, and keeps its files in FOLDER
  query       runs SQL on the cluster of the scheduler HOST:PORT; files must be where the executors find them
";

fn main() -> ExitCode {
    program::main(run())
}

async fn run() -> Result<String, String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let port = |text: &str| text.parse::<u16>().map_err(|_| format!("`{text}` is no port from 0 to 65535"));
    let ended = |()| String::new();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["scheduler", own] => cluster::scheduler(functions(None)?, port(own)?).await.map(ended),
        ["executor", scheduler, own, folder] => {
            cluster::executor(functions(None)?, port(scheduler)?, port(own)?, folder).await.map(ended)
        }
        ["executor", scheduler, own, folder, tokenizer] => {
            cluster::executor(functions(Some(tokenizer))?, port(scheduler)?, port(own)?, folder)
                .await
                .map(ended)
        }
        ["query", scheduler, ..] => {
            let request = Request::parse(args[2..].iter().cloned());
            let request = request.map_err(|error| format!("{error}\n\n{USAGE}{OPTIONS}"))?;
            let context = cluster::client(scheduler, request.partitions).await;
            request.answer(context.map_err(|error| error.strip_backtrace())?).await
        }
        ["-h" | "--help"] => Ok(format!("{USAGE}{OPTIONS}")),
        _ => Err(format!("{USAGE}{OPTIONS}")),
    }
}

//! The program `bleuprint-sql`, which runs queries over files: `bleuprint-sql "SELECT lang, chrf(hyp, ref)
//! FROM 'out/*.parquet' GROUP BY lang"`.

use std::process::ExitCode;

use bleuprint_datafusion::program::{self, OPTIONS, Request};
use datafusion::prelude::{SessionConfig, SessionContext};

fn main() -> ExitCode {
    program::main(run())
}

async fn run() -> Result<String, String> {
    let usage = || format!("bleuprint-sql [-f FORMAT] [-p PARTITIONS] [--tokenize NAME] SQL\n{OPTIONS}");
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [help] = &args[..]
        && ["-h", "--help"].contains(&help.as_str())
    {
        return Ok(usage());
    }
    let request = Request::parse(args).map_err(|error| format!("{error}\n\n{}", usage()))?;
    let mut config = SessionConfig::new();
    if let Some(count) = request.partitions {
        config = config.with_target_partitions(count);
    }
    request.answer(SessionContext::new_with_config(config)).await
}

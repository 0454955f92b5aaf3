//! Our side of `cargo xtask bench`: does one task on files and prints one JSON object, like every peer's engine.
//!
//! ```text
//! bleuprint-engine [--apart] TASK FOLDER ROUNDS
//! ```
//!
//! With `--apart`, a task of several metrics reads and tokenizes the text once for each metric.
//!
//! Times are processor times, so other work on the machine has little effect.
//!
//! | task | timed work |
//! |---|---|
//! | `corpus-files` | reading `hyp`, `ref0`, `ref1`, .. of the folder, 13a, counting, scoring |
//! | `corpus-tokens` | corpus BLEU of token lists that are in memory |
//! | `sentence-tokens` | sentence BLEU of each of these lists |
//! | `tokenize` | 13a of all lines, which are in memory |
//! | `chrf`, `chrf++` | corpus chrF or chrF++ of the lines, which are in memory |
//! | `ter` | corpus TER of the lines, which are in memory |
//! | `rouge1`, .. `sari`, `composition` | metrics of the registry over lines or words in memory: see `catalogue.rs` |
//! | `levenshtein`, .. `spans`, `extractive` | metrics of families by their names: see `catalogue.rs` |
//! | `pass@k`, `likelihood` | metrics over data of other forms, which are in memory: see `families.rs` |
//! | `paired-bs`, `paired-ar` | counting 15 systems (`hyp`, `sys1`, ..), 13a, and testing 14 against the first by BLEU |
//! | `bootstrap` | the test of `paired-bs` alone, from the counts of segments, which are in memory |
//! | `metric:SPEC` | any metric by its name, one reference or several of the lines, which are in memory |
//! | `wer-long`, `rougeL-long` | one line of 100,000 words, `long.hyp` and `long.ref`, which is in memory |
//! | `tcorc`, `tcorc-greedy`, `ditcp`, `tcmimo` | error rates of sessions of speakers in memory, `meetings.hyp` and `meetings.ref` (`meetings-short`) |
//! | `wer`, `cer` | word or character error rate of the lines, which are in memory, against the first reference |
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

mod answer;
mod catalogue;
mod families;
mod significance;
mod tasks;

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let answer = match arguments[..] {
        [task, folder, rounds] => run(task, Path::new(folder), rounds, false),
        ["--apart", task, folder, rounds] => run(task, Path::new(folder), rounds, true),
        _ => Err("usage: bleuprint-engine [--apart] TASK FOLDER ROUNDS".to_owned()),
    };
    match answer {
        Ok(answer) => {
            println!("{answer}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: &str, folder: &Path, rounds: &str, apart: bool) -> Result<Value, String> {
    let rounds: usize = rounds.parse().map_err(|error| format!("ROUNDS `{rounds}`: {error}"))?;
    let mut task = tasks::prepare(task, folder, apart)?;
    // One unmeasured call warms the program up, as for every engine.
    let mut result = task()?;
    let mut seconds = Vec::new();
    for _ in 0..rounds {
        let start = cpu_seconds();
        result = task()?;
        seconds.push(cpu_seconds() - start);
    }
    Ok(json!({ "version": bleuprint::contract::VERSION, "seconds": seconds, "result": result.to_json() }))
}

/// Returns the processor time of this process in seconds, which excludes other work on the machine.
#[cfg(unix)]
fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Returns the wall-clock time in seconds, because processor time is unavailable here.
#[cfg(not(unix))]
fn cpu_seconds() -> f64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64())
}

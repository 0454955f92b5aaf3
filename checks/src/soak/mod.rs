//! `cargo xtask soak`: random command lines over random and damaged inputs, none of which may end the program otherwise
//! than with a result, or with exit code 2 and a message.
//!
//! A run is given by a seed and a number, and `--run N` repeats it on any machine. It writes a few files (lines, columns,
//! CSV, JSON Lines, ids, compressed or not, some of them damaged), makes a command line of the options that the program
//! itself lists in its help, and runs it under limits of memory and time. A naive reference implementation recomputes scores.
//!
//! A run fails when the program panics, is killed, ends with another code, prints nothing, prints invalid JSON, or does
//! not agree with the reference implementation. The inputs of a failure are kept.

mod child;
mod commands;
mod inputs;
mod twin;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use bleuprint_testkit::random::Rng;
use xtask::Result;

use self::child::Ended;
use self::commands::Grammar;
use crate::pool;

/// Default duration in seconds.
const SECONDS: u64 = 60;
/// Default seed.
const SEED: u64 = 20_261_121;
const MOST_FAILURES: usize = 20;

#[derive(Debug, PartialEq, Eq)]
struct SoakPlan {
    seed: u64,
    seconds: u64,
    runs: u64,
    only: Option<u64>,
}

/// Runs `cargo xtask soak [--seconds N] [--seed S] [--runs N] [--run N]`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    let plan = plan(options)?;
    let program = xtask::process::program(root, target, "bleuprint")?;
    let grammar = Grammar::from_program(&program)?;
    println!("  seed {}, {} commands, {} options", plan.seed, grammar.commands(), grammar.options());
    let soak = Soak { program, folder: target.join("soak"), grammar, seed: plan.seed };
    let start = Instant::now();
    let failed = AtomicUsize::new(0);
    let numbers = match plan.only {
        Some(number) => number..number + 1,
        None => 0..plan.runs,
    };
    // Too many failures end the soak early: they are likely to have one cause.
    let numbers = numbers.take_while(|_| {
        start.elapsed() < Duration::from_secs(plan.seconds) && failed.load(Relaxed) < MOST_FAILURES
    });
    let workers =
        (0..pool::size()).map(|worker| (soak.folder.join(format!("run-{worker}")), SoakTally::default()));
    let workers = pool::run(workers, numbers, |(folder, tally), number| {
        failed.fetch_add(soak.one(number, folder, tally, plan.only.is_some())?, Relaxed);
        Ok(())
    })?;
    let mut tally = SoakTally::default();
    workers.into_iter().for_each(|(_, part)| tally.merge(part));
    tally.print(start.elapsed());
    match failed.into_inner() {
        0 => Ok(()),
        failed => Err(format!("{failed} of {} runs failed", tally.runs).into()),
    }
}

fn plan(options: &[&str]) -> Result<SoakPlan> {
    let mut plan = SoakPlan { seed: SEED, seconds: SECONDS, runs: u64::MAX, only: None };
    for pair in options.chunks(2) {
        let [name, number] = pair else { return Err(format!("`{}` wants a number", pair.concat()).into()) };
        let number = number.parse().map_err(|_| format!("`{number}` is not a whole number"))?;
        match *name {
            "--seed" => plan.seed = number,
            "--seconds" => plan.seconds = number,
            "--runs" => plan.runs = number,
            "--run" => plan.only = Some(number),
            _ => {
                return Err(
                    format!("unknown option `{name}`; there are --seed, --seconds, --runs, --run").into()
                );
            }
        }
    }
    Ok(plan)
}

struct Soak {
    program: PathBuf,
    folder: PathBuf,
    grammar: Grammar,
    seed: u64,
}

impl Soak {
    /// Executes the run with this number and returns its number of failures; `aloud` prints the case.
    fn one(&self, number: u64, folder: &Path, tally: &mut SoakTally, aloud: bool) -> Result<usize> {
        // The multiplier is 2^64 divided by the golden ratio: it spreads consecutive run numbers over all bits.
        // Each run has a separate generator, so `--run N` repeats it without the runs before it.
        let mut rng = Rng::new(self.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let _ = std::fs::remove_dir_all(folder);
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        let case = self.grammar.case(folder, &mut rng)?;
        if aloud {
            println!("  {}", case.arguments.join(" "));
        }
        let ended = child::run(&self.program, &case, folder)?;
        if aloud {
            println!("{}{}", ended.stdout, ended.stderr);
        }
        // Only a successful run prints counts that the reference implementation can check.
        let twin = case.expected.as_ref().filter(|_| ended.code == Some(0));
        tally.add(&case.command, &ended, twin.is_some());
        let wrong = ended.wrong().or_else(|| twin?.differs(&ended.stdout));
        let Some(wrong) = wrong else { return Ok(0) };
        let kept = self.folder.join(format!("failure-{number}"));
        let _ = std::fs::remove_dir_all(&kept);
        // The folder is moved, because the next run of this worker empties it.
        std::fs::rename(folder, &kept).map_err(|error| format!("cannot keep the inputs: {error}"))?;
        let shown: String = ended.stderr.chars().take(600).collect();
        println!("  run {number} failed: {wrong}\n    {}\n    {shown}", case.arguments.join(" "));
        tally.failures += 1;
        Ok(1)
    }
}

#[derive(Default)]
struct SoakTally {
    runs: u64,
    ended: BTreeMap<(String, String), u64>,
    compared: u64,
    slowest: Duration,
    failures: usize,
}

impl SoakTally {
    fn add(&mut self, command: &str, ended: &Ended, compared: bool) {
        self.runs += 1;
        let code = ended.code.map_or_else(|| "killed".to_owned(), |code| code.to_string());
        *self.ended.entry((command.to_owned(), code)).or_default() += 1;
        self.compared += u64::from(compared);
        self.slowest = self.slowest.max(ended.time);
    }

    fn merge(&mut self, other: SoakTally) {
        self.runs += other.runs;
        other.ended.into_iter().for_each(|(ended, count)| *self.ended.entry(ended).or_default() += count);
        self.compared += other.compared;
        self.slowest = self.slowest.max(other.slowest);
        self.failures += other.failures;
    }

    fn print(&self, time: Duration) {
        let counts = self.ended.iter().map(|((command, code), count)| format!("{command} {code}: {count}"));
        println!("  {}", counts.collect::<Vec<_>>().join(", "));
        println!(
            "  {} runs in {:.0} s, {} compared with the naive twin, the slowest {:.1} s, {} failures",
            self.runs,
            time.as_secs_f64(),
            self.compared,
            self.slowest.as_secs_f64(),
            self.failures
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        assert_eq!(plan(&[]).unwrap(), SoakPlan { seed: SEED, seconds: SECONDS, runs: u64::MAX, only: None });
        let read = plan(&["--seed", "7", "--seconds", "5", "--runs", "9", "--run", "3"]);
        assert_eq!(read.unwrap(), SoakPlan { seed: 7, seconds: 5, runs: 9, only: Some(3) });
        assert!(
            plan(&["--seed"]).is_err() && plan(&["--seed", "x"]).is_err() && plan(&["--speed", "1"]).is_err()
        );
    }
}

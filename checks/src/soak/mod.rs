//! `cargo xtask soak`: random command lines over random and damaged inputs, none of which may end the program otherwise
//! than with a result, or with exit code 2 and a message.
//!
//! A run is one seed and one number: the same everywhere, and again with `--run N`. It writes a few files (lines, columns,
//! CSV, JSON Lines, ids, compressed or not, some of them damaged), makes a command line of the options that the program
//! itself lists in its help, and runs it under limits of memory and time. What scores is counted again by a naive twin.
//!
//! A run fails when the program panics, is killed, ends with another code, says nothing, prints JSON that is none, or does
//! not agree with the twin. The inputs of a failure are kept.

mod child;
mod commands;
mod inputs;
mod twin;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bleuprint_testkit::random::Rng;

use self::child::Ended;
use self::commands::Grammar;

/// Seconds, where `--seconds` does not say: what `cargo xtask ci` spends.
const SECONDS: u64 = 60;
/// The seed, where `--seed` does not say.
const SEED: u64 = 20_261_121;
/// After so many failures there is enough to look at.
const MOST_FAILURES: usize = 20;

/// What to do.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    seed: u64,
    seconds: u64,
    /// No more runs than this.
    runs: u64,
    /// This one run alone.
    only: Option<u64>,
}

/// Runs `cargo xtask soak [--seconds N] [--seed S] [--runs N] [--run N]`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result<(), String> {
    let plan = plan(options)?;
    let program = xtask::process::program(root, target)?;
    let folder = target.join("soak");
    let grammar = Grammar::of(&program)?;
    println!("  seed {}, {} commands, {} options", plan.seed, grammar.commands(), grammar.options());
    let mut soak = Soak { program, folder, grammar, seed: plan.seed, tally: Tally::default() };
    let start = Instant::now();
    let numbers = match plan.only {
        Some(number) => number..number + 1,
        None => 0..plan.runs,
    };
    for number in numbers {
        if start.elapsed() > Duration::from_secs(plan.seconds) || soak.tally.failures.len() == MOST_FAILURES {
            break;
        }
        soak.one(number, plan.only.is_some())?;
    }
    soak.tally.print(start.elapsed());
    match &soak.tally.failures[..] {
        [] => Ok(()),
        failures => Err(format!("{} of {} runs failed", failures.len(), soak.tally.runs)),
    }
}

fn plan(options: &[&str]) -> Result<Plan, String> {
    let mut plan = Plan { seed: SEED, seconds: SECONDS, runs: u64::MAX, only: None };
    for pair in options.chunks(2) {
        let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is not a whole number"));
        match pair {
            ["--seed", seed] => plan.seed = number(seed)?,
            ["--seconds", seconds] => plan.seconds = number(seconds)?,
            ["--runs", runs] => plan.runs = number(runs)?,
            ["--run", run] => plan.only = Some(number(run)?),
            _ => {
                return Err(format!(
                    "unknown option `{}`; there are --seed, --seconds, --runs, --run",
                    pair.join(" ")
                ));
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
    tally: Tally,
}

impl Soak {
    /// The run of a number; `aloud` shows what it is.
    fn one(&mut self, number: u64, aloud: bool) -> Result<(), String> {
        let mut rng = Rng::new(self.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let folder = self.folder.join("run");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        let case = self.grammar.case(&folder, &mut rng)?;
        if aloud {
            println!("  {}", case.arguments.join(" "));
        }
        let ended = child::run(&self.program, &case, &folder)?;
        if aloud {
            println!("{}{}", ended.stdout, ended.stderr);
        }
        let wrong = ended.wrong().or_else(|| case.expected.as_ref().and_then(|twin| twin.differs(&ended)));
        let compared = case.expected.is_some() && ended.code == Some(0);
        self.tally.add(&case.command, &ended, compared);
        if let Some(wrong) = wrong {
            let kept = self.folder.join(format!("failure-{number}"));
            let _ = std::fs::remove_dir_all(&kept);
            std::fs::rename(&folder, &kept).map_err(|error| format!("cannot keep the inputs: {error}"))?;
            let shown: String = ended.stderr.chars().take(600).collect();
            println!("  run {number} failed: {wrong}\n    {}\n    {shown}", case.arguments.join(" "));
            self.tally.failures.push(number);
        }
        Ok(())
    }
}

/// What was seen.
#[derive(Default)]
struct Tally {
    runs: u64,
    /// By command and exit code.
    ended: BTreeMap<(String, String), u64>,
    compared: u64,
    slowest: Duration,
    failures: Vec<u64>,
}

impl Tally {
    fn add(&mut self, command: &str, ended: &Ended, compared: bool) {
        self.runs += 1;
        let code = ended.code.map_or_else(|| "killed".to_owned(), |code| code.to_string());
        *self.ended.entry((command.to_owned(), code)).or_default() += 1;
        self.compared += u64::from(compared);
        self.slowest = self.slowest.max(ended.time);
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
            self.failures.len()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        assert_eq!(plan(&[]), Ok(Plan { seed: SEED, seconds: SECONDS, runs: u64::MAX, only: None }));
        let read = plan(&["--seed", "7", "--seconds", "5", "--runs", "9", "--run", "3"]);
        assert_eq!(read, Ok(Plan { seed: 7, seconds: 5, runs: 9, only: Some(3) }));
        assert!(
            plan(&["--seed"]).is_err() && plan(&["--seed", "x"]).is_err() && plan(&["--speed", "1"]).is_err()
        );
    }
}

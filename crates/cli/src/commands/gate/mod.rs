//! `bleuprint gate`: new output against a stored baseline, under a policy; the verdict is the exit code.

mod baseline;
mod evidence;

use std::io::Write;
use std::path::Path;

use bleuprint::eval::in_threads;
use bleuprint::eval::store::AtomicFile;
use bleuprint::gate::{OnMissingBaseline, Policy, RuleVerdict, Verdict, write};
use bleuprint::report::pretty;
use bleuprint::{Registry, text};
use clap::{Arg, ArgMatches, Command};

use self::baseline::Baselines;
use self::evidence::NewOutput;
use crate::evaluation::stats;
use crate::{Failure, args};

/// The command.
pub(crate) fn command() -> Command {
    let file = |name: &'static str| Arg::new(name).long(name).value_name("FILE");
    Command::new("gate")
        .about("Judge new output against a stored baseline, under a policy")
        .after_help(
            "Exit codes: 0 pass, 1 fail, 2 error, 3 inconclusive. A baseline is made by `bleuprint stats`.",
        )
        .infer_long_args(true)
        .arg(file("policy").required(true).help("The policy, TOML; paths in it start from its folder"))
        .arg(
            Arg::new("references")
                .value_name("REF")
                .num_args(1..)
                .help("Reference files, one segment a line"),
        )
        .arg(
            Arg::new("input")
                .short('i')
                .long("input")
                .value_name("NEW")
                .num_args(1..)
                .help("The new output, or several runs of one recipe; else standard input"),
        )
        .arg(file("source").help("What the output was made from, for metrics that look at it"))
        .arg(file("segments").conflicts_with_all(["references", "input", "num-refs", "source"]).help(
            "One file with everything: JSON Lines, or .csv or .tsv with a header; instead of REF and -i",
        ))
        .arg(
            Arg::new("num-refs")
                .long("num-refs")
                .value_name("N")
                .value_parser(clap::value_parser!(u64).range(1..))
                .help("References per line of the reference file, tab-separated [short: -nr]"),
        )
        .arg(crate::evaluation::options::label())
        .arg(
            Arg::new("threads")
                .long("threads")
                .value_name("N")
                .value_parser(clap::value_parser!(u64).range(1..=1024))
                .help("Threads [default: all cores]; they never change a verdict"),
        )
        .arg(file("json").help("Write the verdict as JSON"))
        .arg(file("junit").help("Write the verdict as JUnit XML"))
        .arg(
            file("summary").help("Append the verdict as Markdown [default: the file of GITHUB_STEP_SUMMARY]"),
        )
        .arg(args::flag("quiet").short('q').help("No warnings"))
}

/// Judges, writes what was asked for, and ends with the exit code of the verdict.
pub(crate) fn run(registry: &Registry, matches: &ArgMatches, out: &mut impl Write) -> Result<(), Failure> {
    let place = matches.get_one::<String>("policy").cloned().unwrap_or_default();
    let policy = Policy::parse(&place, &policy_text(&place)?, registry)?;
    let threads = matches.get_one::<u64>("threads").map(|threads| *threads as usize);
    let new = NewOutput::read(registry, matches, &policy)?;
    let verdict = in_threads(threads, || judge(&new.counted()?, &policy))??;
    write_files(&verdict, matches)?;
    // Whether or not somebody reads the text, the exit code is the verdict's.
    match out.write_all(write::text(&verdict).as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
        Err(error) => return Err(error.into()),
    }
    Err(Failure::Verdict(verdict.exit_code()))
}

fn policy_text(place: &str) -> Result<String, Failure> {
    let mut text = String::new();
    let mut source = text::read::open(place)?;
    std::io::Read::read_to_string(&mut source.reader, &mut text)
        .map_err(|error| Failure::Message(format!("{place}: {error}")))?;
    Ok(text)
}

fn judge(new: &evidence::Counts, policy: &Policy) -> Result<Verdict, Failure> {
    let mut baselines = Baselines::new(&policy.file);
    let mut waiting = false;
    let mut rules: Vec<RuleVerdict> = Vec::new();
    for rule in &policy.rules {
        let own = rule.against.is_some();
        if let Some(file) = policy.baseline_of(rule)
            && !own
            && policy.on_missing_baseline == OnMissingBaseline::Record
            && !baselines.place(file).exists()
        {
            waiting = true;
            continue;
        }
        rules.push(new.judge(policy, rule, &mut baselines));
    }
    let losses = new.losses(policy, &rules, &mut baselines);
    let mut verdict = Verdict::new(policy, rules);
    (verdict.losses, verdict.baselines) = (losses, baselines.used());
    verdict.outputs = new.counted.systems.clone();
    if waiting && let Some(file) = policy.baseline.as_deref() {
        require_one_to_record(new, file)?;
        record(new, &mut verdict, baselines.place(file))?;
    }
    Ok(verdict)
}

/// A baseline is one output; which of several runs it is to be, nobody said.
fn require_one_to_record(new: &evidence::Counts, file: &str) -> Result<(), Failure> {
    match new.counted.systems.len() {
        1 => Ok(()),
        runs => Err(Failure::Message(format!(
            "{file} is not there, and {runs} runs were given: give the one that becomes the baseline alone"
        ))),
    }
}

/// Makes the new output the baseline, unless something else is wrong with it.
fn record(new: &evidence::Counts, verdict: &mut Verdict, place: std::path::PathBuf) -> Result<(), Failure> {
    let place = place.display().to_string();
    let clean = verdict.rules.iter().all(|rule| rule.outcome == bleuprint::gate::Outcome::Pass);
    if clean {
        stats::statistics(&new.counted, &new.specs, None)?.write(&place)?;
        verdict.recorded = Some(place);
    }
    Ok(())
}

fn write_files(verdict: &Verdict, matches: &ArgMatches) -> Result<(), Failure> {
    let given = |name: &str| matches.get_one::<String>(name).cloned();
    let write = |place: &str, text: String| -> Result<(), Failure> {
        let mut file = AtomicFile::create(Path::new(place))?;
        file.write_all(text.as_bytes())
            .map_err(|error| Failure::Message(format!("cannot write {place}: {error}")))?;
        Ok(file.commit()?)
    };
    if let Some(place) = given("json") {
        write(&place, pretty(&write::json(verdict)) + "\n")?;
    }
    if let Some(place) = given("junit") {
        write(&place, write::junit(verdict))?;
    }
    let step = || std::env::var("GITHUB_STEP_SUMMARY").ok().filter(|place| !place.is_empty());
    if let Some(place) = given("summary").or_else(step) {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&place);
        file.and_then(|mut file| file.write_all(write::summary(verdict).as_bytes()))
            .map_err(|error| Failure::Message(format!("cannot write {place}: {error}")))?;
    }
    Ok(())
}

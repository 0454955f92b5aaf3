//! `cargo xtask bench`: our programs next to real peers, on the same text, in the same run, in one thread
//! each.
//!
//! Every task is done by every engine that supports it, in turns, in separate processes. Times are processor
//! times (wall-clock times for programs run from the shell). The minimum counts, because noise only adds
//! time. Answers are compared with ours, and peak memory is measured in a separate run. The scripts of
//! `benches/peers` and `targets` add figures for tasks that no engine has.
//!
//! The result is printed as a table. With `--record` it is also written to `benches/records`: a dated
//! record, `latest.md` and the charts. `--chart` writes the tables and charts of the newest record again.
#![allow(clippy::print_stdout, reason = "a program that speaks to the terminal")]

mod agree;
mod chart;
mod engines;
mod figures;
mod machine;
mod measure;
mod record;
mod row;
mod strongest;
mod tasks;
mod tried;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use bleuprint_benches::input::{self, BenchCorpus};
use bleuprint_benches::peer_inputs;
use bleuprint_benches::sessions;
use xtask::Result;

use self::engines::{BenchEngine, Engines};
use self::measure::ProgramAnswer;
use self::record::BenchRecord;
use self::row::BenchRow;
use self::tasks::{COMMAND_LINE, CORPORA, CYRILLIC, LONG, ROUNDS, TASKS, TURNS, is_done};

/// Time after which a task gets no further turn, because some peers need seconds for a round.
const ENOUGH: Duration = Duration::from_secs(10);

const SYSTEMS: usize = 15;

#[derive(Default)]
struct BenchOptions<'a> {
    python: Option<&'a str>,
    wheel: Option<&'a str>,
    generated: bool,
    record: bool,
    /// `true` to replace the figures of the chosen tasks in the newest record.
    again: bool,
    needs_wheel: bool,
    only: Vec<&'a str>,
}

impl BenchOptions<'_> {
    fn wants(&self, task: &str) -> bool {
        self.only.is_empty() || self.only.contains(&task)
    }
}

fn main() -> ExitCode {
    let root = xtask::root();
    xtask::main(|options| run(&root, &xtask::target(&root), options))
}

/// Runs `cargo xtask bench [--record | --again] [--generated] [--only TASK].. [--python PATH]`. The caller also
/// passes our wheel.
fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    let records = root.join("benches").join("records");
    if let ["--chart"] = options {
        return BenchRecord::newest(&records)?.write_shown(&records);
    }
    let options = parse(options)?;
    if options.needs_wheel {
        println!("{}", engines::OUR_WHEEL.iter().chain(&figures::WHEEL).any(|task| options.wants(task)));
        return Ok(());
    }
    let engines = engines::build(root, target, options.python, options.wheel, |task| options.wants(task))?;
    let program = |features: &[&str]| engines::installed_program(root, target, features);
    let mut rows = Vec::new();
    let mut corpora = if options.generated { input::generated() } else { input::corpora() };
    let cyrillic = corpora.iter().find(|corpus| corpus.name == "zh-en").map(|one| one.in_cyrillic(CYRILLIC));
    corpora.extend(cyrillic);
    for corpus in corpora.iter().filter(|corpus| CORPORA.contains(&corpus.name)) {
        let folder = write(corpus, &target.join("bench").join("data"))?;
        println!("  {}", corpus.describe());
        let is_wanted = |task: &str| options.wants(task) && is_done(task, corpus.name);
        for (task, _) in TASKS.iter().filter(|(task, _)| *task != COMMAND_LINE && is_wanted(task)) {
            rows.extend(measure_task(&engines.engines, task, corpus, &folder)?);
        }
        if is_wanted(COMMAND_LINE) {
            rows.extend(measure_command_line(&engines, &program(&[])?, corpus, &folder)?);
        }
    }
    let kind = if corpora.iter().all(|corpus| corpus.real) { "real" } else { "generated" };
    let data = target.join("bench/data").join(format!("{{}}-{kind}")).display().to_string();
    let wants =
        |task: &str| options.wants(task) && (!figures::WHEEL.contains(&task) || options.wheel.is_some());
    let figures = figures::measure(&engines.python, program, &data, wants)?;
    let machine = machine::describe(&engines.python)?;
    if options.again {
        let mut newest = BenchRecord::newest(&records)?;
        newest.replace_figures(&machine, figures, &options.only)?;
        println!("  written to {}", newest.write(&records)?);
        return Ok(());
    }
    let record = BenchRecord { date: record::today(), machine, rows, figures, again: Vec::new() };
    println!("{}", record.markdown());
    if options.record {
        let folder = record.write(&records)?;
        println!("  written to {folder}");
    }
    Ok(())
}

fn parse<'a>(options: &[&'a str]) -> Result<BenchOptions<'a>> {
    let mut parsed = BenchOptions::default();
    let mut rest = options;
    while let Some((option, others)) = rest.split_first() {
        rest = others;
        match (*option, rest) {
            ("--generated", _) => parsed.generated = true,
            ("--record", _) => parsed.record = true,
            ("--again", _) => parsed.again = true,
            ("--needs-wheel", _) => parsed.needs_wheel = true,
            ("--only", [task, others @ ..]) => {
                let known = TASKS.iter().map(|(known, _)| *known);
                let known: Vec<&str> = known.chain(figures::TASKS.iter().map(|(known, _)| *known)).collect();
                if !known.contains(task) {
                    return Err(format!("unknown task `{task}`; the tasks are {}", known.join(", ")).into());
                }
                parsed.only.push(task);
                rest = others;
            }
            ("--wheel", [wheel, others @ ..]) => {
                parsed.wheel = Some(wheel);
                rest = others;
            }
            ("--python", [python, others @ ..]) => {
                parsed.python = Some(python);
                rest = others;
            }
            _ => return Err(format!("unknown option or missing value: `{option}`").into()),
        }
    }
    if parsed.record && !parsed.only.is_empty() {
        return Err("--record needs all tasks; leave out --only".into());
    }
    let is_figure = |task: &&str| figures::TASKS.iter().any(|(figure, _)| figure == task);
    if parsed.again && (parsed.record || parsed.only.is_empty() || !parsed.only.iter().all(is_figure)) {
        return Err("--again needs --only with tasks of the scripts or of `targets`, and no --record".into());
    }
    Ok(parsed)
}

/// Writes the lines and the 13a tokens of a corpus, one file per stream, in the form that the engines read.
fn write(corpus: &BenchCorpus, below: &Path) -> Result<PathBuf> {
    let folder = below.join(format!("{}-{}", corpus.name, if corpus.real { "real" } else { "generated" }));
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make a folder: {error}"))?;
    let tokens = corpus.tokens("13a");
    let stream = |index: usize| tokens.iter().map(|(_, own)| own[index].join(" ")).collect::<Vec<_>>();
    let mut files = vec![("hyp".to_owned(), corpus.hypotheses.clone())];
    files.push(("hyp.tok".to_owned(), tokens.iter().map(|(hypothesis, _)| hypothesis.join(" ")).collect()));
    for (index, lines) in corpus.streams.iter().enumerate() {
        files.push((format!("ref{index}"), lines.clone()));
        files.push((format!("ref{index}.tok"), stream(index)));
    }
    for system in 1..SYSTEMS {
        files.push((format!("sys{system}"), variant(corpus, system)));
    }
    files.extend(peer_inputs::files(corpus.len()).map(|(name, lines)| (name.to_owned(), lines)));
    for (name, shapes) in [("meetings", sessions::LONG), ("meetings-short", sessions::SHORT)] {
        let sides = ["hyp", "ref"].into_iter().zip(sessions::sessions(shapes));
        files.extend(sides.map(|(side, lines)| (format!("{name}.{side}"), lines)));
    }
    for (name, words) in ["long.hyp", "long.ref"].into_iter().zip(input::long_line()) {
        files.push((name.to_owned(), vec![words]));
    }
    for (name, lines) in files {
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        std::fs::write(folder.join(&name), text).map_err(|error| format!("cannot write {name}: {error}"))?;
    }
    Ok(folder)
}

/// Returns the output of another system, derived from the corpus: the hypotheses, but the first reference in
/// every sixteenth segment.
fn variant(corpus: &BenchCorpus, system: usize) -> Vec<String> {
    let pairs = corpus.hypotheses.iter().zip(&corpus.streams[0]).enumerate();
    let line = |(segment, (hypothesis, reference)): (usize, (&String, &String))| {
        if (segment + system).is_multiple_of(16) { reference.clone() } else { hypothesis.clone() }
    };
    pairs.map(line).collect()
}

/// Measures one task on every engine that supports it, in turns. The first row is ours.
fn measure_task(
    engines: &[BenchEngine],
    task: &'static str,
    corpus: &BenchCorpus,
    folder: &Path,
) -> Result<Vec<BenchRow>> {
    let able: Vec<&BenchEngine> = engines.iter().filter(|engine| engine.can(task)).collect();
    let mut answers: Vec<Option<ProgramAnswer>> = vec![None; able.len()];
    let (turns, rounds) = if LONG.contains(&task) { (1, 1) } else { (TURNS, ROUNDS) };
    let start = Instant::now();
    // Turns spread each engine over the whole time, so a busy phase of the machine hits all of them.
    for turn in 0..turns {
        if turn > 0 && start.elapsed() > ENOUGH {
            break;
        }
        for (engine, kept) in able.iter().zip(&mut answers) {
            let answer = measure::answer(&mut engine.command(task, folder, rounds))
                .map_err(|error| format!("{}, {task}: {error}", engine.name))?;
            match kept {
                Some(kept) => kept.seconds.extend(answer.seconds),
                None => *kept = Some(answer),
            }
        }
    }
    let answers: Vec<ProgramAnswer> = answers.into_iter().flatten().collect();
    let Some(ours) = answers.first() else { return Ok(Vec::new()) };
    let mut rows = Vec::new();
    for (engine, answer) in able.iter().zip(&answers) {
        let (least, middle) = measure::least_and_middle(&answer.seconds);
        rows.push(BenchRow {
            task: task.to_owned(),
            corpus: corpus.describe(),
            segments: corpus.len(),
            engine: engine.name.to_owned(),
            version: answer.version.clone(),
            seconds: least,
            middle_seconds: middle,
            times_ours: least / measure::least_and_middle(&ours.seconds).0,
            peak_bytes: measure::peak_memory(&mut engine.command(task, folder, 1))?,
            agreement: agree::agreement(engine.name, task, &ours.result, &answer.result),
        });
    }
    rows.iter().for_each(BenchRow::print);
    Ok(rows)
}

/// Measures the two programs from the shell, in turns. Each prints the score with 6 decimals, and the lines
/// must be equal.
fn measure_command_line(
    engines: &Engines,
    program: &Path,
    corpus: &BenchCorpus,
    folder: &Path,
) -> Result<Vec<BenchRow>> {
    let files = (0..corpus.streams.len()).map(|index| folder.join(format!("ref{index}")));
    let files: Vec<PathBuf> = files.collect();
    let ours = || {
        let mut command = Command::new(program);
        command.arg("score").args(&files).arg("-i").arg(folder.join("hyp")).args(["-b", "-w", "6"]);
        command
    };
    let theirs = || {
        let mut command = Command::new(&engines.python);
        command.args(["-X", "utf8", "-m", "sacrebleu"]).args(&files);
        command.arg("-i").arg(folder.join("hyp")).args(["-b", "-w", "6"]);
        command
    };
    let mut our_seconds = Vec::new();
    let mut their_seconds = Vec::new();
    let mut our_line = String::new();
    let mut their_line = String::new();
    // Our program takes milliseconds, so it gets ten times as many turns for the same effort.
    for turn in 0..10 * TURNS {
        let (seconds, line) = measure::wall(&mut ours())?;
        our_seconds.push(seconds);
        our_line = line;
        if turn < TURNS {
            let (seconds, line) = measure::wall(&mut theirs())?;
            their_seconds.push(seconds);
            their_line = line;
        }
    }
    let equal = our_line.trim() == their_line.trim();
    let told = if equal {
        "same line printed".to_owned()
    } else {
        format!("{} for our {}", their_line.trim(), our_line.trim())
    };
    let row = |engine: &str, version: &str, seconds: &[f64], peak_bytes, agreement: &str| {
        let (least, middle_seconds) = measure::least_and_middle(seconds);
        BenchRow {
            task: COMMAND_LINE.to_owned(),
            corpus: corpus.describe(),
            segments: corpus.len(),
            engine: engine.to_owned(),
            version: version.to_owned(),
            seconds: least,
            middle_seconds,
            times_ours: least / measure::least_and_middle(&our_seconds).0,
            peak_bytes,
            agreement: agreement.to_owned(),
        }
    };
    let rows = vec![
        row(
            "bleuprint",
            bleuprint::contract::VERSION,
            &our_seconds,
            measure::peak_memory(&mut ours())?,
            &told,
        ),
        row("sacreBLEU", "2.6.0", &their_seconds, measure::peak_memory(&mut theirs())?, &told),
    ];
    rows.iter().for_each(BenchRow::print);
    Ok(rows)
}

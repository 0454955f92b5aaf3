//! Command lines given to both programs: what they print must be the same, line for line, but for the version and the
//! words that explain a test. JSON must have sacreBLEU's keys with the same values, ours at full precision.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::Comparison;

/// Files of the example data that the command lines name.
const FILES: &[(&str, &str)] = &[
    ("r1", "en.ref1.txt"),
    ("r2", "en.ref2.txt"),
    ("a", "en.sys-a.txt"),
    ("b_1", "en.sys-b.txt"),
    ("zr", "zh.ref1.txt"),
    ("za", "zh.sys-a.txt"),
    ("zb", "zh.sys-b.txt"),
];

/// The command lines. A `<` in front of the last word gives that file on standard input.
const COMMANDS: &[&str] = &[
    "r1 r2 -i a",
    "r1 r2 -i a -f text",
    "r1 r2 -i a -f latex",
    "r1 -i a -f text -w 4",
    "r1 r2 -i a -f text --short",
    "r1 r2 -i a -b",
    "r1 r2 -i a -b -w 5",
    "r1 r2 -i a -lc -f text",
    "r1 r2 -i a -tok intl -f text",
    "r1 r2 -i a -tok char -f text -sh",
    "r1 r2 -i a -tok none -s none -f text --force",
    "r1 r2 -i a -s floor -sv 0.3 -f text",
    "r1 r2 -i a -s add-k -f text",
    "r1 r2 -i a -sl",
    "r1 -i a -sl -w 3 -sh",
    "r1 -i a -sl -b",
    "zr -i za -l en-zh -f text",
    "r1 r2 -f text < a",
    "tsv -nr 2 -i a -f text",
    "r1 r2 -i a b_1",
    "r1 r2 -i a b_1 -f text",
    "r1 r2 -i a b_1 -f latex -w 3",
    "r1 r2 -f text < systems",
    "r1 r2 -i a -ci -cin 150",
    "r1 r2 -i a -ci -cin 150 -f text",
    "r1 r2 -i a -ci -cin 60 -b -w 2",
    "r1 r2 -i a b_1 --paired-bs -pbsn 200",
    "r1 r2 -i a b_1 --paired-bs -pbsn 200 -f text",
    "r1 r2 -i a b_1 --paired-bs -pbsn 200 -f latex -sh",
    "r1 r2 -i b_1 a b_1 --paired-bs -pbsn 50 -f text",
    "r1 r2 -i a b_1 --paired-ar -parn 500",
    "r1 r2 -i a b_1 --paired-ar -parn 500 -f text",
    "r1 r2 --paired-ar -parn 100 -f text < systems",
    "zr -i za zb -l en-zh --paired-bs -pbsn 100 -f text",
    "r1 r2 -i a -m chrf -f text",
    "r1 r2 -i a -m chrf -cw 2 --chrf-beta 3 -f text",
    "r1 r2 -i a -m chrf -cc 4 --chrf-whitespace --chrf-lowercase -f text",
    "r1 r2 -i a -m chrf --chrf-eps-smoothing -w 6",
    "r1 r2 -i a -m ter --ter-case-sensitive -f text",
    "r1 r2 -i a -m ter --ter-normalized --ter-no-punct --ter-asian-support -w 3 -f text",
    "r1 r2 -i a -m ter bleu chrf -f text",
    "r1 r2 -i a -m ter bleu chrf",
    "r1 r2 -i a -m bleu chrf ter -b",
    "r1 r2 -i a -m bleu chrf ter -ci -cin 50 -f text",
    "r1 r2 -i a b_1 -m bleu chrf ter -f text",
    "r1 r2 -i a b_1 -m bleu chrf ter --paired-bs -pbsn 50 -f latex",
    "r1 r2 -i a b_1 -m chrf bleu --paired-ar -parn 50 -f text",
    "r1 -i a -m chrf -sl",
];

/// Runs all of them.
pub(super) fn all(comparison: &mut Comparison) -> Result<(), String> {
    let folder = comparison.cache.join("commands");
    prepare(&comparison.root, &folder)?;
    let program = build(&comparison.root)?;
    let known = names(&program)?;
    let mut skipped = Vec::new();
    for line in COMMANDS {
        if !metrics_of(line).all(|metric| known.iter().any(|name| name == metric)) {
            skipped.push(*line);
            continue;
        }
        let ours = answer(Command::new(&program).arg("score"), &folder, line)?;
        let python = comparison.python.clone();
        let theirs = answer(Command::new(python).args(["-X", "utf8", "-m", "sacrebleu"]), &folder, line)?;
        comparison.report.case("command lines", &differences(&theirs, &ours), || (*line).to_owned());
    }
    if !skipped.is_empty() {
        println!("  skipped: {} command lines with metrics that are not here", skipped.len());
    }
    Ok(())
}

fn prepare(root: &Path, folder: &Path) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    std::fs::create_dir_all(folder).map_err(text)?;
    let read = |name: &str| std::fs::read_to_string(root.join("examples/data").join(name)).map_err(text);
    let file = |name: &str| FILES.iter().find(|(short, _)| *short == name).map_or("", |(_, file)| file);
    for (short, name) in FILES {
        std::fs::write(folder.join(short), read(name)?).map_err(text)?;
    }
    for (name, left, right) in [("tsv", "r1", "r2"), ("systems", "a", "b_1")] {
        let (left, right) = (read(file(left))?, read(file(right))?);
        // Neither an empty cell nor a tab within one, which both programs refuse.
        let cell = |line: &str| if line.trim().is_empty() { ".".to_owned() } else { line.replace('\t', " ") };
        let rows: String =
            left.lines().zip(right.lines()).map(|(a, b)| format!("{}\t{}\n", cell(a), cell(b))).collect();
        std::fs::write(folder.join(name), rows).map_err(text)?;
    }
    Ok(())
}

fn build(root: &Path) -> Result<PathBuf, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    command.current_dir(root).args(["build", "--quiet", "--package", "bleuprint-cli", "--bin", "bleuprint"]);
    command.args(["--message-format", "json"]);
    let output = command.output().map_err(|error| format!("cannot run cargo: {error}"))?;
    let lines = String::from_utf8_lossy(&output.stdout);
    let messages = lines.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let program = messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).next();
    program.ok_or_else(|| format!("cargo built no program: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The metrics that our program knows.
fn names(program: &Path) -> Result<Vec<String>, String> {
    let output =
        Command::new(program).args(["list", "metrics"]).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().filter_map(|line| line.split([' ', ',']).next().map(str::to_owned)).collect())
}

fn metrics_of(line: &str) -> impl Iterator<Item = &str> {
    let mut words = line.split(' ').skip_while(|word| *word != "-m");
    words.next();
    words.take_while(|word| !word.starts_with('-') && *word != "<")
}

/// What a program prints, and its exit code.
struct Answer {
    text: String,
    code: Option<i32>,
}

fn answer(command: &mut Command, folder: &Path, line: &str) -> Result<Answer, String> {
    let (arguments, input) = match line.split_once(" < ") {
        Some((arguments, file)) => (arguments, Some(file)),
        None => (line, None),
    };
    command.current_dir(folder).args(arguments.split(' ')).stderr(Stdio::null());
    for name in ["SACREBLEU_FORMAT", "SACREBLEU_SEED", "NO_COLOR"] {
        command.env_remove(name);
    }
    match input {
        Some(file) => {
            let file = std::fs::File::open(folder.join(file)).map_err(|error| error.to_string())?;
            command.stdin(file);
        }
        None => {
            command.stdin(Stdio::null());
        }
    }
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    Ok(Answer { text: String::from_utf8_lossy(&output.stdout).into_owned(), code: output.status.code() })
}

fn differences(theirs: &Answer, ours: &Answer) -> Vec<String> {
    if theirs.code != Some(0) || ours.code != Some(0) {
        return vec![format!("exit code: sacreBLEU {:?}, ours {:?}", theirs.code, ours.code)];
    }
    if let (Ok(theirs), Ok(ours)) = (serde_json::from_str(&theirs.text), serde_json::from_str(&ours.text)) {
        let mut lines = Vec::new();
        compare_json("", &theirs, &ours, &mut lines);
        return lines;
    }
    let (theirs, ours) = (lines_of(&theirs.text), lines_of(&ours.text));
    if theirs.len() != ours.len() {
        return vec![format!("sacreBLEU prints {} lines, ours are {}", theirs.len(), ours.len())];
    }
    let unlike = theirs.iter().zip(&ours).filter(|(theirs, ours)| theirs != ours);
    unlike.map(|(theirs, ours)| format!("sacreBLEU `{theirs}`, ours `{ours}`")).collect()
}

/// The lines, without the version and without the words that explain a test, which are each program's own.
fn lines_of(text: &str) -> Vec<String> {
    let mut explaining = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with("Paired ") {
            explaining = true;
            lines.push(line.to_owned());
        }
        if line == "Metric signatures" {
            explaining = false;
        }
        if !explaining {
            let line = line
                .replace("bleuprint-", "")
                .replace(bleuprint_version(), "VERSION")
                .replace("2.6.0", "VERSION");
            lines.push(line);
        }
    }
    lines
}

fn bleuprint_version() -> &'static str {
    bleuprint::VERSION.trim_start_matches("bleuprint-")
}

/// All of theirs is in ours: texts are equal, numbers equal, or rounded to theirs; theirs of several systems are texts.
fn compare_json(place: &str, theirs: &Value, ours: &Value, lines: &mut Vec<String>) {
    match (theirs, ours) {
        (Value::Object(theirs), Value::Object(ours)) => {
            for (key, value) in theirs.iter().filter(|(key, _)| *key != "version") {
                match ours.get(key) {
                    Some(other) => compare_json(&format!("{place}/{key}"), value, other, lines),
                    None => lines.push(format!("{place}/{key} is missing")),
                }
            }
        }
        (Value::Array(theirs), Value::Array(ours)) if theirs.len() == ours.len() => {
            let pairs = theirs.iter().zip(ours).enumerate();
            pairs
                .for_each(|(at, (theirs, ours))| compare_json(&format!("{place}/{at}"), theirs, ours, lines));
        }
        (Value::String(theirs), Value::Number(ours)) => {
            let digits = theirs.split_once('.').map_or(0, |(_, digits)| digits.len());
            let rounded = format!("{:.digits$}", ours.as_f64().unwrap_or(f64::NAN));
            if rounded != *theirs {
                lines.push(format!("{place}: sacreBLEU {theirs}, ours {ours}"));
            }
        }
        (Value::Number(theirs), Value::Number(ours)) => {
            let (value, ours) = (theirs.as_f64().unwrap_or(f64::NAN), ours.as_f64().unwrap_or(f64::NAN));
            let digits = theirs.to_string().split_once('.').map_or(0, |(_, digits)| digits.len());
            let rounded: f64 = format!("{ours:.digits$}").parse().unwrap_or(f64::NAN);
            if value != ours && value != rounded {
                lines.push(format!("{place}: sacreBLEU {value}, ours {ours}"));
            }
        }
        (Value::String(theirs), Value::String(ours)) if theirs.contains("version:") => {
            let body = |text: &str| text.rsplit_once("|version:").map(|(body, _)| body.to_owned());
            if body(theirs) != body(ours) {
                lines.push(format!("{place}: sacreBLEU {theirs}, ours {ours}"));
            }
        }
        _ if theirs == ours => {}
        _ => lines.push(format!("{place}: sacreBLEU {theirs}, ours {ours}")),
    }
}

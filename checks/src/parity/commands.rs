//! Command lines given to both programs. Their output must be equal line by line, except for the version and the words
//! that explain a test. JSON must have sacreBLEU's keys with the same values, ours at full precision.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::{Value, json};
use xtask::{Result, process};

use super::topic::{ParityTopic, TopicNeeds, given_part};
use crate::pieces;

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

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("commands.py"),
    needs: TopicNeeds::Nothing,
    seed: 0,
    parts: |comparison, _| {
        let given = comparison.given;
        let folder = given.target.join("parity/commands");
        prepare(&given.root, &folder)?;
        let program = process::program(&given.root, &given.target, "bleuprint")?;
        let lines = pieces::pieces("commands").to_vec();
        let asked = folder.clone();
        let question = move |lines: &[&str]| json!({ "folder": asked, "lines": lines });
        Ok(vec![given_part(lines, 1, question, move |report, line: &&str, theirs| {
            let ours = answer(Command::new(&program).arg("score"), &folder, line)?;
            report.case("command lines", differences(&theirs, &ours), || (*line).to_owned());
            Ok(())
        })])
    },
};

fn prepare(root: &Path, folder: &Path) -> Result {
    std::fs::create_dir_all(folder)?;
    let read = |short: &str| {
        let file = FILES.iter().find(|(name, _)| *name == short).map_or("", |(_, file)| file);
        std::fs::read_to_string(root.join("examples/data").join(file))
    };
    for (short, _) in FILES {
        std::fs::write(folder.join(short), read(short)?)?;
    }
    for (name, left, right) in [("tsv", "r1", "r2"), ("systems", "a", "b_1")] {
        let left = read(left)?;
        let right = read(right)?;
        // Neither an empty cell nor a tab within one, which both programs refuse.
        let cell = |line: &str| if line.trim().is_empty() { ".".to_owned() } else { line.replace('\t', " ") };
        let rows: String =
            left.lines().zip(right.lines()).map(|(a, b)| format!("{}\t{}\n", cell(a), cell(b))).collect();
        std::fs::write(folder.join(name), rows)?;
    }
    Ok(())
}

#[derive(Deserialize)]
struct CommandAnswer {
    text: String,
    code: Option<i32>,
}

fn answer(command: &mut Command, folder: &Path, line: &str) -> Result<CommandAnswer> {
    let (arguments, input) = line.split_once(" < ").unwrap_or((line, ""));
    command.current_dir(folder).args(arguments.split(' ')).stderr(Stdio::null());
    for name in ["SACREBLEU_FORMAT", "SACREBLEU_SEED", "NO_COLOR"] {
        command.env_remove(name);
    }
    let input = match input {
        "" => Stdio::null(),
        file => File::open(folder.join(file))?.into(),
    };
    let output = command.stdin(input).output()?;
    Ok(CommandAnswer {
        text: String::from_utf8_lossy(&output.stdout).into_owned(),
        code: output.status.code(),
    })
}

fn differences(theirs: &CommandAnswer, ours: &CommandAnswer) -> Vec<String> {
    if theirs.code != Some(0) || ours.code != Some(0) {
        return vec![format!("exit code: sacreBLEU {:?}, ours {:?}", theirs.code, ours.code)];
    }
    if let (Ok(theirs), Ok(ours)) = (serde_json::from_str(&theirs.text), serde_json::from_str(&ours.text)) {
        let mut lines = Vec::new();
        compare_json("", &theirs, &ours, &mut lines);
        return lines;
    }
    let theirs = lines_of(&theirs.text);
    let ours = lines_of(&ours.text);
    if theirs.len() != ours.len() {
        return vec![format!("sacreBLEU prints {} lines, ours are {}", theirs.len(), ours.len())];
    }
    let unlike = theirs.iter().zip(&ours).filter(|(theirs, ours)| theirs != ours);
    unlike.map(|(theirs, ours)| format!("sacreBLEU `{theirs}`, ours `{ours}`")).collect()
}

/// Returns the lines without the version and without the words that explain a test, which differ between the
/// programs.
fn lines_of(text: &str) -> Vec<String> {
    let ours = bleuprint::contract::VERSION.trim_start_matches("bleuprint-");
    let mut explaining = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        // Below a table in LaTeX, our signatures and notes are comments, so that the output compiles.
        let line = line.strip_prefix("% ").unwrap_or(line);
        if line.starts_with("Paired ") {
            explaining = true;
            lines.push(line.to_owned());
        }
        explaining &= line != "Metric signatures";
        if !explaining {
            let line = line.replace("bleuprint-", "");
            lines.push(line.replace(ours, "VERSION").replace("2.6.0", "VERSION"));
        }
    }
    lines
}

/// Checks that our JSON contains everything in theirs: equal texts, and numbers that are equal or round to
/// theirs.
fn compare_json(place: &str, theirs: &Value, ours: &Value, lines: &mut Vec<String>) {
    let rounded = |theirs: &str, ours: &Value| {
        let digits = theirs.split_once('.').map_or(0, |(_, digits)| digits.len());
        format!("{:.digits$}", ours.as_f64().unwrap_or(f64::NAN))
    };
    let equal = match (theirs, ours) {
        (Value::Object(theirs), Value::Object(ours)) => {
            for (key, value) in theirs.iter().filter(|(key, _)| *key != "version") {
                let missing = Value::from("missing");
                let other = ours.get(key).unwrap_or(&missing);
                compare_json(&format!("{place}/{key}"), value, other, lines);
            }
            true
        }
        (Value::Array(theirs), Value::Array(ours)) if theirs.len() == ours.len() => {
            for (at, (theirs, ours)) in theirs.iter().zip(ours).enumerate() {
                compare_json(&format!("{place}/{at}"), theirs, ours, lines);
            }
            true
        }
        (Value::String(theirs), Value::Number(_)) => rounded(theirs, ours) == *theirs,
        (Value::Number(number), Value::Number(_)) => {
            let value = theirs.as_f64();
            value == ours.as_f64() || value == rounded(&number.to_string(), ours).parse().ok()
        }
        (Value::String(theirs), Value::String(ours)) if theirs.contains("version:") => {
            let body = |text: &str| text.rsplit_once("|version:").map(|(body, _)| body.to_owned());
            body(theirs) == body(ours)
        }
        _ => theirs == ours,
    };
    if !equal {
        lines.push(format!("{place}: sacreBLEU {theirs}, ours {ours}"));
    }
}

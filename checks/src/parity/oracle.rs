//! The Python side: an interpreter with the pinned packages, and a driver process that answers questions over pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::de::DeserializeOwned;
use serde_json::Value;
use xtask::{Result, venv};

/// The packages of the environment; a change of this text builds a new one.
const REQUIREMENTS: &str = include_str!("requirements.txt");

/// Python code that precedes every driver script.
const PROGRAMS: &str = include_str!("programs.py");

/// Returns an interpreter for the oracle: the given one, or a virtual environment's below `target`.
pub(crate) fn environment(target: &Path, given: Option<&str>) -> Result<PathBuf> {
    venv::environment(target, "parity", REQUIREMENTS, venv::PEERS_ALONE, given)
}

pub(crate) struct Oracle {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    pub(crate) about: Value,
}

impl Oracle {
    pub(crate) fn start(python: &Path, script: &str) -> Result<Oracle> {
        let mut child = Command::new(python)
            // Isolated, and UTF-8 whatever the locale says.
            .args(["-I", "-X", "utf8", "-c", &format!("{PROGRAMS}{script}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", python.display()))?;
        let questions = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().ok_or("the oracle has no output")?);
        let mut oracle = Oracle { child, questions, answers, about: Value::Null };
        // The driver first sends a line with its versions, before any question.
        oracle.about = oracle.hear()?;
        Ok(oracle)
    }

    /// Prints the version of a program, and returns `true` if it is installed.
    pub(crate) fn has(&self, program: &str) -> bool {
        let version = self.about["programs"][program].as_str();
        match version {
            Some(version) => println!("  {program} {version}"),
            None => println!("  skipped: {program}, because it is not installed"),
        }
        version.is_some()
    }

    /// Asks one question; an exception in the driver is an error here.
    pub(crate) fn ask<T: DeserializeOwned>(&mut self, question: &Value) -> Result<T> {
        let pipe = self.questions.as_mut().ok_or("the oracle was closed")?;
        writeln!(pipe, "{question}")
            // The driver waits for a whole line, and this side then waits for its answer.
            .and_then(|()| pipe.flush())
            .map_err(|error| format!("cannot ask the oracle: {error}"))?;
        let mut reply = self.hear()?;
        match reply.get("error").and_then(Value::as_str) {
            Some(error) => Err(format!("the oracle failed: {error}").into()),
            None => Ok(serde_json::from_value(reply["answer"].take())
                .map_err(|error| format!("the oracle's answer has another shape: {error}"))?),
        }
    }

    fn hear(&mut self) -> Result<Value> {
        let mut line = String::new();
        match self.answers.read_line(&mut line) {
            Ok(0) => Err("the oracle ended without an answer".into()),
            Ok(_) => Ok(serde_json::from_str(&line)
                .map_err(|error| format!("the oracle said `{}`: {error}", line.trim_end()))?),
            Err(error) => Err(format!("cannot hear the oracle: {error}").into()),
        }
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // Closing its input ends the driver; waiting leaves no zombie behind.
        drop(self.questions.take());
        let _ = self.child.wait();
    }
}

//! The Python side: an interpreter with the pinned packages, and a driver process that answers questions over pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;
use xtask::venv;

/// What the environment holds; a change of this text builds a new one.
const REQUIREMENTS: &str = include_str!("requirements.txt");

/// Packages of which only a file is wanted, installed without what they need themselves.
const ALONE: &[&str] = &["allennlp==0.9.0", "gem-metrics-fork==0.1.dev0", "pycocoevalcap==1.2"];

/// An interpreter to run the oracle with: the given one, or that of a virtual environment below `target`.
pub(crate) fn environment(target: &Path, given: Option<&str>) -> Result<PathBuf, String> {
    venv::environment(target, "parity", REQUIREMENTS, ALONE, given)
}

/// A running driver.
pub(crate) struct Oracle {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// What the driver said about itself.
    pub(crate) about: Value,
}

impl Oracle {
    /// Starts the driver script under the interpreter.
    pub(crate) fn start(python: &Path, script: &str) -> Result<Oracle, String> {
        let mut child = Command::new(python)
            // Isolated, and UTF-8 whatever the locale says.
            .args(["-I", "-X", "utf8", "-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", python.display()))?;
        let questions = child.stdin.take();
        let answers = child.stdout.take().ok_or("the oracle has no output")?;
        let mut oracle = Oracle { child, questions, answers: BufReader::new(answers), about: Value::Null };
        oracle.about = oracle.hear()?;
        Ok(oracle)
    }

    /// The version of the interpreter that answers.
    pub(crate) fn python_version(&self) -> Option<(u32, u32)> {
        let mut parts = self.about["python"].as_str()?.split('.');
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    }

    /// Asks one question; an exception on the other side is an error here.
    pub(crate) fn ask(&mut self, question: &Value) -> Result<Value, String> {
        let pipe = self.questions.as_mut().ok_or("the oracle was closed")?;
        writeln!(pipe, "{question}").map_err(|error| format!("cannot ask the oracle: {error}"))?;
        pipe.flush().map_err(|error| format!("cannot ask the oracle: {error}"))?;
        let mut reply = self.hear()?;
        match reply.get("error").and_then(Value::as_str) {
            Some(error) => Err(format!("the oracle failed: {error}")),
            None => Ok(reply["answer"].take()),
        }
    }

    fn hear(&mut self) -> Result<Value, String> {
        let mut line = String::new();
        let read =
            self.answers.read_line(&mut line).map_err(|error| format!("cannot hear the oracle: {error}"))?;
        if read == 0 {
            return Err("the oracle ended without an answer".to_owned());
        }
        serde_json::from_str(&line).map_err(|error| format!("the oracle said `{}`: {error}", line.trim_end()))
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // Closing its input ends the driver; waiting leaves no zombie behind.
        drop(self.questions.take());
        let _ = self.child.wait();
    }
}

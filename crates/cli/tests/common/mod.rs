//! Running the program as a user does, with files of its own.
#![allow(dead_code, reason = "every test file uses some of it")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use sha2::{Digest as _, Sha256};

pub(crate) struct Folder(bleuprint_testkit::Folder);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(bleuprint_testkit::Folder::new())
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        self.0.file(name, content).display().to_string()
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path(name).display().to_string()
    }

    pub(crate) fn stdout_in(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bleuprint"));
        command
            .args(arguments)
            .current_dir(&self.0)
            .env_remove("SACREBLEU_FORMAT")
            .env_remove("SACREBLEU_SEED");
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// A run with the folder's files is refused with this message.
    pub(crate) fn refused_in(&self, arguments: &[&str], message: &str) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bleuprint"));
        let output = command.args(arguments).current_dir(&self.0).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(said.contains(message), "{arguments:?}: `{message}` is not in: {said}");
    }
}

pub(crate) fn bleuprint_with(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bleuprint"));
    command.args(arguments).env_remove("SACREBLEU_FORMAT").envs(environment.iter().copied());
    command.stdin(Stdio::null()).output().unwrap()
}

/// The arguments of a command line without quotes.
pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// A folder with a file of references and one of outputs.
pub(crate) fn pair(reference: &str, system: &str) -> (Folder, String, String) {
    let folder = Folder::new();
    let (reference, system) = (folder.file("ref", reference), folder.file("sys", system));
    (folder, reference, system)
}

/// Replaces the checksum by that of the bytes.
pub(crate) fn sealed(text: &str) -> String {
    let (fields, _) = text.rsplit_once(",\"sha256\":\"").unwrap();
    let sum: String = Sha256::digest(fields).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{fields},\"sha256\":\"{sum}\"}}\n")
}

pub(crate) fn bleuprint(arguments: &[&str]) -> Output {
    bleuprint_of(arguments, b"")
}

pub(crate) fn bleuprint_of(arguments: &[&str], stdin: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bleuprint"))
        .args(arguments)
        .env_remove("SACREBLEU_FORMAT")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // A program that refuses its arguments may be gone before it reads.
    let _ = input.write_all(stdin);
    drop(input);
    child.wait_with_output().unwrap()
}

/// Standard output of a run that succeeds.
pub(crate) fn stdout(arguments: &[&str]) -> String {
    stdout_of(arguments, b"")
}

pub(crate) fn stdout_of(arguments: &[&str], stdin: &[u8]) -> String {
    let output = bleuprint_of(arguments, stdin);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Standard error of a run that succeeds.
pub(crate) fn said(arguments: &[&str]) -> String {
    let output = bleuprint(arguments);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {message}");
    message
}

/// Expects exit code 2, nothing on standard output, and a message with these words.
pub(crate) fn refused(arguments: &[&str], words: &[&str]) {
    refused_of(arguments, b"", words);
}

pub(crate) fn refused_of(arguments: &[&str], stdin: &[u8], words: &[&str]) {
    let output = bleuprint_of(arguments, stdin);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?} scored something");
    for word in words {
        assert!(message.contains(word), "{arguments:?}: `{word}` is not in: {message}");
    }
}

/// The document of JSON that a run prints.
pub(crate) fn parsed(arguments: &[&str]) -> serde_json::Value {
    parsed_of(arguments, b"")
}

pub(crate) fn parsed_of(arguments: &[&str], stdin: &[u8]) -> serde_json::Value {
    serde_json::from_str(&stdout_of(arguments, stdin)).unwrap()
}

/// The scores of both systems under the first metric of a comparison.
pub(crate) fn compared(arguments: &[&str]) -> [f64; 2] {
    let document = parsed(&[&["compare", "-q", "-f", "json", "--resamples", "40"], arguments].concat());
    let scores = document["metrics"][0]["scores"].as_array().unwrap();
    [0, 1].map(|system| scores[system].as_f64().unwrap())
}

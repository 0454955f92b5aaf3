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
        let mut command = start(arguments);
        command.current_dir(&self.0);
        let output = finish(command, b"");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
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
    finish(start(arguments), stdin)
}

pub(crate) fn start(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bleuprint"));
    command.args(arguments).env_remove("SACREBLEU_FORMAT").env_remove("SACREBLEU_SEED").env_remove("COLUMNS");
    command
}

pub(crate) fn finish(mut command: Command, stdin: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
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

/// The commands in the groups of `bleuprint --help`.
pub(crate) fn commands_of_help() -> Vec<String> {
    let help = stdout(&["--help"]);
    let groups = help.lines().skip_while(|line| !line.ends_with(':')).take_while(|line| *line != "Options:");
    // Continuations of descriptions are indented further.
    let names = groups.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
}

/// The document of JSON that a run prints.
pub(crate) fn parsed(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

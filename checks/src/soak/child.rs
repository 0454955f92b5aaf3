//! One run of the program under limits of memory and time, and the faults of how it ended.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use xtask::Result;

use super::commands::CommandCase;

/// Address space in KiB. The inputs are below a few MiB; a program that needs more for them has unbounded memory.
const MEMORY: u64 = 1 << 20;
/// Limits in seconds: of processor time, and of wall-clock time on a busy machine.
const PROCESSOR: u64 = 20;
const CLOCK: Duration = Duration::from_secs(120);

pub(super) struct Ended {
    /// Exit code; `None` if a signal ended the program.
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) time: Duration,
    allowed: Vec<i32>,
    echoes: bool,
}

/// Runs the program on a case, with the files in `folder`.
pub(super) fn run(program: &Path, case: &CommandCase, folder: &Path) -> Result<Ended> {
    let file = |name: &str| {
        File::create(folder.join(name)).map_err(|error| format!("cannot create {name}: {error}"))
    };
    let stdin = File::open(folder.join(&case.stdin))
        .map_err(|error| format!("cannot open {}: {error}", case.stdin))?;
    // `exec` replaces the shell, so its limits apply to the program.
    let script = format!("ulimit -v {MEMORY}; ulimit -t {PROCESSOR}; ulimit -c 0; exec \"$0\" \"$@\"");
    let mut child = Command::new("sh")
        .args(["-c", &script])
        .arg(program)
        .args(&case.arguments)
        .current_dir(folder)
        // This variable changes the output format, so a case would depend on the caller's shell.
        .env_remove("SACREBLEU_FORMAT")
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::from(stdin))
        // Files, not pipes: a full pipe would block the program, as nobody reads before it ends.
        .stdout(file(".stdout")?)
        .stderr(file(".stderr")?)
        .spawn()
        .map_err(|error| format!("cannot run the program: {error}"))?;
    let start = Instant::now();
    let status = loop {
        let ended = child.try_wait().map_err(|error| format!("cannot wait for the program: {error}"))?;
        if let Some(status) = ended {
            break status;
        }
        if start.elapsed() > CLOCK {
            // The loop goes on to collect the status of the killed process; an error means it just ended.
            let _ = child.kill();
        }
        std::thread::sleep(Duration::from_micros(500));
    };
    let read = |name: &str| {
        let bytes = std::fs::read(folder.join(name)).unwrap_or_default();
        // Messages may quote invalid bytes of the damaged input.
        String::from_utf8_lossy(&bytes).into_owned()
    };
    // They print text of the input, which may look like anything.
    let echoes = matches!(&*case.command, "tokenize" | "normalize" | "resegment" | "align" | "mbr" | "any");
    let allowed = case.allowed.to_vec();
    let stdout = read(".stdout");
    let stderr = read(".stderr");
    Ok(Ended { code: status.code(), stdout, stderr, time: start.elapsed(), allowed, echoes })
}

impl Ended {
    pub(super) fn wrong(&self) -> Option<String> {
        const PANIC: &[&str] = &["panicked at", "stack backtrace", "memory allocation of", "stack overflow"];
        // Texts are checked before codes: a panic in a thread may still end with an allowed code.
        if let Some(word) = PANIC.iter().find(|word| self.stderr.contains(**word)) {
            return Some(format!("it says `{word}`"));
        }
        let Some(code) = self.code else {
            return Some("a signal ended it: a limit of time or memory, or a fault".into());
        };
        if !self.allowed.contains(&code) {
            return Some(format!("exit code {code}"));
        }
        if code == 2 && self.stderr.trim().is_empty() {
            return Some("exit code 2 without a message".into());
        }
        if code == 0 && !self.echoes && self.stdout.starts_with(['{', '[']) {
            return self.no_json();
        }
        None
    }

    /// Output that begins like JSON is one value of JSON, or one on every line.
    fn no_json(&self) -> Option<String> {
        let valid = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        let whole = valid(&self.stdout) || self.stdout.lines().all(valid);
        (!whole).then(|| "what it prints begins like JSON and is none".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(code: Option<i32>, stdout: &str, stderr: &str) -> Ended {
        let stdout = stdout.to_owned();
        let stderr = stderr.to_owned();
        Ended { code, stdout, stderr, time: Duration::ZERO, allowed: vec![0, 2], echoes: false }
    }

    #[test]
    fn ends_are_judged() {
        assert_eq!(ended(Some(0), "12.3\n", "").wrong(), None);
        assert_eq!(ended(Some(0), "{\"a\": 1}\n{\"a\": 2}\n", "").wrong(), None);
        assert_eq!(ended(Some(2), "", "error: no\n").wrong(), None);
        for bad in [
            ended(Some(2), "", " \n"),
            ended(Some(1), "", "error"),
            ended(Some(101), "", "thread 'main' panicked at x"),
            ended(Some(2), "", "memory allocation of 7 bytes failed"),
            ended(None, "", ""),
            ended(Some(0), "{\"a\": NaN}", ""),
        ] {
            assert!(bad.wrong().is_some());
        }
    }
}

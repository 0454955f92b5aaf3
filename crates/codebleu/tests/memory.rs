//! Texts for which the parser alone takes gigabytes, in a process of few: its parses are given up, and nothing ends or leaks.
//! Held by the shell's `ulimit -v`, which counts addresses, so where there is none there is no test.
#![cfg(target_os = "linux")]

use std::process::{Command, Output};

use bleuprint_codebleu::{CodeBleu, Language};
use bleuprint_core::Choice as _;
use bleuprint_core::{Accumulator, Result};

/// Of the processes that the tests start: the test in which they work, and the work.
const WORK: &str = "BLEUPRINT_CODEBLEU_WORK";

/// Runs a test of this program again, in MiB of addresses.
fn limited(mebibytes: usize, test: &str) -> Output {
    let script = format!("ulimit -v {} && exec \"$0\" \"$@\"", mebibytes * 1024);
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads", "1"]);
    command.env(WORK, "1").env("MALLOC_ARENA_MAX", "1").output().unwrap()
}

fn passes(output: &Output) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{:?}: {}{}", output.status, text(&output.stdout), text(&output.stderr));
}

/// The texts whose parse is given up, of one and its reference.
fn given_up(language: &str, text: &str) -> Result<u64> {
    let language = Language::ALL.iter().find(|known| known.name() == language).unwrap();
    let mut codebleu = Accumulator::<_, str>::new(CodeBleu::builder(*language).build().unwrap());
    codebleu.push(text, &[text])?;
    let stats = codebleu.total().stats();
    assert_eq!(stats.broken_hypotheses + stats.broken_references, 2);
    Ok(stats.flows_given_up)
}

#[cfg(all(feature = "java", feature = "python"))]
#[test]
fn a_parse_has_a_limit_of_memory() {
    if std::env::var_os(WORK).is_none() {
        return passes(&limited(250, "a_parse_has_a_limit_of_memory"));
    }
    let pieces = ("/*".repeat(216) + &".".repeat(216)).repeat(35);
    let work = || {
        for (language, text) in [("python", &pieces), ("java", &"a<".repeat(12_000))] {
            for _ in 0..2 {
                assert_eq!(given_up(language, text).unwrap(), 2, "{language}");
            }
        }
    };
    // Blocks are a thread's: two threads have two limits.
    std::thread::scope(|scope| [(), ()].map(|()| scope.spawn(work)).map(|worker| worker.join().unwrap()));
}

#[cfg(feature = "java")]
#[test]
fn without_memory_there_is_an_error() {
    if std::env::var_os(WORK).is_none() {
        return passes(&limited(70, "without_memory_there_is_an_error"));
    }
    let error = given_up("java", &"a<".repeat(40_000)).unwrap_err().to_string();
    assert!(error.contains("there is no memory to parse a program of 80000 bytes"), "{error}");
}

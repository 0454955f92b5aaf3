//! Checks texts for which the parser alone takes gigabytes or hours, in a process with little memory: the
//! parses are given up, and nothing aborts. The shell's `ulimit` limits addresses with `-v` and
//! processor seconds with `-t`. The tests run only where it exists.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, reason = "says the text that a limit ends")]

use std::process::{Command, Output};

use bleuprint_codebleu::{CodeBleu, CodeBleuStats, Language};
use bleuprint_core::{Accumulator, Choice as _, Result};
use bleuprint_testkit::{draws, random::Rng};

/// The variable that gives a child process its work and marks its test.
const WORK: &str = "BLEUPRINT_CODEBLEU_WORK";

/// The beginnings of nested code, of errors that parsers repair, and of text that the scanners of grammars
/// keep for later.
const PIECES: [&str; 28] = [
    "a<", "(", "[", "{", "}", "a?", "a->", "|-", "/*", ".", "\"", "'", "`${", "<<A\n", "if(", "for ",
    "#if\n", "fn(", "a,", "!", "a:", "=", "\n ", "r#\"", "f'{", "<?php ", "%w(", "case ",
];

/// Lengths in bytes of a text: near the 80 kB at which Java's `a<` once took 5 GB, and the longest text that is
/// parsed although it may have errors.
const BYTES: [usize; 2] = [80_000, 8192];

/// Runs a test of this program again, limited in MiB of addresses and in seconds of the processor.
fn limited(mebibytes: usize, seconds: usize, test: &str) -> Output {
    let script = format!("ulimit -v {} && ulimit -t {seconds} && exec \"$0\" \"$@\"", mebibytes * 1024);
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads", "1"]);
    command.env(WORK, "1").env("MALLOC_ARENA_MAX", "1").output().unwrap()
}

fn passes(output: &Output) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{:?}: {}{}", output.status, text(&output.stdout), text(&output.stderr));
}

/// Returns the counts of a text with itself as reference.
fn counted(language: Language, text: &str) -> Result<CodeBleuStats> {
    let mut codebleu = Accumulator::<_, str>::new(CodeBleu::builder(language).build().unwrap());
    codebleu.push(text, &[text])?;
    Ok(*codebleu.total().stats())
}

/// Returns the number of texts whose parse is given up, for a text and its reference.
fn given_up(language: &str, text: &str) -> Result<u64> {
    let language = Language::ALL.iter().find(|known| known.name() == language).unwrap();
    let stats = counted(*language, text)?;
    assert_eq!(stats.broken_hypotheses + stats.broken_references, 2);
    Ok(stats.flows_given_up)
}

#[cfg(all(feature = "java", feature = "python"))]
#[test]
fn a_parse_has_a_limit_of_memory() {
    if std::env::var_os(WORK).is_none() {
        return passes(&limited(300, 60, "a_parse_has_a_limit_of_memory"));
    }
    let pieces = ("/*".repeat(216) + &".".repeat(216)).repeat(35);
    let work = || {
        for (language, text) in [("python", &pieces), ("java", &"a<".repeat(12_000))] {
            for _ in 0..2 {
                assert_eq!(given_up(language, text).unwrap(), 2, "{language}");
            }
        }
    };
    std::thread::scope(|scope| [(), ()].map(|()| scope.spawn(work)).map(|worker| worker.join().unwrap()));
}

/// Checks each piece alone and random sequences of pieces, a share of them for each language. The process
/// prints its last text, so that a limit which ends the process names the text.
#[test]
fn hostile_programs_of_every_language_end() {
    if std::env::var_os(WORK).is_none() {
        return passes(&limited(600, 900, "hostile_programs_of_every_language_end"));
    }
    let mut random = Rng::new(38);
    let mut drawn = || -> String {
        let several = 0..random.between(2, 6);
        several.map(|_| random.pick(&PIECES).repeat(random.between(1, 40))).collect()
    };
    let mut units: Vec<String> = PIECES.map(str::to_owned).into();
    units.extend(PIECES.map(|_| drawn()));
    let share = draws(units.len(), 9);
    for (number, &language) in Language::ALL.iter().enumerate() {
        for unit in units.iter().cycle().skip(number * share).take(share) {
            println!("{} {unit:?}", language.name());
            for bytes in BYTES {
                let stats = counted(language, &unit.repeat(bytes / unit.len())).unwrap();
                assert!(stats.flows_given_up <= 2 && stats.broken_hypotheses == stats.broken_references);
            }
        }
    }
}

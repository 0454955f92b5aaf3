//! The tokenizer `ascii-space` and the case `lc-ascii` against Perl's own `split(' ')` and `lc` over bytes.

use std::io::Write;
use std::process::{Command, Stdio};

use bleuprint::text::lowercase_ascii;
use bleuprint_testkit::random::Rng;
use xtask::Result;

use super::{ParityRun, ours};

const SCRIPT: &str = include_str!("perl.pl");

const RANDOM_LINES: usize = 100_000;

const SEED: u64 = 19_871_218;

/// Compares every character at the start, inside and at the end of a line, and random lines; skipped without
/// Perl.
pub(super) fn all(comparison: &mut ParityRun<'_>) -> Result {
    if Command::new("perl").arg("-v").stdout(Stdio::null()).status().is_err() {
        println!("  skipped: Perl, because it is not installed");
        return Ok(());
    }
    let lines = lines(comparison.rng(SEED), comparison.cases(RANDOM_LINES));
    let answers = ask(lines.join("\n"))?;
    let mut answers = answers.lines();
    let tokenizer = ours::tokenizer("ascii-space")?;
    let mut lowered = String::new();
    for line in &lines {
        lowercase_ascii(line, &mut lowered);
        for (kind, text) in [("words of Perl", line), ("words of Perl in lower case", &lowered)] {
            let tokens = ours::tokens(&*tokenizer, text)?;
            let ours = tokens.iter().map(|token| hexadecimal(token)).collect::<Vec<_>>().join(" ");
            let theirs = answers.next().ok_or("Perl answered too few lines")?;
            comparison.report.same(kind, &theirs, &ours.as_str(), || format!("{line:?}"));
        }
    }
    Ok(())
}

fn lines(mut rng: Rng, random: usize) -> Vec<String> {
    let characters = ('\0'..=char::MAX).filter(|&character| character != '\n');
    let mut lines: Vec<String> = characters
        .map(|character| format!("{character}a{character}B {character}{character} C{character}"))
        .collect();
    let pieces = [
        " ", "\t", "\r", "\u{b}", "\u{c}", "\u{1c}", "\u{85}", "\u{a0}", "\u{3000}", "a", "É", "Z", "日", ".",
    ];
    for _ in 0..random {
        let len = rng.below(24);
        lines.push((0..len).map(|_| *rng.pick(&pieces)).collect());
    }
    // A last line, so that no line is without its line feed.
    lines.push("end".to_owned());
    lines
}

fn ask(mut lines: String) -> Result<String> {
    lines.push('\n');
    let mut perl = Command::new("perl");
    perl.args(["-e", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = perl.spawn()?;
    let mut input = child.stdin.take().ok_or("perl has no standard input")?;
    // In a thread of its own: Perl answers while it reads, and neither pipe holds everything.
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output()?;
    writer.join().map_err(|_| "writing to perl panicked")??;
    if !output.status.success() {
        return Err(format!("perl ended with {}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn hexadecimal(token: &str) -> String {
    token.bytes().map(|byte| format!("{byte:02x}")).collect()
}

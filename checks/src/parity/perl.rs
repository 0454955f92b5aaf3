//! The tokenizer `ascii-space` and the case `lc-ascii` against Perl's own `split(' ')` and `lc` over bytes.

use std::io::Write;
use std::process::{Command, Stdio};

use bleuprint::text::{TokenBuffer, lowercase_ascii};
use bleuprint::{TokenizerOptions, tokenizer};
use bleuprint_testkit::random::Rng;

use super::Comparison;

const SCRIPT: &str = include_str!("perl.pl");

const RANDOM_LINES: usize = 100_000;

const SEED: u64 = 19_871_218;

/// Every character at the start, within and at the end of a line, and random lines; skipped where there is no Perl.
pub(super) fn all(comparison: &mut Comparison) -> Result<(), String> {
    if Command::new("perl").arg("-v").stdout(Stdio::null()).status().is_err() {
        println!("  skipped: Perl, because it is not installed");
        return Ok(());
    }
    let lines = lines();
    let answers = ask(lines.join("\n"))?;
    let mut answers = answers.lines();
    let tokenizer =
        tokenizer("ascii-space", &TokenizerOptions::default()).map_err(|error| error.to_string())?;
    let (mut buffer, mut lowered) = (TokenBuffer::default(), String::new());
    for line in &lines {
        lowercase_ascii(line, &mut lowered);
        for (kind, text) in [("words of Perl", line), ("words of Perl in lower case", &lowered)] {
            let tokens = tokenizer.tokenize(text, &mut buffer).map_err(|error| error.to_string())?;
            let ours = tokens.iter().map(hexadecimal).collect::<Vec<_>>().join(" ");
            let theirs = answers.next().ok_or("Perl answered too few lines")?;
            let differences: Vec<String> =
                (theirs != ours).then(|| format!("Perl {theirs}, ours {ours}")).into_iter().collect();
            comparison.report.case(kind, &differences, || format!("{line:?}"));
        }
    }
    Ok(())
}

fn lines() -> Vec<String> {
    let characters = ('\0'..=char::MAX).filter(|&character| character != '\n');
    let mut lines: Vec<String> = characters
        .map(|character| format!("{character}a{character}B {character}{character} C{character}"))
        .collect();
    let mut rng = Rng::new(SEED);
    let pieces = [
        " ", "\t", "\r", "\u{b}", "\u{c}", "\u{1c}", "\u{85}", "\u{a0}", "\u{3000}", "a", "É", "Z", "日", ".",
    ];
    for _ in 0..RANDOM_LINES {
        let len = rng.below(24);
        lines.push((0..len).map(|_| *rng.pick(&pieces)).collect());
    }
    // A last line, so that no line is without its line feed.
    lines.push("end".to_owned());
    lines
}

/// Runs the script over the lines.
fn ask(mut lines: String) -> Result<String, String> {
    lines.push('\n');
    let failed = |error: std::io::Error| format!("perl: {error}");
    let mut perl = Command::new("perl");
    perl.args(["-e", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = perl.spawn().map_err(failed)?;
    let mut input = child.stdin.take().ok_or("perl has no standard input")?;
    // In a thread of its own: Perl answers while it reads, and neither pipe holds everything.
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().map_err(failed)?;
    writer.join().map_err(|_| "writing to perl panicked")?.map_err(failed)?;
    if !output.status.success() {
        return Err(format!("perl ended with {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("perl: {error}"))
}

fn hexadecimal(token: &str) -> String {
    token.bytes().map(|byte| format!("{byte:02x}")).collect()
}

//! The tokenizer `ascii-space` and the case `lc-ascii` against Perl's own `split(' ')` and `lc` over bytes.

use bleuprint::Tokenizer;
use bleuprint::text::lowercase_ascii;
use serde_json::json;
use xtask::Result;

use super::ours;
use super::outcome::ParityReport;
use super::topic::{ParityTopic, PartSize, SinglePart, TopicNeeds, given_part};

const BATCH: usize = 20_000;

const PIECES: &[&str] =
    &[" ", "\t", "\r", "\u{b}", "\u{c}", "\u{1c}", "\u{85}", "\u{a0}", "\u{3000}", "a", "É", "Z", "日", "."];

/// Compares every character at the start, inside and at the end of a line, and random lines; skipped without
/// Perl.
pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("perl.py"),
    needs: TopicNeeds::Program("perl"),
    seed: 19_871_218,
    parts: |_, _| {
        let characters = ('\0'..=char::MAX).filter(|&character| character != '\n');
        let lines = characters
            .map(|character| format!("{character}a{character}B {character}{character} C{character}"));
        let tokenizers = [ours::tokenizer("ascii-space")?, ours::tokenizer("ascii-space")?];
        let [of_characters, of_random] = tokenizers.map(|tokenizer| {
            move |report: &mut _, line: &_, theirs| compare(report, &*tokenizer, line, theirs)
        });
        Ok(vec![
            given_part(lines.collect(), BATCH, |lines| json!(lines), of_characters),
            Box::new(SinglePart {
                size: PartSize::exact(100_000, BATCH),
                draw: Box::new(|rng| (0..rng.below(24)).map(|_| *rng.pick(PIECES)).collect()),
                question: Box::new(|lines| json!(lines)),
                compare: Box::new(of_random),
            }),
        ])
    },
};

fn compare(
    report: &mut ParityReport,
    tokenizer: &dyn Tokenizer,
    line: &String,
    theirs: [String; 2],
) -> Result {
    let mut lowered = String::new();
    lowercase_ascii(line, &mut lowered);
    let texts = [("words of Perl", line), ("words of Perl in lower case", &lowered)];
    for ((kind, text), theirs) in texts.into_iter().zip(theirs) {
        let tokens = ours::tokens(tokenizer, text)?;
        let ours = tokens.iter().map(|token| hexadecimal(token)).collect::<Vec<_>>().join(" ");
        report.same(kind, &theirs, &ours, || format!("{line:?}"));
    }
    Ok(())
}

fn hexadecimal(token: &str) -> String {
    token.bytes().map(|byte| format!("{byte:02x}")).collect()
}

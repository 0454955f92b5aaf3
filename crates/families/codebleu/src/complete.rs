//! Finds out whether a text is a complete program, without a parse to its end.
//!
//! The parser reads the text, followed by many copies of a short statement, and stops within these copies. If
//! the text is complete, the parser meets no error from the end of the text on, and it reads the copies in the
//! same states as copies without a text before them, in one version. After an open bracket or an open string,
//! the first copies are an error, or its states or its versions differ.

use std::sync::mpsc::channel;

use bleuprint_core::{Choice as _, Result};
use tree_sitter::LogType;

use crate::Language;
use crate::parser::{max_reports, parser, run};

/// Number of copies of the statement, and the copies in which the states are compared. The parser takes more
/// than a hundred steps between the last compared copy and the last one, so that it reports and stops there.
const COPIES: usize = 240;
const COMPARED: std::ops::Range<usize> = 60..64;

/// State of the parser at one of its steps in the compared copies, as the parser logs it.
type LoggedSteps = Vec<String>;

/// Returns the lines between the text and the statements. PHP may end in its HTML or in its program.
fn opening(language: Language) -> &'static str {
    if language.name() == "php" { "\n?>\n<?php\n" } else { "\n" }
}

/// Returns the line that the text is continued with: a statement at the top level of a program that continues
/// no expression.
fn statement(language: Language) -> &'static str {
    match language.name() {
        "go" => "var b int\n",
        "javascript" => "var b;\n",
        "php" => "b;\n",
        "python" => "pass\n",
        "ruby" => "undef b\n",
        "rust" => "fn b() {}\n",
        _ => "int b;\n",
    }
}

/// Returns `true` if the parser reaches the end of the text outside of every construct of the language.
/// Returns `false` if it needs more than the maximum number of steps.
///
/// # Errors
/// Returns an error if the parser rejects the grammar.
pub(crate) fn is_complete(language: Language, text: &str, goes_on: &impl Fn() -> bool) -> Result<bool> {
    let wanted = logged_steps(language, "", goes_on)?;
    Ok(wanted.is_some() && logged_steps(language, text, goes_on)? == wanted)
}

/// Returns the steps of the parser in the compared copies after a text. Returns `None` if it does not get
/// there, or if it meets an error from the end of the text on.
fn logged_steps(language: Language, text: &str, goes_on: &impl Fn() -> bool) -> Result<Option<LoggedSteps>> {
    let statement = statement(language);
    let before = format!("{text}{}", opening(language));
    let first_row = before.matches('\n').count();
    let after = before.len() + statement.len() * COMPARED.end;
    let continued = before + &statement.repeat(COPIES);
    let most = max_reports(continued.len());
    let end = end_of_tokens(text);
    let (sender, receiver) = channel();
    let mut at_end = false;
    let mut parser = parser(language)?;
    parser.set_logger(Some(Box::new(move |kind, message: &str| {
        let Some(message) = Some(message).filter(|_| kind == LogType::Parse) else { return };
        let step = match ParserStep::from_message(message) {
            Some(step) => {
                at_end = step.place >= end;
                step.compared(first_row)
            }
            // The parser resumes a version only if all versions are in error. In an error that lasts, it
            // skips tokens until it recovers.
            None => {
                let is_error = ["resume ", "recover_to_previous", "recover_with_missing", "skip_token"];
                let is_error = is_error.iter().any(|start| message.starts_with(start));
                (at_end && is_error).then_some(None)
            }
        };
        if let Some(step) = step {
            // The receiver lives until the parser is dropped.
            let _ = sender.send(step);
        }
    })));
    let mut reports = 0;
    let mut arrived = false;
    let tree = run(&mut parser, &continued, |offset| {
        reports += 1;
        arrived |= offset >= after;
        !arrived && reports <= most && goes_on()
    });
    drop(parser);
    let steps: Option<LoggedSteps> = receiver.iter().collect();
    Ok(steps.filter(|_| tree.is_none() && arrived))
}

/// Returns row and column, in bytes, of the end of the last token of a text.
fn end_of_tokens(text: &str) -> (usize, usize) {
    let tokens = text.trim_end();
    let line = tokens.rfind('\n').map_or(0, |at| at + 1);
    (tokens.matches('\n').count(), tokens.len() - line)
}

/// One step of the parser, as it logs it: `process version:0, version_count:1, state:9, row:70, col:2`.
struct ParserStep<'m> {
    state: &'m str,
    /// Row and column of the end of the last token that was read.
    place: (usize, usize),
}

impl<'m> ParserStep<'m> {
    fn from_message(message: &'m str) -> Option<Self> {
        let (state, place) = message.strip_prefix("process ")?.split_once(", row:")?;
        let (row, column) = place.split_once(", col:")?;
        Some(ParserStep { state, place: (row.parse().ok()?, column.parse().ok()?) })
    }

    /// Returns the step as text if it is in the compared copies. The first copy is in the row `first_row`.
    fn compared(&self, first_row: usize) -> Option<Option<String>> {
        let row = self.place.0.checked_sub(first_row).filter(|row| COMPARED.contains(row))?;
        Some(Some(format!("{}, {row}:{}", self.state, self.place.1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(language: Language, text: &str) -> bool {
        is_complete(language, text, &|| true).unwrap()
    }

    #[test]
    fn an_open_construct_at_the_end_is_incomplete() {
        for &language in Language::ALL {
            let line = statement(language);
            let php = if language.name() == "php" { "<?php " } else { "" };
            assert!(complete(language, php) && complete(language, &format!("{php}{line}{line}")));
            for open in ["f(", "f(g[", "x = (1 +", "f(((((", "(a <"] {
                let text = format!("{php}{line}{open}");
                assert!(!complete(language, &text), "{} {text:?}", language.name());
            }
        }
    }

    #[test]
    fn a_parse_that_is_stopped_finds_nothing() {
        assert!(!is_complete(Language::ALL[0], "", &|| false).unwrap());
    }
}

//! Writes a verdict as the Markdown summary of a CI step.

use bleuprint_report::escape::markdown;
use bleuprint_report::fixed;

use super::words::{RuleNumbers, consequence, counts, demand, has_drops, runs, scope, signatures};
use crate::verdict::{GroupVerdict, Outcome, RuleVerdict, Verdict};

/// Largest size of a summary in bytes. GitHub rejects a mebibyte or more, and other CI steps may have written
/// to the same file.
pub const LONGEST_SUMMARY: usize = 900_000;

const LONGEST_TEXT: usize = 2_000;

/// Returns the verdict as Markdown: a heading, a table of the rules, the segments that lower the score most,
/// and the signatures.
///
/// All names, labels and texts are untrusted, so Markdown and HTML in them are escaped.
pub fn summary(verdict: &Verdict) -> String {
    let mut text = format!(
        "## Gate: {} {}\n\n{}, {} confidence, exit code {}\n\n",
        mark(verdict.outcome()),
        verdict.outcome().name(),
        markdown(&counts(verdict)),
        super::words::percent(verdict.confidence),
        verdict.exit_code()
    );
    text.push_str(
        "| rule | baseline | new | drop | bounds | demanded | verdict |\n|---|--:|--:|--:|---|---|---|\n",
    );
    let rows = verdict.rules.iter().flat_map(|rule| rows(verdict, rule));
    // Whole rows are dropped at the end, because a table cut within a row would not be rendered.
    push_while_short(&mut text, rows, "| .. | | | | | | cut here |\n");
    if let Some(place) = &verdict.recorded {
        text.push_str(&format!("\nThe new output is the baseline from now on: {}\n", markdown(place)));
    }
    if !verdict.losses.is_empty() {
        text.push_str("\n<details><summary>Segments that cost most</summary>\n\n| segment | points | new output |\n|--:|--:|---|\n");
        let loss = |loss: &crate::Loss| {
            let cut: String = loss.text.chars().take(LONGEST_TEXT).collect();
            let run = loss.run.as_ref().map(|run| format!("{}: ", markdown(run))).unwrap_or_default();
            format!("| {} | {} | {run}{} |\n", loss.segment, fixed(loss.points, 3), markdown(&cut))
        };
        push_while_short(&mut text, verdict.losses.iter().map(loss), "");
        text.push_str("\n</details>\n");
    }
    let notes = verdict.notes.iter().map(|note| format!("\n{}\n", markdown(note)));
    push_while_short(&mut text, notes, "");
    if has_drops(verdict) {
        text.push_str(&format!("\n{}\n", markdown(&scope(verdict))));
    }
    let signatures = signatures(verdict).into_iter().map(|signature| format!("\n{}\n", markdown(signature)));
    push_while_short(&mut text, signatures, "");
    text
}

/// Returns the coloured mark of an outcome, which is found in a long page of a CI job.
fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "\u{2705}",
        Outcome::Fail => "\u{274c}",
        Outcome::Inconclusive => "\u{26a0}\u{fe0f}",
        Outcome::Error => "\u{1f6d1}",
    }
}

fn push_while_short(text: &mut String, lines: impl Iterator<Item = String>, end: &str) {
    for line in lines {
        if text.len() + line.len() > LONGEST_SUMMARY {
            text.push_str(end);
            return;
        }
        text.push_str(&line);
    }
}

fn rows(verdict: &Verdict, rule: &RuleVerdict) -> Vec<String> {
    let name = markdown(&rule.name);
    let of_rule = format!("{} {}", mark(rule.outcome), rule.outcome.name());
    if let Some(message) = &rule.message {
        let demand = markdown(&demand(rule));
        return vec![format!("| {name} | | | | | {demand} | {of_rule}: {} |\n", markdown(message))];
    }
    rule.groups.iter().map(|group| row(verdict, rule, group, &name)).collect()
}

fn row(verdict: &Verdict, rule: &RuleVerdict, group: &GroupVerdict, name: &str) -> String {
    let numbers = RuleNumbers::from_verdict(rule);
    let label = group.label.as_ref().map(|label| format!(": {}", markdown(label))).unwrap_or_default();
    let bounds = match (group.lower, group.upper) {
        (Some(lower), Some(upper)) => {
            format!("{} to {}", numbers.show(Some(lower)), numbers.show(Some(upper)))
        }
        _ => String::new(),
    };
    let outcome = group
        .outcome
        .map_or_else(|| "not judged".to_owned(), |outcome| format!("{} {}", mark(outcome), outcome.name()));
    let told = runs(rule, group).into_iter().chain(consequence(verdict, rule, group));
    let consequence: String = told.map(|text| format!(". {text}")).collect::<String>().replace("..", ".");
    format!(
        "| {name}{label} | {} | {} | {} | {bounds} | {} | {}{} |\n",
        numbers.show(group.baseline),
        numbers.show(group.new),
        numbers.show(group.drop),
        markdown(&demand(rule)),
        outcome,
        markdown(&consequence),
    )
}

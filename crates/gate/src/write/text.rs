//! Writes a verdict as text for a terminal or a log.

use bleuprint_report::Colour;

use super::words::{consequence, counts, finding, has_drops, others, runs, scope, signatures};
use crate::verdict::{Outcome, RuleVerdict, Verdict};

/// Returns the verdict as text: one line, then the findings of each rule, then the signatures.
///
/// Control characters in names and labels are printed as U+FFFD, so that no text can colour or move a
/// terminal.
pub fn text(verdict: &Verdict, colour: Colour) -> String {
    let outcome = verdict.outcome();
    let head = painted(outcome, &outcome.name().to_uppercase(), colour);
    let mut lines = vec![format!("{head}  {}  exit {}", counts(verdict), verdict.exit_code())];
    let width = verdict.rules.iter().map(|rule| plain(&rule.name).chars().count()).max().unwrap_or(0);
    for rule in &verdict.rules {
        // Name and sign are printed once; further lines of a rule are aligned below its first.
        for (index, line) in rule_lines(verdict, rule).into_iter().enumerate() {
            let name = if index == 0 { plain(&rule.name) } else { String::new() };
            let sign = match index {
                0 => painted(rule.outcome, &rule.outcome.sign().to_string(), colour),
                _ => " ".to_owned(),
            };
            lines.push(format!(
                "  {sign} {name}{}  {}",
                " ".repeat(width - name.chars().count()),
                plain(&line)
            ));
        }
    }
    if let Some(place) = &verdict.recorded {
        lines.push(format!("  The new output is the baseline from now on: {}", plain(place)));
    }
    lines.extend(verdict.notes.iter().map(|note| format!("  {}", plain(note))));
    lines.extend(signatures(verdict).into_iter().map(|signature| format!("  {}", plain(signature))));
    if has_drops(verdict) {
        lines.push(format!("  {}", scope(verdict)));
    }
    lines.join("\n") + "\n"
}

fn painted(outcome: Outcome, text: &str, colour: Colour) -> String {
    match outcome {
        Outcome::Pass => colour.good(text),
        Outcome::Fail | Outcome::Error => colour.bad(text),
        _ => colour.open(text),
    }
}

fn rule_lines(verdict: &Verdict, rule: &RuleVerdict) -> Vec<String> {
    let mut lines: Vec<String> = rule.message.iter().cloned().collect();
    // Groups are sorted from the worst, so all that did not pass come first and are printed in full. If all
    // passed, the first one is.
    let bad = rule.groups.iter().take_while(|group| group.outcome > Some(Outcome::Pass)).count();
    let shown = bad.max(1).min(rule.groups.len());
    for group in &rule.groups[..shown] {
        lines.push(finding(rule, group));
        lines.extend(runs(rule, group));
        lines.extend(consequence(verdict, rule, group));
    }
    if let Some(others) = others(rule, shown) {
        lines.push(format!("({others})"));
    }
    lines
}

fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

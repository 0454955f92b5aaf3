//! Writes a verdict as JUnit XML, with one test case for each rule.

use bleuprint_report::escape::xml;

use super::words::{consequence, finding};
use crate::verdict::{Outcome, RuleVerdict, Verdict};

/// Beginning of the root element, by which the program recognizes its own JUnit files.
pub const SUITES: &str = "<testsuites name=\"bleuprint gate\"";

/// Returns the verdict as JUnit XML. A fail becomes a `failure`, an error an `error`.
///
/// JUnit has no state for inconclusive tests. An inconclusive rule is `skipped`, or a `failure` if the policy
/// treats it as a fail, like the exit code.
pub fn junit(verdict: &Verdict) -> String {
    // JUnit readers count elements themselves and compare with the attributes, so both come from this list.
    let kinds: Vec<Option<&str>> = verdict.rules.iter().map(|rule| kind(verdict, rule)).collect();
    let count = |wanted: &str| kinds.iter().filter(|kind| **kind == Some(wanted)).count();
    // A verdict without rules is an error, but most readers show a suite without cases as passed. So one case
    // with an error is added.
    let nothing = verdict.rules.is_empty() && verdict.outcome() == Outcome::Error;
    let numbers = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
        verdict.rules.len() + usize::from(nothing),
        count("failure"),
        count("error") + usize::from(nothing),
        count("skipped")
    );
    let mut lines = vec![
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_owned(),
        format!("{SUITES} {numbers}>"),
        format!("  <testsuite name=\"{}\" {numbers}>", xml(&verdict.policy)),
    ];
    if let [_, _, ..] = &verdict.outputs[..] {
        let run = |run: &String| format!("      <property name=\"run\" value=\"{}\"/>", xml(run));
        lines.push("    <properties>".to_owned());
        lines.extend(verdict.outputs.iter().map(run));
        lines.push("    </properties>".to_owned());
    }
    for (rule, kind) in verdict.rules.iter().zip(kinds) {
        let metric = rule.metric.split(':').next().unwrap_or_default();
        let case = format!("    <testcase classname=\"gate.{}\" name=\"{}\"", xml(metric), xml(&rule.name));
        lines.push(match kind {
            None => format!("{case}/>"),
            Some(kind) => {
                let message = xml(&format!("{}: {}", rule.outcome.name(), message(verdict, rule)));
                // Some viewers show the attribute, others the text.
                format!("{case}><{kind} message=\"{message}\">{message}</{kind}></testcase>")
            }
        });
    }
    if nothing {
        lines.push(
            "    <testcase classname=\"gate\" name=\"rules\"><error message=\"nothing was judged\"/></testcase>".to_owned(),
        );
    }
    lines.extend(["  </testsuite>".to_owned(), "</testsuites>".to_owned()]);
    lines.join("\n") + "\n"
}

fn kind(verdict: &Verdict, rule: &RuleVerdict) -> Option<&'static str> {
    match rule.outcome {
        Outcome::Inconclusive if verdict.is_passed_gain(rule) => Some("skipped"),
        Outcome::Pass => None,
        Outcome::Fail => Some("failure"),
        Outcome::Error => Some("error"),
        Outcome::Inconclusive if verdict.on_inconclusive == crate::OnInconclusive::Fail => Some("failure"),
        Outcome::Inconclusive => Some("skipped"),
    }
}

fn message(verdict: &Verdict, rule: &RuleVerdict) -> String {
    let bad = rule.groups.iter().filter(|group| group.outcome > Some(Outcome::Pass));
    let told =
        bad.flat_map(|group| std::iter::once(finding(rule, group)).chain(consequence(verdict, rule, group)));
    rule.message.iter().cloned().chain(told).collect::<Vec<_>>().join(". ").replace("..", ".")
}

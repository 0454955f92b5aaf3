//! Phrases about rules and their outcomes, which all output formats of a verdict share.

use bleuprint_core::counted;
use bleuprint_report::{LineStyle, decimals, fixed, thousands};

use crate::policy::RuleCheck;
use crate::verdict::{GroupVerdict, Outcome, Reason, RuleVerdict, Verdict};

/// Formatter for the numbers of one rule; the field is the number of decimals.
pub(super) struct RuleNumbers(usize);

impl RuleNumbers {
    pub(super) fn from_verdict(rule: &RuleVerdict) -> Self {
        RuleNumbers(decimals(&rule.scale, LineStyle { decimals: 2, short: false }))
    }

    pub(super) fn show(&self, value: Option<f64>) -> String {
        value.map_or_else(|| "-".to_owned(), |value| fixed(value, self.0))
    }

    /// Formats a number. If it would be rounded to 0, returns `less than` and the smallest number that can be
    /// printed.
    fn small(&self, value: f64) -> String {
        if value != 0.0 && value.abs() < 0.5 * 10f64.powi(-(self.0 as i32)) {
            return format!("less than {}", fixed(10f64.powi(-(self.0 as i32)), self.0));
        }
        fixed(value, self.0)
    }
}

/// Returns a probability in percent, without trailing zeros.
pub(super) fn percent(probability: f64) -> String {
    let shown = fixed(100.0 * probability, 2);
    format!("{} %", shown.trim_end_matches('0').trim_end_matches('.'))
}

fn segments(count: u64) -> String {
    counted(thousands(count), "segment")
}

/// Returns the number of rules and the number of each outcome, as in `3 rules: 2 pass, 1 inconclusive`.
pub(super) fn counts(verdict: &Verdict) -> String {
    let outcomes = [Outcome::Error, Outcome::Fail, Outcome::Inconclusive, Outcome::Pass];
    let count = |outcome: Outcome| verdict.rules.iter().filter(|rule| rule.outcome == outcome).count();
    let outcomes = outcomes.iter().rev().map(|&outcome| (count(outcome), outcome.name()));
    let outcomes: Vec<String> =
        outcomes.filter(|(n, _)| *n > 0).map(|(n, name)| format!("{n} {name}")).collect();
    let rules = verdict.rules.len();
    // Outcomes are listed from the best, and only those that occur.
    let judged = match rules {
        0 => "0 rules".to_owned(),
        _ => format!("{}: {}", counted(rules, "rule"), outcomes.join(", ")),
    };
    match verdict.outputs.len() {
        0 | 1 => judged,
        runs => format!("{judged}, over {runs} runs of one recipe"),
    }
}

pub(super) fn has_drops(verdict: &Verdict) -> bool {
    verdict.rules.iter().any(|rule| rule.groups.iter().any(|group| group.drop.is_some()))
}

pub(super) fn signatures(verdict: &Verdict) -> Vec<&String> {
    let mut signatures: Vec<&String> = Vec::new();
    for signature in verdict.rules.iter().filter_map(|rule| rule.signature.as_ref()) {
        if !signatures.contains(&signature) {
            signatures.push(signature);
        }
    }
    signatures
}

pub(super) fn scope(verdict: &Verdict) -> String {
    match verdict.outputs.len() {
        0 | 1 => "A verdict on this output alone: other runs of training and decoding have other outputs."
            .to_owned(),
        runs => format!(
            "A verdict on the recipe behind these {runs} runs: scores are means over them, and bounds include the variation among runs."
        ),
    }
}

pub(super) fn runs(rule: &RuleVerdict, group: &GroupVerdict) -> Option<String> {
    let numbers = RuleNumbers::from_verdict(rule);
    let shown: Vec<String> = group.runs.iter().map(|run| numbers.show(Some(*run))).collect();
    (!shown.is_empty()).then(|| format!("Runs: {}.", shown.join(", ")))
}

pub(super) fn demand(rule: &RuleVerdict) -> String {
    let numbers = RuleNumbers::from_verdict(rule);
    match &rule.check {
        RuleCheck::Drop { allowed } => format!("drop at most {}", numbers.show(Some(*allowed))),
        RuleCheck::Missing { allowed } => format!("at most {} without a number", segments(*allowed)),
        RuleCheck::Limits(limits) => {
            let least = limits.min.map(|min| format!("at least {}", numbers.show(Some(min))));
            let most = limits.max.map(|max| format!("at most {}", numbers.show(Some(max))));
            let both: Vec<String> = least.into_iter().chain(most).collect();
            format!(
                "{}{}",
                limits.part.as_ref().map(|part| format!("{part} ")).unwrap_or_default(),
                both.join(", ")
            )
        }
    }
}

/// Returns the numbers on which a group's outcome is based: `drop 0.52 of BLEU (26.76 -> 26.25), bounds 0.31
/// to 0.82, allowed 0.5`, or `gain 0.52 of BLEU (26.25 -> 26.76), bounds 0.31 to 0.82, allowed drop 0.5`.
pub(super) fn finding(rule: &RuleVerdict, group: &GroupVerdict) -> String {
    let numbers = RuleNumbers::from_verdict(rule);
    let label = group.label.as_ref().map(|label| format!("{label}: ")).unwrap_or_default();
    let method = group.method.map(|method| format!(" ({})", method.in_words())).unwrap_or_default();
    let bounds = |lower: Option<f64>, upper: Option<f64>| match (lower, upper) {
        (Some(_), Some(_)) => {
            format!(", bounds {} to {}{method}", numbers.show(lower), numbers.show(upper))
        }
        _ => String::new(),
    };
    match &rule.check {
        _ if group.outcome.is_none() => format!("{label}{}, not judged", segments(group.segments)),
        RuleCheck::Drop { allowed } => {
            let drop = group.drop.unwrap_or(f64::NAN);
            let negative = |bound: Option<f64>| bound.map(|bound| -bound);
            // A gain is a negative drop, so its bounds change sign and order.
            let (word, bounds, allowed_word) = if drop < 0.0 {
                ("gain", bounds(negative(group.upper), negative(group.lower)), "allowed drop")
            } else {
                ("drop", bounds(group.lower, group.upper), "allowed")
            };
            format!(
                "{label}{word} {} of {} ({} -> {}){bounds}, {allowed_word} {}",
                numbers.show(Some(drop.abs())),
                rule.score_name,
                numbers.show(group.baseline),
                numbers.show(group.new),
                numbers.show(Some(*allowed)),
            )
        }
        RuleCheck::Missing { .. } => {
            let missing = group.new.unwrap_or_default() as u64;
            let of = segments(group.segments);
            format!("{label}{} of {of} without a number, {}", thousands(missing), demand(rule))
        }
        RuleCheck::Limits(_) => {
            format!(
                "{label}{}{}, {}",
                numbers.show(group.new),
                bounds(group.lower, group.upper),
                demand(rule)
            )
        }
    }
}

/// Returns a sentence about the meaning of a group's outcome for the user; `None` for a plain pass.
pub(super) fn consequence(verdict: &Verdict, rule: &RuleVerdict, group: &GroupVerdict) -> Option<String> {
    let numbers = RuleNumbers::from_verdict(rule);
    let seen = || {
        let smallest = group.smallest.map_or_else(String::new, |smallest| numbers.small(smallest));
        let units = match &rule.unit {
            crate::ResampleUnit::Segment => String::new(),
            crate::ResampleUnit::Label(label) => format!(" in {}", counted(thousands(group.units), label)),
        };
        let power = percent(verdict.power);
        let segments = segments(group.segments);
        format!("A drop of {smallest} would be seen with {power} power on these {segments}{units}.")
    };
    let needed = || {
        match group.segments_needed {
        Some(needed) => format!("A drop as allowed takes about {}.", segments(needed)),
        None if matches!(rule.check, RuleCheck::Drop { allowed } if allowed > 0.0) => {
            "With runs that differ so much, no number of segments shows a drop as allowed: it takes more runs.".to_owned()
        }
        None => "No number of segments shows a drop of 0.".to_owned(),
    }
    };
    // A caution is printed last: it qualifies the bounds and holds for every conclusion.
    let conclusion = match group.reason {
        Reason::LargerDrop => {
            Some(format!("The drop is larger than allowed, with {} confidence.", percent(verdict.confidence)))
        }
        Reason::TooSmall => Some(format!("The test set is too small to tell. {} {}", seen(), needed())),
        Reason::AtLimit => Some(format!("The drop is close to the limit. {}", seen())),
        Reason::TooFewUnits => Some(format!(
            "{} too few for bounds; it takes {}.",
            counted(group.units, &format!("{} is", rule.unit.name())),
            crate::FEWEST_UNITS
        )),
        Reason::NoDifference => Some("No segment counts differently than in the baseline.".to_owned()),
        Reason::AcrossLimit => Some("The bounds include a limit.".to_owned()),
        Reason::AtMostAllowed if group.improved => {
            Some("Better than the baseline: consider a new one.".to_owned())
        }
        _ => None,
    };
    let caution = group.caution.as_ref().map(|caution| format!("Bounds: {caution}."));
    let gain = (verdict.is_passed_gain(rule) && group.outcome == Some(Outcome::Inconclusive))
        .then(|| "It is a gain, so the exit code is that of a pass.".to_owned());
    let all: Vec<String> = conclusion.into_iter().chain(gain).chain(caution).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

/// Returns the groups after the first `shown`, each with its drop or score, as one line of text; `None` if
/// there are no more groups.
pub(super) fn others(rule: &RuleVerdict, shown: usize) -> Option<String> {
    let numbers = RuleNumbers::from_verdict(rule);
    let other = |group: &GroupVerdict| {
        let label = group.label.as_deref().unwrap_or("all");
        match group.outcome {
            None => format!("{label} not judged ({})", segments(group.segments)),
            Some(_) if matches!(rule.check, RuleCheck::Missing { .. }) => {
                format!("{label} {}", thousands(group.new.unwrap_or_default() as u64))
            }
            Some(_) => format!("{label} {}", numbers.show(group.drop.or(group.new))),
        }
    };
    let others: Vec<String> = rule.groups.iter().skip(shown).map(other).collect();
    (!others.is_empty()).then(|| others.join(", "))
}

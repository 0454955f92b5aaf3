//! Policies and counts that the tests of the gate share.
#![allow(dead_code, reason = "every test file uses some of it")]

use bleuprint_core::Segment;
use bleuprint_gate::{Evidence, JudgedGroup, OutputCounts, Policy, RuleVerdict, judge_rule};
use bleuprint_inference::rows_of;
use bleuprint_metrics::{Bleu, ExactMatch};
use bleuprint_registry::AnyMetric;

pub(crate) fn policy(test: &str, rule: &str) -> Policy {
    let text = format!(
        "format = \"bleuprint-gate/1\"\nbaseline = \"main.stats\"\n[test]\n{test}\n[[rule]]\nmetric = \"exact_match\"\n{rule}\n"
    );
    Policy::parse("gate.toml", &text, &bleuprint_metrics::registry()).unwrap()
}

pub(crate) fn exact_match() -> AnyMetric {
    AnyMetric::for_text(ExactMatch)
}

pub(crate) fn bleu() -> AnyMetric {
    AnyMetric::for_ids(Bleu::default()).unwrap()
}

pub(crate) fn rows(metric: &AnyMetric, right: impl IntoIterator<Item = bool>) -> OutputCounts {
    let state = |right: bool| {
        let hypothesis = if right { "a" } else { "b" };
        let segment = Segment::new(hypothesis, &["a"]);
        bleuprint_core::State::of_segment(metric, &mut Default::default(), segment).unwrap()
    };
    rows_of(metric, &right.into_iter().map(state).collect::<Vec<_>>()).unwrap().into()
}

/// Returns rows in which the first `right` of every ten answers are correct.
pub(crate) fn share(metric: &AnyMetric, segments: usize, right: usize) -> OutputCounts {
    rows(metric, (0..segments).map(|index| index % 10 < right))
}

pub(crate) fn whole(segments: usize) -> Vec<JudgedGroup> {
    vec![JudgedGroup { label: None, segments: (0..segments).collect() }]
}

pub(crate) fn judged(policy: &Policy, baseline: &OutputCounts, new: &OutputCounts) -> RuleVerdict {
    let OutputCounts::Rows(rows) = new else { panic!("{new:?}") };
    judged_in(policy, baseline, new, whole(rows.len()))
}

pub(crate) fn judged_in(
    policy: &Policy,
    baseline: &OutputCounts,
    new: &OutputCounts,
    groups: Vec<JudgedGroup>,
) -> RuleVerdict {
    judge_rule(policy, &policy.rules[0], &evidence(&exact_match(), baseline, new, groups))
}

pub(crate) fn evidence<'e>(
    metric: &'e AnyMetric,
    baseline: &'e OutputCounts,
    new: &'e OutputCounts,
    groups: Vec<JudgedGroup>,
) -> Evidence<'e> {
    Evidence { metric, baseline: Some(baseline), runs: std::slice::from_ref(new), groups, units: None }
}

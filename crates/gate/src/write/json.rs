//! Writes a verdict as JSON, with numbers at full precision.

use serde_json::{Value, json as value};

use crate::policy::RuleCheck;
use crate::verdict::{GroupVerdict, RuleVerdict, Verdict};

/// Value of the key `format` in a verdict's JSON: name and version of the format.
pub const FORMAT: &str = "bleuprint-gate/1";

/// Returns the verdict as JSON: `format`, `verdict`, `exit`, the policy, the baselines, and the rules with
/// their groups. Equal inputs give equal bytes.
pub fn json(verdict: &Verdict) -> Value {
    let baseline = |used: &crate::BaselineUsed| value!({ "file": used.file, "segments": used.segments, "references": used.references });
    let mut object = value!({
        "format": FORMAT,
        "verdict": verdict.outcome().name(),
        "exit": verdict.exit_code(),
        "policy": verdict.policy,
        "policy_sha256": verdict.policy_sha256,
        "confidence": verdict.confidence,
        "power": verdict.power,
        "method": verdict.method.map(|method| method.name()),
        "outputs": verdict.outputs,
        "baselines": verdict.baselines.iter().map(baseline).collect::<Vec<_>>(),
        "recorded": verdict.recorded,
        "rules": verdict.rules.iter().map(rule).collect::<Vec<_>>(),
    });
    if !verdict.notes.is_empty() {
        object["notes"] = verdict.notes.clone().into();
    }
    object
}

fn rule(rule: &RuleVerdict) -> Value {
    let mut object = value!({
        "name": rule.name,
        "metric": rule.metric,
        "headline": rule.headline,
        "verdict": rule.outcome.name(),
        "message": rule.message,
        "signature": rule.signature,
        "unit": rule.unit.name(),
        "by": rule.by,
        "against": rule.baseline,
    });
    match &rule.check {
        RuleCheck::Drop { allowed } => object["allowed"] = number(Some(*allowed)),
        RuleCheck::Missing { allowed } => object["max_missing"] = (*allowed).into(),
        RuleCheck::Limits(limits) => {
            object["part"] = limits.part.clone().into();
            object["min"] = number(limits.min);
            object["max"] = number(limits.max);
            object["compare"] = if limits.confident { "confident" } else { "number" }.into();
        }
    }
    object["groups"] = rule.groups.iter().map(group).collect();
    object
}

fn group(group: &GroupVerdict) -> Value {
    value!({
        "group": group.label,
        "segments": group.segments,
        "units": group.units,
        "verdict": group.outcome.map(|outcome| outcome.name()),
        "reason": group.reason.name(),
        "baseline": number(group.baseline),
        "new": number(group.new),
        "runs": group.runs.iter().map(|run| number(Some(*run))).collect::<Vec<_>>(),
        "drop": number(group.drop),
        "lower": number(group.lower),
        "upper": number(group.upper),
        "smallest_drop_seen": number(group.smallest),
        "segments_needed": group.segments_needed,
        "improved": group.improved,
        "method": group.method.map(|method| method.name()),
        "caution": group.caution,
    })
}

/// Returns a JSON number; `null` for NaN and infinities, which JSON cannot express.
fn number(value: Option<f64>) -> Value {
    value.and_then(serde_json::Number::from_f64).map_or(Value::Null, Value::Number)
}

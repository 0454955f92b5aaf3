//! [`Verdict`]: what was judged and how it went. Every output and the exit code come from this one value.

use bleuprint_core::{Direction, Scale};

use crate::policy::{Check, Method, OnInconclusive, Policy, Unit};

/// How a group, a rule or a whole policy went; the worst is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// As demanded, with confidence.
    Pass,
    /// The data cannot tell.
    Inconclusive,
    /// Not as demanded, with confidence.
    Fail,
    /// Not judged, because something is wrong.
    Error,
}

impl Outcome {
    /// Its name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Inconclusive => "inconclusive",
            Outcome::Fail => "fail",
            Outcome::Error => "error",
        }
    }

    /// A sign beside the name.
    pub fn sign(self) -> char {
        match self {
            Outcome::Pass => '+',
            Outcome::Inconclusive => '?',
            Outcome::Fail => 'x',
            Outcome::Error => '!',
        }
    }
}

/// Why a group went as it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The drop is larger than allowed, with confidence.
    LargerDrop,
    /// The drop is at most as large as allowed, with confidence.
    AtMostAllowed,
    /// The bounds hold the limit, and fewer segments than it takes to see such a drop.
    TooSmall,
    /// There are too few units for bounds.
    TooFewUnits,
    /// The bounds hold the limit, although such a drop would be seen.
    AtLimit,
    /// The counts of every segment are those of the baseline.
    NoDifference,
    /// Fewer segments than the rule judges.
    FewSegments,
    /// The number is below its limit.
    Below,
    /// The number is above its limit.
    Above,
    /// The number is within its limits.
    Within,
    /// The bounds of the number hold a limit.
    AcrossLimit,
}

impl Reason {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Reason::LargerDrop => "larger-drop",
            Reason::AtMostAllowed => "at-most-allowed",
            Reason::TooSmall => "too-small",
            Reason::TooFewUnits => "too-few-units",
            Reason::AtLimit => "at-limit",
            Reason::NoDifference => "no-difference",
            Reason::FewSegments => "few-segments",
            Reason::Below => "below",
            Reason::Above => "above",
            Reason::Within => "within",
            Reason::AcrossLimit => "across-limit",
        }
    }
}

/// One group of segments under a rule; without `by`, all of them.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupVerdict {
    /// The value of the label; none where the rule has no `by`.
    pub label: Option<String>,
    /// How many segments it has.
    pub segments: u64,
    /// How many units were drawn from.
    pub units: u64,
    /// How it went; none where it was not judged.
    pub outcome: Option<Outcome>,
    /// Why.
    pub reason: Reason,
    /// The score of the baseline.
    pub baseline: Option<f64>,
    /// The score, or the part, of the new output; of several runs, the mean.
    pub new: Option<f64>,
    /// That of each run, where there are several.
    pub runs: Vec<f64>,
    /// By how much the new output is worse; negative where it is better.
    pub drop: Option<f64>,
    /// The lower bound of the drop, or of the score; at the confidence that the group has.
    pub lower: Option<f64>,
    /// The upper bound.
    pub upper: Option<f64>,
    /// The smallest drop that would be seen.
    pub smallest: Option<f64>,
    /// How many segments would show a drop as large as allowed.
    pub segments_needed: Option<u64>,
    /// Whether it is better by more than the smallest drop that would be seen.
    pub improved: bool,
}

/// One rule.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleVerdict {
    /// The rule's name.
    pub name: String,
    /// The metric as a user names it.
    pub metric: String,
    /// The name that scores are printed under.
    pub score_name: String,
    /// Range and direction of the score.
    pub scale: Scale,
    /// The label of the groups.
    pub by: Option<String>,
    /// What was demanded.
    pub check: Check,
    /// The file of the baseline.
    pub baseline: Option<String>,
    /// How it went.
    pub outcome: Outcome,
    /// Why nothing could be judged, where the outcome is an error; or what else there is to know.
    pub message: Option<String>,
    /// What was drawn.
    pub unit: Unit,
    /// The signature of the scores.
    pub signature: Option<String>,
    /// The groups, the worst first.
    pub groups: Vec<GroupVerdict>,
}

impl RuleVerdict {
    /// A rule that could not be judged.
    pub fn error(rule: &crate::Rule, baseline: Option<&str>, message: impl Into<String>) -> Self {
        RuleVerdict {
            name: rule.name.clone(),
            metric: rule.metric.clone(),
            score_name: rule.metric.clone(),
            scale: Scale { direction: Direction::HigherIsBetter, ..Scale::UNBOUNDED },
            by: rule.by.clone(),
            check: rule.check.clone(),
            baseline: baseline.map(str::to_owned),
            outcome: Outcome::Error,
            message: Some(message.into()),
            unit: Unit::Segment,
            signature: None,
            groups: Vec::new(),
        }
    }
}

/// A baseline that was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselineUsed {
    /// The file.
    pub file: String,
    /// How many segments it has.
    pub segments: u64,
    /// The fingerprint of its references.
    pub references: String,
}

/// A segment that costs points.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// The segment, from 1.
    pub segment: u64,
    /// What it adds to the drop, in points.
    pub points: f64,
    /// The run whose output loses most, where there are several.
    pub run: Option<String>,
    /// The new output, as untrusted as it came.
    pub text: String,
}

/// The verdict on all rules of a policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The file of the policy.
    pub policy: String,
    /// The hash of its text.
    pub policy_sha256: String,
    /// How drops are tested.
    pub method: Method,
    /// The new output; several are runs of one recipe.
    pub outputs: Vec<String>,
    /// How sure a fail and a pass are.
    pub confidence: f64,
    /// The power of the smallest drop that is named.
    pub power: f64,
    /// What an inconclusive verdict does.
    pub on_inconclusive: OnInconclusive,
    /// The baselines that rules were judged against.
    pub baselines: Vec<BaselineUsed>,
    /// The place that the new output was recorded at as the baseline, if it was.
    pub recorded: Option<String>,
    /// The rules, in the order of the policy.
    pub rules: Vec<RuleVerdict>,
    /// The segments that cost most under the first rule on a drop that did not pass.
    pub losses: Vec<Loss>,
}

impl Verdict {
    /// A verdict on these rules.
    pub fn new(policy: &Policy, rules: Vec<RuleVerdict>) -> Self {
        Verdict {
            policy: policy.file.clone(),
            policy_sha256: policy.sha256.clone(),
            method: policy.method,
            outputs: Vec::new(),
            confidence: policy.confidence,
            power: policy.power,
            on_inconclusive: policy.on_inconclusive,
            baselines: Vec::new(),
            recorded: None,
            rules,
            losses: Vec::new(),
        }
    }

    /// The worst of the rules; an error where there are none. Rules that wait for a baseline that was just recorded are
    /// not there.
    pub fn outcome(&self) -> Outcome {
        let worst = self.rules.iter().map(|rule| rule.outcome).max();
        worst.unwrap_or(if self.recorded.is_some() { Outcome::Pass } else { Outcome::Error })
    }

    /// 0 pass, 1 fail, 2 error, 3 inconclusive unless the policy takes it for one of the others.
    pub fn exit_code(&self) -> u8 {
        match (self.outcome(), self.on_inconclusive) {
            (Outcome::Pass, _) | (Outcome::Inconclusive, OnInconclusive::Pass) => 0,
            (Outcome::Fail, _) | (Outcome::Inconclusive, OnInconclusive::Fail) => 1,
            (Outcome::Error, _) => 2,
            (Outcome::Inconclusive, OnInconclusive::Report) => 3,
        }
    }
}

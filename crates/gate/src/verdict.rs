//! [`Verdict`]: the judged rules and their outcomes. Every output and the exit code come from this one value.

use bleuprint_core::{Direction, Scale};

use crate::bounds::BoundMethod;
use crate::policy::{Check, Method, OnInconclusive, OnInconclusiveGain, Policy, Unit};

/// The outcome of a group, a rule or a whole policy; the worst is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "closed: an exit code follows from each")]
pub enum Outcome {
    /// As demanded, with confidence.
    Pass,
    /// The data do not decide.
    Inconclusive,
    /// Not as demanded, with confidence.
    Fail,
    /// Not judged, because of an error.
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

/// The reason for the outcome of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Reason {
    /// The drop is larger than allowed, with confidence.
    LargerDrop,
    /// The drop is at most as large as allowed, with confidence.
    AtMostAllowed,
    /// The bounds contain the limit, with too few segments to detect such a drop.
    TooSmall,
    /// Too few units for bounds.
    TooFewUnits,
    /// A caution withholds bounds.
    NoBounds,
    /// The bounds contain the limit, although such a drop would be detected.
    AtLimit,
    /// The counts of every segment are those of the baseline.
    NoDifference,
    /// Fewer segments than the rule requires.
    #[default]
    FewSegments,
    /// The number is below its limit.
    Below,
    /// The number is above its limit.
    Above,
    /// The number is within its limits.
    Within,
    /// The bounds of the number contain a limit.
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
            Reason::NoBounds => "no-bounds",
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
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct GroupVerdict {
    /// The value of the label; none if the rule has no `by`.
    pub label: Option<String>,
    /// The number of its segments.
    pub segments: u64,
    /// The number of units.
    pub units: u64,
    /// The outcome; none if not judged.
    pub outcome: Option<Outcome>,
    /// The reason.
    pub reason: Reason,
    /// The score of the baseline.
    pub baseline: Option<f64>,
    /// The score, or the part, of the new output; of several runs, the mean.
    pub new: Option<f64>,
    /// That of each run, if there are several.
    pub runs: Vec<f64>,
    /// The drop of the new output; negative if it is better.
    pub drop: Option<f64>,
    /// The lower bound of the drop, or of the score, at the confidence of the group.
    pub lower: Option<f64>,
    /// The upper bound.
    pub upper: Option<f64>,
    /// The smallest drop that would be detected.
    pub smallest: Option<f64>,
    /// The number of segments that would detect a drop as large as allowed.
    pub segments_needed: Option<u64>,
    /// True if it is better by more than the smallest drop that would be detected.
    pub improved: bool,
    /// The method of the bounds.
    pub method: Option<BoundMethod>,
    /// A doubt about the bounds, or why there are none.
    pub caution: Option<String>,
}

/// One rule.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RuleVerdict {
    /// The rule's name.
    pub name: String,
    /// The metric as named by the user.
    pub metric: String,
    /// The headline number or part that is judged; else the score.
    pub headline: Option<String>,
    /// The printed name of the scores.
    pub score_name: String,
    /// Range and direction of the score.
    pub scale: Scale,
    /// The label of the groups.
    pub by: Option<String>,
    /// The demand.
    pub check: Check,
    /// The file of the baseline.
    pub baseline: Option<String>,
    /// The outcome.
    pub outcome: Outcome,
    /// The cause, if the outcome is an error; else a note.
    pub message: Option<String>,
    /// The unit of resampling.
    pub unit: Unit,
    /// The signature of the scores.
    pub signature: Option<String>,
    /// The groups, the worst first.
    pub groups: Vec<GroupVerdict>,
}

impl RuleVerdict {
    /// Returns `true` if the rule is inconclusive on gains alone, of enough units: the point is a gain, but the bound of the
    /// drop exceeds what is allowed.
    pub fn is_inconclusive_gain(&self) -> bool {
        let is_gain = |group: &GroupVerdict| {
            group.drop.is_some_and(|drop| drop < 0.0)
                && !matches!(group.reason, Reason::TooFewUnits | Reason::NoBounds)
        };
        let mut inconclusive =
            self.groups.iter().filter(|group| group.outcome == Some(Outcome::Inconclusive));
        self.outcome == Outcome::Inconclusive && inconclusive.all(is_gain)
    }

    /// A rule that could not be judged.
    pub fn error(rule: &crate::Rule, baseline: Option<&str>, message: impl Into<String>) -> Self {
        RuleVerdict {
            name: rule.name.clone(),
            metric: rule.metric.clone(),
            headline: rule.headline.clone(),
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
#[non_exhaustive]
pub struct BaselineUsed {
    /// The file.
    pub file: String,
    /// The number of its segments.
    pub segments: u64,
    /// The fingerprint of its references.
    pub references: String,
}

/// A segment that costs points.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Loss {
    /// The segment, from 1.
    pub segment: u64,
    /// Its share in the drop, in points.
    pub points: f64,
    /// The run with the largest loss, if there are several.
    pub run: Option<String>,
    /// The new output, untrusted.
    pub text: String,
}

/// The verdict on all rules of a policy.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Verdict {
    /// The file of the policy.
    pub policy: String,
    /// The hash of its text.
    pub policy_sha256: String,
    /// The test of drops, if the policy names one: else the method of each metric.
    pub method: Option<Method>,
    /// The new output; several files are runs of one recipe.
    pub outputs: Vec<String>,
    /// The confidence of a fail and of a pass.
    pub confidence: f64,
    /// The power for the smallest detectable drop.
    pub power: f64,
    /// The effect of an inconclusive verdict.
    pub on_inconclusive: OnInconclusive,
    /// The effect of an inconclusive verdict on a gain.
    pub on_inconclusive_gain: OnInconclusiveGain,
    /// The baselines used.
    pub baselines: Vec<BaselineUsed>,
    /// The path at which the new output was recorded as the baseline, if it was.
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
            on_inconclusive_gain: policy.on_inconclusive_gain,
            baselines: Vec::new(),
            recorded: None,
            rules,
            losses: Vec::new(),
        }
    }

    /// The worst of the rules; an error without rules. Rules that wait for a baseline just recorded are left out.
    pub fn outcome(&self) -> Outcome {
        let worst = self.rules.iter().map(|rule| rule.outcome).max();
        worst.unwrap_or(if self.recorded.is_some() { Outcome::Pass } else { Outcome::Error })
    }

    /// Returns `true` if an inconclusive rule has the exit code of a pass: all its inconclusive groups are gains, and the policy
    /// does not report these.
    pub fn is_passed_gain(&self, rule: &RuleVerdict) -> bool {
        self.on_inconclusive_gain == OnInconclusiveGain::Pass && rule.is_inconclusive_gain()
    }

    /// 0 pass, 1 fail, 2 error, 3 inconclusive unless the policy maps it to one of the others. An inconclusive gain exits as a
    /// pass, unless the policy reports it.
    pub fn exit_code(&self) -> u8 {
        let outcome = match self.outcome() {
            Outcome::Inconclusive => {
                let worst = |rule: &RuleVerdict| match self.is_passed_gain(rule) {
                    true => Outcome::Pass,
                    false => rule.outcome,
                };
                self.rules.iter().map(worst).max().unwrap_or(Outcome::Pass)
            }
            outcome => outcome,
        };
        match (outcome, self.on_inconclusive) {
            (Outcome::Pass, _) | (Outcome::Inconclusive, OnInconclusive::Pass) => 0,
            (Outcome::Fail, _) | (Outcome::Inconclusive, OnInconclusive::Fail) => 1,
            (Outcome::Error, _) => 2,
            (Outcome::Inconclusive, OnInconclusive::Report) => 3,
        }
    }
}

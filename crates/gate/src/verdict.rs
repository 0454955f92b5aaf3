//! [`Verdict`]: the judged rules and their outcomes. Every output and the exit code are derived from this
//! value.

use bleuprint_core::{Direction, Scale};

use crate::bounds::BoundMethod;
use crate::policy::{Method, OnInconclusive, OnInconclusiveGain, Policy, ResampleUnit, RuleCheck};

/// Outcome of a group, a rule or a whole policy. A worse outcome compares as greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "closed: an exit code follows from each")]
pub enum Outcome {
    /// The requirement of the rule is met, with confidence.
    Pass,
    /// The data does not decide if the requirement of the rule is met.
    Inconclusive,
    /// The requirement of the rule is not met, with confidence.
    Fail,
    /// An error prevented the judgement of the rule.
    Error,
}

impl Outcome {
    /// Returns the name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Inconclusive => "inconclusive",
            Outcome::Fail => "fail",
            Outcome::Error => "error",
        }
    }

    /// Returns a one-character sign that outputs print with the name.
    pub fn sign(self) -> char {
        match self {
            Outcome::Pass => '+',
            Outcome::Inconclusive => '?',
            Outcome::Fail => 'x',
            Outcome::Error => '!',
        }
    }
}

/// The reason for the outcome of a rule for a group of segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Reason {
    /// The score's drop is larger than the rule allows, with confidence.
    LargerDrop,
    /// The score's drop is at most as large as the rule allows, with confidence.
    AtMostAllowed,
    /// The bounds include the limit, and there are too few segments to detect a drop of the allowed size.
    TooSmall,
    /// There are too few segments or documents to compute bounds.
    TooFewUnits,
    /// There are no bounds, because a caution forbids them.
    NoBounds,
    /// The bounds contain the limit, although such a drop would be detected.
    AtLimit,
    /// The counts of every segment equal the baseline's.
    NoDifference,
    /// There are fewer segments than the rule requires for a judgement.
    #[default]
    FewSegments,
    /// The score is below the rule's lower limit.
    Below,
    /// The score is above the rule's upper limit.
    Above,
    /// The score is within the rule's limits.
    Within,
    /// A limit of the rule lies between the bounds of the score.
    AcrossLimit,
}

impl Reason {
    /// Returns the name in JSON.
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

/// The verdict on one group of segments under a rule; without `by`, the group is all segments.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct GroupVerdict {
    /// Value of the label; `None` if the rule has no `by`.
    pub label: Option<String>,
    /// Number of segments in the group.
    pub segments: u64,
    /// Number of resampled units (segments or documents) in the group.
    pub units: u64,
    /// Outcome; `None` if the group was not judged.
    pub outcome: Option<Outcome>,
    /// Reason for the outcome of the group.
    pub reason: Reason,
    /// Score of the baseline.
    pub baseline: Option<f64>,
    /// Score (or part) of the new output; with several runs, their mean.
    pub new: Option<f64>,
    /// Score (or part) of each run, if there are several.
    pub runs: Vec<f64>,
    /// Drop of the new output's score from the baseline's, in points; negative if the new output is better.
    pub drop: Option<f64>,
    /// Lower bound of the drop or score, at the confidence of the group.
    pub lower: Option<f64>,
    /// Upper bound of the drop or score.
    pub upper: Option<f64>,
    /// Smallest drop of the score that the test would detect with this amount of data.
    pub smallest: Option<f64>,
    /// Number of segments that would detect a drop of the allowed size.
    pub segments_needed: Option<u64>,
    /// `true` if the new output is better by more than the smallest detectable drop.
    pub improved: bool,
    /// Method that computed the bounds.
    pub method: Option<BoundMethod>,
    /// Reason to doubt the bounds, or reason why there are none.
    pub caution: Option<String>,
}

/// The verdict on one rule.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RuleVerdict {
    /// Name of the rule.
    pub name: String,
    /// Metric as the user wrote it.
    pub metric: String,
    /// Part of the score that is judged instead of the score, by its name; `None` for the score.
    pub headline: Option<String>,
    /// Name of the score in reports.
    pub score_name: String,
    /// Range and direction of the score.
    pub scale: Scale,
    /// Name of the label that forms groups.
    pub by: Option<String>,
    /// Requirement that the rule puts on the score.
    pub check: RuleCheck,
    /// File of the baseline.
    pub baseline: Option<String>,
    /// Outcome of the rule.
    pub outcome: Outcome,
    /// Cause, if the outcome is an error; otherwise an optional note.
    pub message: Option<String>,
    /// Unit that resampling draws as a whole: segment or document.
    pub unit: ResampleUnit,
    /// Signature of the scores.
    pub signature: Option<String>,
    /// Verdicts on the groups of segments, the worst first.
    pub groups: Vec<GroupVerdict>,
}

impl RuleVerdict {
    /// Returns `true` if the rule is inconclusive only because of gains. In every inconclusive group the new
    /// output scores better and there are bounds, but the upper bound of the drop exceeds the allowed drop.
    pub fn is_inconclusive_gain(&self) -> bool {
        let is_gain = |group: &GroupVerdict| {
            group.drop.is_some_and(|drop| drop < 0.0)
                && !matches!(group.reason, Reason::TooFewUnits | Reason::NoBounds)
        };
        let mut inconclusive =
            self.groups.iter().filter(|group| group.outcome == Some(Outcome::Inconclusive));
        self.outcome == Outcome::Inconclusive && inconclusive.all(is_gain)
    }

    /// Creates the verdict on a rule that could not be judged; `message` is the cause.
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
            unit: ResampleUnit::Segment,
            signature: None,
            groups: Vec::new(),
        }
    }
}

/// A baseline with which rules compared the new output.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BaselineUsed {
    /// File of the baseline.
    pub file: String,
    /// Number of segments in the baseline.
    pub segments: u64,
    /// Fingerprint of the baseline's references.
    pub references: String,
}

/// A segment whose new output lowers the score of the corpus, compared with the baseline's output.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Loss {
    /// Number of the segment, counted from 1.
    pub segment: u64,
    /// Contribution of the segment to the drop, in points.
    pub points: f64,
    /// Run of the new output with the largest loss in this segment, if there are several runs.
    pub run: Option<String>,
    /// Text of the new output for the segment; it is untrusted.
    pub text: String,
}

/// The verdict on all rules of a policy.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Verdict {
    /// File of the policy.
    pub policy: String,
    /// SHA-256 of the policy's text.
    pub policy_sha256: String,
    /// Method of resampling for all rules; `None` if each metric chose its method.
    pub method: Option<Method>,
    /// The new output; several files are runs of one recipe.
    pub outputs: Vec<String>,
    /// Confidence of a fail and of a pass.
    pub confidence: f64,
    /// Power of the smallest detectable drop.
    pub power: f64,
    /// Effect of an inconclusive verdict.
    pub on_inconclusive: OnInconclusive,
    /// Effect of an inconclusive verdict on a gain.
    pub on_inconclusive_gain: OnInconclusiveGain,
    /// Baselines that the rules were compared with.
    pub baselines: Vec<BaselineUsed>,
    /// Path at which the new output was recorded as the baseline, if it was.
    pub recorded: Option<String>,
    /// Rules, in the order of the policy.
    pub rules: Vec<RuleVerdict>,
    /// Segments that lose most points under the first rule on a drop that did not pass.
    pub losses: Vec<Loss>,
}

impl Verdict {
    /// Creates a verdict from the verdicts on rules.
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

    /// Returns the worst outcome of the rules. Without rules it is an error, unless the new output was just
    /// recorded as the baseline.
    pub fn outcome(&self) -> Outcome {
        // Outcomes are ordered from pass to error, so the maximum is the worst.
        let worst = self.rules.iter().map(|rule| rule.outcome).max();
        worst.unwrap_or(if self.recorded.is_some() { Outcome::Pass } else { Outcome::Error })
    }

    /// Returns `true` if an inconclusive rule exits like a pass: all its inconclusive groups are gains, and
    /// the policy lets inconclusive gains pass.
    pub fn is_passed_gain(&self, rule: &RuleVerdict) -> bool {
        self.on_inconclusive_gain == OnInconclusiveGain::Pass && rule.is_inconclusive_gain()
    }

    /// Returns the exit code: 0 for a pass, 1 for a fail, 2 for an error. An inconclusive verdict exits with
    /// 3, unless the policy makes it a pass or a fail. Inconclusive gains exit like a pass, unless the policy
    /// reports them.
    pub fn exit_code(&self) -> u8 {
        let outcome = match self.outcome() {
            // A passed gain must not hide another rule that is inconclusive, so the worst is taken again.
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

//! [`Verdict`]: the outcomes of all rules for new output. All reports and the exit code are derived from this
//! value.

use bleuprint_core::{Direction, Scale};

use crate::bounds::BoundMethod;
use crate::policy::{Method, OnInconclusive, OnInconclusiveGain, Policy, ResampleUnit, RuleCheck};

/// Outcome of checking a group of segments, a rule or a whole policy. A worse outcome compares as greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "closed: an exit code follows from each")]
pub enum Outcome {
    /// The rule's requirement is met, with the required confidence.
    Pass,
    /// The data does not decide if the rule's requirement is met.
    Inconclusive,
    /// The rule's requirement is not met, with the required confidence.
    Fail,
    /// The requirement could not be checked because of an error.
    Error,
}

impl Outcome {
    /// Returns the outcome's name in JSON and other outputs, such as `pass`.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Inconclusive => "inconclusive",
            Outcome::Fail => "fail",
            Outcome::Error => "error",
        }
    }

    /// Returns a one-character symbol for the outcome, which reports print with its name.
    pub fn sign(self) -> char {
        match self {
            Outcome::Pass => '+',
            Outcome::Inconclusive => '?',
            Outcome::Fail => 'x',
            Outcome::Error => '!',
        }
    }
}

/// Reason for a rule's outcome on a group of segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Reason {
    /// The score dropped by more than the rule allows, with the required confidence.
    LargerDrop,
    /// The score dropped by at most as much as the rule allows, with the required confidence.
    AtMostAllowed,
    /// The confidence bounds include the limit, and there are too few segments to detect a drop of the
    /// allowed size.
    TooSmall,
    /// There are too few segments or documents to compute bounds.
    TooFewUnits,
    /// Confidence bounds could not be computed; the group's `caution` gives the reason.
    NoBounds,
    /// The confidence bounds include the limit, although there are enough segments to detect a drop of the
    /// allowed size.
    AtLimit,
    /// The counts of every segment are equal in the new output and the baseline.
    NoDifference,
    /// The group has fewer segments than the rule requires.
    #[default]
    FewSegments,
    /// The score is below the rule's lower limit.
    Below,
    /// The score is above the rule's upper limit.
    Above,
    /// The score is within the rule's limits.
    Within,
    /// One of the rule's limits is within the confidence bounds of the score.
    AcrossLimit,
}

impl Reason {
    /// Returns the reason's name in JSON.
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

/// Verdict of a rule on one group of segments, such as a domain; if the rule does not group segments, the
/// group has all segments.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct GroupVerdict {
    /// Value of the label by which the rule groups segments, for this group; `None` if the rule does not
    /// group.
    pub label: Option<String>,
    /// Number of segments in the group.
    pub segments: u64,
    /// Number of resampled units (segments, documents, ..) in the group.
    pub units: u64,
    /// Outcome for the group; `None` if the group was not judged.
    pub outcome: Option<Outcome>,
    /// Reason for the outcome, such as a larger drop than allowed.
    pub reason: Reason,
    /// Score of the baseline on the group; `None` for rules without a baseline.
    pub baseline: Option<f64>,
    /// Number that the rule judges in the new output: its score, or a detail of the score such as `recall`.
    /// With several runs of the system, this is the mean over the runs.
    pub new: Option<f64>,
    /// Number that the rule judges (the score, or a detail such as `recall`) for each run of the system;
    /// empty for a single run.
    pub runs: Vec<f64>,
    /// Drop from the baseline's score to the new output's, in points; negative if the new output is better.
    pub drop: Option<f64>,
    /// Lower confidence bound of the drop or score, corrected for the number of groups.
    pub lower: Option<f64>,
    /// Upper confidence bound of the drop or score, not corrected for the number of groups.
    pub upper: Option<f64>,
    /// Smallest drop that the test would detect with this number of segments.
    pub smallest: Option<f64>,
    /// Number of segments that are needed to detect a drop of the allowed size.
    pub segments_needed: Option<u64>,
    /// `true` if the new output is better by more than the smallest detectable drop.
    pub improved: bool,
    /// Method that computed the confidence bounds; `None` if there are no bounds.
    pub method: Option<BoundMethod>,
    /// Warning about the confidence bounds, or reason why they are missing.
    pub caution: Option<String>,
}

/// Verdict on one rule of the policy.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RuleVerdict {
    /// Name of the rule in the policy.
    pub name: String,
    /// Metric of the rule, as the user wrote it.
    pub metric: String,
    /// Name of the detail of the score that the rule judges, such as `recall`; `None` if it judges the score
    /// itself.
    pub headline: Option<String>,
    /// Name under which reports show the number that the rule judges, such as `BLEU` or `recall`.
    pub score_name: String,
    /// Range of the number that the rule judges (the score, or a detail such as `recall`), and whether higher
    /// is better.
    pub scale: Scale,
    /// Name of the label by which segments are grouped; `None` without groups.
    pub by: Option<String>,
    /// Requirement of the rule, such as the largest allowed drop.
    pub check: RuleCheck,
    /// File of the baseline that the rule used; `None` for rules without a baseline.
    pub baseline: Option<String>,
    /// Outcome of the rule: the worst outcome of its groups.
    pub outcome: Outcome,
    /// Cause of the error if the outcome is an error; otherwise an optional note.
    pub message: Option<String>,
    /// Unit that resampling draws as a whole: segment, or a label such as document.
    pub unit: ResampleUnit,
    /// Signature (printed metric settings) of the scores; `None` if the rule could not be judged.
    pub signature: Option<String>,
    /// Verdicts on the groups of segments, the worst first.
    pub groups: Vec<GroupVerdict>,
}

impl RuleVerdict {
    /// Returns `true` if the rule is inconclusive although every inconclusive group scores better than the
    /// baseline. These groups have confidence bounds; only the upper bound of the drop prevents a pass.
    pub fn is_inconclusive_gain(&self) -> bool {
        let is_gain = |group: &GroupVerdict| {
            group.drop.is_some_and(|drop| drop < 0.0)
                && !matches!(group.reason, Reason::TooFewUnits | Reason::NoBounds)
        };
        let mut inconclusive =
            self.groups.iter().filter(|group| group.outcome == Some(Outcome::Inconclusive));
        self.outcome == Outcome::Inconclusive && inconclusive.all(is_gain)
    }

    /// Creates the verdict on a rule that could not be judged because of an error; `message` is its cause.
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

/// Baseline file that rules compared the new output with.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BaselineUsed {
    /// Path of the baseline file, as the policy names it.
    pub file: String,
    /// Number of segments in the baseline file.
    pub segments: u64,
    /// Fingerprint (hash) of the references with which the baseline was counted.
    pub references: String,
}

/// Segment in which the new output is worse than the baseline, which lowers the corpus score.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Loss {
    /// Number of the segment in the test set, counted from 1.
    pub segment: u64,
    /// Amount by which the segment lowers the corpus score, in points.
    pub points: f64,
    /// Name of the run in which the segment loses most; `None` if there is only one run.
    pub run: Option<String>,
    /// Text of the new output for the segment. It is untrusted and must be escaped.
    pub text: String,
}

/// Verdict on new output: the outcomes of all rules of a policy.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Verdict {
    /// Path of the policy file.
    pub policy: String,
    /// SHA-256 hash of the policy file's text.
    pub policy_sha256: String,
    /// Resampling method that the policy set for all its rules. `None` if each rule used the method that
    /// suits its metric.
    pub method: Option<Method>,
    /// Files of the new output; several files are repeated runs, such as with different seeds.
    pub outputs: Vec<String>,
    /// Confidence level of the decisions, such as 0.95. At this level, a rule wrongly fails with probability
    /// at most 0.05; the probability that it wrongly passes has the same limit.
    pub confidence: f64,
    /// Power of the test for the reported smallest detectable drop.
    pub power: f64,
    /// Effect that an inconclusive verdict has on the exit code.
    pub on_inconclusive: OnInconclusive,
    /// Effect on the exit code if a rule is inconclusive although the new output scored better than the
    /// baseline.
    pub on_inconclusive_gain: OnInconclusiveGain,
    /// Baseline files with which the new output was compared.
    pub baselines: Vec<BaselineUsed>,
    /// Remarks about the data, each a sentence: the units that were drawn, and what was left out.
    pub notes: Vec<String>,
    /// Path of the baseline file to which the new output was recorded; `None` if it was not recorded.
    pub recorded: Option<String>,
    /// Verdicts on the rules, in the order of the policy.
    pub rules: Vec<RuleVerdict>,
    /// Segments that lower the score most, to explain a failure. They are chosen for the first rule that
    /// limits a drop of the score and did not pass.
    pub losses: Vec<Loss>,
}

impl Verdict {
    /// Creates the verdict on a policy from the verdicts on its rules.
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
            notes: Vec::new(),
            recorded: None,
            rules,
            losses: Vec::new(),
        }
    }

    /// Returns the worst outcome of the rules. Without rules the outcome is an error, unless the new output
    /// was just recorded as the baseline.
    pub fn outcome(&self) -> Outcome {
        // Outcomes are ordered from pass to error, so the maximum is the worst.
        let worst = self.rules.iter().map(|rule| rule.outcome).max();
        worst.unwrap_or(if self.recorded.is_some() { Outcome::Pass } else { Outcome::Error })
    }

    /// Returns `true` if a rule counts as passed although its test is inconclusive. The new output must score
    /// better than the baseline, and the policy must let such rules pass.
    pub fn is_passed_gain(&self, rule: &RuleVerdict) -> bool {
        self.on_inconclusive_gain == OnInconclusiveGain::Pass && rule.is_inconclusive_gain()
    }

    /// Returns the exit code: 0 for a pass, 1 for a fail, 2 for an error. An inconclusive verdict exits with
    /// 3, unless the policy makes it a pass or a fail. Rules that are inconclusive although the output scored
    /// better count as a pass, unless the policy says otherwise.
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

//! Decides if new output is worse than a stored baseline by more than a policy allows, and with what
//! confidence.
//!
//! | you have | you want | look at |
//! |---|---|---|
//! | the text of a policy | its rules, checked | [`Policy::parse`] |
//! | new output, counted | the verdict | [`judge`] |
//! | counts of a baseline and of new output | the verdict of a rule | [`judge_rule`], [`Evidence`], [`OutputCounts`] |
//! | several runs of one recipe | the uncertainty that they add to the bounds | [`Runs`] |
//! | the verdicts of all rules | one verdict, its exit code, its outputs | [`Verdict`], [`mod@write`] |
//! | a policy of another kind | its tables, read strictly | [`section`] |
//!
//! A rule on a drop fails only if the drop is larger than allowed with the policy's confidence. It passes
//! only if the drop is at most as large as allowed with that confidence. Otherwise it is inconclusive and
//! reports the smallest detectable drop and the number of segments needed. If nothing was judged, the verdict
//! is an error, never a pass.
//!
//! The crate reads the baselines that a policy names, and records one if the policy says so. It does no other
//! IO.

mod baselines;
mod bounds;
mod counts;
mod judge;
mod policy;
mod rules;
mod run;
mod runs;
pub mod section;
mod verdict;
pub mod write;

pub use bleuprint_inference::FEWEST_UNITS;
pub use bounds::{BoundMethod, Bounds, ResampledCounts, bounds_of_drop, bounds_of_score};
pub use counts::OutputCounts;
pub use judge::{Evidence, JudgedGroup, judge_rule};
pub use policy::{
    Method, NumberLimits, OnInconclusive, OnInconclusiveGain, OnMissingBaseline, Policy, ResampleUnit, Rule,
    RuleCheck,
};
pub use run::judge;
pub use runs::Runs;
pub use verdict::{BaselineUsed, GroupVerdict, Loss, Outcome, Reason, RuleVerdict, Verdict};

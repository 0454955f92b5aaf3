//! A verdict on new output: whether it is worse than a stored baseline by more than a policy allows, and with what
//! confidence.
//!
//! | you have | you want | look at |
//! |---|---|---|
//! | the text of a policy | its rules, checked | [`Policy::parse`] |
//! | new output, counted | the verdict | [`judge`] |
//! | counts of a baseline and of new output | the verdict of a rule | [`judge_rule`], [`Evidence`], [`Counts`] |
//! | several runs of one recipe | their share in the bounds | [`Runs`] |
//! | the verdicts of all rules | one verdict, its exit code, its outputs | [`Verdict`], [`mod@write`] |
//! | a policy of one's own | its tables, read strictly | [`section`] |
//!
//! A rule on a drop fails only when the drop is larger than allowed with the stated confidence, and passes only when it
//! is at most that with confidence; else it is inconclusive, and states the smallest detectable drop and the number of
//! segments needed. If nothing was judged, the verdict is an error, never a pass.
//!
//! The baselines of a policy are read, and recorded if the policy says so; this crate does no other IO.

mod baselines;
mod bounds;
mod counts;
mod judge;
mod policy;
mod run;
mod runs;
pub mod section;
mod verdict;
pub mod write;

pub use bleuprint_inference::FEWEST_UNITS;
pub use bounds::{BoundMethod, Bounds, Sample, bounds_of_drop, bounds_of_score};
pub use counts::Counts;
pub use judge::{Evidence, Group, judge_rule};
pub use policy::{
    Check, Limits, Method, OnInconclusive, OnInconclusiveGain, OnMissingBaseline, Policy, Rule, Unit,
};
pub use run::judge;
pub use runs::Runs;
pub use verdict::{BaselineUsed, GroupVerdict, Loss, Outcome, Reason, RuleVerdict, Verdict};

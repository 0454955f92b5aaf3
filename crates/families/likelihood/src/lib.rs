//! Negative log-likelihood, perplexity and bits from given log-likelihoods.
//!
//! ```text
//! S = Σ log-likelihoods, exact and rounded once        D = Σ units, a whole number
//! ```
//!
//! | name | base e | base 2 | base 10 |
//! |---|---|---|---|
//! | `nll` | `-S/D` | `-S/D` | `-S/D` |
//! | `perplexity` | `exp(-S/D)` | `2^(-S/D)` | `10^(-S/D)` |
//! | `bits` | `-S/D / ln 2` | `-S/D` | `-S/D / log10 2` |
//!
//! The unit is a token, a byte of UTF-8, a code point, a word, a segment, or a number in the record
//! (`weight`). Bytes, code points and words are counted in the given `text`, without a normalizer. lm-eval's
//! task `wikitext` counts the words of the original page. For that task, `text` is therefore the page and not
//! the scored text. With `words=lm-eval` a text has one word more than it has runs of white space
//! ([`pieces`]).
//!
//! The three scores are computed from the same statistics, a row of numbers that can be added and subtracted.
//! The key of the statistics contains `per`, `words`, `base`, `positive`, `missing` and `producer`. Scores
//! depend neither on batches nor on the order of documents.
//!
//! | singular case | result |
//! |---|---|
//! | a null in a list of tokens | left out, and counted |
//! | a null in place of the log-likelihood | error, or the segment is left out and counted with `missing=skip` |
//! | NaN or an infinite number, also of one token | error, or the segment is left out and counted with `missing=skip` |
//! | above 0 | error, or taken with `positive=allow` |
//! | one number with `per=token` and no field `tokens` | error |
//! | no unit, no segment | no score |
//! | a perplexity beyond the greatest `f64` | no score |
//! | a magnitude under `2^-140` | rounded to a multiple of `2^-192` |
//!
//! The scores are at least 0, and the perplexity is at least 1; with `positive=allow` they can be lower.
//! Lower is better. Source: Jelinek et al. 1977. Scores match lm_eval 0.4.13 within the rounding error of
//! that program's sums, which depend on the order of documents. HF evaluate's `mean_perplexity`, the mean of
//! the perplexities of texts, has a separate name and key. Time is linear in the number of log-likelihoods
//! and the length of the texts.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_likelihood::{LikelihoodScore, Likelihood, Likelihoods, Loglik, LikelihoodUnit};
//!
//! let mut texts = Accumulator::<_, Likelihood>::new(Likelihoods::new(LikelihoodScore::Perplexity, LikelihoodUnit::Token));
//! for tokens in [&[-1.0, -2.0][..], &[-6.0]] {
//!     let loglik = Loglik::Tokens(tokens.iter().map(|token| Some(*token)).collect());
//!     texts.push(&Likelihood { loglik, ..Likelihood::default() }, &[]).unwrap();
//! }
//! assert_eq!(texts.score().unwrap().value(), 20.085536923187668);
//! // Every other number comes from the same state; the mean of perplexities, 203.96 here, does not.
//! let bits = Likelihoods::new(LikelihoodScore::Bits, LikelihoodUnit::Token);
//! assert_eq!(texts.total().score(&bits).unwrap().value(), 3.0 / std::f64::consts::LN_2);
//! ```

mod entry;
mod given;
mod metric;
mod options;
mod stats;
mod units;

pub use given::{Likelihood, Loglik};
pub use metric::Likelihoods;
pub use options::{Base, LikelihoodScore, LikelihoodUnit, MissingLikelihood, TextWords};
pub use stats::LikelihoodStats;
pub use units::pieces;

use bleuprint_registry::MetricEntry;
use bleuprint_text::{Family, FamilyPage};

/// The registry entries of the metrics that are computed from log-likelihoods.
pub static ENTRIES: &[MetricEntry] = &[entry::LIKELIHOOD, entry::MEAN_PERPLEXITY];

/// Pages of documentation of this family.
const PAGES: &[FamilyPage] =
    &[FamilyPage { name: "likelihood", text: include_str!("../docs/likelihood.md") }];

/// Returns the family of metrics that are computed from log-likelihoods, for
/// [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("likelihood", "Log-likelihoods: perplexity, bits and nll").metrics(ENTRIES).pages(PAGES)
}

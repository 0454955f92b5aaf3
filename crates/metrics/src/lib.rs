//! The metrics that come with bleuprint: one file (or folder) each, over any tokens.
//!
//! | metric | what it measures | range | source |
//! |---|---|---|---|
//! | [`Bleu`] | clipped n-gram precision with a brevity penalty | 0 to 100 | Papineni et al. 2002 |
//! | [`ErrorRate`] | edits per reference token | 0 up, lower is better | Levenshtein 1966 |
//! | [`Gleu`] | the smaller of n-gram precision and recall | 0 to 1 | Wu et al. 2016 |
//! | [`ExactMatch`] | hypotheses that equal a reference | 0 to 100 | Rajpurkar et al. 2016 |
//! | [`Distinct`] | different n-grams among all n-grams | 0 to 1 | Li et al. 2016 |
//! | [`Nist`] | n-gram precision in which rare n-grams weigh more | 0 up | Doddington 2002 |
//! | [`Cider`] | cosine of n-grams weighted by rarity | 0 to 10 | Vedantam et al. 2015 |
//! | [`Sari`] | words rightly kept, deleted and added | 0 to 100 | Xu et al. 2016 |
//!
//! A metric here knows no text: tokens come from elsewhere. [`registry`] lists them for doors that choose by name.

pub mod bleu;
pub mod cider;
pub mod distinct;
pub mod error_rate;
pub mod exact_match;
pub mod gleu;
mod mean;
mod ngram_pairs;
pub mod ngrams;
pub mod nist;
mod registry;
pub mod sari;

pub use bleu::{
    Bleu, BleuBuilder, BleuScore, BleuStats, Dialect, DialectBleu, DialectError, DialectScore, RefLen,
    RefLengths, Smoothing, Summation,
};
pub use cider::{Cider, DocumentFrequencies};
pub use distinct::{Distinct, DistinctMean, DistinctStats};
pub use error_rate::{ErrorRate, ErrorRateStats};
pub use exact_match::{ExactMatch, ExactMatchStats};
pub use gleu::{Gleu, GleuStats};
use mean::check_mean;
pub use nist::{Nist, NistStats};
pub use registry::{ENTRIES, registry};
pub use sari::{EasseSari, Sari, SariStats};

//! The metrics that come with bleuprint: one file (or folder) each, over any tokens.
//!
//! | metric | what it measures | range | source |
//! |---|---|---|---|
//! | [`Bleu`] | clipped n-gram precision with a brevity penalty | 0 to 100 | Papineni et al. 2002 |
//! | [`ErrorRate`] | edits per reference token | 0 up, lower is better | Levenshtein 1966 |
//! | [`Gleu`] | the smaller of n-gram precision and recall | 0 to 1 | Wu et al. 2016 |
//! | [`ExactMatch`] | hypotheses that equal a reference | 0 to 100 | Rajpurkar et al. 2016 |
//!
//! A metric here knows no text: tokens come from elsewhere. [`registry`] lists them for doors that choose by name.

pub mod bleu;
pub mod error_rate;
pub mod exact_match;
pub mod gleu;
mod ngram_pairs;
mod registry;

pub use bleu::{
    Bleu, BleuBuilder, BleuScore, BleuStats, Dialect, DialectBleu, DialectError, DialectScore, RefLen,
    RefLengths, Smoothing, Summation,
};
pub use error_rate::{ErrorRate, ErrorRateStats};
pub use exact_match::{ExactMatch, ExactMatchStats};
pub use gleu::{Gleu, GleuStats};
pub use registry::{ENTRIES, registry};

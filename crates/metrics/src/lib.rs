//! The metrics that come with bleuprint: one file (or folder) each, over any tokens.
//!
//! | metric | what it measures | range | source |
//! |---|---|---|---|
//! | [`Bleu`] | clipped n-gram precision with a brevity penalty | 0 to 100 | Papineni et al. 2002 |
//! | [`Chrf`] | the F-score of character n-grams (chrF++: and of words) | 0 to 100 | Popović 2015, 2017 |
//! | [`Ter`] | edits with shifts of blocks, per reference word | from 0, lower is better | Snover et al. 2006 |
//! | [`EditRate`] | WER, CER, MER, WIL, WIP, ER: edits, hits | from 0, or 0 to 1 | Levenshtein 1966 |
//! | [`CompoundWer`] | WER that takes `wi fi` for `wifi` | from 0, lower is better | kaldialign |
//! | [`Gleu`] | the smaller of n-gram precision and recall | 0 to 1 | Wu et al. 2016 |
//! | [`Rouge`], [`SentenceRouge`] | n-grams or subsequences in common with a reference | 0 to 1 | Lin 2004 |
//! | [`Meteor`] | words aligned by form, stem and synonym | 0 to 1 | Banerjee and Lavie 2005 |
//! | [`SquadF1`], [`SquadEm`] | short answers, by tokens in common and by equality | 0 to 100 | Rajpurkar et al. 2016 |
//! | [`ExactMatch`] | hypotheses that equal a reference | 0 to 100 | Rajpurkar et al. 2016 |
//! | [`Distinct`] | different n-grams among all n-grams | 0 to 1 | Li et al. 2016 |
//! | [`Nist`] | n-gram precision in which rare n-grams weigh more | 0 up | Doddington 2002 |
//! | [`Cider`] | cosine of n-grams weighted by rarity | 0 to 10 | Vedantam et al. 2015 |
//! | [`Given`] | numbers that other programs computed | as stated | Cochran 1977 |
//! | [`Sari`] | words rightly kept, deleted and added | 0 to 100 | Xu et al. 2016 |
//!
//! [`ByLabel`] computes any metric separately for each label of the segments, and [`EachReference`] with each
//! reference alone. [`KeptRows`] is the statistics of metrics that need all values. [`PairTables`] compares
//! two sequences for metrics of other packages, and [`Means`] averages their segments.
//!
//! The feature `all`, which is on by default, has everything but BLEU by its type. Without it the package is a
//! third as large: for a program that scores token ids with BLEU.
//!
//! A metric here does not split text: the caller provides the tokens. [`registry`] lists the metrics for
//! programs that choose them by name.
// BLEU alone needs a part of the shared code.
#![cfg_attr(not(feature = "all"), allow(dead_code, unreachable_pub, unused_imports))]

pub mod bleu;
#[cfg(feature = "all")]
pub mod by_label;
#[cfg(feature = "all")]
pub mod chrf;
#[cfg(feature = "all")]
pub mod cider;
#[cfg(feature = "all")]
pub mod distinct;
#[cfg(feature = "all")]
mod each_reference;
#[cfg(feature = "all")]
pub mod edit;
#[cfg(feature = "all")]
pub mod exact_match;
#[cfg(feature = "all")]
pub mod given;
#[cfg(feature = "all")]
pub mod gleu;
#[cfg(feature = "all")]
pub mod meteor;
#[cfg(feature = "all")]
pub mod nist;
#[cfg(feature = "all")]
mod registry;
#[cfg(feature = "all")]
pub mod repetition;
#[cfg(feature = "all")]
pub mod rouge;
#[cfg(feature = "all")]
pub mod sari;
pub(crate) mod shared;
#[cfg(feature = "all")]
pub mod squad;
#[cfg(feature = "all")]
pub mod ter;

#[cfg(feature = "all")]
pub use self::{
    bleu::{Dialect, DialectBleu, DialectError, DialectScore},
    by_label::{ByLabel, LabelFrom, LabelMean, LabelStats, LabelsOf},
    chrf::{Chrf, ChrfBuilder, ChrfStats},
    cider::{Cider, DocumentFrequencies},
    distinct::{Distinct, DistinctStats},
    each_reference::EachReference,
    edit::{CompoundWer, EditCounts, EditRate},
    exact_match::{ExactMatch, ExactMatchStats},
    given::{Given, GivenOptions, GivenStats, MissingNumber},
    gleu::{Gleu, GleuStats},
    meteor::{Meteor, SynonymTable, Synonyms, WordNet},
    nist::{Nist, NistStats},
    registry::registry,
    repetition::{Repetition, RepetitionStats},
    rouge::{ReferencesRule, Rouge, RougeStats, SentenceRouge},
    sari::{Sari, SariStats},
    shared::{KeptRows, PairTables, assign, assign_interruptibly},
    squad::{SquadEm, SquadF1},
    ter::{Ter, TerScore, TerStats},
};
pub use bleu::{Bleu, BleuBuilder, BleuScore, BleuStats, RefLen, Smoothing, Summation};
pub use shared::{FScore, KernelWork, Means, PerOrder, RefLengths, mixed};

/// The example of most metrics over texts: one word of six is wrong.
#[cfg(feature = "all")]
const TEXT_EXAMPLE: &str =
    r#"{"hypothesis": "the cat sat on the mat", "references": ["the cat sat on a mat"]}"#;

/// Returns the paper with this key in the bibliography file `papers.bib` of this crate.
#[cfg(feature = "all")]
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::from_key(include_str!("papers.bib"), key)
}

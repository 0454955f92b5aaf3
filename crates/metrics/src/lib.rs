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
//! A metric here does not split text: the caller provides the tokens. [`registry`] lists the metrics for
//! programs that choose them by name.

mod assign;
pub mod bleu;
pub mod by_label;
pub mod chrf;
pub mod cider;
pub mod distinct;
mod each_reference;
pub mod edit;
pub mod exact_match;
pub mod given;
pub mod gleu;
mod kept;
pub mod meteor;
pub mod nist;
mod pairs;
mod registry;
pub mod repetition;
pub mod rouge;
pub mod sari;
pub(crate) mod shared;
pub mod squad;
pub mod ter;

pub use assign::{assign, assign_interruptibly};
pub use bleu::{
    Bleu, BleuBuilder, BleuScore, BleuStats, Dialect, DialectBleu, DialectError, DialectScore, RefLen,
    Smoothing, Summation,
};
pub use by_label::{ByLabel, LabelFrom, LabelMean, LabelStats, LabelsOf};
pub use chrf::{Chrf, ChrfBuilder, ChrfStats};
pub use cider::{Cider, DocumentFrequencies};
pub use distinct::{Distinct, DistinctStats};
pub use each_reference::EachReference;
pub use edit::{CompoundWer, EditCounts, EditRate};
pub use exact_match::{ExactMatch, ExactMatchStats};
pub use given::{Given, GivenOptions, GivenStats, MissingNumber};
pub use gleu::{Gleu, GleuStats};
pub use kept::KeptRows;
pub use meteor::{Meteor, SynonymTable, Synonyms, WordNet};
pub use nist::{Nist, NistStats};
pub use pairs::PairTables;
pub use registry::registry;
pub use repetition::{Repetition, RepetitionStats};
pub use rouge::{OverReferences, Rouge, RougeStats, SentenceRouge};
pub use sari::{Sari, SariStats};
pub use shared::{FScore, KernelWork, Means, PerOrder, RefLengths, mixed};
pub use squad::{SquadEm, SquadF1};
pub use ter::{Ter, TerScore, TerStats};

/// Returns the paper with this key in the bibliography file `papers.bib` of this crate.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::from_key(include_str!("papers.bib"), key)
}

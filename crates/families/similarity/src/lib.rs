//! Similarity metrics of texts, computed from edits. Many programs use one name for several of these
//! functions; here each function has a separate name.
//!
//! | metric | measures | range | source |
//! |---|---|---|---|
//! | [`EditSimilarity`] | the share that edits leave unchanged: Levenshtein, Indel, difflib, Jaro, Jaro-Winkler | 0 to 1 | rapidfuzz, difflib |
//! | [`Ned`] | edits over the greater length | 0 to 1, lower is better | Zhang et al. 2019 |
//! | [`Anls`] | short answers to questions about documents | 0 to 1 | Biten et al. 2019 |
//! | [`Eed`] | edits of characters with jumps at spaces | 0 to 1, lower is better | Stanchev et al. 2019 |
//! | [`Character`] | character edits after shifts of words | 0 to 1, lower is better | Wang et al. 2016 |
//! | [`Ribes`] | the order of words in common | 0 to 1 | Isozaki et al. 2010 |
//!
//! Each corpus score is the exact mean of its segments, so the statistics of parts of a corpus can be merged
//! and subtracted. [`ENTRIES`] is the list for a registry:
//!
//! ```
//! let registry = bleuprint_registry::Registry::from_entries(bleuprint_similarity::ENTRIES).unwrap();
//! let ratio = registry.build("edit_similarity:kind=difflib,autojunk=no").unwrap();
//! # use bleuprint_core::Metric as _;
//! assert!(ratio.signature().to_string().contains("kind:difflib|autojunk:no"));
//! assert!(registry.build("edit_similarity:kind=ratio").is_err());
//! ```

pub mod anls;
pub mod character;
pub mod edit_similarity;
pub mod eed;
mod mean;
pub mod ned;
pub mod ribes;

use bleuprint_registry::MetricEntry;
use bleuprint_text::{Family, FamilyPage};

pub use anls::{Anls, AnlsRule};
pub use character::Character;
pub use edit_similarity::{EditKind, EditSimilarity, EditSimilarityScratch};
pub use eed::{Eed, EedLanguage, EedScratch};
pub use ned::Ned;
pub use ribes::Ribes;

/// Registry entries of all metrics of this crate.
pub static ENTRIES: &[MetricEntry] =
    &[edit_similarity::ENTRY, ned::ENTRY, anls::ENTRY, eed::ENTRY, character::ENTRY, ribes::ENTRY];

/// Pages of documentation of this family.
const PAGES: &[FamilyPage] =
    &[FamilyPage { name: "similarity", text: include_str!("../docs/similarity.md") }];

/// Returns the metrics of this crate as a family, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("similarity", "Similarity of texts by edits").metrics(ENTRIES).pages(PAGES)
}

/// Returns the paper with this key in the crate's bibliography.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::from_key(include_str!("papers.bib"), key)
}

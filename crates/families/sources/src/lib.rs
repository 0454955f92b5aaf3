//! Metrics that compare a text with its source: a summary with its document, or the tokens of a tokenizer
//! with the text.
//!
//! | metric | measures | range | source |
//! |---|---|---|---|
//! | [`Extractive`] | coverage, density and compression of a summary | from 0 | Grusky et al. 2018 |
//! | [`Novel`] | n-grams of a summary that its source does not have | 0 to 1 | See et al. 2017 |
//! | [`Fertility`] | tokens per word, byte or character | from 0, mostly lower is better | Rust et al. 2021 |
//!
//! None of them needs references. [`ENTRIES`] is the list for a registry:
//!
//! ```
//! let registry = bleuprint_registry::Registry::from_entries(bleuprint_sources::ENTRIES).unwrap();
//! let novel = registry.build("novel:n=3").unwrap();
//! # use bleuprint_core::Metric as _;
//! assert!(novel.identity().needs().source && !novel.identity().needs().references);
//! assert!(registry.build("novel:n=0").is_err());
//! ```

pub mod extractive;
pub mod fertility;
mod given;
pub mod novel;

use bleuprint_registry::MetricEntry;
use bleuprint_text::{Family, FamilyPage};

pub use extractive::{Extractive, ExtractiveScore, ExtractiveScratch, ExtractiveStats};
pub use fertility::{Fertility, FertilityStats, FertilityUnit};
pub use given::TokenizedText;
pub use novel::Novel;

/// The registry entries of all metrics in this crate.
pub static ENTRIES: &[MetricEntry] = &[extractive::ENTRY, novel::ENTRY, fertility::ENTRY];

/// Pages of documentation of this family.
const PAGES: &[FamilyPage] = &[FamilyPage { name: "sources", text: include_str!("../docs/sources.md") }];

/// Returns the family of metrics that compare a text with its source, for
/// [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("sources", "Texts against their source").metrics(ENTRIES).pages(PAGES)
}

/// Returns the paper with this key in the crate's bibliography.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::from_key(include_str!("papers.bib"), key)
}

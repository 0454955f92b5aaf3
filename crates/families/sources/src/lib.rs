//! Texts against their source: summaries and the documents they are of, tokens and the text they are of.
//!
//! | metric | what it measures | range | source |
//! |---|---|---|---|
//! | [`Extractive`] | coverage, density and compression of a summary | from 0 | Grusky et al. 2018 |
//! | [`Novel`] | n-grams of a summary that its source has not | 0 to 1 | See et al. 2017 |
//! | [`Fertility`] | tokens to a word, a byte or a character | from 0, mostly lower is better | Rust et al. 2021 |
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
use bleuprint_text::Family;

pub use extractive::{Extractive, ExtractiveScore, ExtractiveScratch, ExtractiveStats};
pub use fertility::{Fertility, FertilityStats, Per};
pub use given::TokenizedText;
pub use novel::Novel;

/// The metrics of this package, to be added to a registry.
pub static ENTRIES: &[MetricEntry] = &[extractive::ENTRY, novel::ENTRY, fertility::ENTRY];

/// The family, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("sources", "Texts against their source").metrics(ENTRIES)
}

/// The paper of this key in the file of this package.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::of(include_str!("papers.bib"), key)
}

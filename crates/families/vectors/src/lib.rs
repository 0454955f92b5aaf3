//! Metrics over vectors of a model that you run yourself: [`BertScore`] and [`Cosine`]. No model runs here.
//!
//! A segment has the vectors of its texts: one for each piece, or one for a whole text. Build a registry with
//! these metrics from [`ENTRIES`]:
//!
//! ```
//! let registry = bleuprint_registry::Registry::from_entries(bleuprint_vectors::ENTRIES).unwrap();
//! assert!(registry.build("bertscore").is_ok());
//! ```

mod as_vector;
pub mod bertscore;
pub mod cosine;
mod rows;

pub use as_vector::AsVector;
pub use bertscore::{BertScore, PieceFrequencies};
pub use cosine::{Cosine, CosineReferences, mean_pool};

use bleuprint_registry::MetricEntry;
use bleuprint_text::{Family, FamilyPage};

/// Registry entries of all metrics of this crate, BERTScore and cosine.
pub static ENTRIES: &[MetricEntry] = &[bertscore::ENTRY, cosine::ENTRY];

/// Pages of documentation of this family.
const PAGES: &[FamilyPage] = &[
    FamilyPage { name: "bertscore", text: include_str!("../docs/bertscore.md") },
    FamilyPage { name: "cosine", text: include_str!("../docs/cosine.md") },
];

/// Returns the metrics of this crate as a family, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("vectors", "Vectors of a model of the user: BERTScore and cosine")
        .metrics(ENTRIES)
        .pages(PAGES)
}

/// Returns the paper with this key in the bibliography file `papers.bib` of this crate.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::from_key(include_str!("papers.bib"), key)
}

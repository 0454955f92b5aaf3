//! Metrics over vectors of a model of the user: [`BertScore`] and [`Cosine`]. No model runs here.
//!
//! A segment has the vectors of its texts: those of pieces, or one of a whole text. A registry gets the metrics by [`ENTRIES`]:
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
use bleuprint_text::Family;

/// The metrics, to be added to a registry.
pub static ENTRIES: &[MetricEntry] = &[bertscore::ENTRY, cosine::ENTRY];

/// The family, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("vectors", "Vectors of a model of the user: BERTScore and cosine").metrics(ENTRIES)
}

/// The paper of this key in the file of this package.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::from_key(include_str!("papers.bib"), key)
}

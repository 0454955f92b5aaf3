//! Metrics for image captions, METEOR 1.5 and SPICE, as in the COCO caption evaluation.
//!
//! Build a registry with these metrics from [`ENTRIES`]:
//!
//! ```
//! let registry = bleuprint_registry::Registry::from_entries(bleuprint_captions::ENTRIES).unwrap();
//! assert_eq!(registry.entries().len(), bleuprint_captions::ENTRIES.len());
//! ```

mod files;
#[cfg(doc)]
#[doc = include_str!("../guide/captions.md")]
pub mod guide {}
pub mod meteor15;
pub mod spice;
mod tuples;

pub use files::Captions;

use bleuprint_registry::{MetricEntry, MetricSet};
use bleuprint_text::{Family, FamilyPage};

/// Registry entries of the image-caption metrics in this crate.
pub static ENTRIES: &[MetricEntry] = &[meteor15::ENTRY, spice::ENTRY];

/// Metric set `coco`: the metrics that the COCO caption evaluation reports, except SPICE, whose parser is a
/// neural model. ROUGE-L weighs recall with a β of 1.2.
const COCO: MetricSet = MetricSet {
    name: "coco",
    summary: "BLEU-1 to BLEU-4, METEOR 1.5, ROUGE-L and CIDEr-D over PTB tokens, as the COCO evaluation of captions",
    metrics: &[
        "bleu:dialect=coco,max-order=1,tokenize=ptb",
        "bleu:dialect=coco,max-order=2,tokenize=ptb",
        "bleu:dialect=coco,max-order=3,tokenize=ptb",
        "bleu:dialect=coco,tokenize=ptb",
        "meteor15",
        // The option takes α = 1 / (1 + β²), here with β = 1.2.
        "rouge:order=L,references=each,alpha=0.4098360655737705,tokenize=ptb",
        "cider_d:tokenize=ptb",
    ],
};

/// Pages of documentation of this family.
const PAGES: &[FamilyPage] = &[
    FamilyPage { name: "meteor15", text: include_str!("../docs/meteor15.md") },
    FamilyPage { name: "spice", text: include_str!("../docs/spice.md") },
];

/// Returns the family of image-caption metrics, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("captions", "Captions of images")
        .metrics(ENTRIES)
        .sets(&[COCO])
        .tokenizers(tuples::TOKENIZERS)
        .readers(files::READERS)
        .pages(PAGES)
}

/// Returns the paper with this key in the crate's bibliography `papers.bib`.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::from_key(include_str!("papers.bib"), key)
}

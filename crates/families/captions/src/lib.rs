//! Metrics of image captions, as the COCO evaluation has them.
//!
//! A registry gets them by [`ENTRIES`]:
//!
//! ```
//! let registry = bleuprint_registry::Registry::from_entries(bleuprint_captions::ENTRIES).unwrap();
//! assert_eq!(registry.entries().len(), bleuprint_captions::ENTRIES.len());
//! ```

mod files;
pub mod meteor15;
pub mod spice;
mod tuples;

pub use files::Captions;

use bleuprint_registry::{MetricEntry, MetricSet};
use bleuprint_text::Family;

/// The metrics, to be added to a registry.
pub static ENTRIES: &[MetricEntry] = &[meteor15::ENTRY, spice::ENTRY];

/// The metrics that the name `coco` stands for: the report of the COCO evaluation of captions, but for SPICE, whose parser is a
/// model. ROUGE-L weighs recall by a beta of 1.2.
const COCO: MetricSet = MetricSet {
    name: "coco",
    summary: "BLEU-1 to BLEU-4, METEOR 1.5, ROUGE-L and CIDEr-D over PTB tokens, as the COCO evaluation of captions",
    metrics: &[
        "bleu:dialect=coco,max-order=1,tokenize=ptb",
        "bleu:dialect=coco,max-order=2,tokenize=ptb",
        "bleu:dialect=coco,max-order=3,tokenize=ptb",
        "bleu:dialect=coco,tokenize=ptb",
        "meteor15",
        "rouge:order=L,references=each,alpha=0.4098360655737705,tokenize=ptb",
        "cider_d:tokenize=ptb",
    ],
};

/// The family, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("captions", "Captions of images")
        .metrics(ENTRIES)
        .sets(&[COCO])
        .tokenizers(tuples::TOKENIZERS)
        .readers(files::READERS)
}

/// The paper of this key in the file of this package.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::from_key(include_str!("papers.bib"), key)
}

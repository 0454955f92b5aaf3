//! Metrics of classification, tagging and question answering. They compare labels, sets of labels, spans of
//! tags, and short answers to questions that may have no answer or several.
//!
//! | metric | what it measures | range | source |
//! |---|---|---|---|
//! | [`Labels`] | accuracy, precision, recall, F, MCC, kappa, of one label, sets, or tags | 0 to 1, or -1 to 1 | scikit-learn |
//! | [`Spans`] | precision, recall and F of spans with types | 0 to 1 | seqeval |
//! | [`Squad2`], [`Squad2Best`] | short answers, or none, by tokens in common and by equality | 0 to 100 | Rajpurkar et al. 2018 |
//! | [`Drop`] | answers of several spans, by words in common and by equality | 0 to 1 | Dua et al. 2019 |
//!
//! [`LabelCounts`], the statistics of [`Labels`] and [`Spans`], are integers, so that they merge over files,
//! machines and days. The same statistics serve all averages and scores. `ByLabel` of `bleuprint-metrics` is
//! different: it computes a metric for each group of segments. Here a segment counts for two labels, its
//! reference and its prediction, and differently for each.

mod agreement;
mod average;
mod counts;
pub mod drop;
pub mod labels;
mod list;
mod named;
mod names;
mod read;
mod row;
mod seen;
mod show;
pub mod spans;
pub mod squad2;
mod tally;

/// Returns the paper with this key in the bibliography file `papers.bib` of this crate.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::from_key(include_str!("papers.bib"), key)
}

#[cfg(test)]
mod tests;
mod words;

use bleuprint_registry::MetricEntry;
use bleuprint_text::{Family, FamilyPage};

pub use agreement::KappaWeights;
pub use average::{Average, ZeroQuotient};
pub use counts::LabelCounts;
pub use drop::{Drop, DropScore, DropStats};
pub use labels::{LabelOptions, LabelScore, Labels};
pub use list::TextList;
pub use read::{SegmentLabels, Separator};
pub use spans::{Scheme, SpanMatch, SpanOptions, SpanScore, Spans, TagAffix};
pub use squad2::{Answers, BestStats, PredictedAnswer, Squad2, Squad2Best, Squad2Score, Squad2Stats};

/// Registry entries of all metrics of this crate, from which a metric is created by name.
pub static ENTRIES: &[MetricEntry] =
    &[labels::ENTRY, spans::ENTRY, squad2::ENTRY, squad2::best::ENTRY, drop::ENTRY];

/// Pages of documentation of this family.
const PAGES: &[FamilyPage] = &[FamilyPage { name: "labels", text: include_str!("../docs/labels.md") }];

/// Returns the metrics of this crate as a family, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("labels", "Labels, sets of labels, spans and answers").metrics(ENTRIES).pages(PAGES)
}

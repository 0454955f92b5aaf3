//! Metrics of speech recognition beyond WER: errors in listed words, several hypotheses, bags of words,
//! confidences and word times.
//!
//! | metric | measures | range | source |
//! |---|---|---|---|
//! | [`BiasedWer`] | WER of the words of a list, and of all others | from 0, lower is better | Le et al. 2021 |
//! | [`Terms`] | recall, precision, F and error of terms of one word or several | 0 to 1 | texterrors, agwer |
//! | [`TermCer`] | character errors of the words of a list | from 0, lower is better | texterrors |
//! | [`SpanRecall`] | recall of given spans of references | 0 to 1, higher is better | its definition |
//! | [`Substitutions`] | substitutions by class: case, punctuation, marks, digits, compounds, near words | 0 to 1, lower is better | its definition |
//! | [`OracleWer`] | WER of the best of n hypotheses | from 0, lower is better | texterrors |
//! | [`Bag`] | errors without the positions of words: PER, and differences of bags | from 0, lower is better | Tillmann et al. 1997 |
//! | [`CalibrationError`] | expected calibration error and Brier score of confidences | 0 to 1, lower is better | Naeini et al. 2015 |
//! | [`Boundaries`] | distances of starts and ends of words | from 0 ms, lower is better | its definition |
//!
//! All statistics are integers, so neither batches nor the order of segments change them.
//! [`AlignmentProgram`] selects the word alignment.
//!
//! ```
//! let registry = bleuprint_registry::Registry::from_entries(bleuprint_recognition::ENTRIES).unwrap();
//! assert!(registry.build("bwer:like=biasing").is_ok() && registry.build("oracle_wer:k=5").is_ok());
//! assert!(registry.build("terms:of=f2").is_err());
//! ```

mod bag;
mod biased;
mod boundaries;
mod calibration;
mod chars;
mod given;
mod like;
mod list;
mod oracle;
mod quotients;
mod similar;
mod substitutions;
mod tables;
mod terms;

pub use bag::{Bag, BagCounts};
pub use biased::{BiasedCounts, BiasedWer, WordClass};
pub use boundaries::{Boundaries, BoundaryTimes, Edge, TimedWords};
pub use calibration::{CalibrationError, CalibrationOf, CalibrationStats, WordConfidence, WordConfidences};
pub use chars::{TermCer, TermChars};
pub use given::{SpanHits, SpanRecall, Spans, SpokenText};
pub use like::AlignmentProgram;
pub use list::TermList;
pub use oracle::{OracleStats, OracleWer, RankedHypotheses};
pub use substitutions::{SubstitutionCounts, Substitutions};
pub use terms::{Match, Rate, TermCounts, Terms};

use bleuprint_registry::MetricEntry;
use bleuprint_text::{Family, FamilyPage};

/// Registry entries of all metrics of this crate.
pub static ENTRIES: &[MetricEntry] = &[
    biased::ENTRY,
    terms::ENTRY,
    oracle::ENTRY,
    bag::ENTRY,
    calibration::ENTRY,
    boundaries::ENTRY,
    chars::ENTRY,
    given::ENTRY,
    substitutions::ENTRY,
];

/// Pages of documentation of this family.
const PAGES: &[FamilyPage] =
    &[FamilyPage { name: "recognition", text: include_str!("../docs/recognition.md") }];

/// Returns the metrics of recognized speech as a family, a group of metrics to be added to a program by
/// [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("recognition", "Recognized speech: words that matter, n-best lists, confidences, times")
        .metrics(ENTRIES)
        .alignments(tables::ALIGNMENTS)
        .pages(PAGES)
}

/// Returns the paper with this key in the crate's bibliography.
const fn paper(key: &'static str) -> bleuprint_registry::Paper {
    bleuprint_registry::Paper::from_key(include_str!("papers.bib"), key)
}

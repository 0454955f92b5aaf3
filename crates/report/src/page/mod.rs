//! The HTML report: a single file that opens from disk, makes no network connection and runs only its own
//! script.
//!
//! Scores and tables need no script. If the reader selects a pair of systems, a group or a filter, the script
//! recomputes the results from the integer counts of every segment. All texts and names are untrusted. They
//! are stored as data in escaped JSON and are shown only through text nodes. A content security policy allows
//! only the one style and the one script, by their hashes.

#[expect(clippy::exhaustive_structs, reason = "closed: the form of the page, which `FORMAT` numbers")]
mod data;
#[expect(clippy::exhaustive_structs, reason = "closed: the form of the page, which `FORMAT` numbers")]
mod figures;
mod finisher;
mod html;
#[expect(clippy::exhaustive_structs, reason = "closed: the form of the page, which `FORMAT` numbers")]
mod ngrams;
mod sentence;
mod tables;
#[expect(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    reason = "closed: the form of the page, which `FORMAT` numbers"
)]
mod words;

pub use data::{FORMAT, PageData, PageField, PageMetric, PagePair, PageScore, PageSlice, PageTexts};
pub use figures::PageFigure;
pub use finisher::{PageFinisher, glued};
pub use html::{GENERATOR, STYLE, compressed_html, hash, html, is_report};
pub use ngrams::PageNgrams;
pub use sentence::{SIGNIFICANT, who_is_ahead};
pub use words::{PageAlignment, PageError, PageErrorKind, PageTokens, PageWords};

/// Returns the data of a report as JSON, for use in other web pages.
pub fn json(page: &PageData) -> String {
    serde_json::to_string(page).unwrap_or_default()
}

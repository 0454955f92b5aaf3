//! The report in one file: an HTML page that opens from disk, makes no connection and runs only its own
//! script.
//!
//! The upper half, scores and tables, needs no scripts. The script computes everything that depends on a
//! choice from the integer counts of every segment: any pair, any group, any filter. All texts and names are
//! untrusted. They are data in escaped JSON and enter the page only through text nodes. A content security
//! policy allows only the one style and the one script, by their hashes.

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

/// Returns the data of a report as JSON, for other pages.
pub fn json(page: &PageData) -> String {
    serde_json::to_string(page).unwrap_or_default()
}

//! SubER, the subtitle edit rate: words, breaks and times of subtitles, compared with a reference.
//!
//! A segment is a file: its hypothesis and its reference are lists of subtitles. The tokens of both sides are
//! words, a break after every line, and a break after every subtitle. Both sides are cut into parts at times
//! when no subtitle of either side is shown. In each part, the edits are those that
//! [`Ter`](bleuprint_metrics::Ter) counts, including shifts of blocks, within 100 tokens of the diagonal of
//! the edit table. Two more rules apply:
//!
//! * a match or a substitution needs two subtitles that overlap in time;
//! * a break is paired only with a break.
//!
//! ```text
//! SubER = 100 · Σ edits / Σ (words + breaks of the reference)
//! ```
//!
//! Words are in lower case, and ASCII punctuation and the ellipsis are removed, unless the word has nothing
//! else. With `words=cased`, named `suber-cased`, words keep both, and the tokenizer `tercom-norm` separates
//! punctuation. With `language=zh`, `ja` or `ko`, the tokenizers `zh`, `ja-mecab` or `ko-mecab` cut the
//! pieces between white space instead. Without case, all characters of Unicode's category P (version 14) are
//! removed first.
//!
//! | singular case | result |
//! |---|---|
//! | no token on either side | 0 |
//! | a reference without tokens, with edits | 100 |
//! | a subtitle or a line without words | no token |
//! | subtitles of one side that overlap | allowed |
//! | an end before its start, a start before the previous start | error |
//! | a subtitle with text that ends when it starts | error, as in subtitle-edit-rate: it would overlap nothing |
//! | a time that is negative, infinite, NaN or above 1e8 s | error |
//! | more than 1000 subtitles at one time, more than 131,072 tokens in a part | error |
//!
//! The range is from 0 without limit, lower is better. Source: Wilken et al. 2022; the numbers match
//! subtitle-edit-rate 0.4.0, which rounds to three decimals. Each part takes the time of TER without
//! bit-parallel rows.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_subtitles::{Suber, Subtitles};
//!
//! let srt = |end: u32, text: &str| Subtitles::from_text(&format!("1\n00:00:01,000 --> 00:00:0{end},000\n{text}\n")).unwrap();
//! let mut files = Accumulator::<_, Subtitles>::new(Suber::default());
//! files.push(&srt(3, "Good\nmorning!"), &[&srt(4, "Good morning.")]).unwrap();
//! // A line break that the reference does not have.
//! assert_eq!(files.score().unwrap().value(), 100.0 / 3.0);
//! ```

mod entry;
mod given;
mod metric;
mod reader;
mod srt;
mod tokens;
mod vtt;

pub use given::{Subtitle, Subtitles};
pub use metric::{Suber, SuberCounts};

use bleuprint_registry::MetricEntry;
use bleuprint_text::{Family, FamilyPage};

/// The registry entries of the subtitle metrics; SubER is the only one.
pub static ENTRIES: &[MetricEntry] = &[entry::SUBER];

/// Pages of documentation of this family.
const PAGES: &[FamilyPage] = &[FamilyPage { name: "subtitles", text: include_str!("../docs/subtitles.md") }];

/// Returns the family of subtitle metrics, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("subtitles", "Subtitles with their times: SubER")
        .metrics(ENTRIES)
        .readers(reader::READERS)
        .pages(PAGES)
}

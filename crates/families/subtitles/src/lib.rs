//! SubER, the subtitle edit rate: words, breaks and times of subtitles against those of a reference.
//!
//! A segment is a file: the subtitles of both sides. The tokens of a file are its words, a break after every line and another one after
//! every subtitle. Both sides are cut into parts where no subtitle of either goes on. In each part the edits are those of
//! [`Ter`](bleuprint_metrics::Ter), shifts of blocks among them, in a beam of 100 tokens on both sides of the diagonal and under two rules:
//!
//! * a match or a substitution needs two subtitles that overlap in time;
//! * a break is a pair with breaks only.
//!
//! ```text
//! SubER = 100 · Σ edits / Σ (words + breaks of the reference)
//! ```
//!
//! Words are in lower case and without ASCII punctuation and the ellipsis, unless nothing else is in them. With `words=cased`, named
//! `suber-cased`, they keep both, and punctuation is cut off by the tokenizer `tercom-norm`.
//! With `language=zh`, `ja` or `ko` the words between white space are cut by `zh`, `ja-mecab` or `ko-mecab` instead;
//! without case, all characters of Unicode's category P (of its version 14) are deleted before.
//!
//! | singular case | result |
//! |---|---|
//! | no token on either side | 0 |
//! | a reference without tokens, with edits | 100 |
//! | a subtitle or a line without words | no token |
//! | subtitles of one side that overlap | allowed |
//! | an end before its start, a start before the one ahead of it | error |
//! | a time that is negative, infinite, NaN or above 1e8 s | error |
//! | more than 1000 subtitles at one time, more than 131,072 tokens in a part | error |
//!
//! Range from 0 without limit, lower is better. Source: Wilken et al. 2022; numbers as subtitle-edit-rate 0.4.0, which rounds to three
//! decimals. Time is that of TER of each part, without its bit-parallel rows.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_subtitles::{Suber, Subtitles};
//!
//! let srt = |end: u32, text: &str| Subtitles::from_srt(&format!("1\n00:00:01,000 --> 00:00:0{end},000\n{text}\n")).unwrap();
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

pub use given::{Subtitle, Subtitles};
pub use metric::{Suber, SuberCounts};

use bleuprint_registry::MetricEntry;
use bleuprint_text::Family;

/// The metrics of subtitles, to be added to a registry.
pub static ENTRIES: &[MetricEntry] = &[entry::SUBER];

/// The family, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("subtitles", "Subtitles with their times: SubER").metrics(ENTRIES).readers(reader::READERS)
}

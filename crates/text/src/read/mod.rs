//! Readers: from files to lines and segments.
//!
//! * [`Lines`] and [`Text`]: the lines of one file, streamed or in memory;
//! * [`Parallel`] and [`Columns`]: several files, or one file of columns, with one segment per line;
//! * `JsonLines` (feature `jsonl`) and [`Table`]: one file with everything in it;
//! * [`parse_ids`] and [`IdFilter`]: token ids.
//!
//! All of them stream in constant memory except [`Text`], read gzip and Zstandard (features `gz` and `zst`)
//! transparently, take `-` for standard input, and report faults with file and line; [`Findings`] are no faults and likely
//! mistakes. A leading byte order mark is skipped in JSON Lines and tables, and in lines by choice ([`Encoding`]).

mod columns;
mod compressed;
mod encoding;
mod failing;
mod findings;
mod ids;
#[cfg(feature = "jsonl")]
mod json;
#[cfg(feature = "jsonl")]
mod jsonl;
mod keys;
mod lines;
mod once;
mod open_segments;
mod option;
mod parallel;
mod records;
mod segment;
mod source;
mod systems;
mod table;
mod text;
mod utf8;

pub use columns::Columns;
pub use encoding::Encoding;
pub use findings::Findings;
pub(crate) use ids::for_each_id;
pub use ids::{IdFilter, parse_ids};
#[cfg(feature = "jsonl")]
pub use jsonl::JsonLines;
pub use lines::{Lines, Newlines, require_memory_to_parse};
pub use once::{check_read_once, count_lines};
pub use open_segments::open_segments;
pub use option::option_file;
pub use parallel::Parallel;
pub use segment::{EmptyReferences, Segment, SegmentOptions, SegmentReader};
pub use source::{Source, open, open_as};
pub use systems::Systems;
pub use table::Table;
pub use text::Text;

//! Readers: from files to lines and segments.
//!
//! * [`Lines`] and [`Text`]: the lines of one file, streamed or in memory;
//! * [`Columns`]: one file of columns, with one segment per line;
//! * [`open_segments`]: JSON Lines (feature `jsonl`) or a table, one file with everything in it;
//! * `Fields` (feature `jsonl`): records with any keys, as other programs write them, and their numbers;
//! * [`speech_lines`]: STM and CTM, transcripts with times;
//! * [`read_vectors`]: vectors from a model of the user;
//! * `archive_members` (feature `zip`): those of a jar or a log;
//! * [`IdFilter`]: token ids that do not count;
//! * [`TestSet`]: the files of sacreBLEU's test sets.
//!
//! All of them stream in constant memory except [`Text`], read gzip and Zstandard (features `gz` and `zst`)
//! transparently, take `-` for standard input, and report faults with file and line; [`Findings`] are likely
//! mistakes that are no faults. A leading byte order mark is skipped in JSON Lines and tables, and in lines by choice ([`Encoding`]).

#[cfg(feature = "zip")]
mod archive;
mod columns;
mod compressed;
mod encoding;
mod failing;
#[cfg(feature = "jsonl")]
mod fields;
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
#[cfg(feature = "jsonl")]
mod plain;
mod records;
mod segment;
mod source;
mod speech;
mod systems;
mod table;
mod testset;
mod text;
mod utf8;
mod vectors;

#[cfg(feature = "zip")]
pub use archive::archive_members;
pub use columns::Columns;
pub use encoding::Encoding;
#[cfg(feature = "jsonl")]
pub use fields::{Field, Fields, parse_value};
pub use findings::Findings;
pub use ids::IdFilter;
pub(crate) use ids::for_each_id;
#[cfg(feature = "jsonl")]
use jsonl::JsonLines;
pub use lines::{Lines, Newlines, require_memory_to_parse};
pub use once::{check_read_once, count_lines};
pub use open_segments::{open_segments, read_segments};
pub use option::option_file;
pub use segment::{EmptyReferences, Segment, SegmentOptions, SegmentReader};
pub use source::{Source, open};
pub use speech::{SpeechLine, speech_lines};
pub use systems::Systems;
pub use testset::{TestSet, sacrebleu_folder};
pub use text::Text;
pub use vectors::{Floats, VectorParts, VectorReader, VectorTable, read_vectors};

//! Readers of files, which yield lines and segments.
//!
//! * [`LineReader`] and [`FileText`]: the lines of one file, streamed or in memory;
//! * [`TabColumns`]: one file with tab-separated columns and one segment per line;
//! * [`open_segments`]: JSON Lines (feature `jsonl`) or a table: one file with hypotheses and references;
//! * `FieldReader` (feature `jsonl`): records with arbitrary keys, as other programs write them;
//! * [`speech_lines`]: STM and CTM, which are transcripts with times;
//! * [`read_vectors`]: embedding vectors that the user computed;
//! * `archive_members` (feature `zip`): the files in a zip archive, such as a jar or an evaluation log;
//! * [`IdFilter`]: a filter for token ids that are not counted;
//! * [`TestSet`]: the files of sacreBLEU's test sets.
//!
//! All readers except [`FileText`] need constant memory. They read gzip and Zstandard (features `gz` and
//! `zst`) without an option, accept `-` for standard input, and report errors with file and line.
//! [`Findings`] are likely mistakes that are not errors. A leading byte order mark is skipped in JSON Lines
//! and tables; in files of lines, [`Encoding`] decides.

#[cfg(feature = "zip")]
mod archive;
#[cfg(feature = "jsonl")]
mod bare;
mod column_names;
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
mod kind;
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
mod system_files;
mod systems;
mod table;
mod testset;
mod text;
mod utf8;
mod vectors;

#[cfg(feature = "zip")]
pub use archive::archive_members;
pub use column_names::SegmentColumns;
pub use columns::TabColumns;
pub use encoding::Encoding;
#[cfg(feature = "jsonl")]
pub use fields::{Field, FieldReader, SegmentFields, number_label, parse_value, plain_value, tagged_value};
pub use findings::{Findings, LeftOut};
pub use ids::IdFilter;
pub(crate) use ids::for_each_id;
#[cfg(feature = "jsonl")]
use jsonl::JsonLines;
pub use kind::{ExpectedLines, FileKind, TextOptions};
pub use lines::{LineReader, Newlines, require_memory_to_parse};
pub use once::{check_read_once, count_lines};
pub use open_segments::{open_segments, read_segments};
pub use option::option_file;
pub use segment::{EmptyReferences, ReadSegment, SegmentOptions, SegmentReader};
pub use source::{Source, open};
pub use speech::{SpeechLine, speech_lines};
pub use system_files::SystemFiles;
pub use systems::Systems;
pub use testset::{TestSet, sacrebleu_folder};
pub use text::FileText;
pub use vectors::{Floats, VectorParts, VectorReader, VectorTable, read_vectors};

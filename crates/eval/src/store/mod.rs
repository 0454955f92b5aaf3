//! Stored statistics: a metric's counts for every segment, in a file that any program can read.
//!
//! # The format `bleuprint-stats/2`
//!
//! The file has JSON Lines in UTF-8: one object a line, every line ended by LF. It is compressed if its name
//! ends in `.zst`. There is a header, a line for each segment, and an end line:
//!
//! ```text
//! {"format":"bleuprint-stats/2","tool":"bleuprint 0.1.0","system":"sys-a","metrics":[{"spec":"bleu","key":"bleu/1|order:4|case:mixed|tok:13a","signature":"BLEU|nrefs:1|..","columns":["segments","references",..]}],"labels":["id","domain"],"each":true}
//! {"references":"5f0d92a1c7b3e846","source":"1d20c7b3e846f0a9","labels":["doc1-1","news"],"states":[[1,1,1,7,..]]}
//! ..
//! {"segments":1976,"references":"09c1..","source":"77e0..","total":[[1976,1976,1976,31541,..]],"sha256":"4b7e.."}
//! ```
//!
//! | line | field | meaning |
//! |---|---|---|
//! | header | `format` | name and version of this format; other formats are rejected |
//! | | `tool` | program that wrote the file |
//! | | `system` | name of the system whose hypotheses were counted |
//! | | `metrics` | metrics, in the order of `states` |
//! | | `metrics.spec` | metric as a user names it, with options |
//! | | `metrics.key` | state key; states with equal keys can be merged |
//! | | `metrics.signature` | signature of the score that the user requested |
//! | | `metrics.columns` | names of the counts if a state is a row of counts; else absent |
//! | | `metrics.learned` | state of the first pass of a metric of two passes; else absent |
//! | | `labels` | names of the segments' labels |
//! | | `each` | `true` if there is a line for each segment, `false` if the file holds only a total |
//! | | `unit` | label whose equal values resamples draw as one unit, such as `item`; absent for single segments, `segment` if a label suggests another unit |
//! | | `ids` | labels whose values together identify a segment; absent if the label `id` does, or if there are no ids |
//! | | `left_out` | what the readers left out or added, each with `count`, `of` and `what`; absent if nothing |
//! | segment | `references` | fingerprint of the segment's references, see [`Fingerprint`] |
//! | | `source` | fingerprint of the segment's source, if known; else absent |
//! | | `labels` | one value for each name in the header; `null` if the segment has no value |
//! | | `states` | one state for each metric: a row of counts, or any other serialized form |
//! | end | `segments` | number of segments |
//! | | `references` | sum of the fingerprints of all references; zeros if these are not known, as in sums of tables |
//! | | `source` | sum of the fingerprints of all known sources; absent if none is known |
//! | | `total` | one state for each metric: the merge of all segments |
//! | | `sha256` | SHA-256 of all uncompressed bytes before `,"sha256":`; the last field of this line |
//!
//! Counts are whole numbers from 0 to 2⁶⁴ − 1. Every row begins with `segments`, `references` and
//! `references_squared`. These are equal for all metrics of a line; `segments` is 1 in a segment's line and
//! the number of segments in the end line. A total of rows is their sum. The reader checks all of this. In
//! Python:
//! `[json.loads(line)["states"][0] for line in open("a.stats")][1:-1]`, with the first and last lines set aside.
//!
//! Why JSON Lines: the files are small (one to three bytes for each count with `.zst`), any tool can read
//! them, and they are written in one pass. With the feature `arrow` the segments can instead be an Arrow
//! table, for query engines and notebooks, with the same header and end.
//!
//! The header of every file contains the tables of first passes, so every shard repeats them. For 28,192
//! English segments of 17.6 words, CIDEr-D learns 13.5 MB and NIST 19.2 MB; with all counts, the files take
//! 4.5 and 7.6 MB in `.zst`. Compress shards of such metrics, or use few shards.
//!
//! Files of `bleuprint-stats/1` can be read, but they record no sources. Metrics that read the source score
//! such files but do not compare them: [`StoredStatistics::require_sources`].
//!
//! Files of older versions, in which an exact sum of real numbers has eight columns, are converted to nine
//! columns ([`NarrowSums`]) under today's keys.
//!
//! The reader is strict. A truncated file has no end line, and a changed file has another `sha256`. Unknown
//! fields, future versions and inconsistent counts are errors that name file and line. [`AtomicFile`] writes
//! the files, so a killed program leaves nothing that looks complete.

mod alone;
#[cfg(feature = "arrow")]
mod arrow;
mod atomic;
mod checksum;
mod combine;
mod fingerprint;
mod format;
mod learned;
mod narrow;
mod read;
mod table;
mod write;

pub use atomic::AtomicFile;
pub use fingerprint::Fingerprint;
pub(crate) use format::FORMAT;
pub use format::{Header, StoredMetric, StoredSegment, StoredState, StoredStatistics, TOOL};
pub use narrow::NarrowSums;
pub use table::{LEADING, METADATA, leading, required};

#[cfg(test)]
mod tests;

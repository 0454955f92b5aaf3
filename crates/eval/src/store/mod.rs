//! Stored statistics: the counts of every segment, in a file for any program.
//!
//! # The format `bleuprint-stats/2`
//!
//! JSON Lines in UTF-8, one object per line, every line ended by LF; the file is compressed when its name ends in
//! `.zst`. There is a header, a line per segment, and an end:
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
//! | header | `format` | this format and its version; others are refused |
//! | | `tool` | the program that wrote the file |
//! | | `system` | the name of the system whose hypotheses were counted |
//! | | `metrics` | the metrics, in the order of `states` |
//! | | `metrics.spec` | the metric as a user names it, with options |
//! | | `metrics.key` | the state key, the same for mergeable states |
//! | | `metrics.signature` | the signature of the score that was asked for |
//! | | `metrics.columns` | the names of the counts, where a state is a row of counts; else absent |
//! | | `metrics.learned` | the state of the first pass of a metric of two passes; else absent |
//! | | `labels` | the names of the labels of segments |
//! | | `each` | whether there are lines of segments; a file may hold the total alone |
//! | segment | `references` | the fingerprint of its references, see [`Fingerprint`] |
//! | | `source` | the fingerprint of its source, if known; else absent |
//! | | `labels` | one per name of the header; `null` where a segment has none |
//! | | `states` | one per metric: a row of counts, or whatever the metric serializes |
//! | end | `segments` | the number of segments |
//! | | `references` | the sum of the fingerprints of their references; zeros where these are not known, as in sums of tables |
//! | | `source` | the sum of those of their sources, where any is known; else absent |
//! | | `total` | one state per metric: the merge of all |
//! | | `sha256` | of all bytes of the file, uncompressed, before `,"sha256":`, the last field of this line |
//!
//! Counts are whole numbers from 0 to 2⁶⁴ − 1. Every row begins with `segments`, `references` and `references_squared`,
//! which are equal for all metrics of a line: one segment, or as many as the end line counts. A total of rows is their
//! sum. All of this is checked. In Python:
//! `[json.loads(line)["states"][0] for line in open("a.stats")][1:-1]`, with the first and last lines set aside.
//!
//! Why JSON Lines: the files are small (one to three bytes per count with `.zst`), read by everything, and written in
//! one pass. With the feature `arrow` the segments may be a table of Arrow instead, for engines and notebooks, with the same
//! header and end.
//!
//! What a first pass learned stands in the header of every file, so every shard repeats it: of 28,192 English segments of
//! 17.6 words, CIDEr-D learns 13.5 MB and NIST 19.2 MB, with all counts 4.5 and 7.6 MB in `.zst`. Compress shards of such
//! metrics, or cut few.
//!
//! Files of `bleuprint-stats/1` are read. They say nothing of sources, so metrics that look at the source score them, but
//! do not compare them: [`StoredStatistics::require_sources`].
//!
//! Files whose exact sums have eight columns are read as those of today ([`NarrowSums`]), under the keys of today.
//!
//! Reading is strict: a file that was cut short has no end line, one that was changed has another `sha256`; unknown
//! fields, versions to come, and counts that do not fit are errors that name file and line. Files are written by
//! [`AtomicFile`], so a program that is killed leaves nothing that reads as complete.

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

//! [`open_segments`]: the right reader for a file that has hypotheses and references in it.

use super::ids::IdFilter;
use super::segment::SegmentReader;
use bleuprint_core::{InputError, Location};
use std::path::Path;

/// Opens a file of whole segments by the end of its name: `.jsonl` or `.ndjson` as JSON Lines, `.csv` and `.tsv` as a
/// table with a header; each also with `.gz` or `.zst` after it. `-` is standard input, of JSON Lines. `ids` says
/// which of the ids in JSON Lines do not count.
///
/// ```
/// let error = bleuprint_text::read::open_segments("segments.txt", &Default::default()).err().unwrap();
/// assert!(error.to_string().starts_with("segments.txt: neither `.jsonl`"));
/// ```
///
/// # Errors
///
/// Another name; a kind of file that this program was built without; a file that cannot be opened.
pub fn open_segments(path: impl AsRef<Path>, ids: &IdFilter) -> Result<Box<dyn SegmentReader + Send>, InputError> {
    let path = path.as_ref();
    let name = path.to_string_lossy();
    let plain = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
    match plain.rsplit('.').next() {
        // Standard input has no name that tells its kind.
        Some("jsonl" | "ndjson" | "-") => json_lines(path, ids),
        Some("csv" | "tsv") => table(path),
        _ => {
            let message =
                "neither `.jsonl` nor `.csv` nor `.tsv`: files of lines come as hypotheses and references";
            Err(InputError::malformed(message).at(Location::file(&*name)))
        }
    }
}

#[cfg(feature = "jsonl")]
fn json_lines(path: &Path, ids: &IdFilter) -> Result<Box<dyn SegmentReader + Send>, InputError> {
    Ok(Box::new(super::JsonLines::open(path)?.with_id_filter(ids.clone())))
}

#[cfg(not(feature = "jsonl"))]
fn json_lines(path: &Path, _: &IdFilter) -> Result<Box<dyn SegmentReader + Send>, InputError> {
    Err(not_enabled("jsonl", path))
}

#[cfg(feature = "csv")]
fn table(path: &Path) -> Result<Box<dyn SegmentReader + Send>, InputError> {
    Ok(Box::new(super::Table::open(path)?))
}

#[cfg(not(feature = "csv"))]
fn table(path: &Path) -> Result<Box<dyn SegmentReader + Send>, InputError> {
    Err(not_enabled("csv", path))
}

#[cfg(not(all(feature = "jsonl", feature = "csv")))]
fn not_enabled(feature: &str, path: &Path) -> InputError {
    let message = format!("this program was built without the feature `{feature}` of bleuprint-text");
    InputError::malformed(message).at(Location::file(&*path.to_string_lossy()))
}

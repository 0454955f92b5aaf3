//! [`open_segments`]: the right reader for a file with both hypotheses and references.

use super::compressed::{decompressed, ends_with};
use super::records::Records;
use super::segment::{SegmentOptions, SegmentReader};
use super::source::{Source, io_error, open};
use super::table::{Table, is_header};
use bleuprint_core::{InputError, InputErrorKind, Location, Result};
use std::io::{Cursor, Read};
use std::path::Path;

/// Opens a file of whole segments by its extension, in any case: `.jsonl` or `.ndjson` as JSON Lines, `.csv`, `.tsv`
/// and `.tab` as a table with a header; each also with `.gz` or `.zst` after it. Standard input (`-`), pipes and files
/// with other names are recognized by their first line: a JSON object, or the header of a table.
///
/// ```
/// let error = bleuprint_text::read::open_segments("src/lib.rs", &Default::default()).err().unwrap();
/// assert!(error.to_string().starts_with("src/lib.rs: neither JSON Lines nor a table"));
/// ```
///
/// # Errors
/// Neither of these; a kind of file this program was built without; a file that cannot be opened.
pub fn open_segments(
    path: impl AsRef<Path>,
    options: &SegmentOptions,
) -> Result<Box<dyn SegmentReader + Send>> {
    read_segments(open(path.as_ref())?, options)
}

/// Reads an open source as [`open_segments`] does, by the extension of its name or by its first line.
///
/// ```
/// use bleuprint_text::read::{EmptyReferences, Segment, SegmentOptions, SegmentReader, Source, read_segments};
/// let options = SegmentOptions { empty_references: EmptyReferences::Keep, ..SegmentOptions::default() };
/// let line = r#"{"id": 7, "hypothesis": "a b", "references": ["a c", null, ""], "system": "x"}"#;
/// let mut reader = read_segments(Source::new(line.as_bytes(), "example.jsonl"), &options)?;
/// let mut segment = Segment::default();
/// assert!(reader.next(&mut segment)?);
/// assert_eq!(segment.references, [Some("a c".to_owned()), None, Some(String::new())]);
/// assert_eq!((segment.id.as_deref(), segment.system.as_deref()), (Some("7"), Some("x")));
/// assert!(!reader.next(&mut segment)?);
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
///
/// # Errors
/// Neither JSON Lines nor a table; a header without a hypothesis, with a name repeated that must be unique, or with one that
/// is likely a slip; a kind of file this program was built without.
pub fn read_segments(mut source: Source, options: &SegmentOptions) -> Result<Box<dyn SegmentReader + Send>> {
    let kind = match Kind::of_name(&source.name) {
        Some(kind) => kind,
        None => {
            let line;
            (line, source) = first_line(source)?;
            Kind::of_line(&line).ok_or_else(|| {
                if line.is_empty() {
                    return InputError::from(InputErrorKind::EmptyCorpus).at(Location::file(source.name.clone()));
                }
                let message = "neither JSON Lines nor a table with the columns `hypothesis` and `reference`: files of \
                               lines come as hypotheses and references";
                InputError::malformed(message).at(Location::file(source.name.clone()))
            })?
        }
    };
    let records = match kind {
        Kind::JsonLines => return json_lines(source, options),
        Kind::Csv => Records::csv(source),
        Kind::Tsv => Records::tsv(source),
    };
    Ok(Box::new(Table::new(records, options)?))
}

enum Kind {
    JsonLines,
    Csv,
    Tsv,
}

impl Kind {
    fn of_name(name: &str) -> Option<Self> {
        let plain = decompressed(name);
        let ends = |end| ends_with(plain, end);
        if ends(".jsonl") || ends(".ndjson") {
            Some(Kind::JsonLines)
        } else if ends(".csv") {
            Some(Kind::Csv)
        } else if ends(".tsv") || ends(".tab") {
            Some(Kind::Tsv)
        } else {
            None
        }
    }

    fn of_line(line: &str) -> Option<Self> {
        if line.trim_start().starts_with(['{', '[']) {
            return Some(Kind::JsonLines);
        }
        let tables = [('\t', Kind::Tsv), (',', Kind::Csv)];
        tables.into_iter().find(|(delimiter, _)| is_header(line, *delimiter)).map(|(_, kind)| kind)
    }
}

/// The first non-blank line, up to a limit, and the whole source.
pub(super) fn first_line(source: Source) -> Result<(String, Source)> {
    const MOST: u64 = 1 << 16;
    let Source { mut reader, name, position } = source;
    let mut bytes = Vec::new();
    let mut line = String::new();
    while line.trim().is_empty() && (bytes.len() as u64) < MOST {
        let start = bytes.len();
        let missing = MOST - start as u64;
        let read = std::io::BufRead::read_until(&mut reader.by_ref().take(missing), b'\n', &mut bytes);
        if read.map_err(|error| io_error(&error, &name))? == 0 {
            break;
        }
        line = String::from_utf8_lossy(&bytes[start..]).into_owned();
    }
    Ok((line, Source { reader: Box::new(Cursor::new(bytes).chain(reader)), name, position }))
}

#[cfg(feature = "jsonl")]
fn json_lines(source: Source, options: &SegmentOptions) -> Result<Box<dyn SegmentReader + Send>> {
    let lines = super::Lines::from_source(source);
    Ok(Box::new(super::JsonLines::new(lines, options.clone())))
}

#[cfg(not(feature = "jsonl"))]
fn json_lines(source: Source, _: &SegmentOptions) -> Result<Box<dyn SegmentReader + Send>> {
    let message = "this program was built without the feature `jsonl` of bleuprint-text";
    Err(InputError::malformed(message).at(Location::file(source.name)))
}

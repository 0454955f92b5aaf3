//! [`open_segments`]: opens a file that has both hypotheses and references, and detects its format.

use super::column_names::SegmentColumns;
use super::compressed::{decompressed, ends_with};
use super::kind::FileKind;
use super::records::RecordReader;
use super::segment::{SegmentOptions, SegmentReader};
use super::source::{Source, io_error, open};
use super::table::{ColumnTable, is_header};
use bleuprint_core::{InputError, InputErrorKind, Location, Result};
use std::io::{Cursor, Read};
use std::path::Path;

/// Opens a file of segments, each with a hypothesis and its references. The extension determines the format,
/// in upper or lower case: `.jsonl` and `.ndjson` are JSON Lines; `.csv`, `.tsv` and `.tab` are tables with a
/// header. `.gz` or `.zst` may follow the extension. Standard input (`-`), pipes and files with other names
/// are recognized by their first line, which is a JSON object or the header of a table.
///
/// ```
/// let error = bleuprint_text::read::open_segments("src/lib.rs", &Default::default()).err().unwrap();
/// assert!(error.to_string().starts_with("src/lib.rs: neither JSON Lines nor a table"));
/// ```
///
/// # Errors
/// Returns an error if the file cannot be opened, has neither format, or needs a feature that this build
/// lacks.
pub fn open_segments(
    path: impl AsRef<Path>,
    options: &SegmentOptions,
) -> Result<Box<dyn SegmentReader + Send>> {
    read_segments(open(path.as_ref())?, options)
}

/// Reads segments, each with a hypothesis and its references, from a source that is already open. The
/// extension of its name or its first line determines the format, as in [`open_segments`].
///
/// ```
/// use bleuprint_text::read::{EmptyReferences, ReadSegment, SegmentOptions, SegmentReader, Source, read_segments};
/// let options = SegmentOptions { empty_references: EmptyReferences::Keep, ..SegmentOptions::default() };
/// let line = r#"{"id": 7, "hypothesis": "a b", "references": ["a c", null, ""], "system": "x"}"#;
/// let mut reader = read_segments(Source::new(line.as_bytes(), "example.jsonl"), &options)?;
/// let mut segment = ReadSegment::default();
/// assert!(reader.next(&mut segment)?);
/// assert_eq!(segment.references, [Some("a c".to_owned()), None, Some(String::new())]);
/// assert_eq!((segment.id.as_deref(), segment.system.as_deref()), (Some("7"), Some("x")));
/// assert!(!reader.next(&mut segment)?);
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
///
/// # Errors
/// Returns an error if the source is neither JSON Lines nor a table, or needs a feature that this build
/// lacks. Returns an error if the header has no hypothesis, repeats a name that must be unique, or has a name
/// that is likely a typing error.
pub fn read_segments(mut source: Source, options: &SegmentOptions) -> Result<Box<dyn SegmentReader + Send>> {
    let kind = match SegmentFileKind::of_name(&source.name) {
        Some(kind) => kind,
        None => {
            let line;
            (line, source) = first_line(source)?;
            SegmentFileKind::of_line(&line, &options.columns).ok_or_else(|| {
                if line.is_empty() {
                    return InputError::from(InputErrorKind::EmptyCorpus)
                        .at(Location::file(source.name.clone()));
                }
                let advice =
                    match FileKind::named(&source.name).or_else(|| FileKind::detect(&source.name, &line)) {
                        Some(kind) => format!("it looks like {}; {}", kind.name(), kind.remedy()),
                        None => "give files of lines as hypotheses and references".to_owned(),
                    };
                let message = format!(
                    "neither JSON Lines nor a table with the columns `hypothesis` and `reference`: {advice}"
                );
                InputError::malformed(message).at(Location::file(source.name.clone()))
            })?
        }
    };
    let records = match kind {
        SegmentFileKind::JsonLines => return json_lines(source, options),
        SegmentFileKind::Csv => RecordReader::csv(source),
        SegmentFileKind::Tsv => RecordReader::tsv(source),
    };
    Ok(Box::new(ColumnTable::new(records, options)?))
}

/// The format of a file with hypotheses and references: JSON Lines, CSV or TSV.
enum SegmentFileKind {
    JsonLines,
    Csv,
    Tsv,
}

impl SegmentFileKind {
    fn of_name(name: &str) -> Option<Self> {
        let plain = decompressed(name);
        let ends = |end| ends_with(plain, end);
        if ends(".jsonl") || ends(".ndjson") {
            Some(SegmentFileKind::JsonLines)
        } else if ends(".csv") {
            Some(SegmentFileKind::Csv)
        } else if ends(".tsv") || ends(".tab") {
            Some(SegmentFileKind::Tsv)
        } else {
            None
        }
    }

    fn of_line(line: &str, columns: &SegmentColumns) -> Option<Self> {
        if line.trim_start().starts_with(['{', '[']) {
            return Some(SegmentFileKind::JsonLines);
        }
        // Tabs are tested first: a header with tabs may have commas within a name.
        let tables = [('\t', SegmentFileKind::Tsv), (',', SegmentFileKind::Csv)];
        tables.into_iter().find(|(delimiter, _)| is_header(line, *delimiter, columns)).map(|(_, kind)| kind)
    }
}

/// Returns the first line that is not blank, of at most 64 KiB, and a source that still starts at the first
/// byte.
pub(super) fn first_line(source: Source) -> Result<(String, Source)> {
    // Enough for any header; a longer line is JSON, which its first character shows.
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
    // The bytes read so far are put in front of the rest, since standard input cannot be read again.
    Ok((line, Source { reader: Box::new(Cursor::new(bytes).chain(reader)), name, position }))
}

#[cfg(feature = "jsonl")]
fn json_lines(source: Source, options: &SegmentOptions) -> Result<Box<dyn SegmentReader + Send>> {
    let one = options.columns.require_one_reference();
    one.map_err(|error| error.at(Location::file(source.name.clone())))?;
    let lines = super::LineReader::from_source(source);
    Ok(Box::new(super::JsonLines::new(lines, options.clone())))
}

#[cfg(not(feature = "jsonl"))]
fn json_lines(source: Source, _: &SegmentOptions) -> Result<Box<dyn SegmentReader + Send>> {
    let message = "this program was built without the feature `jsonl` of bleuprint-text";
    Err(InputError::malformed(message).at(Location::file(source.name)))
}

//! Detection of compressed files by their first bytes, and decompression.

use bleuprint_core::{InputError, Location, Result};
use std::io::{BufRead, Read};
use std::sync::Arc;

/// The compression format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    Gzip,
    Zstandard,
    /// A compression format that is recognized but not supported; the string is its name, such as `xz`.
    Other(&'static str),
}

impl Compression {
    /// Number of bytes at the start of a file that suffice to recognize every compression format.
    pub(super) const HEAD: usize = 10;

    pub(super) fn of_bytes(head: &[u8]) -> Option<Self> {
        match head {
            [0x1F, 0x8B, ..] => Some(Compression::Gzip),
            // A frame, or a skippable frame.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => {
                Some(Compression::Zstandard)
            }
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Compression::Other("xz")),
            // A text may begin with `BZh9` as well, so the magic number of the first block is
            // compared as well.
            [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', b'&', b'S', b'Y'] => {
                Some(Compression::Other("bzip2"))
            }
            [b'P', b'K', 3, 4, ..] => Some(Compression::Other("zip")),
            [4, 0x22, 0x4D, 0x18, ..] => Some(Compression::Other("lz4")),
            _ => None,
        }
    }

    pub(super) fn of_name(name: &str) -> Option<Self> {
        let kinds = [
            (".gz", Compression::Gzip),
            (".zst", Compression::Zstandard),
            (".xz", Compression::Other("xz")),
            (".bz2", Compression::Other("bzip2")),
            (".zip", Compression::Other("zip")),
            (".lz4", Compression::Other("lz4")),
        ];
        kinds.into_iter().find(|(end, _)| ends_with(name, end)).map(|(_, kind)| kind)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Zstandard => "Zstandard",
            Compression::Other(name) => name,
        }
    }
}

/// Returns an error message if the file is not text but, for example, a PDF, a spreadsheet or Parquet. The
/// message names the remedy. The first bytes decide; for zip archives, the file name does too.
pub(super) fn document(head: &[u8], name: &str) -> Option<&'static str> {
    let is = |ends: &[&str]| ends.iter().any(|end| ends_with(name, end));
    match head {
        [b'P', b'K', 3, 4, ..] | [0xD0, 0xCF, 0x11, 0xE0, ..] if is(&[".docx", ".odt", ".doc"]) => {
            Some("a document of a word processor; save it as plain text, one segment a line")
        }
        [b'P', b'K', 3, 4, ..] | [0xD0, 0xCF, 0x11, 0xE0, ..] if is(&[".xlsx", ".ods", ".xls"]) => {
            Some("a spreadsheet; save it as CSV")
        }
        [b'%', b'P', b'D', b'F', b'-', b'1'..=b'2', ..] => {
            Some("a PDF; `pdftotext` takes its text, of which every segment is a line")
        }
        [b'P', b'A', b'R', b'1', 0x15, ..] => Some(
            "a table in Parquet; write it as JSON Lines, with pandas by `to_json(orient=\"records\", lines=True)`",
        ),
        _ => None,
    }
}

/// Returns `true` if a file name ends with `end`; upper and lower case are not distinguished.
pub(super) fn ends_with(name: &str, end: &str) -> bool {
    without_end(name, end).is_some()
}

/// Returns the file name without its extension `.gz` or `.zst`, if it has one.
pub(super) fn decompressed(name: &str) -> &str {
    without_end(name, ".gz").or(without_end(name, ".zst")).unwrap_or(name)
}

fn without_end<'n>(name: &'n str, end: &str) -> Option<&'n str> {
    let (start, own) = name.split_at_checked(name.len().checked_sub(end.len())?)?;
    own.eq_ignore_ascii_case(end).then_some(start)
}

/// Returns a reader that decompresses `bytes`, the content of the file `name`.
///
/// # Errors
/// Returns an error if the format is unsupported, or if this build lacks the feature for it.
pub(super) fn decompress(
    compression: Compression,
    bytes: Box<dyn BufRead + Send>,
    name: &Arc<str>,
) -> Result<Box<dyn Read + Send>> {
    match compression {
        Compression::Gzip => gzip(bytes, name),
        Compression::Zstandard => zstandard(bytes, name),
        Compression::Other(kind) => {
            let message =
                format!("compressed with {kind}, which is not supported; decompress the file first");
            Err(InputError::malformed(message).at(Location::file(Arc::clone(name))))
        }
    }
}

#[cfg(feature = "gz")]
fn gzip(bytes: Box<dyn BufRead + Send>, _: &Arc<str>) -> Result<Box<dyn Read + Send>> {
    Ok(Box::new(gzip::Members::new(bytes)))
}

#[cfg(not(feature = "gz"))]
fn gzip(_: Box<dyn BufRead + Send>, name: &Arc<str>) -> Result<Box<dyn Read + Send>> {
    Err(not_enabled("gz", name))
}

#[cfg(feature = "zst")]
fn zstandard(bytes: Box<dyn BufRead + Send>, name: &Arc<str>) -> Result<Box<dyn Read + Send>> {
    let decoder = zstd::stream::read::Decoder::with_buffer(bytes);
    Ok(Box::new(decoder.map_err(|error| super::source::io_error(&error, name))?))
}

#[cfg(not(feature = "zst"))]
fn zstandard(_: Box<dyn BufRead + Send>, name: &Arc<str>) -> Result<Box<dyn Read + Send>> {
    Err(not_enabled("zst", name))
}

#[cfg(not(all(feature = "gz", feature = "zst")))]
fn not_enabled(feature: &str, name: &Arc<str>) -> InputError {
    let message =
        format!("compressed, but this program was built without the feature `{feature}` of bleuprint-text");
    InputError::malformed(message).at(Location::file(Arc::clone(name)))
}

#[cfg(feature = "gz")]
mod gzip {
    //! A reader of gzip files with any number of members, then optional padding zeros, as the program `gzip`
    //! reads them. Other trailing bytes, about which `gzip` only warns, are an error, and so is a truncated
    //! file.

    use flate2::bufread::GzDecoder;
    use std::io::{BufRead, Error, ErrorKind, Read, Result};

    /// A reader of the decompressed bytes of all members of a gzip file, one member after the other.
    pub(super) struct Members<R> {
        member: Option<GzDecoder<R>>,
    }

    impl<R: BufRead> Members<R> {
        pub(super) fn new(bytes: R) -> Self {
            Members { member: Some(GzDecoder::new(bytes)) }
        }
    }

    impl<R: BufRead> Read for Members<R> {
        fn read(&mut self, out: &mut [u8]) -> Result<usize> {
            // An empty read must not look like the end of a member.
            if out.is_empty() {
                return Ok(0);
            }
            while let Some(member) = &mut self.member {
                let read = member.read(out).map_err(|error| in_words(&error))?;
                if read > 0 {
                    return Ok(read);
                }
                let bytes = self.member.take().map(GzDecoder::into_inner);
                self.member = bytes.map(next_member).transpose()?.flatten();
            }
            Ok(0)
        }
    }

    fn next_member<R: BufRead>(mut bytes: R) -> Result<Option<GzDecoder<R>>> {
        let mut padding = false;
        loop {
            let chunk = match bytes.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let Some(&first) = chunk.first() else { return Ok(None) };
            if first != 0 {
                break;
            }
            padding = true;
            let zeros = chunk.iter().take_while(|&&byte| byte == 0).count();
            bytes.consume(zeros);
        }
        // After padding, another member would be a damaged file.
        match bytes.fill_buf()?.first() {
            Some(0x1F) if !padding => Ok(Some(GzDecoder::new(bytes))),
            _ => Err(Error::new(ErrorKind::InvalidData, "bytes after the end of the gzip data")),
        }
    }

    fn in_words(error: &Error) -> Error {
        let message = match error.kind() {
            ErrorKind::UnexpectedEof => "the gzip data ends too early: the file is cut off".to_owned(),
            ErrorKind::InvalidInput | ErrorKind::InvalidData => format!("damaged gzip data ({error})"),
            _ => error.to_string(),
        };
        Error::new(error.kind(), message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_in_capitals_too() {
        assert_eq!(Compression::of_name("a.GZ"), Some(Compression::Gzip));
        assert_eq!(Compression::of_name("a.Zst"), Some(Compression::Zstandard));
        for name in ["a.txt", "gz", "", "\u{e9}z", "a.g\u{e9}"] {
            assert_eq!(Compression::of_name(name), None, "{name}");
        }
        assert_eq!(without_end("a.TSV.gz", ".GZ"), Some("a.TSV"));
    }

    #[test]
    fn text_is_not_taken_for_compressed() {
        for text in ["", "P", "PK", "BZh9", "BZh91 is no archive", "(\u{b5}/", "P*M"] {
            let head = &text.as_bytes()[..text.len().min(Compression::HEAD)];
            assert_eq!(Compression::of_bytes(head), None, "{text}");
        }
    }
}

//! Opens files, compressed files and standard input as streams of UTF-8 bytes.

use super::compressed::{Compression, decompress, document};
use super::encoding::{Encoding, MARK, not_utf8};
use super::failing::Failing;
use bleuprint_core::{InputError, InputErrorKind, Location, Result};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, ErrorKind, Read, stdin};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Size of read buffers in bytes: 32 KiB. It is large enough that system calls cost little, and small enough
/// that the first access to its memory pages costs little.
const BUFFER: usize = 1 << 15;

/// An open stream of bytes, with the name that error messages show.
pub struct Source {
    /// The reader of the bytes of the stream.
    pub reader: Box<dyn BufRead + Send>,
    /// The name of the stream: the path as the user gave it, or `<stdin>`.
    pub name: Arc<str>,
    pub(super) position: Option<Position>,
}

/// The number of bytes read from a file, and its size. Bytes of a compressed file are counted as stored.
#[derive(Debug, Clone)]
pub(super) struct Position {
    read: Arc<AtomicU64>,
    total: u64,
}

impl Position {
    /// Creates a reader of the file that counts the bytes read, and a [`Position`] that shows this count and
    /// the size of the file. The position is `None` if the size is unknown, as for pipes.
    fn from_file(file: File) -> (Option<Self>, CountedBytes) {
        let size = file.metadata().ok().filter(|metadata| metadata.is_file()).map(|metadata| metadata.len());
        let read = Arc::new(AtomicU64::new(0));
        (size.map(|total| Position { read: Arc::clone(&read), total }), CountedBytes { file, read })
    }

    fn get(&self) -> (u64, u64) {
        // A file that grows while it is read must not show more than 100 %.
        (self.read.load(Ordering::Relaxed).min(self.total), self.total)
    }
}

/// A reader of a file that counts the bytes read from it.
struct CountedBytes {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for CountedBytes {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(bytes)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Source {
    /// Creates a stream from any byte source. Error messages name the stream `name`. After an error, every
    /// further read returns the same error.
    pub fn new(reader: impl BufRead + Send + 'static, name: impl Into<Arc<str>>) -> Self {
        Self::of_boxed(Box::new(reader), name.into())
    }

    fn of_boxed(reader: Box<dyn BufRead + Send>, name: Arc<str>) -> Self {
        Source { reader: Box::new(Failing::new(reader)), name, position: None }
    }

    /// Returns the first bytes of the stream, at most `most`. The stream still starts at the first byte.
    pub(super) fn peek(&mut self, most: usize) -> Result<Vec<u8>> {
        let mut head = Vec::new();
        let read = self.reader.by_ref().take(most as u64).read_to_end(&mut head);
        read.map_err(|error| io_error(&error, &self.name))?;
        let rest = std::mem::replace(&mut self.reader, Box::new(std::io::empty()));
        self.reader = Box::new(Cursor::new(head.clone()).chain(rest));
        Ok(head)
    }

    /// Returns the number of bytes read from the file and its size, or `None` if the size is unknown.
    pub(super) fn position(&self) -> Option<(u64, u64)> {
        self.position.as_ref().map(Position::get)
    }

    /// Returns the location of the line with this number, from 1, for error messages.
    pub(super) fn line(&self, line: u64) -> Location {
        Location::line(Arc::clone(&self.name), line)
    }
}

/// Opens the file `path`; `-` is standard input. Content in gzip or Zstandard is decompressed, whatever the
/// name of the file. A leading UTF-8 byte order mark is skipped.
///
/// # Errors
/// Returns an error if the file cannot be opened, has an unsupported compression or one that this build
/// lacks, or is not compressed although its name says so. UTF-16, UTF-32 and NUL bytes at the start are
/// errors too.
pub fn open(path: impl AsRef<Path>) -> Result<Source> {
    open_as(path.as_ref(), Encoding::Utf8Sig)
}

/// Opens `path` like [`open`], but `encoding` decides whether a leading byte order mark is skipped or is part
/// of the text.
pub(super) fn open_as(path: &Path, encoding: Encoding) -> Result<Source> {
    if path == Path::new("-") {
        return from_bytes(Box::new(stdin()), None, "<stdin>".into(), encoding);
    }
    let name: Arc<str> = path.to_string_lossy().into();
    let file = File::open(path).map_err(|error| io_error(&error, &name))?;
    let (position, file) = Position::from_file(file);
    Ok(Source { position, ..from_bytes(Box::new(file), Compression::of_name(&name), name, encoding)? })
}

/// Any reader of bytes, boxed so that the compiler compiles one function for all kinds of readers.
type Bytes = Box<dyn Read + Send>;

/// Creates a stream from bytes, decompressing them if necessary. `expected` is the compression format that
/// the file name indicates.
fn from_bytes(
    bytes: Bytes,
    expected: Option<Compression>,
    name: Arc<str>,
    encoding: Encoding,
) -> Result<Source> {
    let (head, bytes) = head(bytes).map_err(|error| io_error(&error, &name))?;
    // Documents are tested first, since a word processor's file is also a zip archive.
    if let Some(document) = document(&head, &name) {
        return Err(InputError::malformed(document).at(Location::file(name)));
    }
    let found = Compression::of_bytes(&head);
    // A name that ends in `.gz` over other content is a mistake of an earlier step, not a plain text.
    if let Some(expected) = expected.filter(|expected| found != Some(*expected)) {
        let message = if head.is_empty() {
            format!("empty, and so it is not {}", expected.name())
        } else {
            format!("its name says {}, but its content does not", expected.name())
        };
        return Err(InputError::malformed(message).at(Location::file(name)));
    }
    let (head, bytes) = match found {
        None => (head, bytes),
        Some(compression) => {
            let bytes = decompress(compression, Box::new(buffered(bytes)), &name)?;
            self::head(bytes).map_err(|error| io_error(&error, &name))?
        }
    };
    text(head, bytes, name, encoding)
}

/// Reads the first bytes of a stream, enough to identify its format. Returns them and a reader that still
/// starts at the first byte. A pipe may deliver the bytes one at a time.
fn head(mut bytes: Bytes) -> std::io::Result<(Vec<u8>, Bytes)> {
    let mut head = Vec::new();
    // `take` limits the read, so that the other bytes stay in the source.
    bytes.by_ref().take(Compression::HEAD as u64).read_to_end(&mut head)?;
    let all = Cursor::new(head.clone()).chain(bytes);
    Ok((head, Box::new(all)))
}

fn text(head: Vec<u8>, mut bytes: Bytes, name: Arc<str>, encoding: Encoding) -> Result<Source> {
    if let Some(fault) = not_utf8(&head) {
        return Err(InputError::malformed(fault).at(Location::file(name)));
    }
    // The mark is consumed here; without a mark the bytes are untouched.
    if encoding == Encoding::Utf8Sig && head.starts_with(MARK) {
        bytes.read_exact(&mut [0; MARK.len()]).map_err(|error| io_error(&error, &name))?;
    }
    Ok(Source { reader: Box::new(Failing::new(buffered(bytes))), name, position: None })
}

fn buffered(bytes: Bytes) -> BufReader<Bytes> {
    BufReader::with_capacity(BUFFER, bytes)
}

pub(super) fn fill<'r>(reader: &'r mut dyn BufRead, name: &Arc<str>) -> Result<&'r [u8]> {
    loop {
        match reader.fill_buf() {
            Ok([]) => return Ok(&[]),
            // The second call returns the buffered bytes without reading; it avoids a borrow across the loop.
            Ok(_) => return reader.fill_buf().map_err(|error| io_error(&error, name)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(io_error(&error, name)),
        }
    }
}

pub(super) fn io_error(error: &std::io::Error, name: &Arc<str>) -> InputError {
    InputError::from(InputErrorKind::Io(error.to_string())).at(Location::file(Arc::clone(name)))
}

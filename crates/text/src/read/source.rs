//! Opening: files, compressed files and standard input, all as one stream of bytes of UTF-8.

use super::compressed::{Compression, decompress, document};
use super::encoding::{Encoding, MARK, not_utf8};
use super::failing::Failing;
use bleuprint_core::{InputError, InputErrorKind, Location, Result};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, ErrorKind, Read, stdin};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Large enough to hide the cost of system calls, small enough to hide that of memory: the first touch of a page costs
/// as much as scoring a few segments.
const BUFFER: usize = 1 << 15;

/// An open stream of bytes, with its name in errors.
pub struct Source {
    /// The bytes.
    pub reader: Box<dyn BufRead + Send>,
    /// The path as the user gave it, or `<stdin>`.
    pub name: Arc<str>,
    pub(super) position: Option<Position>,
}

/// The position in a file, in bytes as stored, compressed or not.
#[derive(Debug, Clone)]
pub(super) struct Position {
    read: Arc<AtomicU64>,
    total: u64,
}

impl Position {
    /// The position in a file, and the file as a reader that moves it. None if the size is unknown, as for pipes.
    fn of(file: File) -> (Option<Self>, Counted) {
        let size = file.metadata().ok().filter(|metadata| metadata.is_file()).map(|metadata| metadata.len());
        let read = Arc::new(AtomicU64::new(0));
        (size.map(|total| Position { read: Arc::clone(&read), total }), Counted { file, read })
    }

    fn get(&self) -> (u64, u64) {
        (self.read.load(Ordering::Relaxed).min(self.total), self.total)
    }
}

struct Counted {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
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
    /// Reads from any source; errors call it `name`. After an error every further read gives the same error.
    pub fn new(reader: impl BufRead + Send + 'static, name: impl Into<Arc<str>>) -> Self {
        Self::of_boxed(Box::new(reader), name.into())
    }

    fn of_boxed(reader: Box<dyn BufRead + Send>, name: Arc<str>) -> Self {
        Source { reader: Box::new(Failing::new(reader)), name, position: None }
    }

    /// The number of bytes read of a file, and its size.
    pub(super) fn position(&self) -> Option<(u64, u64)> {
        self.position.as_ref().map(Position::get)
    }

    /// A line of it, counted from 1.
    pub(super) fn line(&self, line: u64) -> Location {
        Location::line(Arc::clone(&self.name), line)
    }
}

/// Opens `path`; `-` is standard input. gzip and Zstandard are decompressed, under any name and from any source. A
/// leading UTF-8 byte order mark is skipped.
///
/// # Errors
/// A file that cannot be opened; an unsupported compression, or one this program was built without; a file named as
/// compressed that is not; UTF-16 and UTF-32, with a mark or without; NUL bytes at the start.
pub fn open(path: impl AsRef<Path>) -> Result<Source> {
    open_as(path.as_ref(), Encoding::Utf8Sig)
}

/// As [`open`]; the encoding says if a leading byte order mark is text.
pub(super) fn open_as(path: &Path, encoding: Encoding) -> Result<Source> {
    if path == Path::new("-") {
        return from_bytes(Box::new(stdin()), None, "<stdin>".into(), encoding);
    }
    let name: Arc<str> = path.to_string_lossy().into();
    let file = File::open(path).map_err(|error| io_error(&error, &name))?;
    let (position, file) = Position::of(file);
    Ok(Source { position, ..from_bytes(Box::new(file), Compression::of_name(&name), name, encoding)? })
}

/// Boxed, so that one function of each kind is compiled.
type Bytes = Box<dyn Read + Send>;

/// The stream of some bytes, compressed as `expected` if given.
fn from_bytes(
    bytes: Bytes,
    expected: Option<Compression>,
    name: Arc<str>,
    encoding: Encoding,
) -> Result<Source> {
    let (head, bytes) = head(bytes).map_err(|error| io_error(&error, &name))?;
    if let Some(document) = document(&head, &name) {
        return Err(InputError::malformed(document).at(Location::file(name)));
    }
    let found = Compression::of_bytes(&head);
    if let Some(expected) = expected.filter(|expected| found != Some(*expected)) {
        let message = match head.is_empty() {
            true => format!("empty, and so it is not {}", expected.name()),
            false => format!("its name says {}, but its content does not", expected.name()),
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

/// The first bytes of a stream, enough to identify it, and the whole stream. A pipe may give them one at a time.
fn head(mut bytes: Bytes) -> std::io::Result<(Vec<u8>, Bytes)> {
    let mut head = Vec::new();
    // Through `take`, so that the rest stays in the source.
    bytes.by_ref().take(Compression::HEAD as u64).read_to_end(&mut head)?;
    let all = Cursor::new(head.clone()).chain(bytes);
    Ok((head, Box::new(all)))
}

fn text(head: Vec<u8>, mut bytes: Bytes, name: Arc<str>, encoding: Encoding) -> Result<Source> {
    if let Some(fault) = not_utf8(&head) {
        return Err(InputError::malformed(fault).at(Location::file(name)));
    }
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
            // Buffered bytes are not read again.
            Ok(_) => return reader.fill_buf().map_err(|error| io_error(&error, name)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(io_error(&error, name)),
        }
    }
}

pub(super) fn io_error(error: &std::io::Error, name: &Arc<str>) -> InputError {
    InputError::from(InputErrorKind::Io(error.to_string())).at(Location::file(Arc::clone(name)))
}

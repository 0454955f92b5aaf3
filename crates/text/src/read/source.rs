//! Opening: files, compressed files and standard input, all as one stream of bytes of UTF-8.

use super::compressed::{Compression, decompress};
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
    /// The position in a file.
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

/// A file that counts the bytes read.
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
    /// Reads from any source; errors call it `name`.
    pub fn new(reader: impl BufRead + Send + 'static, name: impl Into<Arc<str>>) -> Self {
        Source { reader: Box::new(reader), name: name.into(), position: None }
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
///
/// A file that cannot be opened; an unsupported compression, or one this program was built without; a file named as
/// compressed that is not; UTF-16.
pub fn open(path: impl AsRef<Path>) -> Result<Source> {
    let path = path.as_ref();
    if path == Path::new("-") {
        return from_bytes(stdin(), None, "<stdin>".into());
    }
    let name: Arc<str> = path.to_string_lossy().into();
    let file = File::open(path).map_err(|error| io_error(&error, &name))?;
    let (position, file) = Position::of(file);
    Ok(Source { position, ..from_bytes(file, Compression::of_name(&name), name)? })
}

/// The stream of some bytes, compressed as `expected` if given.
fn from_bytes(
    bytes: impl Read + Send + 'static,
    expected: Option<Compression>,
    name: Arc<str>,
) -> Result<Source> {
    let (head, bytes) = head(bytes).map_err(|error| io_error(&error, &name))?;
    let found = Compression::of_bytes(&head);
    if let Some(expected) = expected.filter(|expected| found != Some(*expected)) {
        let message = match head.is_empty() {
            true => format!("empty, and so it is not {}", expected.name()),
            false => format!("its name says {}, but its content does not", expected.name()),
        };
        return Err(InputError::malformed(message).at(Location::file(name)));
    }
    let Some(compression) = found else {
        return Ok(Source { reader: text(head, bytes, &name)?, name, position: None });
    };
    let bytes = decompress(compression, buffered(bytes), &name)?;
    let (head, bytes) = self::head(bytes).map_err(|error| io_error(&error, &name))?;
    Ok(Source { reader: text(head, bytes, &name)?, name, position: None })
}

/// The first bytes of a stream, enough to identify it, and the whole stream. A pipe may give them one at a time.
fn head(mut bytes: impl Read + Send + 'static) -> std::io::Result<(Vec<u8>, Box<dyn Read + Send>)> {
    let mut head = Vec::new();
    // Through `take`, so that the rest stays in the source.
    bytes.by_ref().take(Compression::HEAD as u64).read_to_end(&mut head)?;
    let all = Cursor::new(head.clone()).chain(bytes);
    Ok((head, Box::new(all)))
}

/// The text of uncompressed bytes, without the leading mark.
fn text(head: Vec<u8>, mut bytes: Box<dyn Read + Send>, name: &Arc<str>) -> Result<Box<dyn BufRead + Send>> {
    const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";
    if head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF") {
        let message = "UTF-16, as its byte order mark says; convert it to UTF-8";
        return Err(InputError::malformed(message).at(Location::file(Arc::clone(name))));
    }
    if head.starts_with(UTF8_MARK) {
        bytes.read_exact(&mut [0; UTF8_MARK.len()]).map_err(|error| io_error(&error, name))?;
    }
    Ok(buffered(bytes))
}

fn buffered(reader: impl Read + Send + 'static) -> Box<dyn BufRead + Send> {
    Box::new(BufReader::with_capacity(BUFFER, reader))
}

/// The buffered bytes, none at the end.
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

/// The error of the operating system, with the file.
pub(super) fn io_error(error: &std::io::Error, name: &Arc<str>) -> InputError {
    InputError::from(InputErrorKind::Io(error.to_string())).at(Location::file(Arc::clone(name)))
}

//! Opening: files, compressed files and standard input, all as one stream of bytes.

use bleuprint_core::{InputError, InputErrorKind, Location};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, stdin};
use std::path::Path;
use std::sync::Arc;

/// Large enough that system calls do not show.
const BUFFER: usize = 1 << 17;

/// An open stream of bytes and the name that its errors carry.
pub struct Source {
    /// The bytes.
    pub reader: Box<dyn BufRead + Send>,
    /// The path as the user gave it, or `<stdin>`.
    pub name: Arc<str>,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Opens `path`; `-` is standard input.
///
/// # Errors
///
/// A file that cannot be opened.
pub fn open(path: impl AsRef<Path>) -> Result<Source, InputError> {
    let path = path.as_ref();
    if path == Path::new("-") {
        let reader = Box::new(BufReader::with_capacity(BUFFER, stdin()));
        return Ok(Source { reader, name: "<stdin>".into() });
    }
    let name: Arc<str> = path.to_string_lossy().into();
    let file = File::open(path).map_err(|error| io_error(&error, &name))?;
    let reader = decompress(file, path, &name)?;
    Ok(Source { reader, name })
}

fn decompress(file: File, _path: &Path, _name: &Arc<str>) -> Result<Box<dyn BufRead + Send>, InputError> {
    Ok(buffered(file))
}

fn buffered(reader: impl Read + Send + 'static) -> Box<dyn BufRead + Send> {
    Box::new(BufReader::with_capacity(BUFFER, reader))
}

/// The error of the operating system, with the file.
pub(super) fn io_error(error: &std::io::Error, name: &Arc<str>) -> InputError {
    InputError::new(InputErrorKind::Io(error.to_string())).at(Location::file(Arc::clone(name)))
}

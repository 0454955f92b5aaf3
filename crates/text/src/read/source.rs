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

/// Opens `path`, which is decompressed if it ends in `.gz` or `.zst`; `-` is standard input.
///
/// # Errors
///
/// A file that cannot be opened, or is compressed in a way that this program was built without.
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

/// Decompresses what its name says is compressed.
fn decompress(file: File, path: &Path, name: &Arc<str>) -> Result<Box<dyn BufRead + Send>, InputError> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => gzip(file, name),
        Some("zst") => zstandard(file, name),
        _ => Ok(buffered(file)),
    }
}

#[cfg(feature = "gz")]
fn gzip(file: File, _name: &Arc<str>) -> Result<Box<dyn BufRead + Send>, InputError> {
    Ok(buffered(flate2::bufread::MultiGzDecoder::new(buffered(file))))
}

#[cfg(not(feature = "gz"))]
fn gzip(_file: File, name: &Arc<str>) -> Result<Box<dyn BufRead + Send>, InputError> {
    Err(not_enabled("gz", name))
}

#[cfg(feature = "zst")]
fn zstandard(file: File, name: &Arc<str>) -> Result<Box<dyn BufRead + Send>, InputError> {
    let decoder = zstd::stream::read::Decoder::with_buffer(buffered(file));
    Ok(buffered(decoder.map_err(|error| io_error(&error, name))?))
}

#[cfg(not(feature = "zst"))]
fn zstandard(_file: File, name: &Arc<str>) -> Result<Box<dyn BufRead + Send>, InputError> {
    Err(not_enabled("zst", name))
}

#[cfg(not(all(feature = "gz", feature = "zst")))]
fn not_enabled(feature: &str, name: &Arc<str>) -> InputError {
    let message =
        format!("compressed, but this program was built without the feature `{feature}` of bleuprint-text");
    InputError::malformed(message).at(Location::file(Arc::clone(name)))
}

fn buffered(reader: impl Read + Send + 'static) -> Box<dyn BufRead + Send> {
    Box::new(BufReader::with_capacity(BUFFER, reader))
}

/// The error of the operating system, with the file.
pub(super) fn io_error(error: &std::io::Error, name: &Arc<str>) -> InputError {
    InputError::new(InputErrorKind::Io(error.to_string())).at(Location::file(Arc::clone(name)))
}

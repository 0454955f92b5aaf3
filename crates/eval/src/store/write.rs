//! [`StatsWriter`]: writes a file of metric statistics, one segment at a time.

use std::io::{self, Write};
use std::path::Path;

use bleuprint_core::{InputError, InputErrorKind, Location, Result};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::checksum::seal;
use super::format::EndLine;
use super::{AtomicFile, Header, StoredStatistics};

/// Writer of a file of metric statistics, one segment at a time. The file appears only after
/// [`StatsWriter::end`].
#[derive(Debug)]
pub(crate) struct StatsWriter {
    out: Output,
    name: String,
    hash: Sha256,
    line: Vec<u8>,
}

enum Output {
    Plain(AtomicFile),
    #[cfg(feature = "zst")]
    Compressed(Box<zstd::stream::write::Encoder<'static, AtomicFile>>),
}

impl core::fmt::Debug for Output {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Output")
    }
}

impl StatsWriter {
    /// Creates a file of statistics and writes its header; a file whose name ends in `.zst` is compressed.
    pub(crate) fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let mut writer =
            StatsWriter { out: Output::create(path)?, name, hash: Sha256::new(), line: Vec::new() };
        writer.write_line(header)?;
        Ok(writer)
    }

    fn end(mut self, end: &EndLine<'_>) -> Result<()> {
        self.line.clear();
        let fails = |error: serde_json::Error| InputError::malformed(error.to_string());
        serde_json::to_writer(&mut self.line, end).map_err(fails)?;
        // The end line has no hash of its own: its checksum covers it up to the checksum.
        seal(&mut self.line, self.hash);
        self.line.push(b'\n');
        self.out.write_all(&self.line).map_err(|error| io_error(&error, &self.name))?;
        let file = self.out.into_file().map_err(|error| io_error(&error, &self.name))?;
        file.commit()
    }

    fn write_line(&mut self, line: &impl Serialize) -> Result<()> {
        self.line.clear();
        let fails = |error: serde_json::Error| InputError::malformed(error.to_string());
        serde_json::to_writer(&mut self.line, line).map_err(fails)?;
        self.line.push(b'\n');
        self.hash.update(&self.line);
        self.out.write_all(&self.line).map_err(|error| io_error(&error, &self.name))
    }
}

impl StoredStatistics {
    /// Writes the statistics to a file, with header, segments, totals and checksum.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let mut writer = StatsWriter::create(path, &self.header)?;
        self.segments.iter().try_for_each(|segment| writer.write_line(segment))?;
        let StoredStatistics { segment_count: segments, references, source, total, .. } = self;
        writer.end(&EndLine { segments: *segments, references: *references, source: *source, total })
    }

    /// Serializes the statistics as the uncompressed bytes of a file. Tasks of a cluster exchange totals in
    /// this form.
    ///
    /// # Errors
    /// Returns an error if a state cannot be serialized.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let fails = |error: serde_json::Error| InputError::malformed(error.to_string());
        let mut bytes = Vec::new();
        let mut end = Vec::new();
        serde_json::to_writer(&mut bytes, &self.header).map_err(fails)?;
        bytes.push(b'\n');
        for segment in &self.segments {
            serde_json::to_writer(&mut bytes, segment).map_err(fails)?;
            bytes.push(b'\n');
        }
        let StoredStatistics { segment_count: segments, references, source, total, .. } = self;
        let last = EndLine { segments: *segments, references: *references, source: *source, total };
        serde_json::to_writer(&mut end, &last).map_err(fails)?;
        seal(&mut end, Sha256::new_with_prefix(&bytes));
        bytes.append(&mut end);
        bytes.push(b'\n');
        Ok(bytes)
    }
}

impl Output {
    fn create(path: &Path) -> Result<Self> {
        let compressed = path.extension().is_some_and(|extension| extension == "zst");
        #[cfg(feature = "zst")]
        if compressed {
            let encoder = zstd::stream::write::Encoder::new(AtomicFile::create(path)?, 0);
            let encoder = encoder.map_err(|error| io_error(&error, &path.display().to_string()))?;
            return Ok(Output::Compressed(Box::new(encoder)));
        }
        #[cfg(not(feature = "zst"))]
        if compressed {
            let message = "to compress, this program needs the feature `zst` of bleuprint-eval".to_owned();
            return Err(InputError::malformed(message).at(Location::file(path.display().to_string())));
        }
        Ok(Output::Plain(AtomicFile::create(path)?))
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Output::Plain(file) => file.write_all(bytes),
            #[cfg(feature = "zst")]
            Output::Compressed(encoder) => encoder.write_all(bytes),
        }
    }

    fn into_file(self) -> io::Result<AtomicFile> {
        match self {
            Output::Plain(file) => Ok(file),
            #[cfg(feature = "zst")]
            Output::Compressed(encoder) => encoder.finish(),
        }
    }
}

pub(super) fn io_error(error: &io::Error, name: &str) -> InputError {
    InputError::from(InputErrorKind::Io(error.to_string())).at(Location::file(name))
}

//! Reads files of statistics, and refuses what is not whole, not ours, or not possible.

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use bleuprint_core::{InputError, InputErrorKind, Location, Result};
use bleuprint_text::read::{Source, open};
use sha2::{Digest, Sha256};

use super::format::{CHECKSUM, RawEndLine, SegmentLine};
use super::write::hexadecimal;
use super::{FORMAT, Header, References, StoredSegment, StoredState, StoredStatistics};
use crate::resample::add_row;

/// What every pointer of Git LFS begins with: the file itself was not fetched.
const LFS: &str = "version https://git-lfs.github.com/spec/";

impl StoredStatistics {
    /// Reads a file, compressed or not; `-` is standard input.
    ///
    /// # Errors
    /// A file that is truncated, was changed, has another format or version, or holds counts that cannot be; with
    /// the file and the line.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let Source { reader, name, .. } = open(path)?;
        Self::from_reader(reader, name)
    }

    /// Reads a file that is already open; `name` is what errors call it.
    ///
    /// # Errors
    /// Those of [`StoredStatistics::read`].
    pub fn from_reader(reader: impl BufRead, name: impl Into<Arc<str>>) -> Result<Self> {
        let mut lines = Lines { reader, name: name.into(), number: 0, line: Vec::new(), hash: Sha256::new() };
        let header = lines.header()?;
        let mut segments = Vec::new();
        loop {
            let Some(line) = lines.next()? else {
                return Err(lines.error("the file was cut short: it has no end line"));
            };
            if !line.starts_with(b"{\"segments\":") {
                if !header.each {
                    return Err(lines.error("a line of a segment in a file that holds a total alone"));
                }
                segments.push(lines.segment(&header)?);
                lines.accept();
                continue;
            }
            let end = lines.end(&header)?;
            if lines.next()?.is_some() {
                return Err(lines.error("there is more after the end line"));
            }
            let (segment_count, references, total) = end;
            let read = StoredStatistics { header, segments, segment_count, references, total };
            read.check().map_err(|message| lines.error(message))?;
            return Ok(read);
        }
    }

    /// Whether the end fits the segments.
    fn check(&self) -> Result<(), String> {
        if !self.header.each {
            return Ok(());
        }
        if self.segments.len() as u64 != self.segment_count {
            let (count, there) = (self.segment_count, self.segments.len());
            return Err(format!("the end line counts {count} segments, but there are {there}"));
        }
        let references =
            self.segments.iter().fold(References::default(), |sum, one| sum.plus(one.references));
        if references != self.references {
            return Err("the fingerprints of the references do not add up to that of the end line".to_owned());
        }
        for (place, (metric, total)) in self.header.metrics.iter().zip(&self.total).enumerate() {
            let Some(total) = total.row() else { continue };
            let mut sum = vec![0; total.len()];
            for segment in &self.segments {
                let row = segment.states.get(place).and_then(StoredState::row).unwrap_or_default();
                add_row(&mut sum, row).map_err(|error| format!("the states of {}: {error}", metric.spec))?;
            }
            if sum != total {
                return Err(format!("the states of {} do not add up to the total", metric.spec));
            }
        }
        Ok(())
    }
}

/// The lines of a file, with their numbers, and the hash of those that were accepted.
struct Lines<R> {
    reader: R,
    name: Arc<str>,
    number: u64,
    line: Vec<u8>,
    hash: Sha256,
}

impl<R: BufRead> Lines<R> {
    /// The next line with its LF; `None` at the end.
    fn next(&mut self) -> Result<Option<&[u8]>> {
        self.line.clear();
        self.number += 1;
        let read = self.reader.read_until(b'\n', &mut self.line);
        let read = read.map_err(|error| self.error(InputErrorKind::Io(error.to_string()).to_string()))?;
        if read > 0 && self.line.last() != Some(&b'\n') {
            return Err(self.error("the file was cut short in this line"));
        }
        Ok((read > 0).then_some(&self.line[..]))
    }

    /// Adds the line to the hash.
    fn accept(&mut self) {
        self.hash.update(&self.line);
    }

    fn error(&self, message: impl Into<String>) -> InputError {
        InputError::malformed(message).at(Location::line(Arc::clone(&self.name), self.number))
    }

    /// What a line holds.
    fn parse<'l, T: serde::Deserialize<'l>>(&'l self) -> Result<T> {
        serde_json::from_slice(&self.line).map_err(|error| self.error(error.to_string()))
    }

    fn header(&mut self) -> Result<Header> {
        if self.next()?.is_none() {
            return Err(self.error("the file is empty"));
        }
        if self.line.starts_with(LFS.as_bytes()) {
            let message = "this is a pointer of Git LFS, not the file: run `git lfs pull`";
            return Err(self.error(message));
        }
        self.require_format()?;
        let header: Header = self.parse()?;
        self.accept();
        Ok(header)
    }

    /// A later version may have other fields, so it is looked at before the rest.
    fn require_format(&self) -> Result<()> {
        #[derive(serde::Deserialize)]
        struct Format {
            format: String,
        }
        let name = FORMAT.split_once('/').map_or(FORMAT, |(name, _)| name);
        let given = match serde_json::from_slice::<Format>(&self.line) {
            Ok(Format { format }) => format,
            Err(_) => return Err(self.error(format!("this is not a file of statistics ({name})"))),
        };
        match given.split_once('/') {
            _ if given == FORMAT => Ok(()),
            Some((known, _)) if known == name => Err(self.error(format!(
                "the format is {given}, but this program reads {FORMAT}: it was written by a newer version"
            ))),
            _ => Err(self.error(format!("the format is `{given}`, not {FORMAT}"))),
        }
    }

    fn segment(&self, header: &Header) -> Result<StoredSegment> {
        let SegmentLine { references, labels, states } = self.parse()?;
        if labels.len() != header.labels.len() {
            let (there, names) = (labels.len(), header.labels.len());
            return Err(self.error(format!("{there} labels, but the header names {names}")));
        }
        Ok(StoredSegment { references, labels, states: self.states(header, &states)? })
    }

    fn end(&self, header: &Header) -> Result<(u64, References, Vec<StoredState>)> {
        let RawEndLine { segments, references, total, sha256 } = self.parse()?;
        let end = format!("{CHECKSUM}{sha256}\"}}");
        let line = self.line.trim_ascii_end();
        let Some(before) = line.strip_suffix(end.as_bytes()) else {
            return Err(self.error("the end line does not end in its `sha256`"));
        };
        if sha256 != hexadecimal(&self.hash.clone().chain_update(before).finalize()) {
            return Err(self.error("the file was changed: its SHA-256 is not that of the end line"));
        }
        Ok((segments, references, self.states(header, &total)?))
    }

    fn states(&self, header: &Header, raw: &[&serde_json::value::RawValue]) -> Result<Vec<StoredState>> {
        if raw.len() != header.metrics.len() {
            let (there, metrics) = (raw.len(), header.metrics.len());
            return Err(self.error(format!("{there} states, but the header names {metrics} metrics")));
        }
        let state = |(metric, raw)| StoredState::parse(metric, raw).map_err(|message| self.error(message));
        header.metrics.iter().zip(raw.iter().copied()).map(state).collect()
    }
}

//! Reads files of statistics, and rejects files that are truncated, changed, inconsistent or of another
//! format.

use std::io::{BufRead, Read as _};
use std::path::Path;
use std::sync::Arc;

use bleuprint_core::{InputError, InputErrorKind, Location, Result, SegmentCounts, Stats as _};
use bleuprint_inference::add_row;
use bleuprint_text::read::{Source, open, require_memory_to_parse};
use sha2::{Digest, Sha256};

use super::checksum::require_sealed;
use super::format::{RawEndLine, SegmentLine, WITHOUT_SOURCES};
use super::{FORMAT, Fingerprint, Header, StoredMetric, StoredSegment, StoredState, StoredStatistics};
use crate::evaluation::SEGMENT;

/// Number of bytes of a line of a statistics file that are read at once.
const PIECE: u64 = 1 << 16;

/// Upper bound on the memory of one parsed JSON value in bytes, for values that are not counts. It allows for
/// a list whose capacity has just doubled.
const PER_VALUE: usize = 3 * size_of::<serde_json::Value>();

/// First bytes of a Git LFS pointer, which replaces the file in a clone without LFS.
const LFS: &str = "version https://git-lfs.github.com/spec/";

impl StoredStatistics {
    /// Reads a file of statistics, compressed or not; `-` is standard input.
    ///
    /// # Errors
    /// Returns an error with the file and the line if the file is truncated, was changed, has another format
    /// or version, or contains impossible counts.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let Source { mut reader, name, .. } = open(path)?;
        Self::read_from(&mut reader, name)
    }

    /// Reads a file of statistics from an open reader; errors name the file as `name`.
    ///
    /// # Errors
    /// Returns the errors of [`StoredStatistics::read`].
    pub fn from_reader(mut reader: impl BufRead, name: impl Into<Arc<str>>) -> Result<Self> {
        Self::read_from(&mut reader, name.into())
    }

    fn read_from(reader: &mut dyn BufRead, name: Arc<str>) -> Result<Self> {
        let begin = reader.fill_buf();
        if begin.is_ok_and(|begin| begin.starts_with(b"ARROW1")) {
            return Self::from_table(reader, name);
        }
        Self::from_lines(reader, name)
    }

    #[cfg(feature = "arrow")]
    fn from_table(reader: &mut dyn BufRead, name: Arc<str>) -> Result<Self> {
        let mut bytes = Vec::new();
        let fails = |message: String| InputError::malformed(message).at(Location::file(Arc::clone(&name)));
        reader.read_to_end(&mut bytes).map_err(|error| fails(error.to_string()))?;
        let lines = super::arrow::lines_of(bytes).map_err(fails)?;
        Self::from_lines(&mut &lines[..], name)
    }

    #[cfg(not(feature = "arrow"))]
    fn from_table(_: &mut dyn BufRead, name: Arc<str>) -> Result<Self> {
        let message =
            "this is a table of Arrow, for which the program must be built with the feature `arrow`";
        Err(InputError::malformed(message).at(Location::file(name)))
    }

    fn from_lines(reader: &mut dyn BufRead, name: Arc<str>) -> Result<Self> {
        let mut lines = StoredLines { reader, name, number: 0, line: Vec::new(), hash: Sha256::new() };
        let header = lines.header()?;
        let mut segments = Vec::new();
        loop {
            let Some(line) = lines.next()? else {
                return Err(lines.error("the file was cut short: it has no end line"));
            };
            // Writers put `segments` first in the end line and `references` first in the others, so the first
            // field tells them apart.
            if !line.starts_with(b"{\"segments\":") {
                if !header.each {
                    return Err(lines.error("a line of a segment in a file that holds a total alone"));
                }
                segments.push(lines.segment(&header)?);
                lines.accept();
                continue;
            }
            let (segment_count, references, source, total) = lines.end(&header)?;
            let read = StoredStatistics { header, segments, segment_count, references, source, total };
            read.check().map_err(|message| lines.error(message))?;
            if lines.next()?.is_some() {
                return Err(lines.error("there is more after the end line"));
            }
            // Older sums are widened after all checks, because the checksum covers the lines as they were
            // written.
            return read.widened().map_err(|error| lines.error(error.to_string()));
        }
    }

    fn check(&self) -> Result<(), String> {
        if !self.header.each {
            return Ok(());
        }
        if self.segments.len() as u64 != self.segment_count {
            let count = self.segment_count;
            let there = self.segments.len();
            return Err(format!("the end line counts {count} segments, but there are {there}"));
        }
        let references = Fingerprint::sum(self.segments.iter().map(|one| Some(one.references)));
        if references.unwrap_or_default() != self.references {
            return Err("the fingerprints of the references do not add up to that of the end line".to_owned());
        }
        if Fingerprint::sum(self.segments.iter().map(|one| one.source)) != self.source {
            return Err("the fingerprints of the sources do not add up to that of the end line".to_owned());
        }
        for (place, (metric, total)) in self.header.metrics.iter().zip(&self.total).enumerate() {
            // Totals of states without rows cannot be checked here: their metric merges them.
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

/// Reader of the lines of a statistics file, with line numbers for errors and the SHA-256 of all lines so
/// far.
struct StoredLines<'r> {
    reader: &'r mut dyn BufRead,
    name: Arc<str>,
    number: u64,
    line: Vec<u8>,
    hash: Sha256,
}

impl StoredLines<'_> {
    /// Reads the next line of the file, including its line feed; returns `None` at the end of the file.
    fn next(&mut self) -> Result<Option<&[u8]>> {
        self.line.clear();
        self.number += 1;
        while self.line.last() != Some(&b'\n') {
            // A very long line grows piece by piece, so that lack of memory becomes an error and not an
            // abort.
            let piece = (&mut *self.reader).take(PIECE).read_until(b'\n', &mut self.line);
            let read =
                piece.map_err(|error| self.error(InputErrorKind::Io(error.to_string()).to_string()))?;
            match read {
                0 if self.line.is_empty() => return Ok(None),
                0 => return Err(self.error("the file was cut short in this line")),
                _ => {}
            }
            if self.line.try_reserve(PIECE as usize).is_err() {
                let message = format!("there is no memory for the line: more than {} bytes", self.line.len());
                return Err(self.error(message));
            }
        }
        require_memory_to_parse(&self.line, PER_VALUE).map_err(|error| error.at(self.place()))?;
        Ok(Some(&self.line[..]))
    }

    fn accept(&mut self) {
        self.hash.update(&self.line);
    }

    fn error(&self, message: impl Into<String>) -> InputError {
        InputError::malformed(message).at(self.place())
    }

    fn place(&self) -> Location {
        Location::line(Arc::clone(&self.name), self.number)
    }

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
        if header.metrics.is_empty() {
            return Err(self.error("the header names no metrics"));
        }
        header.metrics.iter().try_for_each(begins_with_counts).map_err(|message| self.error(message))?;
        let specs: Vec<&str> = header.metrics.iter().map(|metric| metric.spec.as_str()).collect();
        let labels: Vec<&str> = header.labels.iter().map(String::as_str).collect();
        for (what, names) in [("metric", specs), ("label", labels)] {
            if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
                return Err(self.error(format!("the header names the {what} `{}` twice", names[twice])));
            }
        }
        let unknown = |label: &&String| !header.labels.contains(label);
        let unit = header.unit.iter().filter(|unit| *unit != SEGMENT && header.each);
        if let Some(label) = unit.chain(&header.ids).find(unknown) {
            return Err(
                self.error(format!("the header names `{label}` as unit or id, but has no such label"))
            );
        }
        self.accept();
        Ok(header)
    }

    /// Checks the name and version of the file's format before all other fields, because a later version may
    /// have other fields.
    fn require_format(&self) -> Result<()> {
        #[derive(serde::Deserialize)]
        struct StoreFormat {
            format: String,
        }
        let name = FORMAT.split_once('/').map_or(FORMAT, |(name, _)| name);
        let given = match serde_json::from_slice::<StoreFormat>(&self.line) {
            Ok(StoreFormat { format }) => format,
            Err(_) => return Err(self.error(format!("this is not a file of statistics ({name})"))),
        };
        match given.split_once('/') {
            _ if given == FORMAT || given == WITHOUT_SOURCES => Ok(()),
            Some((known, _)) if known == name => Err(self.error(format!(
                "the format is {given}, but this program reads {FORMAT}: it was written by a newer version"
            ))),
            _ => Err(self.error(format!("the format is `{given}`, not {FORMAT}"))),
        }
    }

    fn segment(&self, header: &Header) -> Result<StoredSegment> {
        let SegmentLine { references, source, labels, states } = self.parse()?;
        self.require_no_source(header, source)?;
        if labels.len() != header.labels.len() {
            let there = labels.len();
            let names = header.labels.len();
            return Err(self.error(format!("{there} labels, but the header names {names}")));
        }
        Ok(StoredSegment { references, source, labels, states: self.states(header, &states, 1)? })
    }

    fn require_no_source(&self, header: &Header, source: Option<Fingerprint>) -> Result<()> {
        if source.is_some() && header.format == WITHOUT_SOURCES {
            return Err(self.error(format!("a source in a file of {WITHOUT_SOURCES}, which has none")));
        }
        Ok(())
    }

    fn end(&self, header: &Header) -> Result<(u64, Fingerprint, Option<Fingerprint>, Vec<StoredState>)> {
        let RawEndLine { segments, references, source, total, sha256 } = self.parse()?;
        // The line itself is hashed only up to its checksum, so it is not accepted like the other lines.
        let sealed = require_sealed(self.line.trim_ascii_end(), &sha256, self.hash.clone());
        sealed.map_err(|message| self.error(message))?;
        self.require_no_source(header, source)?;
        Ok((segments, references, source, self.states(header, &total, segments)?))
    }

    /// Parses the metric statistics in a line, and requires that all metrics counted the same numbers of
    /// segments and references.
    fn states(
        &self,
        header: &Header,
        raw: &[&serde_json::value::RawValue],
        segments: u64,
    ) -> Result<Vec<StoredState>> {
        if raw.len() != header.metrics.len() {
            let there = raw.len();
            let metrics = header.metrics.len();
            return Err(self.error(format!("{there} states, but the header names {metrics} metrics")));
        }
        let mut states = Vec::with_capacity(raw.len());
        let mut first: Option<SegmentCounts> = None;
        for (metric, raw) in header.metrics.iter().zip(raw) {
            let read = StoredState::parse(metric, raw).and_then(|state| Ok((counts_of(&state)?, state)));
            let (counts, state) =
                read.map_err(|message| self.error(format!("the state of {}: {message}", metric.spec)))?;
            if counts.segments != segments {
                let message = format!(
                    "the state of {} counts {} segments, the line {segments}",
                    metric.spec, counts.segments
                );
                return Err(self.error(message));
            }
            if *first.get_or_insert(counts) != counts {
                let one = &header.metrics[0].spec;
                return Err(
                    self.error(format!("the states of {one} and {} count other references", metric.spec))
                );
            }
            states.push(state);
        }
        Ok(states)
    }
}

/// Requires that the columns of a stored metric begin with the numbers of segments and references.
fn begins_with_counts(metric: &StoredMetric) -> Result<(), String> {
    let Some(columns) = &metric.columns else { return Ok(()) };
    let counts = SegmentCounts::default().column_names();
    if columns.starts_with(&counts) {
        return Ok(());
    }
    let columns = columns.join(", ");
    let counts = counts.join(", ");
    Err(format!(
        "the columns of {} are {columns}, but those of every metric begin with {counts}",
        metric.spec
    ))
}

/// Returns the numbers of segments and references, which precede the metric's own counts in stored
/// statistics.
pub(super) fn counts_of(state: &StoredState) -> Result<SegmentCounts, String> {
    match state {
        StoredState::Row(row) => {
            let mut counts = SegmentCounts::default();
            let own = row.get(..SegmentCounts::COLUMNS).unwrap_or_default();
            counts.read_row(own).map_err(|error| error.to_string())?;
            Ok(counts)
        }
        StoredState::Other(state) => {
            let counts = state.get("counts").cloned().unwrap_or_default();
            serde_json::from_value(counts).map_err(|error| format!("its counts of segments: {error}"))
        }
    }
}

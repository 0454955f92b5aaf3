//! Reads the hypotheses and references of one segment at a time, from parallel files in lockstep or from a
//! file of records, in constant memory.

use bleuprint::text::read::{
    EmptyReferences, Findings, IdFilter, LeftOut, ReadSegment, SegmentOptions, SegmentReader, TabColumns,
    TextOptions, check_read_once, open_segments,
};
use bleuprint::text::whitespace::strip;
use bleuprint::text::{LineReader, Newlines, ReadSegments};
use bleuprint::{InputError, InputErrorKind, Location};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::io::IsTerminal as _;

use crate::failure::Result;
use crate::keyed::KeyedSearch;
use crate::lengths::unlike_lengths;
use crate::request::sources::{FieldNeeds, Sources, StreamsRequest};
use crate::warn;

/// Input file with one text on each line, or with tab-separated columns of texts.
enum InputStream {
    Lines(LineReader),
    Columns { columns: TabColumns, cells: Vec<String> },
}

impl InputStream {
    fn columns(columns: TabColumns) -> Self {
        InputStream::Columns { columns, cells: Vec::new() }
    }

    /// Reads the next line. Returns `false` at the end of the file.
    fn advance(&mut self) -> Result<bool, InputError> {
        match self {
            InputStream::Lines(lines) => lines.advance(),
            InputStream::Columns { columns, cells } => columns.next(cells),
        }
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        let (line, cells) = match self {
            InputStream::Lines(lines) => (Some(lines.line()), &[][..]),
            InputStream::Columns { cells, .. } => (None, &cells[..]),
        };
        line.into_iter().chain(cells.iter().map(String::as_str))
    }

    /// Adds the texts that `keep` accepts to `texts`, one by one: collecting chained iterators takes several
    /// per cent of the time of short segments.
    fn push_texts<'s>(&'s self, texts: &mut RowTexts<'s>, keep: impl Fn(&str) -> bool) {
        let mut push = |text: &'s str| {
            if keep(text) {
                texts.push(text);
            }
        };
        match self {
            InputStream::Lines(lines) => push(lines.line()),
            InputStream::Columns { cells, .. } => cells.iter().for_each(|cell| push(cell)),
        }
    }

    fn lines(&self) -> &LineReader {
        match self {
            InputStream::Lines(lines) => lines,
            InputStream::Columns { columns, .. } => &columns.lines,
        }
    }

    fn lines_mut(&mut self) -> &mut LineReader {
        match self {
            InputStream::Lines(lines) => lines,
            InputStream::Columns { columns, .. } => &mut columns.lines,
        }
    }
}

fn is_empty(text: &str) -> bool {
    strip(text).is_empty()
}

/// Texts of one segment: hypotheses, references and source.
#[derive(Debug, Default)]
pub struct InputRow<'s> {
    /// Outputs of all systems for the segment.
    pub hypotheses: RowTexts<'s>,
    /// Reference texts of the segment; empty references that are dropped are not included.
    pub references: RowTexts<'s>,
    /// Source text of the segment, if there is one.
    pub source: Option<&'s str>,
}

type RowTexts<'s> = SmallVec<[&'s str; 4]>;

/// Parallel files, in which line k belongs to segment k, read in lockstep.
pub struct Streams {
    hypotheses: Vec<InputStream>,
    references: Vec<InputStream>,
    source: Option<LineReader>,
    names: Vec<String>,
    empty_references: EmptyReferences,
    /// `true` if empty references of the current segment are dropped.
    leaves_out_empty: bool,
    quiet: bool,
    /// Search for ids at the starts of lines; `None` if the user requires that lines are read as plain texts,
    /// and after the search has ended without ids.
    keys: Option<KeyedSearch>,
    read: u64,
}

impl Streams {
    /// Opens the parallel files that the request names.
    ///
    /// # Errors
    /// Returns an error if a file cannot be opened, or if standard input is read twice.
    pub fn open(request: &StreamsRequest) -> Result<Self, InputError> {
        check_read_once(request.files())?;
        let open_as = |file: &String, options: TextOptions| {
            Ok(LineReader::open_text(file, options)?.with_line_ends(request.raw_lines))
        };
        let open = |file: &String| open_as(file, request.text());
        let open_columns = |file: &String| open_as(file, request.text().of_columns());
        let hypotheses = match &request.systems {
            Some(files) => files
                .iter()
                .map(|file| open(file).map(InputStream::Lines))
                .collect::<Result<_, InputError>>()?,
            // Python ends a line of standard input at LF, CR LF or CR; Perl ends it at LF only. The first
            // line determines the number of systems.
            None => {
                expect_outputs(&request.references, request.quiet)?;
                let newlines = if request.raw_lines { Newlines::Lf } else { Newlines::Universal };
                let lines = open_columns(&"-".to_owned())?.with_newlines(newlines);
                vec![InputStream::columns(TabColumns::systems(lines))]
            }
        };
        let references = reference_streams(request, open, open_columns)?;
        let names = |streams: &[InputStream]| -> Vec<String> {
            streams.iter().map(|stream| stream.lines().name().to_string()).collect()
        };
        let keys = (!request.plain).then(|| KeyedSearch::new(names(&hypotheses), names(&references)));
        Ok(Streams {
            hypotheses,
            references,
            keys,
            source: request.source.as_ref().map(open).transpose()?,
            names: request.systems.clone().unwrap_or_default(),
            empty_references: request.empty_references,
            leaves_out_empty: false,
            quiet: request.quiet,
            read: 0,
        })
    }

    /// Reads the next line of every file, which together are the next segment that [`Streams::row`] returns.
    /// Returns `false` at the end. If one file ends earlier than another, returns an error with both lengths.
    pub fn advance(&mut self) -> Result<bool, InputError> {
        let mut ended = false;
        let mut going = false;
        // All streams advance before the check, so that each of them is at its end if one is.
        for stream in self.hypotheses.iter_mut().chain(&mut self.references) {
            let more = stream.advance()?;
            (ended, going) = (ended || !more, going || more);
        }
        if let Some(source) = &mut self.source {
            let more = source.advance()?;
            (ended, going) = (ended || !more, going || more);
        }
        if ended && going {
            return Err(self.mismatch());
        }
        if going {
            self.read += 1;
            if let Some(keys) = &mut self.keys {
                keys.look_at(
                    self.hypotheses.iter().map(InputStream::texts),
                    self.references.iter().map(InputStream::texts),
                );
                if !keys.is_searching() {
                    self.keys = None;
                }
            }
            self.leaves_out_empty = self.check_empty()?;
        } else if self.read == 0 {
            let streams = self.hypotheses.iter().chain(&self.references);
            let names: Vec<_> = streams.filter_map(|stream| stream.lines().location().file).collect();
            return Err(empty_corpus(names.join(" and ")));
        } else {
            self.keys.as_ref().map_or(Ok(()), |keys| keys.check(self.quiet))?;
            if !self.quiet {
                self.warn();
            }
        }
        Ok(going)
    }

    /// Returns `true` if the empty references of the current segment are dropped. Returns an error if the
    /// segment has both empty and nonempty references, unless `--empty-references` allows this.
    fn check_empty(&self) -> Result<bool, InputError> {
        // A single reference has no other reference that could be filled.
        if let [InputStream::Lines(_)] = &self.references[..] {
            return Ok(false);
        }
        let empty = self.references.iter().flat_map(InputStream::texts).map(|text| Some(is_empty(text)));
        self.empty_references.leaves_out(empty).map_err(|column| {
            // One stream has its references in columns; several streams have one reference each.
            let (stream, what) = match &self.references[..] {
                [columns] => (columns, format!("column {}", column + 1)),
                streams => (&streams[column], "the line".to_owned()),
            };
            EmptyReferences::refused(&what).at(stream.lines().location())
        })
    }

    fn lines(&self) -> impl Iterator<Item = &LineReader> {
        self.hypotheses.iter().chain(&self.references).map(InputStream::lines).chain(&self.source)
    }

    fn warn(&self) {
        for lines in self.lines() {
            warn::findings(&lines.location(), lines.findings());
        }
    }

    /// Returns the segment that was read last.
    pub fn row(&self) -> InputRow<'_> {
        let mut hypotheses = RowTexts::new();
        let mut references = RowTexts::new();
        self.hypotheses.iter().for_each(|stream| stream.push_texts(&mut hypotheses, |_| true));
        let is_present = |text: &str| !self.leaves_out_empty || !is_empty(text);
        self.references.iter().for_each(|stream| stream.push_texts(&mut references, is_present));
        InputRow { hypotheses, references, source: self.source.as_ref().map(LineReader::line) }
    }

    pub(crate) fn system_names(&self, count: usize) -> Vec<String> {
        match (self.names.len(), count) {
            (0, 1) => vec!["<stdin>".to_owned()],
            (0, _) => (1..=count).map(|number| format!("System {number}")).collect(),
            _ => self.names.clone(),
        }
    }

    /// Returns the number of the segment that was read last, as a location for errors.
    pub fn location(&self) -> Location {
        Location::segment(self.read)
    }

    /// Returns the number of bytes read so far and the total size of all files, or `None` if a size is
    /// unknown.
    pub(crate) fn position(&self) -> Option<(u64, u64)> {
        self.lines()
            .map(LineReader::position)
            .try_fold((0, 0), |sum, position| position.map(|(read, of)| (sum.0 + read, sum.1 + of)))
    }

    /// Reads all files to their end, and returns an error that names two different numbers of lines.
    fn mismatch(&mut self) -> InputError {
        let mut lengths = Vec::new();
        let streams = self.hypotheses.iter_mut().chain(&mut self.references).map(InputStream::lines_mut);
        for lines in streams.chain(&mut self.source) {
            match lines.count_rest() {
                Ok(length) => lengths.push((lines.name().to_string(), length)),
                Err(error) => return error,
            }
        }
        let (left, left_len) = lengths.first().cloned().unwrap_or_default();
        let other = lengths.into_iter().find(|(_, length)| *length != left_len);
        unlike_lengths((left, left_len), other.unwrap_or_default())
    }
}

fn empty_corpus(files: String) -> InputError {
    InputError::from(InputErrorKind::EmptyCorpus).at(Location::file(files))
}

/// Prints a note if system outputs are read from a terminal, because users often forget the option `-i`.
fn expect_outputs(references: &[String], quiet: bool) -> Result<(), InputError> {
    if std::io::stdin().is_terminal() {
        let [others @ .., last] = references else { return Ok(()) };
        // Several files without `-i` mean that the last one is probably the output.
        if !others.is_empty() {
            let message =
                format!("there are no outputs: -i FILE names them, as in {} -i {last}", others.join(" "));
            return Err(InputError::malformed(message));
        }
        if !quiet {
            warn::note("outputs are read from standard input, one a line; -i FILE names a file of them");
        }
    }
    Ok(())
}

fn reference_streams(
    request: &StreamsRequest,
    open: impl Fn(&String) -> Result<LineReader, InputError>,
    open_columns: impl Fn(&String) -> Result<LineReader, InputError>,
) -> Result<Vec<InputStream>, InputError> {
    let num_refs = request.num_refs;
    match &request.references[..] {
        [file] if num_refs > 1 => {
            Ok(vec![InputStream::columns(TabColumns::references(open_columns(file)?, num_refs))])
        }
        files if num_refs > 1 => {
            let message =
                format!("--num-refs {num_refs} takes one reference file, but {} were given", files.len());
            Err(InputError::malformed(message))
        }
        files => files.iter().map(|file| open(file).map(InputStream::Lines)).collect(),
    }
}

/// Reader of one file, such as JSON Lines, in which each record is a segment.
pub struct RecordFile {
    reader: Box<dyn SegmentReader + Send>,
    file: String,
    needs: FieldNeeds,
    ids: bool,
    /// `true` if at least one segment was read from the file.
    any: bool,
    quiet: bool,
    /// The records that cannot be read, if they are left out.
    bad_lines: Option<BadLines>,
}

impl RecordFile {
    /// Opens a file of records, in which each record is a segment. The file name decides between JSON Lines,
    /// CSV and TSV. `ids` is given if the metrics score token ids.
    pub fn open(file: &str, sources: &Sources, ids: Option<&IdFilter>) -> Result<Self, InputError> {
        let Sources { streams, reader, .. } = sources;
        let empty_references = streams.empty_references;
        let options = SegmentOptions {
            ids: ids.cloned().unwrap_or_default(),
            empty_references,
            needs_references: sources.needs.references.is_some(),
            labels: sources.needs.labels,
            columns: sources.columns.clone(),
        };
        let opened = reader.as_ref().map(|reader| reader.open(file, streams, true)).transpose()?;
        let reader = match opened {
            None => open_segments(file, &options)?,
            Some(ReadSegments::Texts(reader)) => reader,
            Some(ReadSegments::Records(_)) => {
                let message = "the file has data for one metric, and not texts";
                return Err(InputError::malformed(message).at(Location::file(file)));
            }
        };
        Ok(RecordFile {
            reader,
            file: file.to_owned(),
            needs: sources.needs.clone(),
            ids: ids.is_some(),
            any: false,
            quiet: sources.streams.quiet,
            bad_lines: sources.skips_bad_lines.then(BadLines::default),
        })
    }

    /// Reads the next segment into `segment`. Returns `false` at the end of the file, and an error if the
    /// segment lacks a required field. Records that cannot be read are left out if the user asks for it.
    pub(crate) fn next(&mut self, segment: &mut ReadSegment) -> Result<bool, InputError> {
        let more = loop {
            let mut recovers = true;
            let read = self.reader.next(segment);
            let read = match read {
                Ok(true) => self.settle(segment).map(|()| true),
                Ok(false) => Ok(false),
                Err(error) => {
                    recovers = self.reader.recovers();
                    Err(error)
                }
            };
            match (read, &mut self.bad_lines) {
                (Err(error), Some(bad)) if recovers => bad.add(&error),
                (read, _) => break read?,
            }
        };
        if let Some(bad) = self.bad_lines.as_mut().filter(|_| more) {
            bad.good += 1;
        }
        if more {
            self.any = true;
        } else if !self.any {
            let first = self.bad_lines.as_mut().and_then(|bad| bad.first.take());
            return Err(first.unwrap_or_else(|| empty_corpus(self.file.clone())));
        } else if !self.quiet {
            warn::findings(&self.location(), &self.findings());
        }
        Ok(more)
    }

    /// Gives the references of the segment their meaning, and checks that the segment has the required parts.
    fn settle(&self, segment: &mut ReadSegment) -> Result<(), InputError> {
        // The reader of JSON Lines gives an empty list as one missing reference.
        if self.needs.no_reference_is_empty && segment.references == [None] {
            segment.references = vec![Some(String::new())];
        }
        self.check(segment).map_err(|error| error.at(self.location()))
    }

    fn findings(&self) -> Findings {
        let mut findings = self.reader.findings();
        findings.left_out.extend(self.bad_lines.as_ref().and_then(BadLines::left_out));
        findings
    }

    fn check(&self, segment: &ReadSegment) -> Result<(), InputError> {
        let (has_hypothesis, has_references) = if self.ids {
            (segment.hypothesis_ids.is_some(), segment.reference_ids.iter().any(Option::is_some))
        } else {
            (segment.hypothesis.is_some(), segment.present_references().next().is_some())
        };
        if !has_hypothesis {
            // Text instead of ids, or ids instead of text, is reported when the hypothesis is used.
            return Ok(());
        }
        match &self.needs {
            FieldNeeds { references: Some(_), .. } if !has_references => {
                Err(InputErrorKind::NoReferences.into())
            }
            FieldNeeds { source: Some(metric), .. } if segment.source.is_none() => Err(
                InputError::malformed(format!("{metric} needs the source, but the segment has no `source`")),
            ),
            _ => Ok(()),
        }
    }

    pub(crate) fn location(&self) -> Location {
        self.reader.location()
    }

    /// Returns the line of the segment that was read last, if the file has lines.
    pub(crate) fn line(&self) -> Option<u64> {
        self.reader.line()
    }

    pub(crate) fn position(&self) -> Option<(u64, u64)> {
        self.reader.position()
    }

    /// Returns the parts of the data that the reader left out or added, with their numbers.
    pub(crate) fn left_out(&self) -> Vec<LeftOut> {
        self.findings().left_out
    }

    pub(crate) fn located(&self, error: InputError) -> InputError {
        let file = self.reader.location().file.unwrap_or_else(|| self.file.as_str().into());
        error.at(Location::file(file))
    }
}

/// Records that cannot be read and are left out because the user asks for it.
#[derive(Debug, Default)]
pub(crate) struct BadLines {
    /// Number of records that can be read.
    pub(crate) good: u64,
    bad: u64,
    /// Error of the first record that cannot be read.
    first: Option<InputError>,
}

impl BadLines {
    /// Counts a record that cannot be read.
    pub(crate) fn add(&mut self, error: &InputError) {
        self.bad += 1;
        self.first.get_or_insert_with(|| error.clone());
    }

    /// Returns the number of the records that are left out, with the error of the first one.
    pub(crate) fn left_out(&self) -> Option<LeftOut> {
        let first = self.first.as_ref()?;
        let what = format!("records cannot be read and are left out, the first because: {first}");
        Some(LeftOut { count: self.bad, of: self.good + self.bad, what })
    }
}

/// Returns a segment's hypothesis, and its references without those that are missing. Token ids are returned
/// as text.
pub(crate) fn record_texts(
    segment: &ReadSegment,
    ids: bool,
) -> Result<(Cow<'_, str>, RecordTexts<'_>), InputError> {
    if ids {
        let print = |ids: &Vec<u32>| Cow::Owned(ids.iter().map(u32::to_string).collect::<Vec<_>>().join(" "));
        let hypothesis = segment.hypothesis_ids.as_ref();
        let hypothesis =
            hypothesis.ok_or_else(|| InputError::malformed("the segment has no `hypothesis_ids`"))?;
        return Ok((print(hypothesis), segment.reference_ids.iter().flatten().map(print).collect()));
    }
    let missing = || InputError::malformed("the segment has ids but no text; score ids with --tokenize ids");
    let hypothesis = segment.hypothesis.as_deref().ok_or_else(missing)?;
    Ok((hypothesis.into(), segment.present_references().map(Cow::Borrowed).collect()))
}

type RecordTexts<'s> = SmallVec<[Cow<'s, str>; 4]>;

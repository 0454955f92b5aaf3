//! Defines the command line's readers of sclite's input files: STM with CTM, or TRN. They return texts, or
//! words with confidences.

use std::collections::HashSet;

use bleuprint_core::{Form as _, InputError, Location, Result};
use bleuprint_text::read::{FieldReader, Findings, LeftOut, ReadSegment, SegmentReader, SystemFiles};
use bleuprint_text::{ReadSegments, ReaderEntry, ReaderFiles, ReaderOption, SegmentKind};

use crate::transcripts::{Braces, TranscriptRules};
use crate::{Heard, Transcript, keyed, transcripts};

/// Options of the readers of transcripts.
const OPTIONS: &[ReaderOption] = &[ReaderOption {
    name: "missing",
    value: Some("MODE"),
    choices: &["error", "empty"],
    has_sources: false,
    help: "An utterance or recording that one side lacks, or a file without words: error [default], or empty, one without \
           words there",
}];

pub(crate) static READERS: &[ReaderEntry] = &[
    ReaderEntry {
        name: "transcripts",
        help: "REF is STM and SYS are CTM, or all are TRN, read and split as in sclite; for sclite, wer and other metrics of text",
        of: "transcripts",
        metrics: "sclite or wer",
        gives: SegmentKind::Texts,
        value: None,
        has_outputs: false,
        options: OPTIONS,
        open: |files| {
            let SystemRows { rows, left_out } = rows(files, braces(files)?)?;
            let rows = rows.into_iter();
            Ok(ReadSegments::Texts(Box::new(TranscriptTexts { rows, at: Location::default(), left_out })))
        },
    },
    ReaderEntry {
        name: "heard",
        help: "Like --transcripts, with the confidences of the words in CTM; for nce",
        of: "words with confidences",
        metrics: "nce",
        gives: SegmentKind::Form(Heard::NAME),
        value: None,
        has_outputs: false,
        options: OPTIONS,
        open: |files| {
            let record = |(system, one): (String, Transcript)| {
                let mut record = one.record(true);
                record.insert("system".to_owned(), system.as_str().into());
                (Location::file(system), record)
            };
            let SystemRows { rows, left_out } = rows(files, Braces::Alternatives)?;
            let rows = rows.into_iter().map(record).collect();
            Ok(ReadSegments::Records(FieldReader::of_rows(rows).with_left_out(left_out)))
        },
    },
    keyed::READER,
];

/// Returns the meaning of braces in the files: alternatives if all metrics are `sclite`, words with
/// `--references plain`, otherwise an error.
///
/// # Errors
/// Returns an error if `--references plain` is combined with the metric `sclite`, which reads alternatives.
fn braces<'f>(files: &ReaderFiles<'f>) -> Result<Braces<'f>> {
    let reads_alternatives = |metric: &&String| *metric == "sclite";
    let plain = files.option("references") == Some("plain");
    match (
        files.metrics.iter().find(reads_alternatives),
        files.metrics.iter().find(|metric| !reads_alternatives(metric)),
    ) {
        (Some(metric), _) if plain => Err(InputError::malformed(format!(
            "{metric} reads braces as alternatives, so --references plain cannot be combined with it"
        ))),
        _ if plain => Ok(Braces::Plain),
        (_, Some(metric)) => Ok(Braces::Refused(metric)),
        (_, None) => Ok(Braces::Alternatives),
    }
}

/// Segments of all systems, each with the name of its system.
struct SystemRows {
    rows: Vec<(String, Transcript)>,
    left_out: Vec<LeftOut>,
}

/// Reads the segments of all systems.
fn rows(files: &ReaderFiles<'_>, braces: Braces<'_>) -> Result<SystemRows> {
    let mut rows = Vec::new();
    let mut left_out = Vec::new();
    let rules = TranscriptRules { braces, empty: files.option("missing") == Some("empty") };
    for system in files.systems {
        let read = transcripts::read(files.reference, system, rules)?;
        let name = SystemFiles::parse(system).name;
        left_out.extend(read.left_out);
        let all = read.segments;
        // The segments are those of the reference, so a repeated one is a fault of that file.
        let mut seen = HashSet::new();
        if let Some(twice) = all.iter().find(|one| !seen.insert(one.id.as_str())) {
            let message = format!("the segment `{}` occurs twice", twice.id);
            return Err(InputError::malformed(message).at(Location::file(files.reference)));
        }
        rows.extend(all.into_iter().map(|one| (name.clone(), one)));
    }
    Ok(SystemRows { rows, left_out })
}

struct TranscriptTexts {
    rows: std::vec::IntoIter<(String, Transcript)>,
    at: Location,
    left_out: Vec<LeftOut>,
}

impl SegmentReader for TranscriptTexts {
    fn next(&mut self, segment: &mut ReadSegment) -> Result<bool> {
        let Some((system, one)) = self.rows.next() else { return Ok(false) };
        self.at = Location::file(&*system);
        *segment = ReadSegment {
            hypothesis: Some(one.text()),
            references: vec![Some(one.reference)],
            id: Some(one.id),
            system: Some(system),
            document: one.file.map(|[file, _]| file),
            speaker: Some(one.speaker).filter(|name| !name.is_empty()),
            ..ReadSegment::default()
        };
        Ok(true)
    }

    fn location(&self) -> Location {
        self.at.clone()
    }

    fn findings(&self) -> Findings {
        Findings { left_out: self.left_out.clone(), ..Findings::default() }
    }
}

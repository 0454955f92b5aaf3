//! Defines the command line's readers of sclite's input files: STM with CTM, or TRN. They return texts, or
//! words with confidences.

use std::collections::HashSet;

use bleuprint_core::{Form as _, InputError, Location, Result};
use bleuprint_text::read::{FieldReader, ReadSegment, SegmentReader};
use bleuprint_text::{ReadSegments, ReaderEntry, ReaderFiles, SegmentKind};

use crate::transcripts::Braces;
use crate::{Heard, Transcript, keyed, transcripts};

pub(crate) static READERS: &[ReaderEntry] = &[
    ReaderEntry {
        name: "transcripts",
        help: "REF is STM and SYS are CTM, or all are TRN, read and split as in sclite; for sclite, wer and other metrics of text",
        of: "transcripts",
        metrics: "sclite or wer",
        gives: SegmentKind::Texts,
        value: None,
        options: &[],
        open: |files| {
            Ok(ReadSegments::Texts(Box::new(TranscriptTexts {
                rows: rows(files, braces(files)?)?.into_iter(),
                at: Location::default(),
            })))
        },
    },
    ReaderEntry {
        name: "heard",
        help: "Like --transcripts, with the confidences of the words in CTM; for nce",
        of: "words with confidences",
        metrics: "nce",
        gives: SegmentKind::Form(Heard::NAME),
        value: None,
        options: &[],
        open: |files| {
            let record = |(system, one): (String, Transcript)| {
                let mut record = one.record(true);
                record.insert("system".to_owned(), system.as_str().into());
                (Location::file(system), record)
            };
            Ok(ReadSegments::Records(FieldReader::of_rows(
                rows(files, Braces::Alternatives)?.into_iter().map(record).collect(),
            )))
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

/// Reads the segments of all systems, each paired with the system's name.
fn rows(files: &ReaderFiles<'_>, braces: Braces<'_>) -> Result<Vec<(String, Transcript)>> {
    let mut rows = Vec::new();
    for system in files.systems {
        let all = transcripts::read(files.reference, system, braces)?;
        // The segments are those of the reference, so a repeated one is a fault of that file.
        let mut seen = HashSet::new();
        if let Some(twice) = all.iter().find(|one| !seen.insert(one.id.as_str())) {
            let message = format!("the segment `{}` occurs twice", twice.id);
            return Err(InputError::malformed(message).at(Location::file(files.reference)));
        }
        rows.extend(all.into_iter().map(|one| (system.clone(), one)));
    }
    Ok(rows)
}

struct TranscriptTexts {
    rows: std::vec::IntoIter<(String, Transcript)>,
    at: Location,
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
            ..ReadSegment::default()
        };
        Ok(true)
    }

    fn location(&self) -> Location {
        self.at.clone()
    }
}

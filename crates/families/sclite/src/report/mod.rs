//! Aligns transcripts and writes them as sclite's reports, or as segments for other commands.

mod detail;
mod outputs;
mod sums;

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write;

use bleuprint_core::{InputError, Location, Observe as _, Segment};
use bleuprint_text::ProgramServices;
use serde_json::Value;

use crate::{AlignedStep, Optional, Sclite, ScliteCounts, ScliteSettings, Transcript, aligned};

/// Result of the functions that write a report.
pub(crate) type ReportResult<T = ()> = Result<T, Box<dyn Error>>;

/// A report of transcripts: its form, and everything that the form prints besides the transcripts.
pub(crate) struct ScliteReport<'r> {
    pub(crate) reference: &'r str,
    /// Path of the hypothesis file. For an `.sgml` file, which has both texts, it is the path of the
    /// reference file.
    pub(crate) hypothesis: &'r str,
    pub(crate) settings: ScliteSettings,
    /// Name of the form: a report of sclite, `trn`, `segments` or `heard`.
    pub(crate) form: &'r str,
    pub(crate) program: &'r dyn ProgramServices,
}

struct ScoredTranscripts {
    transcript: Transcript,
    /// Word alignment of the segment; empty for reports that need only counts.
    steps: Vec<AlignedStep>,
    /// Numbers of correct, substituted, deleted and inserted words, then 1 if the segment has errors, else 0.
    /// The option `--optional` decides how skipped optional words count.
    counts: [u64; 5],
    /// Name of the segment, as sclite prints it in reports.
    id: String,
    /// Index of the segment in the reference file, from 0.
    sequence: usize,
}

struct ReportedSpeaker {
    name: String,
    segments: Vec<ScoredTranscripts>,
}

impl ScliteReport<'_> {
    /// Writes the segments in the requested report format. Aligns them first, unless `steps` has their
    /// alignments.
    pub(crate) fn write(
        &self,
        all: Vec<Transcript>,
        steps: Option<Vec<Vec<AlignedStep>>>,
        out: &mut dyn Write,
    ) -> ReportResult {
        if let "segments" | "heard" = self.form {
            for one in &all {
                writeln!(out, "{}", Value::Object(one.record(self.form == "heard")))?;
            }
            return Ok(());
        }
        let speakers = self.scored(all, steps)?;
        match self.form {
            "sum" => sums::write(&speakers, self, true, out),
            "rsum" => sums::write(&speakers, self, false, out),
            "dtl" => detail::write(&speakers, self, out),
            "pra" => outputs::pra(&speakers, self, out),
            "sgml" => outputs::sgml(&speakers, self, out),
            _ => outputs::trn(&speakers, out),
        }
    }

    /// Aligns the segments and counts their errors; if `steps` has the alignments, only counts. Returns the
    /// segments grouped by speaker, in order of first appearance.
    fn scored(
        &self,
        all: Vec<Transcript>,
        steps: Option<Vec<Vec<AlignedStep>>>,
    ) -> Result<Vec<ReportedSpeaker>, InputError> {
        let given = steps.is_some();
        let mut steps = steps.unwrap_or_default().into_iter();
        let metric = Sclite::new(self.settings);
        let mut scratch = Default::default();
        let mut speakers: Vec<ReportedSpeaker> = Vec::new();
        let mut places = HashMap::<String, usize>::new();
        for (sequence, transcript) in all.into_iter().enumerate() {
            let text = transcript.text();
            let at = |error: InputError| self.at(&transcript, &error);
            let (steps, counts) = match self.form {
                // Counting without the steps needs less memory, and these reports print counts alone.
                "sum" | "rsum" if !given => {
                    let mut counts = ScliteCounts::default();
                    let references = [&*transcript.reference];
                    let segment = Segment::new(&*text, &references);
                    metric.observe(&mut scratch, &mut counts, segment).map_err(at)?;
                    (Vec::new(), counts)
                }
                _ => {
                    let steps = match steps.next() {
                        Some(steps) => steps,
                        None => aligned(&text, &transcript.reference, self.settings).map_err(at)?,
                    };
                    let counts = ScliteCounts::from_steps(steps.iter().map(|step| step.kind));
                    (steps, counts)
                }
            };
            let name = self.cased(&transcript.speaker);
            let place = *places.entry(name).or_insert_with_key(|name| {
                speakers.push(ReportedSpeaker { name: name.clone(), segments: Vec::new() });
                speakers.len() - 1
            });
            let ReportedSpeaker { name, segments } = &mut speakers[place];
            // STM has no ids, so sclite numbers the segments of each speaker from 000.
            let id = if transcript.file.is_some() && !given {
                format!("{name}-{:03}", segments.len())
            } else {
                self.cased(&transcript.id)
            };
            segments.push(ScoredTranscripts {
                counts: self.counts(&counts),
                transcript,
                steps,
                id,
                sequence,
            });
        }
        Ok(speakers)
    }

    /// Adds the segment's id and the name of the reference file to an error.
    fn at(&self, one: &Transcript, error: &InputError) -> InputError {
        let message = format!("`{}`: {}", one.id, error.kind());
        InputError::malformed(message).at(Location::file(self.reference))
    }

    /// Returns a name as sclite prints it: in lower case, unless the option `--case` is given.
    fn cased(&self, name: &str) -> String {
        if self.settings.case { name.to_owned() } else { name.to_ascii_lowercase() }
    }

    /// Returns the audio file and the channel of a segment, as sclite prints them; `None` if the format has
    /// none.
    fn place(&self, one: &Transcript) -> Option<[String; 2]> {
        one.file.as_ref().map(|names| names.each_ref().map(|name| self.cased(name)))
    }

    fn counts(&self, counts: &ScliteCounts) -> [u64; 5] {
        // sclite counts an optional word that is left out as correct, the rule `free` nowhere.
        let skipped = if self.settings.optional == Optional::Sclite { counts.skipped } else { 0 };
        [counts.correct + skipped, counts.substitutions, counts.deletions, counts.insertions, counts.wrong]
    }

    /// Rounds a number to one decimal, halves up as in the tables of sclite, and returns it with 0 or 1
    /// `decimals`.
    fn rounded(&self, number: f64, decimals: usize) -> String {
        self.program.fixed((number * 10.0).round() / 10.0, decimals)
    }
}

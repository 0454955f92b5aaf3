//! Implements `bleuprint transcripts`: reads STM with CTM files, or TRN files, and aligns and reports them
//! like sclite, or writes them as segments for other commands. It also recounts the alignments in an existing
//! `.sgml` file.

mod detail;
mod outputs;
mod sums;

use bleuprint::contract::Choice as _;
use bleuprint::families::sclite::{
    AlignedStep, Optional, Sclite, ScliteCounts, ScliteSettings, Transcript, aligned, read_sgml, transcripts,
};
use bleuprint::{InputError, Location, Observe as _, contract::Segment};
use serde_json::Value;

use std::collections::HashMap;

use crate::shared::command::*;
use crate::shared::tokens;

const FORMS: [&str; 8] = ["sum", "rsum", "dtl", "pra", "sgml", "trn", "segments", "heard"];

pub(crate) struct Transcripts {
    reference: String,
    /// Path of the hypothesis file. For an `.sgml` file, which has both texts, it is the path of the
    /// reference file.
    hypothesis: String,
    /// `true` if words that one side lacks are silence there.
    empty: bool,
    settings: ScliteSettings,
    normalizer: Option<String>,
    form: String,
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

struct Speaker {
    name: String,
    segments: Vec<ScoredTranscripts>,
}

impl Subcommand for Transcripts {
    const NAME: &'static str = "transcripts";
    const SHORT_HELP: &'static [&'static str] = &["input", "optional", "fragments", "form"];
    const EXAMPLES: &'static str = "  bleuprint transcripts ref.stm -i hyp.ctm --optional sclite --fragments\n  \
         bleuprint transcripts ref.stm -i hyp.ctm --form segments";

    fn define(command: Command, _: &Families) -> Command {
        command
            .about("Write the reports of sclite for STM and CTM, or TRN, with alternatives, or convert them to segments")
            .arg(Arg::new("reference").value_name("REF").required(true).help("The reference, .stm or .trn; or alignments, .sgml"))
            .arg(option("input", "HYP").short('i').help("The words of the system, .ctm or .trn"))
            .args(settings_options())
            .arg(option("missing", "MODE").value_parser(["error", "empty"]).hide_possible_values(true).help(
                "An utterance or recording that one side lacks, or a file without words: error [default], or empty, one without words there",
            ))
            .arg(tokens::norm().help(
                "Normalizers for both sides, joined by +, such as csrfilt=FILE with the rules of a GLM file; each word of CTM is rewritten separately",
            ))
            .arg(option("form", "FORM").value_parser(FORMS).default_value("sum").help(
                "A report of sclite (sum, rsum, dtl, pra, sgml), the words of each segment as TRN (trn), or records of texts (segments) or of words with confidences (heard)",
            ))
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        let reference = matches.text("reference").unwrap_or_default();
        let hypothesis = match (matches.text("input"), reference.ends_with(".sgml")) {
            (Some(hypothesis), false) => hypothesis,
            (None, true) => reference.clone(),
            (None, false) => fail!("the words of the system are missing: give -i HYP"),
            (Some(_), true) => fail!("an .sgml has both sides: leave out -i"),
        };
        let settings = settings(matches)?;
        let normalizer = matches.text("norm");
        if reference.ends_with(".sgml") && (settings != ScliteSettings::default() || normalizer.is_some()) {
            fail!("an .sgml is already aligned: leave out --optional, --fragments, --case and --norm");
        }
        let form = matches.text("form").unwrap_or_default();
        let empty = matches.text("missing").as_deref() == Some("empty");
        Ok(Transcripts { reference, hypothesis, empty, settings, normalizer, form })
    }

    fn run(mut self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let (mut all, steps) = if self.reference.ends_with(".sgml") {
            let (settings, all) = read_sgml(&self.reference)?;
            // The file says how it was aligned; the reports print these choices.
            self.settings = settings;
            let (all, steps): (Vec<_>, Vec<_>) = all.into_iter().unzip();
            (all, Some(steps))
        } else {
            (transcripts(&self.reference, &self.hypothesis, self.empty)?, None)
        };
        if let Some(name) = &self.normalizer {
            // Rules apply to both sides before the alignment, as csrfilt does before sclite.
            let chain = program.tokenizers.normalizers.build(name)?;
            all = all.into_iter().map(|one| one.rewritten(|text| chain.apply(text))).collect();
        }
        self.write(all, steps, out)
    }
}

/// Returns the command-line options that control the alignment of references with alternatives.
pub(crate) fn settings_options() -> [Arg; 3] {
    [
        option("optional", "RULE")
            .value_parser(clap::builder::PossibleValuesParser::new(Optional::NAMES))
            .default_value("word")
            .help("How a word in parentheses counts: like any other word (word), or as an optional word that is ignored if left out (free) or counts as correct (sclite, its -D)"),
        flag("fragments").help("Match fragments such as go- with words that begin or end with them (-F of sclite)"),
        flag("case").help("Compare letters with their case (-s of sclite)"),
    ]
}

pub(crate) fn settings(matches: &ArgMatches) -> Result<ScliteSettings> {
    let optional = matches.text("optional").unwrap_or_default();
    Ok(ScliteSettings {
        optional: Optional::by_name("meaning of a word in parentheses", &optional)?,
        fragments: matches.get_flag("fragments"),
        case: matches.get_flag("case"),
        ..ScliteSettings::default()
    })
}

impl Transcripts {
    /// Creates the report command for segments that another command has read. `names` are the file names of
    /// reference and hypothesis.
    pub(crate) fn new(names: [&str; 2], settings: ScliteSettings, form: &str) -> Self {
        let [reference, hypothesis] = names.map(str::to_owned);
        Transcripts { reference, hypothesis, empty: false, settings, normalizer: None, form: form.to_owned() }
    }

    /// Writes the segments in the requested report format. Aligns them first, unless `steps` has their
    /// alignments.
    pub(crate) fn write(
        &self,
        all: Vec<Transcript>,
        steps: Option<Vec<Vec<AlignedStep>>>,
        out: &mut Out,
    ) -> Result<()> {
        if let "segments" | "heard" = &*self.form {
            return all.iter().try_for_each(|one| {
                Ok(writeln!(out, "{}", Value::Object(one.record(self.form == "heard")))?)
            });
        }
        let speakers = self.scored(all, steps)?;
        match &*self.form {
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
    fn scored(&self, all: Vec<Transcript>, steps: Option<Vec<Vec<AlignedStep>>>) -> Result<Vec<Speaker>> {
        let given = steps.is_some();
        let mut steps = steps.unwrap_or_default().into_iter();
        let metric = Sclite::new(self.settings);
        let mut scratch = Default::default();
        let mut speakers: Vec<Speaker> = Vec::new();
        let mut places = HashMap::<String, usize>::new();
        for (sequence, transcript) in all.into_iter().enumerate() {
            let text = transcript.text();
            let at = |error: InputError| self.at(&transcript, &error);
            let (steps, counts) = match &*self.form {
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
                speakers.push(Speaker { name: name.clone(), segments: Vec::new() });
                speakers.len() - 1
            });
            let Speaker { name, segments } = &mut speakers[place];
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
        InputError::malformed(message).at(Location::file(&*self.reference))
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
}

//! `bleuprint transcripts`: STM with CTM, or TRN, as sclite reads, cuts, aligns and reports them, or as segments for every command.

mod detail;
mod outputs;

use bleuprint::contract::Choice as _;
use bleuprint::families::sclite::{
    Aligned, Kind, Optional, Settings, Timed, Transcript, aligned, transcripts,
};
use bleuprint::{InputError, Location};
use serde_json::{Value, json};

use crate::shared::command::*;

const FORMS: [&str; 8] = ["sum", "rsum", "dtl", "pra", "sgml", "trn", "segments", "heard"];

pub(crate) struct Transcripts {
    reference: String,
    hypothesis: String,
    settings: Settings,
    form: String,
}

/// A segment with its alignment.
struct Scored {
    transcript: Transcript,
    steps: Vec<Aligned>,
    /// As sclite names it in reports.
    id: String,
}

/// The segments of a speaker.
struct Speaker {
    name: String,
    segments: Vec<Scored>,
}

impl Subcommand for Transcripts {
    const NAME: &'static str = "transcripts";
    const SHORT_HELP: &'static [&'static str] = &["input", "optional", "fragments", "form"];
    const EXAMPLES: &'static str = "  bleuprint transcripts ref.stm -i hyp.ctm --optional sclite --fragments\n  \
         bleuprint transcripts ref.stm -i hyp.ctm --form segments";

    fn define(command: Command, _: &Families) -> Command {
        command
            .about("The reports of sclite for STM and CTM, or TRN, with alternatives, and the same as segments")
            .arg(Arg::new("reference").value_name("REF").required(true).help("The reference: .stm, or .trn"))
            .arg(option("input", "HYP").short('i').required(true).help("The words of the system: .ctm, or .trn"))
            .arg(
                option("optional", "RULE")
                    .value_parser(clap::builder::PossibleValuesParser::new(Optional::NAMES))
                    .default_value("word")
                    .help("A word in parentheses: a word like others, one that may be left out and then counts nowhere (free) or as correct (sclite, its -D)"),
            )
            .arg(flag("fragments").help("Fragments such as go- match the words that they begin or end (-F of sclite)"))
            .arg(flag("case").help("Letters keep their case (-s of sclite)"))
            .arg(option("form", "FORM").value_parser(FORMS).default_value("sum").help(
                "A report of sclite; the words cut as TRN; or records: texts (segments), or words with their confidences (heard)",
            ))
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        let optional = matches.text("optional").unwrap_or_default();
        Ok(Transcripts {
            reference: matches.text("reference").unwrap_or_default(),
            hypothesis: matches.text("input").unwrap_or_default(),
            settings: Settings {
                optional: Optional::by_name("meaning of a word in parentheses", &optional)?,
                fragments: matches.get_flag("fragments"),
                case: matches.get_flag("case"),
            },
            form: matches.text("form").unwrap_or_default(),
        })
    }

    fn run(self, _: &Context<'_>, out: &mut Out) -> Result<()> {
        let all = transcripts(&self.reference, &self.hypothesis)?;
        if let "segments" | "heard" = &*self.form {
            return all
                .iter()
                .try_for_each(|one| Ok(writeln!(out, "{}", record(one, self.form == "heard"))?));
        }
        let speakers = self.scored(all)?;
        match &*self.form {
            "sum" => outputs::sum(&speakers, &self, true, out),
            "rsum" => outputs::sum(&speakers, &self, false, out),
            "dtl" => detail::write(&speakers, &self, out),
            "pra" => outputs::pra(&speakers, &self, out),
            "sgml" => outputs::sgml(&speakers, &self, out),
            _ => outputs::trn(&speakers, out),
        }
    }
}

impl Transcripts {
    /// The alignments by speaker, in order of first appearance.
    fn scored(&self, all: Vec<Transcript>) -> Result<Vec<Speaker>> {
        let mut speakers: Vec<Speaker> = Vec::new();
        for (number, transcript) in all.into_iter().enumerate() {
            let steps =
                aligned(&transcript.text(), &transcript.reference, self.settings).map_err(|error| {
                    let place = InputError::malformed(format!("`{}`: {error}", transcript.id));
                    place.at(Location::file(&*self.reference))
                })?;
            let id = match transcript.file {
                Some(_) => format!("{}-{number:03}", transcript.speaker),
                None => transcript.id.clone(),
            };
            let place = speakers.iter().position(|one| one.name == transcript.speaker).unwrap_or_else(|| {
                speakers.push(Speaker { name: transcript.speaker.clone(), segments: Vec::new() });
                speakers.len() - 1
            });
            speakers[place].segments.push(Scored { transcript, steps, id });
        }
        Ok(speakers)
    }

    /// C, S, D, I, and 1 for a segment with errors; optional words that are left out as the rule counts them.
    fn counts(&self, scored: &Scored) -> [u64; 5] {
        let mut counts = [0; 5];
        for step in &scored.steps {
            match step.kind {
                Kind::Correct => counts[0] += 1,
                Kind::Skipped => counts[0] += u64::from(self.settings.optional == Optional::Sclite),
                Kind::Substitution => counts[1] += 1,
                Kind::Deletion => counts[2] += 1,
                Kind::Insertion => counts[3] += 1,
            }
        }
        counts[4] = u64::from(counts[1] + counts[2] + counts[3] > 0);
        counts
    }
}

fn record(one: &Transcript, heard: bool) -> Value {
    let word = |timed: &Timed| json!([timed.word, timed.confidence]);
    let hypothesis = match heard {
        true => one.hypothesis.iter().map(word).collect(),
        false => json!(one.text()),
    };
    json!({ "id": one.id, "speaker": one.speaker, "hypothesis": hypothesis, "reference": one.reference })
}

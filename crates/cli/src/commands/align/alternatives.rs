//! Implements `align` for references with alternatives, such as `{ wanna / want to }`, and for sclite's
//! report formats.

use bleuprint::contract::Choice as _;
use bleuprint::families::sclite::{Optional, ScliteSettings, StepKind, Transcript, aligned};
use bleuprint::metrics::edit::{Alignment, AlignmentRule, EditOperation};
use bleuprint::{InputError, Signature};

use clap::parser::ValueSource;

use super::Path;
use crate::commands::transcripts::{Transcripts, settings, settings_options};
use crate::shared::command::*;

/// Names of sclite's report formats that the command `align` can write.
pub(super) const FORMS: [&str; 5] = ["pra", "sgml", "sum", "rsum", "dtl"];

// Options of the tables and the view, which a report with a fixed layout ignores.
const VIEW: [&str; 9] =
    ["alignment", "by", "all", "min-errors", "top", "tables", "phrases", "vertical", "width"];

pub(super) struct Alternatives {
    settings: ScliteSettings,
    /// Name of the requested sclite report format; `None` for the command's own output.
    report: Option<String>,
}

pub(super) fn options(command: Command) -> Command {
    let needs = |arg: Arg| arg.help_heading("References with alternatives, and --like sclite");
    command.arg(needs(args::references_as())).args(settings_options().map(needs))
}

impl Alternatives {
    pub(super) fn from_matches(matches: &ArgMatches, rule: AlignmentRule) -> Result<Option<Self>> {
        let format = matches.text("format");
        let report = match (matches.text("like").as_deref(), format) {
            (Some("sclite"), format) => Some(format.unwrap_or_else(|| "pra".to_owned())),
            (_, Some(format)) if FORMS.contains(&&*format) => {
                fail!("--format {format} is a report of sclite: give --like sclite")
            }
            _ => None,
        };
        if report.as_deref().is_some_and(|report| !FORMS.contains(&report)) {
            fail!("--like sclite writes one of {}", FORMS.join(", "));
        }
        let given = |name: &&&str| matches.value_source(name) == Some(ValueSource::CommandLine);
        if let Some(name) = VIEW.iter().find(given).filter(|_| report.is_some()) {
            fail!("--{name} has no effect on the reports of sclite");
        }
        let settings = settings(matches)?;
        let plain = matches.text("references-as").is_none_or(|form| form == "plain");
        if report.is_none() && plain {
            if settings != ScliteSettings::default() {
                fail!(
                    "--optional, --fragments and --case are choices of --references alternatives and --like sclite"
                );
            }
            return Ok(None);
        }
        if report.is_some() {
            return Ok(Some(Alternatives { settings, report }));
        }
        if settings.optional == Optional::Sclite {
            fail!(
                "an optional word that is left out has no partner to be shown as correct: give --optional free, or --like sclite"
            );
        }
        // sclite's costs are 4 for a substitution and 3 for other errors; equal costs give the fewest errors.
        let equal_costs = match rule {
            AlignmentRule::Jiwer => true,
            AlignmentRule::Sclite => false,
            _ => fail!(
                "--references alternatives takes the path with the fewest errors, or with --alignment sclite the costs of sclite; other alignments cannot be combined with it"
            ),
        };
        if equal_costs && settings.case {
            fail!("--case is for --alignment sclite; otherwise letters always keep their case");
        }
        let settings = ScliteSettings { equal_costs, case: settings.case || equal_costs, ..settings };
        Ok(Some(Alternatives { settings, report }))
    }

    /// Aligns a hypothesis with references that contain alternatives, such as `{ wanna / want to }`. Returns
    /// the words of both on the path with the lowest cost, and their alignment.
    pub(super) fn path(&self, references: &[&[&str]], hypothesis: &[&str]) -> Result<Path, InputError> {
        // One reference holds all alternatives; several references would compete with them.
        let [reference] = references else {
            let given = counted(references.len(), "reference");
            return Err(InputError::malformed(format!("{given}, but one with alternatives")));
        };
        let mut own = Vec::new();
        let mut other = Vec::new();
        let mut operations = Vec::new();
        // The aligner reads braces itself, so the tokens are joined again.
        for step in aligned(&hypothesis.join(" "), &reference.join(" "), self.settings)? {
            operations.push(match step.kind {
                StepKind::Correct => EditOperation::Hit,
                StepKind::Substitution => EditOperation::Substitution,
                StepKind::Deletion => EditOperation::Deletion,
                StepKind::Insertion => EditOperation::Insertion,
                // continue, => An optional word that is left out is neither an error nor a word of the
                // reference.
                StepKind::Skipped => continue,
            });
            own.extend(step.reference);
            other.extend(step.hypothesis);
        }
        Ok((own, other, Alignment::from(&operations[..])))
    }

    pub(super) fn signed(&self, signature: Signature) -> Signature {
        let signature = signature.with("references", "refs", "alternatives");
        let signature = signature.with("optional", "opt", self.settings.optional.name());
        let ScliteSettings { fragments, case, equal_costs, .. } = self.settings;
        let signature = if fragments { signature.with("fragments", "frag", "yes") } else { signature };
        // With equal costs, letters always keep their case, so the signature need not say so.
        if case && !equal_costs { signature.with("letters", "let", "case") } else { signature }
    }

    /// Writes the requested sclite report for the texts. Returns `false` without writing if the user
    /// requested none.
    pub(super) fn write(
        &self,
        names: [&str; 2],
        texts: impl Iterator<Item = Result<[String; 3]>>,
        out: &mut Out,
    ) -> Result<bool> {
        let Some(report) = &self.report else { return Ok(false) };
        let all = texts.map(|text| {
            let [id, reference, hypothesis] = text?;
            Ok(Transcript::of_texts(&id, &reference, &hypothesis))
        });
        let all = all.collect::<Result<Vec<_>>>()?;
        Transcripts::new(names, self.settings, report).write(all, None, out)?;
        Ok(true)
    }
}

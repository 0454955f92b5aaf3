//! The command `transcripts`: reads STM with CTM files, or TRN files, and aligns and reports them like sclite,
//! or writes them as segments for other commands. It also recounts the alignments in an existing `.sgml` file.

use std::error::Error;
use std::fmt::Write;

use bleuprint_core::{Choice as _, ConfigError};
use bleuprint_text::{CommandAnswer, FamilyCommand, FamilyOption, FamilyRequest};

use crate::report::ScliteReport;
use crate::{Optional, ScliteSettings, read_sgml, transcripts};

/// How a word in parentheses counts.
pub(crate) const OPTIONAL: FamilyOption = FamilyOption::value(
    "optional",
    "RULE",
    "How a word in parentheses counts: like any other word (word), or as an optional word that is ignored if left out (free) or counts as correct (sclite, its -D)",
)
.choices(Optional::NAMES)
.default("word");

/// Whether fragments match longer words.
pub(crate) const FRAGMENTS: FamilyOption = FamilyOption::flag(
    "fragments",
    "Match fragments such as go- with words that begin or end with them (-F of sclite)",
);

/// Whether letters keep their case.
pub(crate) const CASE: FamilyOption =
    FamilyOption::flag("case", "Compare letters with their case (-s of sclite)");

/// The commands of the family.
pub(crate) static COMMANDS: &[FamilyCommand] = &[FamilyCommand {
    name: "transcripts",
    about: "Write the reports of sclite for STM and CTM, or TRN, with alternatives, or convert them to segments",
    group: "Texts and files",
    options: &[
        FamilyOption::positional("reference", "REF", "The reference, .stm or .trn; or alignments, .sgml"),
        FamilyOption::value("input", "HYP", "The words of the system, .ctm or .trn").short('i'),
        OPTIONAL,
        FRAGMENTS,
        CASE,
        FamilyOption::value(
            "missing",
            "MODE",
            "An utterance or recording that one side lacks, or a file without words: error [default], or empty, one without words there",
        )
        .described_choices(&["error", "empty"]),
        FamilyOption::value(
            "norm",
            "NAME",
            "Normalizers for both sides, joined by +, such as csrfilt=FILE with the rules of a GLM file; each word of CTM is rewritten separately",
        ),
        FamilyOption::value(
            "form",
            "FORM",
            "A report of sclite (sum, rsum, dtl, pra, sgml), the words of each segment as TRN (trn), or records of texts (segments) or of words with confidences (heard)",
        )
        .choices(&["sum", "rsum", "dtl", "pra", "sgml", "trn", "segments", "heard"])
        .default("sum"),
    ],
    short_help: &["input", "optional", "fragments", "form"],
    examples: "  bleuprint transcripts ref.stm -i hyp.ctm --optional sclite --fragments\n  \
         bleuprint transcripts ref.stm -i hyp.ctm --form segments",
    run,
}];

/// Returns the settings that the options [`OPTIONAL`], [`FRAGMENTS`] and [`CASE`] select.
pub(crate) fn settings(request: &FamilyRequest<'_>) -> Result<ScliteSettings, ConfigError> {
    let optional = request.option("optional").unwrap_or_default();
    Ok(ScliteSettings {
        optional: Optional::by_name("meaning of a word in parentheses", optional)?,
        fragments: request.has("fragments"),
        case: request.has("case"),
        ..ScliteSettings::default()
    })
}

fn run(request: &FamilyRequest<'_>, out: &mut dyn Write) -> Result<CommandAnswer, Box<dyn Error>> {
    let reference = request.option("reference").unwrap_or_default();
    let is_aligned = reference.ends_with(".sgml");
    let hypothesis = match (request.option("input"), is_aligned) {
        (Some(hypothesis), false) => hypothesis,
        (None, true) => reference,
        (None, false) => return Err("the words of the system are missing: give -i HYP".into()),
        (Some(_), true) => return Err("an .sgml has both sides: leave out -i".into()),
    };
    let settings = settings(request)?;
    let normalizer = request.option("norm");
    if is_aligned && (settings != ScliteSettings::default() || normalizer.is_some()) {
        return Err(
            "an .sgml is already aligned: leave out --optional, --fragments, --case and --norm".into()
        );
    }
    let form = request.option("form").unwrap_or_default();
    let report = ScliteReport { reference, hypothesis, settings, form, program: request.program };
    if is_aligned {
        // The file says how it was aligned; the reports print these choices.
        let (settings, all) = read_sgml(reference)?;
        let (all, steps): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        ScliteReport { settings, ..report }.write(all, Some(steps), out)?;
        return Ok(CommandAnswer::Positive);
    }
    let mut all = transcripts(reference, hypothesis, request.option("missing") == Some("empty"))?;
    if let Some(name) = normalizer {
        // Rules apply to both sides before the alignment, as csrfilt does before sclite.
        let chain = request.families.tokenizers().normalizers.build(name)?;
        all = all.into_iter().map(|one| one.rewritten(|text| chain.apply(text))).collect();
    }
    report.write(all, None, out)?;
    Ok(CommandAnswer::Positive)
}

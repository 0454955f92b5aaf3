//! References with alternatives, such as `{ wanna / want to }`, in the command `align`, and sclite's report
//! formats.

use std::error::Error;
use std::fmt::Write;

use bleuprint_core::{Choice as _, InputError, Result, Signature, counted};
use bleuprint_text::{
    AlignedPair, AlignmentOutput, AlignmentPart, AlignmentReport, FamilyOption, FamilyRequest, ReportTexts,
};

use crate::command::{CASE, FRAGMENTS, OPTIONAL, settings};
use crate::report::ScliteReport;
use crate::{Optional, ScliteSettings, StepKind, Transcript, aligned};

/// The additions of the family to the command `align`.
pub(crate) static ALIGNMENTS: &[AlignmentOutput] = &[AlignmentOutput {
    options: &[
        FamilyOption::value(
            "references",
            "FORM",
            "Alternatives in references, as in { a / b c / @ }: alternatives, error rates take the path with the fewest errors; or plain, braces are parts of words",
        )
        .choices(&["alternatives", "plain"]),
        OPTIONAL,
        FRAGMENTS,
        CASE,
    ],
    heading: Some("References with alternatives, and --like sclite"),
    is_table: false,
    report: Some(AlignmentReport {
        program: "sclite",
        help: "with its own alignment (--format pra, sgml, sum, rsum or dtl)",
        forms: &["pra", "sgml", "sum", "rsum", "dtl"],
        write: write_report,
    }),
    open,
}];

fn write_report(
    request: &FamilyRequest<'_>,
    texts: ReportTexts<'_>,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    let [reference, hypothesis] = texts.files;
    let settings = settings(request)?;
    let report = ScliteReport { reference, hypothesis, settings, form: texts.form, program: request.program };
    let transcript =
        |[id, reference, hypothesis]: &[String; 3]| Transcript::of_texts(id, reference, hypothesis);
    report.write(texts.segments.iter().map(transcript).collect(), None, out)
}

fn open(request: &FamilyRequest<'_>) -> Result<Option<Box<dyn AlignmentPart>>, Box<dyn Error>> {
    if request.option("like") == Some("sclite") {
        return Ok(None);
    }
    let settings = settings(request)?;
    if request.option("references").is_none_or(|form| form == "plain") {
        if settings != ScliteSettings::default() {
            return Err(
                "--optional, --fragments and --case are choices of --references alternatives and --like sclite".into()
            );
        }
        return Ok(None);
    }
    if settings.optional == Optional::Sclite {
        return Err(
            "an optional word that is left out has no partner to be shown as correct: give --optional free, or --like sclite".into()
        );
    }
    // sclite's costs are 4 for a substitution and 3 for other errors; equal costs give the fewest errors.
    let equal_costs = match request.option("alignment") {
        Some("jiwer") => true,
        Some("sclite") => false,
        _ => {
            return Err(
                "--references alternatives takes the path with the fewest errors, or with --alignment sclite the costs of sclite; other alignments cannot be combined with it".into()
            );
        }
    };
    if equal_costs && settings.case {
        return Err("--case is for --alignment sclite; otherwise letters always keep their case".into());
    }
    let settings = ScliteSettings { equal_costs, case: settings.case || equal_costs, ..settings };
    Ok(Some(Box::new(AlignedAlternatives { settings })))
}

/// The alignment on the path of least cost through references with alternatives.
struct AlignedAlternatives {
    settings: ScliteSettings,
}

impl AlignmentPart for AlignedAlternatives {
    fn align(&self, hypothesis: &[&str], references: &[&[&str]]) -> Result<Option<Vec<AlignedPair>>> {
        // One reference holds all alternatives; several references would compete with them.
        let [reference] = references else {
            let given = counted(references.len(), "reference");
            return Err(InputError::malformed(format!("{given}, but one with alternatives")));
        };
        // The aligner reads braces itself, so the tokens are joined again.
        let steps = aligned(&hypothesis.join(" "), &reference.join(" "), self.settings)?;
        // An optional word that is left out is neither an error nor a word of the reference.
        let counted = steps.into_iter().filter(|step| step.kind != StepKind::Skipped);
        let pairs = counted.map(|step| AlignedPair {
            is_match: step.kind == StepKind::Correct,
            reference: step.reference,
            hypothesis: step.hypothesis,
        });
        Ok(Some(pairs.collect()))
    }

    fn sign(&self, signature: Signature) -> Signature {
        let signature = signature.with("references", "refs", "alternatives");
        let signature = signature.with("optional", "opt", self.settings.optional.name());
        let ScliteSettings { fragments, case, equal_costs, .. } = self.settings;
        let signature = if fragments { signature.with("fragments", "frag", "yes") } else { signature };
        // With equal costs, letters always keep their case, so the signature need not say so.
        if case && !equal_costs { signature.with("letters", "let", "case") } else { signature }
    }
}

//! Writes sclite's reports `pra`, `sgml` and `trn`, in the layout that other tools read.

use std::fmt::Write;

use super::{ReportResult, ReportedSpeaker, ScliteReport, ScoredTranscripts};
use crate::{AlignedStep, CtmWord, Optional, StepKind};

/// Writes sclite's report `pra`: each alignment as two lines of words, with errors in capitals.
pub(super) fn pra(
    speakers: &[ReportedSpeaker],
    report: &ScliteReport<'_>,
    out: &mut dyn Write,
) -> ReportResult {
    let title = &report.hypothesis;
    writeln!(out, "\n\n\t\tDUMP OF SYSTEM ALIGNMENT STRUCTURE\n\nSystem name:   {title}\n\nSpeakers: ")?;
    for (number, speaker) in speakers.iter().enumerate() {
        writeln!(out, "{number:>5}:  {}", speaker.name)?;
    }
    writeln!(out)?;
    for (number, speaker) in speakers.iter().enumerate() {
        let utterances = speaker.segments.len();
        writeln!(out, "Speaker sentences {number:>3}:  {}   #utts: {utterances}", speaker.name)?;
        for one in &speaker.segments {
            write_lines(one, report, out)?;
        }
    }
    Ok(writeln!(out)?)
}

fn write_lines(one: &ScoredTranscripts, report: &ScliteReport<'_>, out: &mut dyn Write) -> ReportResult {
    let counts = one.counts;
    writeln!(out, "id: ({})", one.id)?;
    if let Some(label) = &one.transcript.label {
        writeln!(out, "Labels: {}", report.cased(label))?;
    }
    if let Some([file, channel]) = report.place(&one.transcript) {
        writeln!(out, "File: {file}\nChannel: {channel}")?;
    }
    writeln!(out, "Scores: (#C #S #D #I) {} {} {} {}", counts[0], counts[1], counts[2], counts[3])?;
    if report.settings.case {
        // The spelling is sclite's; tools that read the report expect it.
        writeln!(out, "Attributes: Case_sensitve ")?;
    }
    if one.steps.is_empty() {
        return Ok(writeln!(out)?);
    }
    let mut lines = ["REF:  ".to_owned(), "HYP:  ".to_owned(), "Eval: ".to_owned()];
    for step in &one.steps {
        let wrong = !matches!(step.kind, StepKind::Correct | StepKind::Skipped);
        // Without --case all words are lower case, so capitals can mark errors.
        let capital = wrong && !report.settings.case;
        let word = |word: &Option<String>| {
            word.as_deref().map(|word| if capital { word.to_ascii_uppercase() } else { word.to_owned() })
        };
        let words = [word(&step.reference), word(&step.hypothesis)];
        let width = words.iter().flatten().map(|word| word.chars().count()).max().unwrap_or(0);
        // sclite fills the missing side of an error with asterisks, as wide as the other word.
        let filler = if wrong { "*".repeat(width) } else { String::new() };
        let mark = match step.kind {
            StepKind::Correct | StepKind::Skipped => "",
            kind => letter(kind),
        };
        let cells =
            words.map(|word| word.unwrap_or_else(|| filler.clone())).into_iter().chain([mark.to_owned()]);
        lines.iter_mut().zip(cells).for_each(|(line, cell)| *line += &format!("{cell:<width$} "));
    }
    Ok(writeln!(out, "{}\n", lines.join("\n"))?)
}

fn letter(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Correct | StepKind::Skipped => "C",
        StepKind::Substitution => "S",
        StepKind::Deletion => "D",
        StepKind::Insertion => "I",
    }
}

/// Writes sclite's report `sgml`: each alignment as an element, with times and confidences if the words have
/// them.
pub(super) fn sgml(
    speakers: &[ReportedSpeaker],
    report: &ScliteReport<'_>,
    out: &mut dyn Write,
) -> ReportResult {
    let yes = |given: bool| if given { "TRUE" } else { "FALSE" };
    let settings = report.settings;
    writeln!(
        out,
        "<SYSTEM title=\"{0}\" ref_fname=\"{1}\" hyp_fname=\"{0}\" creation_date=\"\" format=\"2.4\" frag_corr=\"{2}\" opt_del=\"{3}\" \
         weight_ali=\"FALSE\" weight_filename=\"\">",
        report.hypothesis,
        report.reference,
        yes(settings.fragments),
        yes(settings.optional != Optional::Word)
    )?;
    let sure = has_confidences(speakers);
    for speaker in speakers {
        writeln!(out, "<SPEAKER id=\"{}\">", speaker.name)?;
        for one in &speaker.segments {
            let id = &one.id;
            let words = one.steps.len();
            let sequence = one.sequence;
            write!(out, "<PATH id=\"({id})\" word_cnt=\"{words}\"")?;
            if let Some(label) = &one.transcript.label {
                write!(out, " labels=\"{}\"", report.cased(label))?;
            }
            if let Some([file, channel]) = report.place(&one.transcript) {
                write!(out, " file=\"{file}\" channel=\"{channel}\"")?;
            }
            write!(out, " sequence=\"{sequence}\"")?;
            if let Some([start, end]) =
                one.transcript.times.map(|times| times.map(|time| report.program.fixed(time, 3)))
            {
                write!(out, " R_T1=\"{start}\" R_T2=\"{end}\"")?;
            }
            if settings.case {
                write!(out, " case_sense=\"1\"")?;
            }
            if one.transcript.times.is_some() {
                write!(out, " word_aux=\"h_t1+t2{}\"", if sure { ",h_conf" } else { "" })?;
            }
            // Only words have times: the braces and slashes of alternatives are tokens without a place in time.
            let timed: Option<Vec<&CtmWord>> = one
                .transcript
                .times
                .map(|_| one.transcript.hypothesis.iter().filter(|timed| timed.times.is_some()).collect());
            let steps: Vec<String> =
                one.steps.iter().map(|step| element(report, timed.as_deref(), sure, step)).collect();
            writeln!(out, ">\n{}\n</PATH>", steps.join(":"))?;
        }
        writeln!(out, "</SPEAKER>")?;
    }
    Ok(writeln!(out, "</SYSTEM>")?)
}

fn element(report: &ScliteReport<'_>, words: Option<&[&CtmWord]>, sure: bool, step: &AlignedStep) -> String {
    // sclite writes an empty quoted word for a skipped one, and nothing for a missing one.
    let empty = if step.kind == StepKind::Skipped { "\"\"" } else { "" };
    let quoted = |word: &Option<String>| word.as_ref().map_or(empty.to_owned(), |word| format!("\"{word}\""));
    let fixed = |number: f64, decimals: usize| report.program.fixed(number, decimals);
    let mut text = format!("{},{},{}", letter(step.kind), quoted(&step.reference), quoted(&step.hypothesis));
    if let Some(words) = words {
        let timed = step.place.and_then(|place| words.get(place));
        // A skipped word has the times 0 in sclite's files.
        let times =
            timed.and_then(|timed| timed.times).or((step.kind == StepKind::Skipped).then_some([0.0; 2]));
        let times = times.map(|[start, end]| format!("{}+{}", fixed(start, 3), fixed(end, 3)));
        let confidence = timed.and_then(|timed| timed.confidence).unwrap_or(0.0);
        let confidence = times.as_ref().map(|_| fixed(confidence, 6)).filter(|_| sure);
        text += &format!(",{}", times.unwrap_or_default());
        if sure {
            text += &format!(",{}", confidence.unwrap_or_default());
        }
    }
    text
}

/// Returns `true` if every hypothesis word has a confidence, and there is one. Braces and slashes of alternatives have
/// none.
pub(super) fn has_confidences(speakers: &[ReportedSpeaker]) -> bool {
    let segments = speakers.iter().flat_map(|speaker| &speaker.segments);
    let words = segments.flat_map(|segment| &segment.transcript.hypothesis);
    let mut timed = words.filter(|word| word.times.is_some() || word.confidence.is_some()).peekable();
    timed.peek().is_some() && timed.all(|word| word.confidence.is_some())
}

/// Writes sclite's report `trn`: the hypothesis words of each segment on one line, followed by the segment's
/// id.
pub(super) fn trn(speakers: &[ReportedSpeaker], out: &mut dyn Write) -> ReportResult {
    for one in speakers.iter().flat_map(|speaker| &speaker.segments) {
        writeln!(out, "{} ({})", one.transcript.text(), one.id)?;
    }
    Ok(())
}

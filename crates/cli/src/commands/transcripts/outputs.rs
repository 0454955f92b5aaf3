//! The reports `sum`, `rsum`, `pra`, `sgml` and `trn`, in the layout that tools behind sclite read.

use bleuprint::families::sclite::{Aligned, Kind, Optional, Timed};
use bleuprint::report::fixed;

use super::{Scored, Speaker, Transcripts};
use crate::shared::command::*;

/// The table by speaker, as percentages or as counts.
pub(super) fn sum(speakers: &[Speaker], command: &Transcripts, percent: bool, out: &mut Out) -> Result<()> {
    let mut rows: Vec<(&str, usize, [u64; 5])> = Vec::new();
    let (mut total, mut segments) = ([0; 5], 0);
    for speaker in speakers {
        let mut counts = [0; 5];
        for one in &speaker.segments {
            counts.iter_mut().zip(command.counts(one)).for_each(|(sum, count)| *sum += count);
        }
        total.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        segments += speaker.segments.len();
        rows.push((&speaker.name, speaker.segments.len(), counts));
    }
    let last = if percent { "Sum/Avg" } else { "Sum" };
    let width = rows.iter().map(|(name, ..)| name.chars().count() + 1).max().unwrap_or(0).max(last.len());
    let line = |cells: &str| format!("       | {cells} |");
    writeln!(out, "       {:<width$}   # Snt # Wrd   Corr    Sub    Del    Ins    Err  S.Err", "SPKR")?;
    for (name, segments, counts) in rows {
        writeln!(out, "{}", line(&format!("{name:<width$}{}", cells(segments, counts, percent))))?;
    }
    writeln!(out, "{}", line(&format!("{last:<width$}{}", cells(segments, total, percent))))?;
    Ok(())
}

fn cells(
    segments: usize,
    [correct, substitutions, deletions, insertions, wrong]: [u64; 5],
    percent: bool,
) -> String {
    let words = correct + substitutions + deletions;
    let errors = substitutions + deletions + insertions;
    let mut text = format!("|{segments:>5} {words:>6} |");
    let counts = [correct, substitutions, deletions, insertions, errors];
    let shares = counts.map(|count| (count, words)).into_iter().chain([(wrong, segments as u64)]);
    for (place, (count, of)) in shares.enumerate() {
        let shown = if percent { share(count, of) } else { count.to_string() };
        text += &format!("{}{shown:>5}", if place == 0 { "" } else { "  " });
    }
    text
}

/// A percentage with one decimal; of nothing, 0.
pub(super) fn share(count: u64, of: u64) -> String {
    fixed(if of == 0 { 0.0 } else { 100.0 * count as f64 / of as f64 }, 1)
}

/// The alignments as lines of words, errors in capitals.
pub(super) fn pra(speakers: &[Speaker], command: &Transcripts, out: &mut Out) -> Result<()> {
    let title = &command.hypothesis;
    writeln!(out, "\t\tDUMP OF SYSTEM ALIGNMENT STRUCTURE\n\nSystem name:   {title}\n\nSpeakers: ")?;
    for (number, speaker) in speakers.iter().enumerate() {
        writeln!(out, "{number:>5}:  {}", speaker.name)?;
    }
    for (number, speaker) in speakers.iter().enumerate() {
        let utterances = speaker.segments.len();
        writeln!(out, "\nSpeaker sentences {number:>3}:  {}   #utts: {utterances}", speaker.name)?;
        for one in &speaker.segments {
            write_lines(one, command.counts(one), out)?;
        }
    }
    Ok(())
}

fn write_lines(one: &Scored, counts: [u64; 5], out: &mut Out) -> Result<()> {
    writeln!(out, "id: ({})", one.id)?;
    if let Some([file, channel]) = &one.transcript.file {
        writeln!(out, "File: {file}\nChannel: {channel}")?;
    }
    writeln!(out, "Scores: (#C #S #D #I) {} {} {} {}", counts[0], counts[1], counts[2], counts[3])?;
    let mut lines = ["REF:  ".to_owned(), "HYP:  ".to_owned(), "Eval: ".to_owned()];
    for step in &one.steps {
        let wrong = !matches!(step.kind, Kind::Correct | Kind::Skipped);
        let word = |word: &Option<String>| {
            word.as_deref().map(|word| if wrong { word.to_ascii_uppercase() } else { word.to_owned() })
        };
        let words = [word(&step.reference), word(&step.hypothesis)];
        let width = words.iter().flatten().map(|word| word.chars().count()).max().unwrap_or(0);
        let filler = if wrong { "*".repeat(width) } else { String::new() };
        let mark = match step.kind {
            Kind::Correct | Kind::Skipped => "",
            kind => letter(kind),
        };
        let cells =
            words.map(|word| word.unwrap_or_else(|| filler.clone())).into_iter().chain([mark.to_owned()]);
        lines.iter_mut().zip(cells).for_each(|(line, cell)| *line += &format!("{cell:<width$} "));
    }
    Ok(writeln!(out, "{}\n", lines.join("\n"))?)
}

fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Correct | Kind::Skipped => "C",
        Kind::Substitution => "S",
        Kind::Deletion => "D",
        Kind::Insertion => "I",
    }
}

/// The alignments as elements, with times and confidences if the words have them.
pub(super) fn sgml(speakers: &[Speaker], command: &Transcripts, out: &mut Out) -> Result<()> {
    let yes = |given: bool| if given { "TRUE" } else { "FALSE" };
    let settings = command.settings;
    writeln!(
        out,
        "<SYSTEM title=\"{0}\" ref_fname=\"{1}\" hyp_fname=\"{0}\" creation_date=\"\" format=\"2.4\" frag_corr=\"{2}\" opt_del=\"{3}\" \
         weight_ali=\"FALSE\" weight_filename=\"\">",
        command.hypothesis,
        command.reference,
        yes(settings.fragments),
        yes(settings.optional != Optional::Word)
    )?;
    let mut sequence = 0;
    for speaker in speakers {
        writeln!(out, "<SPEAKER id=\"{}\">", speaker.name)?;
        for one in &speaker.segments {
            let (id, words) = (&one.id, one.steps.len());
            write!(out, "<PATH id=\"({id})\" word_cnt=\"{words}\"")?;
            if let (Some([file, channel]), Some([start, end])) = (&one.transcript.file, one.transcript.times)
            {
                write!(out, " file=\"{file}\" channel=\"{channel}\" sequence=\"{sequence}\"")?;
                write!(
                    out,
                    " R_T1=\"{}\" R_T2=\"{}\" word_aux=\"h_t1+t2,h_conf\"",
                    fixed(start, 3),
                    fixed(end, 3)
                )?;
            } else {
                write!(out, " sequence=\"{sequence}\"")?;
            }
            // Words alone have times; braces and slashes have none.
            let timed: Option<Vec<&Timed>> = one
                .transcript
                .times
                .map(|_| one.transcript.hypothesis.iter().filter(|timed| timed.times.is_some()).collect());
            let steps: Vec<String> = one.steps.iter().map(|step| element(timed.as_deref(), step)).collect();
            writeln!(out, ">\n{}\n</PATH>", steps.join(":"))?;
            sequence += 1;
        }
        writeln!(out, "</SPEAKER>")?;
    }
    Ok(writeln!(out, "</SYSTEM>")?)
}

fn element(words: Option<&[&Timed]>, step: &Aligned) -> String {
    let empty = if step.kind == Kind::Skipped { "\"\"" } else { "" };
    let quoted = |word: &Option<String>| word.as_ref().map_or(empty.to_owned(), |word| format!("\"{word}\""));
    let mut text = format!("{},{},{}", letter(step.kind), quoted(&step.reference), quoted(&step.hypothesis));
    if let Some(words) = words {
        let timed = step.place.and_then(|place| words.get(place));
        text += &match timed.and_then(|timed| Some((timed.times?, timed.confidence.unwrap_or(0.0)))) {
            Some(([start, end], confidence)) => {
                format!(",{}+{},{}", fixed(start, 3), fixed(end, 3), fixed(confidence, 6))
            }
            None if step.kind == Kind::Skipped => ",0.000+0.000,0.000000".to_owned(),
            None => ",,".to_owned(),
        };
    }
    text
}

/// The words of the hypothesis, as they fall to the segments.
pub(super) fn trn(speakers: &[Speaker], out: &mut Out) -> Result<()> {
    for one in speakers.iter().flat_map(|speaker| &speaker.segments) {
        writeln!(out, "{} ({})", one.transcript.text(), one.id)?;
    }
    Ok(())
}

//! Implements `align --like jiwer`: prints word alignments and error counts as jiwer 4's
//! `visualize_alignment` and `visualize_error_counts` do.

use bleuprint::metrics::edit::EditOperation;

use bleuprint::{EditRate, Metric as _, SegmentCounts, metrics::EditCounts};
use bleuprint_requests::words::lines;

use super::text::percent;
use super::{AlignOutcome, AlignView};
use crate::shared::command::*;

pub(super) fn write(outcome: &AlignOutcome, view: &AlignView, out: &mut Out) -> Result<()> {
    for aligned in &outcome.shown {
        let lines = lines(&aligned.alignment, &aligned.reference, &aligned.hypothesis, outcome.between());
        writeln!(out, "=== SENTENCE {} ===\n\n{lines}", aligned.number)?;
    }
    let tables = &outcome.tables;
    let counts = outcome.tables.counts();
    writeln!(out, "=== SUMMARY ===\nnumber of sentences: {}", tables.segments())?;
    writeln!(
        out,
        "substitutions={} deletions={} insertions={} hits={}\n",
        counts.substitutions, counts.deletions, counts.insertions, counts.hits
    )?;
    let of = |metric: EditRate| finalized(metric, &counts);
    // jiwer prints only the CER for characters; the measures over words need words.
    if outcome.characters {
        writeln!(out, "cer={}%\n", percent(of(EditRate::CER)?))?;
    } else {
        let measures =
            [("mer", EditRate::MER), ("wil", EditRate::WIL), ("wip", EditRate::WIP), ("wer", EditRate::WER)];
        for (name, metric) in measures {
            writeln!(out, "{name}={}%", percent(of(metric)?))?;
        }
        writeln!(out)?;
    }
    write_counts(outcome, view, out)
}

fn finalized(metric: EditRate, counts: &EditCounts) -> Result<f64> {
    Ok(metric.finalize(counts, &SegmentCounts::default())?.score)
}

fn write_counts(outcome: &AlignOutcome, view: &AlignView, out: &mut Out) -> Result<()> {
    let tables = [
        ("SUBSTITUTIONS", EditOperation::Substitution),
        ("INSERTIONS", EditOperation::Insertion),
        ("DELETIONS", EditOperation::Deletion),
    ];
    // jiwer prints an empty line after a table with rows, but none after `none`.
    let mut after_rows = false;
    for (name, operation) in tables {
        writeln!(out, "{}=== {name} ===", if after_rows { "\n" } else { "" })?;
        let rows = outcome.tables.phrases(operation, outcome.between());
        let rows: Vec<_> = rows.take(view.top.unwrap_or(usize::MAX)).collect();
        // jiwer pads both columns to the longest phrase of either side.
        let phrases = rows.iter().flat_map(|(own, other, _)| [own, other]);
        let width = phrases.map(|phrase| phrase.chars().count()).max().unwrap_or(0);
        after_rows = !rows.is_empty();
        if rows.is_empty() {
            writeln!(out, "none")?;
        }
        for (own, other, count) in &rows {
            match operation {
                EditOperation::Insertion => writeln!(out, "{other:<width$} = {count}x")?,
                EditOperation::Deletion => writeln!(out, "{own:<width$} = {count}x")?,
                _ => writeln!(out, "{own:<width$} --> {other:<width$} = {count}x")?,
            }
        }
    }
    Ok(())
}

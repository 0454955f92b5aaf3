//! Writes the text output of `bleuprint align`: the aligned words and the error tables.

use bleuprint::report::{self, CellGrid};
use bleuprint_requests::words::{in_columns, one_a_line};

use super::rate::rate;
use super::tables;
use super::{AlignOutcome, AlignView};
use crate::shared::command::*;
use crate::shared::output::boxed;

pub(super) fn write(outcome: &AlignOutcome, view: &AlignView, out: &mut Out) -> Result<()> {
    for aligned in &outcome.shown {
        let counts = aligned.alignment.counts();
        writeln!(
            out,
            "segment {}: {} in {} (S {}, D {}, I {})",
            aligned.name(),
            counted(counts.edits(), "error"),
            counted(counts.ref_len(), "word"),
            counts.substitutions,
            counts.deletions,
            counts.insertions
        )?;
        let pairs = aligned.pairs();
        let shown = if view.vertical { one_a_line(&pairs) } else { in_columns(&pairs, view.width) };
        writeln!(out, "{shown}")?;
    }
    let counts = outcome.tables.counts();
    let tables = &outcome.tables;
    writeln!(
        out,
        "{} = {} (hits = {} substitutions = {} deletions = {} insertions = {})",
        outcome.signature,
        rate(counts.edits(), counts.ref_len()),
        counts.hits,
        counts.substitutions,
        counts.deletions,
        counts.insertions
    )?;
    writeln!(out, "{} of {} segments have errors", tables.segments_with_errors(), tables.segments())?;
    if !outcome.groups.is_empty() {
        writeln!(out, "\n{}", boxed().write(&groups(outcome)))?;
    }
    let grids = if view.tables || view.phrases { tables::grids(outcome, view) } else { Vec::new() };
    let grids = grids.into_iter().chain(outcome.word_tables.grids());
    for (name, grid) in grids {
        writeln!(out, "\n{name}\n{}", boxed().write(&grid))?;
    }
    Ok(())
}

pub(super) fn groups(outcome: &AlignOutcome) -> CellGrid {
    let header = ["Group", "segments", "with errors", "words", "hits", "S", "D", "I", "WER"];
    let row = |(by, value, tables): &(String, String, bleuprint::metrics::edit::ErrorTables)| {
        let counts = tables.counts();
        let numbers = [
            tables.segments(),
            tables.segments_with_errors(),
            counts.ref_len(),
            counts.hits,
            counts.substitutions,
            counts.deletions,
            counts.insertions,
        ];
        let name = [format!("{by}: {value}")].into_iter();
        name.chain(numbers.map(|number| number.to_string()))
            .chain([rate(counts.edits(), counts.ref_len())])
            .collect()
    };
    CellGrid { header: header.map(str::to_owned).to_vec(), rows: outcome.groups.iter().map(row).collect() }
}

pub(super) fn percent(value: f64) -> String {
    report::fixed(100.0 * value, 2)
}

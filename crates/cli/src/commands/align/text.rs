//! Aligned words as text, column below column, and tables of errors.
//!
//! Columns are as wide on a terminal as their words are. A word of a script from right to left is isolated, so that it does
//! not carry its neighbours to the other side.

use bleuprint::metrics::edit::Operation;
use bleuprint::report::{self, Grid, TableForm};
use unicode_width::UnicodeWidthStr as _;

use super::tables::{self, rate};
use super::{Aligned, Outcome, View};
use crate::shared::command::*;

/// First strong isolate and its end: characters without width that keep a word's direction to itself.
const ISOLATE: [char; 2] = ['\u{2068}', '\u{2069}'];

pub(super) struct Pair<'a> {
    pub(super) operation: Operation,
    pub(super) reference: Option<&'a str>,
    pub(super) hypothesis: Option<&'a str>,
}

pub(super) fn write(outcome: &Outcome, view: &View, out: &mut Out) -> Result<()> {
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
        match view.vertical {
            true => write_vertical(aligned, out)?,
            false => write_lines(aligned, view.width, out)?,
        }
        writeln!(out)?;
    }
    let (counts, tables) = (outcome.tables.counts(), &outcome.tables);
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
        writeln!(out, "\n{}", TableForm::Boxed.of(&groups(outcome)))?;
    }
    let grids = if view.tables || view.phrases { tables::grids(outcome, view) } else { Vec::new() };
    #[cfg(feature = "recognition")]
    let grids = grids.into_iter().chain(outcome.words.grids(view.top.unwrap_or(super::TOP)));
    for (name, grid) in grids {
        writeln!(out, "\n{name}\n{}", TableForm::Boxed.of(&grid))?;
    }
    Ok(())
}

pub(super) fn groups(outcome: &Outcome) -> Grid {
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
    Grid { header: header.map(str::to_owned).to_vec(), rows: outcome.groups.iter().map(row).collect() }
}

pub(super) fn pairs(aligned: &Aligned) -> impl Iterator<Item = Pair<'_>> {
    aligned.alignment.chunks.iter().flat_map(move |chunk| {
        let steps = chunk.reference.len().max(chunk.hypothesis.len());
        let (operation, own, other) = (chunk.operation, chunk.reference.clone(), chunk.hypothesis.clone());
        (0..steps).map(move |step| Pair {
            operation,
            reference: own.clone().nth(step).and_then(|at| aligned.reference.get(at)).map(String::as_str),
            hypothesis: other.clone().nth(step).and_then(|at| aligned.hypothesis.get(at)).map(String::as_str),
        })
    })
}

fn letter(operation: Operation) -> &'static str {
    match operation {
        Operation::Hit => "",
        Operation::Substitution => "S",
        Operation::Deletion => "D",
        Operation::Insertion => "I",
    }
}

fn write_vertical(aligned: &Aligned, out: &mut Out) -> Result<()> {
    for pair in pairs(aligned) {
        let written = |token: Option<&str>| isolated(token.unwrap_or("***"));
        let (reference, hypothesis) = (written(pair.reference), written(pair.hypothesis));
        writeln!(out, "{:1} {reference} -> {hypothesis}", letter(pair.operation))?;
    }
    Ok(())
}

fn write_lines(aligned: &Aligned, width: usize, out: &mut Out) -> Result<()> {
    let mut lines = [const { String::new() }; 3];
    let mut used = 0;
    for pair in pairs(aligned) {
        let of = |token: Option<&str>| token.map_or(0, |token| token.width());
        let column = of(pair.reference).max(of(pair.hypothesis)).max(1);
        if used > 0 && LABEL + used + 1 + column > width {
            flush(&mut lines, out)?;
            used = 0;
        }
        let cells = [pair.reference, pair.hypothesis, Some(letter(pair.operation))];
        for (line, cell) in lines.iter_mut().zip(cells) {
            let shown = cell.map_or_else(|| "*".repeat(column), isolated);
            line.push(' ');
            line.push_str(&shown);
            line.extend(std::iter::repeat_n(
                ' ',
                column - cell.map_or(column, |cell| cell.width().min(column)),
            ));
        }
        used += 1 + column;
    }
    flush(&mut lines, out)
}

const LABEL: usize = 5;

fn flush(lines: &mut [String; 3], out: &mut Out) -> Result<()> {
    for (name, line) in ["REF: ", "HYP: ", "EVAL:"].iter().zip(lines) {
        writeln!(out, "{name}{}", line.trim_end())?;
        line.clear();
    }
    Ok(())
}

fn isolated(token: &str) -> String {
    let [open, close] = ISOLATE;
    if token.chars().any(is_from_right) { format!("{open}{token}{close}") } else { token.to_owned() }
}

/// Unicode blocks of scripts from right to left.
fn is_from_right(c: char) -> bool {
    matches!(u32::from(c), 0x0590..=0x08FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF | 0x1_0800..=0x1_0FFF | 0x1_E800..=0x1_EFFF)
}

pub(super) fn percent(value: f64) -> String {
    report::fixed(100.0 * value, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_from_right_to_left_stand_alone() {
        assert_eq!(isolated("سلام"), "\u{2068}سلام\u{2069}");
        assert_eq!(isolated("שלום!"), "\u{2068}שלום!\u{2069}");
        assert_eq!(isolated("日本"), "日本");
    }
}

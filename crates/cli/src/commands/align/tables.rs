//! Formats the error tables of `bleuprint align` for printing, and its output as CSV.

use bleuprint::metrics::edit::{EditOperation, ErrorTables, Occurrences, WordErrors};
use bleuprint::report::{CellGrid, TableForm};

use super::rate::rate;
use super::{AlignOutcome, AlignView, TOP};
use crate::shared::command::*;

pub(super) type Kind = fn(&WordErrors) -> &Occurrences;

pub(super) const KINDS: [(&str, Kind); 3] = [
    ("substituted", |errors| &errors.substituted),
    ("deletions", |errors| &errors.deleted),
    ("insertions", |errors| &errors.inserted),
];

pub(super) const PHRASES: [(&str, EditOperation); 3] = [
    ("substitutions", EditOperation::Substitution),
    ("deletions", EditOperation::Deletion),
    ("insertions", EditOperation::Insertion),
];

pub(super) fn grids(outcome: &AlignOutcome, view: &AlignView) -> Vec<(&'static str, CellGrid)> {
    let top = view.top.unwrap_or(TOP);
    let mut grids = if view.phrases { phrases(outcome) } else { words(&outcome.tables) };
    grids.iter_mut().for_each(|(_, grid)| grid.rows.truncate(top));
    grids
}

fn phrases(outcome: &AlignOutcome) -> Vec<(&'static str, CellGrid)> {
    let grid = |(name, operation)| {
        let rows = outcome.tables.phrases(operation, outcome.between());
        let rows = rows.map(|(own, other, count)| vec![own, other, count.to_string()]).collect();
        (name, CellGrid { header: ["reference", "hypothesis", "count"].map(str::to_owned).to_vec(), rows })
    };
    PHRASES.into_iter().map(grid).collect()
}

fn words(tables: &ErrorTables) -> Vec<(&'static str, CellGrid)> {
    let in_references = |word: &str| tables.word(word).map_or(0, WordErrors::in_references);
    let cells = |words: [&str; 2], word: &str, all: &Occurrences| {
        let segments: Vec<String> = all.segments.iter().map(usize::to_string).collect();
        let of = in_references(word);
        let mut row: Vec<String> =
            words.into_iter().filter(|word| !word.is_empty()).map(str::to_owned).collect();
        row.extend([all.count.to_string(), of.to_string(), rate(all.count, of), segments.join(" ")]);
        row
    };
    let header = |words: &[&str]| {
        let counts = ["count", "in references", "rate", "segments"];
        words.iter().copied().chain(counts).map(str::to_owned).collect::<Vec<_>>()
    };
    let confusions = tables.confusions().into_iter();
    let confusions = confusions.map(|((own, other), all)| cells([own, other], own, all)).collect();
    let mut grids =
        vec![("confusions", CellGrid { header: header(&["reference", "hypothesis"]), rows: confusions })];
    for (name, kind) in KINDS {
        let rows =
            tables.words_of(kind).into_iter().map(|(word, all)| cells([word, ""], word, all)).collect();
        grids.push((name, CellGrid { header: header(&["word"]), rows }));
    }
    grids
}

pub(super) fn write_csv(outcome: &AlignOutcome, view: &AlignView, out: &mut Out) -> Result<()> {
    // The request allows only one table in CSV, so the first one is the requested one.
    if let Some((_, grid)) = outcome.word_tables.grids().first() {
        writeln!(out, "{}", TableForm::Csv.write(grid))?;
        return Ok(());
    }
    let grid = if view.tables || view.phrases { of_tables(outcome, view) } else { of_pairs(outcome) };
    writeln!(out, "{}", TableForm::Csv.write(&grid))?;
    Ok(())
}

fn of_pairs(outcome: &AlignOutcome) -> CellGrid {
    let header = ["segment", "id", "operation", "reference", "hypothesis"].map(str::to_owned).to_vec();
    let mut rows = Vec::new();
    for aligned in &outcome.shown {
        for pair in aligned.pairs() {
            let operation = match pair.operation {
                EditOperation::Hit => "hit",
                EditOperation::Substitution => "substitution",
                EditOperation::Deletion => "deletion",
                EditOperation::Insertion => "insertion",
            };
            let [reference, hypothesis] =
                [pair.reference, pair.hypothesis].map(|token| token.unwrap_or_default().to_owned());
            let id = aligned.id.clone().unwrap_or_default();
            rows.push(vec![aligned.number.to_string(), id, operation.to_owned(), reference, hypothesis]);
        }
    }
    CellGrid { header, rows }
}

fn of_tables(outcome: &AlignOutcome, view: &AlignView) -> CellGrid {
    let header = ["table", "reference", "hypothesis", "count", "in references", "rate", "segments"];
    let mut rows = Vec::new();
    for (name, grid) in grids(outcome, view) {
        for mut row in grid.rows {
            row.insert(0, name.to_owned());
            // Tables of single words have five columns; the word belongs to the hypothesis if it was inserted.
            if grid.header.len() == 5 {
                let place = if name == "insertions" { 1 } else { 2 };
                row.insert(place, String::new());
            }
            row.resize(header.len(), String::new());
            rows.push(row);
        }
    }
    CellGrid { header: header.map(str::to_owned).to_vec(), rows }
}

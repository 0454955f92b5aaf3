//! What is scored: systems and references, read and checked to be parallel.

use bleuprint::text::{Lines, Newlines, Text};
use bleuprint::{InputError, InputErrorKind, Location};

/// A named system and its hypotheses.
pub(crate) struct System {
    pub(crate) name: String,
    pub(crate) hypotheses: Text,
}

/// The systems of `-i`, or those of standard input.
pub(crate) fn systems(files: Option<Vec<&String>>) -> Result<Vec<System>, InputError> {
    match files {
        Some(files) => files
            .into_iter()
            .map(|file| Ok(System { name: file.clone(), hypotheses: Text::open(file)? }))
            .collect(),
        None => systems_of_stdin(),
    }
}

/// Standard input: one system, or several separated by tabs; the first line says how many. Lines end as Python has
/// it for standard input: at LF, CR LF and CR.
fn systems_of_stdin() -> Result<Vec<System>, InputError> {
    let lines = Lines::open("-")?.with_newlines(Newlines::Universal);
    let columns = columns(lines, None)?;
    let several = columns.len() > 1;
    let name = |index: usize| if several { format!("System {}", index + 1) } else { "<stdin>".to_owned() };
    Ok(columns
        .into_iter()
        .enumerate()
        .map(|(index, text)| System { hypotheses: Text::new(text, name(index)), name: name(index) })
        .collect())
}

/// The reference streams: one per file, or `num_refs` columns of one file.
pub(crate) fn references(files: &[&String], num_refs: usize) -> Result<Vec<Text>, InputError> {
    match files {
        [file] if num_refs > 1 => {
            let name = |index: usize| format!("{file} (column {})", index + 1);
            let columns = columns(Lines::open(file)?, Some(num_refs))?;
            Ok(columns.into_iter().enumerate().map(|(index, text)| Text::new(text, name(index))).collect())
        }
        _ if num_refs > 1 => {
            let message =
                format!("--num-refs {num_refs} takes one reference file, but {} were given", files.len());
            Err(InputError::malformed(message))
        }
        _ => files.iter().map(Text::open).collect(),
    }
}

/// The columns of tab-separated lines, each as the text of a file of its own.
///
/// With a fixed number, what follows the last tab that counts stays in the last column; without one, the first
/// line decides, and every other must have as many.
fn columns(mut lines: Lines, fixed: Option<usize>) -> Result<Vec<String>, InputError> {
    let mut columns: Vec<String> = vec![String::new(); fixed.unwrap_or(0)];
    let mut line = String::new();
    while lines.next(&mut line)? {
        let fields: Vec<&str> = match fixed {
            Some(fixed) => line.splitn(fixed, '\t').collect(),
            None => line.split('\t').collect(),
        };
        if columns.is_empty() {
            columns.resize(fields.len(), String::new());
        }
        if fields.len() != columns.len() {
            let message =
                format!("{} tab-separated fields, where {} were expected", fields.len(), columns.len());
            return Err(InputError::malformed(message).at(lines.location()));
        }
        for (column, field) in columns.iter_mut().zip(fields) {
            // Universal newlines leave no LF inside a line, so each field is one line of its column.
            column.push_str(field);
            column.push('\n');
        }
    }
    if columns.is_empty() {
        columns.push(String::new());
    }
    Ok(columns)
}

/// Every reference stream must be as long as every system.
pub(crate) fn require_parallel(systems: &[System], references: &[Text]) -> Result<(), InputError> {
    for system in systems {
        for reference in references {
            let (left_len, right_len) = (system.hypotheses.len() as u64, reference.len() as u64);
            if left_len != right_len {
                let (left, right) = (system.name.clone(), reference.name().to_string());
                return Err(InputErrorKind::LengthMismatch { left, left_len, right, right_len }.into());
            }
        }
        if system.hypotheses.is_empty() {
            return Err(InputError::new(InputErrorKind::EmptyCorpus).at(Location::file(system.name.as_str())));
        }
    }
    Ok(())
}

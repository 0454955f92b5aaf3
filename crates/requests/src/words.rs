//! Aligns the words of a hypothesis and a reference, and formats aligned words as columns of text.
//!
//! A column is as wide as its words are on a terminal. Words of right-to-left scripts are isolated, so that
//! they do not change the order of their neighbours.

use std::fmt::Write as _;

use bleuprint::InputError;
use bleuprint::metrics::edit::{Aligner, Alignment, AlignmentRule, Chunk, EditOperation};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr as _;

/// Unicode control characters that isolate a right-to-left word from the text around it (first strong
/// isolate, pop directional isolate). They have no width.
const ISOLATE: [char; 2] = ['\u{2068}', '\u{2069}'];

/// Pair of aligned words of a reference and a hypothesis.
pub struct WordPair<'a> {
    /// Edit operation, such as a substitution, that turns the reference word into the hypothesis word.
    pub operation: EditOperation,
    /// The reference word, or `None` for an insertion.
    pub reference: Option<&'a str>,
    /// The hypothesis word, or `None` for a deletion.
    pub hypothesis: Option<&'a str>,
}

/// Returns the index of the reference that is compared (with several references, the closest one), and the
/// alignment with it. Under sclite's rule, words are compared in lower case.
///
/// # Errors
/// Returns the errors of [`Aligner::preferred`].
pub fn aligned(
    rule: AlignmentRule,
    aligner: &mut Aligner,
    references: &[&[&str]],
    hypothesis: &[&str],
) -> Result<(usize, Alignment), InputError> {
    if rule != AlignmentRule::Sclite {
        return aligner.preferred(rule, references, hypothesis);
    }
    let lower = |tokens: &[&str]| tokens.iter().map(|token| token.to_ascii_lowercase()).collect::<Vec<_>>();
    let lowered: Vec<Vec<String>> = references.iter().map(|reference| lower(reference)).collect();
    let references: Vec<&[String]> = lowered.iter().map(Vec::as_slice).collect();
    aligner.preferred(rule, &references, &lower(hypothesis))
}

/// Converts an alignment to pairs of aligned words.
pub fn pairs<'a>(
    alignment: &Alignment,
    reference: &'a [String],
    hypothesis: &'a [String],
) -> Vec<WordPair<'a>> {
    let of_chunk = |chunk: &Chunk| {
        let steps = chunk.reference.len().max(chunk.hypothesis.len());
        let operation = chunk.operation;
        let own = chunk.reference.clone();
        let other = chunk.hypothesis.clone();
        // A hit or a substitution has equally many words on both sides; the other operations have words on one side.
        (0..steps).map(move |step| WordPair {
            operation,
            reference: own.clone().nth(step).and_then(|at| reference.get(at)).map(String::as_str),
            hypothesis: other.clone().nth(step).and_then(|at| hypothesis.get(at)).map(String::as_str),
        })
    };
    alignment.chunks.iter().flat_map(of_chunk).collect()
}

/// Formats an alignment as jiwer's `visualize_alignment` prints it. `between` is printed between tokens: a
/// space for words, nothing for characters.
pub fn lines(alignment: &Alignment, reference: &[String], hypothesis: &[String], between: &str) -> String {
    alignment.lines(reference, hypothesis, between).to_string()
}

/// Converts an alignment to a JSON object with the words and the edit operations.
pub fn json(
    number: usize,
    id: Option<&str>,
    reference: &[String],
    hypothesis: &[String],
    alignment: &Alignment,
) -> Value {
    let operations = alignment.chunks.iter().map(|chunk| {
        let own = &chunk.reference;
        let other = &chunk.hypothesis;
        json!([chunk.operation, own.start, own.end, other.start, other.end])
    });
    json!({
        "segment": number,
        "id": id,
        "reference": reference,
        "hypothesis": hypothesis,
        "operations": operations.collect::<Vec<_>>(),
        "counts": alignment.counts(),
    })
}

fn letter(operation: EditOperation) -> &'static str {
    match operation {
        EditOperation::Hit => "",
        EditOperation::Substitution => "S",
        EditOperation::Deletion => "D",
        EditOperation::Insertion => "I",
    }
}

/// Formats aligned words as text with one pair on each line.
pub fn one_a_line(pairs: &[WordPair<'_>]) -> String {
    let mut out = String::new();
    for pair in pairs {
        let written = |token: Option<&str>| isolated(token.unwrap_or("***"));
        let reference = written(pair.reference);
        let hypothesis = written(pair.hypothesis);
        let _ = writeln!(out, "{:1} {reference} -> {hypothesis}", letter(pair.operation));
    }
    out
}

/// Formats aligned words as three rows (reference, hypothesis, edit operation) of columns, wrapped to at most
/// `width` characters.
pub fn in_columns(pairs: &[WordPair<'_>], width: usize) -> String {
    let mut out = String::new();
    let mut lines = [const { String::new() }; 3];
    let mut used = 0;
    for pair in pairs {
        let of = |token: Option<&str>| token.map_or(0, |token| token.width());
        let column = of(pair.reference).max(of(pair.hypothesis)).max(1);
        // A word wider than the terminal still gets a line; it is never cut.
        if used > 0 && LABEL + used + 1 + column > width {
            flush(&mut lines, &mut out);
            used = 0;
        }
        let cells = [pair.reference, pair.hypothesis, Some(letter(pair.operation))];
        for (line, cell) in lines.iter_mut().zip(cells) {
            let shown = cell.map_or_else(|| "*".repeat(column), isolated);
            line.push(' ');
            line.push_str(&shown);
            line.extend(std::iter::repeat_n(
                ' ',
                // Padding counts the width on a terminal, not characters: Chinese characters take two
                // columns.
                column - cell.map_or(column, |cell| cell.width().min(column)),
            ));
        }
        used += 1 + column;
    }
    flush(&mut lines, &mut out);
    out
}

/// Width of the row labels `REF: `, `HYP: ` and `EVAL:`, in characters.
const LABEL: usize = 5;

fn flush(lines: &mut [String; 3], out: &mut String) {
    for (name, line) in ["REF: ", "HYP: ", "EVAL:"].iter().zip(lines) {
        let _ = writeln!(out, "{name}{}", line.trim_end());
        line.clear();
    }
}

fn isolated(token: &str) -> String {
    let [open, close] = ISOLATE;
    if token.chars().any(is_from_right) { format!("{open}{token}{close}") } else { token.to_owned() }
}

/// Returns `true` if a character is in a Unicode block of a right-to-left script.
fn is_from_right(c: char) -> bool {
    matches!(u32::from(c), 0x0590..=0x08FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF | 0x1_0800..=0x1_0FFF | 0x1_E800..=0x1_EFFF)
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

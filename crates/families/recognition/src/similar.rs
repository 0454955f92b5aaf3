//! Alignment of words that pairs similar words, equal to texterrors with `--use-chardiff`.
//!
//! A substitution costs 1.5 times the edits between the bytes of the words, divided by the longer length.
//! Each cell of the table first takes the cost of a pair. A deletion replaces it only if it is cheaper by at
//! least 0.01, and then an insertion by the same rule.

use bleuprint_core::{InputError, Result, check_interrupt};
use bleuprint_metrics::PairTables;
use bleuprint_metrics::edit::{Alignment, Chunk, EditOperation};

const MOST_CELLS: usize = 1 << 30;
const LEAST_GAIN: f64 = 0.01;

/// Returns the edits that align hypothesis and reference, with low costs for substitutions by similar words.
///
/// # Errors
/// Returns an error if the product of the lengths of the sequences is above 2^30, or if the user interrupts
/// the work.
pub(crate) fn align<T: AsRef<str>>(
    pairs: &mut PairTables,
    reference: &[T],
    hypothesis: &[T],
) -> Result<Vec<Chunk>> {
    let columns = hypothesis.len() + 1;
    let cells = columns.saturating_mul(reference.len() + 1);
    if cells > MOST_CELLS {
        return Err(InputError::limit(
            "the product of the lengths of a reference and a hypothesis, to be aligned by like=chardiff",
            cells,
            "at most 2^30",
        ));
    }
    // The first row can only be reached by insertions.
    let mut steps = vec![EditOperation::Insertion; columns];
    let mut costs: Vec<f64> = (0..columns).map(|column| column as f64).collect();
    for word in reference {
        check_interrupt()?;
        let mut diagonal = costs[0];
        costs[0] += 1.0;
        steps.push(EditOperation::Deletion);
        for (column, other) in hypothesis.iter().enumerate() {
            // texterrors compares the bytes of UTF-8 and not characters, so its costs require bytes here.
            let word = word.as_ref().as_bytes();
            let other = other.as_ref().as_bytes();
            let mut least = diagonal;
            let mut step = EditOperation::Hit;
            if word != other {
                let longer = word.len().max(other.len()) as f64;
                least += pairs.edits(word, other)? as f64 / longer * 1.5;
                step = EditOperation::Substitution;
            }
            // The order of the rivals and the margin are texterrors'. Both decide ties, and therefore the
            // counts.
            for (cost, rival) in
                [(costs[column + 1], EditOperation::Deletion), (costs[column], EditOperation::Insertion)]
            {
                if least - (cost + 1.0) >= LEAST_GAIN {
                    (least, step) = (cost + 1.0, rival);
                }
            }
            diagonal = std::mem::replace(&mut costs[column + 1], least);
            steps.push(step);
        }
    }
    Ok(Alignment::from(&trace(&steps, columns, reference.len())[..]).chunks)
}

fn trace(steps: &[EditOperation], columns: usize, mut row: usize) -> Vec<EditOperation> {
    let mut column = columns - 1;
    let mut operations = Vec::new();
    while row > 0 || column > 0 {
        // Steps were chosen going forward, so following them back gives the operations in reverse.
        let operation = steps[row * columns + column];
        row -= usize::from(operation != EditOperation::Insertion);
        column -= usize::from(operation != EditOperation::Deletion);
        operations.push(operation);
    }
    operations.reverse();
    operations
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    #[ignore = "needs the data beside the checkout"]
    fn recorded_pairs_are_texterrors() {
        let rows = bleuprint_testkit::recorded::rows("speech-golden.json", "alignments");
        for row in &rows {
            let side = |key: &str| row[key].as_str().unwrap().split_whitespace().collect::<Vec<&str>>();
            let reference = side("ref");
            let hypothesis = side("hyp");
            let word = |words: &[&str]| words.first().map_or("<eps>", |word| *word).to_owned();
            let chunks = align(&mut PairTables::default(), &reference, &hypothesis).unwrap();
            let pairs = chunks.into_iter().flat_map(|chunk| {
                let steps = 0..chunk.reference.len().max(chunk.hypothesis.len());
                let [own, other] = [&reference[chunk.reference], &hypothesis[chunk.hypothesis]];
                steps
                    .map(|step| [own, other].map(|side| word(side.get(step..).unwrap_or_default())))
                    .collect::<Vec<_>>()
            });
            let pairs: Vec<[String; 2]> = pairs.collect();
            assert_eq!(json!(pairs), row["texterrors"], "{row}");
        }
        assert_eq!(rows.len(), 260);
    }
}

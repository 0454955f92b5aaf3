//! Alignments that pair similar words, as texterrors with `--use-chardiff`.
//!
//! A substitution costs 1.5 times the edits between the bytes of the words over the longer length. A cell is reached by a pair;
//! a deletion, and then an insertion, takes its place only if it is cheaper by 0.01 or more.

use bleuprint_core::{InputError, Result, check_interrupt};
use bleuprint_metrics::PairTables;
use bleuprint_metrics::edit::{Alignment, Chunk, Operation};

const MOST_CELLS: usize = 1 << 30;
const LEAST_GAIN: f64 = 0.01;

/// The steps.
///
/// # Errors
/// Sequences the product of whose lengths is above 2^30.
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
    let mut steps = vec![Operation::Insertion; columns];
    let mut costs: Vec<f64> = (0..columns).map(|column| column as f64).collect();
    for word in reference {
        check_interrupt()?;
        let mut diagonal = costs[0];
        costs[0] += 1.0;
        steps.push(Operation::Deletion);
        for (column, other) in hypothesis.iter().enumerate() {
            let (word, other) = (word.as_ref().as_bytes(), other.as_ref().as_bytes());
            let (mut least, mut step) = (diagonal, Operation::Hit);
            if word != other {
                let longer = word.len().max(other.len()) as f64;
                least += pairs.edits(word, other)? as f64 / longer * 1.5;
                step = Operation::Substitution;
            }
            for (cost, rival) in
                [(costs[column + 1], Operation::Deletion), (costs[column], Operation::Insertion)]
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

fn trace(steps: &[Operation], columns: usize, mut row: usize) -> Vec<Operation> {
    let (mut column, mut operations) = (columns - 1, Vec::new());
    while row > 0 || column > 0 {
        let operation = steps[row * columns + column];
        row -= usize::from(operation != Operation::Insertion);
        column -= usize::from(operation != Operation::Deletion);
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
            let (reference, hypothesis) = (side("ref"), side("hyp"));
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

//! Finds an alignment of least cost for given costs of edits. Among equal costs, an order of preference of
//! the steps decides, as in other programs.
//!
//! The walk runs backwards from the ends of both sequences and takes the first step, in order of preference,
//! that is on a cheapest path. Time and memory are the product of the lengths; memory is one byte a cell.

use super::EditOperation;
use bleuprint_core::{InputError, Result, check_interrupt};

const MOST_BYTES: usize = 1 << 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OrderedStep {
    Pair,
    Delete,
    Insert,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Preference {
    pub(super) insertion: u32,
    pub(super) deletion: u32,
    pub(super) substitution: u32,
    pub(super) order: [OrderedStep; 3],
}

impl Preference {
    pub(super) const KALDI: Preference = Preference {
        insertion: 1,
        deletion: 1,
        substitution: 1,
        order: [OrderedStep::Insert, OrderedStep::Delete, OrderedStep::Pair],
    };
    pub(super) const TEXTERRORS: Preference = Preference {
        order: [OrderedStep::Pair, OrderedStep::Delete, OrderedStep::Insert],
        ..Preference::KALDI
    };
    pub(super) const SCLITE: Preference = Preference {
        insertion: 3,
        deletion: 3,
        substitution: 4,
        order: [OrderedStep::Pair, OrderedStep::Insert, OrderedStep::Delete],
    };

    pub(super) fn align(self, reference: &[u32], hypothesis: &[u32]) -> Result<Vec<EditOperation>> {
        let columns = hypothesis.len() + 1;
        let cells = columns.saturating_mul(reference.len() + 1);
        if cells > MOST_BYTES {
            return Err(InputError::limit(
                "the product of the lengths of a reference and a hypothesis, to be aligned by another rule than jiwer's",
                cells,
                "at most 2^30",
            ));
        }
        let mut steps = vec![OrderedStep::Insert; columns];
        steps.reserve(cells - columns);
        // One row of costs is enough, because the chosen step of each cell is stored.
        let mut costs: Vec<u32> = (0..columns as u32).map(|column| column * self.insertion).collect();
        for &token in reference {
            check_interrupt()?;
            let mut diagonal = costs[0];
            costs[0] += self.deletion;
            steps.push(OrderedStep::Delete);
            for (column, &other) in hypothesis.iter().enumerate() {
                let pair = diagonal + if token == other { 0 } else { self.substitution };
                let delete = costs[column + 1] + self.deletion;
                let insert = costs[column] + self.insertion;
                let least = pair.min(delete).min(insert);
                let cost = |step: OrderedStep| match step {
                    OrderedStep::Pair => pair,
                    OrderedStep::Delete => delete,
                    OrderedStep::Insert => insert,
                };
                // The preference is applied here, not on the walk back, so that costs need not be kept.
                let [first, second, last] = self.order;
                steps.push(match () {
                    () if cost(first) == least => first,
                    () if cost(second) == least => second,
                    () => last,
                });
                diagonal = std::mem::replace(&mut costs[column + 1], least);
            }
        }
        Ok(trace(&steps, reference, hypothesis))
    }
}

fn trace(steps: &[OrderedStep], reference: &[u32], hypothesis: &[u32]) -> Vec<EditOperation> {
    let columns = hypothesis.len() + 1;
    let mut row = reference.len();
    let mut column = hypothesis.len();
    let mut operations = Vec::with_capacity(row.max(column));
    while row > 0 || column > 0 {
        operations.push(match steps[row * columns + column] {
            OrderedStep::Pair => {
                (row, column) = (row - 1, column - 1);
                if reference[row] == hypothesis[column] {
                    EditOperation::Hit
                } else {
                    EditOperation::Substitution
                }
            }
            OrderedStep::Delete => {
                row -= 1;
                EditOperation::Deletion
            }
            OrderedStep::Insert => {
                column -= 1;
                EditOperation::Insertion
            }
        });
    }
    operations.reverse();
    operations
}

//! EASSE's SARI: precision and recall of sums over the corpus, so that counts suffice.

use super::segment::{ORDERS, Operation};

/// The counts of the three operations for one order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Operations {
    pub(super) add: Operation,
    pub(super) keep: Operation,
    pub(super) delete: Operation,
}

/// What EASSE lets its users choose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EasseOptions {
    /// The precision of deletions alone, as in the paper, in place of F.
    pub precision_of_deletions: bool,
    /// Average precision and recall over orders first, and take F of the averages.
    pub average_first: bool,
}

/// The scores of a corpus, 0 to 1: of additions, kept n-grams and deletions.
pub(super) fn scores(orders: &[Operations; ORDERS], options: EasseOptions) -> [f64; 3] {
    let of = |pick: fn(&Operations) -> Operation, precision_only| {
        let operations = orders.map(|order| pick(&order));
        if options.average_first {
            of_averages(&operations, precision_only)
        } else {
            average(&operations, precision_only)
        }
    };
    [
        of(|order| order.add, false),
        of(|order| order.keep, false),
        of(|order| order.delete, options.precision_of_deletions),
    ]
}

/// The mean over orders of F, or of the precision.
fn average(operations: &[Operation; ORDERS], precision_only: bool) -> f64 {
    operations.iter().fold(0.0, |sum, operation| {
        let (precision, recall) = precision_and_recall(operation);
        sum + if precision_only { precision } else { f(precision, recall) } / ORDERS as f64
    })
}

/// F of the means over orders, or the mean precision.
fn of_averages(operations: &[Operation; ORDERS], precision_only: bool) -> f64 {
    let (mut precisions, mut recalls) = (0.0, 0.0);
    for operation in operations {
        let (precision, recall) = precision_and_recall(operation);
        precisions += precision;
        recalls += recall;
    }
    let (precision, recall) = (precisions / ORDERS as f64, recalls / ORDERS as f64);
    if precision_only { precision } else { f(precision, recall) }
}

fn precision_and_recall(operation: &Operation) -> (f64, f64) {
    let ratio = |all: u64| if all == 0 { 0.0 } else { operation.correct as f64 / all as f64 };
    (ratio(operation.hypothesis), ratio(operation.references))
}

fn f(precision: f64, recall: f64) -> f64 {
    if precision > 0.0 && recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
}

//! The laws of statistics that are rows of counts.

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt::Debug;

use quickcheck::{Arbitrary, Gen};

use super::{corpora, name, observe_all};
use crate::{Linear, Metric, Observe, SegmentCounts, State, Tagged, add_columns};

/// Rows add as states merge, rows are read back, and retracting inverts merging; hostile rows are refused, and never
/// panic.
///
/// # Panics
/// When a law is broken.
pub fn check_linear<S, O, M>(metric: &M, generate: impl Fn(&mut Gen) -> O)
where
    S: ?Sized,
    O: Borrow<S> + Clone + Debug,
    M: Observe<S>,
    M::Stats: Linear + PartialEq + Debug,
{
    let columns = metric.zero().column_names();
    for (index, column) in columns.iter().enumerate() {
        assert!(!columns[..index].contains(column), "two columns are called `{column}`");
    }
    for corpus in corpora(&generate) {
        let (left, right) = corpus.split_at(corpus.len() / 2);
        let (a, b) = (observe_all::<S, O, M>(metric, left), observe_all::<S, O, M>(metric, right));
        check_pair(metric, &a, &b);
        assert_eq!(a.stats().row().len(), columns.len(), "one count for each column");
    }
    check_limits(metric, columns.len());
    check_hostile_rows(metric, columns.len());
}

fn check_pair<M>(metric: &M, a: &State<M::Stats>, b: &State<M::Stats>)
where
    M: Metric,
    M::Stats: Linear + PartialEq + Debug,
{
    let mut ab = a.clone();
    assert_eq!(ab.merge(b), Ok(()));
    let sum: Vec<u64> = a.row().iter().zip(b.row()).map(|(x, y)| x + y).collect();
    assert_eq!(ab.row(), sum, "rows: row(a ⊕ b) = row(a) + row(b)");
    let mut derived = a.stats().clone();
    assert_eq!(add_columns(&mut derived, b.stats()), Ok(()));
    assert_eq!(&derived, ab.stats(), "adding is what follows from the columns");
    let mut read = metric.zero();
    assert_eq!(read.read_row(&ab.stats().row()), Ok(()));
    assert_eq!(&read, ab.stats(), "a row is read back");
    assert_eq!(ab.retract(metric, b), Ok(()));
    assert_eq!(&ab, a, "retraction: (a ⊕ b) ⊖ b = a");
    let mut less = a.clone();
    if a.counts().segments < b.counts().segments {
        assert!(less.retract(metric, b).is_err(), "what was never in is taken out");
        assert_eq!(&less, a, "after an error the state is unchanged");
    }
}

fn check_limits<M>(metric: &M, columns: usize)
where
    M: Metric,
    M::Stats: Linear + PartialEq + Debug,
{
    if columns == 0 {
        return;
    }
    let row: Vec<u64> = (0..columns).map(|_| u64::MAX).collect();
    let mut full = metric.zero();
    assert_eq!(full.read_row(&row), Ok(()));
    let before = full.clone();
    assert!(full.add(&before).is_err(), "{}: a count beyond 64 bits is merged", name(metric));
    assert_eq!(full, before, "after an error the statistics are unchanged");
    let mut zero = metric.zero();
    assert!(zero.retract(&full).is_err(), "a count below zero is an error");
    assert!(zero.read_row(&row[1..]).is_err(), "a row of another length is an error");
    assert_eq!(zero, metric.zero(), "after an error the statistics are unchanged");
}

/// Random rows, small and near the limit, as statistics that claim to be the metric's.
fn check_hostile_rows<M>(metric: &M, columns: usize)
where
    M: Metric,
    M::Stats: Linear,
{
    for seed in 0..500 {
        let mut generator = Gen::from_size_and_seed(8, seed);
        let mut count = || match u8::arbitrary(&mut generator) % 4 {
            0 => u64::arbitrary(&mut generator),
            1 => u64::MAX,
            _ => u64::arbitrary(&mut generator) % 4,
        };
        let row: Vec<u64> = (0..columns).map(|_| count()).collect();
        let counts = SegmentCounts { segments: count(), references: count(), references_squared: count() };
        let mut stats = metric.zero();
        assert_eq!(stats.read_row(&row), Ok(()));
        let _ = metric.finalize(&stats, &counts);
        if let Ok(state) = Tagged::new(metric.state_key(), counts, stats).open(metric) {
            let _ = state.score(metric);
            let _ = state.clone().merge(&state);
            let _ = state.clone().retract(metric, &state);
        }
    }
}

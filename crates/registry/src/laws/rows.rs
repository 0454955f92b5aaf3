//! Property tests of statistics that are rows of counts, and of statistics that are not.

use bleuprint_core::score_row;

use super::form::Door;
use super::prelude::*;
use super::seen::{LawSubject, SeenScores};

impl SeenScores<'_> {
    /// Tests statistics that are rows of counts. The row of a merged state must be the sum of the rows. A row
    /// that is read back must give the same score, and subtracting must undo merging.
    pub(super) fn rows(&self) -> Held {
        let SeenScores { subject, whole, .. } = self;
        same("rows", "whether they are", &whole.stats().is_row(), &subject.zero.is_row())?;
        if !whole.stats().is_row() {
            return refuses_rows(&*subject.metric, whole);
        }
        let columns = subject.zero.column_names();
        same("columns", "names after observing", &whole.stats().column_names(), &columns)?;
        let middle = self.segments.len() / 2;
        let a = &self.firsts[middle];
        let b = subject.state(&self.segments[middle..])?;
        let sum = row(a)?.iter().zip(row(&b)?).map(|(x, y)| x + y).collect();
        same("rows", "row(a ⊕ b) beside row(a) + row(b)", &row(whole)?, &sum)?;
        let read = fine("rows", "reading a row", State::from_row(&*subject.metric, &sum))?;
        same_states("rows", "what is read from a row", &read, whole)?;
        let number = score_row(&*subject.metric, &sum).map(|number| vec![number]);
        let expected = subject.metric.number(whole.stats(), whole.counts()).map(|number| vec![number]);
        same_scores("rows", "the score of a row", &number, &expected)?;
        for (out, left) in [(&b, a), (a, &b)] {
            let mut less = whole.clone();
            fine("retraction", "what was merged in", less.retract(&*subject.metric, out))?;
            same_states("retraction", "(a ⊕ b) ⊖ b", &less, left)?;
        }
        let mut less = a.clone();
        // With fewer segments than `b`, `a` cannot contain `b`, so subtracting must fail.
        if a.counts().segments < b.counts().segments {
            let retracted = less.retract(&*subject.metric, &b);
            require!("retraction", retracted.is_err(), "statistics that were never merged are subtracted");
            same_states("errors", "after an error the state is unchanged", &less, a)?;
        }
        Ok(())
    }
}

fn row(state: &State<AnyStats>) -> Held<Vec<u64>> {
    let row = fine("rows", "writing a row", state.row())?;
    let columns = SegmentCounts::COLUMNS + state.stats().column_names().len();
    same("rows", "the length of a row beside its columns", &row.len(), &columns)?;
    Ok(row)
}

/// Tests that statistics that are not rows of counts reject operations on rows and have no columns.
fn refuses_rows(metric: &Door<'_, [u8]>, state: &State<AnyStats>) -> Held {
    const LAW: &str = "no row";
    let refused = |what: &str, result: Result<()>| {
        let refused =
            result.as_ref().is_err_and(|error| matches!(error.kind(), InputErrorKind::NotLinear { .. }));
        require!(LAW, refused, "{what} should be refused as not linear: {result:?}");
        Ok(())
    };
    let mut stats = state.stats().clone();
    let mut after = state.clone();
    let mut row = vec![7];
    same(LAW, "columns", &stats.column_names(), &Vec::new())?;
    refused("writing", stats.write_row(&mut row))?;
    same(LAW, "the row after it was refused", &row, &vec![7])?;
    for row in [&[][..], &[1], &[1, 2, 3]] {
        refused("reading", stats.read_row(row))?;
    }
    refused("subtracting", stats.retract(state.stats()))?;
    same(LAW, "after an error the statistics are unchanged", &stats, state.stats())?;
    refused("the metric's word", metric.require_rows("be a row"))?;
    refused("the row of a state", state.row().map(|_| ()))?;
    refused("the score of a row", score_row(metric, &[1, 1, 1]).map(|_| ()))?;
    refused("a state of a row", State::from_row(metric, &[1, 1, 1]).map(|_| ()))?;
    refused("subtracting a state", after.retract(metric, state))?;
    same_states(LAW, "after an error the state is unchanged", &after, state)
}

impl LawSubject<'_> {
    /// Tests that the columns of a row of counts have distinct names, and that an overflow gives an error and
    /// changes nothing.
    pub(super) fn columns(&self) -> Held {
        if !self.zero.is_row() {
            return refuses_rows(&*self.metric, &State::zero(&*self.metric));
        }
        let names = self.zero.column_names();
        let twice = names.iter().enumerate().find(|(index, name)| names[..*index].contains(name));
        require!("columns", twice.is_none(), "a name occurs twice: {names:?}");
        // A leading 7 shows whether the row is appended to, as the contract requires, or overwritten.
        let mut row = vec![7];
        fine("columns", "writing a row", self.zero.write_row(&mut row))?;
        require!(
            "columns",
            row.len() == 1 + names.len() && row[0] == 7,
            "{row:?} is written behind [7]: {names:?}"
        );
        fine("columns", "the metric's word", self.metric.require_rows("be a row"))?;
        if names.is_empty() { Ok(()) } else { self.limits(names.len()) }
    }

    fn limits(&self, columns: usize) -> Held {
        const LAW: &str = "limits";
        let row = vec![u64::MAX; columns];
        let mut full = self.zero.clone();
        let mut zero = self.zero.clone();
        fine(LAW, "reading a full row", full.read_row(&row))?;
        let before = full.clone();
        require!(LAW, full.merge(&before).is_err(), "counts beyond 64 bits are merged");
        require!(LAW, full.check_merge(&before).is_err(), "counts beyond 64 bits would be merged");
        same(LAW, "after an error", &full, &before)?;
        require!(LAW, zero.retract(&full).is_err(), "counts below zero are given");
        for row in [&row[1..], &[], &vec![0; columns + 1]] {
            require!(
                LAW,
                zero.read_row(row).is_err(),
                "a row of {} counts is read, not of {columns}",
                row.len()
            );
        }
        same(LAW, "after an error", &zero, &self.zero)
    }
}

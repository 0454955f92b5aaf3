//! Shared part of all aggregates: a total for each group of a partition, or for one frame of a window.

use std::fmt;

use datafusion::arrow::array::{Array as _, ArrayRef, BooleanArray};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{Accumulator, EmitTo, GroupsAccumulator};

/// Rules that turn rows into totals and totals into results. A group without rows has no total.
pub(crate) trait Totals: Send + Sync + Sized + 'static {
    type Total: Send + Sync;
    /// Adds every row that `keep` accepts to its group.
    fn update(
        &mut self,
        values: &[ArrayRef],
        keep: impl Fn(usize) -> bool,
        totals: &mut [Option<Self::Total>],
        group: impl Fn(usize) -> usize,
    ) -> Result<()>;
    /// Adds the totals of other processes; they are null for groups without rows.
    fn merge(
        &mut self,
        states: &ArrayRef,
        totals: &mut [Option<Self::Total>],
        group: impl Fn(usize) -> usize,
    ) -> Result<()>;
    /// Subtracts a total that has left a window.
    fn subtract(&self, total: &mut Option<Self::Total>, left: Self::Total) -> Result<()>;
    fn finish(&self, totals: &[Option<Self::Total>]) -> Result<ArrayRef>;
    fn states(&self, totals: &[Option<Self::Total>]) -> Result<ArrayRef> {
        self.finish(totals)
    }
    fn fresh(&self) -> Self;
    fn size_of_group(&self) -> usize;
    fn is_linear(&self) -> bool {
        true
    }
}

/// All groups of a partition; an [`Accumulator`] has one group.
pub(crate) struct Groups<T: Totals> {
    of: T,
    totals: Vec<Option<T::Total>>,
}

impl<T: Totals> Groups<T> {
    pub(crate) fn new(of: T) -> Self {
        Groups { of, totals: Vec::new() }
    }

    fn grow(&mut self, count: usize) {
        // DataFusion numbers groups in order and never takes one back, so the list only grows.
        self.totals.resize_with(self.totals.len().max(count), || None);
    }
}

impl<T: Totals> fmt::Debug for Groups<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Groups").field("count", &self.totals.len()).finish_non_exhaustive()
    }
}

fn kept(filter: Option<&BooleanArray>) -> impl Fn(usize) -> bool + '_ {
    move |row| filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row))
}

impl<T: Totals> Accumulator for Groups<T> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.grow(1);
        self.of.update(values, |_| true, &mut self.totals, |_| 0)
    }
    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.grow(1);
        ScalarValue::try_from_array(&self.of.finish(&self.totals)?, 0)
    }
    fn size(&self) -> usize {
        GroupsAccumulator::size(self)
    }
    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.grow(1);
        Ok(vec![ScalarValue::try_from_array(&self.of.states(&self.totals)?, 0)?])
    }
    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.grow(1);
        self.of.merge(&states[0], &mut self.totals, |_| 0)
    }
    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.grow(1);
        // The leaving rows are counted alone, and their total is then subtracted.
        let mut left = [None];
        self.of.update(values, |_| true, &mut left, |_| 0)?;
        let [left] = left;
        left.map_or(Ok(()), |left| self.of.subtract(&mut self.totals[0], left))
    }
    fn supports_retract_batch(&self) -> bool {
        self.of.is_linear()
    }
}

impl<T: Totals> GroupsAccumulator for Groups<T> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        count: usize,
    ) -> Result<()> {
        self.grow(count);
        self.of.update(values, kept(filter), &mut self.totals, |row| groups[row])
    }
    fn evaluate(&mut self, emit: EmitTo) -> Result<ArrayRef> {
        self.of.finish(&emit.take_needed(&mut self.totals))
    }
    fn state(&mut self, emit: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(vec![self.of.states(&emit.take_needed(&mut self.totals))?])
    }
    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], count: usize) -> Result<()> {
        self.grow(count);
        self.of.merge(&states[0], &mut self.totals, |row| groups[row])
    }
    /// Returns a state for every row, for queries with too many groups for a partial aggregation.
    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let mut of = self.of.fresh();
        let count = values[0].len();
        let mut totals: Vec<Option<T::Total>> = (0..count).map(|_| None).collect();
        of.update(values, kept(filter), &mut totals, |row| row)?;
        Ok(vec![of.states(&totals)?])
    }
    fn size(&self) -> usize {
        size_of::<Self>() + self.totals.capacity() * self.of.size_of_group()
    }
}

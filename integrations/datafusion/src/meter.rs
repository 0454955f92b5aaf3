//! Work of aggregates on a batch of rows: observes segments or merges states into the totals of their
//! groups.

use std::sync::{Arc, Mutex, PoisonError};

use bleuprint::contract::{Observe, SegmentCounts, Stats as _};
use bleuprint::eval::{PanelScratch, PanelStats};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, BinaryBuilder, Float64Array};
use datafusion::common::{DataFusionError, Result, exec_datafusion_err};

use crate::aggregate::Role;
use crate::catalogue::{Catalogue, Chosen, external};
use crate::columns::{Ids, Place, Read, Texts, View, each};
use crate::groups::Totals;
use crate::own::Values;
use crate::state::{Opener, Total, at_place, require_like, score, to_bytes};

/// Total of a group; `None` until its first segment or state.
type Group = Option<Total>;

pub(crate) struct Meter {
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) function: String,
    pub(crate) role: Role,
    /// Number of arguments before the columns.
    pub(crate) skip: usize,
    pub(crate) names: Vec<String>,
    /// Metric of the aggregate. For `metric_merge` it is the metric of the first state, unless the query
    /// names one.
    pub(crate) chosen: Option<Arc<Chosen>>,
    pub(crate) opener: Opener,
    pub(crate) before: u64,
    /// Scratch memory. It is never locked: an `Accumulator` must be `Sync`, and scratch is not.
    pub(crate) scratch: Mutex<PanelScratch>,
}

impl Meter {
    fn observe<'a, R: Read<'a>>(
        &mut self,
        values: &'a [ArrayRef],
        keep: impl Fn(usize) -> bool,
        groups: &mut [Group],
        group: impl Fn(usize) -> usize,
    ) -> Result<()>
    where
        bleuprint::eval::Panel: Observe<R::Item, Stats = PanelStats, Scratch = PanelScratch>,
    {
        let chosen = self.chosen.clone();
        let observer = chosen.as_ref().and_then(|chosen| Some((&chosen.metric, chosen.panel.as_ref()?)));
        let (metric, panel) =
            observer.ok_or_else(|| exec_datafusion_err!("{} has no metric", self.function))?;
        let scratch = self.scratch.get_mut().unwrap_or_else(PoisonError::into_inner);
        let place = Place { names: &self.names, before: self.before, within: PARTITION };
        let function = &self.function;
        each::<R>(&values[self.skip..], metric, &place, keep, |row, segment| {
            let zero = || Total {
                counts: SegmentCounts::default(),
                stats: bleuprint::contract::Metric::zero(panel),
            };
            let total = groups[group(row)].get_or_insert_with(zero);
            // Counts are copied and stored only after success, so a rejected segment leaves the total
            // unchanged.
            let mut counts = total.counts;
            let own = SegmentCounts::of_segment(segment.references.len());
            let added = counts
                .merge(&own)
                .and_then(|()| Observe::<R::Item>::observe(panel, scratch, &mut total.stats, segment));
            added.map_err(|error| place.wrong(0, row, format!("in {function}: {error}")))?;
            total.counts = counts;
            Ok(())
        })?;
        self.before += values[0].len() as u64;
        Ok(())
    }

    /// Merges states into the groups; states of groups without segments are null.
    fn merge_states(
        &mut self,
        states: &ArrayRef,
        keep: impl Fn(usize) -> bool,
        groups: &mut [Group],
        group: impl Fn(usize) -> usize,
    ) -> Result<()> {
        let name = match (self.role, self.names.first()) {
            (Role::Merge, Some(name)) => name.clone(),
            _ => format!("states of {}", self.function),
        };
        let named = self.opener.named.is_some() || self.role != Role::Merge;
        let states = states.as_binary::<i32>();
        for row in (0..states.len()).filter(|&row| states.is_valid(row) && keep(row)) {
            let place = format!("{name}[{}]", self.before + row as u64);
            let at = |error: DataFusionError| at_place(error, &place);
            let (chosen, state) = self.opener.open(&self.catalogue, states.value(row), &place).map_err(at)?;
            match &mut self.chosen {
                Some(own) => {
                    require_like(own, &chosen, named, &self.function).map_err(at)?;
                    // The smallest name is used, so that the result does not depend on the order of states.
                    if self.role == Role::Merge && !named && chosen.name < own.name {
                        *own = chosen;
                    }
                }
                none => *none = Some(chosen),
            }
            match (&mut groups[group(row)], Total::of(state)) {
                (Some(total), state) => total.merge(&state).map_err(at)?,
                (total, state) => *total = Some(state),
            }
        }
        self.before += states.len() as u64;
        Ok(())
    }

    fn bytes(&self, group: &Group) -> Result<Option<Vec<u8>>> {
        match (&self.chosen, group) {
            (Some(chosen), Some(total)) if total.counts.segments > 0 => {
                to_bytes(chosen, &total.state(&chosen.metric)?).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn score(&self, group: &Group) -> Result<Option<f64>> {
        match (&self.chosen, group) {
            (Some(chosen), Some(total)) => score(chosen, &total.state(&chosen.metric)?),
            _ => Ok(None),
        }
    }
}

impl Totals for Meter {
    type Total = Total;

    fn update(
        &mut self,
        values: &[ArrayRef],
        keep: impl Fn(usize) -> bool,
        groups: &mut [Group],
        group: impl Fn(usize) -> usize,
    ) -> Result<()> {
        if self.role == Role::Merge {
            let states = &values[self.skip];
            // A null in the user's column is an error like any other null. Null states between processes are
            // empty groups, and `merge` skips them.
            if let Some(row) = (0..states.len()).find(|&row| states.is_null(row) && keep(row)) {
                let place = Place { names: &self.names, before: self.before, within: PARTITION };
                return Err(place.null(0, row));
            }
            return self.merge_states(states, keep, groups, group);
        }
        match self.chosen.as_ref().map_or(View::Text, |chosen| chosen.view) {
            View::Text => self.observe::<Texts<'_>>(values, keep, groups, group),
            View::Ids => self.observe::<Ids<'_>>(values, keep, groups, group),
            View::Own => self.observe::<Values>(values, keep, groups, group),
        }
    }

    fn merge(
        &mut self,
        states: &ArrayRef,
        groups: &mut [Group],
        group: impl Fn(usize) -> usize,
    ) -> Result<()> {
        self.merge_states(states, |_| true, groups, group)
    }

    fn subtract(&self, total: &mut Group, left: Total) -> Result<()> {
        if let (Some(own), Some(chosen)) = (total.as_mut(), &self.chosen) {
            let mut state = own.state(&chosen.metric)?;
            let left = left.state(&chosen.metric)?;
            state.retract(&chosen.metric, &left).map_err(external)?;
            *own = Total::of(state);
        }
        Ok(())
    }

    fn finish(&self, groups: &[Group]) -> Result<ArrayRef> {
        if self.role != Role::Score {
            return self.states(groups);
        }
        Ok(Arc::new(groups.iter().map(|group| self.score(group)).collect::<Result<Float64Array>>()?))
    }

    fn states(&self, groups: &[Group]) -> Result<ArrayRef> {
        // A state has some hundred bytes; the estimate avoids repeated growth for many groups.
        let mut builder = BinaryBuilder::with_capacity(groups.len(), groups.len() * 512);
        for group in groups {
            builder.append_option(self.bytes(group)?);
        }
        Ok(Arc::new(builder.finish()))
    }

    fn fresh(&self) -> Self {
        Meter {
            catalogue: self.catalogue.clone(),
            function: self.function.clone(),
            names: self.names.clone(),
            chosen: self.chosen.clone(),
            opener: Opener::new(self.opener.named.clone()),
            scratch: Mutex::default(),
            ..*self
        }
    }

    /// Returns an estimate of the bytes of a group. Sets take more, but the library does not report how
    /// much.
    fn size_of_group(&self) -> usize {
        let columns = self.chosen.as_ref().and_then(|chosen| chosen.columns.as_ref()).map_or(0, Vec::len);
        size_of::<Group>() + 64 + 8 * columns
    }

    fn is_linear(&self) -> bool {
        self.chosen.as_ref().is_none_or(|chosen| chosen.columns.is_some())
    }
}

const PARTITION: &str = "the partition of the query that failed";

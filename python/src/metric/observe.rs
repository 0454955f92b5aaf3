//! Runs a panel (set of metrics) over segments and returns statistics in total, per group or per segment.

use std::ops::Range;
use std::sync::Arc;

use bleuprint::eval::{Panel, PanelScratch, PanelState, PanelStats};
use bleuprint::{
    Location, Metric as _, Observe, Result, Segment, SegmentCounts, State, Stats as _, contract::Linear as _,
};
use pyo3::prelude::*;

use crate::errors::OrRaise as _;
use crate::metric::mistakes::warn_of_weights;
use crate::run::{WatchPlan, each};
use crate::segments::lists::ListInput;

pub(crate) fn total(
    py: Python<'_>,
    plan: &WatchPlan,
    panel: &Panel,
    input: &ListInput,
) -> PyResult<PanelState> {
    let mut total = totals(py, plan, panel, input, &SegmentGroupIds::default())?;
    Ok(total.pop().unwrap_or_else(|| State::zero(panel)))
}

/// Group number of each segment, below `count`. If `of` is empty, all segments belong to group 0.
pub(crate) struct SegmentGroupIds {
    pub(crate) of: Vec<u32>,
    pub(crate) count: usize,
}

impl Default for SegmentGroupIds {
    fn default() -> Self {
        SegmentGroupIds { of: Vec::new(), count: 1 }
    }
}

pub(crate) fn totals(
    py: Python<'_>,
    plan: &WatchPlan,
    panel: &Panel,
    input: &ListInput,
    groups: &SegmentGroupIds,
) -> PyResult<Vec<PanelState>> {
    let worker = || GroupWorker::new(panel, groups);
    let workers = each(py, plan, input.len(), panel.batch(), worker, |worker, range| {
        let start = range.start;
        match input {
            ListInput::Texts(segments) => segments.with(range, |segments| worker.add(start, segments)),
            ListInput::Ids(segments) => segments.with(range, |segments| worker.add(start, segments)),
            ListInput::Own(segments) => segments.with(range, |segments| worker.add(start, segments)),
        }
    })?;
    let mut totals: Vec<PanelState> = (0..groups.count).map(|_| State::zero(panel)).collect();
    for worker in workers {
        for (total, (counts, stats)) in totals.iter_mut().zip(worker.totals) {
            total.merge(&State::from_stats(panel, counts, stats).or_raise()?).or_raise()?;
        }
    }
    Ok(totals)
}

/// Calls `make` with the statistics of each segment, and returns the results in segment order.
pub(crate) fn map_segments<T: Send>(
    py: Python<'_>,
    plan: &WatchPlan,
    panel: &Panel,
    input: &ListInput,
    make: impl Fn(SegmentCounts, PanelStats) -> Result<T> + Sync,
) -> PyResult<Vec<T>> {
    let worker = || (PanelScratch::default(), Vec::new());
    let step = |(scratch, made): &mut (PanelScratch, Vec<(usize, Vec<T>)>), range: Range<usize>| {
        let start = range.start;
        let segments = match input {
            ListInput::Texts(segments) => segments.with(range, |segments| counted(panel, scratch, segments)),
            ListInput::Ids(segments) => segments.with(range, |segments| counted(panel, scratch, segments)),
            ListInput::Own(segments) => segments.with(range, |segments| counted(panel, scratch, segments)),
        }?;
        let make = |(number, (counts, stats))| {
            make(counts, stats).map_err(|error| error.at(Location::segment(number)))
        };
        made.push((start, (1..).zip(segments).map(make).collect::<Result<_, _>>()?));
        Ok(())
    };
    let workers = each(py, plan, input.len(), panel.batch(), worker, step)?;
    Ok(in_order(workers.into_iter().map(|(_, made)| made)))
}

/// Combines the results of several threads and returns them in segment order. Each item of `made` is one
/// thread's list of chunks, and each chunk begins with the index of its first segment.
pub(crate) fn in_order<T>(made: impl Iterator<Item = Vec<(usize, Vec<T>)>>) -> Vec<T> {
    let mut parts: Vec<(usize, Vec<T>)> = made.flatten().collect();
    parts.sort_by_key(|(start, _)| *start);
    parts.into_iter().flat_map(|(_, made)| made).collect()
}

/// Returns the counts of all segments as `width` columns, with one row per segment. The columns are the
/// numbers of segments and references, then the counts of the metric.
pub(crate) fn counts(
    py: Python<'_>,
    plan: &WatchPlan,
    panel: &Panel,
    width: usize,
    input: &ListInput,
) -> PyResult<Vec<Vec<u64>>> {
    // With one thread the number of rows is known. With several threads each gets an unknown share.
    let rows = if plan.threads() > 1 { 0 } else { input.len() };
    let worker = || ThreadCounter::new(panel, width, rows);
    let step = |counter: &mut ThreadCounter<'_>, range: Range<usize>| {
        counter.parts.push((range.start, range.len()));
        match input {
            ListInput::Texts(segments) => segments.with(range, |segments| counter.add(segments)),
            ListInput::Ids(segments) => segments.with(range, |segments| counter.add(segments)),
            ListInput::Own(segments) => segments.with(range, |segments| counter.add(segments)),
        }
    };
    let mut workers = each(py, plan, input.len(), panel.batch(), worker, step)?;
    if let [only] = &mut workers[..] {
        return Ok(std::mem::take(&mut only.columns));
    }
    // Workers take chunks in any order, so their parts are sorted by the first segment.
    let mut parts: Vec<(usize, usize, Range<usize>)> = Vec::new();
    for (number, worker) in workers.iter().enumerate() {
        let mut from = 0;
        for &(start, len) in &worker.parts {
            parts.push((start, number, from..from + len));
            from += len;
        }
    }
    parts.sort_unstable_by_key(|(start, ..)| *start);
    let column = |at: usize| {
        let parts = parts.iter().flat_map(|(_, worker, rows)| &workers[*worker].columns[at][rows.clone()]);
        parts.copied().collect()
    };
    Ok((0..width).map(column).collect())
}

/// Counts of the segments that one thread has processed, stored as columns, with the thread's scratch memory.
struct ThreadCounter<'p> {
    panel: &'p Panel,
    scratch: PanelScratch,
    zero: PanelStats,
    stats: PanelStats,
    /// Counts of the latest chunk of segments, row by row. They are still in the CPU cache when they are
    /// split into columns.
    rows: Vec<u64>,
    columns: Vec<Vec<u64>>,
    /// Index of the first segment, and number of segments, of each chunk that the thread has processed.
    parts: Vec<(usize, usize)>,
}

impl<'p> ThreadCounter<'p> {
    fn new(panel: &'p Panel, width: usize, rows: usize) -> Self {
        let columns = (0..width).map(|_| Vec::with_capacity(rows)).collect();
        let zero = panel.zero();
        let stats = panel.zero();
        let scratch = PanelScratch::default();
        ThreadCounter { panel, scratch, zero, stats, rows: Vec::new(), columns, parts: Vec::new() }
    }

    fn add<S: ?Sized>(&mut self, segments: &[Segment<'_, S>]) -> Result<()>
    where
        Panel: Observe<S>,
    {
        self.rows.clear();
        if self.panel.batch() > 1 {
            let apart = apart(self.panel, &mut self.scratch, segments)?;
            for (stats, segment) in apart.iter().zip(segments) {
                write_row(&mut self.rows, stats, segment)?;
            }
        } else {
            for (number, segment) in (1..).zip(segments) {
                // One state is reused for all segments; `clone_from` clears it without an allocation.
                self.stats.clone_from(&self.zero);
                let observed = self.panel.observe(&mut self.scratch, &mut self.stats, *segment);
                observed.map_err(|error| error.at(Location::segment(number)))?;
                write_row(&mut self.rows, &self.stats, segment)?;
            }
        }
        let width = self.columns.len();
        for (at, column) in self.columns.iter_mut().enumerate() {
            column.extend(self.rows.chunks_exact(width).map(|row| row[at]));
        }
        Ok(())
    }
}

fn write_row<S: ?Sized>(rows: &mut Vec<u64>, stats: &PanelStats, segment: &Segment<'_, S>) -> Result<()> {
    let SegmentCounts { segments, references, references_squared } = counts_of(segment);
    rows.extend([segments, references, references_squared]);
    stats.write_row(rows)
}

fn apart<S: ?Sized>(
    panel: &Panel,
    scratch: &mut PanelScratch,
    segments: &[Segment<'_, S>],
) -> Result<Vec<PanelStats>>
where
    Panel: Observe<S>,
{
    let mut apart: Vec<PanelStats> = segments.iter().map(|_| panel.zero()).collect();
    panel.observe_each(scratch, &mut apart, segments)?;
    Ok(apart)
}

fn counted<S: ?Sized>(
    panel: &Panel,
    scratch: &mut PanelScratch,
    segments: &[Segment<'_, S>],
) -> Result<Vec<(SegmentCounts, PanelStats)>>
where
    Panel: Observe<S>,
{
    Ok(segments.iter().map(counts_of).zip(apart(panel, scratch, segments)?).collect())
}

fn counts_of<S: ?Sized>(segment: &Segment<'_, S>) -> SegmentCounts {
    SegmentCounts::of_segment(segment.references.len())
}

/// Totals per group of the segments that one thread has processed, with the thread's scratch memory.
struct GroupWorker<'p> {
    panel: &'p Panel,
    scratch: PanelScratch,
    groups: &'p SegmentGroupIds,
    totals: Vec<(SegmentCounts, PanelStats)>,
}

impl<'p> GroupWorker<'p> {
    fn new(panel: &'p Panel, groups: &'p SegmentGroupIds) -> Self {
        let totals = (0..groups.count).map(|_| (SegmentCounts::default(), panel.zero())).collect();
        GroupWorker { panel, scratch: PanelScratch::default(), groups, totals }
    }

    /// Adds the counts of segments to the totals of their groups. `start` is the index of the first segment.
    fn add<S: ?Sized>(&mut self, start: usize, segments: &[Segment<'_, S>]) -> Result<()>
    where
        Panel: Observe<S>,
    {
        let GroupWorker { panel, scratch, groups, totals } = self;
        // A metric with batches is faster with `observe_each`, which needs a separate state for each
        // segment. Other metrics observe directly into the total.
        let apart = if panel.batch() > 1 { apart(panel, scratch, segments)? } else { Vec::new() };
        for (at, segment) in segments.iter().enumerate() {
            let group = groups.of.get(start + at).map_or(0, |group| *group as usize);
            let (counts, stats) = &mut totals[group];
            match apart.get(at) {
                Some(own) => stats.merge(own)?,
                None => panel
                    .observe(scratch, stats, *segment)
                    .map_err(|error| error.at(Location::segment(at as u64 + 1)))?,
            }
            counts.add(&counts_of(segment))?;
        }
        Ok(())
    }
}

/// Returns a panel (set of metrics) that can score this data. Metrics that need weights learn them from the
/// references of the data first. Shows a Python warning, unless `quiet`, if all weights are 0.
pub(crate) fn second_pass(
    py: Python<'_>,
    plan: &WatchPlan,
    panel: Arc<Panel>,
    input: &ListInput,
    quiet: bool,
) -> PyResult<Arc<Panel>> {
    let Some(first) = panel.first_pass() else { return Ok(panel) };
    let learned = total(py, &plan.silent(), &first, input)?;
    let panel = Panel::clone(&panel).second_pass(&learned).or_raise()?;
    if !quiet {
        warn_of_weights(py, &panel, input)?;
    }
    Ok(Arc::new(panel))
}

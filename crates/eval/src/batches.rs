//! The driver of batches: every door hands segments to a metric as many at a time as the metric wants.
//!
//! A batch ends at the first error: the segments before it are handed over as they are, the error belongs to its segment,
//! and no later one is looked at unless the door goes on.

use bleuprint_core::{InputError, Location, Metric, Observe, Result, Segment};

/// The most segments of a batch, whatever a metric wants.
const MOST: usize = 1 << 16;

/// The number of segments that a metric wants at a time, from 1.
pub(crate) fn batch_of<M: Metric + ?Sized>(metric: &M) -> usize {
    metric.batch().clamp(1, MOST)
}

/// The tables of one thread: scratch, and statistics that are used again.
pub(crate) struct ThreadTables<M: Metric> {
    pub(crate) scratch: M::Scratch,
    zero: M::Stats,
    stats: Vec<M::Stats>,
}

impl<M: Metric> ThreadTables<M> {
    pub(crate) fn new(metric: &M) -> Self {
        ThreadTables { scratch: M::Scratch::default(), zero: metric.zero(), stats: vec![metric.zero()] }
    }

    /// The statistics that `observe` adds to zero.
    pub(crate) fn alone(
        &mut self,
        observe: impl FnOnce(&mut M::Scratch, &mut M::Stats) -> Result<()>,
    ) -> Result<&M::Stats> {
        let ThreadTables { scratch, zero, stats } = self;
        stats.truncate(1);
        let Some(stats) = stats.first_mut() else { return Ok(zero) };
        stats.clone_from(zero);
        // A metric that observes one by one as a batch has numbered it.
        observe(scratch, stats).map_err(|error| error.renumbered(Location::default()))?;
        Ok(stats)
    }
}

/// Observes each item as a segment of its own, and hands its statistics or its error to `each`, in order.
///
/// # Errors
/// Those of `each`, which ends the work.
pub(crate) fn observe_apart<'s, M, S, I>(
    metric: &M,
    tables: &mut ThreadTables<M>,
    items: impl IntoIterator<Item = I>,
    segment: impl Fn(&I) -> Segment<'s, S>,
    mut each: impl FnMut(&I, Result<&M::Stats>) -> Result<()>,
) -> Result<()>
where
    M: Observe<S>,
    S: ?Sized + 's,
{
    let batch = batch_of(metric);
    if batch == 1 {
        return items.into_iter().try_for_each(|item| {
            let observed = tables.alone(|scratch, stats| metric.observe(scratch, stats, segment(&item)));
            each(&item, observed)
        });
    }
    in_batches(batch, items, |items| {
        let segments: Vec<Segment<'s, S>> = items.iter().map(&segment).collect();
        let mut done = 0;
        while done < items.len() {
            let failed = observe_before_error(metric, tables, &segments[done..]);
            let observed = tables.stats.len();
            for (item, stats) in items[done..].iter().zip(&tables.stats) {
                each(item, Ok(stats))?;
            }
            done += observed;
            if let Some(error) = failed {
                each(&items[done], Err(error))?;
                done += 1;
            }
        }
        Ok(())
    })
}

/// Hands items to `each`, `batch` at a time.
pub(crate) fn in_batches<I>(
    batch: usize,
    items: impl IntoIterator<Item = I>,
    mut each: impl FnMut(&[I]) -> Result<()>,
) -> Result<()> {
    let mut kept = Vec::new();
    for item in items {
        kept.push(item);
        if kept.len() == batch {
            each(&kept)?;
            kept.clear();
        }
    }
    if kept.is_empty() { Ok(()) } else { each(&kept) }
}

/// Fills the statistics of the tables with those of the segments before the first error, which is returned.
fn observe_before_error<M, S>(
    metric: &M,
    tables: &mut ThreadTables<M>,
    segments: &[Segment<'_, S>],
) -> Option<InputError>
where
    M: Observe<S>,
    S: ?Sized,
{
    let ThreadTables { scratch, zero, stats } = tables;
    up_to_error(segments, |segments| {
        stats.resize_with(segments.len(), || zero.clone());
        stats.iter_mut().for_each(|stats| stats.clone_from(zero));
        observe_in_batches(metric, scratch, stats, segments)
    })
}

/// Observes segments: the statistics of the segments before the first error, and the error.
pub(crate) fn observe_up_to_error<M, S>(
    metric: &M,
    scratch: &mut M::Scratch,
    segments: &[Segment<'_, S>],
) -> (Vec<M::Stats>, Option<InputError>)
where
    M: Observe<S>,
    S: ?Sized,
{
    let mut stats = Vec::new();
    let failed = up_to_error(segments, |segments| {
        stats = segments.iter().map(|_| metric.zero()).collect();
        observe_in_batches(metric, scratch, &mut stats, segments)
    });
    (stats, failed)
}

/// Statistics mean nothing after an error: `observe` is called again with the segments before it, if need be with none.
fn up_to_error<'s, 't, S: ?Sized>(
    mut segments: &'t [Segment<'s, S>],
    mut observe: impl FnMut(&'t [Segment<'s, S>]) -> Result<()>,
) -> Option<InputError> {
    let mut failed = None;
    while let Err(error) = observe(segments) {
        let before = within(&error).min(segments.len().saturating_sub(1));
        segments = &segments[..before];
        failed = Some(error.renumbered(Location::default()));
    }
    failed
}

/// Observes each segment into statistics of its own; metrics that want batches get no larger ones.
///
/// # Errors
/// Those of [`Observe::observe_each`].
pub(crate) fn observe_in_batches<M, S>(
    metric: &M,
    scratch: &mut M::Scratch,
    stats: &mut [M::Stats],
    segments: &[Segment<'_, S>],
) -> Result<()>
where
    M: Observe<S>,
    S: ?Sized,
{
    let batch = match batch_of(metric) {
        1 => segments.len().max(1),
        batch => batch,
    };
    let parts = stats.chunks_mut(batch).zip(segments.chunks(batch));
    for (part, (stats, segments)) in parts.enumerate() {
        metric.observe_each(scratch, stats, segments).map_err(|error| behind(part * batch, error))?;
    }
    Ok(())
}

/// The error of a segment that was counted behind `before` others.
pub(crate) fn behind(before: usize, error: InputError) -> InputError {
    let number = before + within(&error) + 1;
    error.renumbered(Location::segment(number as u64))
}

/// The number of segments before that of the error, among those that were observed together.
fn within(error: &InputError) -> usize {
    error.location().segment.unwrap_or(1).saturating_sub(1) as usize
}

//! Passes segments to a metric in batches of the size that the metric asks for, and collects the statistics
//! that the metric counts.
//!
//! A batch ends at the first error. Segments before the error keep their statistics, and the error names its
//! segment. Later segments are counted only if the caller continues after errors.

use bleuprint_core::{InputError, Location, Metric, Observe, Result, Segment};

/// Greatest number of segments that are passed to a metric in one batch, whatever the metric asks for.
const MOST: usize = 1 << 16;

/// Returns the number of segments that a metric asks for in one batch, at least 1.
pub(crate) fn batch_of<M: Metric + ?Sized>(metric: &M) -> usize {
    metric.batch().clamp(1, MOST)
}

/// Working memory of one thread for one metric: the metric's scratch buffers, and statistics that are reused
/// between segments.
pub(crate) struct ThreadTables<M: Metric> {
    pub(crate) scratch: M::Scratch,
    zero: M::Stats,
    stats: Vec<M::Stats>,
}

impl<M: Metric> ThreadTables<M> {
    pub(crate) fn new(metric: &M) -> Self {
        ThreadTables { scratch: M::Scratch::default(), zero: metric.zero(), stats: vec![metric.zero()] }
    }

    /// Counts one segment by calling `observe` with statistics that are set to zero, and returns these
    /// statistics.
    pub(crate) fn alone(
        &mut self,
        observe: impl FnOnce(&mut M::Scratch, &mut M::Stats) -> Result<()>,
    ) -> Result<&M::Stats> {
        let ThreadTables { scratch, zero, stats } = self;
        stats.truncate(1);
        let Some(stats) = stats.first_mut() else { return Ok(zero) };
        stats.clone_from(zero);
        // A metric that observes segments one by one may number the error within a batch of one. That number
        // would mislead, so the caller sets the location.
        observe(scratch, stats).map_err(|error| error.renumbered(Location::default()))?;
        Ok(stats)
    }
}

/// Computes a metric's statistics of each item as a separate segment, and passes the statistics or the error
/// to `each`, in order.
///
/// # Errors
/// Returns the first error of `each`, which ends the work.
pub(crate) fn observe_apart<'s, M, S, R, C, I>(
    metric: &M,
    tables: &mut ThreadTables<M>,
    items: impl IntoIterator<Item = I>,
    segment: impl Fn(&I) -> Segment<'s, S, R, C>,
    mut each: impl FnMut(&I, Result<&M::Stats>) -> Result<()>,
) -> Result<()>
where
    M: Observe<S, R, C>,
    S: ?Sized + 's,
    R: ?Sized + 's,
    C: ?Sized + 's,
{
    let batch = batch_of(metric);
    // Batches of one need no list of segments, and most metrics use them.
    if batch == 1 {
        return items.into_iter().try_for_each(|item| {
            let observed = tables.alone(|scratch, stats| metric.observe(scratch, stats, segment(&item)));
            each(&item, observed)
        });
    }
    in_batches(batch, items, |items| {
        let segments: Vec<Segment<'s, S, R, C>> = items.iter().map(&segment).collect();
        let mut done = 0;
        while done < items.len() {
            let failed = observe_before_error(metric, tables, &segments[done..]);
            let observed = tables.stats.len();
            for (item, stats) in items[done..].iter().zip(&tables.stats) {
                each(item, Ok(stats))?;
            }
            done += observed;
            if let Some(error) = failed {
                // The segment behind the error is observed in the next round: one bad segment costs a second
                // call, never the statistics of its neighbours.
                each(&items[done], Err(error))?;
                done += 1;
            }
        }
        Ok(())
    })
}

/// Calls `each` with slices of at most `batch` items, in order; only the last slice may be shorter.
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

/// Computes the metric's statistics of each segment up to the first error, and returns that error. The
/// statistics are stored in `tables`.
fn observe_before_error<M, S, R, C>(
    metric: &M,
    tables: &mut ThreadTables<M>,
    segments: &[Segment<'_, S, R, C>],
) -> Option<InputError>
where
    M: Observe<S, R, C>,
    S: ?Sized,
    R: ?Sized,
    C: ?Sized,
{
    let ThreadTables { scratch, zero, stats } = tables;
    up_to_error(segments, |segments| {
        stats.resize_with(segments.len(), || zero.clone());
        // Statistics are overwritten, not allocated again: `clone_from` keeps their buffers.
        stats.iter_mut().for_each(|stats| stats.clone_from(zero));
        observe_in_batches(metric, scratch, stats, segments)
    })
}

/// Computes the metric's statistics of each segment up to the first error. Returns these statistics and the
/// error.
pub(crate) fn observe_up_to_error<M, S, R, C>(
    metric: &M,
    scratch: &mut M::Scratch,
    segments: &[Segment<'_, S, R, C>],
) -> (Vec<M::Stats>, Option<InputError>)
where
    M: Observe<S, R, C>,
    S: ?Sized,
    R: ?Sized,
    C: ?Sized,
{
    let mut stats = Vec::new();
    let failed = up_to_error(segments, |segments| {
        stats = segments.iter().map(|_| metric.zero()).collect();
        observe_in_batches(metric, scratch, &mut stats, segments)
    });
    (stats, failed)
}

/// Calls `observe` on the segments until it succeeds. After an error, which leaves statistics undefined, it
/// drops the failed segment and all later ones, and counts the rest again. Returns the last error.
fn up_to_error<'t, T>(
    mut segments: &'t [T],
    mut observe: impl FnMut(&'t [T]) -> Result<()>,
) -> Option<InputError> {
    let mut failed = None;
    while let Err(error) = observe(segments) {
        // The list must get shorter with every error, even if the error's number is beyond the list; else the
        // loop would not end.
        let before = within(&error).min(segments.len().saturating_sub(1));
        segments = &segments[..before];
        failed = Some(error.renumbered(Location::default()));
    }
    failed
}

/// Computes the metric's statistics of each segment, in batches of at most the size that the metric asks for.
///
/// # Errors
/// Returns the errors of [`Observe::observe_each`], with the segment's number among all segments.
pub(crate) fn observe_in_batches<M, S, R, C>(
    metric: &M,
    scratch: &mut M::Scratch,
    stats: &mut [M::Stats],
    segments: &[Segment<'_, S, R, C>],
) -> Result<()>
where
    M: Observe<S, R, C>,
    S: ?Sized,
    R: ?Sized,
    C: ?Sized,
{
    let batch = match batch_of(metric) {
        // A metric without a batch size takes all segments in one call.
        1 => segments.len().max(1),
        batch => batch,
    };
    let parts = stats.chunks_mut(batch).zip(segments.chunks(batch));
    for (part, (stats, segments)) in parts.enumerate() {
        metric.observe_each(scratch, stats, segments).map_err(|error| behind(part * batch, error))?;
    }
    Ok(())
}

/// Returns the error with the segment's number among all segments, in place of its number within a batch.
/// `before` segments precede the batch.
pub(crate) fn behind(before: usize, error: InputError) -> InputError {
    let number = before + within(&error) + 1;
    error.renumbered(Location::segment(number as u64))
}

/// Returns the index, within its batch, of the segment that failed. The error counts segments from 1.
fn within(error: &InputError) -> usize {
    error.location().segment.unwrap_or(1).saturating_sub(1) as usize
}

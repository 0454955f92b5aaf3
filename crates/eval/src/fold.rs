//! Computes a metric's merged statistics of many segments, in one thread or in all threads.

use bleuprint_core::{Accumulator, AsSegment, Location, Observe, Result, Segment, State};

use crate::batches::{batch_of, behind, in_batches};

/// Computes the metric's merged statistics of all segments, in one thread with one set of buffers. Segments
/// are passed to the metric in batches of the size that it asks for. Each is a [`Segment`], a pair of a
/// hypothesis and its references, or a triple with the source.
///
/// # Errors
/// Returns the errors of [`Observe::observe`], with the number of the segment.
///
/// ```
/// use bleuprint_core::zip_streams;
/// use bleuprint_eval::observe_all;
/// use bleuprint_metrics::ExactMatch;
/// let (hypotheses, references) = (["a", "b"], ["a", "c"]);
/// let segments = zip_streams::<str, _>(&hypotheses, &[&references]).unwrap();
/// let observed = observe_all(&ExactMatch, segments).unwrap();
/// assert_eq!((observed.stats().matched, observed.counts().segments), (1, 2));
/// ```
pub fn observe_all<M, S, R, C, I>(
    metric: &M,
    segments: impl IntoIterator<Item = I>,
) -> Result<State<M::Stats>>
where
    M: Observe<S, R, C>,
    S: ?Sized,
    R: ?Sized,
    C: ?Sized,
    I: AsSegment<S, R, C>,
{
    observe_numbered(metric, 1, segments)
}

fn observe_numbered<M, S, R, C, I>(
    metric: &M,
    first: u64,
    segments: impl IntoIterator<Item = I>,
) -> Result<State<M::Stats>>
where
    M: Observe<S, R, C>,
    S: ?Sized,
    R: ?Sized,
    C: ?Sized,
    I: AsSegment<S, R, C>,
{
    let mut accumulator = Accumulator::<&M, S, R, C>::new(metric);
    let batch = batch_of(metric);
    // The common case keeps no list of segments: each is observed as it comes.
    if batch == 1 {
        for (number, segment) in (first..).zip(segments) {
            let added = accumulator.add(segment.as_segment());
            added.map_err(|error| error.renumbered(Location::segment(number)))?;
        }
        return Ok(accumulator.into());
    }
    in_batches(batch, segments, |some| {
        let segments: Vec<Segment<'_, S, R, C>> = some.iter().map(I::as_segment).collect();
        let pushed = accumulator.push_each(&segments);
        pushed.map(drop).map_err(|error| behind(first as usize - 1, error))
    })?;
    Ok(accumulator.into())
}

/// Computes the metric's merged statistics of all segments, in all threads of the current rayon pool.
///
/// The result matches [`observe_all`] bit for bit, because integer counts can be merged in any order.
///
/// # Errors
/// Returns the errors of [`observe_all`]; if several segments fail, the error of the first one.
#[cfg(feature = "parallel")]
pub fn observe_parallel<M, S, R, C, I>(metric: &M, segments: &[I]) -> Result<State<M::Stats>>
where
    M: Observe<S, R, C>,
    S: ?Sized,
    R: ?Sized,
    C: ?Sized,
    I: AsSegment<S, R, C> + Sync,
{
    /// Number of segments in one task of a thread: enough to reuse the thread's buffers, few enough to divide
    /// a thousand segments among threads.
    const CHUNK: usize = 128;

    // A task holds whole batches, so that its length does not change how a metric sees its batches.
    let length = CHUNK.next_multiple_of(batch_of(metric));
    let of_chunk = |_: &mut (), chunk: usize| {
        let first = chunk * length;
        let segments = &segments[first..segments.len().min(first + length)];
        observe_numbered::<M, S, R, C, &I>(metric, first as u64 + 1, segments)
    };
    let chunks = bleuprint_inference::map_with(segments.len().div_ceil(length), || (), of_chunk);
    // Chunks are merged in order, so the error of the first failed segment is returned, whichever thread met
    // an error first.
    let mut total = State::zero(metric);
    for chunk in chunks {
        total.merge(&chunk?)?;
    }
    Ok(total)
}

//! Folding segments into statistics, in one thread or in all.

use bleuprint_core::{Accumulator, Location, Observe, Result, Segment, State};

use crate::batches::{batch_of, behind, in_batches};

/// The merged statistics of all segments, in one thread, with one scratch; metrics that want batches get them.
///
/// # Errors
/// Those of [`Observe::observe`], with the number of the segment.
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
pub fn observe_all<'s, M, S, R>(
    metric: &M,
    segments: impl IntoIterator<Item = (&'s S, R)>,
) -> Result<State<M::Stats>>
where
    M: Observe<S>,
    S: ?Sized + 's,
    R: AsRef<[&'s S]>,
{
    observe_numbered(metric, 1, segments)
}

fn observe_numbered<'s, M, S, R>(
    metric: &M,
    first: u64,
    segments: impl IntoIterator<Item = (&'s S, R)>,
) -> Result<State<M::Stats>>
where
    M: Observe<S>,
    S: ?Sized + 's,
    R: AsRef<[&'s S]>,
{
    let mut accumulator = Accumulator::<&M, S>::new(metric);
    let batch = batch_of(metric);
    if batch == 1 {
        for (number, (hypothesis, references)) in (first..).zip(segments) {
            let added = accumulator.add(Segment::new(hypothesis, references.as_ref()));
            added.map_err(|error| error.renumbered(Location::segment(number)))?;
        }
        return Ok(accumulator.into());
    }
    in_batches(batch, segments, |some| {
        let segments: Vec<Segment<'_, S>> = some
            .iter()
            .map(|(hypothesis, references)| Segment::new(*hypothesis, references.as_ref()))
            .collect();
        let pushed = accumulator.push_each(&segments);
        pushed.map(drop).map_err(|error| behind(first as usize - 1, error))
    })?;
    Ok(accumulator.into())
}

/// The merged statistics of all segments, in all threads of the current rayon pool.
///
/// The result has the same bits as that of [`observe_all`]: integers merge in any order.
///
/// # Errors
/// Those of [`observe_all`]; of several, that of the first segment.
#[cfg(feature = "parallel")]
pub fn observe_parallel<'s, M, S, R>(metric: &M, segments: &[(&'s S, R)]) -> Result<State<M::Stats>>
where
    M: Observe<S>,
    S: ?Sized + Sync + 's,
    R: AsRef<[&'s S]> + Sync,
{
    /// Large enough to keep a thread's tables warm, small enough to share out a corpus of a thousand segments.
    const CHUNK: usize = 128;

    let length = CHUNK.next_multiple_of(batch_of(metric));
    let of_chunk = |_: &mut (), chunk: usize| {
        let first = chunk * length;
        let segments = segments[first..segments.len().min(first + length)].iter();
        let segments = segments.map(|(hypothesis, references)| (*hypothesis, references.as_ref()));
        observe_numbered(metric, first as u64 + 1, segments)
    };
    let chunks = bleuprint_inference::map_with(segments.len().div_ceil(length), || (), of_chunk);
    let mut total = State::zero(metric);
    for chunk in chunks {
        total.merge(&chunk?)?;
    }
    Ok(total)
}

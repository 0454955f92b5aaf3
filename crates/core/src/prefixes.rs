//! [`Prefixes`]: the statistics of every beginning of a hypothesis, for credit token by token.
//!
//! The law, which `laws::check_prefixes` proves:
//!
//! ```text
//! observe_prefixes(h, r) calls with observe(h[..1], r), observe(h[..2], r), .., observe(h, r)
//! ```

use crate::{InputError, Labelled, Observe, Segment};

/// A metric that is asked for the statistics of every beginning of a hypothesis. The plain way, which observes each
/// by itself, is there for every metric; one that can go along the hypothesis once has its own.
///
/// ```
/// # use bleuprint_core::*;
/// # struct Length;
/// # impl Metric for Length {
/// #     type Stats = [u64; 1]; type Score = f64; type Scratch = ();
/// #     fn identity(&self) -> Identity { Identity::new("length", 1) }
/// #     fn scale(&self) -> Scale { Scale::UNBOUNDED }
/// #     fn scratch(&self) {}
/// #     fn zero(&self) -> [u64; 1] { [0] }
/// #     fn finalize(&self, s: &[u64; 1], _: &SegmentCounts) -> Result<f64, InputError> { Ok(s[0] as f64) }
/// # }
/// # impl Observe<[u32]> for Length {
/// #     fn observe(&self, _: &mut (), stats: &mut [u64; 1], segment: Segment<'_, [u32]>) -> Result<(), InputError> {
/// #         stats.merge(&[segment.hypothesis().len() as u64])
/// #     }
/// # }
/// impl Prefixes<u32> for Length {}
///
/// let mut lengths = Vec::new();
/// let each = &mut |stats: &[u64; 1]| Ok(lengths.push(stats[0]));
/// Length.observe_prefixes(&mut (), Segment::new(&[5, 6, 7], &[]), each).unwrap();
/// assert_eq!(lengths, [1, 2, 3]);
/// ```
pub trait Prefixes<T>: Observe<[T]> {
    /// Calls `each` with the statistics of every beginning of the hypothesis, from its first token to the whole.
    ///
    /// # Errors
    /// Those of [`Observe::observe`] and of `each`.
    fn observe_prefixes(
        &self,
        scratch: &mut Self::Scratch,
        segment: Segment<'_, [T]>,
        each: &mut dyn FnMut(&Self::Stats) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        for end in 1..=segment.hypothesis().len() {
            let mut stats = self.zero();
            let mut prefix = Segment::new(&segment.hypothesis()[..end], segment.references_or_none());
            if let Some(source) = segment.source_or_none() {
                prefix = prefix.with_source(source);
            }
            self.observe(scratch, &mut stats, prefix)?;
            each(&stats)?;
        }
        Ok(())
    }
}

impl<T, M: Prefixes<T> + ?Sized> Prefixes<T> for &M {
    fn observe_prefixes(
        &self,
        scratch: &mut Self::Scratch,
        segment: Segment<'_, [T]>,
        each: &mut dyn FnMut(&Self::Stats) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        (**self).observe_prefixes(scratch, segment, each)
    }
}

impl<T, M: Prefixes<T>> Prefixes<T> for Labelled<M> {
    fn observe_prefixes(
        &self,
        scratch: &mut Self::Scratch,
        segment: Segment<'_, [T]>,
        each: &mut dyn FnMut(&Self::Stats) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        self.metric().observe_prefixes(scratch, segment, each)
    }
}

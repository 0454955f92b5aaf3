//! [`Observe`]: the trait by which a metric counts segments of a given sequence type.

use core::any::Any;
use core::fmt;

use crate::prelude::*;
use crate::{Answer, Ask, Location, Metric, Result, Segment};

/// A metric that can count segments (hypothesis, references, source) of sequence type `S`: `[T]` for any
/// tokens, `str` for text. `R` is the type of a reference and `C` of the source, if they differ from `S`.
///
/// One method is required. The others are faster variants with defaults. A wrapper that changes no segment
/// forwards them by [`observe_through!`](crate::observe_through). `laws` of `bleuprint-registry` check these
/// equations:
///
/// ```text
/// observe_each(s)[i]                    =  observe(s[i])
/// observe_prepared(h, prepare(r))       =  observe(h, r)                            statistics and errors alike
/// observe_prefixes(h, r) calls with        observe(h[..1], r), .., observe(h, r)
/// ask(Pairs of H, R)       at (h, r)    =  finalize(observe(h, {r}))                to the bit, or NaN
/// ask(LeaveOneOut of H, R) at i         =  observe(h[i], R without r[i])
/// ask(Aggregate of H, {r}) at h         =  observe(h, {r})
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not observe `{S}` with references `{R}` and source `{C}`",
    label = "no `Observe<{S}, {R}, {C}>` here",
    note = "a metric over tokens observes text through a tokenizer: `bleuprint::Tokenized::new(metric, tokenizer, case)`",
    note = "sequences are named without the reference: `[u32]`, `[char]`, `[String]`, `str`"
)]
pub trait Observe<S: ?Sized, R: ?Sized = S, C: ?Sized = S>: Metric {
    /// Adds the counts of one segment to `stats`.
    ///
    /// # Errors
    /// Returns [`NoReferences`](crate::InputErrorKind::NoReferences) or
    /// [`NoSource`](crate::InputErrorKind::NoSource) if the segment lacks them but the metric needs them, and
    /// [`CountRange`](crate::InputErrorKind::CountRange) if a count exceeds 64 bits. After an error `stats`
    /// is unchanged.
    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, S, R, C>,
    ) -> Result<()>;

    /// Observes each segment into separate statistics: `stats[i]` for `segments[i]`.
    ///
    /// The default is a loop. Metrics that are faster on many segments, such as metrics that run a model,
    /// override it together with [`Metric::batch`].
    ///
    /// # Errors
    /// Returns the errors of [`Observe::observe`] with the number of the segment in this slice, counted from
    /// 1. The content of `stats` is then unspecified.
    fn observe_each(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut [Self::Stats],
        segments: &[Segment<'_, S, R, C>],
    ) -> Result<()> {
        for (number, (stats, segment)) in (1..).zip(stats.iter_mut().zip(segments)) {
            let observed = self.observe(scratch, stats, *segment);
            observed.map_err(|error| error.at(Location::segment(number)))?;
        }
        Ok(())
    }

    /// Computes in advance all that depends only on the references, to share it among many hypotheses for one
    /// prompt or from several systems. The default computes nothing.
    ///
    /// # Errors
    /// Returns the errors of [`Observe::observe`] that depend only on the references.
    fn prepare(&self, scratch: &mut Self::Scratch, references: &[&R]) -> Result<Prepared> {
        let _ = (scratch, references);
        Ok(Prepared::default())
    }

    /// Adds one segment to `stats`, like [`Observe::observe`], with references that [`Observe::prepare`] has
    /// processed. The references in `segment` are used only if that method returned nothing.
    ///
    /// # Errors
    /// Returns the errors of [`Observe::observe`]; after an error `stats` is unchanged.
    fn observe_prepared(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, S, R, C>,
        prepared: &Prepared,
    ) -> Result<()> {
        let _ = prepared;
        self.observe(scratch, stats, segment)
    }

    /// Calls `each` with the statistics of every prefix of the hypothesis, from its first token to the whole.
    ///
    /// Returns `false` if the metric has no fast method for prefixes; the caller then observes each prefix.
    ///
    /// # Errors
    /// Returns the errors of [`Observe::observe`] and of `each`.
    fn observe_prefixes(
        &self,
        scratch: &mut Self::Scratch,
        segment: Segment<'_, S, R, C>,
        each: &mut dyn FnMut(&Self::Stats) -> Result<()>,
    ) -> Result<bool> {
        let _ = (scratch, segment, each);
        Ok(false)
    }

    /// Answers a request over many sequences, such as all pair scores, faster than segment by segment.
    /// Returns `None` for requests that the metric cannot answer, including kinds that later versions add.
    /// The caller then observes the segments.
    ///
    /// # Errors
    /// Returns the errors of [`Observe::observe`]. For [`Wanted::Pairs`](crate::Wanted::Pairs) these are only
    /// errors that depend on a single sequence.
    fn ask(
        &self,
        scratch: &mut Self::Scratch,
        ask: Ask<'_, S, R, C>,
    ) -> Result<Option<Answer<'_, Self::Stats>>> {
        let _ = (scratch, ask);
        Ok(None)
    }
}

/// Data that a metric computed from references in advance ([`Observe::prepare`]), if any. Only the metric
/// that created the data can read it. Threads share it.
#[derive(Default)]
pub struct Prepared(Option<(usize, Box<dyn Any + Send + Sync>)>);

impl Prepared {
    /// Wraps data that a metric computed in advance from `references` references.
    pub fn new(references: usize, prepared: impl Any + Send + Sync) -> Self {
        Prepared(Some((references, Box::new(prepared))))
    }

    /// Returns the number of references that were processed in advance; `None` if none were.
    pub fn references(&self) -> Option<usize> {
        self.0.as_ref().map(|(references, _)| *references)
    }

    /// Returns the data that the metric computed in advance from the references, if it has type `P`.
    pub fn get<P: Any>(&self) -> Option<&P> {
        self.0.as_ref()?.1.downcast_ref()
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_none() { "Prepared(nothing)" } else { "Prepared(..)" })
    }
}

/// Implements the methods of [`Observe`](crate::Observe) for a wrapper that changes no segment, by calling
/// the methods of the inner metric. `$scratch => expression` selects the inner metric's working buffers.
///
/// ```
/// use bleuprint_core::*;
///
/// /// Any metric, under another name.
/// struct Renamed<M>(M, &'static str);
///
/// impl<M: Metric> Metric for Renamed<M> {
///     type Stats = M::Stats;
///     type Score = M::Score;
///     type Scratch = M::Scratch;
///     fn identity(&self) -> Identity { self.0.identity().named(self.1) }
///     metric_through!(all but identity, self => self.0);
/// }
///
/// impl<S: ?Sized, M: Observe<S>> Observe<S> for Renamed<M> {
///     observe_through!(S, self => self.0, scratch => scratch);
/// }
/// let tokens = Identity::new("tokens", 1, Scale::UNBOUNDED).reference_free();
/// let tokens = PerSegment::new(tokens, |segment: Segment<'_, [u32]>| Ok(segment.hypothesis.len() as f64));
/// let mut words = Accumulator::<_, [u32]>::new(Renamed(tokens, "Words"));
/// words.push(&[1, 2], &[]).unwrap();
/// assert!(words.score().unwrap().signature.to_string().starts_with("Words"));
/// ```
#[macro_export]
macro_rules! observe_through {
    ($S:ty, $this:ident => $inner:expr, $scratch:ident => $own:expr) => {
        $crate::observe_through!($S, $S, $S, $this => $inner, $scratch => $own);
    };
    ($S:ty, $R:ty, $C:ty, $this:ident => $inner:expr, $scratch:ident => $own:expr) => {
        fn observe(
            &$this,
            $scratch: &mut Self::Scratch,
            stats: &mut Self::Stats,
            segment: $crate::Segment<'_, $S, $R, $C>,
        ) -> $crate::Result<()> {
            ($inner).observe($own, stats, segment)
        }

        fn observe_each(
            &$this,
            $scratch: &mut Self::Scratch,
            stats: &mut [Self::Stats],
            segments: &[$crate::Segment<'_, $S, $R, $C>],
        ) -> $crate::Result<()> {
            ($inner).observe_each($own, stats, segments)
        }

        fn prepare(
            &$this,
            $scratch: &mut Self::Scratch,
            references: &[&$R],
        ) -> $crate::Result<$crate::Prepared> {
            ($inner).prepare($own, references)
        }

        fn observe_prepared(
            &$this,
            $scratch: &mut Self::Scratch,
            stats: &mut Self::Stats,
            segment: $crate::Segment<'_, $S, $R, $C>,
            prepared: &$crate::Prepared,
        ) -> $crate::Result<()> {
            ($inner).observe_prepared($own, stats, segment, prepared)
        }

        fn observe_prefixes(
            &$this,
            $scratch: &mut Self::Scratch,
            segment: $crate::Segment<'_, $S, $R, $C>,
            each: &mut dyn FnMut(&Self::Stats) -> $crate::Result<()>,
        ) -> $crate::Result<bool> {
            ($inner).observe_prefixes($own, segment, each)
        }

        fn ask(
            &$this,
            $scratch: &mut Self::Scratch,
            ask: $crate::Ask<'_, $S, $R, $C>,
        ) -> $crate::Result<Option<$crate::Answer<'_, Self::Stats>>> {
            ($inner).ask($own, ask)
        }
    };
}

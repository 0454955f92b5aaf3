//! [`Observe`]: the sequences of a metric, and their way into its statistics.
//!
//! One verb is required. The others are speed-ups with defaults; every wrapper forwards them in one place, the macro
//! `observe_through`. Their laws, which [`crate::laws`] proves:
//!
//! ```text
//! observe_each(s)[i]                    =  observe(s[i])
//! observe_prepared(h, prepare(r))       =  observe(h, r)                            statistics and errors alike
//! observe_prefixes(h, r) calls with        observe(h[..1], r), .., observe(h, r)
//! pair_scorer(H, R).score  at (h, r)    =  finalize(observe(h, {r}))                to the bit, or NaN
//! leave_one_out(P)         at p         =  observe(p, all of P but p)
//! aggregate(H, {r})        at h         =  observe(h, {r})
//! ```

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;
use core::ops::Range;

use crate::{Location, Metric, Result, Segment};

/// A metric over segments of sequences of kind `S`: `[T]` for any tokens, `str` for text; with references of kind `R`
/// and a source of kind `C`, where these are not `S`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not observe `{S}` with references `{R}` and source `{C}`",
    label = "no `Observe<{S}, {R}, {C}>` here",
    note = "a metric over tokens observes text through a tokenizer: `bleuprint::Tokenized::new(metric, tokenizer, case)`",
    note = "sequences are named without the reference: `[u32]`, `[char]`, `[String]`, `str`"
)]
pub trait Observe<S: ?Sized, R: ?Sized = S, C: ?Sized = S>: Metric {
    /// Adds one segment to `stats`.
    ///
    /// # Errors
    /// [`NoReferences`](crate::InputErrorKind::NoReferences) or [`NoSource`](crate::InputErrorKind::NoSource) where the
    /// metric needs them; counts beyond 64 bits. After an error `stats` is unchanged.
    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, S, R, C>,
    ) -> Result<()>;

    /// Observes each segment into statistics of its own: `stats[i]` for `segments[i]`. The default is a loop. Metrics that
    /// are faster on many segments, such as those that run a model, implement it together with [`Metric::batch`].
    ///
    /// # Errors
    /// Those of [`Observe::observe`], with the number of the segment among these, from 1; the statistics are then
    /// meaningless.
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

    /// Does the references' share of the work once, for many hypotheses: rollouts of one prompt, systems on one test set.
    /// The default prepares nothing.
    ///
    /// # Errors
    /// Those of [`Observe::observe`] that depend on the references alone.
    fn prepare(&self, scratch: &mut Self::Scratch, references: &[&R]) -> Result<Prepared> {
        let _ = (scratch, references);
        Ok(Prepared::default())
    }

    /// Adds one segment to `stats`: [`Observe::observe`] with prepared references. The references of the segment are used
    /// only where nothing was prepared.
    ///
    /// # Errors
    /// Those of [`Observe::observe`]; after an error `stats` is unchanged.
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

    /// Calls `each` with the statistics of every prefix of the hypothesis, from its first token to the whole, and
    /// returns `true`; a metric without this speed-up returns `false`. [`observe_prefixes`] serves every metric.
    ///
    /// # Errors
    /// Those of [`Observe::observe`] and of `each`.
    fn observe_prefixes(
        &self,
        scratch: &mut Self::Scratch,
        segment: Segment<'_, S, R, C>,
        each: &mut dyn FnMut(&Self::Stats) -> Result<()>,
    ) -> Result<bool> {
        let _ = (scratch, segment, each);
        Ok(false)
    }

    /// The scores of every hypothesis with every reference alone, if the metric has this speed-up for these sequences: see
    /// [`PairScorer`].
    ///
    /// # Errors
    /// Those of [`Observe::observe`] that depend on single sequences.
    fn pair_scorer<'m>(
        &'m self,
        hypotheses: &[&S],
        references: &[&R],
    ) -> Result<Option<Box<dyn PairScorer + 'm>>> {
        let _ = (hypotheses, references);
        Ok(None)
    }

    /// The statistics of each of at least two sequences with all the others as its references, if the metric has this
    /// speed-up for these sequences.
    ///
    /// # Errors
    /// Those of [`Observe::observe`].
    fn leave_one_out(&self, sequences: &[&S]) -> Result<Option<Vec<Self::Stats>>> {
        let _ = sequences;
        Ok(None)
    }

    /// The pairs that the counts of a segment are of, for metrics that pair parts of the reference with parts of the
    /// hypothesis, such as speakers.
    ///
    /// # Errors
    /// Those of [`Observe::observe`].
    fn pairing(&self, scratch: &mut Self::Scratch, segment: Segment<'_, S, R, C>) -> Result<Option<Pairing>> {
        let _ = (scratch, segment);
        Ok(None)
    }

    /// The statistics of each hypothesis with all references laid together, if the metric has this approximation: an
    /// estimate of its mean score over the references, in linear time. They count one segment per reference, with the
    /// hypothesis repeated as often; with a single reference they are those of the pair.
    ///
    /// # Errors
    /// Those of [`Observe::observe`].
    fn aggregate(&self, hypotheses: &[&S], references: &[&R]) -> Result<Option<Vec<Self::Stats>>> {
        let _ = (hypotheses, references);
        Ok(None)
    }
}

/// Pairs of names, of the reference and of the hypothesis; a part without a partner stands alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairing(Vec<[Option<String>; 2]>);

impl Pairing {
    /// Adds a pair.
    pub fn push(&mut self, reference: Option<&str>, hypothesis: Option<&str>) {
        self.0.push([reference, hypothesis].map(|name| name.map(String::from)));
    }

    /// The pairs, in order.
    pub fn pairs(&self) -> &[[Option<String>; 2]] {
        &self.0
    }
}

/// The output of [`Observe::prepare`], possibly nothing. Only the metric that made it can read it; threads share it.
#[derive(Default)]
pub struct Prepared(Option<(usize, Box<dyn Any + Send + Sync>)>);

impl Prepared {
    /// The output for this number of references.
    pub fn new(references: usize, prepared: impl Any + Send + Sync) -> Self {
        Prepared(Some((references, Box::new(prepared))))
    }

    /// Whether nothing was prepared.
    pub fn is_nothing(&self) -> bool {
        self.0.is_none()
    }

    /// The number of prepared references.
    pub fn references(&self) -> Option<usize> {
        self.0.as_ref().map(|(references, _)| *references)
    }

    /// The output, if it is of this type.
    pub fn get<P: Any>(&self) -> Option<&P> {
        self.0.as_ref()?.1.downcast_ref()
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_nothing() { "Prepared(nothing)" } else { "Prepared(..)" })
    }
}

/// The scores of all pairs of a pool: of every hypothesis with every reference alone.
///
/// It borrows no sequence, and threads share it.
pub trait PairScorer: Send + Sync {
    /// Writes the scores of these hypotheses, row after row, with one score for each reference:
    /// `scores[(h - hypotheses.start) * references + r]`.
    ///
    /// NaN marks a pair without a score, or one that has to be observed.
    fn score(&self, hypotheses: Range<usize>, scores: &mut [f64]);
}

/// Calls `each` with the statistics of every prefix of the hypothesis: by the metric's speed-up, or by observing each
/// prefix.
///
/// # Errors
/// Those of [`Observe::observe`] and of `each`.
pub fn observe_prefixes<T, M: Observe<[T]> + ?Sized>(
    metric: &M,
    scratch: &mut M::Scratch,
    segment: Segment<'_, [T]>,
    each: &mut dyn FnMut(&M::Stats) -> Result<()>,
) -> Result<()> {
    if metric.observe_prefixes(scratch, segment, each)? {
        return Ok(());
    }
    for end in 1..=segment.hypothesis().len() {
        let mut stats = metric.zero();
        metric.observe(scratch, &mut stats, segment.with_hypothesis(&segment.hypothesis()[..end]))?;
        each(&stats)?;
    }
    Ok(())
}

/// The verbs of `Observe<$S, $R, $C>` forwarded to `$inner`, the wrapped metric; `$own` is its scratch within the wrapper's.
macro_rules! observe_through {
    ($S:ty, $R:ty, $C:ty; $this:ident => $inner:expr, $scratch:ident => $own:expr) => {
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

        fn pair_scorer<'p>(
            &'p $this,
            hypotheses: &[&$S],
            references: &[&$R],
        ) -> $crate::Result<Option<alloc::boxed::Box<dyn $crate::PairScorer + 'p>>> {
            ($inner).pair_scorer(hypotheses, references)
        }

        fn pairing(
            &$this,
            $scratch: &mut Self::Scratch,
            segment: $crate::Segment<'_, $S, $R, $C>,
        ) -> $crate::Result<Option<$crate::Pairing>> {
            ($inner).pairing($own, segment)
        }

        fn leave_one_out(&$this, sequences: &[&$S]) -> $crate::Result<Option<alloc::vec::Vec<Self::Stats>>> {
            ($inner).leave_one_out(sequences)
        }

        fn aggregate(
            &$this,
            hypotheses: &[&$S],
            references: &[&$R],
        ) -> $crate::Result<Option<alloc::vec::Vec<Self::Stats>>> {
            ($inner).aggregate(hypotheses, references)
        }
    };
}
pub(crate) use observe_through;

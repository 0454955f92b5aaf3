//! [`ReferenceSet`]: the references of a test set, prepared once for many systems.

use core::borrow::Borrow;

use bleuprint_core::{Location, Observe, Prepared, Result, Segment, SegmentCounts, State, Stats as _};
use bleuprint_inference::require_equal;
use smallvec::SmallVec;

/// The references of a test set, prepared once for many systems. Threads can share it.
///
/// ```
/// use bleuprint_core::Case;
/// use bleuprint_eval::{ReferenceSet, Tokenized};
/// use bleuprint_metrics::Bleu;
/// use bleuprint_text::{TokenizerOptions, tokenizer};
///
/// let tokenizer = tokenizer("13a", &TokenizerOptions::default()).unwrap();
/// let bleu = Tokenized::new(Bleu::default(), tokenizer, Case::Mixed).unwrap();
/// let references = ReferenceSet::<_, str>::new(&bleu, [["The cat sat.", "A cat sat."], ["It rained.", "It rains."]]).unwrap();
/// for (system, matches) in [(["The cat sat.", "It rained."], 7), (["Cats sit.", "It rained."], 4)] {
///     assert_eq!(references.observe(&system).unwrap().stats().orders[0].clipped, matches);
/// }
/// let error = references.observe(&["The cat sat."]).unwrap_err();
/// assert_eq!(error.to_string(), "hypotheses has 1 segment, but references has 2");
/// ```
pub struct ReferenceSet<M: Observe<S>, S: ToOwned + ?Sized> {
    metric: M,
    segments: Vec<References<S>>,
    counts: SegmentCounts,
}

/// The references of a segment: prepared, or as they are for metrics that do not prepare.
struct References<S: ToOwned + ?Sized> {
    prepared: Prepared,
    own: Vec<S::Owned>,
}

impl<M, S> ReferenceSet<M, S>
where
    M: Observe<S>,
    S: ToOwned + ?Sized,
    S::Owned: Borrow<S>,
{
    /// Prepares the references of each segment.
    ///
    /// # Errors
    /// Those of [`Observe::prepare`], with the number of the segment.
    pub fn new<R, Q>(metric: M, segments: impl IntoIterator<Item = R>) -> Result<Self>
    where
        R: AsRef<[Q]>,
        Q: Borrow<S>,
    {
        let (mut scratch, mut counts) = (M::Scratch::default(), SegmentCounts::default());
        let mut all = Vec::new();
        for (number, references) in (1..).zip(segments) {
            let references: SmallVec<[&S; 8]> = references.as_ref().iter().map(Q::borrow).collect();
            let prepared = metric.prepare(&mut scratch, &references);
            let prepared = prepared.map_err(|error| error.at(Location::segment(number)))?;
            let kept = if prepared.is_nothing() { &references[..] } else { &[] };
            all.push(References {
                own: kept.iter().map(|reference| (*reference).to_owned()).collect(),
                prepared,
            });
            counts.merge(&SegmentCounts::of_segment(references.len()))?;
        }
        Ok(ReferenceSet { metric, segments: all, counts })
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// Whether there are no segments.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// The state of a system: a hypothesis for every segment.
    ///
    /// # Errors
    /// [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) for another number of hypotheses; those of
    /// [`Observe::observe`], with the number of the segment.
    pub fn observe<H: Borrow<S>>(&self, hypotheses: &[H]) -> Result<State<M::Stats>> {
        require_equal("hypotheses", hypotheses.len(), "references", self.segments.len())?;
        let (mut scratch, mut stats) = (M::Scratch::default(), self.metric.zero());
        for (number, (hypothesis, References { prepared, own })) in
            (1..).zip(hypotheses.iter().zip(&self.segments))
        {
            let own: SmallVec<[&S; 8]> = own.iter().map(Borrow::borrow).collect();
            let segment = Segment::new(hypothesis.borrow(), &own);
            let observed = self.metric.observe_prepared(&mut scratch, &mut stats, segment, prepared);
            observed.map_err(|error| error.at(Location::segment(number)))?;
        }
        State::of(&self.metric, self.counts, stats)
    }
}

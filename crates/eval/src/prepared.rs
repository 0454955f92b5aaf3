//! References prepared once for many hypotheses: text through a tokenizer, and whole sets of references.

use std::collections::HashMap;

#[cfg(doc)]
use bleuprint_core::Observe;
use bleuprint_core::{InputError, Location, Prepare, SegmentCounts, State, Stats, Tagged};
use bleuprint_text::Tokenizer;
use smallvec::SmallVec;

use crate::encoder::Texts;
use crate::tokenized::AsIds;
use crate::{Tokenized, require_equal};

/// The references of one segment, tokenized and prepared: made by [`Prepare::prepare`] of a [`Tokenized`] metric.
#[derive(Debug, Clone)]
pub struct PreparedTexts<P> {
    prepared: P,
    /// The ids of the tokens of the references. Empty where the tokenizer has ids of its own.
    lexicon: HashMap<Box<str>, u32>,
}

/// The metric is given ids that are equal for equal tokens: those of the references as they were prepared, and others
/// for tokens that no reference has.
///
/// ```
/// use bleuprint_core::{Case, Metric, Observe, Prepare, Segment};
/// use bleuprint_eval::Tokenized;
/// use bleuprint_metrics::Bleu;
/// use bleuprint_text::{TokenizerOptions, tokenizer};
///
/// let tokenizer = tokenizer("13a", &TokenizerOptions::default()).unwrap();
/// let bleu = Tokenized::new(Bleu::default().sentence(), tokenizer, Case::Mixed).unwrap();
/// let (mut scratch, references) = (bleu.scratch(), ["The cat sat.", "A cat was sitting."]);
/// let prepared = bleu.prepare(&mut scratch, &references).unwrap();
/// for rollout in ["The cat sat down.", "Dogs bark."] {
///     let (mut fast, mut plain) = (bleu.zero(), bleu.zero());
///     bleu.observe_prepared(&mut scratch, &mut fast, rollout, &prepared).unwrap();
///     bleu.observe(&mut scratch, &mut plain, Segment::new(rollout, &references)).unwrap();
///     assert_eq!(fast, plain);
/// }
/// ```
impl<M: Prepare<[u32]>, K: Tokenizer> Prepare<str> for Tokenized<M, K, AsIds> {
    type Prepared = PreparedTexts<M::Prepared>;

    fn prepare(
        &self,
        scratch: &mut Self::Scratch,
        references: &[&str],
    ) -> Result<Self::Prepared, InputError> {
        let (encoder, metric) = (self.encoder(), self.metric());
        let ids = encoder.encode(&mut scratch.encoder, Texts::new(references, 0, references.len()))?;
        let rows: SmallVec<[&[u32]; 8]> = (0..references.len()).map(|index| ids.get(index)).collect();
        let prepared = metric.prepare(&mut scratch.metric, &rows)?;
        let mut lexicon = HashMap::new();
        if !encoder.has_own_ids() {
            for (index, reference) in references.iter().enumerate() {
                let mut ids = rows[index].iter();
                encoder.each_token(&mut scratch.cutter, reference, true, |token| {
                    if let Some(&id) = ids.next()
                        && !lexicon.contains_key(token)
                    {
                        lexicon.insert(token.into(), id);
                    }
                })?;
            }
        }
        Ok(PreparedTexts { prepared, lexicon })
    }

    fn observe_prepared(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        hypothesis: &str,
        prepared: &Self::Prepared,
    ) -> Result<(), InputError> {
        let (encoder, metric) = (self.encoder(), self.metric());
        let PreparedTexts { prepared, lexicon } = prepared;
        if encoder.has_own_ids() {
            let ids = encoder.encode(&mut scratch.encoder, Texts::new(&[hypothesis], 1, 0))?;
            return metric.observe_prepared(&mut scratch.metric, stats, ids.get(0), prepared);
        }
        let (ids, others) = (&mut scratch.ids, &mut scratch.others);
        ids.clear();
        others.clear();
        encoder.each_token(&mut scratch.cutter, hypothesis, false, |token| {
            ids.push(lexicon.get(token).copied().unwrap_or_else(|| {
                let next = (lexicon.len() + others.len()) as u32;
                match others.get(token) {
                    Some(&id) => id,
                    None => *others.entry(token.into()).or_insert(next),
                }
            }));
        })?;
        metric.observe_prepared(&mut scratch.metric, stats, ids, prepared)
    }
}

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
/// assert_eq!(error.to_string(), "hypotheses has 1 segments, but references has 2");
/// ```
#[derive(Debug)]
pub struct ReferenceSet<M: Prepare<S>, S: ?Sized> {
    metric: M,
    segments: Vec<M::Prepared>,
    counts: SegmentCounts,
}

impl<M: Prepare<S>, S: ?Sized> ReferenceSet<M, S> {
    /// Prepares the references of each segment.
    ///
    /// # Errors
    /// Those of [`Prepare::prepare`], with the number of the segment.
    pub fn new<R, Q>(metric: M, segments: impl IntoIterator<Item = R>) -> Result<Self, InputError>
    where
        R: AsRef<[Q]>,
        Q: core::borrow::Borrow<S>,
    {
        let (mut scratch, mut counts) = (metric.scratch(), SegmentCounts::default());
        let mut prepared = Vec::new();
        for (number, references) in (1..).zip(segments) {
            let references: SmallVec<[&S; 8]> = references.as_ref().iter().map(Q::borrow).collect();
            let of_segment = metric.prepare(&mut scratch, &references);
            prepared.push(of_segment.map_err(|error| error.at(Location::segment(number)))?);
            counts.merge(&SegmentCounts::of_segment(references.len()))?;
        }
        Ok(ReferenceSet { metric, segments: prepared, counts })
    }

    /// How many segments there are.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// The state of a system: a hypothesis for every segment.
    ///
    /// # Errors
    /// [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) unless there are as many; those of
    /// [`Observe::observe`], with the number of the segment.
    pub fn observe<H: core::borrow::Borrow<S>>(
        &self,
        hypotheses: &[H],
    ) -> Result<State<M::Stats>, InputError> {
        require_equal("hypotheses", hypotheses.len(), "references", self.segments.len())?;
        let (mut scratch, mut stats) = (self.metric.scratch(), self.metric.zero());
        for (number, (hypothesis, references)) in (1..).zip(hypotheses.iter().zip(&self.segments)) {
            let observed =
                self.metric.observe_prepared(&mut scratch, &mut stats, hypothesis.borrow(), references);
            observed.map_err(|error| error.at(Location::segment(number)))?;
        }
        Tagged::new(self.metric.state_key(), self.counts, stats).open(&self.metric)
    }
}

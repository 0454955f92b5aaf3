//! Type-erased wrapper through which the property tests call every metric, with byte sequences as input. The
//! tests are therefore compiled once, and not for every metric.

use core::borrow::Borrow;

use bleuprint_core::{Answer, Ask, Metric, Observe, Prepared, Result, Scale, Score, Segment, metric_through};

use crate::any::erased::ErasedFinish;
use crate::prelude::*;
use crate::{AnyScore, AnyScratch, AnyStats};

/// A type-erased metric under test, whose input is sequences of type `S`.
pub(super) type Door<'m, S> = dyn Observe<S, Stats = AnyStats, Score = AnyScore, Scratch = AnyScratch> + 'm;

/// Converter from a metric's own type of score to [`AnyScore`] in property tests. It keeps the numbers
/// unchanged, finite or not, and leaves out names and scales.
pub(super) struct LawScores;

impl<M: Metric> ErasedFinish<M> for LawScores {
    fn finish(&self, _: &M, score: &M::Score) -> Result<AnyScore> {
        // Names and scales are checked by other laws, so the frame is left empty here.
        let headlines = score.headlines().into_iter().map(|headline| (Cow::Borrowed(""), headline)).collect();
        Ok(AnyScore { headlines, ..AnyScore::new("", score.value(), Scale::UNBOUNDED) })
    }
}

/// Function that converts random bytes to an input sequence of the metric under test.
pub(super) type Make<'m, O> = dyn Fn(&[u8]) -> O + Send + Sync + 'm;

/// A metric under test that takes random bytes as input and converts them to its own kind of sequence.
pub(super) struct Viewed<'m, S: ?Sized, O> {
    pub(super) door: Box<Door<'m, S>>,
    pub(super) make: Box<Make<'m, O>>,
}

impl<S: ?Sized, O: Borrow<S>> Viewed<'_, S, O> {
    fn with<R>(&self, segment: Segment<'_, [u8]>, look: impl FnOnce(Segment<'_, S>) -> R) -> R {
        with_made(&*self.make, &[segment], |segments| look(segments[0]))
    }

    fn made(&self, all: &[&[u8]]) -> Vec<O> {
        all.iter().map(|raw| (self.make)(raw)).collect()
    }
}

/// Converts the byte sequences of test segments with `make`, and passes the converted segments to `look`.
pub(super) fn with_made<S: ?Sized, O: Borrow<S>, R>(
    make: &dyn Fn(&[u8]) -> O,
    raw: &[Segment<'_, [u8]>],
    look: impl FnOnce(&[Segment<'_, S>]) -> R,
) -> R {
    let made = raw.iter().map(|segment| {
        let references: Vec<O> = segment.references.iter().map(|raw| make(raw)).collect();
        (make(segment.hypothesis), references, segment.source.map(make))
    });
    let made: Vec<(O, Vec<O>, Option<O>)> = made.collect();
    let references: Vec<Vec<&S>> = made.iter().map(|(_, references, _)| borrowed(references)).collect();
    let segments = made.iter().zip(&references).map(|((hypothesis, _, source), references)| {
        Segment::with_source(hypothesis.borrow(), references, source.as_ref().map(Borrow::borrow))
    });
    look(&segments.collect::<Vec<_>>())
}

fn borrowed<S: ?Sized, O: Borrow<S>>(all: &[O]) -> Vec<&S> {
    all.iter().map(Borrow::borrow).collect()
}

impl<S: ?Sized, O> Metric for Viewed<'_, S, O> {
    type Stats = AnyStats;
    type Score = AnyScore;
    type Scratch = AnyScratch;
    metric_through!(self => self.door);
}

impl<S: ?Sized, O: Borrow<S>> Observe<[u8]> for Viewed<'_, S, O> {
    fn observe(
        &self,
        scratch: &mut AnyScratch,
        stats: &mut AnyStats,
        segment: Segment<'_, [u8]>,
    ) -> Result<()> {
        self.with(segment, |segment| self.door.observe(scratch, stats, segment))
    }

    fn observe_each(
        &self,
        scratch: &mut AnyScratch,
        stats: &mut [AnyStats],
        segments: &[Segment<'_, [u8]>],
    ) -> Result<()> {
        with_made(&*self.make, segments, |segments| self.door.observe_each(scratch, stats, segments))
    }

    fn prepare(&self, scratch: &mut AnyScratch, references: &[&[u8]]) -> Result<Prepared> {
        self.door.prepare(scratch, &borrowed(&self.made(references)))
    }

    fn observe_prepared(
        &self,
        scratch: &mut AnyScratch,
        stats: &mut AnyStats,
        segment: Segment<'_, [u8]>,
        prepared: &Prepared,
    ) -> Result<()> {
        self.with(segment, |segment| self.door.observe_prepared(scratch, stats, segment, prepared))
    }

    fn observe_prefixes(
        &self,
        scratch: &mut AnyScratch,
        segment: Segment<'_, [u8]>,
        each: &mut dyn FnMut(&AnyStats) -> Result<()>,
    ) -> Result<bool> {
        self.with(segment, |segment| self.door.observe_prefixes(scratch, segment, each))
    }

    fn ask(&self, scratch: &mut AnyScratch, ask: Ask<'_, [u8]>) -> Result<Option<Answer<'_, AnyStats>>> {
        let hypotheses = self.made(ask.hypotheses);
        let references = self.made(ask.references);
        let source = ask.source.map(|raw| (self.make)(raw));
        let source = source.as_ref().map(Borrow::borrow);
        self.door.ask(scratch, ask.with_sequences(&borrowed(&hypotheses), &borrowed(&references), source))
    }
}

//! Passes segments and candidate pools to a metric, with the tokens of each text in place of the text. The
//! callers, [`Tokenized`](crate::Tokenized) and [`Panel`](crate::Panel), tokenize the texts.

use core::ops::Range;
use core::slice;

use bleuprint_core::{Answer, Ask, Location, Observe, PairScorer, Result, Segment, SegmentCounts, Wanted};
use bleuprint_inference::Interrupt;
use smallvec::SmallVec;

use super::leave_one_out::each_with_others;
use crate::batches::{ThreadTables, observe_apart, observe_in_batches};

/// Lists the texts of segments that share references, in the order in which they are tokenized: hypotheses,
/// references, source.
pub(crate) fn texts_of<'s, S: ?Sized>(group: &[Segment<'s, S>]) -> SmallVec<[&'s S; 8]> {
    let mut texts = SmallVec::new();
    group.iter().for_each(|segment| texts.push(segment.hypothesis));
    if let Some(shared) = group.first() {
        shared.references.iter().for_each(|reference| texts.push(*reference));
        shared.source.into_iter().for_each(|source| texts.push(source));
    }
    texts
}

/// Calls `observe` for every group of neighbouring segments that share references and source in memory.
/// `observe` gets the statistics and the segments of the group.
pub(crate) fn each_group<'s, T, S: ?Sized>(
    stats: &mut [T],
    segments: &[Segment<'s, S>],
    mut observe: impl FnMut(&mut [T], &[Segment<'s, S>]) -> Result<()>,
) -> Result<()> {
    let mut rest = stats;
    let mut first = 0;
    for group in segments.chunk_by(|one, other| one.shares_references(other)) {
        let (own, others) = rest.split_at_mut(group.len());
        // A group numbers its segments from 1; the caller needs the number among all segments.
        observe(own, group).map_err(|error| {
            let within = error.location().segment.unwrap_or(1);
            error.renumbered(Location::segment(first + within))
        })?;
        rest = others;
        first += group.len() as u64;
    }
    Ok(())
}

/// Computes the statistics of segments that share references; `get` returns a tokenized text by its index in
/// [`texts_of`].
pub(crate) fn observe_group<'e, M: Observe<S>, S: ?Sized + 'e>(
    metric: &M,
    scratch: &mut M::Scratch,
    stats: &mut [M::Stats],
    group: &[Segment<'_, str>],
    get: impl Fn(usize) -> &'e S,
) -> Result<()> {
    let Some(shared) = group.first() else { return Ok(()) };
    let hypotheses = group.len();
    let references = shared.references.len();
    let own: SmallVec<[&S; 8]> = (hypotheses..hypotheses + references).map(&get).collect();
    let source = shared.source.map(|_| get(hypotheses + references));
    let segment = |index| Segment::with_source(get(index), &own, source);
    // The call for a single segment spares the list of segments.
    if let [stats] = stats {
        return metric.observe(scratch, stats, segment(0));
    }
    let segments: SmallVec<[Segment<'_, S>; 8]> = (0..hypotheses).map(segment).collect();
    metric.observe_each(scratch, stats, &segments)
}

struct EncodedPlace {
    hypothesis: usize,
    references: Range<usize>,
    source: Option<usize>,
}

/// Copies of the tokenized texts of a batch of segments, for metrics that take many segments in one call.
pub(crate) struct Copies<O> {
    texts: Vec<O>,
    places: Vec<EncodedPlace>,
}

impl<O> Copies<O> {
    pub(crate) fn new() -> Self {
        Copies { texts: Vec::new(), places: Vec::new() }
    }

    /// Adds copies of the tokenized texts of a group of segments to this batch. The segments share
    /// references. `texts` are in the order of [`texts_of`].
    pub(crate) fn push<S: ?Sized>(&mut self, group: &[Segment<'_, S>], texts: impl Iterator<Item = O>) {
        let Some(shared) = group.first() else { return };
        let first = self.texts.len();
        self.texts.extend(texts);
        let references = first + group.len()..first + group.len() + shared.references.len();
        let source = shared.source.map(|_| references.end);
        self.places.extend((first..).zip(group).map(|(hypothesis, _)| EncodedPlace {
            hypothesis,
            references: references.clone(),
            source,
        }));
    }

    fn segments<'a, S: ?Sized>(&self, texts: &'a [&'a S]) -> Vec<Segment<'a, S>> {
        let segment = |place: &EncodedPlace| {
            let references = &texts[place.references.clone()];
            Segment::with_source(
                texts[place.hypothesis],
                references,
                place.source.map(|source| texts[source]),
            )
        };
        self.places.iter().map(segment).collect()
    }

    /// Computes the statistics of all segments of the batch; `get` borrows a stored text as the type that the
    /// metric takes.
    fn observe_by<'a, S: ?Sized + 'a, M: Observe<S>>(
        &'a self,
        get: impl Fn(&'a O) -> &'a S,
        metric: &M,
        scratch: &mut M::Scratch,
        stats: &mut [M::Stats],
    ) -> Result<()> {
        let texts: Vec<&S> = self.texts.iter().map(get).collect();
        observe_in_batches(metric, scratch, stats, &self.segments(&texts))
    }
}

impl Copies<String> {
    pub(crate) fn observe<M: Observe<str>>(
        &self,
        metric: &M,
        scratch: &mut M::Scratch,
        stats: &mut [M::Stats],
    ) -> Result<()> {
        self.observe_by(String::as_str, metric, scratch, stats)
    }
}

/// Copies of the token ids of a batch of segments, all in one vector.
pub(crate) struct IdCopies {
    copies: Copies<Range<usize>>,
    ids: Vec<u32>,
}

impl IdCopies {
    pub(crate) fn new() -> Self {
        IdCopies { copies: Copies::new(), ids: Vec::new() }
    }

    pub(crate) fn push<'t, S: ?Sized>(
        &mut self,
        group: &[Segment<'_, S>],
        texts: impl Iterator<Item = &'t [u32]>,
    ) {
        let IdCopies { copies, ids } = self;
        let copy = |text: &[u32]| {
            ids.extend_from_slice(text);
            ids.len() - text.len()..ids.len()
        };
        copies.push(group, texts.map(copy));
    }

    pub(crate) fn observe<M: Observe<[u32]>>(
        &self,
        metric: &M,
        scratch: &mut M::Scratch,
        stats: &mut [M::Stats],
    ) -> Result<()> {
        self.copies.observe_by(|place| &self.ids[place.clone()], metric, scratch, stats)
    }
}

impl Copies<Vec<String>> {
    pub(crate) fn observe_tokens<M: for<'t> Observe<[&'t str]>>(
        &self,
        metric: &M,
        scratch: &mut M::Scratch,
        stats: &mut [M::Stats],
    ) -> Result<()> {
        self.with(|segments| observe_in_batches(metric, scratch, stats, segments))
    }

    pub(crate) fn with<R>(&self, look: impl FnOnce(&[Segment<'_, [&str]>]) -> R) -> R {
        let texts = borrowed(&self.texts);
        look(&self.segments(&slices(&texts)))
    }
}

pub(crate) fn owned(tokens: &[&str]) -> Vec<String> {
    tokens.iter().map(ToString::to_string).collect()
}

fn borrowed(texts: &[Vec<String>]) -> Vec<Vec<&str>> {
    texts.iter().map(|text| text.iter().map(String::as_str).collect()).collect()
}

/// Lists all texts of a request ([`Ask`]) in the order in which they are tokenized: hypotheses, references,
/// source.
pub(crate) fn texts_of_ask<'s, S: ?Sized>(ask: &Ask<'s, S>) -> Vec<&'s S> {
    ask.hypotheses.iter().chain(ask.references).copied().chain(ask.source).collect()
}

/// Returns a copy of a request ([`Ask`]) in which each text is replaced by its tokens. `all` has the token
/// lists of all texts, in the order of [`texts_of_ask`].
pub(crate) fn recoded<'e, S: ?Sized>(ask: &Ask<'_, str>, all: &'e [&'e S]) -> Ask<'e, S> {
    let (hypotheses, others) = all.split_at(ask.hypotheses.len());
    let (references, source) = others.split_at(ask.references.len());
    ask.with_sequences(hypotheses, references, source.first().copied())
}

/// Asks a metric for results over many texts at once, such as the scores of all pairs of texts. The texts are
/// sequences of token ids. If the metric has no faster method, every segment is counted separately.
pub(crate) fn answer_ids<'m, M: Observe<[u32]>>(
    metric: &'m M,
    scratch: &mut M::Scratch,
    ask: Ask<'_, [u32]>,
) -> Result<Option<Answer<'m, M::Stats>>> {
    answer(metric, scratch, ask, |hypotheses, references| {
        let copied = |texts: &[&[u32]]| texts.iter().map(|text| text.to_vec()).collect();
        let hypotheses = copied(hypotheses);
        let references = copied(references);
        Some(Box::new(EncodedPairs { metric, hypotheses, references, interrupt: Interrupt::of_thread() }))
    })
}

/// Asks a metric for results over many texts at once, such as the scores of all pairs of texts. The texts are
/// lists of tokens. If the metric has no faster method, every segment is counted separately.
pub(crate) fn answer_tokens<'m, M: for<'t> Observe<[&'t str]>>(
    metric: &'m M,
    scratch: &mut M::Scratch,
    ask: Ask<'_, [&str]>,
) -> Result<Option<Answer<'m, M::Stats>>> {
    answer(metric, scratch, ask, |hypotheses, references| {
        let copied = |texts: &[&[&str]]| texts.iter().map(|text| owned(text)).collect();
        let hypotheses = copied(hypotheses);
        let references = copied(references);
        Some(Box::new(EncodedPairs { metric, hypotheses, references, interrupt: Interrupt::of_thread() }))
    })
}

/// Asks a metric for results over many texts at once, such as the scores of all pairs of texts. If the metric
/// has no method for all pairs, `pairs` creates the object that scores them.
pub(crate) fn answer<'m, M: Observe<S>, S: ?Sized + Sync>(
    metric: &'m M,
    scratch: &mut M::Scratch,
    ask: Ask<'_, S>,
    pairs: impl FnOnce(&[&S], &[&S]) -> Option<Box<dyn PairScorer + 'm>>,
) -> Result<Option<Answer<'m, M::Stats>>> {
    if let Some(answer) = metric.ask(scratch, ask)? {
        return Ok(Some(answer));
    }
    Ok(match ask.wanted {
        Wanted::Pairs => pairs(ask.hypotheses, ask.references).map(Answer::Scores),
        Wanted::LeaveOneOut => Some(Answer::Stats(each_with_others(metric, ask.hypotheses, ask.references)?)),
        _ => None,
    })
}

/// Tokenized hypotheses and references that are scored pair by pair, for metrics without a faster method.
/// Scoring stops after an interrupt.
struct EncodedPairs<'m, M, O> {
    metric: &'m M,
    hypotheses: Vec<O>,
    references: Vec<O>,
    interrupt: Interrupt,
}

impl<M: Observe<[u32]>> PairScorer for EncodedPairs<'_, M, Vec<u32>> {
    fn score(&self, hypotheses: Range<usize>, scores: &mut [f64]) {
        let [hypotheses, references] = [&self.hypotheses[hypotheses], &self.references].map(slices);
        self.score_pairs(&hypotheses, &references, scores);
    }
}

impl<M: for<'t> Observe<[&'t str]>> PairScorer for EncodedPairs<'_, M, Vec<String>> {
    fn score(&self, hypotheses: Range<usize>, scores: &mut [f64]) {
        let [hypotheses, references] = [&self.hypotheses[hypotheses], &self.references].map(borrowed);
        let [hypotheses, references] = [&hypotheses[..], &references].map(slices);
        self.score_pairs(&hypotheses, &references, scores);
    }
}

fn slices<T>(texts: &[Vec<T>]) -> Vec<&[T]> {
    texts.iter().map(Vec::as_slice).collect()
}

impl<M, O> EncodedPairs<'_, M, O> {
    /// Computes the scores of pairs until one pair fails; the remaining scores stay NaN. A caller that needs
    /// the error computes the failed pair again.
    fn score_pairs<S: ?Sized>(&self, hypotheses: &[&S], references: &[&S], scores: &mut [f64])
    where
        M: Observe<S>,
    {
        let metric = self.metric;
        let columns = references.len();
        // A pair has one reference.
        let counts = SegmentCounts::of_segment(1);
        let pair =
            |&at: &usize| Segment::new(hypotheses[at / columns], slice::from_ref(&references[at % columns]));
        let ended =
            observe_apart(metric, &mut ThreadTables::new(metric), 0..scores.len(), pair, |&at, observed| {
                self.interrupt.check()?;
                let number = metric.number(observed?, &counts).ok();
                scores[at] = number.filter(|number| number.is_finite()).unwrap_or(f64::NAN);
                Ok(())
            });
        // The remaining scores are NaN already, because the caller has filled them.
        drop(ended);
    }
}

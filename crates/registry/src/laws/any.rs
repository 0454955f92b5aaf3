//! Property tests ("laws") for metrics chosen at run time, with every kind of input. Further tests, only for
//! these metrics, check metrics with two passes, and pass statistics and buffers of other metrics.

use bleuprint_core::{Totals, Vector, columns};

use super::distinct::distinct_keys;
use super::prelude::*;
use super::seen::{LawSubject, Reached};
use super::{check_subject, hold_on_sample};
use crate::{AnyState, Numbers, ViewKind};

fn ids(raw: &[u8]) -> Vec<u32> {
    raw.iter().map(|token| 7 + u32::from(token % 3) * 1_000_003).collect()
}

/// Returns a function that converts bytes to token ids: different ids for each segment `number`, or fixed ids
/// for `None`.
pub(super) fn renamed(number: Option<u32>) -> impl Fn(&[u8]) -> Vec<u32> + Copy {
    // Three ids suffice for matches. They are large and far apart, so that no table can be indexed by them.
    move |raw| match number {
        Some(number) => {
            let rename = |token: &u8| 4_000_000_000 - u32::from(token % 3) * 77_777 - number * 1_001;
            raw.iter().map(rename).collect()
        }
        None => ids(raw),
    }
}

pub(super) fn words(raw: &[u8]) -> Vec<&'static str> {
    raw.iter().map(|token| ["a", "the cat", "é"][usize::from(token % 3)]).collect()
}

fn text(raw: &[u8]) -> String {
    let words: Vec<&str> = raw.iter().map(|token| ["a", "cat.", "é"][usize::from(token % 3)]).collect();
    words.join(" ")
}

/// Converts random bytes to one input number per column. The numbers of column `c` are from `c` to `c + 1`,
/// so that quotients of neighbouring columns are at most 1.
fn numbers(columns: usize, raw: &[u8]) -> Vec<f64> {
    let byte = |column: usize| raw.get(column).copied().unwrap_or_default();
    (0..columns).map(|column| f64::from(byte(column) % 5) / 4.0 + column as f64).collect()
}

fn vectors(raw: &[u8]) -> Vec<Vector<'static>> {
    const VECTORS: [&[f32]; 4] =
        [&[1.0, 0.5, -0.25], &[0.125, -2.0, 1.0], &[-1.0, 0.75, 3.0], &[0.1, 0.2, 0.3]];
    let vector = |&token: &u8| {
        let place = token % 4;
        let weight = f64::from(token % 3);
        let piece = Some(i64::from(place));
        Vector { weight, piece, ..Vector::from(VECTORS[usize::from(place)]) }
    };
    // One more vector with weight 1 ensures that every list has a mean.
    raw.iter().map(vector).chain([Vector { piece: Some(0), ..Vector::from(VECTORS[0]) }]).collect()
}

pub(super) fn subject_of(metric: &AnyMetric) -> LawSubject<'_> {
    match metric.view.kind {
        ViewKind::Ids => LawSubject::new::<[u32], _, _>(metric, ids, true),
        ViewKind::Tokens if metric.view.parted.is_some() => {
            panic!("{metric:?} observes texts with parts: `laws::check_sequences` takes tokens of them")
        }
        ViewKind::Tokens => LawSubject::new::<[&str], _, _>(metric, words, true),
        ViewKind::Text => LawSubject::new::<str, _, _>(metric, text, false),
        ViewKind::Numbers => {
            let columns = metric.view.numbers.columns.len();
            LawSubject::new::<Numbers, _, _>(metric, move |raw: &[u8]| numbers(columns, raw), false)
        }
        ViewKind::Vectors => LawSubject::new::<[Vector<'_>], _, _>(metric, vectors, false),
        ViewKind::Own => {
            panic!("{metric:?} has data of its own: `laws::check_any_for` takes segments of it")
        }
    }
}

/// Tests that a metric chosen at run time obeys every law (required property), over ids, tokens, text,
/// numbers or vectors. A metric with two passes learns from each test corpus before it observes it.
///
/// # Panics
/// Panics if the metric breaks a law.
pub fn check_any(metric: &AnyMetric) {
    let name = metric.identity().name();
    let subject = subject_of(metric);
    let Some(first) = metric.first_pass() else { return check_one_pass(metric, &subject) };
    check_any(first);
    hold(&name, || not_yet(metric, &subject));
    hold(&name, || {
        let second = learned(metric, &sample())?;
        let subject = subject_of(&second);
        subject.erased_alone()?;
        subject.hold_without_corpus()?;
        hold_on_sample(&subject)
    });
    let reached = Reached::default();
    hold_on_corpora(&name, &*subject.show, &|corpus| {
        let second = learned(metric, corpus)?;
        says_what_follows(metric, &second)?;
        // The laws hold for the learned metric. Its tables differ from corpus to corpus.
        subject_of(&second).hold_on(corpus, &reached)?;
        other_tables(metric, &second, corpus)
    });
    hold(&name, || reached.require());
}

pub(super) fn check_one_pass(metric: &AnyMetric, subject: &LawSubject<'_>) {
    let with_ids = |number| LawSubject::new::<[u32], _, _>(metric, renamed(number), true);
    check_subject(subject, |corpus| match metric.view.kind {
        ViewKind::Ids => subject.renamed_ids(corpus, &with_ids),
        _ => Ok(()),
    });
    hold(&metric.identity().name(), || subject.erased_alone());
}

/// Returns the metric's counts of a test corpus, which is first converted to the kind of input that the
/// metric observes.
pub(super) fn observed(metric: &AnyMetric, corpus: &[OwnedSegment]) -> Held<AnyState> {
    let whole = subject_of(metric).look_at(corpus, |seen| Ok(seen.whole.clone()))?;
    let stats: &AnyStats = fine("observing", "statistics behind two pointers", whole.stats().typed())?;
    fine("observing", "a state", State::from_stats(metric, *whole.counts(), stats.clone()))
}

/// Returns the metric after its first pass over the test corpus and one extra segment, so that the data is
/// never empty. A metric without a first pass is returned unchanged.
pub(super) fn learned(metric: &AnyMetric, corpus: &[OwnedSegment]) -> Held<AnyMetric> {
    let Some(first) = metric.first_pass() else { return Ok(metric.clone()) };
    // Without a segment there is nothing to learn from, and several metrics then have no second pass.
    let corpus: Vec<_> = corpus.iter().cloned().chain([another()]).collect();
    fine(TWO_PASSES, "the second after the first", metric.second_pass(&observed(first, &corpus)?))
}

const TWO_PASSES: &str = "two passes";

/// Tests that a metric with two passes can neither observe nor score before its first pass, and rejects
/// counts of other metrics.
fn not_yet(metric: &AnyMetric, subject: &LawSubject<'_>) -> Held {
    let zero = metric.zero();
    let counts = SegmentCounts::of_segment(1);
    let segment = Segment::with_source(&[0][..], &[], Some(&[0][..]));
    let observed = subject.metric.observe(&mut AnyScratch::default(), &mut subject.zero.clone(), segment);
    let refused = [
        ("observing", observed.is_err()),
        ("finishing", metric.finalize(&zero, &counts).is_err()),
        ("the number", metric.number(&zero, &counts).is_err()),
        ("checking", metric.check(&zero, &counts).is_err()),
        ("serving", metric.serves(&metric.state_key()).is_err()),
        ("learning from another metric's state", metric.second_pass(&State::zero(&elsewhere())).is_err()),
    ];
    let all = refused.map(|(verb, _)| (verb, true));
    same(TWO_PASSES, "what is refused before it has learned", &refused, &all)
}

/// Tests that a metric's kind of input, names and scale are the same before and after its first pass.
fn says_what_follows(metric: &AnyMetric, second: &AnyMetric) -> Held {
    same(TWO_PASSES, "views", &second.view, &metric.view)?;
    same(TWO_PASSES, "names", &second.identity().name(), &metric.identity().name())?;
    same(TWO_PASSES, "headline names", &second.headline_names(), &metric.headline_names())?;
    same(TWO_PASSES, "scales", &second.scale(), &metric.scale())?;
    same(TWO_PASSES, "whether statistics are rows", &second.zero().is_row(), &metric.zero().is_row())
}

/// Tests that learning from other data changes the state key of a two-pass metric, if it changes the counts.
fn other_tables(metric: &AnyMetric, second: &AnyMetric, corpus: &[OwnedSegment]) -> Held {
    let more = [corpus, &corpus[..corpus.len().div_ceil(2)]].concat();
    distinct_keys(second, &learned(metric, &more)?, corpus)
}

columns! {
    struct ForeignStats { foreign }
}

/// Creates a test metric whose statistics and working buffers have types that no other metric uses.
fn elsewhere() -> AnyMetric {
    let identity = Identity::new("another", 1, Scale::UNBOUNDED);
    let count = |_: Segment<'_, str>| Ok(ForeignStats { foreign: 1 });
    let counted = Totals::new(identity, count, |all: &ForeignStats, _| Ok(all.foreign as f64));
    AnyMetric::for_text((counted.clone(), counted))
}

impl LawSubject<'_> {
    /// Tests that statistics of another metric give an error and change nothing, and that working buffers of
    /// another metric change no result.
    fn erased_alone(&self) -> Held {
        const LAW: &str = "foreign statistics";
        let another = elsewhere();
        let another = subject_of(&another);
        let mut scratch = AnyScratch::default();
        let mut foreign = another.zero.clone();
        let one = another.metric.observe(&mut scratch, &mut foreign, Segment::new(&[0], &[]));
        fine(LAW, "observing elsewhere", one)?;
        self.look_at(&sample(), |seen| {
            self.foreign(seen.whole.stats(), &foreign)?;
            self.foreign(&foreign, seen.whole.stats())?;
            let mut stats = foreign.clone();
            let observed = self.metric.observe(&mut AnyScratch::default(), &mut stats, seen.segments[0]);
            require!(LAW, observed.is_err(), "a segment is observed into {foreign:?}");
            same(LAW, "after an error", &stats, &foreign)?;
            let counts = SegmentCounts::of_segment(1);
            let number = self.metric.number(&foreign, &counts).map(|_| ());
            let refused = self.metric.check(&foreign, &counts).and(number);
            require!(LAW, refused.is_err(), "{foreign:?} is checked and finished");
            let mut state = State::zero(&*self.metric);
            self.observe_into(&mut state, &mut scratch, seen.segments)?;
            same_states("scratch", "observed with scratch of another metric", &state, &seen.whole)
        })
    }

    fn foreign(&self, own: &AnyStats, other: &AnyStats) -> Held {
        let mut after = own.clone();
        let done = [after.merge(other).is_ok(), own.check_merge(other).is_ok(), after.retract(other).is_ok()];
        same(
            "foreign statistics",
            "merging, checking, subtracting those of another metric",
            &done,
            &[false; 3],
        )?;
        same("foreign statistics", "after an error", &after, own)
    }
}

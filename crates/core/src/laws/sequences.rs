//! The laws of a typed metric, over sequences of any kind.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt::Debug;

use quickcheck::Gen;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{OwnedSegment, corpora, json, name};
use crate::{InputErrorKind, Metric, Observe, Score, Segment, SegmentCounts, State, Stats, Tagged};

/// When two results are the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Equality {
    /// Statistics are equal. For all metrics whose statistics are whole numbers.
    Exact,
    /// Scores differ by at most this, relative to the greater magnitude or to 1: for statistics that hold floats,
    /// whose sums depend on the order.
    ScoresWithin(f64),
}

/// The state of a corpus, observed in one pass with one scratch.
///
/// # Panics
/// When a segment is refused.
pub fn observe_all<S, O, M>(metric: &M, corpus: &[OwnedSegment<O>]) -> State<M::Stats>
where
    S: ?Sized,
    O: Borrow<S> + Debug,
    M: Observe<S>,
{
    let (mut scratch, mut state) = (metric.scratch(), State::zero(metric));
    for owned in corpus {
        let observed = owned.with::<S, _>(|segment| state.observe(metric, &mut scratch, segment));
        assert_eq!(observed, Ok(()), "{}: a segment is refused: {owned:?}", name(metric));
    }
    state
}

/// The laws of merging, purity, scale, reference order, errors, batches, pools, identity and storing, for segments whose
/// sequences `generate` makes.
///
/// # Panics
/// When a law is broken.
pub fn check_sequences<S, O, M>(metric: &M, generate: impl Fn(&mut Gen) -> O, equality: Equality)
where
    S: ?Sized,
    O: Borrow<S> + Clone + Debug,
    M: Observe<S>,
    M::Stats: PartialEq + Debug + Serialize + DeserializeOwned,
    M::Score: Score,
{
    let laws = Laws { metric, tolerance: tolerance::<M>(equality) };
    check_identity(metric);
    let finish = |state: &State<M::Stats>| metric.finalize(state.stats(), state.counts()).map(headlines);
    let mut before = None;
    for corpus in corpora(&generate) {
        let whole = observe_all::<S, O, M>(metric, &corpus);
        let score = finish(&whole);
        laws.observing::<S, O>(&corpus, &whole);
        finishing(metric, &whole, &corpus);
        super::pools::check_pool::<S, O, M>(metric, &corpus);
        // What was observed in between must not show: a state elsewhere than in the statistics would.
        for (state, score) in [&before, &Some((whole.clone(), score.clone()))].into_iter().flatten() {
            let elsewhere = "a score depends on what was observed elsewhere";
            assert_eq!(&finish(state), score, "{}: {elsewhere}, {corpus:?}", name(metric));
        }
        before = Some((whole, score));
    }
    laws.hostile_counts();
}

/// The laws of [`check_sequences`] that are not about the score, for metrics whose score has no one scale, such as
/// tuples of metrics.
///
/// # Panics
/// When a law is broken.
pub fn check_merging<S, O, M>(metric: &M, generate: impl Fn(&mut Gen) -> O)
where
    S: ?Sized,
    O: Borrow<S> + Clone + Debug,
    M: Observe<S>,
    M::Stats: PartialEq + Debug + Serialize + DeserializeOwned,
{
    let laws = Laws { metric, tolerance: None };
    check_identity(metric);
    for corpus in corpora(&generate) {
        laws.observing::<S, O>(&corpus, &observe_all::<S, O, M>(metric, &corpus));
    }
    laws.hostile_counts();
}

fn headlines(score: impl Score) -> Vec<f64> {
    score.headlines()
}

/// The state key and the signature are parsed back from what they print, and the metric serves its own states.
///
/// # Panics
/// When they are not, or it does not.
pub fn check_identity(metric: &impl Metric) {
    let (key, signature) = (metric.state_key(), metric.signature());
    assert_eq!(key.to_string().parse(), Ok(key.clone()), "the state key `{key}` is parsed back");
    assert_eq!(
        signature.to_string().parse(),
        Ok(signature.clone()),
        "the signature `{signature}` is parsed back"
    );
    assert_eq!(metric.serves(&key), Ok(()), "the metric serves its own states");
    assert_eq!(metric.identity(), metric.identity(), "the identity is always the same");
}

/// Finalizing reads only, is repeatable, and stays on the scale.
fn finishing<M: Metric>(metric: &M, state: &State<M::Stats>, corpus: &dyn Debug)
where
    M::Stats: PartialEq + Debug,
    M::Score: Score,
{
    let name = name(metric);
    let before = state.clone();
    let finish = || metric.finalize(state.stats(), state.counts()).map(|score| score.headlines());
    let first = finish();
    assert_eq!(finish(), first, "{name}: finalize twice, {corpus:?}");
    assert_eq!(state, &before, "{name}: finalize only reads, {corpus:?}");
    assert_eq!(
        metric.check(state.stats(), state.counts()),
        Ok(()),
        "{name}: what was observed passes the metric's check: {corpus:?}"
    );
    let Ok(headlines) = first else { return };
    assert_eq!(
        headlines.len(),
        M::Score::headline_names().len(),
        "{name}: one number for each headline name"
    );
    let scale = metric.scale();
    assert!(
        headlines.iter().all(|value| scale.contains(*value)),
        "{name}: {headlines:?} is not on the scale {scale:?}, for {corpus:?}"
    );
}

/// How scores are compared, where statistics are not: their headline numbers, and the tolerance.
type Tolerance<M> = Option<(f64, fn(<M as Metric>::Score) -> Vec<f64>)>;

fn tolerance<M: Metric>(equality: Equality) -> Tolerance<M>
where
    M::Score: Score,
{
    match equality {
        Equality::Exact => None,
        Equality::ScoresWithin(tolerance) => Some((tolerance, headlines)),
    }
}

struct Laws<'m, M: Metric> {
    metric: &'m M,
    tolerance: Tolerance<M>,
}

impl<M> Laws<'_, M>
where
    M: Metric,
    M::Stats: PartialEq + Debug + Serialize + DeserializeOwned,
{
    /// What is observed, merged and stored.
    fn observing<S: ?Sized, O: Borrow<S> + Clone + Debug>(
        &self,
        corpus: &[OwnedSegment<O>],
        whole: &State<M::Stats>,
    ) where
        M: Observe<S>,
    {
        self.merging::<S, O>(corpus, whole);
        if !self.metric.identity().is_reference_order_kept() {
            let reversed: Vec<OwnedSegment<O>> = corpus.iter().map(OwnedSegment::reversed).collect();
            self.same(&observe_all::<S, O, M>(self.metric, &reversed), whole, "reference order", &corpus);
        }
        self.batches::<S, O>(corpus, whole);
        self.refusals::<S, O>(corpus, whole);
        self.storing(whole);
    }

    fn same(&self, left: &State<M::Stats>, right: &State<M::Stats>, law: &str, corpus: &dyn Debug) {
        let name = name(self.metric);
        assert_eq!(left.counts(), right.counts(), "{name}: {law}, counts of segments, for {corpus:?}");
        let Some((tolerance, headlines)) = self.tolerance else {
            assert_eq!(left.stats(), right.stats(), "{name}: {law}, for {corpus:?}");
            return;
        };
        let finish = |state: &State<M::Stats>| self.metric.finalize(state.stats(), state.counts());
        match (finish(left).map(headlines), finish(right).map(headlines)) {
            (Ok(left), Ok(right)) => {
                for (left, right) in left.into_iter().zip(right) {
                    let limit = tolerance * left.abs().max(right.abs()).max(1.0);
                    assert!((left - right).abs() <= limit, "{name}: {law}: {left}, {right}, for {corpus:?}");
                }
            }
            (left, right) => assert_eq!(left.err(), right.err(), "{name}: {law}, for {corpus:?}"),
        }
    }

    fn merged(&self, a: &State<M::Stats>, b: &State<M::Stats>) -> State<M::Stats> {
        let mut merged = a.clone();
        assert_eq!(a.stats().check_merge(b.stats()), Ok(()), "states of one metric merge");
        assert_eq!(merged.merge(b), Ok(()), "states of one metric merge");
        merged
    }

    fn merging<S: ?Sized, O: Borrow<S> + Debug>(&self, corpus: &[OwnedSegment<O>], whole: &State<M::Stats>)
    where
        M: Observe<S>,
    {
        let zero = State::zero(self.metric);
        for cut in 0..=corpus.len() {
            let (left, right) = corpus.split_at(cut);
            let (a, b) =
                (observe_all::<S, O, M>(self.metric, left), observe_all::<S, O, M>(self.metric, right));
            let ab = self.merged(&a, &b);
            self.same(&ab, whole, "homomorphism: stats(a) ⊕ stats(b) = stats(a ++ b)", &(cut, corpus));
            self.same(&self.merged(&b, &a), &ab, "commutativity", &(cut, corpus));
            self.same(&self.merged(&zero, &a), &a, "identity: 0 ⊕ a = a", &left);
            self.same(&self.merged(&a, &zero), &a, "identity: a ⊕ 0 = a", &left);
            let (one, other) =
                (self.merged(&self.merged(&a, &b), whole), self.merged(&a, &self.merged(&b, whole)));
            self.same(&one, &other, "associativity", &(cut, corpus));
        }
    }

    /// Observing many at once gives each segment the statistics it has alone.
    fn batches<S: ?Sized, O: Borrow<S> + Debug>(&self, corpus: &[OwnedSegment<O>], whole: &State<M::Stats>)
    where
        M: Observe<S>,
    {
        let references: Vec<Vec<&S>> =
            corpus.iter().map(|owned| owned.references.iter().map(Borrow::borrow).collect()).collect();
        let segments: Vec<Segment<'_, S>> = corpus
            .iter()
            .zip(&references)
            .map(|(owned, references)| {
                Segment::new(owned.hypothesis.borrow(), references).with_source(owned.source.borrow())
            })
            .collect();
        let mut stats: Vec<M::Stats> = segments.iter().map(|_| self.metric.zero()).collect();
        let observed = self.metric.observe_each(&mut self.metric.scratch(), &mut stats, &segments);
        assert_eq!(observed, Ok(()), "observing each: {corpus:?}");
        let mut merged = State::zero(self.metric);
        for (stats, segment) in stats.into_iter().zip(&segments) {
            let counts = SegmentCounts::of_segment(segment.references_or_none().len());
            assert_eq!(merged.merge(&whole.filled(counts, stats)), Ok(()));
        }
        self.same(&merged, whole, "observing each", &corpus);
    }

    /// A segment without references is either observed or an error that changes nothing.
    fn refusals<S: ?Sized, O: Borrow<S> + Debug>(&self, corpus: &[OwnedSegment<O>], whole: &State<M::Stats>)
    where
        M: Observe<S>,
    {
        let Some(owned) = corpus.first() else { return };
        let mut after = whole.clone();
        let bare = Segment::new(owned.hypothesis.borrow(), &[]);
        if let Err(error) = after.observe(self.metric, &mut self.metric.scratch(), bare) {
            let missing = matches!(error.kind(), InputErrorKind::NoReferences | InputErrorKind::NoSource);
            assert!(missing, "{}: a segment without references: {error}", name(self.metric));
            assert_eq!(&after, whole, "{}: after an error the state is unchanged", name(self.metric));
        }
    }

    /// A state survives storing, opens with its metric, and every truncation of it is an error.
    fn storing(&self, state: &State<M::Stats>) {
        let stored = json(state);
        let text = stored.to_string();
        match serde_json::from_str::<Tagged<M::Stats>>(&text) {
            Ok(read) => assert_eq!(read.open(self.metric).as_ref(), Ok(state), "storing: {text}"),
            Err(error) => panic!("a state must be read back: {error}: {text}"),
        }
        // Every cut of a small state is enough: larger ones have the same form.
        let ends = if state.counts().segments <= 1 { text.len() } else { 0 };
        for end in 0..ends {
            let cut = text.get(..end).unwrap_or_default();
            let read = serde_json::from_str::<Tagged<M::Stats>>(cut);
            assert!(read.is_err(), "a truncated state is accepted: {cut}");
        }
        let Ok(tagged) = serde_json::from_str::<Tagged<M::Stats>>(&text) else { return };
        let (mut other, counts, stats) = tagged.into_parts();
        for part in &mut other.parts {
            part.schema = part.schema.wrapping_add(1);
        }
        if other.parts.is_empty() {
            return;
        }
        let foreign = Tagged::new(other, counts, stats).open(self.metric);
        assert!(foreign.is_err(), "{}: a state of another layout is opened", name(self.metric));
    }

    /// Counts of segments that nobody can have observed are an error or a score, never a panic.
    fn hostile_counts(&self) {
        for segments in [0, 1, u64::MAX] {
            let counts = SegmentCounts { segments, references: segments, references_squared: segments };
            let _ = self.metric.check(&self.metric.zero(), &counts);
            let _ = self.metric.finalize(&self.metric.zero(), &counts);
            let tagged = Tagged::new(self.metric.state_key(), counts, self.metric.zero());
            if let Ok(state) = tagged.open(self.metric) {
                let _ = state.score(self.metric);
                let _ = state.clone().merge(&state);
            }
        }
    }
}

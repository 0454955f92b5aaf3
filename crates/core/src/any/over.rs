//! The wrappers that give a typed metric its run-time door: [`OverIds`], [`OverTokens`], [`OverText`].

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::state::{ErasedStats, foreign};
use super::{
    AnyLinear, AnyMetric, AnyScratch, AnySegment, AnySequences, AnyState, View, ViewKind, counts_of,
};
use crate::labelled::serves_over;
use crate::state::check_row;
use crate::{
    AnyScore, Case, Identity, InputError, InputErrorKind, Linear, Metric, Observe, PairScorer, Scale, Score,
    Scored, Segment, SegmentCounts, SinglePrecision, StateKey, Stats, Tagged, TokenSpace,
};

/// Which view a wrapped metric has, as a type.
pub trait Viewed: Send + Sync + 'static {
    /// The view.
    const KIND: ViewKind;
    /// What metrics are told to be over as long as nobody says more.
    const SPACE: TokenSpace;
}

/// The view of [`OverIds`].
#[derive(Debug, Clone, Copy)]
pub struct Ids;
/// The view of [`OverTokens`].
#[derive(Debug, Clone, Copy)]
pub struct Tokens;
/// The view of [`OverText`].
#[derive(Debug, Clone, Copy)]
pub struct Text;

impl Viewed for Ids {
    const KIND: ViewKind = ViewKind::Ids;
    const SPACE: TokenSpace = TokenSpace::UNSPECIFIED;
}
impl Viewed for Tokens {
    const KIND: ViewKind = ViewKind::Tokens;
    const SPACE: TokenSpace = TokenSpace::UNSPECIFIED;
}
impl Viewed for Text {
    const KIND: ViewKind = ViewKind::Text;
    const SPACE: TokenSpace = TokenSpace::text(Case::Mixed);
}

/// A typed metric at the run-time door; see [`OverIds`], [`OverTokens`], [`OverText`].
#[derive(Debug, Clone)]
pub struct Over<V, M> {
    metric: M,
    tokenizer: Option<String>,
    case: Option<Case>,
    fixed: bool,
    /// What it is over; nothing until somebody says it, and until then states name their own.
    space: Option<TokenSpace>,
    key: Arc<StateKey>,
    /// What the statistics can do as a row; nothing where they are none.
    rows: Option<Rows<M>>,
    view: PhantomData<V>,
}

/// A metric that observes numbers standing for tokens. A metric that remembers tokens is refused when it is compiled:
/// numbers given within one segment would mislead it.
///
/// ```compile_fail
/// # use bleuprint_core::*;
/// # struct M;
/// # impl Metric for M {
/// #     type Stats = [u64; 1]; type Score = f64; type Scratch = ();
/// #     const REMEMBERS_TOKENS: bool = true;
/// #     fn identity(&self) -> Identity { Identity::new("m", 1) }
/// #     fn scale(&self) -> Scale { Scale::UNIT }
/// #     fn scratch(&self) {}
/// #     fn zero(&self) -> [u64; 1] { [0] }
/// #     fn finalize(&self, _: &[u64; 1], _: &SegmentCounts) -> Result<f64, InputError> { Ok(0.0) }
/// # }
/// // `M` has `const REMEMBERS_TOKENS: bool = true`.
/// let refused = OverIds::new(M);
/// ```
///
/// It is made by [`OverTokens`]:
///
/// ```
/// # use bleuprint_core::*;
/// # struct M;
/// # impl Metric for M {
/// #     type Stats = [u64; 1]; type Score = f64; type Scratch = ();
/// #     const REMEMBERS_TOKENS: bool = true;
/// #     fn identity(&self) -> Identity { Identity::new("m", 1) }
/// #     fn scale(&self) -> Scale { Scale::UNIT }
/// #     fn scratch(&self) {}
/// #     fn zero(&self) -> [u64; 1] { [0] }
/// #     fn finalize(&self, _: &[u64; 1], _: &SegmentCounts) -> Result<f64, InputError> { Ok(0.0) }
/// # }
/// let accepted = OverTokens::new(M);
/// ```
pub type OverIds<M> = Over<Ids, M>;
/// A metric that observes the tokens themselves.
pub type OverTokens<M> = Over<Tokens, M>;
/// A metric that observes text.
pub type OverText<M> = Over<Text, M>;

/// What is read from a row.
type Read = (SegmentCounts, Box<dyn ErasedStats>);

/// The operations of [`AnyLinear`], for statistics of the type of `M`. Function pointers, so that metrics with and
/// without linear statistics have one wrapper.
#[derive(Debug)]
struct Rows<M> {
    names: fn(&M) -> Vec<String>,
    row: fn(&M, &AnyState) -> Result<Vec<u64>, InputError>,
    read: fn(&M, &[u64]) -> Result<Read, InputError>,
    retract: fn(&M, &mut AnyState, &AnyState) -> Result<(), InputError>,
    score: fn(&M, &[u64]) -> Result<f64, InputError>,
}

impl<M> Clone for Rows<M> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<M> Copy for Rows<M> {}

impl<V: Viewed, M: Metric> Over<V, M> {
    /// The metric with the abilities of linear statistics: rows, subtraction, resampling.
    pub fn new(metric: M) -> Self
    where
        M::Stats: Linear + Serialize,
        M::Score: Score,
    {
        Over { rows: Some(rows()), ..Over::without_rows(metric) }
    }

    /// The metric whose statistics are a set, a map, or anything else that is no row of counts.
    pub fn not_linear(metric: M) -> Self {
        Over::without_rows(metric)
    }

    fn without_rows(metric: M) -> Self {
        const {
            assert!(
                !(M::REMEMBERS_TOKENS && matches!(V::KIND, ViewKind::Ids)),
                "this metric remembers tokens: use `OverTokens`, which gives it the tokens themselves"
            );
        }
        let key = Arc::new(metric.identity().over(&V::SPACE).key());
        Over {
            metric,
            tokenizer: None,
            case: None,
            fixed: false,
            space: None,
            key,
            rows: None,
            view: PhantomData,
        }
    }

    /// The tokenizer that the metric is defined over, by its registry name. A choice that is made for all metrics
    /// does not touch it; one that is made for this metric alone does.
    #[must_use]
    pub fn with_tokenizer(self, name: impl Into<String>) -> Self {
        Over { tokenizer: Some(name.into()), fixed: true, ..self }
    }

    /// The case that the metric is defined over.
    #[must_use]
    pub fn with_case(self, case: Case) -> Self {
        Over { case: Some(case), fixed: true, ..self }
    }

    /// The tokenizer and the case that the metric has where its user chooses none.
    #[must_use]
    pub fn with_default_tokens(self, name: impl Into<String>, case: Case) -> Self {
        Over { tokenizer: Some(name.into()), case: Some(case), fixed: false, ..self }
    }

    fn require_own(&self, state: &AnyState) -> Result<(), InputError> {
        if Arc::ptr_eq(&self.key, &state.key) { Ok(()) } else { self.key.require_equal(&state.key) }
    }

    fn observe_as<S: ?Sized>(
        &self,
        scratch: &mut AnyScratch,
        state: &mut AnyState,
        segment: Segment<'_, S>,
    ) -> Result<(), InputError>
    where
        M: Observe<S>,
    {
        self.require_own(state)?;
        let scratch = scratch.value.downcast_mut::<M::Scratch>().ok_or_else(foreign)?;
        let mut counts = state.counts;
        counts.add(&counts_of(&segment))?;
        self.metric.observe(scratch, state.stats_mut::<M::Stats>()?, segment)?;
        state.counts = counts;
        Ok(())
    }
}

fn another_view(wanted: ViewKind, given: ViewKind) -> InputError {
    InputError::malformed(format!("the metric looks at {wanted:?}, but the segment is given as {given:?}"))
}

fn rows<M: Metric>() -> Rows<M>
where
    M::Stats: Linear + Serialize,
    M::Score: Score,
{
    Rows {
        names: |metric| {
            let mut names = SegmentCounts::default().column_names();
            names.extend(metric.zero().column_names());
            names
        },
        row: |_, state| {
            let mut row = state.counts.row();
            state.stats::<M::Stats>()?.write_row(&mut row);
            Ok(row)
        },
        read: |metric, row| {
            let (counts, stats) = parse_row(metric, row)?;
            check_row(metric, &stats, &counts)?;
            Ok((counts, Box::new(stats)))
        },
        retract: |metric, state, other| {
            let (mut counts, mut stats) = (state.counts, state.stats::<M::Stats>()?.clone());
            counts.retract(&other.counts)?;
            stats.retract(other.stats()?)?;
            check_row(metric, &stats, &counts)?;
            (state.counts, state.stats) = (counts, Box::new(stats));
            Ok(())
        },
        score: |metric, row| {
            let (counts, stats) = parse_row(metric, row)?;
            Ok(metric.finalize(&stats, &counts)?.value())
        },
    }
}

fn parse_row<M: Metric>(metric: &M, row: &[u64]) -> Result<(SegmentCounts, M::Stats), InputError>
where
    M::Stats: Linear,
{
    let (mut counts, mut stats) = (SegmentCounts::default(), metric.zero());
    let own = counts.row().len();
    let Some((of_segments, of_metric)) = row.split_at_checked(own) else {
        return Err(crate::row_length(own + stats.row().len(), row.len()));
    };
    stats.read_row(of_metric).map_err(|_| crate::row_length(own + stats.row().len(), row.len()))?;
    counts.read_row(of_segments)?;
    Ok((counts, stats))
}

macro_rules! any_metric {
    ($view:ident, $sequence:ty) => {
        impl<M> AnyMetric for Over<$view, M>
        where
            M: for<'a> Observe<$sequence> + 'static,
            M::Stats: Serialize + DeserializeOwned,
            M::Score: Score,
        {
            fn view(&self) -> View {
                View {
                    kind: <$view>::KIND,
                    tokenizer: self.tokenizer.clone(),
                    case: self.case,
                    fixed: self.fixed,
                }
            }

            fn identity(&self) -> Identity {
                self.metric.identity().over(self.space.as_ref().unwrap_or(&<$view>::SPACE))
            }

            fn scale(&self) -> Scale {
                self.metric.scale()
            }

            fn over(self: Box<Self>, space: TokenSpace) -> Box<dyn AnyMetric> {
                let key = Arc::new(self.metric.identity().over(&space).key());
                Box::new(Over { space: Some(space), key, ..*self })
            }

            fn state_key(&self) -> &StateKey {
                &self.key
            }

            fn zero(&self) -> AnyState {
                let stats = Box::new(self.metric.zero());
                AnyState { key: self.key.clone(), counts: SegmentCounts::default(), stats }
            }

            fn scratch(&self) -> AnyScratch {
                AnyScratch { value: Box::new(self.metric.scratch()) }
            }

            fn observe(
                &self,
                scratch: &mut AnyScratch,
                state: &mut AnyState,
                segment: AnySegment<'_>,
            ) -> Result<(), InputError> {
                match segment {
                    AnySegment::$view(segment) => self.observe_as(scratch, state, segment),
                    other => Err(another_view(<$view>::KIND, other.kind())),
                }
            }

            fn merge(&self, state: &mut AnyState, other: &AnyState) -> Result<(), InputError> {
                self.require_own(state)?;
                self.require_own(other)?;
                let mut counts = state.counts;
                counts.add(&other.counts)?;
                state.stats_mut::<M::Stats>()?.merge(other.stats()?)?;
                state.counts = counts;
                Ok(())
            }

            fn check_merge(&self, state: &AnyState, other: &AnyState) -> Result<(), InputError> {
                self.require_own(state)?;
                self.require_own(other)?;
                state.counts.check_merge(&other.counts)?;
                state.stats::<M::Stats>()?.check_merge(other.stats()?)
            }

            fn score(&self, state: &AnyState) -> Result<Scored<AnyScore>, InputError> {
                if state.counts.segments == 0 {
                    return Err(InputErrorKind::EmptyCorpus.into());
                }
                self.serves(&state.key)?;
                let score = self.metric.finalize(state.stats()?, &state.counts)?;
                let score = AnyScore::of(&self.metric, &score)?;
                let identity = match &self.space {
                    Some(space) => self.metric.identity().over(space),
                    None => self.metric.identity().over_state(&state.key),
                };
                Ok(Scored { score, signature: identity.signature(&state.counts) })
            }

            fn serves(&self, key: &StateKey) -> Result<(), InputError> {
                match &self.space {
                    _ if *key == *self.key => Ok(()),
                    Some(space) => serves_over(&self.metric, space, key),
                    None => self.metric.serves(key),
                }
            }

            fn restore(
                &self,
                deserializer: &mut dyn erased_serde::Deserializer<'_>,
            ) -> Result<AnyState, InputError> {
                let read = erased_serde::deserialize::<Tagged<M::Stats>>(deserializer);
                let tagged = read.map_err(|error| InputError::malformed_state(format!("{error}")))?;
                let (key, counts, stats) = tagged.into_parts();
                self.key.require_equal(&key)?;
                counts.check()?;
                self.metric.check(&stats, &counts)?;
                Ok(AnyState { key: self.key.clone(), counts, stats: Box::new(stats) })
            }

            fn pair_scorer<'m>(
                &'m self,
                hypotheses: AnySequences<'_>,
                references: AnySequences<'_>,
            ) -> Result<Option<Box<dyn PairScorer + 'm>>, InputError> {
                match (hypotheses, references) {
                    (AnySequences::$view(hypotheses), AnySequences::$view(references)) => {
                        self.metric.pair_scorer(hypotheses, references)
                    }
                    _ => Ok(None),
                }
            }

            fn leave_one_out(
                &self,
                sequences: AnySequences<'_>,
            ) -> Result<Option<Vec<AnyState>>, InputError> {
                let AnySequences::$view(sequences) = sequences else { return Ok(None) };
                let counts = SegmentCounts::of_segment(sequences.len().saturating_sub(1));
                let state =
                    |stats: M::Stats| AnyState { key: self.key.clone(), counts, stats: Box::new(stats) };
                let observed = self.metric.leave_one_out(sequences)?;
                Ok(observed.map(|stats| stats.into_iter().map(state).collect()))
            }

            fn aggregate(
                &self,
                hypotheses: AnySequences<'_>,
                references: AnySequences<'_>,
            ) -> Result<Option<Vec<AnyState>>, InputError> {
                let (AnySequences::$view(hypotheses), AnySequences::$view(references)) =
                    (hypotheses, references)
                else {
                    return Ok(None);
                };
                let counts = SegmentCounts::of_segments(references.len(), 1);
                let state =
                    |stats: M::Stats| AnyState { key: self.key.clone(), counts, stats: Box::new(stats) };
                let observed = self.metric.aggregate(hypotheses, references)?;
                Ok(observed.map(|stats| stats.into_iter().map(state).collect()))
            }

            fn linear(&self) -> Option<&dyn AnyLinear> {
                self.rows.is_some().then_some(self as &dyn AnyLinear)
            }
        }
    };
}

any_metric!(Ids, [u32]);
any_metric!(Tokens, [&'a str]);
any_metric!(Text, str);

impl<V: Viewed, M: Metric> Over<V, M> {
    fn rows(&self, operation: &'static str) -> Result<&Rows<M>, InputError> {
        let error = || InputErrorKind::NotLinear { metric: self.metric.identity().name(), operation };
        self.rows.as_ref().ok_or_else(|| error().into())
    }
}

impl<V: Viewed, M: Metric> AnyLinear for Over<V, M> {
    fn column_names(&self) -> Vec<String> {
        self.rows.map(|rows| (rows.names)(&self.metric)).unwrap_or_default()
    }

    fn row(&self, state: &AnyState) -> Result<Vec<u64>, InputError> {
        self.require_own(state)?;
        (self.rows("give a row")?.row)(&self.metric, state)
    }

    fn read_row(&self, row: &[u64]) -> Result<AnyState, InputError> {
        let (counts, stats) = (self.rows("be read from a row")?.read)(&self.metric, row)?;
        Ok(AnyState { key: self.key.clone(), counts, stats })
    }

    fn retract(&self, state: &mut AnyState, other: &AnyState) -> Result<(), InputError> {
        self.require_own(state)?;
        self.require_own(other)?;
        (self.rows("be subtracted")?.retract)(&self.metric, state, other)
    }

    fn score_row(&self, row: &[u64]) -> Result<f64, InputError> {
        (self.rows("be read from a row")?.score)(&self.metric, row)
    }

    fn single_precision(&self) -> Option<&dyn SinglePrecision> {
        self.metric.single_precision()
    }
}

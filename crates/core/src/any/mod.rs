//! [`AnyMetric`]: a metric chosen at run time, behind a pointer.
//!
//! Every metric has this door: its author says by a wrapper what it looks at, and everything else follows.
//!
//! | wrapper | the metric observes | for |
//! |---|---|---|
//! | [`OverIds`] | `[u32]`: numbers that stand for tokens, equal for equal tokens within a segment | most metrics over tokens |
//! | [`OverTokens`] | `[&str]`: the tokens themselves | metrics that remember tokens: sets of n-grams, document frequencies |
//! | [`OverText`] | `str`: the text itself | metrics over characters, or that need the text |
//!
//! The tokens are made by whoever holds the metric (see [`View`]); they are part of the state key. The door is as
//! strict as the typed one: a state carries its key, and merging, subtracting, finishing and reading compare it.

mod over;
mod state;
mod two_pass;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::{AnyScore, Case, SinglePrecision};
use crate::{
    Identity, InputError, InputErrorKind, PairScorer, Scale, Scored, Segment, SegmentCounts, StateKey,
    TokenSpace,
};

pub use over::{Over, OverIds, OverText, OverTokens};
pub use state::{AnyScratch, AnyState};
pub use two_pass::TwoPass;

/// What a metric looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ViewKind {
    /// Numbers that stand for tokens: equal for equal tokens within a segment, without meaning beyond it.
    Ids,
    /// The tokens themselves.
    Tokens,
    /// The text itself.
    Text,
}

/// What a metric wants to look at: the kind, and where it cares, the tokenizer and the case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct View {
    /// Ids, tokens or text.
    pub kind: ViewKind,
    /// The tokenizer the metric is defined over; where there is none, its user chooses.
    pub tokenizer: Option<String>,
    /// The case the metric is defined over; where there is none, its user chooses.
    pub case: Option<Case>,
    /// Whether the metric is defined over just these tokens. Else they are its defaults, and a choice that its user makes
    /// for all metrics is taken instead.
    pub fixed: bool,
}

impl View {
    /// A view whose tokenizer and case the user chooses.
    pub fn new(kind: ViewKind) -> Self {
        View { kind, tokenizer: None, case: None, fixed: false }
    }
}

/// One segment, in one of the views.
#[derive(Debug, Clone, Copy)]
pub enum AnySegment<'a> {
    /// As numbers.
    Ids(Segment<'a, [u32]>),
    /// As tokens.
    Tokens(Segment<'a, [&'a str]>),
    /// As text.
    Text(Segment<'a, str>),
}

impl AnySegment<'_> {
    /// Which view this is.
    pub fn kind(&self) -> ViewKind {
        match self {
            AnySegment::Ids(_) => ViewKind::Ids,
            AnySegment::Tokens(_) => ViewKind::Tokens,
            AnySegment::Text(_) => ViewKind::Text,
        }
    }
}

/// Sequences, in one of the views.
#[derive(Debug, Clone, Copy)]
pub enum AnySequences<'a> {
    /// As numbers.
    Ids(&'a [&'a [u32]]),
    /// As tokens.
    Tokens(&'a [&'a [&'a str]]),
    /// As text.
    Text(&'a [&'a str]),
}

/// A metric behind a pointer. See the module documentation; it is made by [`OverIds`], [`OverTokens`] and [`OverText`].
pub trait AnyMetric: Send + Sync {
    /// What the metric looks at.
    fn view(&self) -> View;

    /// What the metric is, over the tokens it was told of.
    fn identity(&self) -> Identity;

    /// Range and direction of the score.
    fn scale(&self) -> Scale;

    /// The same metric over these tokens: states and scores name them.
    fn over(self: Box<Self>, space: TokenSpace) -> Box<dyn AnyMetric>;

    /// Whose states this metric observes.
    fn state_key(&self) -> &StateKey;

    /// Nothing observed yet.
    fn zero(&self) -> AnyState;

    /// Fresh tables for one thread.
    fn scratch(&self) -> AnyScratch;

    /// Adds one segment.
    ///
    /// # Errors
    /// Those of [`Observe::observe`](crate::Observe::observe); a segment in another view; a state or scratch of
    /// another metric. The state is then unchanged.
    fn observe(
        &self,
        scratch: &mut AnyScratch,
        state: &mut AnyState,
        segment: AnySegment<'_>,
    ) -> Result<(), InputError>;

    /// Merges a state of the same key.
    ///
    /// # Errors
    /// Those of [`State::merge`](crate::State::merge); `state` is then unchanged.
    fn merge(&self, state: &mut AnyState, other: &AnyState) -> Result<(), InputError>;

    /// Whether [`AnyMetric::merge`] would succeed.
    ///
    /// # Errors
    /// Those of [`AnyMetric::merge`].
    fn check_merge(&self, state: &AnyState, other: &AnyState) -> Result<(), InputError>;

    /// The score, with its signature.
    ///
    /// # Errors
    /// Those of [`State::score`](crate::State::score), and [`NoScore`](InputErrorKind::NoScore) when a headline
    /// number is not finite.
    fn score(&self, state: &AnyState) -> Result<Scored<AnyScore>, InputError>;

    /// Whether a state of this key can be finished here.
    ///
    /// # Errors
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates).
    fn serves(&self, key: &StateKey) -> Result<(), InputError>;

    /// Reads a state that was serialized: an [`AnyState`] implements `Serialize`.
    ///
    /// # Errors
    /// Those of the deserializer, and those of [`Tagged::open`](crate::Tagged::open).
    fn restore(&self, deserializer: &mut dyn erased_serde::Deserializer<'_>) -> Result<AnyState, InputError>;

    /// A shorter way to the scores of all pairs, if the metric has one: see
    /// [`Observe::pair_scorer`](crate::Observe::pair_scorer). Sequences in another view than the metric's have none.
    ///
    /// # Errors
    /// Those of [`Observe::pair_scorer`](crate::Observe::pair_scorer).
    fn pair_scorer<'m>(
        &'m self,
        hypotheses: AnySequences<'_>,
        references: AnySequences<'_>,
    ) -> Result<Option<Box<dyn PairScorer + 'm>>, InputError> {
        let _ = (hypotheses, references);
        Ok(None)
    }

    /// A shorter way to the state of each sequence with all the others as its references, if the metric has one: see
    /// [`Observe::leave_one_out`](crate::Observe::leave_one_out).
    ///
    /// # Errors
    /// Those of [`Observe::leave_one_out`](crate::Observe::leave_one_out).
    fn leave_one_out(&self, sequences: AnySequences<'_>) -> Result<Option<Vec<AnyState>>, InputError> {
        let _ = sequences;
        Ok(None)
    }

    /// The state of each hypothesis with one reference that stands for all of these, if the metric has such: see
    /// [`Observe::aggregate`](crate::Observe::aggregate).
    ///
    /// # Errors
    /// Those of [`Observe::aggregate`](crate::Observe::aggregate).
    fn aggregate(
        &self,
        hypotheses: AnySequences<'_>,
        references: AnySequences<'_>,
    ) -> Result<Option<Vec<AnyState>>, InputError> {
        let _ = (hypotheses, references);
        Ok(None)
    }

    /// What can be done with the state besides, where it is a row of counts.
    fn linear(&self) -> Option<&dyn AnyLinear> {
        None
    }

    /// The pass over the data that must come first, for metrics whose configuration is learned from it: document
    /// frequencies, information weights. Its state is given to [`AnyMetric::second_pass`].
    fn first_pass(&self) -> Option<&dyn AnyMetric> {
        None
    }

    /// The metric that observes in the second pass, configured by what the first pass observed.
    ///
    /// # Errors
    /// A state of another metric; no first pass.
    fn second_pass(&self, first: &AnyState) -> Result<Box<dyn AnyMetric>, InputError> {
        let _ = first;
        Err(InputErrorKind::Malformed(alloc::format!("{} has no second pass", self.identity().name())).into())
    }
}

/// What more can be done with states that are rows of counts.
pub trait AnyLinear: Send + Sync {
    /// The names of the columns: `segments`, `references`, `references_squared`, then the metric's own.
    fn column_names(&self) -> Vec<String>;

    /// The counts of a state.
    ///
    /// # Errors
    /// A state of another metric.
    fn row(&self, state: &AnyState) -> Result<Vec<u64>, InputError>;

    /// The state of a row.
    ///
    /// # Errors
    /// A row of another length, or one that [`Metric::check`](crate::Metric::check) refuses.
    fn read_row(&self, row: &[u64]) -> Result<AnyState, InputError>;

    /// Takes out what was observed or merged before.
    ///
    /// # Errors
    /// Those of [`State::retract`](crate::State::retract); `state` is then unchanged.
    fn retract(&self, state: &mut AnyState, other: &AnyState) -> Result<(), InputError>;

    /// The score of a row that need not be one that segments can give, such as a resample: the row is not checked.
    ///
    /// # Errors
    /// A row of another length; those of [`Metric::finalize`](crate::Metric::finalize).
    fn score_row(&self, row: &[u64]) -> Result<f64, InputError>;

    /// How sacreBLEU resamples the metric, where it has it: of the metric's own columns, those behind the first three.
    fn single_precision(&self) -> Option<&dyn SinglePrecision> {
        None
    }
}

/// The rows of states.
impl dyn AnyMetric + '_ {
    /// What can be done with states that are rows, or an error that says what cannot.
    ///
    /// # Errors
    /// [`NotLinear`](InputErrorKind::NotLinear).
    pub fn require_linear(&self, operation: &'static str) -> Result<&dyn AnyLinear, InputError> {
        let error = || InputErrorKind::NotLinear { metric: self.identity().name(), operation };
        self.linear().ok_or_else(|| error().into())
    }

    /// The statistics of one segment.
    ///
    /// # Errors
    /// Those of [`AnyMetric::observe`].
    pub fn observe_one(
        &self,
        scratch: &mut AnyScratch,
        segment: AnySegment<'_>,
    ) -> Result<AnyState, InputError> {
        let mut state = self.zero();
        self.observe(scratch, &mut state, segment)?;
        Ok(state)
    }
}

/// The counts of a segment.
fn counts_of<S: ?Sized>(segment: &Segment<'_, S>) -> SegmentCounts {
    SegmentCounts::of_segment(segment.references_or_none().len())
}

//! [`Panel`]: several metrics chosen at run time, observing the text of one system or several.
//!
//! Every metric says what it looks at ([`View`]): ids, tokens or text, over a tokenizer and a case of its own or over
//! those that the panel's user chose. Each text is tokenized once for each distinct tokenizer and case, however many
//! systems and metrics there are.

use bleuprint_core::{
    AnyMetric, AnyScore, AnyScratch, AnyState, ConfigError, InputError, InputErrorKind, Scored, StateKey,
    TokenSpace, ViewKind,
};
use bleuprint_text::Tokenizer as _;
use serde::Serialize;
use smallvec::SmallVec;

use crate::EncoderScratch;
use crate::encoder::{Texts, cased};

mod first_pass;
mod looks;
mod pools;
mod streams;
mod views;

use looks::{Looks, Shape};

pub use first_pass::FirstPass;
pub use streams::SegmentScores;
use views::Source;
pub use views::{ChosenTokens, PanelMetric, SharedTokenizer};

/// Metrics behind pointers, and the views that they look through.
pub struct Panel {
    members: Vec<Member>,
    views: Vec<Source>,
}

struct Member {
    metric: Box<dyn AnyMetric>,
    kind: ViewKind,
    /// Which of the panel's views.
    view: usize,
    linear: bool,
}

/// The states of one system: one for each metric of the panel.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct PanelState {
    states: Vec<AnyState>,
}

impl PanelState {
    /// What the first passes of a panel have learned, in its order.
    #[cfg(feature = "store")]
    pub(crate) fn of_learned(states: Vec<AnyState>) -> Self {
        PanelState { states }
    }

    /// The state of each metric, in the panel's order.
    pub fn states(&self) -> &[AnyState] {
        &self.states
    }
}

/// One segment: the hypothesis of each system, and what they share. `S` is `str`, or `[u32]` for ids.
#[derive(Debug, PartialEq, Eq)]
pub struct SystemsSegment<'t, S: ?Sized> {
    /// One for each system, in their order.
    pub hypotheses: &'t [&'t S],
    /// Those that are there.
    pub references: &'t [&'t S],
    /// What the hypotheses were made from, where it is known.
    pub source: Option<&'t S>,
}

impl<S: ?Sized> Clone for SystemsSegment<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: ?Sized> Copy for SystemsSegment<'_, S> {}

/// Scratch of a panel, one per thread.
pub struct PanelScratch {
    encoders: Vec<EncoderScratch>,
    /// A second one where a view is wanted both as ids and as tokens.
    token_encoders: Vec<EncoderScratch>,
    lowered: Vec<String>,
    digits: Vec<Vec<String>>,
    metrics: Vec<AnyScratch>,
}

/// What one thread has observed, and its scratch.
pub struct PanelWorker {
    scratch: PanelScratch,
    systems: Vec<PanelState>,
}

impl Panel {
    /// These metrics, over the tokens that `chosen` says.
    ///
    /// # Errors
    /// [`ConfigError`] of a tokenizer that a metric names.
    pub fn new(
        metrics: impl IntoIterator<Item = impl Into<PanelMetric>>,
        chosen: &ChosenTokens,
    ) -> Result<Self, ConfigError> {
        let mut panel = Panel { members: Vec::new(), views: Vec::new() };
        for metric in metrics {
            let metric = metric.into();
            let view = metric.metric.view();
            let source = chosen.source(&metric, &view)?;
            panel.add(metric.metric, view.kind, source);
        }
        Ok(panel)
    }

    /// These metrics over ids that are given as such, of this token space. Metrics that remember tokens are given
    /// them in decimal digits.
    ///
    /// # Errors
    /// [`ConfigError::Conflict`] for a metric that looks at text.
    pub fn over_ids(metrics: Vec<Box<dyn AnyMetric>>, space: &TokenSpace) -> Result<Self, ConfigError> {
        let mut panel = Panel { members: Vec::new(), views: Vec::new() };
        for metric in metrics {
            let kind = metric.view().kind;
            if kind == ViewKind::Text {
                let name = metric.identity().name();
                return Err(ConfigError::Conflict(format!("{name} looks at text, but ids are given")));
            }
            panel.add(metric, kind, Source::Given(space.clone()));
        }
        Ok(panel)
    }

    /// Adds a metric; a view that is there already serves it too.
    fn add(&mut self, metric: Box<dyn AnyMetric>, kind: ViewKind, source: Source) {
        let space = source.token_space();
        let same = |view: &Source| view.token_space() == space;
        let view = self.views.iter().position(same).unwrap_or_else(|| {
            self.views.push(source.clone());
            self.views.len() - 1
        });
        if let (Source::Tokenizer { ids, tokens, .. }, Source::Tokenizer { ids: i, tokens: t, .. }) =
            (&mut self.views[view], &source)
        {
            (*ids, *tokens) = (*ids || *i, *tokens || *t);
        }
        let metric = metric.over(space);
        let linear = metric.linear().is_some();
        self.members.push(Member { metric, kind, view, linear });
    }

    /// The metrics, each over its tokens, in the order in which they were given.
    pub fn metrics(&self) -> impl ExactSizeIterator<Item = &dyn AnyMetric> {
        self.members.iter().map(|member| &*member.metric)
    }

    /// The state key of every metric.
    pub fn state_keys(&self) -> impl Iterator<Item = &StateKey> {
        self.metrics().map(|metric| metric.state_key())
    }

    /// The panel of the pass that must come first, if some metric needs one; see [`AnyMetric::first_pass`].
    pub fn needs_first_pass(&self) -> bool {
        self.metrics().any(|metric| metric.first_pass().is_some())
    }

    /// Whether a tokenizer counts whitespace at the ends of lines; readers then leave it.
    pub fn raw_lines(&self) -> bool {
        let raw = |view: &Source| matches!(view, Source::Tokenizer { encoder, .. } if encoder.tokenizer().raw_lines());
        self.views.iter().any(raw)
    }

    /// Fresh scratch.
    pub fn scratch(&self) -> PanelScratch {
        let encoders = || self.views.iter().map(|_| EncoderScratch::default()).collect();
        PanelScratch {
            encoders: encoders(),
            token_encoders: encoders(),
            lowered: Vec::new(),
            digits: Vec::new(),
            metrics: self.metrics().map(|metric| metric.scratch()).collect(),
        }
    }

    /// Nothing observed yet, for one system.
    pub fn zero(&self) -> PanelState {
        PanelState { states: self.metrics().map(|metric| metric.zero()).collect() }
    }

    /// Observes one segment: the hypothesis of each system, with the references they share. Either all metrics of all
    /// systems observe it, or, after an error, none has.
    ///
    /// # Errors
    /// [`LengthMismatch`](InputErrorKind::LengthMismatch) when there are not as many states as hypotheses; states or
    /// scratch of another panel; those of the tokenizers and the metrics.
    pub fn observe(
        &self,
        scratch: &mut PanelScratch,
        systems: &mut [PanelState],
        segment: SystemsSegment<'_, str>,
    ) -> Result<(), InputError> {
        self.require_shape(scratch, systems, segment.hypotheses.len())?;
        let SystemsSegment { hypotheses, references, source } = segment;
        let mut all: SmallVec<[&str; 8]> = SmallVec::from_slice(hypotheses);
        all.extend_from_slice(references);
        all.extend(source);
        let texts = Texts::new(&all, hypotheses.len(), references.len());
        let PanelScratch { encoders, token_encoders, lowered, metrics, .. } = scratch;
        lowered.resize_with(lowered.len().max(all.len() * self.views.len()), String::new);
        let mut views: SmallVec<[Looks<'_>; 2]> = SmallVec::new();
        let mut lowered = &mut lowered[..];
        for (source, (ids, tokens)) in self.views.iter().zip(encoders.iter_mut().zip(token_encoders)) {
            views.push(match source {
                Source::Given(_) => {
                    return Err(InputError::malformed("the panel is over ids, but text is given"));
                }
                Source::Text(case) => {
                    let (own, rest) = lowered.split_at_mut(all.len());
                    lowered = rest;
                    let text = all.iter().zip(own).map(|(text, lowered)| cased(*case, text, lowered));
                    Looks { texts: text.collect(), ..Looks::default() }
                }
                Source::Tokenizer { encoder, ids: wants_ids, tokens: wants_tokens } => Looks {
                    ids: wants_ids.then(|| encoder.encode(ids, texts)).transpose()?,
                    tokens: wants_tokens.then(|| encoder.tokens(tokens, texts)).transpose()?,
                    ..Looks::default()
                },
            });
        }
        let shape = Shape::of(&segment);
        self.observe_views(metrics, systems, shape, &views)
    }

    /// [`Panel::observe`] for segments that come as ids: for panels over ids, or over a tokenizer whose ids they are.
    ///
    /// # Errors
    /// As for [`Panel::observe`]; a metric that looks at text.
    pub fn observe_ids(
        &self,
        scratch: &mut PanelScratch,
        systems: &mut [PanelState],
        segment: SystemsSegment<'_, [u32]>,
    ) -> Result<(), InputError> {
        self.require_shape(scratch, systems, segment.hypotheses.len())?;
        let SystemsSegment { hypotheses, references, source } = segment;
        let all: Vec<&[u32]> = hypotheses.iter().chain(references).copied().chain(source).collect();
        let PanelScratch { digits, metrics, .. } = scratch;
        digits.clear();
        if self.members.iter().any(|member| member.kind == ViewKind::Tokens) {
            digits.extend(all.iter().map(|ids| ids.iter().map(u32::to_string).collect()));
        }
        let given = Looks {
            given: all,
            digits: digits.iter().map(|text| text.iter().map(String::as_str).collect()).collect(),
            ..Looks::default()
        };
        let views: SmallVec<[Looks<'_>; 2]> = self.views.iter().map(|_| given.clone()).collect();
        self.observe_views(metrics, systems, Shape::of(&segment), &views)
    }

    /// Every metric of every system observes, or none does.
    ///
    /// Linear states are added to at once, and what was added is taken out again after an error, which is rare. States
    /// that do not subtract are observed apart, and merged when nothing can fail any more.
    fn observe_views(
        &self,
        scratch: &mut [AnyScratch],
        systems: &mut [PanelState],
        shape: Shape,
        views: &[Looks<'_>],
    ) -> Result<(), InputError> {
        let alone = systems.len() * self.members.len() == 1;
        let mut pending: Vec<(usize, usize, AnyState)> = Vec::new();
        let mut failed = None;
        'all: for (s, system) in systems.iter_mut().enumerate() {
            for (m, (member, scratch)) in self.members.iter().zip(&mut *scratch).enumerate() {
                let observed = if alone || member.linear {
                    let state = &mut system.states[m];
                    views[member.view].segment(member.kind, shape, s, |segment| {
                        member.metric.observe(scratch, state, segment)
                    })
                } else {
                    let observed = views[member.view].segment(member.kind, shape, s, |segment| {
                        member.metric.observe_one(scratch, segment)
                    });
                    observed.and_then(|state| {
                        member.metric.check_merge(&system.states[m], &state)?;
                        pending.push((s, m, state));
                        Ok(())
                    })
                };
                if let Err(error) = observed {
                    failed = Some(((s, m), error));
                    break 'all;
                }
            }
        }
        let Some((at, error)) = failed else {
            for (s, m, state) in pending {
                self.members[m].metric.merge(&mut systems[s].states[m], &state)?;
            }
            return Ok(());
        };
        if !alone {
            self.take_back(scratch, systems, shape, views, at)?;
        }
        Err(error)
    }

    /// Takes the segment out of the linear states before the one at `(system, metric)`.
    fn take_back(
        &self,
        scratch: &mut [AnyScratch],
        systems: &mut [PanelState],
        shape: Shape,
        views: &[Looks<'_>],
        at: (usize, usize),
    ) -> Result<(), InputError> {
        for (s, system) in systems.iter_mut().enumerate() {
            for (m, (member, scratch)) in self.members.iter().zip(&mut *scratch).enumerate() {
                if (s, m) >= at {
                    return Ok(());
                }
                if let Some(linear) = member.metric.linear() {
                    let observed = views[member.view].segment(member.kind, shape, s, |segment| {
                        member.metric.observe_one(scratch, segment)
                    })?;
                    linear.retract(&mut system.states[m], &observed)?;
                }
            }
        }
        Ok(())
    }

    fn require_shape(
        &self,
        scratch: &PanelScratch,
        systems: &[PanelState],
        hypotheses: usize,
    ) -> Result<(), InputError> {
        require_equal("the hypotheses of a segment", hypotheses, "the systems", systems.len())?;
        require_equal("the panel", self.members.len(), "the scratch", scratch.metrics.len())?;
        require_equal("the views of the panel", self.views.len(), "the scratch", scratch.encoders.len())?;
        systems.iter().try_for_each(|system| {
            let states = system.states.len();
            require_equal("the panel", self.members.len(), "the states of a system", states)
        })
    }

    /// Merges what another thread or shard has observed of the same system: all states, or none after an error.
    ///
    /// # Errors
    /// States of another panel, which differ in their keys; a count that does not fit 64 bits.
    pub fn merge(&self, system: &mut PanelState, other: &PanelState) -> Result<(), InputError> {
        for states in [system.states.len(), other.states.len()] {
            require_equal("the panel", self.members.len(), "the states of a system", states)?;
        }
        for ((metric, state), other) in self.metrics().zip(&system.states).zip(&other.states) {
            metric.check_merge(state, other)?;
        }
        for ((metric, state), other) in self.metrics().zip(&mut system.states).zip(&other.states) {
            metric.merge(state, other)?;
        }
        Ok(())
    }

    /// The score of every metric, with its signature.
    ///
    /// # Errors
    /// [`EmptyCorpus`](InputErrorKind::EmptyCorpus), states of another panel, and those of the metrics.
    pub fn scores(&self, system: &PanelState) -> Result<Vec<Scored<AnyScore>>, InputError> {
        require_equal("the panel", self.members.len(), "the states of a system", system.states.len())?;
        self.metrics().zip(&system.states).map(|(metric, state)| metric.score(state)).collect()
    }

    /// The states of one system that were read one by one, by [`AnyMetric::restore`].
    ///
    /// # Errors
    /// Another number of states than metrics; a state of another key.
    pub fn state_of(&self, states: Vec<AnyState>) -> Result<PanelState, InputError> {
        require_equal("the panel", self.members.len(), "the states", states.len())?;
        for (metric, state) in self.metrics().zip(&states) {
            metric.state_key().require_equal(state.key())?;
        }
        Ok(PanelState { states })
    }

    /// As many workers as are asked for, each with states for `systems` systems.
    pub fn workers(&self, workers: usize, systems: usize) -> Vec<PanelWorker> {
        (0..workers.max(1)).map(|_| self.worker_for(systems)).collect()
    }

    fn worker_for(&self, systems: usize) -> PanelWorker {
        PanelWorker { scratch: self.scratch(), systems: (0..systems).map(|_| self.zero()).collect() }
    }

    /// The states of each system, merged over the workers.
    ///
    /// # Errors
    /// Those of [`Panel::merge`].
    pub fn gather(&self, workers: &[PanelWorker]) -> Result<Vec<PanelState>, InputError> {
        let Some((first, others)) = workers.split_first() else { return Ok(Vec::new()) };
        let mut systems = first.systems.clone();
        for worker in others {
            systems.resize_with(systems.len().max(worker.systems.len()), || self.zero());
            for (system, other) in systems.iter_mut().zip(&worker.systems) {
                self.merge(system, other)?;
            }
        }
        Ok(systems)
    }
}

#[inline]
fn require_equal(left: &str, left_len: usize, right: &str, right_len: usize) -> Result<(), InputError> {
    if left_len == right_len { Ok(()) } else { Err(mismatch(left, left_len, right, right_len)) }
}

#[cold]
fn mismatch(left: &str, left_len: usize, right: &str, right_len: usize) -> InputError {
    let (left, right) = (left.to_owned(), right.to_owned());
    let (left_len, right_len) = (left_len as u64, right_len as u64);
    InputErrorKind::LengthMismatch { left, left_len, right, right_len }.into()
}

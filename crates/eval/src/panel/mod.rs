//! [`Panel`]: several metrics, chosen at run time, that are computed together on the same texts.
//!
//! Every metric has a view ([`View`](bleuprint_registry::View)), the kind of input that it takes: token ids,
//! token texts or plain text. A view uses the metric's own tokenizer and case, or the tokenizer that was
//! chosen for the panel. Each text is tokenized once for each distinct tokenizer, case and normalizer, for
//! any number of systems and metrics.

use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use bleuprint_core::{
    Accumulator, ConfigError, Identity, InputError, Metric, Result, Scale, Scored, SegmentCounts, State,
    StateKey, Tagged, TokenSpace,
};
use bleuprint_inference::require_equal;
use bleuprint_registry::{AnyMetric, AnyScore, AnyScratch, AnyState, ViewKind};
use bleuprint_text::{NormalizerFindings, Tokenizer as _};
use smallvec::SmallVec;

use crate::text_steps::Rewritten;
use crate::{Emptied, Encoder, EncoderScratch, EncoderTexts, SystemsSegment};

mod batch;
mod beside_text;
mod member;
mod observe;
mod stats;
mod views;

pub use stats::PanelStats;
use views::TokenizerSource;
#[cfg(feature = "store")]
pub(crate) use views::id_tokenizer;
pub use views::{ChosenTokens, PanelMetric, SharedTokenizer};

/// Several metrics, chosen at run time, that are computed together on the same texts; each text is tokenized
/// once for all of them.
///
/// A panel is a metric over `str`, or over `[u32]` if [`Panel::for_ids`] made it. Its statistics and scores
/// are lists with one entry for each metric.
///
/// ```
/// use bleuprint_core::{Accumulator, Case};
/// use bleuprint_eval::{ChosenTokens, Panel};
/// use bleuprint_text::{TokenizerOptions, tokenizer};
///
/// let registry = bleuprint_metrics::registry();
/// let metrics = ["bleu", "chrf"].map(|name| registry.build(name).unwrap());
/// let tokens = ChosenTokens::new(tokenizer("13a", &TokenizerOptions::default()).unwrap(), Case::Mixed);
/// let panel = Panel::new(metrics, &tokens).unwrap();
/// let mut corpus = Accumulator::<_, str>::new(&panel);
/// corpus.push("The dog bit the man.", &["The dog bit the man."]).unwrap();
/// let scores = panel.scores(corpus.total()).unwrap();
/// assert_eq!(scores[1].score.value, 100.0);
/// assert!(scores[0].signature.to_string().starts_with("BLEU|nrefs:1|case:mixed|eff:no|tok:13a"));
/// ```
#[derive(Clone)]
pub struct Panel {
    members: Vec<PanelMember>,
    views: Vec<TokenizerSource>,
    key: Arc<StateKey>,
}

#[derive(Clone)]
struct PanelMember {
    metric: AnyMetric,
    kind: ViewKind,
    view: usize,
    /// Index of the metric's working memory. Metrics of the same name share it, so that one can reuse the
    /// counts of another.
    tables: usize,
    is_row: bool,
    remembers: bool,
}

/// State of a [`Panel`]: the mergeable statistics of all its metrics for one system.
pub type PanelState = State<PanelStats>;

/// Working memory of a [`Panel`] (several metrics on the same texts), reused from segment to segment. Each
/// thread has its own.
#[derive(Default)]
pub struct PanelScratch {
    encoders: Vec<EncoderScratch>,
    /// Further tokenizer buffers, for tokenizations that metrics read both as token ids and as token texts.
    token_encoders: Vec<EncoderScratch>,
    rewritten: Vec<Rewritten>,
    metrics: Vec<AnyScratch>,
}

impl PanelScratch {
    fn fit(&mut self, panel: &Panel) {
        // A scratch can come from another panel, so its length is checked at every use.
        if self.metrics.len() != panel.members.len() || self.encoders.len() != panel.views.len() {
            self.metrics.resize_with(panel.members.len(), AnyScratch::default);
            self.encoders.resize_with(panel.views.len(), EncoderScratch::default);
            self.token_encoders.resize_with(panel.views.len(), EncoderScratch::default);
        }
    }
}

/// Checks that a metric looks at tokens, in whose place ids can be given.
fn require_tokens(metric: &AnyMetric) -> Result<(), ConfigError> {
    if matches!(metric.view.kind, ViewKind::Ids | ViewKind::Tokens) {
        return Ok(());
    }
    let name = metric.identity().name();
    let kind = &metric.view;
    Err(ConfigError::Conflict(format!("{name} looks at {kind}, but ids are given")))
}

impl Panel {
    /// Creates a panel, which computes these metrics together on text with the chosen tokenizer.
    ///
    /// # Errors
    /// Returns the [`ConfigError`] of a metric's own tokenizer. Also returns an error for a metric over
    /// numbers, vectors or other data that is not text.
    pub fn new(
        metrics: impl IntoIterator<Item = impl Into<PanelMetric>>,
        chosen: &ChosenTokens,
    ) -> Result<Self, ConfigError> {
        let mut panel = Panel::empty();
        for metric in metrics {
            let metric = metric.into();
            let source = chosen.source(&metric)?;
            panel.add(metric.metric, source);
        }
        Ok(panel)
    }

    /// Creates a panel of metrics over texts that are given as token ids. `space` is the token space, a name
    /// for the vocabulary that the ids come from. Metrics that need token texts get the ids as decimal
    /// digits.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] for a metric over text, numbers or vectors.
    pub fn for_ids(
        metrics: impl IntoIterator<Item = AnyMetric>,
        space: &TokenSpace,
    ) -> Result<Self, ConfigError> {
        let mut panel = Panel::empty();
        for metric in metrics {
            require_tokens(&metric)?;
            panel.add(metric, TokenizerSource::Given(space.clone()));
        }
        Ok(panel)
    }

    /// Returns the panel of the same metrics over texts that are token ids in decimal digits, with spaces
    /// between. Evaluations keep ids as such texts. Panels over other data are returned as they are.
    ///
    /// # Errors
    /// Returns no error in practice, because the tokenizer of ids needs no files.
    #[cfg(feature = "store")]
    pub fn for_id_texts(&self) -> Result<Panel, ConfigError> {
        let mut panel = Panel::empty();
        for member in &self.members {
            let source = match &self.views[member.view] {
                TokenizerSource::Given(space) => TokenizerSource::id_texts(space, member.kind)?,
                other => other.for_kind(member.kind),
            };
            panel.add(member.metric.clone(), source);
        }
        Ok(panel)
    }

    /// Creates a panel of metrics over data of one kind beside text: numbers, vectors, or structured data of
    /// one type. Segments are passed as [`Numbers`](bleuprint_registry::Numbers), as lists of
    /// [`Vector`](bleuprint_core::Vector) or as [`Data`](bleuprint_registry::Data).
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] for a metric over text, or over another kind of data than the first
    /// metric.
    pub fn for_own(metrics: impl IntoIterator<Item = AnyMetric>) -> Result<Self, ConfigError> {
        let mut panel = Panel::empty();
        for metric in metrics {
            let name = metric.identity().name();
            let wanted = &metric.view;
            if !wanted.kind.is_beside_text() {
                let message = format!("{name} looks at {wanted}, but data beside text are given");
                return Err(ConfigError::Conflict(message));
            }
            let other = |first: &&AnyMetric| (first.view.kind, first.view.form) != (wanted.kind, wanted.form);
            if let Some(first) = panel.metrics().next().filter(other) {
                let (first, other) = (first.identity().name(), &first.view);
                let message = format!("{first} takes {other}, but {name} takes {wanted}: score them apart");
                return Err(ConfigError::Conflict(message));
            }
            let source = TokenizerSource::Own(wanted.kind, wanted.form);
            panel.add(metric, source);
        }
        Ok(panel)
    }

    /// Joins the metrics of several panels into one panel. Equal tokenizations are kept once.
    pub fn join(panels: impl IntoIterator<Item = Panel>) -> Self {
        let mut joined = Panel::empty();
        for panel in panels {
            for member in panel.members {
                let source = panel.views[member.view].for_kind(member.kind);
                joined.add(member.metric, source);
            }
        }
        joined
    }

    /// Returns a panel with only the metric `index`, counted from 0. Scoring a pool of candidates needs a
    /// single metric.
    ///
    /// # Errors
    /// Returns [`Malformed`](bleuprint_core::InputErrorKind::Malformed) if `index` is beyond the last metric.
    pub fn only(&self, index: usize) -> Result<Panel> {
        let Some(member) = self.members.get(index) else {
            let of = self.members.len();
            return Err(InputError::malformed(format!("metric {index} of a panel of {of}, counted from 0")));
        };
        let mut only = Panel::empty();
        only.add(member.metric.clone(), self.views[member.view].for_kind(member.kind));
        Ok(only)
    }

    fn empty() -> Self {
        Panel { members: Vec::new(), views: Vec::new(), key: Arc::new(Identity::join([]).key()) }
    }

    /// Adds a metric to the panel. The metric shares the tokenization of another metric if both have the same
    /// tokenizer, case and normalizer.
    fn add(&mut self, metric: AnyMetric, source: TokenizerSource) {
        let space = source.token_space();
        let same = |view: &TokenizerSource| {
            view.token_space() == space && view.parted() == source.parted() && view.form() == source.form()
        };
        let view = self.views.iter().position(same).unwrap_or_else(|| {
            self.views.push(source.clone());
            self.views.len() - 1
        });
        if let (
            TokenizerSource::Tokenizer { ids, tokens, .. },
            TokenizerSource::Tokenizer { ids: i, tokens: t, .. },
        ) = (&mut self.views[view], &source)
        {
            // A view encodes only what its members read, so a new member may add ids or tokens to it.
            (*ids, *tokens) = (*ids || *i, *tokens || *t);
        }
        let kind = metric.view.kind;
        let metric = if kind.is_beside_text() { metric } else { metric.over(space) };
        self.push(PanelMember::new(metric, kind, view));
        self.renew_key();
    }

    fn push(&mut self, mut member: PanelMember) {
        // The name without options: variants of one metric count the same tables.
        let name = member.metric.identity().metric().to_owned();
        let alike =
            |other: &PanelMember| other.kind == member.kind && other.metric.identity().metric() == name;
        member.tables = self.members.iter().position(alike).unwrap_or(self.members.len());
        self.members.push(member);
    }

    fn renew_key(&mut self) {
        self.key = Arc::new(self.identity().key());
    }

    /// Returns the metrics of the panel, in order.
    pub fn metrics(&self) -> impl ExactSizeIterator<Item = &AnyMetric> {
        self.members.iter().map(|member| &member.metric)
    }

    /// Returns `true` if a metric's tokenizer uses whitespace at the ends of lines; file readers must then
    /// keep it.
    pub fn raw_lines(&self) -> bool {
        let raw = |view: &TokenizerSource| matches!(view, TokenizerSource::Tokenizer { encoder, .. } if encoder.tokenizer().raw_lines());
        self.views.iter().any(raw)
    }

    /// Returns the encoder (normalizer, case and tokenizer) of the metric with this index. Returns `None` if
    /// the metric looks at whole texts, at given token ids or at texts with markup, such as dialogue turns.
    #[cfg_attr(not(feature = "store"), allow(dead_code, reason = "evaluations ask it"))]
    pub(crate) fn encoder(&self, index: usize) -> Option<&Encoder<SharedTokenizer>> {
        match &self.views[self.members.get(index)?.view] {
            TokenizerSource::Tokenizer { encoder, parted: None, .. } => Some(encoder),
            _ => None,
        }
    }

    /// Returns, for each tokenizer, its name, the names of its metrics, and a counter of texts for which it
    /// found no tokens.
    ///
    /// ```
    /// use bleuprint_core::{Accumulator, Case};
    /// use bleuprint_eval::{ChosenTokens, Panel};
    /// use bleuprint_metrics::registry;
    /// use bleuprint_text::{TokenizerOptions, tokenizer};
    ///
    /// let words = tokenizer("13a", &TokenizerOptions::default()).unwrap();
    /// let panel = Panel::new([registry().build("rougeL").unwrap()], &ChosenTokens::new(words, Case::Mixed)).unwrap();
    /// let mut corpus = Accumulator::<_, str>::new(&panel);
    /// // ROUGE's tokenizer keeps only a to z and digits.
    /// corpus.push("नमस्ते दुनिया", &["नमस्ते दुनिया"]).unwrap();
    /// let [(tokenizer, metrics, emptied)] = &panel.emptied()[..] else { panic!("one tokenizer") };
    /// assert_eq!((*tokenizer, &metrics[..], emptied.take()), ("rouge", &["ROUGE-L".to_owned()][..], 2));
    /// ```
    pub fn emptied(&self) -> Vec<(&str, Vec<String>, &Emptied)> {
        let views = self.views.iter().enumerate();
        let tokenized = views.filter_map(|(place, view)| match view {
            TokenizerSource::Tokenizer { encoder, .. } => {
                let members = self.members.iter().filter(|member| member.view == place);
                let names = members.map(|member| member.metric.identity().name()).collect();
                Some((encoder.token_space().label(), names, encoder.emptied()))
            }
            _ => None,
        });
        tokenized.collect()
    }

    /// Returns `true` if a tokenizer of this panel found no tokens in a text with letters or digits since the
    /// counter was last reset; see [`Panel::emptied`].
    pub fn has_emptied(&self) -> bool {
        let found = |view: &TokenizerSource| matches!(view, TokenizerSource::Tokenizer { encoder, .. } if encoder.emptied().is_above_zero());
        self.views.iter().any(found)
    }

    /// Returns each text normalizer's name, with counts of its changes in the texts.
    pub fn normalizers(&self) -> Vec<(&str, &NormalizerFindings)> {
        let mut all: Vec<(&str, &NormalizerFindings)> = Vec::new();
        for found in self.views.iter().filter_map(TokenizerSource::normalizer) {
            // Views with the same normalizer see the same texts, so the findings of one view suffice.
            if !all.iter().any(|(name, _)| *name == found.0) {
                all.push(found);
            }
        }
        all
    }

    /// Returns `true` if a metric of the panel sees a difference between two texts: other tokens, or another
    /// text after normalization. Texts that a tokenizer rejects count as different.
    pub(crate) fn tells_apart(&self, one: &str, other: &str) -> bool {
        let pair = [one, other];
        let texts = EncoderTexts::new(&pair, 2, 0);
        let differ = |view: &TokenizerSource| match view {
            TokenizerSource::Tokenizer { encoder, .. } => {
                let mut scratch = EncoderScratch::default();
                encoder.tokens(&mut scratch, texts).map_or(true, |lists| lists.get(0) != lists.get(1))
            }
            // Metrics over whole texts decide themselves, since they may ignore white space or punctuation.
            TokenizerSource::Text { .. } | TokenizerSource::Given(_) | TokenizerSource::Own(..) => false,
        };
        let of_text = self.members.iter().enumerate().filter(|(_, member)| member.kind == ViewKind::Text);
        let mut of_text = of_text.map(|(place, _)| place);
        self.views.iter().any(differ) || of_text.any(|place| self.scores_apart(place, one, other))
    }

    /// Returns `true` if two texts are equal after the normalizer and the change of case of a metric.
    fn is_equal_text(&self, place: usize, one: &str, other: &str) -> bool {
        let TokenizerSource::Text { steps, .. } = &self.views[self.members[place].view] else { return false };
        let [mut own, mut others] = [Rewritten::default(), Rewritten::default()];
        steps.apply(one, false, &mut own) == steps.apply(other, false, &mut others)
    }

    /// Returns `true` if a metric over whole texts gives a text another score than the text that it is compared
    /// with.
    fn scores_apart(&self, place: usize, one: &str, other: &str) -> bool {
        let solid = |text: &str| text.split_whitespace().collect::<String>();
        // Metrics ignore white space at most, so a metric of the user is not called for other characters.
        if solid(one) != solid(other) {
            return !self.is_equal_text(place, one, other);
        }
        let Ok(only) = self.only(place) else { return true };
        let score = |hypothesis: &str| {
            let mut segment = Accumulator::<&Panel, str>::new(&only);
            segment.push(hypothesis, &[other]).ok()?;
            Some(segment.score().ok()?.score.value)
        };
        score(one) != score(other)
    }

    /// Returns a panel for the first pass over the data, in which some metrics learn (such as idf weights);
    /// `None` if no metric learns. The returned panel must count the references, the source and the
    /// hypothesis of one system before [`Panel::second_pass`].
    pub fn first_pass(&self) -> Option<Panel> {
        // Few metrics learn, and every call asks: the tokenizers are copied only for those.
        self.metrics().find_map(AnyMetric::first_pass)?;
        let mut first = Panel { members: Vec::new(), views: self.views.clone(), key: self.key.clone() };
        for member in &self.members {
            if let Some(metric) = member.metric.first_pass() {
                first.push(PanelMember::new(metric.clone(), member.kind, member.view));
            }
        }
        first.renew_key();
        Some(first)
    }

    /// Runs the first pass over these segments, in which some metrics learn from the data (such as idf
    /// weights). Returns the panel with the learned tables; the panel is unchanged if no metric learns.
    ///
    /// # Errors
    /// Returns the errors of the metrics, with the number of the segment.
    pub fn learned_from<'s>(
        self,
        segments: impl IntoIterator<Item = SystemsSegment<'s, str>>,
    ) -> Result<Panel> {
        let Some(first) = self.first_pass() else { return Ok(self) };
        let mut learner = Accumulator::<&Panel, str>::new(&first);
        for segment in segments {
            // Only the first system is read, so that further systems do not change the learned tables.
            if let Some(segment) = segment.of_each().first() {
                learner.add(*segment)?;
            }
        }
        self.second_pass(learner.total())
    }

    /// Returns this panel with the tables that its metrics learned in the first pass. `learned` is the state
    /// of [`Panel::first_pass`] over the data. Metrics that do not learn are unchanged.
    ///
    /// # Errors
    /// Returns an error if `learned` is a state of another panel, and the errors of
    /// [`AnyMetric::second_pass`].
    pub fn second_pass(mut self, learned: &PanelState) -> Result<Panel> {
        if let Some(first) = self.first_pass() {
            let states = first.states(learned)?;
            let mut states = states.iter();
            for member in &mut self.members {
                if member.metric.first_pass().is_some() {
                    let missing = || InputError::malformed_state("the state of a first pass is missing");
                    let second = member.metric.second_pass(states.next().ok_or_else(missing)?)?;
                    *member = PanelMember {
                        tables: member.tables,
                        ..PanelMember::new(second, member.kind, member.view)
                    };
                }
            }
            self.renew_key();
        }
        Ok(self)
    }

    /// Returns the score of every metric for one system, each with its signature. `system` holds the merged
    /// statistics.
    ///
    /// # Errors
    /// Returns [`EmptyCorpus`](bleuprint_core::InputErrorKind::EmptyCorpus) if no segment was observed, an
    /// error if the state belongs to another panel, and the errors of the metrics.
    pub fn scores(&self, system: &PanelState) -> Result<Vec<Scored<AnyScore>>> {
        self.segment_scores(system)?.into_iter().collect()
    }

    /// Scores the merged statistics of one system, or of one of its segments, with every metric. Each metric
    /// has a separate result, so that an error of one metric does not hide the scores of the others.
    ///
    /// # Errors
    /// Returns an error if the state belongs to another panel.
    pub fn segment_scores(&self, system: &PanelState) -> Result<Vec<Result<Scored<AnyScore>>>> {
        Ok(self.metrics().zip(&self.states(system)?).map(|(metric, state)| state.score(metric)).collect())
    }

    /// Splits the merged statistics of one system by metric, for storing or merging them separately.
    ///
    /// # Errors
    /// Returns [`UnlikeStates`](bleuprint_core::InputErrorKind::UnlikeStates) if the state belongs to another
    /// panel.
    pub fn states(&self, system: &PanelState) -> Result<Vec<AnyState>> {
        self.key.require_equal(system.key())?;
        let counts = *system.counts();
        let stats = system.stats().members.iter();
        self.metrics()
            .zip(stats)
            .map(|(metric, stats)| State::from_stats(metric, counts, stats.clone()))
            .collect()
    }

    /// Combines the statistics of each metric for one system into a state of the panel.
    ///
    /// # Errors
    /// Returns an error unless there is one state for each metric, with the metric's key. Also returns an
    /// error if states cover different numbers of segments.
    pub fn state_of(&self, states: Vec<AnyState>) -> Result<PanelState> {
        require_equal("the panel", self.members.len(), "the states", states.len())?;
        let mut counts: Option<SegmentCounts> = None;
        let mut members = SmallVec::new();
        for (metric, state) in self.metrics().zip(states) {
            let Tagged { key, counts: own, stats } = state.into();
            metric.state_key().require_equal(&key)?;
            if counts.is_some_and(|counts| counts != own) {
                let message = "the states of one system are of unlike segments";
                return Err(InputError::malformed_state(message));
            }
            counts = Some(own);
            members.push(stats);
        }
        State::from_stats(self, counts.unwrap_or_default(), PanelStats { members })
    }
}

impl Metric for Panel {
    type Stats = PanelStats;
    type Score = AnyScore;
    type Scratch = PanelScratch;

    fn identity(&self) -> Identity {
        Identity::join(self.metrics().map(Metric::identity))
    }
    fn state_key(&self) -> Arc<StateKey> {
        self.key.clone()
    }
    /// Accepts a state if its key, which names the metrics and their settings, equals the panel's key.
    fn serves(&self, key: &StateKey) -> Result<()> {
        self.key.require_equal(key)
    }
    fn zero(&self) -> PanelStats {
        PanelStats { members: self.metrics().map(Metric::zero).collect() }
    }
    /// Returns the score of the panel (set of metrics): the first metric's score, to which the headline
    /// numbers and detail numbers of all other metrics are appended.
    fn finalize(&self, stats: &PanelStats, counts: &SegmentCounts) -> Result<AnyScore> {
        let mut scores =
            self.metrics().zip(&stats.members).map(|(metric, stats)| metric.finalize(stats, counts));
        // A panel without metrics still needs a score: NaN without headlines.
        let nothing = || {
            let mut nothing = AnyScore::new("", f64::NAN, Scale::UNBOUNDED);
            nothing.headlines.clear();
            Ok(nothing)
        };
        let mut first = scores.next().unwrap_or_else(nothing)?;
        for score in scores {
            let AnyScore { headlines, parts, .. } = score?;
            first.headlines.extend(headlines);
            first.parts.extend(parts);
        }
        Ok(first)
    }
    fn number(&self, stats: &PanelStats, counts: &SegmentCounts) -> Result<f64> {
        // A panel of one metric takes the metric's shorter way, which builds no score.
        match (&self.members[..], &stats.members[..]) {
            ([member], [stats]) => member.metric.number(stats, counts),
            _ => Ok(self.finalize(stats, counts)?.value),
        }
    }
    fn check(&self, stats: &PanelStats, counts: &SegmentCounts) -> Result<()> {
        require_equal("the panel", self.members.len(), "the statistics", stats.members.len())?;
        self.metrics().zip(&stats.members).try_for_each(|(metric, stats)| metric.check(stats, counts))
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        if let [member] = &self.members[..] {
            return member.metric.headline_names();
        }
        // Two metrics may use the same headline, so names begin with the index of the metric.
        let names = self.metrics().enumerate().flat_map(|(index, metric)| {
            metric.headline_names().into_iter().map(move |name| Cow::Owned(format!("{index}.{name}")))
        });
        names.collect()
    }
    fn batch(&self) -> usize {
        self.metrics().map(Metric::batch).max().unwrap_or(1)
    }
    fn extension(&self, kind: TypeId) -> Option<Box<dyn Any>> {
        match &self.members[..] {
            [member] => member.metric.extension(kind),
            _ => None,
        }
    }
}

impl fmt::Debug for Panel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Panel({})", self.key)
    }
}

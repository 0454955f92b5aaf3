//! [`Evaluation`]: metrics ready to score several systems. [`Run`]: the resulting statistics of every
//! segment, from which scores and tests are computed.

use bleuprint_core::{
    ConfigError, InputError, InputErrorKind, Location, Metric as _, Pairing, PartValue, Result, ScorePart,
    Scored, State, Stats as _, column_names,
};
use bleuprint_inference::{CountRows, Precision, Significance, require_equal, rows_of};
use bleuprint_registry::{AnyMetric, AnyScore, AnyState, MetricSpec, Registry};

use super::corpus::{Fingerprints, RunTexts, TextCorpus, require_distinct};
use super::data::OwnData;
use super::facts::RunFacts;
use super::labels::RunLabels;
use super::numbers;
use super::own;
use super::vectors;
use crate::request::Metrics;
use crate::{
    ChosenTokens, LikelyMistake, MistakeWording, Panel, Request, SharedTokenizer, SystemsSegment,
    observe_systems, unreached_order, zero_weights,
};

/// Number of segments that are counted before progress is reported: enough to keep all threads busy.
const PART: usize = 1024;

/// Metrics and tokenizer that a user chose, ready to score a [`TextCorpus`].
pub struct Evaluation {
    specs: Vec<MetricSpec>,
    panel: Panel,
    /// Metrics over numbers that another program computed for each segment, each with its position among all
    /// metrics.
    numbers: Vec<(usize, AnyMetric)>,
    /// Metrics that take embedding vectors, with their positions among all metrics.
    vectors: Vec<(usize, AnyMetric)>,
    /// Metrics that take structured data in place of text, with their positions among all metrics.
    own: Vec<(usize, AnyMetric)>,
    tokenizer: SharedTokenizer,
}

impl Evaluation {
    /// Creates an evaluation from names of metrics with options, such as `bleu` or `chrf`, and the chosen
    /// tokenizer.
    ///
    /// # Errors
    /// Returns the [`ConfigError`] of a metric or a tokenizer.
    pub fn from_parts(
        registry: &Registry,
        metrics: impl IntoIterator<Item = impl AsRef<str>>,
        tokens: &ChosenTokens,
    ) -> Result<Self, ConfigError> {
        let request = Request::new(registry, metrics, tokens.clone())?;
        let metrics = request.build(registry)?;
        Ok(Evaluation::new(request.specs, metrics, request.tokens.tokenizer().clone()))
    }

    /// Creates an evaluation from metrics that are already built; `specs` are the metrics as the user named
    /// them. `tokenizer` splits texts where n-grams or lengths are reported.
    pub fn new(specs: Vec<MetricSpec>, metrics: impl Into<Metrics>, tokenizer: SharedTokenizer) -> Self {
        let Metrics { panel, numbers, vectors, own } = metrics.into();
        Evaluation { specs, panel, numbers, vectors, own, tokenizer }
    }

    /// Computes every metric's statistics of every segment and system, in all threads of the current pool.
    ///
    /// # Errors
    /// Returns [`EmptyCorpus`](InputErrorKind::EmptyCorpus) if there are no segments. Returns the errors of
    /// [`TextCorpus::settle_references`] and of the metrics, with the number of the segment.
    pub fn run(self, corpus: TextCorpus) -> Result<Run> {
        self.run_with(corpus, |_, _| {})
    }

    /// Computes every metric's statistics of every segment and system, as [`Evaluation::run`] does. Calls
    /// `progress` with the number of finished segments and the number of all segments.
    ///
    /// # Errors
    /// Returns the errors of [`Evaluation::run`].
    pub fn run_with(self, corpus: TextCorpus, mut progress: impl FnMut(u64, u64)) -> Result<Run> {
        self.run_telling(corpus, &mut progress)
    }

    fn run_telling(self, mut corpus: TextCorpus, progress: &mut dyn FnMut(u64, u64)) -> Result<Run> {
        if corpus.segments.is_empty() {
            return Err(InputErrorKind::EmptyCorpus.into());
        }
        corpus.settle_references()?;
        require_distinct(&corpus.systems)?;
        corpus.check_weights()?;
        corpus.check_numbered(self.panel.metrics())?;
        let facts = corpus.facts.clone().settled(&corpus.labels)?;
        let Evaluation { specs, panel, numbers, vectors, own, tokenizer } = self;
        let beside_text = observe_beside_text(numbers, own, vectors, &corpus)?;
        let systems = corpus.systems.len();
        let TextCounts { panel, mut states, zero_weighted } = if panel.metrics().len() > 0 {
            corpus.with_segments(|segments| TextCounts::of_segments(panel, segments, systems, progress))?
        } else {
            TextCounts {
                panel,
                states: vec![vec![Vec::new(); corpus.segments.len()]; systems],
                zero_weighted: Vec::new(),
            }
        };
        let mut metrics: Vec<AnyMetric> = panel.metrics().cloned().collect();
        let mut encoders: Vec<_> = (0..metrics.len()).map(|place| panel.encoder(place).cloned()).collect();
        for (place, metric, of_metric) in beside_text {
            metrics.insert(place, metric);
            encoders.insert(place, None);
            for (system, of_system) in states.iter_mut().zip(of_metric) {
                system.iter_mut().zip(of_system).for_each(|(segment, state)| segment.insert(place, state));
            }
        }
        weigh(&mut states, &metrics, &corpus.weights)?;
        if !corpus.shown.is_empty() {
            require_equal(
                "the list of texts to show",
                corpus.shown.len(),
                "the corpus",
                corpus.segments.len(),
            )?;
        }
        let shown_only = !corpus.has_texts() && !corpus.shown.is_empty();
        let texts = corpus.has_texts() || shown_only;
        let run = Run {
            facts,
            notes: Vec::new(),
            zero_weighted,
            weighted: !corpus.weights.is_empty(),
            specs,
            metrics,
            states,
            resegmented: corpus.resegmented,
            fingerprints: corpus.fingerprints(),
            systems: corpus.systems,
            labels: corpus.labels,
            own: corpus.own,
            texts: texts.then_some(RunTexts {
                segments: if shown_only { corpus.shown } else { corpus.segments },
                shown_only,
                tokenizer,
                encoders,
            }),
        };
        Ok(run.without_weightless(&corpus.weights))
    }
}

/// Metric that observes no texts, with its position among all metrics and its states by system and segment.
type BesideText = (usize, AnyMetric, Vec<Vec<AnyState>>);

/// Returns the states of the metrics that observe numbers, structured data or vectors, in the order of all
/// metrics.
fn observe_beside_text(
    numbers: Vec<(usize, AnyMetric)>,
    own: Vec<(usize, AnyMetric)>,
    vectors: Vec<(usize, AnyMetric)>,
    corpus: &TextCorpus,
) -> Result<Vec<BesideText>> {
    let mut all = Vec::new();
    for (place, metric) in numbers {
        let states = numbers::observe(&metric, corpus)?;
        all.push((place, metric, states));
    }
    for (place, metric) in own {
        let (metric, states) = own::observe(&metric, corpus)?;
        all.push((place, metric, states));
    }
    for (place, metric) in vectors {
        let (metric, states) = vectors::observe(&metric, corpus.vectors.as_ref())?;
        all.push((place, metric, states));
    }
    all.sort_by_key(|(place, ..)| *place);
    Ok(all)
}

/// States of the metrics that observe texts.
struct TextCounts {
    /// Metrics, which have learned their weights.
    panel: Panel,
    /// States by system, segment and metric.
    states: Vec<Vec<Vec<AnyState>>>,
    /// Names of metrics that learned only weights of 0.
    zero_weighted: Vec<String>,
}

impl TextCounts {
    fn of_segments(
        panel: Panel,
        segments: &[SystemsSegment<'_, str>],
        systems: usize,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self> {
        let learns = panel.first_pass().is_some();
        let panel = panel.learned_from(segments.iter().copied())?;
        let references = || segments.iter().filter_map(|segment| segment.references.first().copied());
        let zero_weighted = if learns { zero_weights(&panel, references()) } else { Vec::new() };
        let mut states: Vec<Vec<Vec<AnyState>>> =
            (0..systems).map(|_| Vec::with_capacity(segments.len())).collect();
        let mut done = 0;
        for part in segments.chunks(PART) {
            let numbered = |error: InputError| {
                let within = error.location().segment.unwrap_or_default();
                error.renumbered(Location::segment(done + within))
            };
            for segment in observe_systems(&panel, part).map_err(numbered)? {
                for (system, state) in states.iter_mut().zip(segment) {
                    system.push(panel.states(&state)?);
                }
                done += 1;
                progress(done, segments.len() as u64);
            }
        }
        Ok(TextCounts { panel, states, zero_weighted })
    }
}

/// Result of an evaluation: every metric's statistics of every segment and system, with the data of the
/// segments.
#[derive(Clone)]
pub struct Run {
    pub(super) systems: Vec<String>,
    /// Metric names with options, as the user wrote them.
    pub specs: Vec<MetricSpec>,
    pub(super) metrics: Vec<AnyMetric>,
    /// Metric states (mergeable statistics with a key of the metric's settings) by system, segment and
    /// metric.
    pub(super) states: Vec<Vec<Vec<AnyState>>>,
    /// Fingerprint (hash) of each segment's references, and of its source if the source is known.
    pub fingerprints: Vec<Fingerprints>,
    /// Labels of the segments, such as a domain, by which scores can be grouped.
    pub labels: RunLabels,
    /// Texts of the segments; `None` if the statistics were read from files.
    pub texts: Option<RunTexts>,
    /// Structured data of metrics that do not take text; empty if the statistics were read from files.
    pub own: Vec<OwnData>,
    /// Resampling unit, ids and left-out data of the segments.
    pub(super) facts: RunFacts,
    /// Remarks about the data, each a sentence. They do not affect any score.
    pub(super) notes: Vec<String>,
    /// Names of metrics that learned weights of 0 alone.
    pub(super) zero_weighted: Vec<String>,
    /// `true` if the systems' outputs were split again to align with the reference segments.
    pub(super) resegmented: bool,
    /// `true` if segments have weights: the number of times that each segment counts.
    pub(super) weighted: bool,
}

/// Scores of a group of segments with equal label, such as all segments of one domain.
#[non_exhaustive]
pub struct GroupScores {
    /// Value of the label that all segments of the group share, such as `news`.
    pub label: String,
    /// Indices of the segments in this group.
    pub segments: Vec<usize>,
    /// Score of the group, or an error, by system and metric.
    pub scores: Vec<Vec<Result<Scored<AnyScore>>>>,
}

impl Run {
    /// Replaces metrics that report several numbers by metrics with one number each, such as precision and
    /// recall. `wanted` has names of headline numbers or of details of the score, or `all` for all headline
    /// numbers. A metric without any of them keeps its score.
    ///
    /// # Errors
    /// Returns an error if no metric has a number of a given name, or if a system has no score.
    pub fn headlined(mut self, wanted: &[String]) -> Result<Self> {
        let mut order: Vec<(usize, Option<String>)> = Vec::new();
        let (mut found, mut known) = (Vec::new(), Vec::new());
        for place in 0..self.metrics.len() {
            if wanted.is_empty() {
                continue;
            }
            let score = self.score_of(place, 0, 0..self.len())?.score;
            let mut names: Vec<String> = score.headlines.iter().map(|(name, _)| name.to_string()).collect();
            let headlines = names.len();
            let is_number =
                |part: &&ScorePart| matches!(part.value, PartValue::Number(_) | PartValue::Count(_));
            names.extend(score.parts.iter().filter(is_number).map(|part| part.key.to_string()));
            let of_metric = order.len();
            for name in wanted {
                let chosen = match name.as_str() {
                    "all" => &names[..headlines],
                    _ => names.iter().position(|own| own == name).map_or(&[][..], |at| &names[at..=at]),
                };
                if !chosen.is_empty() {
                    found.push(name);
                }
                for one in chosen {
                    let entry = (place, Some(one.clone()));
                    if !order.contains(&entry) {
                        order.push(entry);
                    }
                }
            }
            if order.len() == of_metric {
                order.push((place, None));
            }
            for name in names {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
        }
        if let Some(name) = wanted.iter().find(|name| !found.contains(name)) {
            let known = known.join(", ");
            return Err(InputError::malformed(format!(
                "no metric has a headline number or part `{name}`; there are: all, {known}"
            )));
        }
        if order.is_empty() {
            return Ok(self);
        }
        self.keep_metrics(&order.iter().map(|(place, _)| *place).collect::<Vec<_>>());
        for (metric, (_, name)) in self.metrics.iter_mut().zip(&order) {
            if let Some(name) = name {
                *metric = metric.headlined(name);
            }
        }
        Ok(self)
    }

    /// Keeps the metrics with these indices, in this order; an index may repeat.
    pub(super) fn keep_metrics(&mut self, places: &[usize]) {
        self.specs = places.iter().map(|&place| self.specs[place].clone()).collect();
        self.metrics = places.iter().map(|&place| self.metrics[place].clone()).collect();
        if let Some(texts) = &mut self.texts {
            texts.encoders =
                places.iter().map(|&place| texts.encoders.get(place).cloned().flatten()).collect();
        }
        for states in self.states.iter_mut().flatten() {
            *states = places.iter().map(|&place| states[place].clone()).collect();
        }
    }

    /// Returns likely mistakes that follow from the scores, such as a BLEU of 0 because no text is long enough,
    /// in the words of an interface.
    pub fn likely_mistakes(&self, wording: MistakeWording) -> Vec<LikelyMistake> {
        let zero = self.zero_weighted.iter();
        let zero = zero.map(|name| LikelyMistake::of_zero_weights(name, self.len(), wording));
        let unreached = (0..self.metrics.len()).filter_map(|metric| {
            // Only scores with n-grams by order can lack an order, and other scores may be slow to compute.
            let rows = self.metrics[metric].require_rows("be looked at").is_ok();
            if !rows || !column_names(&self.metrics[metric]).iter().any(|name| name == "total_1") {
                return None;
            }
            let mut systems = 0..self.systems.len();
            systems.find_map(|system| {
                let scored = self.score_of(metric, system, 0..self.len()).ok()?;
                unreached_order(&scored.score, wording)
            })
        });
        zero.chain(unreached).collect()
    }

    /// Returns the names of the evaluated systems.
    pub fn systems(&self) -> &[String] {
        &self.systems
    }

    /// Returns the metrics of this evaluation, in order.
    pub fn metrics(&self) -> &[AnyMetric] {
        &self.metrics
    }

    /// Returns the number of segments.
    pub fn len(&self) -> usize {
        self.fingerprints.len()
    }

    /// Returns `true` if there are no segments.
    pub fn is_empty(&self) -> bool {
        self.fingerprints.is_empty()
    }

    /// Returns the metric's row of counts for every segment of a system. `metric` and `system` are indices.
    ///
    /// # Errors
    /// Returns [`NotLinear`](InputErrorKind::NotLinear) if the statistics are not a row of counts.
    pub fn rows(&self, metric: usize, system: usize) -> Result<CountRows> {
        rows_of(&self.metrics[metric], self.states[system].iter().map(|states| &states[metric]))
    }

    pub(super) fn is_present(&self, metric: usize, system: usize, segment: usize) -> bool {
        let state = &self.states[system][segment][metric];
        // A segment that is no item of a number has the state of no segment.
        state.counts().segments > 0 && state.stats().missing(state.counts()) == 0
    }

    /// Returns the indices of the segments for which the metric has a value in every system, and the metric's
    /// counts of these segments for every system.
    ///
    /// # Errors
    /// Returns the errors of [`Run::rows`], and an error if no segment is common to all systems.
    pub(super) fn common_rows(&self, metric: usize) -> Result<(Vec<usize>, Vec<CountRows>)> {
        let segments = self.common_segments(metric)?;
        let of_system = |states: &Vec<Vec<AnyState>>| {
            rows_of(&self.metrics[metric], segments.iter().map(|&segment| &states[segment][metric]))
        };
        let rows = self.states.iter().map(of_system).collect::<Result<_>>()?;
        Ok((segments, rows))
    }

    /// Returns the indices of the segments for which the metric has a value in every system.
    pub(super) fn common_segments(&self, metric: usize) -> Result<Vec<usize>> {
        let systems = 0..self.systems.len();
        let is_common = |&at: &usize| systems.clone().all(|system| self.is_present(metric, system, at));
        let segments: Vec<usize> = (0..self.len()).filter(is_common).collect();
        if segments.is_empty() {
            let name = self.metrics[metric].identity().heading();
            let message = format!("no segment has a number of {name} for every system");
            return Err(InputError::malformed(message));
        }
        Ok(segments)
    }

    /// Selects, from the given segment indices, the segments for which the metric has a value in this system.
    pub(super) fn present(
        &self,
        metric: usize,
        system: usize,
        segments: impl IntoIterator<Item = usize>,
    ) -> Vec<usize> {
        segments.into_iter().filter(|segment| self.is_present(metric, system, *segment)).collect()
    }

    /// Returns `true` if the metric's statistics are rows of counts, which can be added and subtracted.
    pub(super) fn is_row(&self, metric: usize) -> bool {
        self.metrics[metric].zero().is_row()
    }

    /// Returns the significance tests of all systems under a metric, with the indices of the segments that
    /// they use. A segment without a value for one system is left out for all systems: otherwise a system
    /// that fails on hard segments would win.
    ///
    /// # Errors
    /// Returns an error if no segment has a number for every system.
    pub fn significance(
        &self,
        metric: usize,
        precision: Precision,
    ) -> Result<(Vec<usize>, Significance<'_, AnyMetric>)> {
        let segments = self.common_segments(metric)?;
        let tests = self.significance_at(metric, 0..self.systems.len(), &segments, precision)?;
        Ok((segments, tests))
    }

    pub(super) fn significance_at(
        &self,
        metric: usize,
        systems: core::ops::Range<usize>,
        segments: &[usize],
        precision: Precision,
    ) -> Result<Significance<'_, AnyMetric>> {
        let states = self.states[systems]
            .iter()
            .map(|system| segments.iter().map(move |&segment| &system[segment][metric]));
        Significance::new(&self.metrics[metric], states, precision)
    }

    /// Returns the metric's rows of counts: one table for each system, one row for each segment.
    ///
    /// # Errors
    /// Returns the errors of [`Run::rows`].
    pub fn all_rows(&self, metric: usize) -> Result<Vec<CountRows>> {
        (0..self.systems.len()).map(|system| self.rows(metric, system)).collect()
    }

    /// Merges the metric's statistics of the given segments of one system. `metric`, `system` and `segments`
    /// are indices.
    ///
    /// # Errors
    /// Returns an error if a sum does not fit in 64 bits.
    pub fn merged(
        &self,
        metric: usize,
        system: usize,
        segments: impl IntoIterator<Item = usize>,
    ) -> Result<AnyState> {
        let mut total = State::zero(&self.metrics[metric]);
        for segment in segments {
            total.merge(&self.states[system][segment][metric])?;
        }
        Ok(total)
    }

    /// Returns the metric's score of one system on the given segments. `metric`, `system` and `segments` are
    /// indices.
    ///
    /// # Errors
    /// Returns the errors of the metric.
    pub fn score_of(
        &self,
        metric: usize,
        system: usize,
        segments: impl IntoIterator<Item = usize>,
    ) -> Result<Scored<AnyScore>> {
        self.signed(self.merged(metric, system, segments)?.score(&self.metrics[metric]))
    }

    /// Adds to a metric's signature the facts that the metric cannot know, such as weights of segments.
    fn signed(&self, scored: Result<Scored<AnyScore>>) -> Result<Scored<AnyScore>> {
        let Scored { score, mut signature } = scored?;
        if self.resegmented {
            signature = signature.with("seg", "sg", "clean");
        }
        if self.weighted {
            signature = signature.with("weights", "wt", "integer");
        }
        Ok(Scored { score, signature })
    }

    /// Returns the scores on all segments: one list for each system, with one score for each metric.
    ///
    /// # Errors
    /// Returns the errors of the metrics.
    pub fn scores(&self) -> Result<Vec<Vec<Scored<AnyScore>>>> {
        let score = |metric, system| self.score_of(metric, system, 0..self.len());
        let of_system = |system| (0..self.metrics.len()).map(|metric| score(metric, system)).collect();
        (0..self.systems.len()).map(of_system).collect()
    }

    /// Returns the metric's score, or its error, for every segment of one system. `metric` and `system` are
    /// indices.
    pub fn sentence_scores(&self, metric: usize, system: usize) -> Vec<Result<Scored<AnyScore>>> {
        let score = |states: &Vec<AnyState>| self.signed(states[metric].score(&self.metrics[metric]));
        self.states[system].iter().map(score).collect()
    }

    /// Returns which names of the reference and the hypothesis each metric matched in a segment, such as
    /// speakers. An element is `None` if its metric matches no names or observes text. `system` and `segment`
    /// are indices.
    ///
    /// # Errors
    /// Returns the errors of the metrics for a segment that they cannot score.
    pub fn pairings(&self, system: usize, segment: usize) -> Result<Vec<Option<Pairing>>> {
        let of = |metric: &AnyMetric| {
            let own = self.own.iter().find(|own| Some(own.form) == metric.view.form);
            own.map_or(Ok(None), |own| own.pairing(metric, system, segment))
        };
        self.metrics.iter().map(of).collect()
    }

    /// Returns the scores of every group of segments that share a value of `label`, for example every domain.
    ///
    /// # Errors
    /// Returns the errors of [`RunLabels::values_of`].
    pub fn by(&self, label: &str) -> Result<Vec<GroupScores>> {
        let groups = self.labels.grouped(label)?;
        Ok(groups.into_iter().map(|(label, segments)| self.group(label, segments)).collect())
    }

    /// Returns the scores of the systems on a group of segments, given by their indices. `label` names the
    /// group.
    pub fn group(&self, label: impl Into<String>, segments: Vec<usize>) -> GroupScores {
        let score = |metric, system| self.score_of(metric, system, segments.iter().copied());
        let of_system = |system| (0..self.metrics.len()).map(|metric| score(metric, system)).collect();
        let scores = (0..self.systems.len()).map(of_system).collect();
        GroupScores { label: label.into(), segments, scores }
    }
}

/// Multiplies the metric statistics of each segment by the segment's weight; an empty list of weights changes
/// nothing.
fn weigh(systems: &mut [Vec<Vec<AnyState>>], metrics: &[AnyMetric], weights: &[u64]) -> Result<()> {
    if weights.is_empty() {
        return Ok(());
    }
    let zeros: Vec<AnyState> = metrics.iter().map(State::zero).collect();
    for system in systems {
        for (segment, &weight) in system.iter_mut().zip(weights) {
            for (state, zero) in segment.iter_mut().zip(&zeros) {
                let mut weighted = zero.clone();
                weighted.merge_times(state, weight)?;
                *state = weighted;
            }
        }
    }
    Ok(())
}

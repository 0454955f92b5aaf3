//! [`Evaluation`], and [`Run`]: the statistics of every segment of several systems under several metrics.

use bleuprint_core::{
    AnyMetric, AnyScore, AnyState, ConfigError, InputError, InputErrorKind, Location, MetricSpec, Registry,
    Result, Scored, State,
};

use super::corpus::{Fingerprints, TextCorpus, Texts};
use super::labels::Labels;
use crate::resample::Rows;
use crate::{ChosenTokens, Panel, PanelState, SharedTokenizer, observe_each, rows_of};

/// As many segments are counted together: enough for all threads, and few enough for progress to be seen.
const PART: usize = 1024;

/// Metrics as their user named them, over chosen tokens, for texts to be counted.
pub struct Evaluation {
    specs: Vec<MetricSpec>,
    panel: Panel,
    tokenizer: SharedTokenizer,
}

impl Evaluation {
    /// These metrics as users name them, over the tokens that were chosen.
    ///
    /// # Errors
    /// [`ConfigError`] of a metric or a tokenizer.
    pub fn of(
        registry: &Registry,
        metrics: impl IntoIterator<Item = impl AsRef<str>>,
        tokens: &ChosenTokens,
    ) -> Result<Self, ConfigError> {
        let specs = metrics.into_iter().map(|metric| registry.parse(metric.as_ref()));
        let specs = specs.collect::<Result<Vec<_>, _>>()?;
        let panel = Panel::of_specs(registry, &specs, tokens)?;
        Ok(Evaluation::new(specs, panel, tokens.tokenizer().clone()))
    }

    /// The metrics of a panel, each as it was asked for; `tokenizer` cuts the texts where these are shown or measured.
    pub fn new(specs: Vec<MetricSpec>, panel: Panel, tokenizer: SharedTokenizer) -> Self {
        Evaluation { specs, panel, tokenizer }
    }

    /// With the state of a first pass over other data; otherwise metrics of two passes learn from the texts themselves.
    ///
    /// # Errors
    /// Those of [`Panel::second_pass`].
    pub fn learned(self, learned: &PanelState) -> Result<Self> {
        Ok(Evaluation { panel: self.panel.second_pass(learned)?, ..self })
    }

    /// Counts every segment, in all threads of the current pool.
    ///
    /// # Errors
    /// [`EmptyCorpus`](InputErrorKind::EmptyCorpus); those of the metrics, with the number of the segment.
    pub fn run(self, corpus: TextCorpus) -> Result<Run> {
        self.run_with(corpus, |_, _| {})
    }

    /// As [`Evaluation::run`]; `progress` is told after each segment how many were counted, and of how many.
    ///
    /// # Errors
    /// Those of [`Evaluation::run`].
    pub fn run_with(self, corpus: TextCorpus, mut progress: impl FnMut(u64, u64)) -> Result<Run> {
        if corpus.segments.is_empty() {
            return Err(InputErrorKind::EmptyCorpus.into());
        }
        let mut states: Vec<Vec<Vec<AnyState>>> = corpus.systems.iter().map(|_| Vec::new()).collect();
        let panel = corpus.with_segments(|segments| {
            let panel = self.panel.learned_from(segments.iter().copied())?;
            let mut done = 0;
            for part in segments.chunks(PART) {
                let numbered = |error: InputError| {
                    let within = error.location().segment.unwrap_or_default();
                    error.renumbered(Location::segment(done + within))
                };
                for segment in observe_each(&panel, part).map_err(numbered)? {
                    for (system, state) in states.iter_mut().zip(segment) {
                        system.push(panel.states(&state)?);
                    }
                    done += 1;
                    progress(done, segments.len() as u64);
                }
            }
            Ok::<Panel, InputError>(panel)
        })?;
        Ok(Run {
            specs: self.specs,
            metrics: panel.metrics().cloned().collect(),
            states,
            fingerprints: corpus.fingerprints(),
            systems: corpus.systems,
            labels: corpus.labels,
            texts: Some(Texts { segments: corpus.segments, tokenizer: self.tokenizer }),
        })
    }
}

/// The statistics of every segment of several systems under several metrics, with what is known of the segments.
pub struct Run {
    pub(super) systems: Vec<String>,
    pub(super) specs: Vec<MetricSpec>,
    pub(super) metrics: Vec<AnyMetric>,
    /// By system, segment and metric.
    pub(super) states: Vec<Vec<Vec<AnyState>>>,
    /// Of the references and of the source of each segment.
    pub(super) fingerprints: Vec<Fingerprints>,
    pub(super) labels: Labels,
    pub(super) texts: Option<Texts>,
}

/// The scores of the segments that share a value of a label.
pub struct GroupScores {
    /// The value.
    pub label: String,
    /// The segments, by index.
    pub segments: Vec<usize>,
    /// By system and metric: the score or the error.
    pub scores: Vec<Vec<Result<Scored<AnyScore>>>>,
}

impl Run {
    /// The names of the systems.
    pub fn systems(&self) -> &[String] {
        &self.systems
    }

    /// The metrics, in order.
    pub fn metrics(&self) -> &[AnyMetric] {
        &self.metrics
    }

    /// Each metric as it was asked for.
    pub fn specs(&self) -> &[MetricSpec] {
        &self.specs
    }

    /// The labels of the segments.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The fingerprints of each segment: of its references, and of its source where that is known.
    pub fn fingerprints(&self) -> &[Fingerprints] {
        &self.fingerprints
    }

    /// The texts, where they were counted and not read.
    pub fn texts(&self) -> Option<&Texts> {
        self.texts.as_ref()
    }

    /// How many segments there are.
    pub fn len(&self) -> usize {
        self.fingerprints.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.fingerprints.is_empty()
    }

    /// The counts of each segment of a system under a metric, both by index.
    ///
    /// # Errors
    /// [`NotLinear`](InputErrorKind::NotLinear) where the statistics are no row of counts.
    pub fn rows(&self, metric: usize, system: usize) -> Result<Rows> {
        rows_of(&self.metrics[metric], self.states[system].iter().map(|states| &states[metric]))
    }

    /// The counts of each segment of every system under a metric.
    ///
    /// # Errors
    /// Those of [`Run::rows`].
    pub fn all_rows(&self, metric: usize) -> Result<Vec<Rows>> {
        (0..self.systems.len()).map(|system| self.rows(metric, system)).collect()
    }

    /// The merged state of some segments of a system under a metric, all by index.
    ///
    /// # Errors
    /// Sums that do not fit 64 bits.
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

    /// The score of some segments of a system under a metric.
    ///
    /// # Errors
    /// Those of the metric.
    pub fn score_of(
        &self,
        metric: usize,
        system: usize,
        segments: impl IntoIterator<Item = usize>,
    ) -> Result<Scored<AnyScore>> {
        self.merged(metric, system, segments)?.score(&self.metrics[metric])
    }

    /// The score of every system under every metric.
    ///
    /// # Errors
    /// Those of the metrics.
    pub fn scores(&self) -> Result<Vec<Vec<Scored<AnyScore>>>> {
        let score = |metric, system| self.score_of(metric, system, 0..self.len());
        let of_system = |system| (0..self.metrics.len()).map(|metric| score(metric, system)).collect();
        (0..self.systems.len()).map(of_system).collect()
    }

    /// The score of every segment of a system under a metric, or why it has none.
    pub fn sentence_scores(&self, metric: usize, system: usize) -> Vec<Result<Scored<AnyScore>>> {
        let score = |states: &Vec<AnyState>| states[metric].score(&self.metrics[metric]);
        self.states[system].iter().map(score).collect()
    }

    /// The scores of every group of a label.
    ///
    /// # Errors
    /// Those of [`Labels::grouped`].
    pub fn by(&self, label: &str) -> Result<Vec<GroupScores>> {
        let groups = self.labels.grouped(label)?;
        Ok(groups.into_iter().map(|(label, segments)| self.group(label, segments)).collect())
    }

    /// The scores of some segments, by index.
    pub fn group(&self, label: impl Into<String>, segments: Vec<usize>) -> GroupScores {
        let score = |metric, system| self.score_of(metric, system, segments.iter().copied());
        let of_system = |system| (0..self.metrics.len()).map(|metric| score(metric, system)).collect();
        let scores = (0..self.systems.len()).map(of_system).collect();
        GroupScores { label: label.into(), segments, scores }
    }
}

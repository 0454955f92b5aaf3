//! [`Counted`]: the statistics of every segment of several systems, counted from text or read from files.

use bleuprint::eval::resample::Rows;
use bleuprint::eval::store::{
    FORMAT, Header, References, StoredMetric, StoredSegment, StoredState, StoredStatistics,
};
use bleuprint::eval::{Panel, SystemsSegment, observe_each, rows_of};
use bleuprint::{
    AnyMetric, AnyScore, AnyState, InputError, Location, Metric as _, Registry, Scored, State, Stats as _,
    column_names,
};

use crate::evaluation::corpus::TextCorpus;
use crate::evaluation::labels::Labels;
use crate::evaluation::stored::{metrics_of, tool};
use crate::shared::failure::{Failure, Result, fail};
use crate::shared::progress::Progress;

/// As many segments are counted together: enough for all threads, and few enough for progress to be seen.
const PART: usize = 1024;

/// The statistics of every segment of several systems.
pub(crate) struct Counted {
    pub(crate) systems: Vec<String>,
    metrics: Metrics,
    /// By system, segment and metric.
    pub(crate) states: Vec<Vec<Vec<AnyState>>>,
    pub(crate) references: Vec<References>,
    pub(crate) labels: Labels,
}

/// What was counted with.
enum Metrics {
    Panel(Panel),
    /// Those of files, which need no tokenizer any more.
    Stored(Vec<AnyMetric>),
}

impl Counted {
    /// Counts text, in all threads.
    pub(crate) fn from_text(panel: Panel, corpus: &TextCorpus) -> Result<Self, InputError> {
        let hypotheses: Vec<Vec<&str>> = corpus.segments.iter().map(|one| strs(&one.hypotheses)).collect();
        let references: Vec<Vec<&str>> = corpus.segments.iter().map(|one| strs(&one.references)).collect();
        let segments: Vec<SystemsSegment<'_, str>> = hypotheses
            .iter()
            .zip(&references)
            .zip(&corpus.segments)
            .map(|((hypotheses, references), segment)| SystemsSegment {
                hypotheses,
                references,
                source: segment.source.as_deref(),
            })
            .collect();
        let panel = panel.learned_from(segments.iter().copied())?;
        let mut states: Vec<Vec<Vec<AnyState>>> = corpus.systems.iter().map(|_| Vec::new()).collect();
        let (mut done, mut progress) = (0, Progress::new("segments counted"));
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
                progress.add(|| Some((done, segments.len() as u64)));
            }
        }
        Ok(Counted {
            systems: corpus.systems.clone(),
            metrics: Metrics::Panel(panel),
            states,
            references: corpus.references(),
            labels: corpus.labels.clone(),
        })
    }

    /// Takes the statistics of files, one per system, which must be of the same segments and metrics.
    pub(crate) fn from_files(registry: &Registry, files: &[String]) -> Result<Self> {
        let mut read: Vec<(String, StoredStatistics)> = Vec::new();
        for file in files {
            let statistics = StoredStatistics::read(file)?;
            if let Some((first_name, first)) = read.first() {
                let named = |error: InputError| Failure::Message(format!("{first_name} and {file}: {error}"));
                first.header.require_like(&statistics.header).map_err(named)?;
                first.require_same_references(first_name, &statistics, file)?;
            }
            if !statistics.header.each {
                fail!("{file} holds a total alone, but statistics of each segment are needed");
            }
            read.push((file.clone(), statistics));
        }
        let Some((_, first)) = read.first() else {
            fail!("no file of statistics was given");
        };
        let metrics = metrics_of(registry, &first.header)?;
        let open = |(name, file): &(String, StoredStatistics)| {
            let states = |segment: &StoredSegment| {
                let states = segment.states.iter().zip(&metrics);
                states.map(|(state, metric)| state.open(metric)).collect::<Result<Vec<_>, _>>()
            };
            let segments = file.segments.iter().map(states).collect::<Result<Vec<_>, InputError>>();
            segments.map_err(|error| Failure::Message(format!("{name}: {error}")))
        };
        let states = read.iter().map(open).collect::<Result<_, _>>()?;
        let names: Vec<String> = read.iter().map(|(_, file)| file.header.system.clone()).collect();
        let unique = (1..names.len()).all(|at| !names[..at].contains(&names[at]));
        let files: Vec<String> = read.iter().map(|(file, _)| file.clone()).collect();
        Ok(Counted {
            systems: if unique { names } else { files },
            states,
            references: first.segments.iter().map(|segment| segment.references).collect(),
            labels: Labels {
                names: first.header.labels.clone(),
                values: first.segments.iter().map(|segment| segment.labels.clone()).collect(),
            },
            metrics: Metrics::Stored(metrics),
        })
    }

    /// The metrics, in order.
    pub(crate) fn metrics(&self) -> Vec<&AnyMetric> {
        match &self.metrics {
            Metrics::Panel(panel) => panel.metrics().collect(),
            Metrics::Stored(metrics) => metrics.iter().collect(),
        }
    }

    /// How many segments there are.
    pub(crate) fn len(&self) -> usize {
        self.references.len()
    }

    /// The counts of each segment of a system under a metric.
    pub(crate) fn rows(&self, metric: usize, system: usize) -> Result<Rows, InputError> {
        let states = self.states[system].iter().map(|states| &states[metric]);
        rows_of(self.metrics()[metric], states)
    }

    /// The counts of each segment of every system under a metric.
    pub(crate) fn all_rows(&self, metric: usize) -> Result<Vec<Rows>, InputError> {
        (0..self.systems.len()).map(|system| self.rows(metric, system)).collect()
    }

    /// The merged state of some segments of a system under a metric.
    pub(crate) fn merged(
        &self,
        metric: usize,
        system: usize,
        segments: impl IntoIterator<Item = usize>,
    ) -> Result<AnyState, InputError> {
        let mut total = State::zero(self.metrics()[metric]);
        for segment in segments {
            total.merge(&self.states[system][segment][metric])?;
        }
        Ok(total)
    }

    /// The score of every metric for a system.
    pub(crate) fn scores(&self, system: usize) -> Result<Vec<Scored<AnyScore>>, InputError> {
        let metrics = self.metrics();
        let score =
            |(place, metric): (usize, &&AnyMetric)| self.merged(place, system, 0..self.len())?.score(*metric);
        metrics.iter().enumerate().map(score).collect()
    }

    /// The score of every metric for every system.
    pub(crate) fn all_scores(&self) -> Result<Vec<Vec<Scored<AnyScore>>>, InputError> {
        (0..self.systems.len()).map(|system| self.scores(system)).collect()
    }

    /// The statistics of every segment of the first system, as a file holds them; every metric as a user names it.
    pub(crate) fn stored(&self, specs: &[String]) -> Result<StoredStatistics, InputError> {
        let metrics = self.metrics();
        let metric = |((metric, spec), scored): ((&&AnyMetric, &String), &Scored<_>)| StoredMetric {
            spec: spec.clone(),
            key: metric.state_key().to_string(),
            signature: scored.signature.to_string(),
            columns: metric.zero().is_row().then(|| column_names(*metric)),
        };
        let header = Header {
            format: FORMAT.to_owned(),
            tool: tool(),
            system: self.systems[0].clone(),
            metrics: metrics.iter().zip(specs).zip(&self.scores(0)?).map(metric).collect(),
            labels: self.labels.names.clone(),
            each: true,
        };
        let store = |states: &[AnyState]| {
            let states = metrics.iter().zip(states).map(|(metric, state)| StoredState::of(*metric, state));
            states.collect::<Result<Vec<_>, InputError>>()
        };
        let segment = |segment: usize| {
            Ok(StoredSegment {
                references: self.references[segment],
                labels: self.labels.values[segment].clone(),
                states: store(&self.states[0][segment])?,
            })
        };
        let segments = (0..self.len()).map(segment).collect::<Result<Vec<_>, InputError>>()?;
        let total = (0..metrics.len()).map(|place| self.merged(place, 0, 0..self.len()));
        let total = store(&total.collect::<Result<Vec<_>, _>>()?)?;
        let references = self.references.iter().fold(References::default(), |sum, one| sum.plus(*one));
        Ok(StoredStatistics { header, segment_count: segments.len() as u64, segments, references, total })
    }
}

fn strs(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

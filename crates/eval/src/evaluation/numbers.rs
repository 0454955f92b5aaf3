//! Numbers that other programs computed: [`NumberColumn`]s of a corpus, and the metrics over them.

use std::sync::Arc;

use bleuprint_core::{
    AnyMetric, AnyScratch, AnyState, ConfigError, InputError, Location, Metric as _, MetricSpec,
    Observe as _, Registry, Result, Segment, SegmentCounts, State, ViewKind,
};

use super::TextCorpus;
use crate::{ChosenTokens, Panel, PanelMetric};

/// A column of numbers: one of each segment of every system.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NumberColumn {
    /// Its name, for which metrics ask.
    pub name: String,
    /// By system.
    pub systems: Vec<SystemNumbers>,
}

/// The numbers of a system.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SystemNumbers {
    /// One of each segment; none where it is missing.
    pub values: Vec<Option<f64>>,
    /// The file, and the line of each number in it, for errors; 0 for a segment that the file lacks.
    pub origin: Option<(Arc<str>, Vec<u64>)>,
}

impl SystemNumbers {
    /// These numbers; none, and NaN, are missing.
    pub fn new(values: impl IntoIterator<Item = Option<f64>>) -> Self {
        let values = values.into_iter().map(|value| value.filter(|value| !value.is_nan())).collect();
        SystemNumbers { values, origin: None }
    }
}

/// Metrics over text in a panel, and metrics over numbers and vectors with their places among all.
pub struct Metrics {
    /// Those over text, in their order.
    pub panel: Panel,
    /// Those over numbers.
    pub numbers: Vec<(usize, AnyMetric)>,
    /// Those over vectors.
    pub vectors: Vec<(usize, AnyMetric)>,
}

impl Metrics {
    /// These metrics, each as it was asked for.
    ///
    /// # Errors
    /// [`ConfigError`] of a tokenizer; tokens asked for of a metric over numbers or vectors.
    pub fn new<'s>(
        metrics: impl IntoIterator<Item = (AnyMetric, &'s MetricSpec)>,
        chosen: &ChosenTokens,
    ) -> Result<Self, ConfigError> {
        let (mut of_text, mut numbers, mut vectors) = (Vec::new(), Vec::new(), Vec::new());
        for (place, (metric, spec)) in metrics.into_iter().enumerate() {
            let kind = metric.view().kind;
            if !kind.is_beside_text() {
                of_text.push(PanelMetric::of_spec(metric, spec));
                continue;
            }
            if spec.tokenizer.is_some() || spec.lowercase.is_some() || spec.normalizer.is_some() {
                let message = format!(
                    "{} looks at {}, so it takes no tokenizer, no case and no normalizer",
                    spec.metric,
                    if kind == ViewKind::Vectors { "vectors" } else { "numbers" }
                );
                return Err(ConfigError::Conflict(message));
            }
            let own = if kind == ViewKind::Vectors { &mut vectors } else { &mut numbers };
            own.push((place, metric));
        }
        Ok(Metrics { panel: Panel::new(of_text, chosen)?, numbers, vectors })
    }

    /// The metrics that these specs name.
    ///
    /// # Errors
    /// [`ConfigError`] of a metric; those of [`Metrics::new`].
    pub fn of_specs(
        registry: &Registry,
        specs: &[MetricSpec],
        chosen: &ChosenTokens,
    ) -> Result<Self, ConfigError> {
        let build = |spec: &MetricSpec| registry.get(spec.metric)?.build(&spec.options);
        let built = specs.iter().map(build).collect::<Result<Vec<_>, ConfigError>>()?;
        Metrics::new(built.into_iter().zip(specs), chosen)
    }
}

impl From<Panel> for Metrics {
    fn from(panel: Panel) -> Self {
        Metrics { panel, numbers: Vec::new(), vectors: Vec::new() }
    }
}

/// The states of every segment of every system under a metric over numbers.
pub(super) fn observe(metric: &AnyMetric, corpus: &TextCorpus) -> Result<Vec<Vec<AnyState>>> {
    let column = |name: &String| {
        corpus.numbers.iter().find(|column| column.name == *name).ok_or_else(|| {
            let known: Vec<&str> = corpus.numbers.iter().map(|column| column.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            InputError::malformed(format!("there is no column `{name}` of numbers; the columns: {known}"))
        })
    };
    let columns = metric.view().numbers.columns.iter().map(column).collect::<Result<Vec<_>>>()?;
    let of_system = |system: usize| {
        let columns: Vec<&SystemNumbers> = columns.iter().map(|column| &column.systems[system]).collect();
        observe_system(metric, &corpus.systems[system], &columns, corpus)
    };
    (0..corpus.systems.len()).map(of_system).collect()
}

fn observe_system(
    metric: &AnyMetric,
    system: &str,
    columns: &[&SystemNumbers],
    corpus: &TextCorpus,
) -> Result<Vec<AnyState>> {
    let mut scratch = AnyScratch::default();
    let numbers_of = |segment: usize| -> Vec<f64> {
        columns.iter().map(|column| column.values[segment].unwrap_or(f64::NAN)).collect()
    };
    let is_missing = |segment: usize| numbers_of(segment).iter().any(|number| number.is_nan());
    let segments = corpus.segments.len();
    let observe = |segment: usize| {
        let (mut stats, numbers) = (metric.zero(), numbers_of(segment));
        let observed = metric.observe(&mut scratch, &mut stats, Segment::new(&numbers[..], &[]));
        let state = observed.and_then(|()| State::of(metric, SegmentCounts::of_segment(0), stats));
        state.map_err(|error| {
            // Of what is missing, how much: one answer may serve for all.
            let error = match is_missing(segment) {
                true => {
                    let missing = (0..segments).filter(|&segment| is_missing(segment)).count();
                    InputError::malformed(format!("{error} ({missing} of {segments} have none)"))
                }
                false => error,
            };
            located(error, system, columns, segment, corpus.ids.get(segment))
        })
    };
    (0..segments).map(observe).collect()
}

/// The error with the file and the line of the number, else with the system and the segment.
fn located(
    error: InputError,
    system: &str,
    columns: &[&SystemNumbers],
    segment: usize,
    id: Option<&String>,
) -> InputError {
    let origin = columns.first().and_then(|column| column.origin.as_ref());
    let line = origin.and_then(|(file, lines)| Some((file.clone(), *lines.get(segment)?)));
    match (line, id) {
        (Some((file, line)), _) if line > 0 => error.at(Location::line(file, line)),
        (Some((file, _)), Some(id)) => {
            InputError::malformed(format!("it has no record `{id}`: {error}")).at(Location::file(file))
        }
        _ => InputError::malformed(format!("system {system}: {error}"))
            .at(Location::segment(segment as u64 + 1)),
    }
}

//! [`OutputCounts`]: per-segment statistics of one output, as rows of counts, or as states if the metric's
//! statistics are not counts.

use std::collections::BTreeMap;

use bleuprint_core::{InputErrorKind, Metric as _, Result, Scored, State, Stats as _};
use bleuprint_inference::{CountRows, Precision, ResamplePlan, Significance, Units};
use bleuprint_registry::{AnyMetric, AnyScore, AnyState};

use crate::policy::Method;

/// Statistics of each segment or document of one output. Rows of counts are added up; states, such as sets
/// and maps, are merged.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum OutputCounts {
    /// Rows of counts, one for each segment or document.
    Rows(CountRows),
    /// One state for each segment or document, for metrics whose statistics are not rows of counts.
    States(Vec<AnyState>),
}

impl From<CountRows> for OutputCounts {
    fn from(rows: CountRows) -> Self {
        OutputCounts::Rows(rows)
    }
}

impl OutputCounts {
    pub(crate) fn len(&self) -> usize {
        match self {
            OutputCounts::Rows(rows) => rows.len(),
            OutputCounts::States(states) => states.len(),
        }
    }

    pub(crate) fn score(&self, metric: &AnyMetric) -> Result<Scored<AnyScore>> {
        match self {
            OutputCounts::Rows(rows) => State::from_row(metric, &rows.total()?)?.score(metric),
            OutputCounts::States(states) => merged(metric, states)?.score(metric),
        }
    }

    pub(crate) fn is_equal_at(&self, segment: usize, other: &OutputCounts) -> bool {
        match (self, other) {
            (OutputCounts::Rows(own), OutputCounts::Rows(other)) => own.row(segment) == other.row(segment),
            (OutputCounts::States(own), OutputCounts::States(other)) => {
                own.get(segment) == other.get(segment)
            }
            _ => false,
        }
    }

    /// Returns a flag for each segment: `true` if the metric gives it a value.
    pub(crate) fn with_numbers(&self, metric: &AnyMetric) -> Result<Vec<bool>> {
        let has =
            |state: &AnyState| state.counts().segments > 0 && state.stats().missing(state.counts()) == 0;
        match self {
            OutputCounts::Rows(rows) => {
                rows.iter().map(|row| Ok(has(&State::from_row(metric, row)?))).collect()
            }
            OutputCounts::States(states) => Ok(states.iter().map(has).collect()),
        }
    }

    /// Returns two numbers for each unit (segment or document): how many of its segments have a value, and
    /// the unit's score (NaN if it has none).
    pub(crate) fn numbers(&self, metric: &AnyMetric) -> Result<Vec<[f64; 2]>> {
        let number = |state: &AnyState| {
            let counts = state.counts();
            let segments = counts.segments.saturating_sub(state.stats().missing(counts));
            [segments as f64, metric.number(state.stats(), counts).unwrap_or(f64::NAN)]
        };
        match self {
            OutputCounts::Rows(rows) => {
                rows.iter().map(|row| Ok(number(&State::from_row(metric, row)?))).collect()
            }
            OutputCounts::States(states) => Ok(states.iter().map(number).collect()),
        }
    }

    /// Adds up the counts of the given segments by unit. A unit is a single segment or, with `labels`, all
    /// segments with an equal label. Units are ordered by their first segments.
    pub(crate) fn units(
        &self,
        metric: &AnyMetric,
        segments: &[usize],
        labels: Option<&[String]>,
    ) -> Result<Self> {
        let label = |segment: &usize| labels?.get(*segment).map(String::as_str);
        match self {
            OutputCounts::Rows(rows) => {
                let mut own = CountRows::with_columns(rows.columns());
                segments.iter().try_for_each(|&segment| own.push(rows.row(segment)))?;
                let units = || Units::by(segments.iter().map(|segment| label(segment).unwrap_or("")));
                Ok(OutputCounts::Rows(if labels.is_some() { units().rows(&own)? } else { own }))
            }
            OutputCounts::States(states) => {
                let (mut units, mut places): (Vec<AnyState>, BTreeMap<&str, usize>) = Default::default();
                for segment in segments {
                    // A segment without a label is a unit on its own.
                    let place = match label(segment) {
                        Some(label) => *places.entry(label).or_insert(units.len()),
                        None => units.len(),
                    };
                    match units.get_mut(place) {
                        Some(unit) => unit.merge(&states[*segment])?,
                        None => units.push(merged(metric, [&states[*segment]])?),
                    }
                }
                Ok(OutputCounts::States(units))
            }
        }
    }
}

fn merged<'s>(metric: &AnyMetric, states: impl IntoIterator<Item = &'s AnyState>) -> Result<AnyState> {
    let mut total = State::zero(metric);
    states.into_iter().try_for_each(|state| total.merge(state))?;
    Ok(total)
}

/// Returns the scores of all resamples, one list for each output, and the share of resamples that were drawn
/// again because they had no score. The bootstrap draws the same units (segments or documents) for all
/// outputs; randomization scores random subsets of the units.
pub(crate) fn resampled(
    metric: &AnyMetric,
    systems: &[&OutputCounts],
    method: Method,
    plan: ResamplePlan,
) -> Result<(Vec<Vec<f64>>, f64)> {
    let tests = significance(metric, systems)?;
    match method {
        Method::PairedBootstrap => {
            let resamples = tests.resamples(plan)?;
            Ok((resamples.scores, resamples.redrawn))
        }
        // Subsets are never drawn again.
        Method::PairedRandomization => Ok((tests.subsets(plan)?, 0.0)),
    }
}

/// Creates the significance tests for these outputs. The tests add up rows of counts if all outputs have
/// rows; otherwise they merge states.
pub(crate) fn significance<'s>(
    metric: &'s AnyMetric,
    systems: &[&'s OutputCounts],
) -> Result<Significance<'s, AnyMetric>> {
    match rows_of_all(systems) {
        Some(rows) => Significance::of_rows(metric, rows, Precision::Exact),
        None => merging(metric, systems),
    }
}

/// Returns the contribution of each unit (segment or document) to the score difference `first − second`.
pub(crate) fn difference(
    metric: &AnyMetric,
    first: &OutputCounts,
    second: &OutputCounts,
) -> Result<Vec<f64>> {
    significance(metric, &[first, second])?.contributions()
}

fn rows_of_all<'s>(systems: &[&'s OutputCounts]) -> Option<Vec<&'s CountRows>> {
    let rows = |system: &&'s OutputCounts| match system {
        OutputCounts::Rows(rows) => Some(rows),
        OutputCounts::States(_) => None,
    };
    systems.iter().map(rows).collect()
}

fn merging<'s>(metric: &'s AnyMetric, systems: &[&'s OutputCounts]) -> Result<Significance<'s, AnyMetric>> {
    let states = |system: &&'s OutputCounts| match system {
        OutputCounts::States(states) => Ok(states),
        OutputCounts::Rows(_) => {
            let metric = metric.identity().name();
            let operation = "be merged with states";
            Err(InputErrorKind::NotLinear { metric, operation })
        }
    };
    let states = systems.iter().map(states).collect::<Result<Vec<_>, _>>()?;
    Significance::new(metric, states, Precision::Exact)
}

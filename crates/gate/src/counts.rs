//! [`Counts`]: the statistics of each segment of an output, as rows of counts, or as states where they are no rows.

use std::collections::BTreeMap;

use bleuprint_core::{InputErrorKind, Metric as _, Result, Scored, State, Stats as _};
use bleuprint_inference::{Plan, Precision, Rows, Significance, Units};
use bleuprint_registry::{AnyMetric, AnyScore, AnyState};

use crate::policy::Method;

/// The statistics of each segment of an output, or of each unit. Rows are summed; states, such as sets and maps, are merged.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Counts {
    /// Rows of counts.
    Rows(Rows),
    /// States of a metric whose statistics are no row.
    States(Vec<AnyState>),
}

impl From<Rows> for Counts {
    fn from(rows: Rows) -> Self {
        Counts::Rows(rows)
    }
}

impl Counts {
    pub(crate) fn len(&self) -> usize {
        match self {
            Counts::Rows(rows) => rows.len(),
            Counts::States(states) => states.len(),
        }
    }

    pub(crate) fn score(&self, metric: &AnyMetric) -> Result<Scored<AnyScore>> {
        match self {
            Counts::Rows(rows) => State::from_row(metric, &rows.total()?)?.score(metric),
            Counts::States(states) => merged(metric, states)?.score(metric),
        }
    }

    pub(crate) fn is_equal_at(&self, segment: usize, other: &Counts) -> bool {
        match (self, other) {
            (Counts::Rows(own), Counts::Rows(other)) => own.row(segment) == other.row(segment),
            (Counts::States(own), Counts::States(other)) => own.get(segment) == other.get(segment),
            _ => false,
        }
    }

    /// True for each segment that has a number.
    pub(crate) fn with_numbers(&self, metric: &AnyMetric) -> Result<Vec<bool>> {
        let has = |state: &AnyState| state.stats().missing(state.counts()) == 0;
        match self {
            Counts::Rows(rows) => rows.iter().map(|row| Ok(has(&State::from_row(metric, row)?))).collect(),
            Counts::States(states) => Ok(states.iter().map(has).collect()),
        }
    }

    /// Returns for each unit the number of its segments with a number, and its score; NaN without one.
    pub(crate) fn numbers(&self, metric: &AnyMetric) -> Result<Vec<[f64; 2]>> {
        let number = |state: &AnyState| {
            let counts = state.counts();
            let segments = counts.segments.saturating_sub(state.stats().missing(counts));
            [segments as f64, metric.number(state.stats(), counts).unwrap_or(f64::NAN)]
        };
        match self {
            Counts::Rows(rows) => rows.iter().map(|row| Ok(number(&State::from_row(metric, row)?))).collect(),
            Counts::States(states) => Ok(states.iter().map(number).collect()),
        }
    }

    /// Those of the units of some segments: each segment, or all that share a label, in the order of their first segments.
    pub(crate) fn units(
        &self,
        metric: &AnyMetric,
        segments: &[usize],
        labels: Option<&[String]>,
    ) -> Result<Self> {
        let label = |segment: &usize| labels?.get(*segment).map(String::as_str);
        match self {
            Counts::Rows(rows) => {
                let mut own = Rows::with_columns(rows.columns());
                segments.iter().try_for_each(|&segment| own.push(rows.row(segment)))?;
                let units = || Units::by(segments.iter().map(|segment| label(segment).unwrap_or("")));
                Ok(Counts::Rows(if labels.is_some() { units().rows(&own)? } else { own }))
            }
            Counts::States(states) => {
                let (mut units, mut places): (Vec<AnyState>, BTreeMap<&str, usize>) = Default::default();
                for segment in segments {
                    let place = match label(segment) {
                        Some(label) => *places.entry(label).or_insert(units.len()),
                        None => units.len(),
                    };
                    match units.get_mut(place) {
                        Some(unit) => unit.merge(&states[*segment])?,
                        None => units.push(merged(metric, [&states[*segment]])?),
                    }
                }
                Ok(Counts::States(units))
            }
        }
    }
}

fn merged<'s>(metric: &AnyMetric, states: impl IntoIterator<Item = &'s AnyState>) -> Result<AnyState> {
    let mut total = State::zero(metric);
    states.into_iter().try_for_each(|state| total.merge(state))?;
    Ok(total)
}

/// The scores of resamples of each output, all of the same units, or of random subsets of these.
pub(crate) fn resampled(
    metric: &AnyMetric,
    systems: &[&Counts],
    method: Method,
    plan: Plan,
) -> Result<(Vec<Vec<f64>>, f64)> {
    let tests = significance(metric, systems)?;
    match method {
        Method::PairedBootstrap => {
            let resamples = tests.resamples(plan)?;
            Ok((resamples.scores, resamples.redrawn))
        }
        Method::PairedRandomization => Ok((tests.subsets(plan)?, 0.0)),
    }
}

/// The tests of outputs, by sums of rows or by merging.
pub(crate) fn significance<'s>(
    metric: &'s AnyMetric,
    systems: &[&'s Counts],
) -> Result<Significance<'s, AnyMetric>> {
    match rows_of_all(systems) {
        Some(rows) => Significance::of_rows(metric, rows, Precision::Exact),
        None => merging(metric, systems),
    }
}

/// The contribution of each unit to the score of the first output minus that of the second.
pub(crate) fn difference(metric: &AnyMetric, first: &Counts, second: &Counts) -> Result<Vec<f64>> {
    significance(metric, &[first, second])?.contributions()
}

fn rows_of_all<'s>(systems: &[&'s Counts]) -> Option<Vec<&'s Rows>> {
    let rows = |system: &&'s Counts| match system {
        Counts::Rows(rows) => Some(rows),
        Counts::States(_) => None,
    };
    systems.iter().map(rows).collect()
}

fn merging<'s>(metric: &'s AnyMetric, systems: &[&'s Counts]) -> Result<Significance<'s, AnyMetric>> {
    let states = |system: &&'s Counts| match system {
        Counts::States(states) => Ok(states),
        Counts::Rows(_) => {
            let (metric, operation) = (metric.identity().name(), "be merged with states");
            Err(InputErrorKind::NotLinear { metric, operation })
        }
    };
    let states = systems.iter().map(states).collect::<Result<Vec<_>, _>>()?;
    Significance::new(metric, states, Precision::Exact)
}

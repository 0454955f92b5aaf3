//! States as bytes, equal to the bytes of `bleuprint.tables` and `bleuprint merge`: files of statistics with
//! only the total.

use std::sync::Arc;

use bleuprint::contract::{AnyMetric, AnyState};
use bleuprint::contract::{SegmentCounts, State, Stats as _, Tagged};
use bleuprint::eval::PanelStats;
use bleuprint::eval::store::{Header, StoredStatistics};
use datafusion::common::{DataFusionError, Result, exec_datafusion_err, exec_err};

use crate::catalogue::{Catalogue, Chosen, external, unlike};

#[derive(Debug, Clone)]
pub(crate) struct Total {
    pub(crate) counts: SegmentCounts,
    pub(crate) stats: PanelStats,
}

impl Total {
    pub(crate) fn of(state: AnyState) -> Self {
        let Tagged { counts, stats, .. } = state.into();
        Total { counts, stats: PanelStats::from(stats) }
    }

    pub(crate) fn merge(&mut self, other: &Total) -> Result<()> {
        let mut counts = self.counts;
        counts.merge(&other.counts).map_err(external)?;
        self.stats.merge(&other.stats).map_err(external)?;
        self.counts = counts;
        Ok(())
    }

    pub(crate) fn state(&self, metric: &AnyMetric) -> Result<AnyState> {
        let stats =
            self.stats.members.first().cloned().unwrap_or_else(|| bleuprint::contract::Metric::zero(metric));
        State::from_stats(metric, self.counts, stats).map_err(external)
    }
}

pub(crate) fn to_bytes(chosen: &Chosen, state: &AnyState) -> Result<Vec<u8>> {
    chosen.header.state_to_bytes(&chosen.metric, state).map_err(external)
}

pub(crate) fn score(chosen: &Chosen, state: &AnyState) -> Result<Option<f64>> {
    match state.counts().segments {
        // SQL has null for the score of nothing; an error would fail queries with an empty group.
        0 => Ok(None),
        _ => Ok(Some(state.score(&chosen.metric).map_err(external)?.score.value)),
    }
}

/// Reader of states from outside, which remembers the metric of the last one.
#[derive(Default)]
pub(crate) struct Opener {
    /// Name of the metric that finishes all states, if the query gives one.
    pub(crate) named: Option<String>,
    last: Option<(Header, Arc<Chosen>)>,
}

impl Opener {
    pub(crate) fn new(named: Option<String>) -> Self {
        Opener { named, last: None }
    }

    /// Reads a state and finds the metric that finishes it; errors call the bytes `place`.
    pub(crate) fn open(
        &mut self,
        catalogue: &Catalogue,
        bytes: &[u8],
        place: &str,
    ) -> Result<(Arc<Chosen>, AnyState)> {
        let read = StoredStatistics::from_reader(bytes, place);
        let (header, state) = read.and_then(StoredStatistics::into_state).map_err(external)?;
        // Most states have the same header, so the last metric is tried before the catalogue.
        let chosen = match &self.last {
            Some((last, chosen)) if *last == header => chosen.clone(),
            _ => {
                let chosen = catalogue.finishing(self.named.as_deref(), &header)?;
                self.last.insert((header, chosen)).1.clone()
            }
        };
        let state = state.open(&chosen.metric).map_err(external)?;
        Ok((chosen, state))
    }
}

/// Adds the place of the state to an error, unless the error already has it.
pub(crate) fn at_place(error: DataFusionError, place: &str) -> DataFusionError {
    let message = error.message();
    if message.contains(place) {
        exec_datafusion_err!("{message}")
    } else {
        exec_datafusion_err!("{place}: {message}")
    }
}

/// Checks that states of `other` merge into states of `own` and are finished in the same way.
///
/// # Errors
/// Returns an error if the keys differ, or if the signatures differ and the query names no metric.
pub(crate) fn require_like(own: &Chosen, other: &Chosen, named: bool, function: &str) -> Result<()> {
    if own.key != other.key {
        return Err(unlike(own, &other.key));
    }
    if !named && own.signature != other.signature {
        let one = &own.name;
        let two = &other.name;
        return exec_err!(
            "states of '{one}' and '{two}' have the same counts, but finish differently: say which, as in {function}('{one}', ..)"
        );
    }
    Ok(())
}

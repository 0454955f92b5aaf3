//! States as bytes, the same as those of `bleuprint.tables` and of `bleuprint merge`: files of statistics with the total alone.

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
        State::of(metric, self.counts, stats).map_err(external)
    }
}

pub(crate) fn to_bytes(chosen: &Chosen, state: &AnyState) -> Result<Vec<u8>> {
    chosen.header.state_to_bytes(&chosen.metric, state).map_err(external)
}

pub(crate) fn score(chosen: &Chosen, state: &AnyState) -> Result<Option<f64>> {
    match state.counts().segments {
        0 => Ok(None),
        _ => Ok(Some(state.score(&chosen.metric).map_err(external)?.score.value)),
    }
}

/// Opens states from outside, and remembers the metric of the last.
#[derive(Default)]
pub(crate) struct Opener {
    /// The name that finishes all of them, if the query says one.
    pub(crate) named: Option<String>,
    last: Option<(Header, Arc<Chosen>)>,
}

impl Opener {
    pub(crate) fn new(named: Option<String>) -> Self {
        Opener { named, last: None }
    }

    /// The state and the metric that finishes it; errors call the bytes `place`.
    pub(crate) fn open(
        &mut self,
        catalogue: &Catalogue,
        bytes: &[u8],
        place: &str,
    ) -> Result<(Arc<Chosen>, AnyState)> {
        let read = StoredStatistics::from_reader(bytes, place);
        let (header, state) = read.and_then(StoredStatistics::into_state).map_err(external)?;
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

/// The error with the place of its state, if it does not say it.
pub(crate) fn at_place(error: DataFusionError, place: &str) -> DataFusionError {
    let message = error.message();
    match message.contains(place) {
        true => exec_datafusion_err!("{message}"),
        false => exec_datafusion_err!("{place}: {message}"),
    }
}

/// True if states of `other` merge into those of `own` and are finished alike.
///
/// # Errors
/// Another key; another signature, unless the query names the metric.
pub(crate) fn require_like(own: &Chosen, other: &Chosen, named: bool, function: &str) -> Result<()> {
    if own.key != other.key {
        return Err(unlike(own, &other.key));
    }
    if !named && own.signature != other.signature {
        let (one, two) = (&own.name, &other.name);
        return exec_err!(
            "states of '{one}' and '{two}' have the same counts, but finish differently: say which, as in {function}('{one}', ..)"
        );
    }
    Ok(())
}

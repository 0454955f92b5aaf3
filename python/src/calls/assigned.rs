//! Implements `Metric.assignments`: which names of the reference and the hypothesis, such as speakers, a metric
//! matched in each segment.

use bleuprint::contract::{Answer, AnyScratch, Ask, Data, Pairing, Wanted};
use bleuprint::eval::{Panel, PanelScratch};
use bleuprint::{Location, Metric as _, Observe as _, Result};
use pyo3::prelude::*;

use crate::errors::{OrRaise as _, value};
use crate::metric::engine::MetricEngine;
use crate::metric::state::metric_of;
use crate::run::{WatchPlan, whole};
use crate::segments::data::SequenceData;
use crate::segments::lists::{ListInput, OwnSequence, Segments};

/// Name of the reference and name of the hypothesis; `None` for a missing partner.
type NamePair = (Option<String>, Option<String>);

/// Returns the matched pairs of each segment: a name of the reference and a name of the hypothesis, each None
/// without a partner.
#[pyfunction]
pub(crate) fn assignments(
    py: Python<'_>,
    engine: &MetricEngine,
    data: &SequenceData,
) -> PyResult<Vec<Vec<NamePair>>> {
    let panel = engine.panel(data.is_ids(), false)?;
    let pairings = whole(py, &WatchPlan::default(), |_| {
        let located =
            |at: usize| move |error: bleuprint::InputError| error.at(Location::segment(at as u64 + 1));
        let of = |at: usize| match &data.input {
            ListInput::Own(segments) => of_own(&panel, segments, at).map_err(located(at)),
            ListInput::Texts(segments) => segments.with(at..at + 1, |segments| {
                let pairings = panel.pairings(&mut PanelScratch::default(), segments[0]);
                Ok(pairings.map_err(located(at))?.into_iter().next().flatten())
            }),
            ListInput::Ids(_) => Ok(None),
        };
        (0..data.input.len()).map(of).collect::<Result<Vec<Option<Pairing>>>>()
    })?;
    let name = metric_of(&panel).or_raise()?.identity().name();
    let none =
        || value(format!("{name} matches no names of both sides, such as speakers, so it has no assignment"));
    let pairs = |pairing: Option<Pairing>| {
        Ok(pairing
            .ok_or_else(none)?
            .into_iter()
            .map(|[reference, hypothesis]| (reference, hypothesis))
            .collect())
    };
    pairings.into_iter().map(pairs).collect()
}

fn of_own(panel: &Panel, segments: &Segments<Vec<OwnSequence>>, at: usize) -> Result<Option<Pairing>> {
    let (hypothesis, references, source) = segments.whole(at);
    let references: Vec<&Data> = references.iter().map(|own| &*own.data).collect();
    let hypotheses = [&*hypothesis.data];
    let mut ask = Ask::<Data>::new(Wanted::Pairing, &hypotheses, &references);
    ask.source = source.map(|own| &*own.data);
    Ok(match metric_of(panel)?.ask(&mut AnyScratch::default(), ask)? {
        Some(Answer::Pairing(pairing)) => Some(pairing),
        _ => None,
    })
}

//! Implements the option `--event`, which writes a system's total counts as a ledger event.

use std::collections::BTreeMap;

use bleuprint::{
    AnyMetric, Location, Metric as _, Registry,
    contract::{AnyState, MetricSpec},
};
use bleuprint_track::{Event, Time, require_event, slice_of};

use crate::shared::command::*;

pub(crate) struct EventRequest {
    key: String,
    time: Option<Time>,
    stream: Option<String>,
    version: String,
    slice: BTreeMap<String, String>,
}

pub(crate) fn event_options() -> [Arg; 5] {
    let of_event = |name, value| option(name, value).requires("event");
    [
        option("event", "KEY")
            .requires("total")
            .help("With --total: write an event for `bleuprint track add` under this key; never reuse a key"),
        of_event("stream", "NAME").help("The stream of the event [default: the system]"),
        of_event("model-version", "NAME").default_value("-").help("The version of the model"),
        of_event("slice", "NAME=VALUE").help("Labels of the event, such as lang=de,domain=news"),
        of_event("time", "TIME").help("The time of the event, such as 2026-11-21T10:00:00Z [default: now]"),
    ]
}

impl EventRequest {
    pub(crate) fn new(matches: &ArgMatches) -> Result<Option<Self>> {
        let Some(key) = matches.text("event") else { return Ok(None) };
        let slice = matches.text("slice").map(|text| slice_of(&text)).transpose();
        let slice = slice.map_err(|error| Failure::Message(format!("--slice: {error}")))?;
        Ok(Some(EventRequest {
            key,
            time: args::time(matches, "time")?,
            stream: matches.text("stream"),
            version: matches.text("model-version").unwrap_or_default(),
            slice: slice.unwrap_or_default(),
        }))
    }

    /// Returns events for a ledger (database of metric counts over time) as JSON, one line for each metric.
    /// Each of `totals` has the metric's name, its total counts and the metric. If there are several metrics,
    /// their names are appended to the event's key.
    ///
    /// # Errors
    /// Returns an error if a metric's counts cannot be an event, or if it learned its weights from this data
    /// (`learned_apart` is `false`).
    pub(crate) fn lines<'m>(
        &self,
        registry: &Registry,
        (system, unit): (&str, Option<&str>),
        learned_apart: bool,
        totals: impl ExactSizeIterator<Item = (&'m MetricSpec, AnyState, &'m AnyMetric)>,
    ) -> Result<String> {
        let several = totals.len() > 1;
        let time = self.time.unwrap_or_else(Time::now);
        let mut text = String::new();
        for (spec, total, metric) in totals {
            // A ledger adds and subtracts events, which only additive counts allow.
            require_event(registry, spec, metric)?;
            // No other event and no baseline has the weights that this data gives, so that no number of the
            // event could ever be computed.
            if metric.learned().is_some() && !learned_apart {
                fail!(
                    "{} learns weights from all data, and an event has a part of it: give weights to all events by \
                     --learned FILE, which `bleuprint score --save-learned FILE` writes",
                    metric.identity().name()
                );
            }
            let spec = spec.name();
            // Keys are unique in a ledger, so metrics of one run need distinct ones.
            let key = if several { format!("{}/{spec}", self.key) } else { self.key.clone() };
            let stream = self.stream.as_deref().unwrap_or(system);
            let event = Event::new(key, time).counting(stream, &*self.version, spec, &total)?.by_unit(unit);
            let event = self.slice.iter().fold(event, |event, (name, value)| event.labelled(name, value));
            // Reading the line back finds limits of the format now, not on the day of `track add`.
            Event::parse(&event.line()).map_err(|error| error.at(Location::file("--event")))?;
            text += &(event.line() + "\n");
        }
        Ok(text)
    }
}

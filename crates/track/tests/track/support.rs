//! Separate ledgers for each test, and events with counts of random segments.

use std::path::PathBuf;
use std::sync::LazyLock;

use bleuprint_core::{Segment, State};
use bleuprint_inference::NumpyRandom;
use bleuprint_metrics::{Bleu, registry};
use bleuprint_registry::{AnyMetric, Registry};
use bleuprint_testkit::Folder;
use bleuprint_track::{Added, Adding, Event, Ledger, Time};

/// 2026-01-01T00:00:00Z.
pub(crate) const START: i64 = 1_767_225_600_000_000_000;
pub(crate) const HOUR: i64 = 3_600_000_000_000;

pub(crate) fn hour(number: i64) -> Time {
    Time(START + number * HOUR)
}

pub(crate) struct Place(pub(crate) PathBuf, #[expect(dead_code, reason = "kept while it is used")] Folder);

impl Place {
    pub(crate) fn new() -> Self {
        let folder = Folder::new();
        Place(folder.path("track.db"), folder)
    }

    pub(crate) fn ledger(&self) -> Ledger {
        Ledger::open_or_create(&self.0, None).unwrap()
    }
}

pub(crate) fn fresh() -> (Place, Ledger) {
    let place = Place::new();
    let ledger = place.ledger();
    (place, ledger)
}

/// Returns options with a clock at the end of 2026, so that no event is ahead of it.
pub(crate) fn adding() -> Adding<'static> {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(registry);
    Adding { now: hour(24 * 365), ..Adding::new(&REGISTRY) }
}

pub(crate) fn add(ledger: &mut Ledger, events: Vec<Event>, upsert: bool) -> Result<Added, String> {
    ledger.add_all(events, &Adding { upsert, ..adding() }).map_err(|error| error.to_string())
}

pub(crate) fn bleu() -> AnyMetric {
    AnyMetric::for_ids(Bleu::default()).unwrap()
}

/// Returns a row of BLEU for segments whose tokens are correct with a probability of `quality` percent.
pub(crate) fn row(random: &mut NumpyRandom, segments: usize, quality: u32) -> Vec<u64> {
    let metric = bleu();
    let mut state = State::zero(&metric);
    for _ in 0..segments {
        let mut draws = [0; 12];
        random.fill_indices(100, &mut draws);
        let reference: Vec<u32> = (0..12).collect();
        let hypothesis: Vec<u32> =
            (0..12).map(|token| if draws[token as usize] < quality { token } else { 99 }).collect();
        let references = [&reference[..]];
        let segment = Segment::new(&hypothesis[..], &references);
        state.merge(&State::of_segment(&metric, &mut Default::default(), segment).unwrap()).unwrap();
    }
    state.row().unwrap()
}

pub(crate) fn event(key: impl Into<String>, time: Time, version: &str, slice: &str, row: &[u64]) -> Event {
    let state = State::from_row(&bleu(), row).unwrap();
    let event = Event::new(key, time).counting("support", version, "bleu", &state).unwrap();
    if slice.is_empty() { event } else { event.labelled("lang", slice) }
}

pub(crate) fn export(ledger: &Ledger) -> String {
    let mut text = String::new();
    let each = |event: Event| {
        text += &(event.line() + "\n");
        Ok::<_, bleuprint_core::InputError>(())
    };
    ledger.events(each).unwrap();
    text
}

//! Tests that the memory of verifying does not grow with the events, counted by the allocator.

use bleuprint_core::State;
use bleuprint_metrics::{ExactMatch, registry};
use bleuprint_registry::AnyMetric;
use bleuprint_testkit::Folder;
use bleuprint_testkit::memory::{CountingAllocator, peak};
use bleuprint_track::{Adding, Event, Ledger, Time};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Returns the peak of additional bytes while a ledger is verified whose events are in separate buckets.
fn peak_of(events: i64) -> usize {
    let folder = Folder::new();
    let mut ledger = Ledger::open_or_create(folder.path("track.db"), None).unwrap();
    let state = State::from_row(&AnyMetric::for_text(ExactMatch), &[1, 1, 1, 1]).unwrap();
    let event = |number: i64| {
        let event = Event::new(format!("pod-{number}"), Time(number * 3_600_000_000_000));
        let event = event.counting("support", "m1", "exact_match", &state).unwrap();
        event.labelled("lang", "de")
    };
    ledger.add_all((0..events).map(event), &Adding::new(&registry())).unwrap();
    peak(|| assert_eq!(ledger.verify().unwrap(), Vec::<String>::new()))
}

#[test]
fn verifying_ten_times_the_events_takes_no_more_memory() {
    let (once, ten_times) = (peak_of(500), peak_of(5000));
    assert!(ten_times < 2 * once, "{once} bytes for 500 events, {ten_times} for 5,000");
}

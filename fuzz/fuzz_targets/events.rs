//! Fuzzes lines of a ledger: an event with edits must be rejected, or must be written as it was read.
#![no_main]

use std::sync::LazyLock;

use bleuprint_fuzz::edited;
use bleuprint_track::{Event, Time};
use libfuzzer_sys::fuzz_target;

static VALID: LazyLock<String> =
    LazyLock::new(|| Event::new("key", Time(1_700_000_000_000_000_000)).retracting("other").line());

fuzz_target!(|data: &[u8]| {
    let line = match data.split_first() {
        Some((0, bytes)) => bytes.to_vec(),
        Some((_, edits)) => edited(VALID.as_bytes(), edits),
        None => VALID.clone().into_bytes(),
    };
    let Ok(event) = Event::parse(&String::from_utf8_lossy(&line)) else { return };
    assert_eq!(Event::parse(&event.line()).expect("what was read is written"), event);
});

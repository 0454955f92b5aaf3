//! Tests through the public API with hostile data. `tests/rows` has all other cases.

use bleuprint_registry::Registry;

mod hostile;

#[test]
fn the_entries_are_ones_that_a_registry_takes() {
    assert!(Registry::from_entries(bleuprint_subtitles::ENTRIES).unwrap().build("suber-cased").is_ok());
}

//! [`TakenNames`]: finds the metric that has a name without comparing the names of all metrics, because each
//! program checks all names at its start.

use crate::MetricEntry;
use crate::prelude::*;

/// Hash table of the names, aliases, presets and spellings of metrics, in any case.
#[derive(Debug, Clone, Default)]
pub(crate) struct TakenNames {
    /// A power of two of slots, at most half of which are taken; none before the first name.
    slots: Vec<Option<TakenName>>,
    taken: usize,
}

/// A name with the place of its metric in the registry.
#[derive(Debug, Clone, Copy)]
struct TakenName {
    hash: u64,
    place: usize,
}

impl TakenNames {
    /// Adds all names of the metric at `place`, which no other metric has.
    pub(crate) fn add(&mut self, entry: &MetricEntry, place: usize) {
        for name in all_names(entry) {
            self.grow();
            self.insert(TakenName { hash: caseless_hash(name), place });
        }
    }

    /// Returns the place of the metric that has this name in upper or lower case, or `None`. `entries` are the
    /// metrics that were added, in their places.
    pub(crate) fn place(&self, entries: &[MetricEntry], name: &str) -> Option<usize> {
        let hash = caseless_hash(name);
        let mut at = hash as usize;
        while let Some(Some(known)) = self.slot(at) {
            let has_name = |entry| all_names(entry).any(|known| known.eq_ignore_ascii_case(name));
            if known.hash == hash && entries.get(known.place).is_some_and(has_name) {
                return Some(known.place);
            }
            at = at.wrapping_add(1);
        }
        None
    }

    fn slot(&self, at: usize) -> Option<&Option<TakenName>> {
        self.slots.get(at & self.slots.len().wrapping_sub(1))
    }

    /// Doubles the number of slots if another name would take more than half of them.
    fn grow(&mut self) {
        if 2 * (self.taken + 1) <= self.slots.len() {
            return;
        }
        // Slots for the names of a hundred metrics.
        let doubled = (2 * self.slots.len()).max(512);
        let names = core::mem::replace(&mut self.slots, alloc::vec![None; doubled]);
        self.taken = 0;
        names.into_iter().flatten().for_each(|name| self.insert(name));
    }

    fn insert(&mut self, name: TakenName) {
        let last = self.slots.len() - 1;
        let mut at = name.hash as usize & last;
        while self.slots[at].is_some() {
            at = (at + 1) & last;
        }
        self.slots[at] = Some(name);
        self.taken += 1;
    }
}

fn all_names(entry: &MetricEntry) -> impl Iterator<Item = &str> {
    entry.names().chain(entry.spellings.iter().map(|spelling| spelling.name))
}

/// Returns the 64-bit FNV-1a hash of the name in lower case. Its factor mixes the last letter into the lowest bits,
/// which choose the slot.
fn caseless_hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyMetric, MetricOptions, Preset, Spelling};
    use alloc::format;
    use bleuprint_core::{ConfigError, Identity, PerSegment, Scale, Segment};

    fn build(_: &MetricOptions) -> Result<AnyMetric, ConfigError> {
        let identity = Identity::new("mine", 1, Scale::UNIT);
        AnyMetric::for_ids(PerSegment::new(identity, |_: Segment<'_, [u32]>| Ok(1.0)))
    }

    /// Returns the first metric with the name by comparing all names, as a plain implementation of `place`.
    fn by_comparison(entries: &[MetricEntry], name: &str) -> Option<usize> {
        entries.iter().position(|entry| all_names(entry).any(|known| known.eq_ignore_ascii_case(name)))
    }

    #[test]
    fn each_name_is_found_in_any_case_and_no_other() {
        const PRESETS: &[Preset] = &[Preset { name: "two++", options: &[], summary: "" }];
        const SPELLINGS: &[Spelling] = &[Spelling::new("Zwei@N", "two")];
        let entries = [
            MetricEntry::new("one", "", build).aliases(&["ONE", "Oné", "on"]),
            MetricEntry::new("two", "", build).presets(PRESETS).spellings(SPELLINGS),
            MetricEntry::owned(String::from("own-3"), "", build),
        ];
        let mut names = TakenNames::default();
        entries.iter().enumerate().for_each(|(place, entry)| names.add(entry, place));
        let expected = [
            ("one", Some(0)),
            ("oNE", Some(0)),
            ("ONé", Some(0)),
            ("ONÉ", None),
            ("on", Some(0)),
            ("TWO", Some(1)),
            ("Two++", Some(1)),
            ("zwei@n", Some(1)),
            ("zwei@5", None),
            ("OWN-3", Some(2)),
            ("own", None),
            ("", None),
        ];
        for (name, place) in expected {
            assert_eq!(names.place(&entries, name), place, "{name}");
            assert_eq!(by_comparison(&entries, name), place, "{name}");
        }
    }

    #[test]
    fn a_thousand_names_are_found() {
        let entry = |number: usize| MetricEntry::owned(format!("Metric-{number}"), "", build);
        let entries: Vec<MetricEntry> = (0..1000).map(entry).collect();
        let mut names = TakenNames::default();
        for (place, entry) in entries.iter().enumerate() {
            assert_eq!(names.place(&entries, &entry.name), None);
            names.add(entry, place);
        }
        for (place, entry) in entries.iter().enumerate() {
            assert_eq!(names.place(&entries, &entry.name.to_ascii_lowercase()), Some(place));
        }
        assert!(names.slots.len() < 4 * entries.len());
    }
}

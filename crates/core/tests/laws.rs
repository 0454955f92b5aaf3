//! Wrong metrics are caught by the laws: each breaks one, and the check names it.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bleuprint_core::{
    Identity, InputError, Linear, Metric, Observe, OverTokens, Scale, Segment, SegmentCounts, Stats, laws,
};
use serde::{Deserialize, Serialize};

/// A metric over any tokens, of which the tests say only what is wrong with it.
macro_rules! metric {
    ($Metric:ident, $Stats:ty, $scale:expr, $finalize:expr, $observe:expr) => {
        impl Metric for $Metric {
            type Stats = $Stats;
            type Score = f64;
            type Scratch = ();

            fn identity(&self) -> Identity {
                Identity::new(stringify!($Metric), 1)
            }
            fn scale(&self) -> Scale {
                $scale
            }
            fn scratch(&self) {}
            fn zero(&self) -> $Stats {
                <$Stats>::default()
            }
            fn finalize(&self, stats: &$Stats, counts: &SegmentCounts) -> Result<f64, InputError> {
                let finalize: fn(&Self, &$Stats, &SegmentCounts) -> f64 = $finalize;
                Ok(finalize(self, stats, counts))
            }
        }

        impl<T> Observe<[T]> for $Metric {
            fn observe(
                &self,
                (): &mut (),
                stats: &mut $Stats,
                segment: Segment<'_, [T]>,
            ) -> Result<(), InputError> {
                let observe: fn(&Self, &mut $Stats, Lengths) -> Result<(), InputError> = $observe;
                let references = segment.references_or_none().iter().map(|reference| reference.len() as u64);
                let lengths = Lengths {
                    hypothesis: segment.hypothesis().len() as u64,
                    references: references.collect(),
                    missing: segment.references().err(),
                };
                observe(self, stats, lengths)
            }
        }
    };
}

/// All that these metrics look at.
struct Lengths {
    hypothesis: u64,
    references: Vec<u64>,
    missing: Option<InputError>,
}

#[derive(Clone)]
struct Right;
metric!(
    Right,
    [u64; 2],
    Scale::UNBOUNDED,
    |_, stats, counts| (stats[0] as f64 + stats[1] as f64) / counts.segments.max(1) as f64,
    |_, stats, lengths| stats.merge(&[lengths.hypothesis, lengths.references.iter().sum()])
);

#[test]
fn a_right_metric_passes() {
    laws::check(&Right);
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Forgetful {
    kept: u64,
    forgotten: u64,
}

impl Linear for Forgetful {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        visit(&"kept", &mut self.kept);
        visit(&"forgotten", &mut self.forgotten);
    }

    fn add(&mut self, other: &Self) -> Result<(), InputError> {
        self.kept += other.kept;
        Ok(())
    }
}

#[derive(Clone)]
struct MergeForgetsAColumn;
metric!(
    MergeForgetsAColumn,
    Forgetful,
    Scale::UNBOUNDED,
    |_, stats, _| stats.forgotten as f64,
    |_, stats, lengths| {
        stats.kept += 1;
        stats.forgotten += lengths.hypothesis;
        Ok(())
    }
);

#[test]
#[should_panic(expected = "homomorphism")]
fn a_merge_that_forgets_a_column_is_caught() {
    laws::check(&MergeForgetsAColumn);
}

#[test]
#[should_panic(expected = "row(a ⊕ b) = row(a) + row(b)")]
fn a_merge_that_forgets_a_column_is_caught_by_its_row() {
    laws::check_linear::<[u8], Vec<u8>, _>(&MergeForgetsAColumn, laws::tokens);
}

/// What the last segment was is kept in the configuration, behind interior mutability.
#[derive(Clone, Default)]
struct ScoreInTheConfiguration(Arc<AtomicU64>);
metric!(
    ScoreInTheConfiguration,
    [u64; 1],
    Scale::UNBOUNDED,
    |own, _, _| own.0.load(Relaxed) as f64,
    |own, stats, lengths| {
        own.0.store(lengths.hypothesis, Relaxed);
        stats.merge(&[1])
    }
);

#[test]
#[should_panic(expected = "a score depends on what was observed elsewhere")]
fn a_score_kept_in_the_configuration_is_caught() {
    laws::check(&ScoreInTheConfiguration::default());
}

#[test]
#[should_panic(expected = "a score depends on what was observed elsewhere")]
fn a_score_kept_in_the_configuration_is_caught_at_the_run_time_door() {
    laws::check_any(&OverTokens::new(ScoreInTheConfiguration::default()));
}

#[derive(Clone)]
struct FirstReferenceCounts;
metric!(
    FirstReferenceCounts,
    [u64; 1],
    Scale::UNBOUNDED,
    |_, stats, _| stats[0] as f64,
    |_, stats, lengths| stats.merge(&[lengths.references.first().copied().unwrap_or(0)])
);

#[test]
#[should_panic(expected = "reference order")]
fn an_order_of_references_that_matters_is_caught() {
    laws::check(&FirstReferenceCounts);
}

#[test]
#[should_panic(expected = "reference order")]
fn an_order_of_references_that_matters_is_caught_at_the_run_time_door() {
    laws::check_any(&OverTokens::new(FirstReferenceCounts));
}

#[derive(Clone)]
struct PercentOfAMillion;
metric!(PercentOfAMillion, [u64; 1], Scale::PERCENT, |_, _, _| 1e6, |_, stats, _| stats.merge(&[1]));

#[test]
#[should_panic(expected = "is not on the scale")]
fn a_percentage_of_a_million_is_caught() {
    laws::check(&PercentOfAMillion);
}

#[test]
#[should_panic(expected = "is not on the scale")]
fn a_percentage_of_a_million_is_caught_at_the_run_time_door() {
    laws::check_any(&OverTokens::new(PercentOfAMillion));
}

#[derive(Clone)]
struct NotANumber;
metric!(NotANumber, [u64; 1], Scale::UNBOUNDED, |_, _, _| f64::INFINITY, |_, stats, _| stats.merge(&[1]));

#[test]
#[should_panic(expected = "is not on the scale")]
fn an_infinite_score_is_caught() {
    laws::check(&NotANumber);
}

#[derive(Clone)]
struct CountsBeforeItFails;
metric!(
    CountsBeforeItFails,
    [u64; 1],
    Scale::UNBOUNDED,
    |_, stats, _| stats[0] as f64,
    |_, stats, lengths| {
        stats.merge(&[1])?;
        lengths.missing.map_or(Ok(()), Err)
    }
);

#[test]
#[should_panic(expected = "after an error the state is unchanged")]
fn an_error_that_changes_the_state_is_caught() {
    laws::check(&CountsBeforeItFails);
}

/// A part of it is not stored.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct HalfStored {
    stored: u64,
    #[serde(skip)]
    lost: u64,
}

impl Linear for HalfStored {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        visit(&"stored", &mut self.stored);
        visit(&"lost", &mut self.lost);
    }
}

#[derive(Clone)]
struct StoresHalf;
metric!(StoresHalf, HalfStored, Scale::UNBOUNDED, |_, stats, _| stats.lost as f64, |_, stats, lengths| stats
    .merge(&HalfStored { stored: 1, lost: lengths.hypothesis }));

#[test]
#[should_panic(expected = "storing")]
fn what_is_not_stored_is_caught() {
    laws::check(&StoresHalf);
}

/// A set of which merging takes the larger one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct LargerSet(BTreeSet<u64>);

impl Stats for LargerSet {
    fn merge(&mut self, other: &Self) -> Result<(), InputError> {
        if other.0.len() > self.0.len() {
            self.0.clone_from(&other.0);
        }
        Ok(())
    }
}

#[derive(Clone)]
struct MergeLosesElements;
metric!(
    MergeLosesElements,
    LargerSet,
    Scale::UNBOUNDED,
    |_, stats, _| stats.0.len() as f64,
    |_, stats, lengths| {
        stats.0.insert(lengths.hypothesis);
        Ok(())
    }
);

#[test]
#[should_panic(expected = "homomorphism")]
fn a_set_that_loses_elements_is_caught() {
    laws::check_any(&OverTokens::not_linear(MergeLosesElements));
}

#[test]
#[should_panic(expected = "homomorphism")]
fn a_set_that_loses_elements_is_caught_where_it_is_typed() {
    laws::check_sequences::<[u8], Vec<u8>, _>(&MergeLosesElements, laws::tokens, laws::Equality::Exact);
}

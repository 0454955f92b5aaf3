//! [`PanelStats`]: statistics of several metrics that are computed together in a panel.

use std::fmt;

use bleuprint_core::{InputError, Restore, Result, SegmentCounts, Stats};
use bleuprint_inference::require_equal;
use bleuprint_registry::AnyStats;
use serde::Serialize;
use serde::de::{self, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use smallvec::SmallVec;

/// Mergeable statistics of several metrics that are computed together in a panel, in the order of the
/// metrics.
#[derive(Debug, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: the statistics, and nothing else")]
pub struct PanelStats {
    /// Statistics of each metric, in the order of the metrics.
    pub members: SmallVec<[AnyStats; 1]>,
}

impl Clone for PanelStats {
    fn clone(&self) -> Self {
        PanelStats { members: self.members.clone() }
    }

    /// Copies the statistics of `other` into `self`, without allocating memory if both belong to the same
    /// panel of metrics.
    fn clone_from(&mut self, other: &Self) {
        self.members.clone_from(&other.members);
    }
}

/// Wraps the statistics of a single metric as statistics of a panel with one metric.
impl From<AnyStats> for PanelStats {
    fn from(stats: AnyStats) -> Self {
        PanelStats { members: SmallVec::from_iter([stats]) }
    }
}

impl PanelStats {
    /// Returns the statistics of the first metric that are not a row of counts, if any. Operations on rows
    /// then return the error of these statistics.
    fn no_row(&self) -> Option<&AnyStats> {
        self.members.iter().find(|own| !own.is_row())
    }

    fn require_like(&self, other: &Self) -> Result<()> {
        require_equal("the statistics", self.members.len(), "the others", other.members.len())
    }
}

impl Serialize for PanelStats {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.members)
    }
}

impl Restore for PanelStats {
    fn restore<'de, D: Deserializer<'de>>(&self, deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ReadMembers(&self.members))
    }
}

/// Deserializer of the statistics of several metrics. The contained zero statistics of each metric define the
/// types to read.
struct ReadMembers<'z>(&'z [AnyStats]);

impl<'de> Visitor<'de> for ReadMembers<'_> {
    type Value = PanelStats;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the statistics of {} metrics", self.0.len())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<PanelStats, A::Error> {
        let mut members = SmallVec::new();
        for zero in self.0 {
            let missing = || de::Error::invalid_length(members.len(), &self);
            members.push(seq.next_element_seed(ReadMember(zero))?.ok_or_else(missing)?);
        }
        // If elements follow, the deserializer returns the error.
        Ok(PanelStats { members })
    }
}

struct ReadMember<'z>(&'z AnyStats);

impl<'de> DeserializeSeed<'de> for ReadMember<'_> {
    type Value = AnyStats;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<AnyStats, D::Error> {
        self.0.restore(deserializer)
    }
}

/// Merges the statistics of all metrics, or of none if one merge would fail.
impl Stats for PanelStats {
    fn merge(&mut self, other: &Self) -> Result<()> {
        if let ([own], [other]) = (&mut self.members[..], &other.members[..]) {
            return own.merge(other);
        }
        // The check comes first: an error in the middle of the merge would leave some members merged.
        self.check_merge(other)?;
        self.members.iter_mut().zip(&other.members).try_for_each(|(own, other)| own.merge(other))
    }
    fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        self.require_like(other)?;
        // There is no check for repeated merges, so the work is done on a copy.
        let mut merged = self.clone();
        let members = merged.members.iter_mut().zip(&other.members);
        members.into_iter().try_for_each(|(own, other)| own.merge_times(other, times))?;
        *self = merged;
        Ok(())
    }
    fn check_merge(&self, other: &Self) -> Result<()> {
        self.require_like(other)?;
        self.members.iter().zip(&other.members).try_for_each(|(own, other)| own.check_merge(other))
    }
    fn check(&self, counts: &SegmentCounts) -> Result<()> {
        self.members.iter().try_for_each(|own| own.check(counts))
    }
    fn missing(&self, counts: &SegmentCounts) -> u64 {
        // A segment is left out if any metric has no value for it, so the largest number counts.
        self.members.iter().map(|own| own.missing(counts)).max().unwrap_or(0)
    }
    fn needs_block(&self) -> bool {
        true
    }
    fn is_row(&self) -> bool {
        self.members.iter().all(Stats::is_row)
    }
    fn column_names(&self) -> Vec<String> {
        if let [own] = &self.members[..] {
            return own.column_names();
        }
        if !self.is_row() {
            return Vec::new();
        }
        // Two metrics may use the same column name, so names begin with the index of the metric.
        let names = self.members.iter().enumerate().flat_map(|(index, own)| {
            own.column_names().into_iter().map(move |name| format!("{index}.{name}"))
        });
        names.collect()
    }
    fn write_row(&self, row: &mut Vec<u64>) -> Result<()> {
        if let Some(own) = self.no_row() {
            return own.write_row(row);
        }
        self.members.iter().try_for_each(|own| own.write_row(row))
    }
    fn read_row(&mut self, row: &[u64]) -> Result<()> {
        if let Some(own) = self.no_row() {
            return own.clone().read_row(row);
        }
        let lengths: Vec<usize> = self.members.iter().map(|own| own.column_names().len()).collect();
        let expected = lengths.iter().sum();
        if row.len() != expected {
            return Err(InputError::row_length(expected, row.len()));
        }
        let mut rest = row;
        for (own, length) in self.members.iter_mut().zip(lengths) {
            let (of_member, others) = rest.split_at(length);
            own.read_row(of_member)?;
            rest = others;
        }
        Ok(())
    }
    fn retract(&mut self, other: &Self) -> Result<()> {
        if let Some(own) = self.no_row() {
            return own.clone().retract(own);
        }
        self.require_like(other)?;
        let mut less = self.clone();
        less.members.iter_mut().zip(&other.members).try_for_each(|(own, other)| own.retract(other))?;
        *self = less;
        Ok(())
    }
}

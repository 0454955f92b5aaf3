//! [`Tagged`]: statistics that cross a boundary (a file, a network, another program) with their identity.

use serde::{Deserialize, Serialize, de};

use crate::{InputError, InputErrorKind, Linear, Metric, Observed, References, StateKey, Stats};

/// The version of the envelope that this crate writes and reads.
pub const TAGGED_VERSION: u32 = 1;

/// Statistics with the version of the envelope, the state key, and the number of segments and references.
///
/// Serialized with serde as `{"version": 1, "key": "bleu/1|..", "references": {..}, "stats": {..}}`. Reading is
/// strict: an unknown version, an unknown or missing field, or a malformed key is an error. Unlike states never
/// merge, and [`Tagged::open`] gives the statistics only to a metric whose key they carry and whose
/// [`check`](Metric::check) they pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tagged<S> {
    #[serde(deserialize_with = "known_version")]
    version: u32,
    key: StateKey,
    references: References,
    stats: S,
}

fn known_version<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        TAGGED_VERSION => Ok(TAGGED_VERSION),
        other => Err(de::Error::custom(alloc::format!(
            "state version {other} is not supported; this program reads version {TAGGED_VERSION}"
        ))),
    }
}

impl<S: Stats> Tagged<S> {
    /// Labels what `metric` observed.
    pub fn new<M: Metric<Stats = S>>(metric: &M, observed: Observed<S>) -> Self {
        Tagged {
            version: TAGGED_VERSION,
            key: metric.state_key(),
            references: observed.references,
            stats: observed.stats,
        }
    }

    /// The identity of the state.
    pub fn key(&self) -> &StateKey {
        &self.key
    }

    /// How many segments and references it came from.
    pub fn references(&self) -> &References {
        &self.references
    }

    /// Merges a state of the same key.
    ///
    /// # Errors
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates) when the keys differ,
    /// [`CountRange`](InputErrorKind::CountRange) when a sum does not fit 64 bits,
    /// [`MalformedState`](InputErrorKind::MalformedState) when the shapes differ. `self` is then unchanged.
    pub fn merge(&mut self, other: &Self) -> Result<(), InputError>
    where
        S: Linear,
    {
        require_same_key(&self.key, &other.key)?;
        let mut references = self.references;
        references.checked_merge(&other.references)?;
        self.stats.checked_merge(&other.stats)?;
        self.references = references;
        Ok(())
    }

    /// Hands the statistics to the metric they belong to.
    ///
    /// # Errors
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates) when the metric has another key;
    /// [`MalformedState`](InputErrorKind::MalformedState) when no segments can have given these counts.
    pub fn open<M: Metric<Stats = S>>(self, metric: &M) -> Result<Observed<S>, InputError> {
        require_same_key(&metric.state_key(), &self.key)?;
        self.references.check()?;
        metric.check(&self.stats)?;
        Ok(Observed { references: self.references, stats: self.stats })
    }
}

/// The error of merging states whose keys differ, naming both.
pub(crate) fn require_same_key(left: &StateKey, right: &StateKey) -> Result<(), InputError> {
    use alloc::string::ToString;
    if left == right {
        return Ok(());
    }
    Err(InputErrorKind::UnlikeStates { left: left.to_string(), right: right.to_string() }.into())
}

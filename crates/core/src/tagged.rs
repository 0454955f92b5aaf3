//! [`Tagged`]: a metric's counts (state) from a file or another program, not checked yet; and their
//! deserializers.

use core::fmt;

use serde::de::{DeserializeOwned, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::prelude::*;
use crate::{Metric, Result, SegmentCounts, State, StateKey, Stats};

/// Version of the JSON layout of stored states (a metric's counts) that this crate writes and reads.
const TAGGED_VERSION: u32 = 2;

impl<S: Stats + Serialize> Serialize for State<S> {
    fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let key = self.key();
        let counts = self.counts();
        let stats = self.stats();
        Envelope { version: TAGGED_VERSION, key, counts, stats }.serialize(serializer)
    }
}

impl<S: Serialize> Serialize for Tagged<S> {
    fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let Tagged { key, counts, stats } = self;
        Envelope { version: TAGGED_VERSION, key, counts, stats }.serialize(serializer)
    }
}

#[derive(Serialize)]
#[serde(rename = "Tagged")]
struct Envelope<'a, S> {
    version: u32,
    key: &'a StateKey,
    counts: &'a SegmentCounts,
    stats: &'a S,
}

/// A metric's counts (state) as read from a file or another program, unchecked until [`Tagged::open`].
///
/// Reading is strict. An unknown version, an unknown or missing field, or a malformed key is an error.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: the envelope of a state")]
pub struct Tagged<S> {
    /// Name and settings of the metric that made the state.
    pub key: StateKey,
    /// Numbers of observed segments and of their references.
    pub counts: SegmentCounts,
    /// Statistics that the metric collected, such as match counts.
    pub stats: S,
}

impl<S: Stats> Tagged<S> {
    /// Checks that the stored counts belong to `metric` and are possible, and returns them as a state.
    ///
    /// # Errors
    /// Returns [`UnlikeStates`](crate::InputErrorKind::UnlikeStates) if the metric has another key, and
    /// [`MalformedState`](crate::InputErrorKind::MalformedState) if no segments can have given these counts.
    pub fn open<M: Metric<Stats = S> + ?Sized>(self, metric: &M) -> Result<State<S>> {
        // Equal keys are the common case. Unequal keys may still be an older layout that this metric reads.
        let own = metric.state_key();
        if *own != self.key {
            metric.identity().require_own(&self.key)?;
        }
        self.counts.check()?;
        metric.check(&self.stats, &self.counts)?;
        Ok(State::new(own, self.counts, self.stats))
    }
}

impl<S: Stats> From<State<S>> for Tagged<S> {
    fn from(state: State<S>) -> Self {
        let State { key, counts, stats } = state;
        Tagged { key: Arc::unwrap_or_clone(key), counts, stats }
    }
}

/// Statistics that are deserialized with the help of an empty example, the metric's zero, which knows the
/// types behind pointers. Every deserializable type implements the trait.
pub trait Restore: Stats {
    /// Deserializes statistics with the shape of `self`, which must be the metric's zero.
    ///
    /// # Errors
    /// Returns the deserializer's error.
    fn restore<'de, D: Deserializer<'de>>(&self, deserializer: D) -> Result<Self, D::Error>;
}

impl<S: Stats + DeserializeOwned> Restore for S {
    fn restore<'de, D: Deserializer<'de>>(&self, deserializer: D) -> Result<Self, D::Error> {
        S::deserialize(deserializer)
    }
}

impl<'de, S: Stats + DeserializeOwned> Deserialize<'de> for Tagged<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ReadEnvelope(&S::default()).deserialize(deserializer)
    }
}

pub(crate) struct ReadEnvelope<'z, S>(pub(crate) &'z S);

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum TaggedField {
    Version,
    Key,
    Counts,
    Stats,
}

impl<'de, S: Restore> DeserializeSeed<'de> for ReadEnvelope<'_, S> {
    type Value = Tagged<S>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tagged<S>, D::Error> {
        deserializer.deserialize_struct("Tagged", &["version", "key", "counts", "stats"], self)
    }
}

impl<'de, S: Restore> Visitor<'de> for ReadEnvelope<'_, S> {
    type Value = Tagged<S>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a state")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tagged<S>, A::Error> {
        let missing = |index| move || de::Error::invalid_length(index, &"a state of 4 elements");
        // The version is checked before anything else is read: another version may have other fields.
        known_version(seq.next_element()?.ok_or_else(missing(0))?)?;
        let key = seq.next_element()?.ok_or_else(missing(1))?;
        let counts = seq.next_element()?.ok_or_else(missing(2))?;
        let stats = seq.next_element_seed(ReadStats(self.0))?.ok_or_else(missing(3))?;
        Ok(Tagged { key, counts, stats })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tagged<S>, A::Error> {
        let mut version = None;
        let mut key = None;
        let mut counts = None;
        let mut stats = None;
        while let Some(field) = map.next_key()? {
            let twice = match field {
                TaggedField::Version => {
                    version.replace(known_version(map.next_value()?)?).map(|()| "version")
                }
                TaggedField::Key => key.replace(map.next_value()?).map(|_| "key"),
                TaggedField::Counts => counts.replace(map.next_value()?).map(|_| "counts"),
                TaggedField::Stats => stats.replace(map.next_value_seed(ReadStats(self.0))?).map(|_| "stats"),
            };
            twice.map_or(Ok(()), |field| Err(de::Error::duplicate_field(field)))?;
        }
        let missing = |field| move || de::Error::missing_field(field);
        version.ok_or_else(missing("version"))?;
        Ok(Tagged {
            key: key.ok_or_else(missing("key"))?,
            counts: counts.ok_or_else(missing("counts"))?,
            stats: stats.ok_or_else(missing("stats"))?,
        })
    }
}

/// A serde seed that deserializes states of the metric it holds; [`State::seed`] creates it.
#[derive(Debug)]
pub(crate) struct StateSeed<'m, M: ?Sized>(pub(crate) &'m M);

impl<'de, M: Metric<Stats: Restore> + ?Sized> DeserializeSeed<'de> for StateSeed<'_, M> {
    type Value = State<M::Stats>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let read = ReadEnvelope(&self.0.zero()).deserialize(deserializer)?;
        read.open(self.0).map_err(de::Error::custom)
    }
}

struct ReadStats<'z, S>(&'z S);

impl<'de, S: Restore> DeserializeSeed<'de> for ReadStats<'_, S> {
    type Value = S;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S, D::Error> {
        self.0.restore(deserializer)
    }
}

fn known_version<E: de::Error>(version: u32) -> Result<(), E> {
    if version == TAGGED_VERSION {
        return Ok(());
    }
    Err(E::custom(format!(
        "state version {version} is not supported; this program reads version {TAGGED_VERSION}"
    )))
}

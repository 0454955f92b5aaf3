//! [`Tagged`]: a metric's counts (state) from a file or another program, not checked yet; and their
//! deserializers.

use core::cell::RefCell;
use core::fmt;

use serde::de::{DeserializeOwned, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::block_reader::BlockReader;
use crate::block_writer::{BlockError, BlockWriter};
use crate::prelude::*;
use crate::{InputError, Metric, Result, SegmentCounts, State, StateKey, Stats};

/// Version of the layout of stored states (a metric's counts) whose statistics are a value of the format.
pub(crate) const TAGGED_VERSION: u32 = 2;

/// Version of the layout of stored states that are one block of bytes.
pub(crate) const BLOCK_VERSION: u32 = 3;

pub(crate) const TAGGED_FIELDS: &[&str] = &["version", "key", "counts", "stats"];

impl<S: Stats + Serialize> Serialize for State<S> {
    fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        Envelope { version: TAGGED_VERSION, key: self.key(), counts: self.counts(), stats: self.stats() }
            .write(serializer)
    }
}

impl<S: Stats + Serialize> Serialize for Tagged<S> {
    fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let Tagged { key, counts, stats } = self;
        Envelope { version: TAGGED_VERSION, key, counts, stats }.write(serializer)
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

impl<S: Stats + Serialize> Envelope<'_, S> {
    fn write<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        // A reader that knows the types of the statistics needs no description of them. Others get a block
        // that describes itself, whatever the format.
        if serializer.is_human_readable() || !self.stats.needs_block() {
            return self.serialize(serializer);
        }
        let block = block_of(self.key, self.counts, self.stats);
        BlockEnvelope::new(&block.map_err(serde::ser::Error::custom)?).serialize(serializer)
    }
}

/// Returns the bytes of a state, which begin with its key.
pub(crate) fn block_of<S: Serialize>(
    key: &StateKey,
    counts: &SegmentCounts,
    stats: &S,
) -> Result<Vec<u8>, BlockError> {
    let mut writer = BlockWriter::default();
    key.serialize(&mut writer)?;
    counts.serialize(&mut writer)?;
    stats.serialize(&mut writer)?;
    Ok(writer.bytes)
}

#[derive(Serialize)]
#[serde(rename = "Tagged")]
pub(crate) struct BlockEnvelope<'b> {
    version: u32,
    block: BlockBytes<'b>,
}

impl<'b> BlockEnvelope<'b> {
    pub(crate) fn new(block: &'b [u8]) -> Self {
        BlockEnvelope { version: BLOCK_VERSION, block: BlockBytes(Cow::Borrowed(block)) }
    }
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
        require_own(metric, &self.key)?;
        self.counts.check()?;
        metric.check(&self.stats, &self.counts)?;
        Ok(State::new(metric.state_key(), self.counts, self.stats))
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
        ReadEnvelope::new(&S::default()).deserialize(deserializer)
    }
}

/// Check of a state's key.
type KeyCheck<'z> = dyn Fn(&StateKey) -> Result<()> + 'z;

/// Serde seed that reads a state whose statistics have the shape of `zero`.
pub(crate) struct ReadEnvelope<'z, S> {
    zero: &'z S,
    /// Check of the key, which is done before the statistics are read: statistics of another metric would
    /// give an error about a field.
    require: Option<&'z KeyCheck<'z>>,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
pub(crate) enum TaggedField {
    Version,
    Key,
    Counts,
    Stats,
    Block,
}

impl<'z, S: Restore> ReadEnvelope<'z, S> {
    pub(crate) fn new(zero: &'z S) -> Self {
        ReadEnvelope { zero, require: None }
    }

    fn check<E: de::Error>(&self, key: StateKey) -> Result<StateKey, E> {
        self.require.map_or(Ok(()), |require| require(&key)).map_err(E::custom)?;
        Ok(key)
    }

    /// Reads the state from the bytes of a block.
    pub(crate) fn read_block(&self, block: &[u8]) -> Result<Tagged<S>, BlockError> {
        let mut reader = BlockReader::new(block);
        let key = self.check(StateKey::deserialize(&mut reader)?)?;
        let counts = SegmentCounts::deserialize(&mut reader)?;
        let stats = self.zero.restore(&mut reader)?;
        reader.end()?;
        Ok(Tagged { key, counts, stats })
    }
}

impl<'de, S: Restore> DeserializeSeed<'de> for ReadEnvelope<'_, S> {
    type Value = Tagged<S>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tagged<S>, D::Error> {
        deserializer.deserialize_struct("Tagged", TAGGED_FIELDS, self)
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
        if known_version(seq.next_element()?.ok_or_else(missing(0))?)? == BLOCK_VERSION {
            let block: BlockBytes<'_> = seq.next_element()?.ok_or_else(missing(1))?;
            return self.read_block(&block.0).map_err(de::Error::custom);
        }
        let key = self.check(seq.next_element()?.ok_or_else(missing(1))?)?;
        let counts = seq.next_element()?.ok_or_else(missing(2))?;
        let stats = seq.next_element_seed(ReadStats(self.zero))?.ok_or_else(missing(3))?;
        Ok(Tagged { key, counts, stats })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tagged<S>, A::Error> {
        let mut version = None;
        let mut key = None;
        let mut counts = None;
        let mut stats = None;
        let mut block: Option<BlockBytes<'_>> = None;
        while let Some(field) = map.next_key()? {
            let twice = match field {
                TaggedField::Version => version.replace(known_version(map.next_value()?)?).map(|_| "version"),
                TaggedField::Key => key.replace(self.check(map.next_value()?)?).map(|_| "key"),
                TaggedField::Counts => counts.replace(map.next_value()?).map(|_| "counts"),
                TaggedField::Stats => {
                    stats.replace(map.next_value_seed(ReadStats(self.zero))?).map(|_| "stats")
                }
                TaggedField::Block => block.replace(map.next_value()?).map(|_| "block"),
            };
            twice.map_or(Ok(()), |field| Err(de::Error::duplicate_field(field)))?;
        }
        let missing = |field| move || de::Error::missing_field(field);
        if version.ok_or_else(missing("version"))? == BLOCK_VERSION {
            let block = block.ok_or_else(missing("block"))?;
            return self.read_block(&block.0).map_err(de::Error::custom);
        }
        Ok(Tagged {
            key: key.ok_or_else(missing("key"))?,
            counts: counts.ok_or_else(missing("counts"))?,
            stats: stats.ok_or_else(missing("stats"))?,
        })
    }
}

/// Bytes of a block, which formats write with their length.
pub(crate) struct BlockBytes<'b>(pub(crate) Cow<'b, [u8]>);

impl Serialize for BlockBytes<'_> {
    fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for BlockBytes<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(ReadBytes)
    }
}

struct ReadBytes;

impl<'de> Visitor<'de> for ReadBytes {
    type Value = BlockBytes<'static>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of a state")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(BlockBytes(Cow::Owned(bytes.to_vec())))
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Self::Value, E> {
        Ok(BlockBytes(Cow::Owned(bytes)))
    }

    // Formats without bytes write them as a list of numbers.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = seq.next_element()? {
            bytes.push(byte);
        }
        Ok(BlockBytes(Cow::Owned(bytes)))
    }
}

/// Reads a state of `metric`, and keeps the error of a key that belongs to another metric: deserializers
/// return errors as text.
pub(crate) fn read_state<'de, M, D>(
    metric: &M,
    deserializer: D,
) -> Result<State<M::Stats>, ReadFailure<D::Error>>
where
    M: Metric<Stats: Restore> + ?Sized,
    D: Deserializer<'de>,
{
    let unlike = RefCell::new(None);
    let require = |key: &StateKey| {
        require_own(metric, key).inspect_err(|error| *unlike.borrow_mut() = Some(error.clone()))
    };
    let zero = metric.zero();
    let read = ReadEnvelope { zero: &zero, require: Some(&require) }.deserialize(deserializer);
    match read {
        Ok(read) => read.open(metric).map_err(ReadFailure::State),
        Err(error) => Err(match unlike.take() {
            Some(unlike) => ReadFailure::State(unlike),
            None => ReadFailure::Format(error),
        }),
    }
}

/// Reason why a state was not read: the data of the format, or the state itself.
pub(crate) enum ReadFailure<E> {
    Format(E),
    State(InputError),
}

/// Checks that a stored state with this key belongs to the metric.
pub(crate) fn require_own<M: Metric + ?Sized>(metric: &M, stored: &StateKey) -> Result<()> {
    // Equal keys are the common case. Unequal keys may still be an older layout that this metric reads.
    if *metric.state_key() == *stored { Ok(()) } else { metric.identity().require_own(stored).map(drop) }
}

/// A serde seed that deserializes states of the metric it holds; [`State::seed`] creates it.
#[derive(Debug)]
pub(crate) struct StateSeed<'m, M: ?Sized>(pub(crate) &'m M);

impl<'de, M: Metric<Stats: Restore> + ?Sized> DeserializeSeed<'de> for StateSeed<'_, M> {
    type Value = State<M::Stats>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        read_state(self.0, deserializer).map_err(|failure| match failure {
            ReadFailure::Format(error) => error,
            ReadFailure::State(error) => de::Error::custom(error),
        })
    }
}

struct ReadStats<'z, S>(&'z S);

impl<'de, S: Restore> DeserializeSeed<'de> for ReadStats<'_, S> {
    type Value = S;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S, D::Error> {
        self.0.restore(deserializer)
    }
}

pub(crate) fn known_version<E: de::Error>(version: u32) -> Result<u32, E> {
    if version == TAGGED_VERSION || version == BLOCK_VERSION {
        return Ok(version);
    }
    Err(E::custom(format!(
        "state version {version} is not supported; this program reads the versions {TAGGED_VERSION} and {BLOCK_VERSION}"
    )))
}

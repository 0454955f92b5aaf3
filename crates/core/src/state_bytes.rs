//! [`StateBytes`]: a state whose metric is not known yet, as a block of bytes that keeps its key.

use core::fmt;

use serde::de::{self, DeserializeSeed as _, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeStruct as _, Serializer};
use serde::{Deserialize, Serialize};

use crate::block_capture::Capture;
use crate::block_reader::{BlockReader, BlockValue};
use crate::block_writer::{BlockError, BlockWriter};
use crate::prelude::*;
use crate::tagged::{
    BLOCK_VERSION, BlockBytes, BlockEnvelope, ReadEnvelope, TAGGED_FIELDS, TAGGED_VERSION, TaggedField,
    block_of, known_version,
};
use crate::{InputError, Metric, Restore, Result, SegmentCounts, State, StateKey, Stats};

/// A state of any metric as bytes, for structs that derive serde and contain states of metrics chosen at run
/// time.
///
/// It keeps the key of the state. [`StateBytes::open`] makes the state again, for a metric chosen by name or
/// by type; `Registry::open` of `bleuprint-registry` also finds the metric. Every format of serde writes and
/// reads it, and a state that was written alone can be read as `StateBytes`.
///
/// | format | the layout |
/// |---|---|
/// | text, such as JSON | the layout of [`State`] |
/// | others, such as postcard or CBOR | the version 3, and a block of bytes: key, counts, statistics |
///
/// ```
/// use bleuprint_core::*;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Checkpoint { step: u64, tokens: StateBytes }
///
/// let tokens = PerSegment::new(Identity::new("tokens", 1, Scale::UNBOUNDED), |_: Segment<'_, str>| Ok(1.0));
/// let mut all = Accumulator::<_, str>::new(&tokens);
/// all.push("a", &[]).unwrap();
/// let saved = Checkpoint { step: 7, tokens: StateBytes::new(all.total()).unwrap() };
/// let read: Checkpoint = serde_json::from_str(&serde_json::to_string(&saved).unwrap()).unwrap();
/// assert_eq!((read.step, &read.tokens.open(&tokens).unwrap()), (7, all.total()));
///
/// let other = PerSegment::new(Identity::new("words", 1, Scale::UNBOUNDED), |_: Segment<'_, str>| Ok(1.0));
/// let error = read.tokens.open(&other).unwrap_err().to_string();
/// assert!(error.contains("the state is of `tokens`, but `words` is asked for"), "{error}");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct StateBytes {
    key: StateKey,
    block: Vec<u8>,
}

impl fmt::Debug for StateBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateBytes({}, {} bytes)", self.key, self.block.len())
    }
}

impl StateBytes {
    /// Converts a state to bytes.
    ///
    /// # Errors
    /// Returns [`MalformedState`](crate::InputErrorKind::MalformedState) if the statistics cannot be stored,
    /// for example because a number is not finite.
    pub fn new<S: Stats + Serialize>(state: &State<S>) -> Result<Self> {
        let parts = (state.key(), state.counts(), state.stats());
        StateBytes::from_parts(parts.0, parts.1, parts.2).map_err(malformed)
    }

    fn from_parts<S: Serialize>(
        key: &StateKey,
        counts: &SegmentCounts,
        stats: &S,
    ) -> Result<Self, BlockError> {
        Ok(StateBytes { key: key.clone(), block: block_of(key, counts, stats)? })
    }

    /// Reads the bytes that [`StateBytes::as_bytes`] returned.
    ///
    /// # Errors
    /// Returns [`MalformedState`](crate::InputErrorKind::MalformedState) if the bytes do not begin with a key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let key = StateKey::deserialize(&mut BlockReader::new(bytes)).map_err(malformed)?;
        Ok(StateBytes { key, block: bytes.to_vec() })
    }

    /// Returns the bytes of the state, which begin with its key.
    pub fn as_bytes(&self) -> &[u8] {
        &self.block
    }

    /// Returns the key of the state: name and settings of the metric that made it.
    pub fn key(&self) -> &StateKey {
        &self.key
    }

    /// Returns the state, after checking that it belongs to `metric`.
    ///
    /// # Errors
    /// Returns [`UnlikeStates`](crate::InputErrorKind::UnlikeStates) if the state is of another metric or has
    /// other settings, and [`MalformedState`](crate::InputErrorKind::MalformedState) if the bytes are damaged
    /// or no segments can have given these counts.
    pub fn open<M: Metric<Stats: Restore> + ?Sized>(&self, metric: &M) -> Result<State<M::Stats>> {
        metric.identity().require_own(&self.key)?;
        ReadEnvelope::new(&metric.zero()).read_block(&self.block).map_err(malformed)?.open(metric)
    }
}

fn malformed(error: BlockError) -> InputError {
    InputError::malformed_state(error.to_string())
}

impl Serialize for StateBytes {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        if !serializer.is_human_readable() {
            return BlockEnvelope::new(&self.block).serialize(serializer);
        }
        let mut reader = BlockReader::new(&self.block);
        let parts = StateKey::deserialize(&mut reader)
            .and_then(|key| Ok((key, SegmentCounts::deserialize(&mut reader)?)));
        let (key, counts) = parts.map_err(serde::ser::Error::custom)?;
        let mut written = serializer.serialize_struct("Tagged", 4)?;
        written.serialize_field("version", &TAGGED_VERSION)?;
        written.serialize_field("key", &key)?;
        written.serialize_field("counts", &counts)?;
        written.serialize_field("stats", &BlockValue(reader.rest()))?;
        written.end()
    }
}

impl<'de> Deserialize<'de> for StateBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Tagged", TAGGED_FIELDS, CaptureState)
    }
}

/// Visitor that reads a state of any metric.
struct CaptureState;

/// A value that is read into the bytes of a block.
struct CapturedValue(Vec<u8>);

impl<'de> Deserialize<'de> for CapturedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut writer = BlockWriter::default();
        Capture(&mut writer).deserialize(deserializer)?;
        Ok(CapturedValue(writer.bytes))
    }
}

fn captured(key: StateKey, counts: SegmentCounts, CapturedValue(stats): CapturedValue) -> Result<StateBytes> {
    let bytes = StateBytes::from_parts(&key, &counts, &()).map_err(malformed)?;
    // The block of an empty value ends with its tag, in whose place the captured value is put.
    let mut block = bytes.block;
    block.pop();
    block.extend_from_slice(&stats);
    Ok(StateBytes { key, block })
}

impl<'de> Visitor<'de> for CaptureState {
    type Value = StateBytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a state")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<StateBytes, A::Error> {
        let missing = |index| move || de::Error::invalid_length(index, &"a state");
        if known_version(seq.next_element()?.ok_or_else(missing(0))?)? == BLOCK_VERSION {
            let block: BlockBytes<'_> = seq.next_element()?.ok_or_else(missing(1))?;
            return StateBytes::from_bytes(&block.0).map_err(de::Error::custom);
        }
        let key: StateKey = seq.next_element()?.ok_or_else(missing(1))?;
        let counts = seq.next_element()?.ok_or_else(missing(2))?;
        // Formats that do not describe themselves have no way to read a value of an unknown type.
        let stats = seq.next_element().map_err(|error| {
            de::Error::custom(format!(
                "the state of `{key}` was written with its type, so read it with its type, as `Tagged`: {error}"
            ))
        })?;
        captured(key, counts, stats.ok_or_else(missing(3))?).map_err(de::Error::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<StateBytes, A::Error> {
        let mut version = None;
        let mut key = None;
        let mut counts = None;
        let mut stats = None;
        let mut block: Option<BlockBytes<'_>> = None;
        while let Some(field) = map.next_key()? {
            let twice = match field {
                TaggedField::Version => version.replace(known_version(map.next_value()?)?).map(|_| "version"),
                TaggedField::Key => key.replace(map.next_value()?).map(|_| "key"),
                TaggedField::Counts => counts.replace(map.next_value()?).map(|_| "counts"),
                TaggedField::Stats => stats.replace(map.next_value()?).map(|_| "stats"),
                TaggedField::Block => block.replace(map.next_value()?).map(|_| "block"),
            };
            twice.map_or(Ok(()), |field| Err(de::Error::duplicate_field(field)))?;
        }
        let missing = |field| move || de::Error::missing_field(field);
        if version.ok_or_else(missing("version"))? == BLOCK_VERSION {
            let block = block.ok_or_else(missing("block"))?;
            return StateBytes::from_bytes(&block.0).map_err(de::Error::custom);
        }
        let key = key.ok_or_else(missing("key"))?;
        let counts = counts.ok_or_else(missing("counts"))?;
        captured(key, counts, stats.ok_or_else(missing("stats"))?).map_err(de::Error::custom)
    }
}

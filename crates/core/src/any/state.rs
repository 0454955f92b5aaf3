//! [`AnyState`] and [`AnyScratch`]: a state and tables whose types are known only to the metric that made them.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::any::Any;
use core::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::state::TAGGED_VERSION;
use crate::{InputError, SegmentCounts, StateKey, Stats};

/// A state whose statistics only its metric can look into. It knows whose it is, and serializes as a
/// [`State`](crate::State) does; [`AnyMetric::restore`](crate::AnyMetric::restore) reads it back.
///
/// Handing it to another metric is an error, never a panic.
pub struct AnyState {
    pub(crate) key: Arc<StateKey>,
    pub(super) counts: SegmentCounts,
    pub(super) stats: Box<dyn ErasedStats>,
}

/// What statistics can do without their type.
pub(super) trait ErasedStats: Any + Send + Sync {
    fn clone_box(&self) -> Box<dyn ErasedStats>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn as_serialize(&self) -> &dyn erased_serde::Serialize;
}

impl<S: Stats + Serialize> ErasedStats for S {
    fn clone_box(&self) -> Box<dyn ErasedStats> {
        Box::new(self.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
    fn as_serialize(&self) -> &dyn erased_serde::Serialize {
        self
    }
}

impl AnyState {
    /// Whose state this is.
    pub fn key(&self) -> &StateKey {
        &self.key
    }

    /// How many segments and references were observed.
    pub fn counts(&self) -> &SegmentCounts {
        &self.counts
    }

    /// The statistics, if they are of this type.
    ///
    /// # Errors
    /// [`MalformedState`](crate::InputErrorKind::MalformedState) when they are not.
    pub fn stats<S: Stats>(&self) -> Result<&S, InputError> {
        (*self.stats).as_any().downcast_ref().ok_or_else(foreign)
    }

    pub(super) fn stats_mut<S: Stats>(&mut self) -> Result<&mut S, InputError> {
        (*self.stats).as_any_mut().downcast_mut().ok_or_else(foreign)
    }
}

pub(super) fn foreign() -> InputError {
    InputError::malformed_state("statistics or scratch of another metric")
}

impl Clone for AnyState {
    fn clone(&self) -> Self {
        AnyState { key: self.key.clone(), counts: self.counts, stats: (*self.stats).clone_box() }
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnyState { key, counts, .. } = self;
        f.debug_struct("AnyState").field("key", key).field("counts", counts).finish_non_exhaustive()
    }
}

impl Serialize for AnyState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tagged = serializer.serialize_struct("Tagged", 4)?;
        tagged.serialize_field("version", &TAGGED_VERSION)?;
        tagged.serialize_field("key", &*self.key)?;
        tagged.serialize_field("counts", &self.counts)?;
        tagged.serialize_field("stats", (*self.stats).as_serialize())?;
        tagged.end()
    }
}

/// Tables whose type is known only to the metric that made them.
pub struct AnyScratch {
    pub(crate) value: Box<dyn Any + Send>,
}

impl fmt::Debug for AnyScratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyScratch")
    }
}

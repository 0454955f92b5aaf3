//! [`AnyStats`] and [`AnyScratch`]: type-erased statistics and working buffers of metrics chosen at run time.

use core::any::Any;
use core::fmt;

use serde::de::Deserializer;
use serde::ser::{Error as _, Serialize, Serializer};

use bleuprint_core::{InputError, MappedUnions, Restore, Result, SegmentCounts, Stats, Unions};

use super::tree::{ReadError, TreeReader, ValueTree};
use crate::prelude::*;

/// Type-erased statistics (such as match counts) of a metric chosen at run time.
///
/// They merge without the metric. They are a row of counts if the inner statistics are; otherwise operations
/// on rows return an error. Statistics of another type also give an error, never a panic. Every
/// format of serde writes and reads their states.
///
/// `AnyStats::default()` belongs to no metric and merges only with itself.
#[derive(Default)]
pub struct AnyStats(Option<Box<dyn Held>>);

/// Traits that the statistics of a metric chosen at run time must implement: equality, `Debug` and
/// serialization.
pub trait Storable: Stats + PartialEq + fmt::Debug + Serialize + Restore {}
impl<S: Stats + PartialEq + fmt::Debug + Serialize + Restore> Storable for S {}

/// Declares the trait [`Held`], a type-erased form of [`Stats`], and implements it for statistics of any
/// type.
macro_rules! held {
    // One list declares each method and implements it: the methods of a trait object and of its only
    // implementation must agree.
    ($(fn $verb:ident $arguments:tt -> $Answer:ty $body:block)+) => {
        /// Type-erased form of the trait [`Stats`], whose methods can be called on a boxed value.
        trait Held: Any + Send + Sync {
            $(fn $verb $arguments -> $Answer;)+
        }

        impl<S: Storable> Held for S {
            $(fn $verb $arguments -> $Answer $body)+
        }
    };
}

held! {
    fn copy(&self) -> Box<dyn Held> { Box::new(self.clone()) }
    fn copy_from(&mut self, other: &dyn Held) -> bool {
        typed(other).map(|other| self.clone_from(other)).is_ok()
    }
    fn equals(&self, other: &dyn Held) -> bool { typed::<S>(other).is_ok_and(|other| self == other) }
    fn merge(&mut self, other: &dyn Held) -> Result<()> { Stats::merge(self, typed(other)?) }
    fn merge_times(&mut self, other: &dyn Held, times: u64) -> Result<()> {
        Stats::merge_times(self, typed(other)?, times)
    }
    fn check_merge(&self, other: &dyn Held) -> Result<()> { Stats::check_merge(self, typed(other)?) }
    fn check(&self, counts: &SegmentCounts) -> Result<()> { Stats::check(self, counts) }
    fn missing(&self, counts: &SegmentCounts) -> u64 { Stats::missing(self, counts) }
    fn is_row(&self) -> bool { Stats::is_row(self) }
    fn column_names(&self) -> Vec<String> { Stats::column_names(self) }
    fn write_row(&self, row: &mut Vec<u64>) -> Result<()> { Stats::write_row(self, row) }
    fn read_row(&mut self, row: &[u64]) -> Result<()> { Stats::read_row(self, row) }
    fn retract(&mut self, other: &dyn Held) -> Result<()> { Stats::retract(self, typed(other)?) }
    fn unions(&self, all: &[&AnyStats]) -> Result<Option<Box<dyn Unions<AnyStats>>>> {
        let typed = all.iter().map(|stats| stats.typed::<S>()).collect::<Result<Vec<_>>>()?;
        let unions = S::unions(&typed)?;
        Ok(unions.map(|unions| Box::new(MappedUnions::new(unions, AnyStats::from_stats::<S>)) as Box<dyn Unions<AnyStats>>))
    }
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { self.fmt(f) }
    fn as_serialize(&self) -> &dyn erased_serde::Serialize { self }
    fn read(&self, from: &mut TreeReader<'_, '_>) -> Result<AnyStats, ReadError> { self.restore(from).map(AnyStats::from_stats) }
}

// The same metric always has the same concrete type, so a failed downcast means statistics of another metric.
fn typed<S: Stats>(held: &dyn Held) -> Result<&S> {
    (held as &dyn Any).downcast_ref().ok_or_else(foreign)
}

fn foreign() -> InputError {
    InputError::malformed_state("statistics of another metric")
}

impl AnyStats {
    pub(crate) fn from_stats<S: Storable>(stats: S) -> Self {
        AnyStats(Some(Box::new(stats)))
    }

    /// Returns the inner statistics, downcast to the type `S`.
    ///
    /// # Errors
    /// Returns [`MalformedState`](bleuprint_core::InputErrorKind::MalformedState) if their type differs.
    #[inline]
    pub fn typed<S: Stats>(&self) -> Result<&S> {
        typed(self.held()?)
    }

    #[inline]
    pub(crate) fn typed_mut<S: Stats>(&mut self) -> Result<&mut S> {
        (self.held_mut()? as &mut dyn Any).downcast_mut().ok_or_else(foreign)
    }

    #[inline]
    fn held(&self) -> Result<&dyn Held> {
        self.0.as_deref().ok_or_else(foreign)
    }

    #[inline]
    fn held_mut(&mut self) -> Result<&mut dyn Held> {
        self.0.as_deref_mut().ok_or_else(foreign)
    }
}

impl Clone for AnyStats {
    fn clone(&self) -> Self {
        AnyStats(self.0.as_ref().map(|held| (**held).copy()))
    }

    /// Copies the statistics of `other` into the existing box if both have the same type, which saves an
    /// allocation.
    fn clone_from(&mut self, other: &Self) {
        let copied = match (&mut self.0, &other.0) {
            (Some(own), Some(other)) => own.copy_from(&**other),
            _ => false,
        };
        if !copied {
            *self = other.clone();
        }
    }
}

impl PartialEq for AnyStats {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(own), Some(other)) => own.equals(&**other),
            (own, other) => own.is_none() && other.is_none(),
        }
    }
}

impl fmt::Debug for AnyStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(held) => held.debug(f),
            None => f.write_str("AnyStats::default()"),
        }
    }
}

impl Stats for AnyStats {
    fn unions(all: &[&Self]) -> Result<Option<Box<dyn Unions<Self>>>> {
        match all.first().and_then(|first| first.0.as_ref()) {
            Some(held) => held.unions(all),
            None => Ok(None),
        }
    }
    fn merge(&mut self, other: &Self) -> Result<()> {
        // Two defaults merge, as `0 ⊕ 0 = 0` requires. A default and real statistics have different types and
        // do not.
        if self.0.is_none() && other.0.is_none() {
            return Ok(());
        }
        self.held_mut()?.merge(other.held()?)
    }
    fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        if self.0.is_none() && other.0.is_none() {
            return Ok(());
        }
        self.held_mut()?.merge_times(other.held()?, times)
    }
    fn check_merge(&self, other: &Self) -> Result<()> {
        if self.0.is_none() && other.0.is_none() {
            return Ok(());
        }
        self.held()?.check_merge(other.held()?)
    }
    fn check(&self, counts: &SegmentCounts) -> Result<()> {
        self.held()?.check(counts)
    }
    fn missing(&self, counts: &SegmentCounts) -> u64 {
        self.0.as_ref().map_or(0, |held| held.missing(counts))
    }
    fn needs_block(&self) -> bool {
        true
    }
    fn is_row(&self) -> bool {
        self.0.as_ref().is_some_and(|held| held.is_row())
    }
    fn column_names(&self) -> Vec<String> {
        self.0.as_ref().map(|held| held.column_names()).unwrap_or_default()
    }
    fn write_row(&self, row: &mut Vec<u64>) -> Result<()> {
        self.held()?.write_row(row)
    }
    fn read_row(&mut self, row: &[u64]) -> Result<()> {
        self.held_mut()?.read_row(row)
    }
    fn retract(&mut self, other: &Self) -> Result<()> {
        self.held_mut()?.retract(other.held()?)
    }
}

impl Serialize for AnyStats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let held = self.held().map_err(S::Error::custom)?;
        // Such bytes could not be read: only a state tells its readers which statistics follow.
        if !serializer.is_human_readable() {
            return Err(S::Error::custom(
                "statistics of a metric chosen at run time cannot be read from a format that is not text: write \
                 their state (`State` or `StateBytes`); a wrapper of statistics implements `Stats::needs_block`",
            ));
        }
        erased_serde::serialize(held.as_serialize(), serializer)
    }
}

impl Restore for AnyStats {
    fn restore<'de, D: Deserializer<'de>>(&self, deserializer: D) -> Result<Self, D::Error> {
        let zero = self.held().map_err(serde::de::Error::custom)?;
        // The whole value is read into a tree first, so that each statistics type is compiled for one
        // deserializer and not for every format.
        let tree = ValueTree::read(deserializer)?;
        let mut reader = tree.reader();
        let read = zero.read(&mut reader);
        reader.end(read).map_err(|(error, _)| serde::de::Error::custom(error))
    }
}

/// Type-erased working buffers of a metric. A metric that finds another metric's buffers here replaces them.
#[derive(Default)]
pub struct AnyScratch(Option<Box<dyn Any + Send + Sync>>);

impl fmt::Debug for AnyScratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyScratch")
    }
}

impl AnyScratch {
    /// Returns the buffers of type `T`, after replacing buffers of any other type by new ones.
    #[inline]
    pub(super) fn get_or_default<T: Default + Send + Sync + 'static>(&mut self) -> &mut T {
        if !self.0.as_ref().is_some_and(|held| held.is::<T>()) {
            self.0 = Some(Box::new(T::default()));
        }
        match self.0.as_mut().and_then(|held| held.downcast_mut()) {
            Some(held) => held,
            None => unreachable!("it was just put there"),
        }
    }
}

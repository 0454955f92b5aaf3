//! [`AnyForm`]: reads the structured input (such as rankings) that a metric chosen at run time defines.

use core::any::{Any, type_name};
use core::fmt;
use core::marker::PhantomData;

use serde::Deserializer;
use serde::de::{DeserializeOwned, Error as _};

use bleuprint_core::{
    Answer, Ask, Form, Identity, InputError, Metric, Observe, Prepared, Result, Segment, StateKey,
    metric_through,
};

use super::tree::{ReadError, TreeReader, ValueTree};
use crate::prelude::*;

/// A type-erased hypothesis, reference or source of a metric with structured input. The metric's [`Form`]
/// reads it.
pub type Data = dyn Any + Send + Sync;

type Read = fn(&mut TreeReader<'_, '_>) -> Result<Box<Data>, ReadError>;

/// A type-erased [`Form`]: it reads the structured input of one metric from self-describing formats such as
/// JSON and CBOR. Its errors name the field.
#[derive(Clone, Copy)]
pub struct AnyForm {
    /// Name of the structured input type, such as `samples`: [`Form::NAME`].
    pub name: &'static str,
    /// Names of the JSON fields of the input, each with its description: [`Form::FIELDS`].
    pub fields: &'static [(&'static str, &'static str)],
    readers: [Read; 3],
}

impl AnyForm {
    pub(super) fn for_form<F: Form>() -> Self {
        let readers = [read::<F>, read::<F::Reference>, read::<F::Source>];
        AnyForm { name: F::NAME, fields: F::FIELDS, readers }
    }

    /// Deserializes the hypothesis of a metric with structured input.
    ///
    /// # Errors
    /// Returns the deserializer's error, or an error with the name of the invalid field.
    pub fn hypothesis<'de, D: Deserializer<'de>>(&self, from: D) -> Result<Box<Data>, D::Error> {
        self.read(0, from)
    }

    /// Deserializes a reference of a metric with structured input.
    ///
    /// # Errors
    /// Returns the deserializer's error, or an error with the name of the invalid field.
    pub fn reference<'de, D: Deserializer<'de>>(&self, from: D) -> Result<Box<Data>, D::Error> {
        self.read(1, from)
    }

    /// Deserializes the source of a metric with structured input.
    ///
    /// # Errors
    /// Returns the deserializer's error, or an error with the name of the invalid field.
    pub fn source<'de, D: Deserializer<'de>>(&self, from: D) -> Result<Box<Data>, D::Error> {
        self.read(2, from)
    }

    fn read<'de, D: Deserializer<'de>>(&self, role: usize, from: D) -> Result<Box<Data>, D::Error> {
        // The tree knows which field an error belongs to, for every format.
        let tree = ValueTree::read(from)?;
        let mut reader = tree.reader();
        let read = self.readers[role](&mut reader);
        reader.end(read).map_err(|(error, field)| {
            let error = error.to_string();
            // Messages such as "missing field `x`" contain the field already.
            match field.map(|field| format!("`{field}`")).filter(|field| !error.contains(field)) {
                Some(field) => D::Error::custom(format!("{field}: {error}")),
                None => D::Error::custom(error),
            }
        })
    }
}

fn read<T: DeserializeOwned + Any + Send + Sync>(
    from: &mut TreeReader<'_, '_>,
) -> Result<Box<Data>, ReadError> {
    Ok(Box::new(T::deserialize(from)?))
}

impl PartialEq for AnyForm {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Prints the name of an input type and its fields for messages, such as "`ranking` data (docs, query)".
impl fmt::Display for AnyForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` data", self.name)?;
        if self.fields.is_empty() {
            return Ok(());
        }
        let fields: Vec<&str> = self.fields.iter().map(|(field, _)| *field).collect();
        write!(f, " ({})", fields.join(", "))
    }
}

impl fmt::Debug for AnyForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A metric with structured input `F`, presented as a metric over type-erased [`Data`], which it downcasts.
pub(super) struct OpenedMetric<M, F>(M, PhantomData<fn(&F)>);

impl<M, F> OpenedMetric<M, F> {
    pub(super) fn new(metric: M) -> Self {
        OpenedMetric(metric, PhantomData)
    }
}

fn open<F: Form, T: Any>(data: &Data) -> Result<&T> {
    data.downcast_ref().ok_or_else(|| {
        let form = F::NAME;
        let wanted = type_name::<T>();
        InputError::malformed(format!(
            "the metric takes `{form}` data, here of the type {wanted}, but other data are given"
        ))
    })
}

fn open_all<'d, F: Form, T: Any>(data: &[&'d Data]) -> Result<Vec<&'d T>> {
    data.iter().copied().map(open::<F, T>).collect()
}

fn open_source<F: Form>(source: Option<&Data>) -> Result<Option<&F::Source>> {
    source.map(open::<F, F::Source>).transpose()
}

/// Downcasts the hypothesis and the source of a type-erased segment. Returns the typed segment with
/// `references`, which the caller has already downcast.
fn open_around<'s, F: Form>(
    segment: Segment<'s, Data>,
    references: &'s [&'s F::Reference],
) -> Result<Segment<'s, F, F::Reference, F::Source>> {
    let source = open_source::<F>(segment.source)?;
    Ok(Segment::with_source(open::<F, F>(segment.hypothesis)?, references, source))
}

impl<M: Metric, F: Form> Metric for OpenedMetric<M, F> {
    type Stats = M::Stats;
    type Score = M::Score;
    type Scratch = M::Scratch;

    fn identity(&self) -> Identity {
        self.0.identity().for_form::<F>()
    }
    fn serves(&self, key: &StateKey) -> Result<()> {
        self.0.serves(key)
    }
    metric_through!(all but identity, self => self.0);
}

impl<F: Form, M: Observe<F, F::Reference, F::Source>> Observe<Data> for OpenedMetric<M, F> {
    fn observe(
        &self,
        scratch: &mut M::Scratch,
        stats: &mut M::Stats,
        segment: Segment<'_, Data>,
    ) -> Result<()> {
        let references = open_all::<F, _>(segment.references)?;
        self.0.observe(scratch, stats, open_around::<F>(segment, &references)?)
    }

    /// Observes type-erased segments. Downcasts shared references only once: consecutive segments of several
    /// systems usually have the same references.
    fn observe_each(
        &self,
        scratch: &mut M::Scratch,
        stats: &mut [M::Stats],
        segments: &[Segment<'_, Data>],
    ) -> Result<()> {
        // Neighbours are enough: callers pass the systems of one segment next to each other.
        let shares = |at: usize| at > 0 && segments[at].shares_references(&segments[at - 1]);
        let mut lists: Vec<Vec<&F::Reference>> = Vec::new();
        for (at, segment) in segments.iter().enumerate().filter(|(at, _)| !shares(*at)) {
            let opened = open_all::<F, _>(segment.references);
            lists.push(opened.map_err(|error| error.at(bleuprint_core::Location::segment(at as u64 + 1)))?);
        }
        let mut lists = lists.iter();
        let mut list = &[][..];
        let mut own = Vec::with_capacity(segments.len());
        for (at, segment) in segments.iter().enumerate() {
            if !shares(at) {
                list = lists.next().map_or(&[][..], Vec::as_slice);
            }
            let opened = open_around::<F>(*segment, list);
            own.push(opened.map_err(|error| error.at(bleuprint_core::Location::segment(at as u64 + 1)))?);
        }
        self.0.observe_each(scratch, stats, &own)
    }

    fn prepare(&self, scratch: &mut M::Scratch, references: &[&Data]) -> Result<Prepared> {
        self.0.prepare(scratch, &open_all::<F, _>(references)?)
    }

    fn observe_prepared(
        &self,
        scratch: &mut M::Scratch,
        stats: &mut M::Stats,
        segment: Segment<'_, Data>,
        prepared: &Prepared,
    ) -> Result<()> {
        let references = open_all::<F, _>(segment.references)?;
        self.0.observe_prepared(scratch, stats, open_around::<F>(segment, &references)?, prepared)
    }

    fn observe_prefixes(
        &self,
        scratch: &mut M::Scratch,
        segment: Segment<'_, Data>,
        each: &mut dyn FnMut(&M::Stats) -> Result<()>,
    ) -> Result<bool> {
        let references = open_all::<F, _>(segment.references)?;
        self.0.observe_prefixes(scratch, open_around::<F>(segment, &references)?, each)
    }

    fn ask(&self, scratch: &mut M::Scratch, ask: Ask<'_, Data>) -> Result<Option<Answer<'_, M::Stats>>> {
        let hypotheses = open_all::<F, F>(ask.hypotheses)?;
        let references = open_all::<F, F::Reference>(ask.references)?;
        let source = open_source::<F>(ask.source)?;
        self.0.ask(scratch, ask.with_sequences(&hypotheses, &references, source))
    }
}

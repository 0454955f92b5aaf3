//! [`CorpusVectors`]: embedding vectors of texts from a user's model, and the computation of metrics over
//! them.

use std::sync::Arc;

use bleuprint_core::{
    InputError, InputErrorKind, Location, Metric as _, Observe as _, Result, Segment, SegmentCounts, State,
    Vector,
};
use bleuprint_inference::{Interrupt, map_with, require_equal};
use bleuprint_registry::{AnyMetric, AnyScratch, AnyState};
use bleuprint_text::read::{VectorReader, VectorTable};

/// Number of parts into which the segments are split for the threads. Each part opens separate readers of the
/// vector files. `MOST` bounds the segments of a part.
const PARTS: usize = 64;
const MOST: usize = 256;

/// Embedding vectors of the texts of a corpus: of every system's hypotheses and of the references.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: vectors need all of it")]
pub struct CorpusVectors {
    /// Embedding vectors of the hypotheses: a table for each system, with one text for each segment.
    pub systems: Vec<Arc<VectorTable>>,
    /// Embedding vectors of the references, with one or several texts for each segment.
    pub references: Arc<VectorTable>,
}

impl CorpusVectors {
    /// Combines the vector tables of all systems with the vector table of the references.
    ///
    /// # Errors
    /// Returns an error if the tables differ in width or in the number of segments, or if a table of a system
    /// groups several texts.
    pub fn new(systems: Vec<VectorTable>, references: VectorTable) -> Result<Self> {
        for system in &systems {
            let located = |error: InputError| error.at(Location::file(system.name().clone()));
            if system.is_grouped() {
                let message = "`groups` are for references, and a segment has one hypothesis";
                return Err(located(InputError::malformed(message)));
            }
            if system.width() != references.width() {
                let own = system.width();
                let other = references.width();
                let name = references.name();
                let message = format!("vectors of {own} coordinates, but those of {name} have {other}");
                return Err(located(InputError::malformed(message)));
            }
            require_equal(system.name(), system.texts(), references.name(), references.segments())?;
        }
        let systems = systems.into_iter().map(Arc::new).collect();
        Ok(CorpusVectors { systems, references: Arc::new(references) })
    }
}

/// Computes the statistics of every segment of every system, for a metric over embedding vectors. A metric
/// that first learns from the data learns from the references, and is returned with its learned tables.
pub(super) fn observe(
    metric: &AnyMetric,
    vectors: Option<&CorpusVectors>,
) -> Result<(AnyMetric, Vec<Vec<AnyState>>)> {
    let Some(vectors) = vectors else {
        let name = metric.identity().name();
        return Err(InputError::malformed(format!("{name} looks at vectors, but there are none")));
    };
    let metric = match metric.first_pass() {
        Some(first) => metric.second_pass(&learned(first, vectors)?)?,
        None => metric.clone(),
    };
    let segments = vectors.references.segments();
    // Every part makes its own readers, so a part has many segments; there are more parts than threads, so no
    // thread waits long for the last part.
    let together = segments.div_ceil(PARTS).clamp(1, MOST);
    let parts = each(segments.div_ceil(together), |scratch, part| {
        let mut readers = Readers::new(vectors);
        (part * together..segments.min((part + 1) * together))
            .map(|segment| readers.observe(&metric, scratch, segment))
            .collect::<Result<Vec<_>>>()
    });
    let mut states: Vec<Vec<AnyState>> =
        vectors.systems.iter().map(|_| Vec::with_capacity(segments)).collect();
    for part in parts {
        for segment in part? {
            states.iter_mut().zip(segment).for_each(|(states, state)| states.push(state));
        }
    }
    Ok((metric, states))
}

fn learned(first: &AnyMetric, vectors: &CorpusVectors) -> Result<AnyState> {
    let mut learned = State::zero(first);
    let mut scratch = AnyScratch::default();
    let table = &vectors.references;
    let mut reader = table.reader();
    for segment in 0..table.segments() {
        let references = reader.texts(table.texts_of(segment))?;
        let references: Vec<&[Vector<'_>]> = references.iter().map(Vec::as_slice).collect();
        let added = learned.observe(first, &mut scratch, Segment::new(&[][..], &references));
        let numbered = |error: InputError| error.at(Location::segment(segment as u64 + 1));
        added.map_err(|error| located(numbered(error), table.name(), segment))?;
    }
    Ok(learned)
}

struct Readers<'v> {
    table: &'v VectorTable,
    references: VectorReader<'v>,
    systems: Vec<(&'v VectorTable, VectorReader<'v>)>,
}

impl<'v> Readers<'v> {
    fn new(vectors: &'v CorpusVectors) -> Self {
        Readers {
            table: &vectors.references,
            references: vectors.references.reader(),
            systems: vectors.systems.iter().map(|table| (&**table, table.reader())).collect(),
        }
    }

    /// Computes the metric's statistics of one segment for every system; the shared references are prepared
    /// once.
    fn observe(
        &mut self,
        metric: &AnyMetric,
        scratch: &mut AnyScratch,
        segment: usize,
    ) -> Result<Vec<AnyState>> {
        let references = self.references.texts(self.table.texts_of(segment))?;
        let references: Vec<&[Vector<'_>]> = references.iter().map(Vec::as_slice).collect();
        let prepared = metric
            .prepare(scratch, &references)
            .map_err(|error| located(error, self.table.name(), segment))?;
        let of_system = |(table, reader): &mut (&VectorTable, VectorReader<'_>)| {
            let texts = reader.texts(segment..segment + 1)?;
            let hypothesis = texts.first().map(Vec::as_slice).unwrap_or_default();
            let mut stats = metric.zero();
            let own = Segment::new(hypothesis, &references);
            let observed = metric.observe_prepared(scratch, &mut stats, own, &prepared);
            let state = observed
                .and_then(|()| State::from_stats(metric, SegmentCounts::of_segment(references.len()), stats));
            state.map_err(|error| located(error, table.name(), segment))
        };
        self.systems.iter_mut().map(of_system).collect()
    }
}

// An interrupt belongs to no segment, so it stays without a place.
fn located(error: InputError, file: &str, segment: usize) -> InputError {
    match error.kind() {
        InputErrorKind::Interrupted => error,
        _ => InputError::malformed(format!("{file}: {error}")).at(Location::segment(segment as u64 + 1)),
    }
}

pub(super) fn each<R: Send>(
    segments: usize,
    observe: impl Fn(&mut AnyScratch, usize) -> Result<R> + Sync,
) -> Vec<Result<R>> {
    let interrupt = Interrupt::of_thread();
    interrupt.expect(segments);
    let observe = |scratch: &mut AnyScratch, segment: usize| {
        interrupt.check()?;
        let observed = observe(scratch, segment);
        interrupt.advance(1);
        observed
    };
    map_with(segments, AnyScratch::default, observe)
}

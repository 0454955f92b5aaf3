//! Vectors of a user's own model: [`CorpusVectors`], and the metrics over them.

use std::sync::Arc;

use bleuprint_core::{
    Accumulator, InputError, InputErrorKind, Location, Metric as _, Observe as _, Result, Segment,
    SegmentCounts, State, Vector,
};
use bleuprint_inference::{Interrupt, require_equal};
use bleuprint_registry::{AnyMetric, AnyScratch, AnyState};
use bleuprint_text::read::VectorTable;

/// The vectors of a corpus.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: vectors need all of it")]
pub struct CorpusVectors {
    /// Of the hypotheses of each system, a text of each segment.
    pub systems: Vec<Arc<VectorTable>>,
    /// Of the references, one text of each segment or several.
    pub references: Arc<VectorTable>,
}

impl CorpusVectors {
    /// Vectors of systems and of their references.
    ///
    /// # Errors
    /// Vectors of unlike widths, of unlike numbers of segments, and of several hypotheses of a segment.
    pub fn new(systems: Vec<VectorTable>, references: VectorTable) -> Result<Self> {
        for system in &systems {
            let located = |error: InputError| error.at(Location::file(system.name().clone()));
            if system.is_grouped() {
                let message = "`groups` are for references, and a segment has one hypothesis";
                return Err(located(InputError::malformed(message)));
            }
            if system.width() != references.width() {
                let (own, other, name) = (system.width(), references.width(), references.name());
                let message = format!("vectors of {own} coordinates, but those of {name} have {other}");
                return Err(located(InputError::malformed(message)));
            }
            require_equal(system.name(), system.texts(), references.name(), references.segments())?;
        }
        let systems = systems.into_iter().map(Arc::new).collect();
        Ok(CorpusVectors { systems, references: Arc::new(references) })
    }
}

/// The metric, which has learned from the references where it has two passes, and the states of every segment of every
/// system.
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
    let segments = each(vectors.references.segments(), |scratch, segment| {
        observe_segment(&metric, scratch, vectors, segment)
    });
    let mut states: Vec<Vec<AnyState>> = vectors.systems.iter().map(|_| Vec::new()).collect();
    for segment in segments {
        states.iter_mut().zip(segment?).for_each(|(states, state)| states.push(state));
    }
    Ok((metric, states))
}

fn learned(first: &AnyMetric, vectors: &CorpusVectors) -> Result<AnyState> {
    let mut learner = Accumulator::<&AnyMetric, [Vector<'_>]>::new(first);
    for segment in 0..vectors.references.segments() {
        let references = references(vectors, segment);
        let references: Vec<&[Vector<'_>]> = references.iter().map(Vec::as_slice).collect();
        let added = learner.add(Segment::new(&[], &references));
        added.map_err(|error| located(error, vectors.references.name(), segment))?;
    }
    Ok(learner.into())
}

fn references(vectors: &CorpusVectors, segment: usize) -> Vec<Vec<Vector<'_>>> {
    let table = &vectors.references;
    table.texts_of(segment).map(|text| table.vectors(text)).collect()
}

/// The states of a segment of every system; the references are prepared once.
fn observe_segment(
    metric: &AnyMetric,
    scratch: &mut AnyScratch,
    vectors: &CorpusVectors,
    segment: usize,
) -> Result<Vec<AnyState>> {
    let references = references(vectors, segment);
    let references: Vec<&[Vector<'_>]> = references.iter().map(Vec::as_slice).collect();
    let prepared = metric
        .prepare(scratch, &references)
        .map_err(|error| located(error, vectors.references.name(), segment))?;
    let of_system = |table: &Arc<VectorTable>| {
        let hypothesis = table.vectors(segment);
        let mut stats = metric.zero();
        let own = Segment::new(&hypothesis[..], &references);
        let observed = metric.observe_prepared(scratch, &mut stats, own, &prepared);
        let state =
            observed.and_then(|()| State::of(metric, SegmentCounts::of_segment(references.len()), stats));
        state.map_err(|error| located(error, table.name(), segment))
    };
    vectors.systems.iter().map(of_system).collect()
}

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
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        (0..segments).into_par_iter().map_init(AnyScratch::default, observe).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        let mut scratch = AnyScratch::default();
        (0..segments).map(|segment| observe(&mut scratch, segment)).collect()
    }
}

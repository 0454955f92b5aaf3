//! Computes metrics that take structured data (an input form, such as samples of code) in place of plain
//! text.

use bleuprint_core::{
    Accumulator, InputError, InputErrorKind, Location, Metric as _, Observe, Result, Segment, SegmentCounts,
    State,
};
use bleuprint_inference::require_equal;
use bleuprint_registry::{AnyMetric, AnyScratch, AnyState, AnyStats, Data};

use super::TextCorpus;
use super::data::OwnData;
use super::vectors::each;
use crate::batches::{batch_of, observe_up_to_error};

impl TextCorpus {
    /// Adds data of one structured type (input form): one [`SystemData`](super::SystemData) for each system,
    /// in order, with one hypothesis for each segment. References and sources are given for every segment, or
    /// their lists are empty.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use bleuprint_core::{Form, Identity, PerSegment, Scale, Segment};
    /// use bleuprint_eval::{ChosenTokens, evaluation::{Evaluation, OwnData, SystemData, TextCorpus}};
    /// use bleuprint_registry::{AnyMetric, MetricEntry, Registry};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Samples { n: u32, c: u32 }
    ///
    /// impl Form for Samples {
    ///     const NAME: &'static str = "samples";
    ///     type Reference = Self;
    ///     type Source = Self;
    /// }
    ///
    /// let entry = MetricEntry::new("pass@1", "share of right samples", |_| {
    ///     let identity = Identity::new("pass@1", 1, Scale::UNIT).reference_free();
    ///     Ok(AnyMetric::for_own::<Samples, _>(PerSegment::new(identity, |segment: Segment<'_, Samples>| {
    ///         Ok(f64::from(segment.hypothesis.c) / f64::from(segment.hypothesis.n))
    ///     })))
    /// });
    /// let mut registry = Registry::default();
    /// registry.add(entry).unwrap();
    ///
    /// let form = registry.build("pass@1").unwrap().view.form.unwrap();
    /// let read = |json: &str| Arc::from(form.hypothesis(&mut serde_json::Deserializer::from_str(json)).unwrap());
    /// let hypotheses = [r#"{"n": 4, "c": 1}"#, r#"{"n": 4, "c": 2}"#].map(read).into();
    /// let system = SystemData { hypotheses, origin: None };
    /// let mut corpus = TextCorpus::of_numbers(["a"], 2);
    /// corpus.add_own(OwnData { form, systems: vec![system], references: vec![], sources: vec![] }).unwrap();
    /// let tokens = ChosenTokens::standard().unwrap();
    /// let run = Evaluation::from_parts(&registry, ["pass@1"], &tokens).unwrap().run(corpus).unwrap();
    /// assert_eq!(run.scores().unwrap()[0][0].value(), 0.375);
    /// ```
    ///
    /// # Errors
    /// Returns an error if data of this form were already added, or if the number of systems or segments is
    /// not the corpus's.
    pub fn add_own(&mut self, mut own: OwnData) -> Result<()> {
        let name = own.form.name;
        if self.own.iter().any(|known| known.form == own.form) {
            return Err(InputError::malformed(format!("the data `{name}` are given twice")));
        }
        let segments = self.segments.len();
        require_equal("the systems", self.systems.len(), &format!("the `{name}` data"), own.systems.len())?;
        for (data, system) in own.systems.iter().zip(&self.systems) {
            require_equal(&format!("`{name}` of {system}"), data.hypotheses.len(), "the corpus", segments)?;
        }
        if own.references.is_empty() {
            own.references.resize_with(segments, Vec::new);
        }
        if own.sources.is_empty() {
            own.sources.resize_with(segments, || None);
        }
        require_equal("the references", own.references.len(), "the corpus", segments)?;
        require_equal("the sources", own.sources.len(), "the corpus", segments)?;
        self.own.push(own);
        Ok(())
    }
}

/// Computes the statistics of every segment of every system, for a metric over structured data. A metric that
/// first learns from the data learns from the first system, and is returned with its learned tables.
pub(super) fn observe(metric: &AnyMetric, corpus: &TextCorpus) -> Result<(AnyMetric, Vec<Vec<AnyState>>)> {
    let own = data_of(metric, corpus)?;
    let metric = match metric.first_pass() {
        Some(first) => metric.second_pass(&learned(first, corpus, own)?)?,
        None => metric.clone(),
    };
    Ok((metric.clone(), observe_all(&metric, corpus, own)?))
}

/// Runs the metric's first pass, in which it learns from the data (such as idf weights), over the first
/// system. Returns the learned tables.
fn learned(first: &AnyMetric, corpus: &TextCorpus, own: &OwnData) -> Result<AnyState> {
    let mut learner = Accumulator::<&AnyMetric, Data>::new(first);
    let hypotheses = own.systems.first().map_or(&[][..], |system| &system.hypotheses);
    for (at, hypothesis) in hypotheses.iter().enumerate() {
        let references: Vec<&Data> = own.references[at].iter().map(|one| &**one).collect();
        let added = learner.add(Segment::with_source(&**hypothesis, &references, own.sources[at].as_deref()));
        added.map_err(|error| located(error, corpus, own, 0, at))?;
    }
    Ok(learner.into())
}

fn observe_all(metric: &AnyMetric, corpus: &TextCorpus, own: &OwnData) -> Result<Vec<Vec<AnyState>>> {
    // A batch holds the same segments of all systems, so that their references are shared.
    let together = batch_of(metric).div_ceil(corpus.systems.len().max(1));
    let segments = corpus.segments.len();
    let parts = each(segments.div_ceil(together), |scratch, part| {
        observe_part(metric, scratch, own, part * together..segments.min((part + 1) * together))
    });
    let mut states: Vec<Vec<AnyState>> = vec![Vec::with_capacity(segments); corpus.systems.len()];
    for (part, observed) in parts.into_iter().enumerate() {
        let (all, failed) = observed?;
        for (at, (stats, references)) in all.into_iter().enumerate() {
            // Within a part, all systems of a segment come before the next segment.
            let system = at % states.len();
            let segment = part * together + at / states.len();
            let state = State::from_stats(metric, SegmentCounts::of_segment(references), stats);
            let state = state.map_err(|error| located(error, corpus, own, system, segment));
            states[system].push(state?);
        }
        // The error is reported after the states before it: an invalid state of an earlier segment has
        // priority.
        if let Some((error, at)) = failed {
            let system = at % states.len();
            let segment = part * together + at / states.len();
            return Err(located(error, corpus, own, system, segment));
        }
    }
    Ok(states)
}

fn data_of<'c>(metric: &AnyMetric, corpus: &'c TextCorpus) -> Result<&'c OwnData> {
    let name = metric.identity().name();
    let wanted = &metric.view;
    let form = metric.view.form;
    corpus.own.iter().find(|own| Some(own.form) == form).ok_or_else(|| {
        let known: Vec<&str> = corpus.own.iter().map(|own| own.form.name).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        InputError::malformed(format!("{name} takes {wanted}, but the data given are: {known}"))
    })
}

/// Metric statistics of the counted segments, each with its number of references. If a segment failed, its
/// error and its position follow.
type Observed = (Vec<(AnyStats, usize)>, Option<(InputError, usize)>);

fn observe_part(
    metric: &AnyMetric,
    scratch: &mut AnyScratch,
    own: &OwnData,
    part: core::ops::Range<usize>,
) -> Result<Observed> {
    let references: Vec<Vec<&Data>> =
        own.references[part.clone()].iter().map(|all| all.iter().map(|one| &**one).collect()).collect();
    let mut segments: Vec<Segment<'_, Data>> = Vec::new();
    for (at, references) in part.zip(&references) {
        for system in &own.systems {
            let segment =
                Segment::with_source(&*system.hypotheses[at], references, own.sources[at].as_deref());
            segments.push(segment);
        }
    }
    let (stats, failed) = match &references[..] {
        // One segment a part: its references are prepared once for all systems. Larger batches leave sharing
        // to the metric.
        [references] if batch_of(metric) == 1 => observe_prepared(metric, scratch, &segments, references),
        _ => observe_up_to_error(metric, scratch, &segments),
    };
    let failed = failed.map(|error| (error, stats.len()));
    if let Some((error, _)) =
        // An interrupt belongs to no segment, so it must not get a file and a line.
        failed.as_ref().filter(|(error, _)| *error.kind() == InputErrorKind::Interrupted)
    {
        return Err(error.clone());
    }
    let counted = stats.into_iter().zip(&segments);
    Ok((counted.map(|(stats, segment)| (stats, segment.references.len())).collect(), failed))
}

/// Computes the metric's statistics of one segment for all systems; the shared references are prepared once.
/// Stops at the first error.
fn observe_prepared(
    metric: &AnyMetric,
    scratch: &mut AnyScratch,
    segments: &[Segment<'_, Data>],
    references: &[&Data],
) -> (Vec<AnyStats>, Option<InputError>) {
    let prepared = match Observe::<Data>::prepare(metric, scratch, references) {
        Ok(prepared) => prepared,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let mut all = Vec::with_capacity(segments.len());
    for segment in segments {
        let mut stats = metric.zero();
        match metric.observe_prepared(scratch, &mut stats, *segment, &prepared) {
            Ok(()) => all.push(stats),
            Err(error) => return (all, Some(error)),
        }
    }
    (all, None)
}

/// Adds to the error the file and line that the segment was read from, or the system and the segment if no
/// file is known.
fn located(
    error: InputError,
    corpus: &TextCorpus,
    own: &OwnData,
    system: usize,
    segment: usize,
) -> InputError {
    let error = error.renumbered(Location::default());
    let origin = own.systems[system].origin.as_ref();
    let line = origin.and_then(|(file, lines)| Some((file.clone(), *lines.get(segment)?)));
    match line {
        Some((file, line)) if line > 0 => error.at(Location::line(file, line)),
        Some((file, _)) => error.at(Location::file(file)).at(Location::segment(segment as u64 + 1)),
        None => InputError::malformed(format!("system {}: {error}", corpus.systems[system]))
            .at(Location::segment(segment as u64 + 1)),
    }
}

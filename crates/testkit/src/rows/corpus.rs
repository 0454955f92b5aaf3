//! [`ExampleCorpus`]: segments for any metric of a program, made from the example of its entry.

use std::borrow::Borrow;
use std::sync::Arc;

use bleuprint_core::{Accumulator, InputError, Observe, Score as _, Segment, Vector};
use bleuprint_eval::evaluation::{SegmentPart, read_own};
use bleuprint_eval::{Metrics, Panel, PanelState};
use bleuprint_registry::{AnyForm, AnyMetric, Data, MetricEntry, ViewKind};
use bleuprint_text::Families;
use serde_json::Value;

use super::answer::built;
use super::row::RowSegment;
use super::vary::drawn;

/// Segments that a metric accepts: the example of its entry, and variations of the example. Benchmarks and tests that
/// take this corpus meet the metrics of a new family without a change.
pub struct ExampleCorpus {
    panel: Panel,
    segments: ExampleSegments,
}

/// Segments as the metric observes them.
enum ExampleSegments {
    Texts(Vec<ExampleSegment<String>>),
    Data(Vec<ExampleSegment<Arc<Data>>>),
    Numbers(Vec<ExampleSegment<Vec<f64>>>),
    Vectors(Vec<ExampleSegment<Vec<Vector<'static>>>>),
}

#[derive(Clone)]
struct ExampleSegment<T> {
    hypothesis: T,
    references: Vec<T>,
    source: Option<T>,
}

/// Metric, example and draws of a corpus.
struct CorpusPlan {
    panel: Panel,
    example: RowSegment,
    length: usize,
    seed: u64,
}

/// Reads a part of a segment from its JSON, if the part has the type that the metric observes.
type ReadExample<'r, T> = dyn Fn(SegmentPart, &Value) -> Option<T> + 'r;

impl ExampleCorpus {
    /// Creates a corpus of `length` segments: the example first, then variations of it that `seed` draws. Variations
    /// repeat if the example has too few.
    ///
    /// # Panics
    /// Panics if the entry has no example, or if the metric does not accept it.
    pub fn new(families: &Families, entry: &MetricEntry, length: usize, seed: u64) -> Self {
        let name = entry.example_options().named(&entry.name);
        let example = example_of(entry).unwrap_or_else(|error| panic!("the example of {name}: {error}"));
        let metrics = built(families, &name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let Metrics { panel, numbers, vectors, own } = metrics;
        let beside = numbers.into_iter().chain(vectors).chain(own).next().map(|(_, metric)| metric);
        let panel = match &beside {
            Some(metric) => {
                Panel::for_own([metric.clone()]).unwrap_or_else(|error| panic!("{name}: {error}"))
            }
            None => panel,
        };
        let plan = CorpusPlan { panel, example, length, seed };
        let corpus = match &beside {
            Some(metric) => plan.beside_text(metric),
            None => plan.of_texts(),
        };
        corpus.unwrap_or_else(|error| panic!("the example of {name}: {error}"))
    }

    /// Counts all segments and returns their score.
    ///
    /// # Panics
    /// Panics if the segments together have no score.
    pub fn score(&self) -> f64 {
        let score = match &self.segments {
            ExampleSegments::Texts(segments) => scored::<str, _>(&self.panel, segments),
            ExampleSegments::Data(segments) => scored::<Data, _>(&self.panel, segments),
            ExampleSegments::Numbers(segments) => scored::<[f64], _>(&self.panel, segments),
            ExampleSegments::Vectors(segments) => scored::<[Vector<'_>], _>(&self.panel, segments),
        };
        score.unwrap_or_else(|error| panic!("varied examples of {:?}: {error}", self.panel))
    }
}

/// Returns the example of an entry. A metric over numbers has the record that holds its number.
fn example_of(entry: &MetricEntry) -> serde_json::Result<RowSegment> {
    let record: Value = serde_json::from_str(entry.example)?;
    match record.get("number") {
        Some(number) => serde_json::from_value(serde_json::json!({ "hypothesis": number })),
        None => serde_json::from_value(record),
    }
}

impl CorpusPlan {
    fn of_texts(self) -> Result<ExampleCorpus, InputError> {
        let read = |_, value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Array(_) => Some(value.to_string()),
            _ => None,
        };
        self.read::<str, String>(&read, ExampleSegments::Texts)
    }

    fn beside_text(self, metric: &AnyMetric) -> Result<ExampleCorpus, InputError> {
        match (metric.view.kind, metric.view.form) {
            (ViewKind::Numbers, _) => {
                let read = |_, value: &Value| value.as_f64().map(|number| vec![number]);
                self.read::<[f64], Vec<f64>>(&read, ExampleSegments::Numbers)
            }
            (_, Some(form)) => self.of_form(&form),
            _ => {
                let read = |_, value: &Value| vectors(value);
                self.read::<[Vector<'_>], Vec<Vector<'static>>>(&read, ExampleSegments::Vectors)
            }
        }
    }

    fn of_form(self, form: &AnyForm) -> Result<ExampleCorpus, InputError> {
        let read = |part, value: &Value| read_own(form, part, "the example", value).ok();
        self.read::<Data, Arc<Data>>(&read, ExampleSegments::Data)
    }

    /// Varies the example, and lets a metric of two passes learn from all segments.
    fn read<S: ?Sized, T: Borrow<S> + Clone>(
        self,
        read: &ReadExample<'_, T>,
        segments: impl FnOnce(Vec<ExampleSegment<T>>) -> ExampleSegments,
    ) -> Result<ExampleCorpus, InputError>
    where
        Panel: Observe<S>,
    {
        let CorpusPlan { mut panel, example, length, seed } = self;
        let first = panel.first_pass();
        let accepted = |segment: &RowSegment| {
            let segment = ExampleSegment::read(segment, read)?;
            let is_accepted = match &first {
                // Only the second pass has a score.
                Some(first) => counted::<S, T>(first, std::slice::from_ref(&segment)).is_ok(),
                None => scored::<S, T>(&panel, std::slice::from_ref(&segment)).is_ok(),
            };
            is_accepted.then_some(segment)
        };
        let different = drawn(std::slice::from_ref(&example), length, seed, &accepted);
        if different.is_empty() {
            return Err(InputError::malformed("the metric does not accept it"));
        }
        let all: Vec<ExampleSegment<T>> = different.iter().cycle().take(length).cloned().collect();
        if let Some(first) = &first {
            panel = panel.second_pass(&counted::<S, T>(first, &all)?)?;
        }
        Ok(ExampleCorpus { panel, segments: segments(all) })
    }
}

impl<T> ExampleSegment<T> {
    fn read(segment: &RowSegment, read: &ReadExample<'_, T>) -> Option<Self> {
        let hypothesis = read(SegmentPart::Hypothesis, &segment.hypothesis)?;
        let references = segment.all_references().map(|one| read(SegmentPart::Reference, one));
        let references = references.collect::<Option<Vec<T>>>()?;
        let source = match &segment.source {
            Some(source) => Some(read(SegmentPart::Source, source)?),
            None => None,
        };
        Some(ExampleSegment { hypothesis, references, source })
    }
}

/// Returns the vectors of a text, which live as long as the program, as an element that owns them cannot be observed.
fn vectors(value: &Value) -> Option<Vec<Vector<'static>>> {
    let rows: Vec<Vec<f64>> = serde_json::from_value(value.clone()).ok()?;
    Some(rows.into_iter().map(|row| Vector::from(&*row.leak())).collect())
}

fn counted<S: ?Sized, T: Borrow<S>>(
    panel: &Panel,
    segments: &[ExampleSegment<T>],
) -> Result<PanelState, InputError>
where
    Panel: Observe<S>,
{
    let mut all = Accumulator::<&Panel, S>::new(panel);
    for ExampleSegment { hypothesis, references, source } in segments {
        let references: Vec<&S> = references.iter().map(Borrow::borrow).collect();
        let source = source.as_ref().map(Borrow::borrow);
        all.add(Segment::with_source(hypothesis.borrow(), &references, source))?;
    }
    Ok(all.total().clone())
}

fn scored<S: ?Sized, T: Borrow<S>>(panel: &Panel, segments: &[ExampleSegment<T>]) -> Result<f64, InputError>
where
    Panel: Observe<S>,
{
    let state = counted::<S, T>(panel, segments)?;
    Ok(panel.scores(&state)?[0].score.value())
}

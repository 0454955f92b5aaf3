//! [`best_of_texts`]: best@k and worst@k of samples that are texts, scored by any text metric.

use std::sync::Arc;

use bleuprint_core::{
    ConfigError, Form, Identity, Location, Metric, Observe, Result, Scale, Segment, metric_through,
};
use bleuprint_registry::{AnyMetric, MetricOptions, Storable};
use serde::Deserialize;

use crate::entry::{self, KeptState};
use crate::options::{BestSettings, TEXTS_OF};
use crate::{BestOfSamples, End, KeptBest, Prompt};

/// Texts that a model generated for one prompt; null is a missing sample.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
struct SampleTexts(Vec<Option<String>>);

impl Form for SampleTexts {
    const NAME: &'static str = "sample texts";
    type Reference = String;
    type Source = String;
}

type ScoreTexts = dyn Fn(&[Segment<'_, str>]) -> Result<Vec<f64>> + Send + Sync;

/// A text metric that scores each sample for [`best_of_texts`], with its scale and required inputs.
#[derive(Clone)]
#[expect(clippy::exhaustive_structs, reason = "closed: scoring needs all of it")]
pub struct TextScorer {
    /// Name of the text metric as its user gives it; keys and signatures contain it.
    pub name: String,
    /// Range of the text metric's scores, and whether higher or lower is better.
    pub scale: Scale,
    /// `true` if the text metric uses no references.
    pub reference_free: bool,
    /// `true` if the text metric needs the source text.
    pub needs_source: bool,
    /// Function that scores segments one by one; NaN marks a segment without a score.
    pub score: Arc<ScoreTexts>,
}

/// Builds the metric `best` or `worst` for samples that are texts, which the text metric `of` scores one by
/// one. Each segment is a list of texts with the references for the text metric. The statistics equal the
/// statistics for scores given as numbers.
///
/// ```
/// use std::sync::Arc;
///
/// use bleuprint_core::Scale;
/// use bleuprint_registry::MetricOptions;
/// use bleuprint_samples::{End, TextScorer, best_of_texts};
///
/// let lengths = TextScorer {
///     name: "length".to_owned(),
///     scale: Scale::higher_is_better(0.0, f64::INFINITY),
///     reference_free: true,
///     needs_source: false,
///     score: Arc::new(|texts| Ok(texts.iter().map(|text| text.hypothesis.len() as f64).collect())),
/// };
/// let best = best_of_texts(End::Best, &MetricOptions::default().with("k", "2"), lengths).unwrap();
/// let form = best.view.form.unwrap();
/// let samples = form.hypothesis(serde_json::json!(["a", "abc", "ab"])).unwrap();
/// let mut prompts = bleuprint_core::Accumulator::<_, bleuprint_registry::Data>::new(&best);
/// prompts.push(&*samples, &[]).unwrap();
/// assert_eq!(prompts.score().unwrap().value(), (3.0 + 3.0 + 2.0) / 3.0);
/// ```
///
/// # Errors
/// Returns the errors of `best`. Returns [`ConfigError::Conflict`] if `better`, `scale` or `producer` is set,
/// because the text metric determines them.
pub fn best_of_texts(end: End, options: &MetricOptions, of: TextScorer) -> Result<AnyMetric, ConfigError> {
    let option = BestSettings::OPTION;
    if let Some(name) = [option.lower.spec, option.scale.spec, option.producer.spec]
        .map(|option| option.name)
        .into_iter()
        .find(|name| options.given(name).is_some())
    {
        let message = format!("of={} has its own scale and direction, so `{name}` has no effect", of.name);
        return Err(ConfigError::Conflict(message));
    }
    Ok(match entry::values(end, options, Some(of.scale))? {
        KeptState::Sums(best) => over_texts(best.clone(), best, false, of),
        KeptState::Values(best) => over_texts(KeptBest::new(best.clone()), best, true, of),
    })
}

fn over_texts<M>(numbers: M, best: BestOfSamples, kept: bool, of: TextScorer) -> AnyMetric
where
    M: Observe<Prompt> + Metric<Scratch = ()> + 'static,
    M::Stats: Storable,
{
    AnyMetric::for_own::<SampleTexts, _>(OfTexts { numbers, best, kept, of })
}

/// Wraps a metric over scores of samples so that it takes the samples as texts, and scores them by a text
/// metric.
struct OfTexts<M> {
    numbers: M,
    best: BestOfSamples,
    kept: bool,
    of: TextScorer,
}

impl<M: Metric<Scratch = ()>> Metric for OfTexts<M> {
    type Stats = M::Stats;
    type Score = M::Score;
    type Scratch = ();

    fn identity(&self) -> Identity {
        let mut identity =
            self.best.identity_of_texts(self.kept).option(TEXTS_OF, Some(self.of.name.clone()));
        if self.of.reference_free {
            identity = identity.reference_free();
        }
        if self.of.needs_source {
            identity = identity.needing(|needs| needs.source = true);
        }
        identity.for_form::<SampleTexts>()
    }
    metric_through!(all but identity, self => self.numbers);
}

impl<M: Observe<Prompt> + Metric<Scratch = ()>> Observe<SampleTexts, String, String> for OfTexts<M> {
    fn observe(
        &self,
        scratch: &mut (),
        stats: &mut M::Stats,
        segment: Segment<'_, SampleTexts, String, String>,
    ) -> Result<()> {
        let SampleTexts(texts) = segment.hypothesis;
        let references: Vec<&str> = segment.references.iter().map(|one| one.as_str()).collect();
        let source = segment.source.map(String::as_str);
        let there = texts.iter().flatten();
        let there: Vec<Segment<'_, str>> =
            there.map(|text| Segment::with_source(text.as_str(), &references, source)).collect();
        // An error must name the prompt. The place of the sample among the texts would be mistaken for it.
        let scores = (self.of.score)(&there).map_err(|error| error.renumbered(Location::default()))?;
        let mut scores = scores.into_iter();
        // Missing texts were not scored; they become NaN here, and the metric's rule for missing values
        // applies.
        let value = |text: &Option<String>| text.as_ref().and_then(|_| scores.next()).unwrap_or(f64::NAN);
        let values: Vec<f64> = texts.iter().map(value).collect();
        self.numbers.observe(scratch, stats, Segment::new(&Prompt::from(&values[..]), &[]))
    }
}

//! best@k and worst@k of samples that are texts, scored by any text metric (`best:of=METRIC`).

use std::sync::LazyLock;

use bleuprint_core::{
    ConfigError, Form, Identity, Location, Metric, Observe, Result, Segment, metric_through,
};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, OptionSpec, Storable};
use bleuprint_text::{Families, TextScorer};
use serde::Deserialize;

use crate::entry::{self, BEST, KeptState, WORST};
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

/// Returns the entries of `best` and `worst` with the option `of`, which names the text metric that scores the
/// samples.
pub(crate) fn entries(families: &Families) -> Vec<MetricEntry> {
    vec![over_any(BEST, End::Best, families), over_any(WORST, End::Worst, families)]
}

fn over_any(numbers: MetricEntry, end: End, families: &Families) -> MetricEntry {
    static OPTIONS: LazyLock<Vec<OptionSpec>> =
        LazyLock::new(|| BestSettings::SPECS.iter().copied().chain([TEXTS_OF.spec]).collect());
    let entry = numbers.clone();
    let families = families.clone();
    MetricEntry::owned(entry.name, entry.summary, move |options| match TEXTS_OF.value_in(options)? {
        // Without `of` the samples are numbers already, so the original entry builds the metric.
        None => numbers.build(options),
        Some(of) => best_of_texts(end, options, families.text_scorer(&of)?),
    })
    .papers(entry.papers)
    .options(&OPTIONS)
    .example(entry.example)
}

/// Builds the metric `best` or `worst` for samples that are texts, which the text metric `of` scores one by
/// one. Each segment is a list of texts with the references for the text metric. The statistics equal the
/// statistics for scores given as numbers.
///
/// # Errors
/// Returns the errors of `best`. Returns [`ConfigError::Conflict`] if `better`, `scale` or `producer` is set,
/// because the text metric determines them.
fn best_of_texts(end: End, options: &MetricOptions, of: TextScorer) -> Result<AnyMetric, ConfigError> {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bleuprint_core::{Accumulator, Scale};
    use bleuprint_registry::{Data, Registry};
    use bleuprint_text::Tokenizers;
    use serde_json::{Value, json};

    use super::*;

    /// Returns a program whose text metric `length` is the length of a text, where less is better.
    fn families() -> Families {
        let mut families = Families::new(Registry::default(), Tokenizers::default());
        families.set_text_scorer(|name, _| match name {
            "length" => Ok(TextScorer {
                name: name.to_owned(),
                scale: Scale::lower_is_better(0.0, f64::INFINITY),
                reference_free: true,
                needs_source: false,
                score: Arc::new(|texts| Ok(texts.iter().map(|text| text.hypothesis.len() as f64).collect())),
            }),
            other => Err(ConfigError::Conflict(format!("no metric `{other}`"))),
        });
        families.with(crate::family()).unwrap()
    }

    fn score(spec: &str, samples: &Value) -> Result<f64, String> {
        let metric = families().registry().build(spec).map_err(|error| error.to_string())?;
        let mut all = Accumulator::<_, Data>::new(&metric);
        let samples = metric.view.form.unwrap().hypothesis(samples).unwrap();
        all.push(&*samples, &[]).map_err(|error| error.to_string())?;
        all.score().map(|scored| scored.value()).map_err(|error| error.to_string())
    }

    #[test]
    fn texts_have_the_score_of_their_numbers() {
        let texts = json!(["a", "abc", "ab", "abcdefg"]);
        for end in ["best", "worst"] {
            for k in 1..=4 {
                let numbers = score(&format!("{end}:better=lower,k={k}"), &json!([1, 3, 2, 7])).unwrap();
                assert_eq!(score(&format!("{end}:of=length,k={k}"), &texts), Ok(numbers), "{end} at {k}");
            }
        }
    }

    #[test]
    fn options_of_numbers_and_missing_texts_are_refused() {
        for option in ["scale=0..1", "better=lower", "producer=mine"] {
            let error = score(&format!("best:of=length,{option}"), &json!(["a"])).unwrap_err();
            let name = option.split('=').next().unwrap();
            assert!(error.contains(&format!("`{name}` has no effect")), "{error}");
        }
        assert!(score("worst:of=width", &json!(["a"])).unwrap_err().contains("no metric `width`"));
        assert!(score("best:of=length", &json!(["a", null])).unwrap_err().contains("missing=skip"));
        assert_eq!(score("best:of=length,missing=skip", &json!(["ab", null])), Ok(2.0));
    }

    #[test]
    fn a_program_without_a_scorer_says_so() {
        let bare = Families::new(Registry::default(), Tokenizers::default()).with(crate::family()).unwrap();
        let error = bare.registry().build("best:of=length").unwrap_err().to_string();
        assert!(error.contains("this program has no scorer"), "{error}");
    }
}

//! Lets the metrics `best` and `worst`, which take the best or worst of several samples, score texts by any
//! text metric (`best:of=METRIC`). The code is here because this package knows both texts and samples.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use ::samples::{End, TextScorer, best_of_texts};

use crate::contract::{MetricEntry, OptionSpec};
use crate::eval::{Panel, PanelScratch, Request, TokenRequest};
use crate::text::{Families, Family};
use crate::{ConfigError, InputErrorKind, Metric as _, Observe as _, Result, Segment, SegmentCounts, State};

/// Returns the metrics over several samples per prompt. Their `best` and `worst` accept samples that are
/// texts, not only scores.
pub(crate) fn family() -> Family {
    let mut family = ::samples::family();
    family.composites = Some(|families| {
        // All other metrics of the family stay as they are; these two replace entries of the same names.
        let entry = |entry: &MetricEntry| match &*entry.name {
            "best" => Some(of_texts(entry, End::Best, families)),
            "worst" => Some(of_texts(entry, End::Worst, families)),
            _ => None,
        };
        ::samples::ENTRIES.iter().filter_map(entry).collect()
    });
    family
}

/// Returns the registry entry of the metric `best` or `worst`, extended by the option `of`. This option names
/// the text metric that scores the samples.
fn of_texts(numbers: &MetricEntry, end: End, families: &Families) -> MetricEntry {
    static OPTIONS: LazyLock<Vec<OptionSpec>> = LazyLock::new(|| {
        let best = ::samples::ENTRIES.iter().find(|entry| entry.name == "best");
        let options = best.map_or(&[][..], |best| best.options).iter().copied();
        options.chain([::samples::TEXTS_OF.spec]).collect()
    });
    let entry = numbers.clone();
    let numbers = numbers.clone();
    let families = families.clone();
    MetricEntry::owned(entry.name, entry.summary, move |options| {
        match ::samples::TEXTS_OF.value_in(options)? {
            // Without `of` the samples are numbers already, so the original entry builds the metric.
            None => numbers.build(options),
            Some(of) => best_of_texts(end, options, scorer(&of, &families)?),
        }
    })
    .papers(entry.papers)
    .options(&OPTIONS)
    .example(entry.example)
}

/// Creates a function that scores single texts, from the name of a text metric.
///
/// # Errors
/// Returns an error if the metric cannot be built or must learn from all references first.
fn scorer(name: &str, families: &Families) -> Result<TextScorer, ConfigError> {
    let registry = families.registry();
    let tokens = TokenRequest::default().choose(families.tokenizers())?;
    let panel = Request::new(registry, [name], tokens)?.for_sentences(registry)?.panel(registry)?;
    let refuse = |reason: &str| Err(ConfigError::Conflict(format!("of={name}: {reason}")));
    if panel.first_pass().is_some() {
        return refuse("the metric learns from all references first, and a sample is scored alone");
    }
    let Some(metric) = panel.metrics().next() else { return refuse("there is no metric") };
    let identity = metric.identity();
    let scale = metric.scale();
    // Working memory of finished calls, for reuse: calls run in several threads, and each needs separate
    // memory.
    let spare: Mutex<Vec<PanelScratch>> = Mutex::default();
    Ok(TextScorer {
        name: name.to_owned(),
        scale,
        reference_free: !identity.needs().references,
        needs_source: identity.needs().source,
        score: Arc::new(move |texts| {
            let lock = || spare.lock().unwrap_or_else(PoisonError::into_inner);
            let mut scratch = lock().pop().unwrap_or_default();
            let scores = scores(&panel, &mut scratch, texts);
            lock().push(scratch);
            scores
        }),
    })
}

fn scores(panel: &Panel, scratch: &mut PanelScratch, texts: &[Segment<'_, str>]) -> Result<Vec<f64>> {
    let mut stats: Vec<_> = texts.iter().map(|_| panel.zero()).collect();
    panel.observe_each(scratch, &mut stats, texts)?;
    let score = |(stats, text): (_, &Segment<'_, str>)| {
        let counts = SegmentCounts::of_segment(text.references.len());
        match panel.scores(&State::from_stats(panel, counts, stats)?) {
            Ok(scores) => Ok(scores.first().map_or(f64::NAN, |scored| scored.value())),
            // A single text without a score is a missing value, which the option `missing` of the samples
            // handles.
            Err(error) if matches!(error.kind(), InputErrorKind::NoScore { .. }) => Ok(f64::NAN),
            Err(error) => Err(error),
        }
    };
    stats.into_iter().zip(texts).map(score).collect()
}

#[cfg(test)]
mod tests {
    use crate::contract::{Accumulator, AnyMetric, Data, MetricEntry};
    use crate::text::Family;
    use crate::{ExactMatch, registry};

    fn score(spec: &str, prompts: &[(serde_json::Value, &[&str])]) -> Result<f64, String> {
        let metric = registry().build(spec).map_err(|error| error.to_string())?;
        let form = metric.view.form.unwrap();
        let mut all = Accumulator::<_, Data>::new(&metric);
        for (samples, references) in prompts {
            let samples = form.hypothesis(samples).unwrap();
            let references: Vec<_> =
                references.iter().map(|text| form.reference(serde_json::json!(text)).unwrap()).collect();
            let references: Vec<&Data> = references.iter().map(|one| &**one).collect();
            all.push(&*samples, &references).map_err(|error| error.to_string())?;
        }
        all.score().map(|scored| scored.value()).map_err(|error| error.to_string())
    }

    /// Checks that `best@2:of=METRIC` over texts equals `best@2` over the scores of METRIC for these texts.
    #[test]
    fn samples_of_text_are_scored_by_the_metric() {
        let samples = ["a b c d", "a b x d", "x", "a c b d e"];
        let references: &[&str] = &["a b c d e", "b c d"];
        for (of, better) in
            [("bleu", "higher"), ("chrf:word-order=2", "higher"), ("ter", "lower"), ("rougeL", "higher")]
        {
            let panel = super::scorer(of, &crate::families()).unwrap();
            let each: Vec<_> = samples.iter().map(|text| crate::Segment::new(*text, references)).collect();
            // BLEU of equal texts is 100.00000000000004, which counts as the end of its scale.
            let values = (panel.score)(&each).unwrap();
            let values: Vec<f64> = values.iter().map(|value| panel.scale.nearest(*value).unwrap()).collect();
            for end in ["best", "worst"] {
                for k in 1..=4 {
                    let texts =
                        score(&format!("{end}:of={of},k={k}"), &[(serde_json::json!(samples), references)]);
                    let numbers =
                        score(&format!("{end}:better={better},k={k}"), &[(serde_json::json!(values), &[])]);
                    assert_eq!(texts, numbers, "{end} of {of} at {k}");
                }
            }
        }
    }

    #[test]
    fn metrics_of_families_that_come_later_score_samples() {
        static MINE: &[MetricEntry] =
            &[MetricEntry::new("mine", "Equal texts", |_| AnyMetric::for_ids(ExactMatch))];
        let families = crate::families().with(Family::new("later", "Of my own").metrics(MINE)).unwrap();
        assert!(families.registry().build("best:of=mine").is_ok());
        assert!(registry().build("best:of=mine").unwrap_err().to_string().contains("mine"));
    }

    #[test]
    fn metrics_that_score_no_text_alone_are_refused() {
        for (spec, cause) in [
            ("best:of=pass", "`prompt` data"),
            ("best:of=cider", "learns from all references"),
            ("best:of=blue", "blue"),
            ("best:of=bleu,scale=0..1", "`scale`"),
            ("worst:of=best", "`prompt` data"),
        ] {
            let error = registry().build(spec).unwrap_err().to_string();
            assert!(error.contains(cause), "{spec}: {error}");
        }
        let missing = serde_json::json!(["a", null]);
        assert!(score("best:of=chrf", &[(missing.clone(), &["a"])]).unwrap_err().contains("missing=skip"));
        assert_eq!(score("best:of=chrf,missing=worst,k=2", &[(missing, &["a"])]), Ok(100.0));
        assert!(score("best:of=chrf", &[(serde_json::json!(["a"]), &[])]).is_err());
    }
}

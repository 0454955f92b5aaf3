//! Scores single texts by any text metric, for metrics over other metrics. The code is here because this package
//! knows both the metrics of families and the tokens of texts.

use std::sync::{Arc, Mutex, PoisonError};

use crate::eval::{Panel, PanelScratch, Request, TokenRequest};
use crate::text::{Families, TextScorer};
use crate::{ConfigError, InputErrorKind, Metric as _, Observe as _, Result, Segment, SegmentCounts, State};

/// Returns a function that scores single texts by the metric with this name.
///
/// # Errors
/// Returns an error if the metric cannot be built, if it observes no texts, or if it must learn from all
/// references first.
pub(crate) fn text_scorer(name: &str, families: &Families) -> Result<TextScorer, ConfigError> {
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
    use bleuprint_core::Accumulator;

    use crate::contract::{AnyMetric, MetricEntry, ViewKind};
    use crate::text::Family;
    use crate::{ExactMatch, Panel, Segment, families};

    #[test]
    fn each_text_has_the_score_of_its_metric_alone() {
        let texts = ["a b c d", "a b x d", "x", "a c b d e"];
        let references: &[&str] = &["a b c d e", "b c d"];
        let families = families();
        for of in ["bleu", "chrf:word-order=2", "ter", "rougeL"] {
            let scorer = families.text_scorer(of).unwrap();
            let segments: Vec<_> = texts.iter().map(|text| Segment::new(*text, references)).collect();
            let scores = (scorer.score)(&segments).unwrap();
            let request = crate::eval::Request::new(
                families.registry(),
                [of],
                crate::families::standard_tokens().unwrap(),
            );
            let sentences = request.unwrap().for_sentences(families.registry()).unwrap();
            let panel = sentences.panel(families.registry()).unwrap();
            for (segment, score) in segments.into_iter().zip(scores) {
                let mut alone = Accumulator::<&Panel, str>::new(&panel);
                alone.add(segment).unwrap();
                assert_eq!(score, panel.scores(alone.total()).unwrap()[0].value(), "{of}");
            }
        }
    }

    #[test]
    fn metrics_of_families_that_come_later_score_texts() {
        static MINE: &[MetricEntry] =
            &[MetricEntry::new("mine", "Equal texts", |_| AnyMetric::for_ids(ExactMatch))];
        let mine = families().with(Family::new("later", "Of my own").metrics(MINE)).unwrap();
        let score = mine.text_scorer("mine").unwrap().score;
        assert_eq!(score(&[Segment::new("a", &["a"]), Segment::new("a", &["b"])]).unwrap(), [100.0, 0.0]);
        assert!(families().text_scorer("mine").is_err());
    }

    /// A metric of the registry scores texts, or the error says why it cannot score a text alone.
    #[test]
    fn metrics_that_score_no_text_alone_are_refused() {
        let families = families();
        let mut refused = 0;
        for entry in families.registry().entries() {
            let metric = entry.build(&entry.example_options()).unwrap();
            let name = entry.example_options().named(&entry.name);
            let reason = match (metric.view.kind, metric.first_pass()) {
                (_, Some(_)) => "learns from all references first",
                (ViewKind::Own, _) => "data",
                (ViewKind::Numbers, _) => "numbers",
                (ViewKind::Vectors, _) => "vectors",
                _ => {
                    assert!(families.text_scorer(&name).is_ok(), "{name}");
                    continue;
                }
            };
            let error = families.text_scorer(&name).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(reason), "{name}: {error}");
            refused += 1;
        }
        assert!(refused > 1);
        assert!(families.text_scorer("blue").err().unwrap().to_string().contains("blue"));
    }
}

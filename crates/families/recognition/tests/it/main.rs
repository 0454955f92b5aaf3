//! Tests through the public API: reference implementations and limits. `tests/rows` has the laws and the rejected data.

mod limits;
mod naive;

use bleuprint_core::{Accumulator, Score as _, Segment};
use bleuprint_recognition::ENTRIES;
use bleuprint_registry::{AnyMetric, AnyScore, Data, Registry};
use serde_json::Value;

/// Builds a metric by its name; its option `words` names a file with this text.
fn built(name: &str, words: Option<&str>) -> Result<AnyMetric, String> {
    let registry = Registry::from_entries(ENTRIES).unwrap();
    let folder = bleuprint_testkit::Folder::new();
    let spec = registry.parse(name).map_err(|error| error.to_string())?;
    let mut options = spec.options;
    options.set_files(bleuprint_text::read::option_file);
    if let Some(text) = words {
        options.set("words", &folder.file("words.tsv", text).display().to_string());
    }
    registry.get(&spec.metric).unwrap().build(&options).map_err(|error| error.to_string())
}

/// Returns the score of hypotheses, references and sources, which are split at white space.
fn scored(metric: &AnyMetric, texts: &[[&str; 3]]) -> Result<AnyScore, String> {
    let mut all = Accumulator::<_, [&str]>::new(metric);
    for text in texts {
        let [hypothesis, reference, source] = text.map(|text| text.split_whitespace().collect::<Vec<_>>());
        let references = [&reference[..]];
        let segment = Segment::with_source(&hypothesis[..], &references, Some(&source[..]));
        all.push_segment(segment).map_err(|error| error.to_string())?;
    }
    all.score().map(|scored| scored.score).map_err(|error| error.to_string())
}

/// Returns the score of data in the metric's own form, given as JSON.
fn scored_own(metric: &AnyMetric, segments: &[(Value, Option<Value>)]) -> Result<AnyScore, String> {
    let form = metric.view.form.unwrap();
    let mut all = Accumulator::<_, Data>::new(metric);
    for (hypothesis, reference) in segments {
        let hypothesis = form.hypothesis(hypothesis).map_err(|error| error.to_string())?;
        let reference = reference.as_ref().map(|one| form.reference(one).unwrap());
        let references: Vec<&Data> = reference.iter().map(|one| &**one).collect();
        all.push(&*hypothesis, &references).map_err(|error| error.to_string())?;
    }
    all.score().map(|scored| scored.score).map_err(|error| error.to_string())
}

/// Returns a part of a score, or `None` if the score has no such part.
fn part(score: &AnyScore, key: &str) -> Option<f64> {
    let found = score.parts().into_iter().find(|part| part.key == key)?;
    match found.value {
        bleuprint_core::PartValue::Number(number) => Some(number),
        bleuprint_core::PartValue::Count(count) => Some(count as f64),
        other => panic!("{key}: {other:?}"),
    }
}

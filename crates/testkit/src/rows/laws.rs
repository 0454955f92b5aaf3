//! The laws of the contract for every metric of a family, over varied segments of its examples and cases.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bleuprint_core::{Accumulator, Case, InputErrorKind, Segment};
use bleuprint_eval::{Metrics, Panel};
use bleuprint_registry::{AnyForm, AnyMetric, Data, MetricEntry, OptionKind, ViewKind, laws};
use bleuprint_text::{Families, Family, TokenBuffer, TokenizerOptions};

use super::answer::{RowFiles, built};
use super::row::{FamilyRow, LawRow, RowSegment};
use super::vary::{drawn, shown};
use crate::draws;

/// Greatest number of segments from which the laws draw.
const DRAWN: usize = 150;
/// A usual run tests one of this number of words of options.
const WORDS_STEP: usize = 4;
/// Greatest number of texts that fit each other.
const FITTING: usize = 30;

/// A segment of data in the form of a metric, with its parts read.
struct OwnSegment {
    shown: String,
    hypothesis: Arc<Data>,
    references: Vec<Arc<Data>>,
    source: Option<Arc<Data>>,
}

/// A metric with options whose laws are tested.
struct LawMetric {
    name: String,
    built: Metrics,
    /// `true` if the metric must accept some segment. A word of an option may need data that no example has.
    is_required: bool,
}

/// Tests the metrics of a family, and returns the number of tested configurations.
pub(super) fn check(
    families: &Families,
    family: &str,
    rows: &[(String, LawRow)],
    cases: &[FamilyRow],
) -> usize {
    let family = families.get(family).unwrap_or_else(|| panic!("no family `{family}`"));
    let examples = family.metrics.iter().filter(|entry| !entry.example.is_empty()).map(|entry| {
        let segment = serde_json::from_str(entry.example);
        segment.unwrap_or_else(|error| panic!("the example of {}: {error}", entry.name))
    });
    let of_rows = rows.iter().flat_map(|(_, row)| row.segments.iter().cloned());
    let of_cases = cases.iter().flat_map(|case| case.segments.iter().cloned());
    let given: Vec<RowSegment> = examples.chain(of_rows).chain(of_cases).collect();
    let mut broken = Vec::new();
    let mut count = 0;
    for metric in metrics_of(families, family) {
        count += usize::from(obeys(families, &metric, &given, &mut broken));
    }
    for (place, row) in rows {
        let files = RowFiles::new(&row.files);
        // The segments of the row come first, because the number of varied segments has a limit.
        let given: Vec<RowSegment> = row.segments.iter().chain(&given).cloned().collect();
        for name in &row.metrics {
            let metric = built(families, &files.with_paths(name));
            let built = metric.unwrap_or_else(|error| panic!("{place}: `{}`: {name}: {error}", row.why));
            let metric = LawMetric { name: name.clone(), built, is_required: true };
            count += usize::from(obeys(families, &metric, &given, &mut broken));
        }
    }
    assert!(broken.is_empty(), "metrics that break laws:\n{}", broken.join("\n\n"));
    count
}

/// Returns the metrics of a family: with the options of the example, and with each word of an option if this word
/// needs no other option. A usual run takes every fourth word, because some metrics are slow.
fn metrics_of(families: &Families, family: &Family) -> Vec<LawMetric> {
    let mut metrics = Vec::new();
    let mut with_words = Vec::new();
    for entry in family.metrics {
        let name = entry.example_options().named(&entry.name);
        let built = self::built(families, &name).unwrap_or_else(|error| panic!("{name}: {error}"));
        metrics.push(LawMetric { name, built, is_required: true });
        for option in entry.options {
            let OptionKind::Choice(words) = option.kind else { continue };
            let names = words.iter().map(|word| named_with(entry, option.name, word));
            with_words.extend(names.filter_map(|name| {
                let built = self::built(families, &name).ok()?;
                Some(LawMetric { name, built, is_required: false })
            }));
        }
    }
    metrics.extend(with_words.into_iter().step_by(draws(1, WORDS_STEP)));
    metrics
}

fn named_with(entry: &MetricEntry, option: &str, word: &str) -> String {
    entry.example_options().with(option, word).named(&entry.name)
}

/// Tests one metric with options, and returns `false` if the metric accepts no segment and need not. Adds the broken
/// law to `broken`.
fn obeys(families: &Families, metric: &LawMetric, given: &[RowSegment], broken: &mut Vec<String>) -> bool {
    let LawMetric { name, built, is_required } = metric;
    let found = match (built.own.first(), built.panel.metrics().next()) {
        (Some((_, own)), _) => obeys_over_own(own, given),
        (None, Some(text)) if accepts_all_texts(text, &built.panel) => {
            tested(Vec::new(), &|| laws::check_any(text))
        }
        (None, Some(text)) => obeys_over_texts(families, text, &fitting_texts(&built.panel, given)),
        (None, None) => tested(Vec::new(), &|| {
            let beside = built.vectors.iter().chain(&built.numbers).map(|(_, metric)| metric);
            beside.for_each(laws::check_any);
        }),
    };
    match found {
        Obeyed::Yes => true,
        Obeyed::NoSegment => {
            if *is_required {
                broken.push(format!("{name}: the metric accepts no example and no segment of a case"));
            }
            false
        }
        Obeyed::No(message) => {
            broken.push(format!("{name}: {message}"));
            true
        }
    }
}

enum Obeyed {
    Yes,
    NoSegment,
    /// The message of the broken law.
    No(String),
}

/// Runs a test of laws. The message of a law may name segments by their numbers in `shown`.
fn tested(shown: Vec<String>, test: &dyn Fn()) -> Obeyed {
    let Err(panic) = catch_unwind(AssertUnwindSafe(test)) else { return Obeyed::Yes };
    let message = panic.downcast_ref::<String>().map_or("a panic without words", |text| text);
    let list = shown.iter().enumerate().map(|(number, shown)| format!("\n{number}: {shown}"));
    Obeyed::No(format!("{message}{}", list.collect::<String>()))
}

fn obeys_over_own(metric: &AnyMetric, given: &[RowSegment]) -> Obeyed {
    let Some(form) = metric.view.form else { panic!("{metric:?} has no form") };
    let drawn = drawn(given, DRAWN, 1, &|segment| own_segment(metric, &form, segment));
    if drawn.is_empty() {
        return Obeyed::NoSegment;
    }
    let shown = drawn.iter().map(|segment| segment.shown.clone()).collect();
    tested(shown, &|| check_own(metric, &drawn))
}

fn obeys_over_texts(families: &Families, metric: &AnyMetric, texts: &[String]) -> Obeyed {
    if texts.len() < 2 {
        return Obeyed::NoSegment;
    }
    let Some(parted) = metric.view.parted else {
        return tested(texts.to_vec(), &|| {
            laws::check_sequences::<str>(metric, |raw| texts[place(raw, texts.len())].clone());
        });
    };
    let kind = families.list().iter().flat_map(|family| family.parted).find(|kind| kind.name == parted);
    let kind = kind.unwrap_or_else(|| panic!("no family has texts of the kind `{parted}`"));
    let words = families.tokenizers().build("13a", &TokenizerOptions::default());
    let tokenizer = (kind.cut)(words.expect("13a needs no files").into(), Case::Mixed, None);
    let tokens = |text: &String| -> Vec<String> {
        let mut buffer = TokenBuffer::default();
        let tokens = tokenizer.tokenize(text, &mut buffer).unwrap_or_else(|error| panic!("{text}: {error}"));
        tokens.iter().map(str::to_owned).collect()
    };
    // The laws need sequences that own their tokens, but the tokens of a sequence of `&str` are borrowed.
    let sequences: Vec<Vec<&'static str>> = texts
        .iter()
        .map(|text| tokens(text).into_iter().map(|token| &*Box::leak(token.into_boxed_str())).collect())
        .collect();
    tested(texts.to_vec(), &|| {
        laws::check_sequences::<[&str]>(metric, |raw| sequences[place(raw, sequences.len())].clone());
    })
}

/// Returns `true` if the metric accepts the random sequences that [`laws::check_any`] draws. A metric over texts may
/// need texts of a form, or of the same length.
fn accepts_all_texts(metric: &AnyMetric, panel: &Panel) -> bool {
    if metric.view.kind != ViewKind::Text {
        return metric.view.parted.is_none();
    }
    let mut all = Accumulator::<&Panel, str>::new(panel);
    let references = ["a"];
    all.push_segment(Segment::with_source("a cat. a", &references, Some("a"))).is_ok()
}

/// Returns texts of which the metric accepts each with every other.
fn fitting_texts(panel: &Panel, given: &[RowSegment]) -> Vec<String> {
    let texts: RefCell<Vec<String>> = RefCell::default();
    let fits = |text: &str, other: &str| {
        let mut all = Accumulator::<&Panel, str>::new(panel);
        all.push(text, &[other]).is_ok() && all.push(other, &[text]).is_ok()
    };
    drawn(given, DRAWN, 1, &|segment| {
        let mut texts = texts.borrow_mut();
        for text in segment.all_references().chain([&segment.hypothesis]) {
            let text = text.as_str()?;
            let is_new = texts.len() < FITTING && texts.iter().all(|other| other != text);
            if is_new && fits(text, text) && texts.iter().all(|other| fits(text, other)) {
                texts.push(text.to_owned());
            }
        }
        texts.contains(&segment.hypothesis.as_str()?.to_owned()).then_some(())
    });
    texts.into_inner()
}

fn check_own(metric: &AnyMetric, drawn: &[OwnSegment]) {
    laws::check_any_for(metric, |raw: &[u8]| {
        let at = place(raw, drawn.len());
        let OwnSegment { hypothesis, references, source, .. } = &drawn[at];
        let part = |data: &Arc<Data>| (at, Arc::clone(data));
        (part(hypothesis), references.iter().map(part).collect::<Vec<_>>(), source.as_ref().map(part))
    });
}

/// Returns a place below `length` that depends on every byte.
fn place(raw: &[u8], length: usize) -> usize {
    raw.iter().fold(0, |place, byte| (place * 31 + usize::from(*byte)) % length)
}

fn own_segment(metric: &AnyMetric, form: &AnyForm, segment: &RowSegment) -> Option<OwnSegment> {
    let hypothesis: Arc<Data> = form.hypothesis(&segment.hypothesis).ok()?.into();
    let mut references: Vec<Arc<Data>> = Vec::new();
    for reference in segment.all_references() {
        references.push(form.reference(reference).ok()?.into());
    }
    let source: Option<Arc<Data>> = match &segment.source {
        Some(source) => Some(form.source(source).ok()?.into()),
        None => None,
    };
    let mut all = Accumulator::<&AnyMetric, Data>::new(metric);
    let list: Vec<&Data> = references.iter().map(|one| &**one).collect();
    all.push_segment(Segment::with_source(&*hypothesis, &list, source.as_deref())).ok()?;
    if let Err(error) = all.score() {
        // A definition may give a segment no number. Another error, such as a k above the number of samples, is one
        // that the laws do not allow.
        matches!(error.kind(), InputErrorKind::NoScore { .. } | InputErrorKind::CannotFinish { .. })
            .then_some(())?;
    }
    Some(OwnSegment { shown: shown(segment).to_string(), hypothesis, references, source })
}

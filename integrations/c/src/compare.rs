//! Compares the scores of systems on the same segments, with confidence intervals and significance tests.
//! Request and answer are JSON.

use std::collections::BTreeMap;
use std::ffi::c_char;
use std::sync::Arc;

use bleuprint::contract::{AnyForm, Choice, MetricOptions, MetricSpec};
use bleuprint::eval::evaluation::{
    CompareRequest, Evaluation, OwnData, Run, SegmentPart, SystemData, TextCorpus, read_own,
};
use bleuprint::eval::{Request, TokenRequest};
use bleuprint::inference::{Design, Power, Precision, ResamplePlan, Test};
use bleuprint::text::read::EmptyReferences;
use bleuprint::{Location, families};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::call::{CallError, CallResult, CallStatus, call};
use crate::numbers::number;
use crate::pointers::{OwnedBytes, text, write_bytes};
use crate::registry::require_built;

/// Largest accepted number of resamples, because the scores of all resamples must fit in memory.
const MOST_RESAMPLES: usize = 10_000_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ComparisonRequest {
    /// Metrics with their options, such as `bleu:max-order=2`.
    metrics: Vec<String>,
    systems: Vec<NamedOutput>,
    /// For each segment, the list of its references.
    #[serde(default)]
    references: Vec<Vec<Value>>,
    #[serde(default)]
    sources: Vec<Value>,
    /// Labels of the segments, such as `domain`: the name of each label, with one value for each segment.
    #[serde(default)]
    labels: BTreeMap<String, Vec<String>>,
    tokenize: Option<String>,
    lowercase: Option<bool>,
    norm: Option<String>,
    empty_references: Option<String>,
    test: Option<String>,
    /// Number of resamples for tests and intervals. If it is given, the answer also has the confidence
    /// interval of each score.
    resamples: Option<usize>,
    #[serde(default = "default_seed")]
    seed: u64,
    significance: Option<f64>,
    unit: Option<String>,
    #[serde(default)]
    by: Vec<String>,
    correction: Option<String>,
    #[serde(default = "default_most")]
    most: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedOutput {
    name: String,
    hypotheses: Vec<Value>,
}

fn default_seed() -> u64 {
    ResamplePlan::new(1).seed as u64
}

fn default_most() -> usize {
    10
}

impl ComparisonRequest {
    fn run(&self) -> CallResult<Value> {
        let test = match self.test.as_deref() {
            None => None,
            Some("bootstrap") => Some(Test::Bootstrap),
            Some("randomization") => Some(Test::Randomization),
            Some(test) => {
                return Err(CallError::argument(format!(
                    "unknown test `{test}`; expected one of: bootstrap, randomization"
                )));
            }
        };
        let default =
            if test == Some(Test::Randomization) { ResamplePlan::TRIALS } else { ResamplePlan::RESAMPLES };
        let count = self.resamples.unwrap_or(default);
        if !(1..=MOST_RESAMPLES).contains(&count) {
            let message =
                format!("the number of resamples is {count}, but must be from 1 to {MOST_RESAMPLES}");
            return Err(CallError::argument(message));
        }
        let plan = ResamplePlan { seed: u128::from(self.seed), count };
        let power = self.power()?;
        let correction = self.correction.as_deref().map(|name| choice("correction", name)).transpose()?;
        if correction.is_some() && self.systems.len() != 2 {
            let count = self.systems.len();
            return Err(CallError::argument(format!(
                "correction tests the groups of two systems, but there are {count}"
            )));
        }
        let run = self.evaluate()?;
        // The run replaces the direction by the one that each metric declares.
        let design = Design { test, plan, higher_is_better: true, power };
        let unit = self.unit.clone();
        let request = CompareRequest { design, unit, by: self.by.clone(), most: self.most, correction };
        let drawn = run.clone().by_unit(self.unit.as_deref())?;
        let mut all = Vec::new();
        for (place, comparison) in run.compare(&request)?.iter().enumerate() {
            let mut object = comparison.to_json();
            object["metric"] = json!(named(&run.specs[place]));
            object["systems"] = json!(run.systems());
            if self.resamples.is_some() {
                let tested = drawn.confidence(place, plan, Precision::Exact)?;
                object["intervals"] = tested.iter().map(|tested| tested.interval.map_or(Value::Null, |interval| {
                    json!({"mean": number(interval.mean), "lower": number(interval.lower), "upper": number(interval.upper)})
                })).collect();
                object["cautions"] =
                    tested.iter().filter_map(|tested| Some(tested.caution?.to_string())).collect();
            }
            all.push(object);
        }
        Ok(Value::Array(all))
    }

    fn power(&self) -> CallResult<Power> {
        let power = Power::default();
        match self.significance {
            None => Ok(power),
            Some(significance) if significance > 0.0 && significance < 1.0 => {
                Ok(Power { significance, ..power })
            }
            Some(significance) => Err(CallError::argument(format!(
                "significance is {significance}, but must lie between 0 and 1"
            ))),
        }
    }

    fn evaluate(&self) -> CallResult<Run> {
        let families = families();
        let registry = families.registry();
        let tokens = TokenRequest {
            tokenizer: self.tokenize.clone(),
            lowercase: self.lowercase,
            normalizer: self.norm.clone(),
            ..TokenRequest::default()
        };
        let tokens = tokens.choose(families.tokenizers())?;
        self.metrics.iter().try_for_each(|name| require_built(registry, name))?;
        let names = self.metrics.iter().flat_map(|name| registry.expand(name));
        let request = Request::new(registry, names, tokens)?;
        let metrics = request.build(registry)?;
        let forms: Vec<AnyForm> = metrics.own.iter().filter_map(|(_, metric)| metric.view.form).collect();
        let is_text = metrics.panel.metrics().len() > 0;
        let mut corpus = self.corpus(is_text)?;
        if is_text {
            corpus.add_lengths(request.tokens.tokenizer())?;
        }
        let mut known: Vec<AnyForm> = Vec::new();
        for form in forms {
            if !known.contains(&form) {
                corpus.add_own(self.own(form)?)?;
                known.push(form);
            }
        }
        let tokenizer = request.tokens.tokenizer().clone();
        Ok(Evaluation::new(request.specs, metrics, tokenizer).run(corpus)?)
    }

    fn corpus(&self, is_text: bool) -> CallResult<TextCorpus> {
        let length = self.systems.first().map_or(0, |system| system.hypotheses.len());
        for (what, count) in [("references", self.references.len()), ("sources", self.sources.len())] {
            if count != 0 && count != length {
                return Err(CallError::argument(format!(
                    "there are {length} segments, but {what} of {count}"
                )));
            }
        }
        for NamedOutput { name, hypotheses } in &self.systems {
            if hypotheses.len() != length {
                let count = hypotheses.len();
                return Err(CallError::argument(format!(
                    "there are {length} segments, but {name} has {count}"
                )));
            }
        }
        let mut corpus =
            TextCorpus::of_numbers(self.systems.iter().map(|system| system.name.as_str()), length);
        if let Some(meaning) = &self.empty_references {
            corpus.empty_references = meaning.parse::<EmptyReferences>()?;
        }
        for (at, segment) in corpus.segments.iter_mut().enumerate().filter(|_| is_text) {
            let hypotheses = self.systems.iter().map(|system| string(&system.hypotheses[at], at));
            segment.hypotheses = hypotheses.collect::<CallResult<_>>()?;
            let references = self.references.get(at).into_iter().flatten();
            segment.references = references.map(|value| string(value, at)).collect::<CallResult<_>>()?;
            segment.source = self.sources.get(at).map(|value| string(value, at)).transpose()?;
        }
        for (name, values) in &self.labels {
            corpus.add_label(name, values)?;
        }
        Ok(corpus)
    }

    fn own(&self, form: AnyForm) -> CallResult<OwnData> {
        let read = |part, what: &str, at: usize, value: &Value| {
            let read = read_own(&form, part, what, value);
            read.map_err(|error| CallError::from(error.at(Location::segment(at as u64 + 1))))
        };
        let systems = self.systems.iter().map(|system| {
            let values = system.hypotheses.iter().enumerate();
            let read = values.map(|(at, value)| read(SegmentPart::Hypothesis, &system.name, at, value));
            Ok(SystemData { hypotheses: read.collect::<CallResult<_>>()?, origin: None })
        });
        let references = self.references.iter().enumerate().map(|(at, values)| {
            values.iter().map(|value| read(SegmentPart::Reference, "a reference", at, value)).collect()
        });
        let sources = self.sources.iter().enumerate();
        let sources = sources.map(|(at, value)| read(SegmentPart::Source, "the source", at, value).map(Some));
        Ok(OwnData {
            form,
            systems: systems.collect::<CallResult<_>>()?,
            references: references.collect::<CallResult<Vec<Vec<Arc<_>>>>>()?,
            sources: sources.collect::<CallResult<_>>()?,
        })
    }
}

fn string(value: &Value, at: usize) -> CallResult<String> {
    let wrong = || CallError::argument(format!("segment {}: {value} is given, but must be text", at + 1));
    value.as_str().map(str::to_owned).ok_or_else(wrong)
}

fn choice<T: Choice + Copy>(what: &str, name: &str) -> CallResult<T> {
    let found = T::NAMES.iter().position(|known| *known == name).and_then(|place| T::ALL.get(place).copied());
    let expected = || format!("unknown {what} `{name}`; expected one of: {}", T::NAMES.join(", "));
    found.ok_or_else(|| CallError::argument(expected()))
}

/// Returns the name of a metric with its options, tokenizer, case and normalizer, as users write it:
/// `bleu:max-order=2,tokenize=zh`.
fn named(spec: &MetricSpec) -> String {
    let tokenize = spec.tokenizer.iter().map(|name| format!("tokenize={name}"));
    let lowercase = spec.lowercase.map(|lower| if lower { "lowercase" } else { "lowercase=no" });
    let norm = spec.normalizer.iter().map(|name| format!("norm={}", MetricOptions::written(name)));
    tokenize.chain(lowercase.map(str::to_owned)).chain(norm).fold(spec.name(), |name, option| {
        format!("{name}{}{option}", if name.contains(':') { ',' } else { ':' })
    })
}

/// Compares the scores of systems on the same segments. It writes a JSON list with one comparison for each
/// metric: the scores of the systems, the difference of each pair of systems with its interval and p-value,
/// and ranks.
///
/// `request` is a JSON object with these keys. Only `metrics` and `systems` are required:
///
/// - `metrics`: a list of names with options, such as `bleu:max-order=2`.
/// - `systems`: a list of objects with `name` and `hypotheses` (one for each segment).
/// - `references` (a list for each segment) and `sources` (one for each segment).
/// - `labels`: an object with the values of each label, such as `domain`, one for each segment. `by` lists
///   labels; results are given for each of their values, too. `unit` names the label whose segments are
///   resampled together.
/// - `tokenize`, `lowercase`, `norm` and `empty_references`: as in the options of `bleuprint_metric_new`.
/// - `test` (`bootstrap` or `randomization`), `significance` (the level) and `seed`.
/// - `resamples`: their number; if it is given, the answer also has the interval of each score.
/// - `correction`: the correction for multiple tests of groups, `holm` or `bh`.
/// - `most`: how many segments and n-grams with the largest effect on the difference are listed.
///
/// Threads: any thread at any time.
///
/// # Safety
/// `request` points to `length` bytes; `out` points to memory for the bytes of the answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_compare(
    request: *const c_char,
    length: usize,
    out: *mut OwnedBytes,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_bytes(out, || {
            let request: ComparisonRequest = serde_json::from_str(text(request, length, "the request")?)
                .map_err(|error| CallError::argument(format!("the request is wrong: {error}")))?;
            Ok(request.run()?.to_string().into_bytes())
        })
    })
}

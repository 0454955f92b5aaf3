//! Metrics by name and options, over text, token ids or data of their own.

use std::ffi::c_char;
use std::sync::Arc;

use bleuprint::contract::{AnyForm, Direction, MetricOptions, MetricSpec, ViewKind, column_names};
use bleuprint::eval::{ChosenTokens, Panel, PanelMetric, PanelState, Request, TokenRequest};
use bleuprint::text::read::EmptyReferences;
use bleuprint::{AnyMetric, Case, InputError, Metric as _, TokenSpace, TokenizerOptions, families};
use serde_json::{Map, Value, json};

use crate::call::{CallError, CallResult, CallStatus, call};
use crate::pointers::{OwnedBytes, free, given, text, write_bytes, write_handle};
use crate::registry::require_built;
use crate::state::StateHandle;

/// View of a metric: it takes text, or data of its own, such as turns of speakers.
pub const BLEUPRINT_TEXT: u32 = 0;
/// View of a metric: it takes token ids.
pub const BLEUPRINT_IDS: u32 = 1;

/// A metric with its options and its tokens. It never changes.
pub struct MetricHandle(pub(crate) Arc<ConfiguredMetric>);

/// A metric, ready to observe one kind of data.
pub(crate) struct ConfiguredMetric {
    request: MetricRequest,
    pub(crate) panel: Panel,
    pub(crate) data: DataKind,
    /// Weights that the metric learned from data.
    learned: Option<PanelState>,
}

/// Kind of data that a metric observes here.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum DataKind {
    Text,
    Ids,
    Own(AnyForm),
}

impl DataKind {
    pub(crate) fn words(&self) -> String {
        match self {
            DataKind::Text => "text".to_owned(),
            DataKind::Ids => "token ids".to_owned(),
            DataKind::Own(form) => form.to_string(),
        }
    }
}

/// A metric as the user asked for it.
#[derive(Clone)]
struct MetricRequest {
    spec: MetricSpec,
    tokens: TokenRequest,
    /// Name of the vocabulary of ids.
    space: Option<String>,
    ids: bool,
    empty: EmptyReferences,
}

impl MetricRequest {
    /// Reads a name with options, and further options as JSON. A tokenizer in the name has priority.
    fn new(name: &str, options: &str, view: u32) -> CallResult<Self> {
        let ids = match view {
            BLEUPRINT_TEXT => false,
            BLEUPRINT_IDS => true,
            _ => {
                return Err(CallError::argument(format!(
                    "the view is {view}, but must be 0 (text) or 1 (ids)"
                )));
            }
        };
        let families = families();
        let registry = families.registry();
        require_built(registry, name)?;
        let mut spec = registry.parse(name)?;
        let entry = registry.get(&spec.metric)?;
        let mut request = TokenRequest::default();
        let mut space = None;
        let mut empty = EmptyReferences::default();
        for (option, value) in given_options(options)? {
            let (option, value) = (option.replace('_', "-"), written(&option, &value)?);
            match &*option {
                "tokenize" => request.tokenizer = Some(value),
                "lowercase" => request.lowercase = Some(flag(&option, &value)?),
                "norm" => request.normalizer = Some(value),
                "tokenizer-model" => request.options.model = Some(value.into()),
                "dictionary" => request.options.dictionary = Some(value.into()),
                "token-space" => space = Some(value),
                "empty-references" => empty = value.parse()?,
                _ => spec.options.set(entry.option(&option)?.name, &value),
            }
        }
        // Options in the order of the registry give equal names, whatever order the user chose.
        let known = entry.options.iter();
        let ordered = known.filter_map(|option| Some((option.name, spec.options.given(option.name)?)));
        let ordered =
            ordered.fold(MetricOptions::default(), |options, (name, value)| options.with(name, value));
        spec.options = ordered;
        request.tokenizer = spec.tokenizer.take().or(request.tokenizer);
        request.lowercase = spec.lowercase.or(request.lowercase);
        request.normalizer = spec.normalizer.take().or(request.normalizer);
        spec.tokenizer.clone_from(&request.tokenizer);
        spec.lowercase = request.lowercase;
        spec.normalizer.clone_from(&request.normalizer);
        Ok(MetricRequest { spec, tokens: request, space, ids, empty })
    }

    fn metric(&self, sentence: bool) -> CallResult<AnyMetric> {
        let families = families();
        let tokens = ChosenTokens::standard()?;
        let mut request = Request { specs: vec![self.spec.clone()], tokens };
        if sentence {
            request = request.for_sentences(families.registry())?;
        }
        Ok(request.metrics(families.registry())?.remove(0))
    }

    fn build(self, sentence: bool, learned: Option<PanelState>) -> CallResult<MetricHandle> {
        let metric = self.metric(sentence)?;
        let (panel, data) = match metric.view.form {
            Some(form) => (self.over_own(metric)?, DataKind::Own(form)),
            None if self.ids => (self.over_ids(metric)?, DataKind::Ids),
            None => (self.over_text(metric)?, DataKind::Text),
        };
        let panel = match &learned {
            Some(learned) => panel.second_pass(learned)?,
            None => panel,
        };
        Ok(MetricHandle(Arc::new(ConfiguredMetric { request: self, panel, data, learned })))
    }

    fn over_own(&self, metric: AnyMetric) -> CallResult<Panel> {
        let name = metric.identity().name();
        let wanted = &metric.view;
        if self.ids {
            return Err(CallError::config(format!("{name} takes {wanted}, but the data are ids")));
        }
        if self.chooses_tokens() || self.space.is_some() {
            return Err(CallError::config(format!(
                "{name} takes {wanted}, so it takes no tokenizer, no case, no normalizer and no token space"
            )));
        }
        Ok(Panel::over_own([metric])?)
    }

    fn over_ids(&self, metric: AnyMetric) -> CallResult<Panel> {
        if self.chooses_tokens() {
            return Err(CallError::config(
                "a tokenizer, a case or a normalizer is given, but the data are ids, which need none",
            ));
        }
        let space = match &self.space {
            Some(label) => TokenSpace::new(label.as_str(), Case::Mixed)?,
            None => TokenSpace::default(),
        };
        Ok(Panel::over_ids([metric], &space)?)
    }

    fn over_text(&self, metric: AnyMetric) -> CallResult<Panel> {
        if let Some(label) = &self.space {
            return Err(CallError::config(format!(
                "the token space `{label}` says what ids stand for, but the data are text"
            )));
        }
        let TokenizerOptions { model, dictionary, .. } = &self.tokens.options;
        let files = model.is_some() || dictionary.is_some();
        let takes_files =
            self.tokens.tokenizer.is_some() && metric.view.kind != ViewKind::Text && !metric.view.fixed;
        if files && !takes_files {
            return Err(CallError::config(
                "a tokenizer's model or dictionary is given, but no tokenizer that could use it",
            ));
        }
        let chosen = self.tokens.choose(families().tokenizers())?;
        // Files belong to the chosen tokenizer. A tokenizer in the specification would be built again
        // without them.
        let tokenizer = self.spec.tokenizer.clone().filter(|_| !files);
        let spec = MetricSpec { tokenizer, ..self.spec.clone() };
        Ok(Panel::new([PanelMetric::from((metric, &spec))], &chosen)?)
    }

    fn chooses_tokens(&self) -> bool {
        let TokenRequest { tokenizer, lowercase, normalizer, options, .. } = &self.tokens;
        let files = options.model.is_some() || options.dictionary.is_some();
        tokenizer.is_some() || *lowercase == Some(true) || normalizer.is_some() || files
    }
}

/// Parses options as a JSON object; no text means no options.
fn given_options(options: &str) -> CallResult<Map<String, Value>> {
    if options.is_empty() {
        return Ok(Map::new());
    }
    serde_json::from_str(options)
        .map_err(|error| CallError::argument(format!("the options are no JSON object: {error}")))
}

/// Returns the value of an option as users write it after `=`.
fn written(option: &str, value: &Value) -> CallResult<String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Bool(true) => Ok("yes".to_owned()),
        Value::Bool(false) => Ok("no".to_owned()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Array(items) => {
            let items = items.iter().map(|item| written(option, item)).collect::<CallResult<Vec<_>>>()?;
            Ok(items.join(","))
        }
        Value::Null | Value::Object(_) => Err(CallError::config(format!(
            "the option {option} is {value}, but must be a text, a number, a boolean or a list"
        ))),
    }
}

fn flag(option: &str, value: &str) -> CallResult<bool> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(CallError::config(format!("the option {option} is `{value}`, but must be yes or no"))),
    }
}

impl ConfiguredMetric {
    /// Returns the only metric of the panel.
    pub(crate) fn metric(&self) -> CallResult<&AnyMetric> {
        let none = || CallError::from(InputError::malformed_state("a panel without a metric"));
        self.panel.metrics().next().ok_or_else(none)
    }

    pub(crate) fn spec(&self) -> &MetricSpec {
        &self.request.spec
    }

    pub(crate) fn empty_references(&self) -> EmptyReferences {
        self.request.empty
    }

    fn first_pass(&self) -> CallResult<Self> {
        let panel = self.panel.first_pass().ok_or_else(|| {
            let name = self.panel.identity().name();
            CallError::config(format!(
                "{name} has no first pass over the data, so it learns nothing from them"
            ))
        })?;
        Ok(ConfiguredMetric { request: self.request.clone(), panel, data: self.data, learned: None })
    }

    fn describe(&self) -> CallResult<Value> {
        let metric = self.metric()?;
        let identity = metric.identity();
        let scale = metric.scale();
        let (view, form) = match self.data {
            DataKind::Text => ("text", None),
            DataKind::Ids => ("ids", None),
            DataKind::Own(form) => ("own", Some(form.name)),
        };
        let columns = metric.require_rows("have columns").is_ok().then(|| column_names(metric));
        Ok(json!({
            "metric": identity.metric(),
            "name": identity.name(),
            "state_key": metric.state_key().to_string(),
            "signature": identity.signature(&Default::default()).to_string(),
            "higher_is_better": scale.direction == Direction::HigherIsBetter,
            "min": scale.min.is_finite().then_some(scale.min),
            "max": scale.max.is_finite().then_some(scale.max),
            "needs_references": identity.needs().references,
            "needs_sources": identity.needs().source,
            "one_reference": identity.needs().one_reference,
            "two_passes": self.panel.first_pass().is_some(),
            "view": view,
            "form": form,
            "columns": columns,
            "warnings": self.warnings(),
        }))
    }

    /// Returns a warning for each tokenizer that found no tokens in texts since the last call.
    fn warnings(&self) -> Vec<String> {
        let emptied = self.panel.emptied();
        let counts = emptied.iter().map(|(tokenizer, metrics, emptied)| (tokenizer, metrics, emptied.take()));
        let warning = |(tokenizer, metrics, count): (&&str, &Vec<String>, u64)| {
            format!(
                "the tokenizer `{tokenizer}` of {} leaves nothing of {count} texts with letters or digits, which \
                 then match nothing; use tokenize=word, or tokenize=char where words have no spaces between",
                metrics.join(", ")
            )
        };
        counts.filter(|(.., count)| *count > 0).map(warning).collect()
    }
}

/// Creates a metric by its name with options, such as `bleu:max-order=2`. `options` are further options as a
/// JSON object, or an empty text: those of the metric, and `tokenize`, `lowercase`, `norm`,
/// `tokenizer-model`, `dictionary`, `token-space` (of ids) and `empty-references` (`error`, `missing` or
/// `keep`). `view` is `BLEUPRINT_TEXT` or `BLEUPRINT_IDS`. You must free the metric with
/// [`bleuprint_metric_free`]; its states may live longer.
///
/// Threads: any thread at any time. All threads can use one metric at the same time.
///
/// # Safety
/// The texts have their lengths; `out` is memory for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_metric_new(
    name: *const c_char,
    name_length: usize,
    options: *const c_char,
    options_length: usize,
    view: u32,
    out: *mut *mut MetricHandle,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_handle(out, || {
            let name = text(name, name_length, "the name")?;
            let options = text(options, options_length, "the options")?;
            MetricRequest::new(name, options, view)?.build(false, None)
        })
    })
}

/// Frees a metric. It does nothing with a null pointer.
///
/// Threads: any thread, after all calls with this metric have returned.
///
/// # Safety
/// `metric` is null, or a metric that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_metric_free(metric: *mut MetricHandle) {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        free(metric);
        Ok(())
    });
}

/// Describes a metric as a JSON object: `name`, `state_key`, `signature`, `higher_is_better`, `min`, `max`,
/// `needs_references`, `needs_sources`, `one_reference`, `two_passes`, `view`, `form`, `columns`, and
/// `warnings` about the texts since the last call.
///
/// Threads: any thread at any time.
///
/// # Safety
/// `metric` is a metric; `out` is memory for an output.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_metric_describe(
    metric: *const MetricHandle,
    out: *mut OwnedBytes,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_bytes(out, || {
            let metric = given(metric, "the metric")?;
            Ok(metric.0.describe()?.to_string().into_bytes())
        })
    })
}

/// Creates the same metric with the defaults for single sentences, such as smoothing. What the metric has
/// learned stays.
///
/// Threads: any thread at any time.
///
/// # Safety
/// `metric` is a metric; `out` is memory for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_metric_for_sentences(
    metric: *const MetricHandle,
    out: *mut *mut MetricHandle,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_handle(out, || {
            let metric = &given(metric, "the metric")?.0;
            metric.request.clone().build(true, metric.learned.clone())
        })
    })
}

/// Creates the metric that learns for a metric of two passes (`two_passes` in its description). Its state over
/// the data goes into [`bleuprint_metric_second_pass`].
///
/// Threads: any thread at any time.
///
/// # Safety
/// `metric` is a metric; `out` is memory for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_metric_first_pass(
    metric: *const MetricHandle,
    out: *mut *mut MetricHandle,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_handle(out, || {
            let metric = &given(metric, "the metric")?.0;
            Ok(MetricHandle(Arc::new(metric.first_pass()?)))
        })
    })
}

/// Creates the metric that scores with what the state `learned` of its first pass has learned.
///
/// Threads: any thread; no other call may change `learned` meanwhile.
///
/// # Safety
/// `metric` is a metric and `learned` a state; `out` is memory for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bleuprint_metric_second_pass(
    metric: *const MetricHandle,
    learned: *const StateHandle,
    out: *mut *mut MetricHandle,
) -> CallStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        write_handle(out, || {
            let metric = &given(metric, "the metric")?.0;
            let learned = given(learned, "the state")?.sound()?.clone();
            let panel = metric.panel.clone().second_pass(&learned)?;
            let request = metric.request.clone();
            Ok(MetricHandle(Arc::new(ConfiguredMetric {
                request,
                panel,
                data: metric.data,
                learned: Some(learned),
            })))
        })
    })
}

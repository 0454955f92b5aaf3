//! Creates metrics by name and options. A metric scores text, token ids, or structured data such as turns of
//! speakers.

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

/// Value of `view` for a metric that scores text, or structured data such as turns of speakers.
pub const BLEUPRINT_TEXT: u32 = 0;
/// Value of `view` for a metric that scores token ids.
pub const BLEUPRINT_IDS: u32 = 1;

/// A metric with its options and its tokenizer. No call changes its settings.
pub struct MetricHandle(pub(crate) Arc<ConfiguredMetric>);

/// A metric that is built and can observe segments of one kind of data.
pub(crate) struct ConfiguredMetric {
    request: MetricRequest,
    pub(crate) panel: Panel,
    pub(crate) data: DataKind,
    /// State with the weights that the metric learned from data; `None` if it learned nothing.
    learned: Option<PanelState>,
}

/// Kind of data that a metric observes: text, token ids, or structured data.
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

/// Name and options of a metric as the user gave them, from which the metric is built.
#[derive(Clone)]
struct MetricRequest {
    spec: MetricSpec,
    tokens: TokenRequest,
    /// Name of the vocabulary that token ids come from; `None` if it is not given.
    space: Option<String>,
    ids: bool,
    empty: EmptyReferences,
}

impl MetricRequest {
    /// Parses the name of a metric with options, and further options in a JSON object. A tokenizer, case or
    /// normalizer in the name overrides the one in the JSON object.
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
            Some(form) => (self.for_own(metric)?, DataKind::Own(form)),
            None if self.ids => (self.for_ids(metric)?, DataKind::Ids),
            None => (self.for_text(metric)?, DataKind::Text),
        };
        let panel = match &learned {
            Some(learned) => panel.second_pass(learned)?,
            None => panel,
        };
        Ok(MetricHandle(Arc::new(ConfiguredMetric { request: self, panel, data, learned })))
    }

    fn for_own(&self, metric: AnyMetric) -> CallResult<Panel> {
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
        Ok(Panel::for_own([metric])?)
    }

    fn for_ids(&self, metric: AnyMetric) -> CallResult<Panel> {
        if self.chooses_tokens() {
            return Err(CallError::config(
                "a tokenizer, a case or a normalizer is given, but the data are ids, which need none",
            ));
        }
        let space = match &self.space {
            Some(label) => TokenSpace::new(label.as_str(), Case::Mixed)?,
            None => TokenSpace::default(),
        };
        Ok(Panel::for_ids([metric], &space)?)
    }

    fn for_text(&self, metric: AnyMetric) -> CallResult<Panel> {
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

/// Parses a JSON object of options; an empty text means no options.
fn given_options(options: &str) -> CallResult<Map<String, Value>> {
    if options.is_empty() {
        return Ok(Map::new());
    }
    serde_json::from_str(options)
        .map_err(|error| CallError::argument(format!("the options are no JSON object: {error}")))
}

/// Returns the value of an option as users write it after `=`: `true` becomes `yes`, and `[1, 2]` becomes
/// `1,2`.
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
    /// Returns the metric of the panel, which has exactly one metric.
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

    /// Returns a warning for each tokenizer that found no tokens in some texts since the last call of this
    /// function.
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

/// Creates a metric. `name` is its name with options, such as `bleu:max-order=2`. `view` is the kind of data:
/// `BLEUPRINT_TEXT` or `BLEUPRINT_IDS`.
///
/// `options` is a JSON object with further options, or an empty text. Besides the options of the metric, it
/// accepts `tokenize`, `lowercase`, `norm`, `tokenizer-model`, `dictionary`, `token-space` (name of the
/// vocabulary that ids come from) and `empty-references` (`error`, `missing` or `keep`: treatment of an empty
/// reference next to other references).
///
/// You must free the metric with [`bleuprint_metric_free`], before or after its states.
///
/// Threads: any thread at any time. All threads can use one metric at the same time.
///
/// # Safety
/// `name` points to `name_length` bytes and `options` to `options_length` bytes; `out` points to memory for
/// one pointer.
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

/// Writes a description of a metric as a JSON object. Its keys are `metric`, `name`, `state_key`,
/// `signature`, `higher_is_better`, `min`, `max`, `needs_references`, `needs_sources`, `one_reference`,
/// `two_passes`, `view`, `form`, `columns` and `warnings`.
///
/// `warnings` lists tokenizers that found no tokens in some texts since the last call of this function.
///
/// Threads: any thread at any time.
///
/// # Safety
/// `metric` is a metric that is not freed; `out` points to memory for the bytes.
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

/// Creates a copy of a metric with the default options for scoring single sentences, such as smoothing. The
/// copy keeps the weights that the metric has learned.
///
/// Threads: any thread at any time.
///
/// # Safety
/// `metric` is a metric that is not freed; `out` points to memory for one pointer.
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

/// Creates the metric for the first pass over the data, in which a metric such as `cider_d` learns weights.
/// Use it if `two_passes` is true in the metric's description. After the pass, give its state to
/// [`bleuprint_metric_second_pass`].
///
/// Threads: any thread at any time.
///
/// # Safety
/// `metric` is a metric that is not freed; `out` points to memory for one pointer.
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

/// Creates a copy of `metric` that scores with learned weights. `learned` is the state over the data of the
/// metric that [`bleuprint_metric_first_pass`] creates.
///
/// Threads: any thread; no other call may change `learned` meanwhile.
///
/// # Safety
/// `metric` and `learned` are not freed; `out` points to memory for one pointer.
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

//! A configured metric: parses its name and options, and builds it for one kind of data.

use bleuprint::contract::{AnyForm, MetricOptions, MetricSpec, ViewKind};
use bleuprint::eval::{ChosenTokens, Panel, PanelMetric, PanelState, Request, TokenRequest};
use bleuprint::text::read::EmptyReferences;
use bleuprint::{AnyMetric, Case, InputError, Metric as _, TokenSpace, TokenizerOptions, families};
use serde_json::{Map, Value};

use crate::call::{CallError, CallResult};
use crate::registry::require_built;

/// Value of `view` for a metric that scores text, numbers, vectors, or structured data such as turns of
/// speakers.
pub const BLEUPRINT_TEXT: u32 = 0;
/// Value of `view` for a metric that scores token ids.
pub const BLEUPRINT_IDS: u32 = 1;

/// A metric that is built and can observe segments of one kind of data.
pub(crate) struct ConfiguredMetric {
    pub(crate) request: MetricRequest,
    pub(crate) panel: Panel,
    pub(crate) data: DataKind,
    /// State with the weights that the metric learned from data; `None` if it learned nothing.
    pub(crate) learned: Option<PanelState>,
}

/// Kind of data that a metric observes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum DataKind {
    Text,
    Ids,
    Numbers,
    Vectors,
    /// Structured data of the type that the form reads.
    Own(AnyForm),
}

impl DataKind {
    pub(crate) fn words(&self) -> String {
        match self {
            DataKind::Text => "text".to_owned(),
            DataKind::Ids => "token ids".to_owned(),
            DataKind::Numbers => "numbers".to_owned(),
            DataKind::Vectors => "vectors".to_owned(),
            DataKind::Own(form) => form.to_string(),
        }
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
}

/// Name and options of a metric as the user gave them, from which the metric is built.
#[derive(Clone)]
pub(crate) struct MetricRequest {
    pub(crate) spec: MetricSpec,
    tokens: TokenRequest,
    /// Name of the vocabulary that token ids come from; `None` if it is not given.
    space: Option<String>,
    ids: bool,
    pub(crate) empty: EmptyReferences,
}

impl MetricRequest {
    /// Parses the name of a metric with options, and further options in a JSON object. A tokenizer, case or
    /// normalizer in the name overrides the one in the JSON object.
    pub(crate) fn new(name: &str, options: &str, view: u32) -> CallResult<Self> {
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

    pub(crate) fn build(self, sentence: bool, learned: Option<PanelState>) -> CallResult<ConfiguredMetric> {
        let metric = self.metric(sentence)?;
        let (panel, data) = match (metric.view.kind, metric.view.form) {
            (_, Some(form)) => (self.for_own(metric)?, DataKind::Own(form)),
            (ViewKind::Numbers, _) => (self.for_own(metric)?, DataKind::Numbers),
            (ViewKind::Vectors, _) => (self.for_own(metric)?, DataKind::Vectors),
            _ if self.ids => (self.for_ids(metric)?, DataKind::Ids),
            _ => (self.for_text(metric)?, DataKind::Text),
        };
        let panel = match &learned {
            Some(learned) => panel.second_pass(learned)?,
            None => panel,
        };
        Ok(ConfiguredMetric { request: self, panel, data, learned })
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

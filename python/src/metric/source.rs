//! Builds a panel (set of metrics) of one metric for text or ids, from a metric name with options or from a
//! Python object.

use std::sync::OnceLock;

use bleuprint::eval::{ChosenTokens, Panel, PanelMetric, Request, TokenRequest};
use bleuprint::{
    AnyMetric, Case, ConfigError, Metric as _, TokenSpace, TokenizerOptions,
    contract::{MetricOptions, MetricSpec, OptionSpec, ViewKind},
};
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;

use crate::errors::{OrRaise as _, value};
use crate::python_metric::{self, LooksAt};
use crate::registry::{registry, tokenizers};

pub(crate) enum TokenSource {
    /// Metric of the library, chosen by name, with its options and tokenizer.
    Named { spec: MetricSpec, tokens: Box<SourceTokens> },
    /// Metric written in Python, as a weak reference to its object, because the object refers to the engine.
    /// With `own_tokens`, the metric takes lists of tokens that the user made.
    Python { object: Py<PyWeakrefReference>, looks_at: LooksAt, own_tokens: bool },
}

/// Returns the default choice of tokens, which is built once: a metric is often built for one call.
fn standard() -> PyResult<&'static ChosenTokens> {
    static STANDARD: OnceLock<ChosenTokens> = OnceLock::new();
    if let Some(standard) = STANDARD.get() {
        return Ok(standard);
    }
    let standard = TokenRequest::default().choose(&tokenizers()).or_raise()?;
    Ok(STANDARD.get_or_init(|| standard))
}

#[derive(Clone, Default)]
pub(crate) struct SourceTokens {
    pub(crate) text: TokenRequest,
    /// Name that the user gave to the vocabulary of the token ids; `None` for text.
    pub(crate) space: Option<String>,
}

impl SourceTokens {
    /// Creates the token settings (tokenizer, case, normalizer or id vocabulary) from Python arguments.
    pub(crate) fn named(
        tokenizer: Option<String>,
        lowercase: Option<bool>,
        normalizer: Option<String>,
        [model, dictionary]: [Option<String>; 2],
        space: Option<String>,
    ) -> Self {
        let [model, dictionary] = [model, dictionary].map(|path| path.map(Into::into));
        let options = TokenizerOptions { model, dictionary, ..TokenizerOptions::default() };
        let text = TokenRequest { tokenizer, lowercase, normalizer, options, ..TokenRequest::default() };
        SourceTokens { text, space }
    }
}

impl TokenSource {
    /// Parses a metric name with options and adds the options in `given`. A tokenizer in `name` takes
    /// precedence over `tokens`.
    pub(crate) fn named(name: &str, given: &[(String, String)], mut tokens: SourceTokens) -> PyResult<Self> {
        let registry = registry();
        let mut spec = registry.parse(name).or_raise()?;
        let entry = registry.get(&spec.metric).or_raise()?;
        for (option, value) in given {
            let known = entry.option(option).map_err(|_| unknown_option(&spec.metric, entry.options, option));
            spec.options.set(known.or_raise()?.name, value);
        }
        // Options in the order of the registry give equal names, whatever order the user chose; `parse`
        // does the same.
        let ordered =
            entry.options.iter().filter_map(|option| Some((option.name, spec.options.given(option.name)?)));
        let ordered =
            ordered.fold(MetricOptions::default(), |options, (name, value)| options.with(name, value));
        spec.options = ordered;
        let text = &mut tokens.text;
        text.tokenizer = spec.tokenizer.take().or(text.tokenizer.take());
        text.lowercase = spec.lowercase.or(text.lowercase);
        text.normalizer = spec.normalizer.take().or(text.normalizer.take());
        (spec.tokenizer, spec.lowercase) = (text.tokenizer.clone(), text.lowercase);
        spec.normalizer = text.normalizer.clone();
        Ok(TokenSource::Named { spec, tokens: Box::new(tokens) })
    }

    /// Returns the metric's name and options in the form that users write.
    pub(crate) fn spec(&self) -> PyResult<MetricSpec> {
        match self {
            TokenSource::Named { spec, .. } => Ok(spec.clone()),
            TokenSource::Python { .. } => Ok(MetricSpec {
                metric: self.metric(false)?.identity().metric().to_owned().into(),
                options: MetricOptions::default(),
                tokenizer: None,
                lowercase: None,
                normalizer: None,
            }),
        }
    }

    pub(crate) fn metric(&self, sentence: bool) -> PyResult<AnyMetric> {
        let spec = match self {
            TokenSource::Python { own_tokens, .. } => {
                return self.with_object(|object| python_metric::erased(object, *own_tokens));
            }
            TokenSource::Named { spec, .. } => spec,
        };
        let registry = registry();
        let mut request = Request { specs: vec![spec.clone()], tokens: standard()?.clone() };
        if sentence {
            request = request.for_sentences(&registry).or_raise()?;
        }
        Ok(request.metrics(&registry).or_raise()?.remove(0))
    }

    /// Calls `look` with the Python object of a metric written in Python. Returns an error if the metric is
    /// not written in Python, or if its object was dropped.
    pub(crate) fn with_object<T>(&self, look: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> PyResult<T> {
        let TokenSource::Python { object, .. } = self else {
            return Err(value("the metric is one of the library, and none in Python"));
        };
        Python::attach(|py| look(&object.bind(py).upgrade().ok_or_else(|| value("the metric is gone"))?))
    }

    pub(crate) fn panel(&self, ids: bool, sentence: bool) -> PyResult<Panel> {
        if let TokenSource::Python { looks_at: LooksAt::Ids, .. } = self
            && !ids
        {
            let name = self.metric(sentence)?.identity().name();
            return Err(value(format!("{name} takes ids, but the data are text")));
        }
        let metric = self.metric(sentence)?;
        if let (true, TokenSource::Named { tokens, .. }) = (metric.view.form.is_some(), self) {
            return tokens.for_own(metric, ids);
        }
        let none = SourceTokens::default();
        let (spec, tokens) = match self {
            TokenSource::Named { spec, tokens } => (Some(spec), &**tokens),
            TokenSource::Python { .. } => (None, &none),
        };
        if ids { tokens.for_ids(metric) } else { tokens.for_text(metric, spec) }
    }
}

/// Names of the arguments of `bleuprint.metric` beside the options of a metric.
const SETTINGS: [&str; 8] = [
    "tokenize",
    "lowercase",
    "norm",
    "tokenizer_model",
    "dictionary",
    "token_space",
    "learned",
    "empty_references",
];

/// Returns the error for an unknown option, with the names that Python's users can write.
fn unknown_option(metric: &str, options: &[OptionSpec], given: &str) -> ConfigError {
    let own = options.iter().map(|option| option.name.replace('-', "_"));
    let known: Vec<String> = own.chain(SETTINGS.map(str::to_owned)).collect();
    ConfigError::unknown_name(&format!("option of {metric}"), &given.replace('-', "_"), known)
}

impl SourceTokens {
    fn for_ids(&self, metric: AnyMetric) -> PyResult<Panel> {
        if let Some(tokenize) = &self.text.tokenizer {
            return Err(value(format!(
                "the tokenizer `{tokenize}` is given, but the data are ids, which need none"
            )));
        }
        if self.text.lowercase == Some(true) {
            return Err(value("lowercase is given, but the data are ids, which have no case"));
        }
        if let Some(norm) = &self.text.normalizer {
            return Err(value(format!("the normalizer `{norm}` rewrites text, but the data are ids")));
        }
        let space = match &self.space {
            Some(label) => TokenSpace::new(label.as_str(), Case::Mixed).or_raise()?,
            None => TokenSpace::default(),
        };
        Panel::for_ids([metric], &space).or_raise()
    }

    fn for_own(&self, metric: AnyMetric, ids: bool) -> PyResult<Panel> {
        let name = metric.identity().name();
        let wanted = &metric.view;
        let TokenRequest { tokenizer, lowercase, normalizer, options, .. } = &self.text;
        let files = options.model.is_some() || options.dictionary.is_some();
        if tokenizer.is_some() || lowercase.is_some() || normalizer.is_some() || files || self.space.is_some()
        {
            return Err(value(format!(
                "{name} takes {wanted}, so it takes no tokenizer, no case, no normalizer and no token space"
            )));
        }
        if ids {
            return Err(value(format!("{name} takes {wanted}, but the data are ids")));
        }
        Panel::for_own([metric]).or_raise()
    }

    fn for_text(&self, metric: AnyMetric, spec: Option<&MetricSpec>) -> PyResult<Panel> {
        if let Some(label) = &self.space {
            return Err(value(format!(
                "the token space `{label}` says what ids stand for, but the data are text"
            )));
        }
        let options = &self.text.options;
        let resources = options.model.is_some() || options.dictionary.is_some();
        if resources
            && (self.text.tokenizer.is_none() || metric.view.kind == ViewKind::Text || metric.view.fixed)
        {
            return Err(value(
                "a tokenizer's model or dictionary is given, but no tokenizer that could use it",
            ));
        }
        let is_standard = self.text.tokenizer.is_none()
            && self.text.lowercase.is_none()
            && self.text.normalizer.is_none()
            && !resources;
        let chosen =
            if is_standard { standard()?.clone() } else { self.text.choose(&tokenizers()).or_raise()? };
        let metric = match spec {
            // Model and dictionary belong to the chosen tokenizer. A tokenizer in the specification would
            // be built again, without these files.
            Some(spec) if resources => {
                PanelMetric::from((metric, &MetricSpec { tokenizer: None, ..spec.clone() }))
            }
            Some(spec) => PanelMetric::from((metric, spec)),
            None => PanelMetric::from(metric),
        };
        Panel::new([metric], &chosen).or_raise()
    }
}

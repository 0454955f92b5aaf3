//! From a name and options, or an object of Python, to a panel of one metric over text or over ids.

use bleuprint::eval::{ChosenTokens, Panel, PanelMetric, SharedTokenizer};
use bleuprint::{
    AnyMetric, Case, ConfigError, MetricOptions, TokenSpace, TokenizerOptions, ViewKind, registry, tokenizer,
};
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;

use crate::errors::{OrRaise as _, value};
use crate::python_metric;

/// The source of a metric.
pub(crate) enum Source {
    /// A name and options of the registry.
    Named { name: String, options: Vec<(String, String)>, tokens: Tokens },
    /// An object with the verbs of a metric, held weakly: it holds the engine.
    Python(Py<PyWeakrefReference>),
}

/// The requested tokens.
#[derive(Default)]
pub(crate) struct Tokens {
    pub(crate) tokenize: Option<String>,
    pub(crate) lowercase: Option<bool>,
    pub(crate) model: Option<String>,
    pub(crate) dictionary: Option<String>,
    /// The vocabulary of ids.
    pub(crate) space: Option<String>,
}

/// The text of a file named by an option.
fn read_file(path: &str) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|error| ConfigError::Resource {
        what: format!("`{path}`"),
        reason: error.to_string(),
        hint: "an option of a metric names it".to_owned(),
    })
}

impl Source {
    pub(crate) fn metric(&self, sentence: bool) -> PyResult<AnyMetric> {
        let (name, given) = match self {
            Source::Python(object) => {
                return Python::attach(|py| {
                    let object = object.bind(py).upgrade();
                    python_metric::erased(&object.ok_or_else(|| value("the metric is gone"))?)
                });
            }
            Source::Named { name, options, .. } => (name, options),
        };
        let registry = registry();
        let spec = registry.parse(name).or_raise()?;
        let entry = registry.get(spec.metric).or_raise()?;
        let mut options = MetricOptions::new();
        options.set_files(read_file);
        for option in entry.options {
            if let Some(value) = spec.options.get(option.name) {
                options.set(option.name, value);
            } else if let Some(default) = option.sentence_default.filter(|_| sentence) {
                options.set_default(option.name, default);
            }
        }
        for (option, value) in given {
            options.set(entry.option(option).or_raise()?.name, value);
        }
        entry.build(&options).or_raise()
    }

    pub(crate) fn panel(&self, ids: bool, sentence: bool) -> PyResult<Panel> {
        let metric = self.metric(sentence)?;
        let default = Tokens::default();
        let tokens = match self {
            Source::Named { tokens, .. } => tokens,
            Source::Python(_) => &default,
        };
        if ids {
            return tokens.over_ids(metric);
        }
        tokens.over_text(metric)
    }
}

impl Tokens {
    fn over_ids(&self, metric: AnyMetric) -> PyResult<Panel> {
        if let Some(tokenize) = &self.tokenize {
            return Err(value(format!(
                "the tokenizer `{tokenize}` is given, but the data are ids, which need none"
            )));
        }
        if self.lowercase == Some(true) {
            return Err(value("lowercase is given, but the data are ids, which have no case"));
        }
        let space = match &self.space {
            Some(label) => TokenSpace::new(label.as_str(), Case::Mixed).or_raise()?,
            None => TokenSpace::default(),
        };
        Panel::over_ids([metric], &space).or_raise()
    }

    pub(crate) fn over_text(&self, metric: AnyMetric) -> PyResult<Panel> {
        if let Some(label) = &self.space {
            return Err(value(format!(
                "the token space `{label}` says what ids stand for, but the data are text"
            )));
        }
        let case = if self.lowercase == Some(true) { Case::Lower } else { Case::Mixed };
        let options = TokenizerOptions {
            model: self.model.as_ref().map(Into::into),
            dictionary: self.dictionary.as_ref().map(Into::into),
            case,
            ..TokenizerOptions::default()
        };
        let resources = options.model.is_some() || options.dictionary.is_some();
        let name = self.tokenize.as_deref().unwrap_or("13a");
        if resources
            && (self.tokenize.is_none() || metric.view().kind == ViewKind::Text || metric.view().fixed)
        {
            return Err(value(
                "a tokenizer's model or dictionary is given, but no tokenizer that could use it",
            ));
        }
        let shared = SharedTokenizer::from(tokenizer(name, &options).or_raise()?);
        let mut chosen = ChosenTokens::new(shared, case);
        if self.tokenize.is_none() {
            chosen = chosen.default_tokenizer();
        }
        if self.lowercase.is_none() {
            chosen = chosen.default_case();
        }
        let mut metric = PanelMetric::new(metric);
        if let Some(name) = self.tokenize.as_ref().filter(|_| !resources) {
            metric = metric.with_tokenizer(name);
        }
        if self.lowercase.is_some() {
            metric = metric.with_case(case);
        }
        Panel::new([metric], &chosen).or_raise()
    }
}

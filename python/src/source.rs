//! From a name and options, or an object of Python, to a panel of one metric over text or over ids.

use bleuprint::eval::{ChosenTokens, Panel, PanelMetric, SharedTokenizer};
use bleuprint::text::read::option_file;
use bleuprint::{
    AnyMetric, Case, Metric as _, MetricOptions, MetricSpec, TokenSpace, TokenizerOptions, ViewKind,
    registry, tokenizer,
};
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;

use crate::errors::{OrRaise as _, value};
use crate::python_metric;

/// The source of a metric.
pub(crate) enum Source {
    /// A metric of the registry with its options.
    Named { spec: MetricSpec, tokens: Box<Tokens> },
    /// An object with the verbs of a metric, held weakly: it holds the engine.
    Python(Py<PyWeakrefReference>),
}

/// The requested tokens.
#[derive(Default)]
pub(crate) struct Tokens {
    pub(crate) tokenize: Option<String>,
    pub(crate) lowercase: Option<bool>,
    /// The names of normalizers, joined by `+`.
    pub(crate) norm: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) dictionary: Option<String>,
    /// The vocabulary of ids.
    pub(crate) space: Option<String>,
}

impl Source {
    /// A metric as named, with more options. Tokens named with it are nearer than those of `tokens`.
    pub(crate) fn named(name: &str, given: &[(String, String)], mut tokens: Tokens) -> PyResult<Self> {
        let registry = registry();
        let mut spec = registry.parse(name).or_raise()?;
        let entry = registry.get(spec.metric).or_raise()?;
        for (option, value) in given {
            spec.options.set(entry.option(option).or_raise()?.name, value);
        }
        // In the order of the entry, as `parse` has them.
        let ordered =
            entry.options.iter().filter_map(|option| Some((option.name, spec.options.given(option.name)?)));
        let ordered = ordered.fold(MetricOptions::new(), |options, (name, value)| options.with(name, value));
        spec.options = ordered;
        tokens.tokenize = spec.tokenizer.take().or(tokens.tokenize);
        tokens.lowercase = spec.lowercase.or(tokens.lowercase);
        tokens.norm = spec.normalizer.take().or(tokens.norm);
        (spec.tokenizer, spec.lowercase) = (tokens.tokenize.clone(), tokens.lowercase);
        spec.normalizer = tokens.norm.clone();
        Ok(Source::Named { spec, tokens: Box::new(tokens) })
    }

    /// The metric as users name it.
    pub(crate) fn spec(&self) -> PyResult<MetricSpec> {
        match self {
            Source::Named { spec, .. } => Ok(spec.clone()),
            Source::Python(_) => Ok(MetricSpec {
                metric: python_metric::intern(self.metric(false)?.identity().metric()),
                options: MetricOptions::new(),
                tokenizer: None,
                lowercase: None,
                normalizer: None,
            }),
        }
    }

    pub(crate) fn metric(&self, sentence: bool) -> PyResult<AnyMetric> {
        let spec = match self {
            Source::Python(object) => {
                return Python::attach(|py| {
                    let object = object.bind(py).upgrade();
                    python_metric::erased(&object.ok_or_else(|| value("the metric is gone"))?)
                });
            }
            Source::Named { spec, .. } => spec,
        };
        let registry = registry();
        let entry = registry.get(spec.metric).or_raise()?;
        let mut options = spec.options.clone();
        options.set_files(option_file);
        for option in entry.options.iter().filter(|_| sentence) {
            if let Some(default) = option.sentence_default {
                options.set_default(option.name, default);
            }
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
        if let Some(norm) = &self.norm {
            return Err(value(format!("the normalizer `{norm}` rewrites text, but the data are ids")));
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
        if let Some(lower) = self.lowercase {
            metric = metric.with_lowercase(lower);
        }
        if let Some(norm) = &self.norm {
            metric = metric.with_normalizer(norm);
        }
        Panel::new([metric], &chosen).or_raise()
    }
}

//! [`Request`]: from metrics and tokens as users name them to a panel.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricSpec, Registry, ViewKind};
use bleuprint_text::read::option_file;
use bleuprint_text::{TokenizerOptions, Tokenizers};

use crate::{ChosenTokens, Panel};

/// Metrics as users name them, over the tokens that were chosen.
///
/// ```
/// use bleuprint_eval::{ChosenTokens, Request};
///
/// let registry = bleuprint_metrics::registry();
/// let request = Request::new(&registry, ["bleu", "wer:lowercase"], ChosenTokens::standard().unwrap()).unwrap();
/// let panel = request.panel(&registry).unwrap();
/// let keys: Vec<String> = panel.metrics().map(|metric| metric.state_key().to_string()).collect();
/// assert_eq!(keys, ["bleu/1|order:4|case:mixed|tok:13a", "wer/1|case:lc|tok:jiwer"]);
/// # use bleuprint_core::Metric as _;
/// ```
#[derive(Clone)]
#[expect(clippy::exhaustive_structs, reason = "closed: metrics and their tokens")]
pub struct Request {
    /// The metrics, each with its options and the tokens that were named for it alone.
    pub specs: Vec<MetricSpec>,
    /// The tokens of the other metrics.
    pub tokens: ChosenTokens,
}

impl Request {
    /// These metrics, named as for [`Registry::parse`].
    ///
    /// # Errors
    /// [`ConfigError::UnknownName`] for a metric or an option that is not known.
    pub fn new(
        registry: &Registry,
        metrics: impl IntoIterator<Item = impl AsRef<str>>,
        tokens: ChosenTokens,
    ) -> Result<Self, ConfigError> {
        let specs = metrics.into_iter().map(|name| registry.parse(name.as_ref()));
        Ok(Request { specs: specs.collect::<Result<_, _>>()?, tokens })
    }

    /// The metrics with the defaults of single sentences, over no tokens yet.
    ///
    /// # Errors
    /// A metric that is not known.
    pub fn for_sentences(mut self, registry: &Registry) -> Result<Self, ConfigError> {
        for spec in &mut self.specs {
            for option in registry.get(&spec.metric)?.options {
                if let Some(default) = option.sentence_default {
                    spec.options.set_default(option.name, default);
                }
            }
        }
        Ok(self)
    }

    /// The metrics, over no tokens yet. Files that options name are read.
    ///
    /// # Errors
    /// [`ConfigError`] of a metric.
    pub fn metrics(&self, registry: &Registry) -> Result<Vec<AnyMetric>, ConfigError> {
        let build = |spec: &MetricSpec| {
            let mut options = spec.options.clone();
            options.set_files(option_file);
            registry.get(&spec.metric)?.build(&options)
        };
        self.specs.iter().map(build).collect()
    }

    /// The metrics over text as a panel.
    ///
    /// # Errors
    /// [`ConfigError`] of a metric or a tokenizer; a metric over numbers or vectors.
    pub fn panel(&self, registry: &Registry) -> Result<Panel, ConfigError> {
        Panel::new(self.metrics(registry)?.into_iter().zip(&self.specs), &self.tokens)
    }

    /// The metrics over text, numbers, vectors and data of their own.
    ///
    /// # Errors
    /// [`ConfigError`] of a metric or a tokenizer; tokens that are named for a metric beside text.
    pub fn build(&self, registry: &Registry) -> Result<Metrics, ConfigError> {
        let mut of_text = Vec::new();
        let mut numbers = Vec::new();
        let mut vectors = Vec::new();
        let mut own = Vec::new();
        for (place, (metric, spec)) in self.metrics(registry)?.into_iter().zip(&self.specs).enumerate() {
            let kind = metric.view.kind;
            if !kind.is_beside_text() {
                of_text.push((metric, spec));
                continue;
            }
            if spec.tokenizer.is_some() || spec.lowercase.is_some() || spec.normalizer.is_some() {
                let message = format!(
                    "{} looks at {}, so it takes no tokenizer, no case and no normalizer",
                    spec.metric, metric.view
                );
                return Err(ConfigError::Conflict(message));
            }
            let of_kind = match kind {
                ViewKind::Vectors => &mut vectors,
                ViewKind::Own => &mut own,
                _ => &mut numbers,
            };
            of_kind.push((place, metric));
        }
        Ok(Metrics { panel: Panel::new(of_text, &self.tokens)?, numbers, vectors, own })
    }
}

/// Metrics over text in a panel, and those over other data with their places among all.
#[expect(clippy::exhaustive_structs, reason = "closed: every door handles each kind")]
pub struct Metrics {
    /// Those over text, in their order.
    pub panel: Panel,
    /// Those over numbers.
    pub numbers: Vec<(usize, AnyMetric)>,
    /// Those over vectors.
    pub vectors: Vec<(usize, AnyMetric)>,
    /// Those over data of their own.
    pub own: Vec<(usize, AnyMetric)>,
}

impl From<Panel> for Metrics {
    fn from(panel: Panel) -> Self {
        Metrics { panel, numbers: Vec::new(), vectors: Vec::new(), own: Vec::new() }
    }
}

/// Tokens as a user names them.
#[derive(Debug, Clone, Default)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct TokenRequest {
    /// The name of a tokenizer; without one it is `13a`, which gives way to a metric's own.
    pub tokenizer: Option<String>,
    /// True if text is lower-cased; without it the case is mixed, which gives way to a metric's own.
    pub lowercase: Option<bool>,
    /// The names of normalizers, joined by `+`.
    pub normalizer: Option<String>,
    /// The files of the tokenizer, and the ids that do not count. Its case follows from `lowercase`.
    pub options: TokenizerOptions,
}

impl TokenRequest {
    /// The name of the tokenizer.
    pub fn name(&self) -> &str {
        self.tokenizer.as_deref().unwrap_or("13a")
    }

    fn case(&self) -> Case {
        if self.lowercase == Some(true) { Case::Lower } else { Case::Mixed }
    }

    /// The options of the tokenizer, with its case.
    pub fn tokenizer_options(&self) -> TokenizerOptions {
        TokenizerOptions { case: self.case(), ..self.options.clone() }
    }

    /// The tokens, with these tokenizers and normalizers for metrics that name their own.
    ///
    /// # Errors
    /// [`ConfigError`] of the tokenizer or a normalizer.
    pub fn choose(&self, tokenizers: &Tokenizers) -> Result<ChosenTokens, ConfigError> {
        let tokenizer = tokenizers.build(self.name(), &self.tokenizer_options())?;
        let mut chosen = ChosenTokens::new(tokenizer, self.case()).with_tokenizers(tokenizers.clone());
        if let Some(chain) = &self.normalizer {
            chosen = chosen.with_normalizer(tokenizers.normalizers.build(chain)?);
        }
        Ok(chosen.asked(self.tokenizer.is_some(), self.lowercase.is_some()))
    }
}

impl ChosenTokens {
    /// The defaults of metrics named without tokens: 13a and mixed case, which give way to a metric's own.
    ///
    /// # Errors
    /// None in practice: 13a needs nothing from outside.
    pub fn standard() -> Result<Self, ConfigError> {
        TokenRequest::default().choose(&Tokenizers::default())
    }
}

//! [`Request`]: builds metrics from their names and options, with the chosen tokenizer.

use bleuprint_core::{Case, ConfigError};
use bleuprint_registry::{AnyMetric, MetricSpec, Registry, TextChoice, ViewKind};
use bleuprint_text::read::option_file;
use bleuprint_text::{TokenizerOptions, Tokenizers};

use crate::{ChosenTokens, Panel};

/// Metrics that a user named, with options, and the choice of tokenizer for all of them.
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
    /// Parsed names of the metrics, each with its options and, if given, its own tokenizer, case and
    /// normalizer.
    pub specs: Vec<MetricSpec>,
    /// Tokenizer, case and normalizer for all metrics that do not name their own.
    pub tokens: ChosenTokens,
}

impl Request {
    /// Parses names of metrics with options, in the syntax of [`Registry::parse`].
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] for an unknown metric or option, and [`ConfigError::Conflict`] for
    /// a name that two families have.
    pub fn new(
        registry: &Registry,
        metrics: impl IntoIterator<Item = impl AsRef<str>>,
        tokens: ChosenTokens,
    ) -> Result<Self, ConfigError> {
        let parse = |name: &str| {
            let spec = registry.parse(name)?;
            require_one_of_each(&tokens.tokenizers, &spec.tokenizer, &spec.normalizer)?;
            Ok(spec)
        };
        let specs = metrics.into_iter().map(|name| parse(name.as_ref())).collect::<Result<_, _>>()?;
        Ok(Request { specs, tokens })
    }

    /// Sets the options that single sentences need, such as smoothing, in all metrics that have such
    /// defaults.
    ///
    /// # Errors
    /// Returns an error for an unknown metric.
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

    /// Builds the metrics by name and options, not yet joined with a tokenizer. Reads the files that options
    /// name.
    ///
    /// # Errors
    /// Returns the [`ConfigError`] of a metric.
    pub fn metrics(&self, registry: &Registry) -> Result<Vec<AnyMetric>, ConfigError> {
        let build = |spec: &MetricSpec| {
            let mut options = spec.options.clone();
            options.set_files(option_file);
            registry.get(&spec.metric)?.build(&options)
        };
        self.specs.iter().map(build).collect()
    }

    /// Checks that each choice of tokens that the user made for all metrics changes at least one of them. All
    /// methods that build the metrics for their data call this check.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] for a tokenizer, a lower case or a normalizer that changes no metric,
    /// and the [`ConfigError`] of a metric.
    pub fn require_effect(&self, registry: &Registry) -> Result<(), ConfigError> {
        self.tokens.require_effect(self.metrics(registry)?.iter().zip(&self.specs))
    }

    /// Builds the metrics, all over text, as a panel that computes them together.
    ///
    /// # Errors
    /// Returns the [`ConfigError`] of a metric or a tokenizer, and an error for a metric over numbers,
    /// vectors or other data.
    pub fn panel(&self, registry: &Registry) -> Result<Panel, ConfigError> {
        let metrics = self.metrics(registry)?;
        self.tokens.require_effect(metrics.iter().zip(&self.specs))?;
        Panel::new(metrics.into_iter().zip(&self.specs), &self.tokens)
    }

    /// Builds all metrics, separated by the input that they take: text, numbers, vectors, or structured data.
    ///
    /// # Errors
    /// Returns the [`ConfigError`] of a metric or a tokenizer. Returns an error if a metric that does not
    /// take text names a tokenizer, a case or a normalizer. Also returns an error if such a choice for all
    /// metrics changes none of them.
    pub fn build(&self, registry: &Registry) -> Result<Metrics, ConfigError> {
        let mut of_text = Vec::new();
        let mut numbers = Vec::new();
        let mut vectors = Vec::new();
        let mut own = Vec::new();
        let metrics = self.metrics(registry)?;
        self.tokens.require_effect(metrics.iter().zip(&self.specs))?;
        for (place, (metric, spec)) in metrics.into_iter().zip(&self.specs).enumerate() {
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

/// Metrics separated by the input that they take: text, numbers that another program computed, embedding
/// vectors, or structured data.
#[expect(clippy::exhaustive_structs, reason = "closed: every interface handles each kind")]
pub struct Metrics {
    /// Metrics over text, in order, as a panel that computes them together.
    pub panel: Panel,
    /// Metrics over numbers that another program computed for each segment, each with its position among all
    /// metrics.
    pub numbers: Vec<(usize, AnyMetric)>,
    /// Metrics that take embedding vectors, each with its position among all metrics.
    pub vectors: Vec<(usize, AnyMetric)>,
    /// Metrics that take structured data in place of text, each with its position among all metrics.
    pub own: Vec<(usize, AnyMetric)>,
}

impl From<Panel> for Metrics {
    fn from(panel: Panel) -> Self {
        Metrics { panel, numbers: Vec::new(), vectors: Vec::new(), own: Vec::new() }
    }
}

/// User's choice of tokenizer, case and normalizer, by name.
#[derive(Debug, Clone, Default)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct TokenRequest {
    /// Name of the tokenizer. `None` means the metric's own default tokenizer, or `13a` if it has none.
    pub tokenizer: Option<String>,
    /// `true` to lower-case text, `false` to keep its case. `None` means the metric's own default, or mixed
    /// case if it has none.
    pub lowercase: Option<bool>,
    /// Names of text normalizers, joined by `+` in the order in which they are applied.
    pub normalizer: Option<String>,
    /// Options of the tokenizer, such as model files and token ids to ignore. The case of the tokenizer is
    /// taken from `lowercase`.
    pub options: TokenizerOptions,
    /// Choices that another part of the program uses, such as a tokenizer for the lengths of references. They
    /// are accepted even if no metric over text follows them.
    pub elsewhere: Vec<TextChoice>,
}

impl TokenRequest {
    /// Returns the name of the chosen tokenizer, or `13a` if none was chosen.
    pub fn name(&self) -> &str {
        self.tokenizer.as_deref().unwrap_or("13a")
    }

    fn case(&self) -> Case {
        if self.lowercase == Some(true) { Case::Lower } else { Case::Mixed }
    }

    /// Returns the options for building the tokenizer, including its case.
    pub fn tokenizer_options(&self) -> TokenizerOptions {
        TokenizerOptions { case: self.case(), ..self.options.clone() }
    }

    /// Builds the chosen tokenizer and normalizer. `tokenizers` has all tokenizers and normalizers that names
    /// can refer to.
    ///
    /// # Errors
    /// Returns the [`ConfigError`] of the tokenizer or of a normalizer.
    pub fn choose(&self, tokenizers: &Tokenizers) -> Result<ChosenTokens, ConfigError> {
        require_one_of_each(tokenizers, &self.tokenizer, &self.normalizer)?;
        let tokenizer = tokenizers.build(self.name(), &self.tokenizer_options())?;
        let mut chosen = ChosenTokens::new(tokenizer, self.case()).with_tokenizers(tokenizers.clone());
        if let Some(chain) = &self.normalizer {
            chosen = chosen.with_normalizer(tokenizers.normalizers.build(chain)?);
        }
        let chosen = chosen.asked(self.tokenizer.is_some(), self.lowercase.is_some());
        Ok(chosen.used_elsewhere(self.elsewhere.clone()))
    }
}

/// Returns an error if tokenizers or normalizers of two families have a name that the user gave.
fn require_one_of_each(
    tokenizers: &Tokenizers,
    tokenizer: &Option<String>,
    normalizer: &Option<String>,
) -> Result<(), ConfigError> {
    tokenizer.iter().try_for_each(|name| tokenizers.require_one(name))?;
    normalizer.iter().try_for_each(|chain| tokenizers.normalizers.require_one(chain))
}

impl ChosenTokens {
    /// Returns the default choice: the tokenizer 13a and mixed case. A metric's own default has priority over
    /// it.
    ///
    /// # Errors
    /// Returns no error in practice, because 13a needs no files.
    pub fn standard() -> Result<Self, ConfigError> {
        TokenRequest::default().choose(&Tokenizers::default())
    }
}

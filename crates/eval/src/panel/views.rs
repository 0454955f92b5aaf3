//! The tokens of each metric of a panel: [`ChosenTokens`] is the user's choice.

use std::sync::Arc;

use bleuprint_core::{AnyMetric, Case, ConfigError, Metric as _, MetricSpec, TokenSpace, ViewKind};
use bleuprint_text::{Tokenizer, TokenizerOptions, Tokenizers, tokenizer};

use crate::Encoder;

/// A tokenizer that panels share.
pub type SharedTokenizer = Arc<dyn Tokenizer>;

/// The tokens of metrics without their own, and the scope of that choice.
#[derive(Clone)]
pub struct ChosenTokens {
    tokenizer: SharedTokenizer,
    case: Case,
    /// Whether the tokenizer, and the case, were asked for; otherwise they are defaults, which give way to a metric's own.
    asked: (bool, bool),
    /// The tokenizers that metrics may name.
    tokenizers: Tokenizers,
}

impl ChosenTokens {
    /// A tokenizer and a case for every metric whose definition has none. [`Case::Lower`] is lower case as in the program
    /// whose numbers the metric gives: A to Z only for `multi-bleu.perl`.
    pub fn new(tokenizer: impl Into<SharedTokenizer>, case: Case) -> Self {
        let tokenizers = Tokenizers::default();
        ChosenTokens { tokenizer: tokenizer.into(), case, asked: (true, true), tokenizers }
    }

    /// The defaults of metrics named without tokens: 13a and mixed case, which give way to a metric's own.
    ///
    /// # Errors
    /// None in practice: 13a needs nothing from outside.
    pub fn standard() -> Result<Self, ConfigError> {
        let tokenizer = tokenizer("13a", &TokenizerOptions::default())?;
        Ok(ChosenTokens::new(tokenizer, Case::Mixed).default_tokenizer().default_case())
    }

    /// The chosen tokenizer.
    pub fn tokenizer(&self) -> &SharedTokenizer {
        &self.tokenizer
    }

    /// The tokenizers that metrics may name, in place of the standard ones.
    #[must_use]
    pub fn with_tokenizers(self, tokenizers: Tokenizers) -> Self {
        ChosenTokens { tokenizers, ..self }
    }

    /// Makes the tokenizer a default: a metric with a default of its own keeps that.
    #[must_use]
    pub fn default_tokenizer(self) -> Self {
        ChosenTokens { asked: (false, self.asked.1), ..self }
    }

    /// Makes the case a default.
    #[must_use]
    pub fn default_case(self) -> Self {
        ChosenTokens { asked: (self.asked.0, false), ..self }
    }

    /// The view of a metric: the choice for it alone, else its definition, else the choice for all, else its own default,
    /// else the default for all.
    pub(super) fn source(&self, metric: &PanelMetric) -> Result<Source, ConfigError> {
        let view = metric.metric.view();
        let keeps = |asked: bool| view.fixed || !asked;
        let own = view.tokenizer.as_ref().filter(|_| keeps(self.asked.0));
        let name = metric.tokenizer.as_ref().or(own);
        let label = name.map_or(self.tokenizer.token_space(), String::as_str);
        let case = self.case_of(metric, label, keeps(self.asked.1));
        if view.kind == ViewKind::Text {
            if let Some(name) = &metric.tokenizer {
                let metric = metric.metric.identity().name();
                let message =
                    format!("{metric} looks at text, so it takes no tokenizer, but `{name}` is given");
                return Err(ConfigError::Conflict(message));
            }
            return Ok(Source::Text(case));
        }
        let build = |name: &str| -> Result<SharedTokenizer, ConfigError> {
            let options = TokenizerOptions { case, ..TokenizerOptions::default() };
            Ok(self.tokenizers.build(name, &options)?.into())
        };
        let in_other_case = || self.tokenizer.case().is_some_and(|own| own != case);
        let shared = match name {
            Some(name) if *name != self.tokenizer.token_space() => build(name)?,
            _ if in_other_case() && self.tokenizers.get(label).is_ok() => build(label)?,
            _ => self.tokenizer.clone(),
        };
        let (ids, tokens) = (view.kind == ViewKind::Ids, view.kind == ViewKind::Tokens);
        Ok(Source::Tokenizer { encoder: Encoder::new(shared, case)?, ids, tokens })
    }

    /// The case of a metric over the tokens with this label; `own` says whether its default comes first.
    fn case_of(&self, metric: &PanelMetric, label: &str, own: bool) -> Case {
        let view = metric.metric.view();
        let entry = self.tokenizers.get(label).ok();
        let lower = entry.and_then(|entry| entry.lower_case).unwrap_or(view.lower_case);
        match (metric.case, view.case.filter(|_| own)) {
            (Some(AskedCase::Exactly(case)), _) => case,
            (Some(AskedCase::Lower), _) => lower,
            (None, Some(case)) if view.fixed || case == Case::Mixed => case,
            (None, Some(_)) => lower,
            (None, None) if self.case == Case::Lower => lower,
            (None, None) => self.case,
        }
    }
}

/// The choice of a case for one metric alone.
#[derive(Debug, Clone, Copy)]
enum AskedCase {
    /// Lower case, as the metric's program makes it.
    Lower,
    Exactly(Case),
}

/// A metric of a panel, and the choice of tokens for it alone.
pub struct PanelMetric {
    pub(super) metric: AnyMetric,
    tokenizer: Option<String>,
    case: Option<AskedCase>,
}

impl PanelMetric {
    /// A metric over the tokens of its definition, or those chosen for all.
    pub fn new(metric: AnyMetric) -> Self {
        PanelMetric { metric, tokenizer: None, case: None }
    }

    /// A metric over the tokens that a user chose for it alone, if any.
    pub fn of_spec(metric: AnyMetric, spec: &MetricSpec) -> Self {
        let metric = PanelMetric { tokenizer: spec.tokenizer.clone(), ..PanelMetric::new(metric) };
        spec.lowercase.into_iter().fold(metric, PanelMetric::with_lowercase)
    }

    /// The metric over this tokenizer, by its name among those of the panel.
    #[must_use]
    pub fn with_tokenizer(self, name: impl Into<String>) -> Self {
        PanelMetric { tokenizer: Some(name.into()), ..self }
    }

    /// The metric over text in this case.
    #[must_use]
    pub fn with_case(self, case: Case) -> Self {
        PanelMetric { case: Some(AskedCase::Exactly(case)), ..self }
    }

    /// The metric over text in lower case, as its program makes it, or as it is.
    #[must_use]
    pub fn with_lowercase(self, lower: bool) -> Self {
        PanelMetric {
            case: Some(if lower { AskedCase::Lower } else { AskedCase::Exactly(Case::Mixed) }),
            ..self
        }
    }
}

impl From<AnyMetric> for PanelMetric {
    fn from(metric: AnyMetric) -> Self {
        PanelMetric::new(metric)
    }
}

/// The source of a view.
#[derive(Clone)]
pub(super) enum Source {
    /// Text through a tokenizer, as ids, as tokens or both.
    Tokenizer { encoder: Encoder<SharedTokenizer>, ids: bool, tokens: bool },
    /// Text in a case.
    Text(Case),
    /// Given ids.
    Given(TokenSpace),
}

impl Source {
    /// The same for one metric of this view.
    pub(super) fn for_kind(&self, kind: ViewKind) -> Source {
        match self.clone() {
            Source::Tokenizer { encoder, .. } => {
                Source::Tokenizer { encoder, ids: kind == ViewKind::Ids, tokens: kind == ViewKind::Tokens }
            }
            other => other,
        }
    }

    pub(super) fn token_space(&self) -> TokenSpace {
        match self {
            Source::Tokenizer { encoder, .. } => encoder.token_space().clone(),
            Source::Text(case) => TokenSpace::text(*case),
            Source::Given(space) => space.clone(),
        }
    }
}

//! Which tokens each metric of a panel looks at: [`ChosenTokens`] is what its user chose.

use std::sync::Arc;

use bleuprint_core::{AnyMetric, Case, ConfigError, Metric as _, MetricSpec, TokenSpace, ViewKind};
use bleuprint_text::{Tokenizer, TokenizerOptions, Tokenizers};

use crate::Encoder;

/// A tokenizer that panels share.
pub type SharedTokenizer = Arc<dyn Tokenizer>;

/// The tokens of metrics that leave them to their user, and how far that choice goes.
#[derive(Clone)]
pub struct ChosenTokens {
    tokenizer: SharedTokenizer,
    case: Case,
    /// Whether the tokenizer, and the case, were asked for; else they are defaults that give way to a metric's own.
    asked: (bool, bool),
    /// Where the names are looked up that metrics give.
    tokenizers: Tokenizers,
}

impl ChosenTokens {
    /// A tokenizer and a case for every metric that is not defined over others.
    pub fn new(tokenizer: impl Into<SharedTokenizer>, case: Case) -> Self {
        let tokenizers = Tokenizers::default();
        ChosenTokens { tokenizer: tokenizer.into(), case, asked: (true, true), tokenizers }
    }

    /// The tokenizer that was chosen.
    pub fn tokenizer(&self) -> &SharedTokenizer {
        &self.tokenizer
    }

    /// The tokenizers that metrics may name, in place of the standard ones.
    #[must_use]
    pub fn with_tokenizers(self, tokenizers: Tokenizers) -> Self {
        ChosenTokens { tokenizers, ..self }
    }

    /// Says that the tokenizer is a default only: a metric with a default of its own keeps that.
    #[must_use]
    pub fn default_tokenizer(self) -> Self {
        ChosenTokens { asked: (false, self.asked.1), ..self }
    }

    /// Says that the case is a default only.
    #[must_use]
    pub fn default_case(self) -> Self {
        ChosenTokens { asked: (self.asked.0, false), ..self }
    }

    /// What a metric looks at: what was asked for it alone, else what it is defined over, else what was asked for all,
    /// else its own default, else the default of all.
    pub(super) fn source(&self, metric: &PanelMetric) -> Result<Source, ConfigError> {
        let view = metric.metric.view();
        let keeps = |asked: bool| view.fixed || !asked;
        let case = metric.case.or(view.case.filter(|_| keeps(self.asked.1))).unwrap_or(self.case);
        if view.kind == ViewKind::Text {
            if let Some(name) = &metric.tokenizer {
                let metric = metric.metric.identity().name();
                let message =
                    format!("{metric} looks at text, so it takes no tokenizer, but `{name}` is given");
                return Err(ConfigError::Conflict(message));
            }
            return Ok(Source::Text(case));
        }
        let own = view.tokenizer.as_ref().filter(|_| keeps(self.asked.0));
        let shared = match metric.tokenizer.as_ref().or(own) {
            Some(name) if *name != self.tokenizer.token_space() => {
                let options = TokenizerOptions { case, ..TokenizerOptions::default() };
                SharedTokenizer::from(self.tokenizers.build(name, &options)?)
            }
            _ => self.tokenizer.clone(),
        };
        let (ids, tokens) = (view.kind == ViewKind::Ids, view.kind == ViewKind::Tokens);
        Ok(Source::Tokenizer { encoder: Encoder::new(shared, case)?, ids, tokens })
    }
}

/// A metric of a panel, and what was asked for it alone.
pub struct PanelMetric {
    pub(super) metric: AnyMetric,
    tokenizer: Option<String>,
    case: Option<Case>,
}

impl PanelMetric {
    /// A metric over the tokens it is defined over, or those chosen for all.
    pub fn new(metric: AnyMetric) -> Self {
        PanelMetric { metric, tokenizer: None, case: None }
    }

    /// A metric over the tokens that a user asked for it alone, if any.
    pub fn of_spec(metric: AnyMetric, spec: &MetricSpec) -> Self {
        let case = spec.lowercase.map(|lower| if lower { Case::Lower } else { Case::Mixed });
        PanelMetric { metric, tokenizer: spec.tokenizer.clone(), case }
    }

    /// The metric over this tokenizer, by its name among those of the panel.
    #[must_use]
    pub fn with_tokenizer(self, name: impl Into<String>) -> Self {
        PanelMetric { tokenizer: Some(name.into()), ..self }
    }

    /// The metric over text in this case.
    #[must_use]
    pub fn with_case(self, case: Case) -> Self {
        PanelMetric { case: Some(case), ..self }
    }
}

impl From<AnyMetric> for PanelMetric {
    fn from(metric: AnyMetric) -> Self {
        PanelMetric::new(metric)
    }
}

/// Where what metrics look at comes from.
#[derive(Clone)]
pub(super) enum Source {
    /// Text through a tokenizer, as ids, as tokens or both.
    Tokenizer { encoder: Encoder<SharedTokenizer>, ids: bool, tokens: bool },
    /// Text in a case.
    Text(Case),
    /// Ids that are given as such.
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

//! The tokens of each metric of a panel: [`ChosenTokens`] is the user's choice.

use std::sync::Arc;

use bleuprint_core::{Case, ConfigError, Metric as _, TokenSpace};
use bleuprint_registry::{AnyForm, AnyMetric, MetricSpec, ViewKind};
use bleuprint_text::{Chain, NormalizerFindings, Tokenizer, TokenizerOptions, Tokenizers};

use crate::Encoder;
use crate::text_steps::TextSteps;

/// A tokenizer that panels share.
pub type SharedTokenizer = Arc<dyn Tokenizer>;

/// The tokens of metrics without their own, and the scope of that choice.
#[derive(Clone)]
pub struct ChosenTokens {
    tokenizer: SharedTokenizer,
    case: Case,
    /// For every metric without one of its own.
    normalizer: Option<Chain>,
    /// True for a tokenizer, and a case, that were asked for. The others are defaults, which give way to a metric's own.
    asked: (bool, bool),
    tokenizers: Tokenizers,
}

impl ChosenTokens {
    /// A tokenizer and a case for every metric whose definition has none. [`Case::Lower`] is lower case as in the program
    /// whose numbers the metric gives: A to Z only for `multi-bleu.perl`.
    pub fn new(tokenizer: impl Into<SharedTokenizer>, case: Case) -> Self {
        let tokenizers = Tokenizers::default();
        ChosenTokens { tokenizer: tokenizer.into(), case, normalizer: None, asked: (true, true), tokenizers }
    }

    /// The chosen tokenizer.
    pub fn tokenizer(&self) -> &SharedTokenizer {
        &self.tokenizer
    }

    /// The normalizer of every metric that names none itself: it rewrites hypotheses, references and sources alike, before
    /// their case and any tokenizer.
    #[must_use]
    pub(crate) fn with_normalizer(self, chain: Chain) -> Self {
        ChosenTokens { normalizer: Some(chain), ..self }
    }

    /// The tokenizers that metrics may name, instead of the standard ones.
    #[must_use]
    pub(crate) fn with_tokenizers(self, tokenizers: Tokenizers) -> Self {
        ChosenTokens { tokenizers, ..self }
    }

    /// Says if the tokenizer and the case were asked for. Those that were not are defaults: a metric with a default of its
    /// own keeps that.
    #[must_use]
    pub fn asked(self, tokenizer: bool, case: bool) -> Self {
        ChosenTokens { asked: (tokenizer, case), ..self }
    }

    /// The view of a metric: the choice for it alone, else its definition, else the choice for all, else its own default,
    /// else the default for all.
    pub(super) fn source(&self, metric: &PanelMetric) -> Result<TokenizerSource, ConfigError> {
        let view = &metric.metric.view;
        let keeps = |asked: bool| view.fixed || !asked;
        let own = view.tokenizer.as_ref().filter(|_| keeps(self.asked.0));
        let name = metric.tokenizer.as_ref().or(own);
        let label = name.map_or(self.tokenizer.token_space(), String::as_str);
        let case = self.case_of(metric, label, keeps(self.asked.1));
        if view.kind.is_beside_text() {
            let metric = metric.metric.identity().name();
            let kind = view;
            return Err(ConfigError::Conflict(format!("{metric} looks at {kind}, but text is given")));
        }
        if view.kind == ViewKind::Text {
            if let Some(name) = &metric.tokenizer {
                let metric = metric.metric.identity().name();
                let message =
                    format!("{metric} looks at text, so it takes no tokenizer, but `{name}` is given");
                return Err(ConfigError::Conflict(message));
            }
            let steps = self.steps(metric, case)?;
            return Ok(TokenizerSource::Text { space: steps.space(TokenSpace::text(case))?, steps });
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
        let ids = view.kind == ViewKind::Ids;
        let tokens = view.kind == ViewKind::Tokens;
        let normalizer = self.normalizer(metric)?;
        let encoder = match (view.parted, normalizer) {
            (Some(kind), normalizer) => self.of_parted(kind, shared, case, normalizer)?,
            (None, Some(chain)) => Encoder::new(shared, case)?.with_normalizer(chain)?,
            (None, None) => Encoder::new(shared, case)?,
        };
        Ok(TokenizerSource::Tokenizer { encoder, ids, tokens, parted: view.parted })
    }

    /// The encoder of texts with parts, which are normalized and cut, and nothing else of the texts.
    fn of_parted(
        &self,
        kind: &str,
        words: SharedTokenizer,
        case: Case,
        normalizer: Option<Chain>,
    ) -> Result<Encoder<SharedTokenizer>, ConfigError> {
        let Some(parted) = self.tokenizers.parted.iter().find(|parted| parted.name == kind) else {
            let message = format!("the family that reads {kind} is not among those of these tokenizers");
            return Err(ConfigError::Conflict(message));
        };
        let within = normalizer.map(|chain| (chain, NormalizerFindings::default()));
        let encoder = Encoder::new((parted.cut)(words, case, within.clone()), case)?;
        match within {
            Some((chain, findings)) => encoder.normalized_within(chain, findings),
            None => Ok(encoder),
        }
    }

    /// The normalizer of a metric: its own, else that for all.
    fn normalizer(&self, metric: &PanelMetric) -> Result<Option<Chain>, ConfigError> {
        match &metric.normalizer {
            Some(chain) => self.tokenizers.normalizers.build(chain).map(Some),
            None => Ok(self.normalizer.clone()),
        }
    }

    fn steps(&self, metric: &PanelMetric, case: Case) -> Result<TextSteps, ConfigError> {
        let steps = TextSteps::of_case(case);
        Ok(match self.normalizer(metric)? {
            Some(chain) => steps.after(chain),
            None => steps,
        })
    }

    /// The case of a metric over the tokens with this label; `own` says whether its default comes first.
    fn case_of(&self, metric: &PanelMetric, label: &str, own: bool) -> Case {
        let view = &metric.metric.view;
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
    normalizer: Option<String>,
}

impl PanelMetric {
    /// The metric over text in this case.
    #[must_use]
    pub fn with_case(self, case: Case) -> Self {
        PanelMetric { case: Some(AskedCase::Exactly(case)), ..self }
    }
}

/// A metric over the tokens of its definition, or those chosen for all.
impl From<AnyMetric> for PanelMetric {
    fn from(metric: AnyMetric) -> Self {
        PanelMetric { metric, tokenizer: None, case: None, normalizer: None }
    }
}

/// A metric over the tokens that a user chose for it alone, if any.
impl From<(AnyMetric, &MetricSpec)> for PanelMetric {
    fn from((metric, spec): (AnyMetric, &MetricSpec)) -> Self {
        let case = |lower| if lower { AskedCase::Lower } else { AskedCase::Exactly(Case::Mixed) };
        let tokenizer = spec.tokenizer.clone();
        let normalizer = spec.normalizer.clone();
        PanelMetric { metric, tokenizer, case: spec.lowercase.map(case), normalizer }
    }
}

#[derive(Clone)]
pub(super) enum TokenizerSource {
    /// Text through a tokenizer, as ids, as tokens or both.
    Tokenizer { encoder: Encoder<SharedTokenizer>, ids: bool, tokens: bool, parted: Option<&'static str> },
    /// Text after its steps.
    Text { steps: TextSteps, space: TokenSpace },
    /// Given ids.
    Given(TokenSpace),
    /// Data of this form, which their metrics name in keys themselves.
    Own(AnyForm),
}

impl TokenizerSource {
    /// The same for one metric of this view.
    pub(super) fn for_kind(&self, kind: ViewKind) -> TokenizerSource {
        match self.clone() {
            TokenizerSource::Tokenizer { encoder, parted, .. } => {
                let ids = kind == ViewKind::Ids;
                let tokens = kind == ViewKind::Tokens;
                TokenizerSource::Tokenizer { encoder, ids, tokens, parted }
            }
            other => other,
        }
    }

    pub(super) fn form(&self) -> Option<AnyForm> {
        match self {
            TokenizerSource::Own(form) => Some(*form),
            _ => None,
        }
    }

    pub(super) fn parted(&self) -> Option<&'static str> {
        match self {
            TokenizerSource::Tokenizer { parted, .. } => *parted,
            _ => None,
        }
    }

    pub(super) fn token_space(&self) -> TokenSpace {
        match self {
            TokenizerSource::Tokenizer { encoder, .. } => encoder.token_space().clone(),
            TokenizerSource::Text { space, .. } | TokenizerSource::Given(space) => space.clone(),
            TokenizerSource::Own(_) => TokenSpace::default(),
        }
    }

    pub(super) fn normalizer(&self) -> Option<(&str, &NormalizerFindings)> {
        match self {
            TokenizerSource::Tokenizer { encoder, .. } => encoder.normalizer(),
            TokenizerSource::Text { steps, .. } => steps.findings(),
            TokenizerSource::Given(_) | TokenizerSource::Own(_) => None,
        }
    }
}

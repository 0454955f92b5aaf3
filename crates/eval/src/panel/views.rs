//! [`ChosenTokens`]: the user's choice of tokenizer, case and normalizer, and how it is combined with the
//! defaults of each metric.

use std::sync::Arc;

use bleuprint_core::{Case, ConfigError, Metric as _, TokenSpace};
use bleuprint_registry::{AnyForm, AnyMetric, MetricSpec, TextChoice, ViewKind};
use bleuprint_text::{Chain, Normalizer, NormalizerFindings, Tokenizer, TokenizerOptions, Tokenizers};

use crate::Encoder;
use crate::text_steps::TextSteps;

/// Tokenizer that several metrics and threads can share.
pub type SharedTokenizer = Arc<dyn Tokenizer>;

/// Choice of tokenizer, case and normalizer for every metric that does not fix them itself.
#[derive(Clone)]
pub struct ChosenTokens {
    tokenizer: SharedTokenizer,
    case: Case,
    /// Text normalizer of every metric for which the user chose none separately.
    normalizer: Option<Chain>,
    /// Two flags: `true` if the user chose the tokenizer, and `true` if the user chose the case. A metric's
    /// own default has priority over a choice that no user made.
    asked: (bool, bool),
    /// Choices that may have no effect on the metrics, because another part of the program uses them.
    elsewhere: Vec<TextChoice>,
    pub(crate) tokenizers: Tokenizers,
}

impl ChosenTokens {
    /// Chooses a tokenizer and a case for every metric whose definition fixes none. [`Case::Lower`]
    /// lower-cases as the metric's original program does; for `multi-bleu.perl` this changes only A to Z.
    pub fn new(tokenizer: impl Into<SharedTokenizer>, case: Case) -> Self {
        let tokenizers = Tokenizers::default();
        ChosenTokens {
            tokenizer: tokenizer.into(),
            case,
            normalizer: None,
            asked: (true, true),
            elsewhere: Vec::new(),
            tokenizers,
        }
    }

    /// Returns the tokenizer that was chosen for all metrics.
    pub fn tokenizer(&self) -> &SharedTokenizer {
        &self.tokenizer
    }

    /// Sets the text normalizer of every metric for which the user chose none separately. The normalizer
    /// rewrites hypotheses, references and sources before the change of case and before tokenization.
    #[must_use]
    pub(crate) fn with_normalizer(self, chain: Chain) -> Self {
        ChosenTokens { normalizer: Some(chain), ..self }
    }

    /// Replaces the set of tokenizers that metrics can refer to by name.
    #[must_use]
    pub(crate) fn with_tokenizers(self, tokenizers: Tokenizers) -> Self {
        ChosenTokens { tokenizers, ..self }
    }

    /// Sets two flags: `true` if the user chose the tokenizer, and `true` if the user chose the case. A
    /// metric's own default has priority over a choice that no user made.
    #[must_use]
    pub fn asked(self, tokenizer: bool, case: bool) -> Self {
        ChosenTokens { asked: (tokenizer, case), ..self }
    }

    /// Sets the choices that another part of the program uses; metrics need not follow them.
    #[must_use]
    pub(crate) fn used_elsewhere(self, elsewhere: Vec<TextChoice>) -> Self {
        ChosenTokens { elsewhere, ..self }
    }

    /// Checks that each choice of the user changes at least one of these metrics. Every interface builds its
    /// metrics through this check, so that no interface takes a choice without an effect.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] for a tokenizer, a lower case or a normalizer that changes no metric.
    pub(crate) fn require_effect<'m>(
        &self,
        metrics: impl Iterator<Item = (&'m AnyMetric, &'m MetricSpec)> + Clone,
    ) -> Result<(), ConfigError> {
        let Some((first, spec)) = metrics.clone().next() else { return Ok(()) };
        let for_text = metrics.clone().any(|(metric, _)| !metric.view.kind.is_beside_text());
        let label = self.tokenizer.token_space();
        let normalizer = self.normalizer.as_ref().map(Normalizer::name).unwrap_or_default();
        let choices = [
            (TextChoice::Tokenizer, self.asked.0, "tokenizer", "tokenize", label),
            (TextChoice::Case, self.asked.1 && self.case != Case::Mixed, "case", "lowercase", "yes"),
            (TextChoice::Normalizer, self.normalizer.is_some(), "normalizer", "norm", normalizer),
        ];
        for (choice, _, what, option, value) in choices.into_iter().filter(|(_, asked, ..)| *asked) {
            let own = |spec: &MetricSpec| match choice {
                TextChoice::Tokenizer => spec.tokenizer.is_some(),
                TextChoice::Case => spec.lowercase.is_some(),
                TextChoice::Normalizer => spec.normalizer.is_some(),
            };
            let used = metrics.clone().any(|(metric, spec)| !own(spec) && metric.view.follows(choice));
            if used || for_text && self.elsewhere.contains(&choice) {
                continue;
            }
            let name = &spec.metric;
            let reason = match &first.view {
                _ if own(spec) => format!("{name} chooses its own {what}"),
                view if view.kind.is_beside_text() => {
                    format!("{name} looks at {view}, so it takes no tokenizer, no case and no normalizer")
                }
                view if choice == TextChoice::Tokenizer && view.kind == ViewKind::Text => {
                    format!("{name} looks at text, so it takes no tokenizer")
                }
                _ => format!(
                    "the definition of {name} has its own {what}, which {name}:{option}={value} changes"
                ),
            };
            return Err(ConfigError::Conflict(format!(
                "{option}={value} is given for all metrics, but {reason}"
            )));
        }
        Ok(())
    }

    /// Returns how texts are prepared and tokenized for a metric. The user's choice for this metric has
    /// priority, then the metric's definition, the choice for all metrics, the metric's default, and the
    /// default for all metrics.
    pub(super) fn source(&self, metric: &PanelMetric) -> Result<TokenizerSource, ConfigError> {
        let view = &metric.metric.view;
        let keeps = |asked: bool| view.fixed || !asked;
        // A fixed definition cannot be changed; a metric's own default holds only if the user chose nothing.
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
        // A tokenizer with its own case was built for one case, so it is built again for another.
        let in_other_case = || self.tokenizer.case().is_some_and(|own| own != case);
        let shared = match name {
            Some(name) if *name != self.tokenizer.token_space() => build(name)?,
            // A tokenizer of the user has no entry to build it from; `Encoder::new` then reports the
            // conflict.
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

    /// Returns the encoder of texts that consist of parts in markup, such as dialogue turns. Only the parts
    /// are normalized and tokenized, not the markup around them.
    fn of_parted(
        &self,
        kind: &str,
        words: SharedTokenizer,
        case: Case,
        normalizer: Option<Chain>,
    ) -> Result<Encoder<SharedTokenizer>, ConfigError> {
        let Some(parted) = self.tokenizers.parted.iter().find(|parted| parted.name == kind) else {
            let message =
                format!("no tokenizer reads {kind}: add the family of metrics that does to these tokenizers");
            return Err(ConfigError::Conflict(message));
        };
        let within = normalizer.map(|chain| (chain, NormalizerFindings::default()));
        let encoder = Encoder::new((parted.cut)(words, case, within.clone()), case)?;
        match within {
            Some((chain, findings)) => encoder.normalized_within(chain, findings),
            None => Ok(encoder),
        }
    }

    /// Returns the text normalizer of a metric: the normalizer that was chosen for it, otherwise the choice
    /// for all metrics.
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

    /// Returns the case (mixed or lower) in which a metric sees text that the tokenizer `label` splits. If
    /// `own` is `true`, the metric's default case has priority over the user's choice for all metrics.
    fn case_of(&self, metric: &PanelMetric, label: &str, own: bool) -> Case {
        let view = &metric.metric.view;
        let entry = self.tokenizers.get(label).ok();
        let lower = entry.and_then(|entry| entry.lower_case).unwrap_or(view.lower_case);
        match (metric.case, view.case.filter(|_| own)) {
            (Some(AskedCase::Exactly(case)), _) => case,
            (Some(AskedCase::Lower), _) => lower,
            // A fixed case, and mixed case, mean the same for every tokenizer. Other cases depend on how the
            // program lower-cases.
            (None, Some(case)) if view.fixed || case == Case::Mixed => case,
            (None, Some(_)) => lower,
            (None, None) if self.case == Case::Lower => lower,
            (None, None) => self.case,
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum AskedCase {
    /// Lower case, in the way of the metric's original program, which may change only A to Z.
    Lower,
    Exactly(Case),
}

/// Metric with the tokenizer, case and normalizer that the user chose only for it, to be added to a panel.
pub struct PanelMetric {
    pub(super) metric: AnyMetric,
    tokenizer: Option<String>,
    case: Option<AskedCase>,
    normalizer: Option<String>,
}

impl PanelMetric {
    /// Sets the case (mixed or lower) of the text that the metric sees.
    #[must_use]
    pub fn with_case(self, case: Case) -> Self {
        PanelMetric { case: Some(AskedCase::Exactly(case)), ..self }
    }
}

/// Creates a metric without a separate choice of tokenizer, case and normalizer: the metric's definition
/// decides, otherwise the choice for all metrics.
impl From<AnyMetric> for PanelMetric {
    fn from(metric: AnyMetric) -> Self {
        PanelMetric { metric, tokenizer: None, case: None, normalizer: None }
    }
}

/// Creates a metric with the tokenizer, case and normalizer that its specification names, if any.
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
    /// Text that a tokenizer splits; metrics read token ids, token texts or both.
    Tokenizer { encoder: Encoder<SharedTokenizer>, ids: bool, tokens: bool, parted: Option<&'static str> },
    /// Text that is normalized and changed in case but not tokenized.
    Text { steps: TextSteps, space: TokenSpace },
    /// Token ids that the caller gives in place of text; the token space names the vocabulary that they come
    /// from.
    Given(TokenSpace),
    /// Numbers, vectors or structured data, which metrics take in place of text; the form reads structured
    /// data.
    Own(ViewKind, Option<AnyForm>),
}

/// Returns the tokenizer of texts that are token ids in decimal digits.
#[cfg(feature = "store")]
pub(crate) fn id_tokenizer() -> Result<SharedTokenizer, ConfigError> {
    Ok(bleuprint_text::tokenizer("ids", &TokenizerOptions::default())?.into())
}

impl TokenizerSource {
    /// Returns the preparation of texts that are token ids in decimal digits, from the vocabulary `space`.
    #[cfg(feature = "store")]
    pub(super) fn id_texts(space: &TokenSpace, kind: ViewKind) -> Result<TokenizerSource, ConfigError> {
        let encoder = Encoder::new(id_tokenizer()?, Case::Mixed)?.over(space.clone());
        let ids = kind == ViewKind::Ids;
        let tokens = kind == ViewKind::Tokens;
        Ok(TokenizerSource::Tokenizer { encoder, ids, tokens, parted: None })
    }

    /// Returns this text preparation for a single metric: the tokenizer produces only token ids or only token
    /// texts, as the metric's kind needs.
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
            TokenizerSource::Own(_, form) => *form,
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
            TokenizerSource::Own(..) => TokenSpace::default(),
        }
    }

    pub(super) fn normalizer(&self) -> Option<(&str, &NormalizerFindings)> {
        match self {
            TokenizerSource::Tokenizer { encoder, .. } => encoder.normalizer(),
            TokenizerSource::Text { steps, .. } => steps.findings(),
            TokenizerSource::Given(_) | TokenizerSource::Own(..) => None,
        }
    }
}

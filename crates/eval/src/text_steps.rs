//! [`TextSteps`]: the steps that change a text before it is tokenized: a normalizer, then a change of case.

use bleuprint_core::{Case, ConfigError, TokenSpace};
use bleuprint_text::{Chain, Normalizer as _, NormalizerFindings, lowercase, lowercase_ascii};

/// An optional normalizer and a case. Clones share the findings about the normalizer.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextSteps {
    normalizer: Option<(Chain, NormalizerFindings)>,
    case: Case,
}

#[derive(Debug, Default)]
pub(crate) struct Rewritten {
    text: String,
    spare: String,
}

impl TextSteps {
    pub(crate) fn of_case(case: Case) -> Self {
        TextSteps { normalizer: None, case }
    }

    pub(crate) fn after(self, chain: Chain) -> Self {
        TextSteps { normalizer: Some((chain, NormalizerFindings::default())), ..self }
    }

    pub(crate) fn space(&self, space: TokenSpace) -> Result<TokenSpace, ConfigError> {
        match &self.normalizer {
            Some((chain, _)) => space.with_normalizer(chain.name()),
            None => Ok(space),
        }
    }

    pub(crate) fn findings(&self) -> Option<(&str, &NormalizerFindings)> {
        self.normalizer.as_ref().map(|(chain, findings)| (chain.name(), findings))
    }

    /// Returns `true` if the steps change no text.
    pub(crate) fn are_none(&self) -> bool {
        self.normalizer.is_none() && self.case == Case::Mixed
    }

    /// Returns the text after the steps (normalizer and case); a text that a step changes is written to
    /// `memory`.
    #[inline]
    pub(crate) fn apply<'t>(&self, text: &'t str, is_reference: bool, memory: &'t mut Rewritten) -> &'t str {
        let Some((chain, findings)) = &self.normalizer else {
            return if cased(self.case, text, &mut memory.text) { &memory.text } else { text };
        };
        let Rewritten { text: rewritten, spare } = memory;
        rewritten.clear();
        rewritten.push_str(text);
        chain.normalize(rewritten, spare);
        findings.look_at(text, rewritten, is_reference);
        // The normalizer's work buffer is free again, so the lower-cased text can use it.
        if cased(self.case, rewritten, spare) { spare } else { rewritten }
    }
}

/// Writes the text in this case to `out`; returns `false` without writing if the case is mixed.
#[inline]
fn cased(case: Case, text: &str, out: &mut String) -> bool {
    match case {
        Case::Mixed => return false,
        Case::Lower => lowercase(text, out),
        Case::LowerAscii => lowercase_ascii(text, out),
    }
    true
}

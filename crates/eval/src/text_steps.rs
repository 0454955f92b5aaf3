//! [`TextSteps`]: changes a text before it is tokenized: first by a normalizer, then to lower case if chosen.

use bleuprint_core::{Case, ConfigError, TokenSpace};
use bleuprint_text::{Chain, Normalizer as _, NormalizerFindings, lowercase, lowercase_ascii};

/// Changes of a text before it is tokenized: an optional normalizer, then a change of case. Clones share the
/// counts of the normalizer's changes.
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

    /// Returns `true` if there is neither a normalizer nor a change of case, so that no text is changed.
    pub(crate) fn are_none(&self) -> bool {
        self.normalizer.is_none() && self.case == Case::Mixed
    }

    /// Applies the normalizer and the change of case to a text, and returns the result. A text that changes
    /// is written to `memory`.
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

/// Writes the text, changed to the given case, to `out`. Returns `false` without writing if the case is
/// mixed, which changes nothing.
#[inline]
fn cased(case: Case, text: &str, out: &mut String) -> bool {
    match case {
        Case::Mixed => return false,
        Case::Lower => lowercase(text, out),
        Case::LowerAscii => lowercase_ascii(text, out),
    }
    true
}

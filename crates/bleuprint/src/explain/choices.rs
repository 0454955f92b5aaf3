//! [`NumberSettings`]: a combination of BLEU settings, such as tokenizer, letter case and smoothing, that may
//! explain a reported score. It is printed as command-line options; combinations are ordered from common to
//! rare.

use crate::metrics::Dialect;
use crate::text::Tokenizers;
use crate::{
    Bleu, Case,
    contract::Choice,
    metrics::{RefLen, Smoothing},
};

use super::cause::Cause;

/// Names of the tokenizers that are tried by default: the tokenizers of sacreBLEU that need no dictionary or
/// model, and the tokenizers of the Perl scripts multi-bleu and mteval.
pub const TOKENIZERS: &[&str] = &["13a", "none", "intl", "zh", "char", "ascii-space", "mteval"];

/// Combination of BLEU settings that may explain a reported score.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NumberSettings {
    /// Name of the tokenizer that the score was computed with.
    pub tokenizer: String,
    /// Letter case in which tokens are compared.
    pub case: Case,
    /// Highest n-gram order.
    pub order: usize,
    /// Formula that turns n-gram counts into the score.
    pub finisher: NumberFinisher,
    /// Mistake that was made besides these settings, such as swapped files; `None` for correct use.
    pub cause: Option<Cause>,
}

/// Formula that turns n-gram counts into a BLEU score.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "closed: options or a dialect")]
pub enum NumberFinisher {
    /// sacreBLEU's formula, with this smoothing and this rule for choosing the reference length if there are
    /// several references.
    Options(Smoothing, RefLen),
    /// Formula of another program (a "dialect" of BLEU), by its name, such as `nltk:method1`.
    Dialect(&'static str),
}

impl NumberFinisher {
    /// sacreBLEU's default BLEU formula: exponential smoothing and the closest reference length.
    pub(super) const DEFAULT: NumberFinisher = NumberFinisher::Options(Smoothing::Exp, RefLen::Closest);
}

/// Common BLEU settings, the most common first. Each has a tokenizer and case (`None` for the defaults of the
/// formula's program), and the name of a formula (empty for sacreBLEU's default).
const USUAL: &[(Option<(&str, Case)>, &str)] = &[
    (None, ""),
    (Some(("13a", Case::Lower)), ""),
    (Some(("intl", Case::Mixed)), ""),
    (Some(("zh", Case::Mixed)), ""),
    (None, "nltk:method0"),
    (None, "nltk:method1"),
    (None, "hf"),
    (None, "multi-bleu"),
    (None, "mteval:v13a"),
    (None, "sacrebleu:exp:eff"),
    (Some(("char", Case::Mixed)), ""),
    (Some(("none", Case::Mixed)), ""),
    (None, "hf:smooth"),
    (Some(("ascii-space", Case::LowerAscii)), "multi-bleu"),
    (Some(("mteval", Case::Mixed)), "mteval:v13a"),
    (None, "multi-bleu-detok"),
    (Some(("mteval", Case::Lower)), "multi-bleu-detok"),
    (None, "nltk:method2"),
    (None, "nltk:method4"),
    (None, "nltk:method3"),
    (None, "sacrebleu:none"),
    (None, "sacrebleu:floor"),
    (None, "sacrebleu:add-k"),
    (None, "torchmetrics"),
    (None, "nltk:method7"),
    (None, "nltk:method5"),
    (None, "nltk:method6"),
    (None, "codexglue"),
    (Some(("intl", Case::Lower)), ""),
    (Some(("none", Case::Lower)), ""),
    (Some(("char", Case::Lower)), ""),
];

/// Prefixes of the names of BLEU formulas whose sentence scores are often averaged.
const OF_SENTENCES: [&str; 4] = ["sacrebleu:exp:eff", "nltk:", "hf", "codexglue"];

/// Sort key of BLEU settings that are not in the list of common settings. It is larger than all keys of
/// common settings, so uncommon settings are listed last.
const RARE: usize = 200;

impl NumberSettings {
    /// Creates BLEU settings for correct use, without a mistake such as swapped files.
    pub(crate) fn plain(tokenizer: &str, case: Case, order: usize, finisher: NumberFinisher) -> Self {
        NumberSettings { tokenizer: tokenizer.to_owned(), case, order, finisher, cause: None }
    }

    /// Returns the differences from sacreBLEU's default settings as command-line options. The default is 13a,
    /// mixed case, order 4, smoothing exp and the closest reference. With another program's formula,
    /// tokenizer and case are compared with that program's defaults.
    pub fn changes(&self) -> Vec<String> {
        let [options, others] = self.differences();
        let mut changes = others;
        if !options.is_empty() {
            changes.insert(0, format!("-m bleu:{}", options.join(",")));
        }
        changes
    }

    /// Returns the number of settings of BLEU that differ from sacreBLEU's defaults.
    pub fn distance(&self) -> usize {
        self.differences().iter().map(Vec::len).sum()
    }

    /// Returns two lists of differences from sacreBLEU's default settings: BLEU options, and everything else.
    fn differences(&self) -> [Vec<String>; 2] {
        let mut options = Vec::new();
        let mut others = Vec::new();
        match self.finisher {
            NumberFinisher::Dialect(name) => options.push(format!("dialect={name}")),
            NumberFinisher::Options(smoothing, ref_len) => {
                if smoothing != Smoothing::Exp {
                    options.push(format!("smooth-method={}", smoothing.name()));
                }
                if ref_len != RefLen::Closest {
                    options.push(format!("ref-len={}", ref_len.name()));
                }
            }
        }
        if self.order != Bleu::DEFAULT_MAX_ORDER {
            options.push(format!("max-order={}", self.order));
        }
        let (tokenizer, case) = own_tokens(self.finisher);
        if self.tokenizer != tokenizer {
            others.push(format!("--tokenize {}", self.tokenizer));
        }
        if self.case != case {
            let lower = self.case == self.lower_case();
            others.push(if lower { "--lowercase".to_owned() } else { format!("case:{}", self.case.name()) });
        }
        others.extend(self.cause.map(|cause| cause.to_string()));
        [options, others]
    }

    /// Returns the kind of lower-casing (all letters, or A to Z) that `--lowercase` selects for this formula
    /// and tokenizer.
    fn lower_case(&self) -> Case {
        let tokenizers = Tokenizers::default();
        let of_tokens = tokenizers.get(&self.tokenizer).ok().and_then(|entry| entry.lower_case);
        let of_dialect = || match self.finisher {
            NumberFinisher::Dialect(name) => Dialect::by_name(name).ok()?.lower_case.parse().ok(),
            NumberFinisher::Options(..) => None,
        };
        // Some tokenizers define their own lower-casing, as mteval's script does; it has priority over the
        // dialect's.
        of_tokens.or_else(of_dialect).unwrap_or(Case::Lower)
    }

    /// Returns how uncommon these BLEU settings are, as a sort key; 0 is sacreBLEU's default.
    ///
    /// The order is: other common settings such as lower case, `intl`, `zh`, NLTK's corpus BLEU, HF evaluate,
    /// multi-bleu and mteval; lower n-gram orders of the most common settings; likely mistakes with common
    /// settings; all other settings, the fewest changes first.
    pub(crate) fn rarity(&self) -> usize {
        let rare = RARE + 10 * self.distance();
        let Some(usual) = self.usual() else { return rare };
        match (self.cause, self.order) {
            (None, Bleu::DEFAULT_MAX_ORDER) => usual,
            // Lower orders are likely only with the eight most common settings.
            (None, order) if order < Bleu::DEFAULT_MAX_ORDER && usual < 8 => USUAL.len() + 8 + usual,
            // The most frequent mistake ranks right behind the plain settings, for programs that score
            // sentences.
            (Some(Cause::SegmentMean), Bleu::DEFAULT_MAX_ORDER) if self.is_of_sentences() => {
                USUAL.len() + usual / 2
            }
            (Some(cause), Bleu::DEFAULT_MAX_ORDER) => USUAL.len() + 16 + cause.rarity() + 2 * usual,
            _ => rare,
        }
    }

    fn is_of_sentences(&self) -> bool {
        match self.finisher {
            NumberFinisher::Dialect(name) => OF_SENTENCES.iter().any(|program| name.starts_with(program)),
            NumberFinisher::Options(..) => {
                self.finisher == NumberFinisher::DEFAULT && self.case == Case::Mixed
            }
        }
    }

    /// Returns the index of these BLEU settings in the list `USUAL` of common settings, or `None` if they are
    /// not in it. Only tokenizer, letter case and formula are compared.
    fn usual(&self) -> Option<usize> {
        usual().position(|(tokenizer, case, finisher)| {
            (tokenizer, case, finisher) == (self.tokenizer.as_str(), self.case, self.finisher)
        })
    }
}

/// Returns the common BLEU settings as tokenizer, case and formula, from the most to the least common.
fn usual() -> impl Iterator<Item = (&'static str, Case, NumberFinisher)> {
    USUAL.iter().map(|&(tokens, name)| {
        let finisher = if name.is_empty() { NumberFinisher::DEFAULT } else { NumberFinisher::Dialect(name) };
        let (tokenizer, case) = tokens.unwrap_or_else(|| own_tokens(finisher));
        (tokenizer, case, finisher)
    })
}

pub(super) fn usual_finishers(tokenizer: &str, case: Case) -> Vec<NumberFinisher> {
    usual()
        .filter(|(name, of, _)| (*name, *of) == (tokenizer, case))
        .map(|(_, _, finisher)| finisher)
        .collect()
}

/// Returns the tokenizer and case that the program with this BLEU formula uses by default.
pub(super) fn own_tokens(finisher: NumberFinisher) -> (&'static str, Case) {
    let dialect = match finisher {
        NumberFinisher::Dialect(name) => Dialect::by_name(name).ok(),
        NumberFinisher::Options(..) => None,
    };
    let case = |dialect: &Dialect| dialect.case.parse().unwrap_or(Case::Mixed);
    dialect.map_or((TOKENIZERS[0], Case::Mixed), |dialect| (dialect.tokenizer, case(dialect)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_settings_are_all_different_and_exist() {
        let all: Vec<_> = usual().collect();
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one), "{one:?}");
            if let NumberFinisher::Dialect(name) = one.2 {
                Dialect::by_name(name).unwrap();
            }
        }
        assert_eq!(all[0], ("13a", Case::Mixed, NumberFinisher::DEFAULT));
    }

    #[test]
    fn settings_are_ordered_by_how_usual_they_are() {
        let plain = |tokenizer: &str, case, finisher| NumberSettings::plain(tokenizer, case, 4, finisher);
        let default = plain("13a", Case::Mixed, NumberFinisher::DEFAULT);
        let ordered = [
            default.clone(),
            plain("13a", Case::Lower, NumberFinisher::DEFAULT),
            plain("none", Case::Mixed, NumberFinisher::Dialect("nltk:method0")),
            plain("13a", Case::Mixed, NumberFinisher::Dialect("hf")),
            NumberSettings {
                cause: Some(Cause::SegmentMean),
                ..plain("13a", Case::Mixed, NumberFinisher::Dialect("sacrebleu:exp:eff"))
            },
            NumberSettings { cause: Some(Cause::Reference(1)), ..default.clone() },
            NumberSettings { cause: Some(Cause::BatchMean(32)), ..default.clone() },
            plain("zh", Case::Lower, NumberFinisher::Options(Smoothing::None, RefLen::Shortest)),
        ];
        assert!(ordered.windows(2).all(|pair| pair[0].rarity() < pair[1].rarity()));
        assert_eq!(default.rarity(), 0);
    }
}

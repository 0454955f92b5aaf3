//! Tokenizers under comparison: the name, the oracle's constructor, and our constructor of each.

use std::path::Path;

use bleuprint::text::TokenBuffer;
use bleuprint::text::tokenize::{Tercom, TercomOptions};
use bleuprint::{Tokenizer, TokenizerOptions, tokenizer};
use serde_json::{Value, json};
use xtask::Result;

use super::inputs::InputKind;
use crate::parity::ours;

pub(super) struct TokenizerPair {
    /// Its name in the report; the option sets of `tercom` share one.
    pub(super) name: &'static str,
    pub(super) theirs: Value,
    ours: OurTokenizer,
    pub(super) inputs: &'static [InputKind],
}

enum OurTokenizer {
    Plain(Box<dyn Tokenizer>),
    /// `tercom` as TER applies it: in lowercase, with a second pass over references.
    Ter {
        tercom: Tercom,
        lower: bool,
        reference: bool,
    },
}

const CHARACTERS: &[InputKind] = &[InputKind::Lines, InputKind::Random, InputKind::Alone, InputKind::Places];

/// Inputs for `tercom` with options that only change letters and delete.
const CROWDS_AND_ALONE: &[InputKind] =
    &[InputKind::Lines, InputKind::Random, InputKind::Alone, InputKind::Crowds];

/// Inputs for `tercom` with its slow rules. They treat a character between spaces like one alone: they add spaces at
/// both ends.
const CROWDS: &[InputKind] = &[InputKind::Lines, InputKind::Random, InputKind::Crowds];

/// Inputs for the second pass over references, without the slow rules.
const ALONE: &[InputKind] = &[InputKind::Lines, InputKind::Random, InputKind::Alone];

const TEXTS: &[InputKind] = &[InputKind::Lines, InputKind::Random];

/// sacreBLEU's tokenizers that need nothing but their name.
const PLAIN: &[&str] = &["none", "zh", "13a", "intl", "char"];

const MECAB: &[&str] = &["ja-mecab", "ko-mecab"];

/// Tokenizers that need a model, and the model file that sacreBLEU reads.
const SENTENCEPIECE: &[(&str, &str)] = &[
    ("spm", "sacrebleu_tokenizer_spm.model"),
    ("flores101", "sacrebleu_tokenizer_spm.model"),
    ("flores200", "flores200sacrebleuspm"),
    ("spBLEU-1K", "spbleu-1k_tokenizer_spm.model"),
];

/// Returns all tokenizers, given the dictionaries and the folder of models. `promised` is `true` if lowercase
/// is compared.
pub(super) fn all(dictionaries: &Value, models: &Path, promised: bool) -> Result<Vec<TokenizerPair>> {
    let mut pairs = plain()?;
    for &name in MECAB {
        let folder = dictionaries[name].as_str().ok_or(format!("the oracle has no dictionary for {name}"))?;
        let options = TokenizerOptions { dictionary: Some(folder.into()), ..TokenizerOptions::default() };
        pairs.push(bleu(name, &options)?);
    }
    for &(name, file) in SENTENCEPIECE {
        let options = TokenizerOptions { model: Some(models.join(file)), ..TokenizerOptions::default() };
        pairs.push(bleu(name, &options)?);
    }
    for (options, lower) in tercom_options().filter(|(_, lower)| promised || !lower) {
        pairs.extend(tercom(options, lower));
    }
    Ok(pairs)
}

pub(super) fn plain() -> Result<Vec<TokenizerPair>> {
    PLAIN.iter().map(|name| bleu(name, &TokenizerOptions::default())).collect()
}

fn bleu(name: &'static str, options: &TokenizerOptions) -> Result<TokenizerPair> {
    let ours = tokenizer(name, options)?;
    Ok(TokenizerPair {
        name,
        theirs: json!(["bleu", name]),
        ours: OurTokenizer::Plain(ours),
        inputs: CHARACTERS,
    })
}

/// Returns all eight option sets, each with and without lowercase.
fn tercom_options() -> impl Iterator<Item = (TercomOptions, bool)> {
    (0..16_u8).map(|bits| {
        let options =
            TercomOptions { normalized: bits & 1 > 0, no_punct: bits & 2 > 0, asian_support: bits & 4 > 0 };
        (options, bits & 8 == 0)
    })
}

/// Returns `tercom` for hypotheses and for references.
fn tercom(options: TercomOptions, lower: bool) -> [TokenizerPair; 2] {
    let flags =
        [(options.normalized, 'n'), (options.no_punct, 'p'), (options.asian_support, 'a'), (!lower, 'c')];
    let flags: String = flags.iter().filter(|(on, _)| *on).map(|(_, flag)| *flag).collect();
    // Of the sets with the slow rules, the one with most rules sees every character alone as well.
    let most_rules = TercomOptions { normalized: true, asian_support: true, ..TercomOptions::default() };
    let (once, twice) = match options.normalized {
        true if options == most_rules && lower => (CROWDS_AND_ALONE, TEXTS),
        true => (CROWDS, TEXTS),
        false => (CROWDS_AND_ALONE, ALONE),
    };
    let ours = Tercom::new(options);
    [
        TokenizerPair {
            name: "tercom",
            theirs: json!(["tercom", flags]),
            ours: OurTokenizer::Ter { tercom: ours.clone(), lower, reference: false },
            inputs: once,
        },
        TokenizerPair {
            name: "tercom of references",
            theirs: json!(["tercom-references", flags]),
            ours: OurTokenizer::Ter { tercom: ours, lower, reference: true },
            inputs: twice,
        },
    ]
}

impl TokenizerPair {
    /// Returns our tokens in the form of the oracle's answer. An error has a form that no tokens have.
    pub(super) fn tokenize_all(&self, texts: &[String]) -> String {
        let mut buffer = TokenBuffer::default();
        let mut all = String::new();
        for (i, text) in texts.iter().enumerate() {
            if i > 0 {
                all.push('\n');
            }
            if let Err(error) = self.tokenize(text, &mut buffer, &mut all) {
                all.push_str(&format!(" refused: {error}"));
            }
        }
        all
    }

    /// Appends our tokens of a text to `out`, separated by spaces.
    fn tokenize(&self, text: &str, buffer: &mut TokenBuffer, out: &mut String) -> Result {
        match &self.ours {
            OurTokenizer::Plain(tokenizer) => tokenizer.tokenize(text, buffer)?.join(out),
            OurTokenizer::Ter { tercom, lower, reference } => {
                let text = if *lower { ours::lower(text) } else { text.to_owned() };
                if *reference {
                    tercom.tokenize_reference(&text, buffer)?.join(out)
                } else {
                    tercom.tokenize(&text, buffer)?.join(out)
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_option_set_of_tercom_is_missing_or_twice() {
        let flags: std::collections::BTreeSet<String> =
            tercom_options().map(|(options, lower)| tercom(options, lower)[0].theirs.to_string()).collect();
        assert_eq!(flags.len(), 16);
    }

    #[test]
    fn both_passes_over_references_are_ours() {
        let options = TercomOptions { normalized: true, ..TercomOptions::default() };
        let tokens = tercom(options, true).map(|pair| pair.tokenize_all(&["x's.".to_owned()]));
        assert_eq!(tokens, ["x's .", "x 's ."]);
    }
}

//! The list of all built-in tokenizers.

use super::{
    Tokenizer, TokenizerEntry, TokenizerOptions, Tokenizers, ascii_space, bytes, character, codepoint,
    grapheme, hf, ids, intl, jiwer, lines, mecab, mixed, mteval, none, ptb, rouge, spm, squad, tercom, v13a,
    word, zh, zh_jieba,
};
use bleuprint_core::{ConfigError, Result};
use std::sync::LazyLock;

/// Every tokenizer of this crate, in the order in which lists show them. A new tokenizer needs a file, a
/// `mod` line and a line here.
#[rustfmt::skip]
const TOKENIZERS: &[TokenizerEntry] = &[
    none::ENTRY,
    zh::ENTRY,
    v13a::ENTRY,
    intl::ENTRY,
    character::ENTRY,
    mecab::JAPANESE,
    mecab::KOREAN,
    spm::SPM,
    spm::FLORES101,
    spm::FLORES200,
    spm::SPBLEU_1K,
    tercom::ENTRY,
    mteval::WESTERN,
    mteval::INTERNATIONAL,
    ascii_space::ENTRY,
    jiwer::WORDS,
    jiwer::CHARACTERS,
    codepoint::ENTRY,
    grapheme::ENTRY,
    word::ENTRY,
    mixed::ENTRY,
    zh_jieba::ENTRY,
    bytes::ENTRY,
    rouge::ENTRY,
    rouge::STEMMED,
    rouge::PERL,
    rouge::PERL_STEMMED,
    ptb::ENTRY,
    squad::ENTRY,
    squad::CJK,
    lines::ENTRY,
    hf::ENTRY,
    ids::ENTRY,
];

impl Default for Tokenizers {
    fn default() -> Self {
        static STANDARD: LazyLock<Tokenizers> =
            LazyLock::new(|| Tokenizers::from_entries(TOKENIZERS.to_vec()));
        STANDARD.clone()
    }
}

/// Builds a built-in tokenizer by its name; see [`Tokenizers::build`]. `hf:PATH` is `hf` with the model at
/// this path, `tercom-norm` is `tercom` with the option `norm`, and `lines:NAME` applies the tokenizer `NAME`
/// line by line.
///
/// ```
/// use bleuprint_text::{TokenizerOptions, tokenizer};
/// let error = tokenizer("13b", &TokenizerOptions::default()).err().unwrap();
/// assert!(error.to_string().starts_with("unknown tokenizer `13b`; expected one of: none, "));
/// ```
///
/// # Errors
/// Returns the errors of [`Tokenizers::build`].
pub fn tokenizer(name: &str, options: &TokenizerOptions) -> Result<Box<dyn Tokenizer>, ConfigError> {
    Tokenizers::default().build(name, options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::{Takes, TokenBuffer, Tokens};
    use bleuprint_core::{Case, TokenSpace};

    struct Named(&'static str);

    impl Tokenizer for Named {
        fn token_space(&self) -> &str {
            self.0
        }

        fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
            buffer.cut(line, |line, spans| spans.push_pieces(line, [line]))
        }
    }

    const OWN: TokenizerEntry =
        TokenizerEntry::new("own", "whole lines", |_| Ok(Box::new(Named("own-1.0")))).aliases(&["mine"]);

    fn with(entries: &[TokenizerEntry]) -> Result<Tokenizers, String> {
        let mut tokenizers = Tokenizers::default();
        let added = entries.iter().try_for_each(|entry| tokenizers.add(*entry));
        added.map(|()| tokenizers).map_err(|error| error.to_string())
    }

    #[test]
    fn the_standard_entries_are_ones_that_could_be_added() {
        let mut tokenizers = Tokenizers::from_entries(Vec::new());
        for entry in TOKENIZERS {
            tokenizers.add(*entry).unwrap();
            assert!(
                !entry.summary.is_empty() && !entry.agrees_with.is_empty() && !entry.summary.ends_with('.')
            );
            if let Ok(tokenizer) = tokenizer(entry.name, &TokenizerOptions::default()) {
                let space = tokenizer.token_space();
                assert!(
                    !space.contains([':', ' ']) && TokenSpace::new(space, Case::Mixed).is_ok(),
                    "{space}"
                );
            }
        }
    }

    #[test]
    fn an_added_tokenizer_is_known_by_every_name() {
        let tokenizers = with(&[OWN]).unwrap();
        for name in ["own", "mine", "lines:mine"] {
            assert!(tokenizers.build(name, &TokenizerOptions::default()).is_ok(), "{name}");
        }
        assert_eq!(tokenizers.get("mine").unwrap().name, "own");
        assert_eq!(tokenizers.name_of_label("own-1.0"), Some("own"));
        let error = Tokenizers::default().get("own").unwrap_err().to_string();
        assert!(error.starts_with("unknown tokenizer `own`; expected one of: none, "), "{error}");
    }

    #[test]
    fn names_that_clash_or_break_keys_are_refused() {
        let named = |name| TokenizerEntry::new(name, "whole lines", |_| Ok(Box::new(Named("own"))));
        let conflicts = [
            (named("13a"), "the tokenizer name `13a` is taken by `13a`"),
            (named("x").aliases(&["mteval-v13a"]), "the tokenizer name `mteval-v13a` is taken by `13a`"),
            (named("tercom-mine"), "the tokenizer name `tercom-mine` is taken by `tercom`"),
            (named("hf:mine"), "the tokenizer name `hf:mine` is taken by `hf`"),
            (named("mine").takes(&[Takes::OptionsInName]), "the tokenizer name `mine` would take `mine-too`"),
            (named("a:b"), "`a:b` cannot be a name of `a:b`"),
            (named("a b"), "`a b` cannot be a name"),
            (named(""), "`` cannot be a name"),
            (named("x").aliases(&["x"]), "`x` cannot be a name of `x`"),
            (named("a|b"), "token space is \"a|b\", but must be free of `|`"),
            (named("text"), "token space is \"text\", but must be a word other than"),
        ];
        for (entry, expected) in conflicts {
            let error = with(&[named("mine-too"), entry]).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn tokens_do_not_pass_for_those_of_another() {
        let tokenizers =
            with(&[TokenizerEntry::new("own", "lines", |_| Ok(Box::new(Named("13a"))))]).unwrap();
        let error = tokenizers.build("own", &TokenizerOptions::default()).err().unwrap().to_string();
        assert_eq!(error, "the tokens of `own` claim to be those of `13a`, which is another tokenizer");
    }

    #[test]
    fn what_stands_behind_a_name_decides_what_is_taken() {
        let tokenizers = Tokenizers::default();
        let taken = [("spm", true), ("13a", false), ("hf", true), ("hf:x.json", false), ("lines:spm", true)];
        for (name, expected) in taken {
            assert_eq!(tokenizers.takes(name, Takes::Model).unwrap(), expected, "{name}");
        }
        assert!(tokenizers.takes("ja", Takes::Dictionary).unwrap());
        for name in ["tercom-asian-norm", "13a:x", "lines:13b"] {
            let error = tokenizers.build(name, &TokenizerOptions::default()).err().unwrap().to_string();
            assert!(
                error.starts_with(&format!("unknown tokenizer `{}`", name.trim_start_matches("lines:"))),
                "{error}"
            );
        }
        for (label, name) in
            [("tercom-norm", "tercom-norm"), ("spm#1f0c", "spm"), ("ja-mecab-0.996-IPA", "ja-mecab")]
        {
            assert_eq!(tokenizers.name_of_label(label), Some(name));
        }
        assert_eq!(tokenizers.name_of_label("hf:1f0c"), None);
    }

    #[test]
    fn a_token_from_elsewhere_is_an_error() {
        let mut buffer = TokenBuffer::default();
        let line = String::from("a line");
        let error = buffer.cut(&line, |line, spans| spans.push_pieces(line, ["elsewhere"])).err().unwrap();
        assert_eq!(error.to_string(), "the tokenizer returned a token that is not a piece of the line");
        assert_eq!(
            buffer.cut(&line, |line, spans| spans.push_pieces(line, line.split(' '))).unwrap().len(),
            2
        );
        assert_eq!(buffer.collect(["x", "", "yz"]).unwrap().iter().collect::<Vec<_>>(), ["x", "", "yz"]);
    }
}

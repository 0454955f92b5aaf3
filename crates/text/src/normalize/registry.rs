//! The list of all built-in normalizers.

use super::{NormalizerEntry, Normalizers, alike, forms, jiwer, letters, whisper};
use std::sync::LazyLock;

/// Every normalizer of this crate, in the order in which lists show them. A new normalizer needs a file, a
/// `mod` line and a line here.
#[rustfmt::skip]
const NORMALIZERS: &[NormalizerEntry] = &[
    whisper::BASIC,
    whisper::BASIC_MARKS,
    whisper::BASIC_ASCII,
    whisper::BASIC_LETTERS,
    whisper::ENGLISH,
    whisper::ENGLISH_FORK,
    whisper::NUMBERS,
    whisper::OPEN_ASR_ENGLISH,
    whisper::OPEN_ASR_OTHERS,
    whisper::OPEN_ASR_OTHERS_ASCII,
    forms::NFC,
    forms::NFKC,
    forms::NFD,
    forms::NFKD,
    alike::ASCII_PUNCT,
    alike::VISIBLE,
    alike::ARABIC_LETTERS,
    letters::LOWER,
    letters::UPPER,
    jiwer::PUNCT,
    jiwer::CONTRACTIONS,
    jiwer::NONWORDS,
    jiwer::SPACES,
    jiwer::NOSPACE,
    jiwer::TOSPACE,
    jiwer::STRIP,
    jiwer::STANDARDIZE,
];

// The list is built once; clones share it until a program adds an entry.
impl Default for Normalizers {
    fn default() -> Self {
        static STANDARD: LazyLock<Normalizers> =
            LazyLock::new(|| Normalizers::from_entries(NORMALIZERS.to_vec()));
        STANDARD.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalize::PlainNormalizer;

    #[test]
    fn the_standard_entries_are_ones_that_could_be_added() {
        let mut normalizers = Normalizers::from_entries(Vec::new());
        for entry in NORMALIZERS {
            normalizers.add(*entry).unwrap();
            assert!(!entry.summary.is_empty() && !entry.summary.ends_with('.'), "{}", entry.name);
        }
    }

    #[test]
    fn names_that_clash_or_break_chains_are_refused() {
        let named = |name| NormalizerEntry::new(name, "mine", || unreachable!());
        let conflicts = [
            (named("lower"), "the normalizer name `lower` is taken by `lower`"),
            (named("x").aliases(&["ToLowerCase"]), "the normalizer name `ToLowerCase` is taken by `lower`"),
            (named("a+b"), "`a+b` cannot be a name of `a+b`"),
            (named("a b"), "`a b` cannot be a name"),
            (named(""), "`` cannot be a name"),
            (named("x").aliases(&["x"]), "`x` cannot be a name of `x`"),
        ];
        for (entry, expected) in conflicts {
            let error = Normalizers::default().add(entry).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn chains_that_cannot_be_built_say_why() {
        let cases = [
            ("", "unknown normalizer ``; expected one of: whisper-basic, "),
            ("lower+", "unknown normalizer ``"),
            ("lowr", "unknown normalizer `lowr`"),
            ("lower=x", "unknown normalizer `lower=x`"),
            ("lower+words=a.txt", "unknown normalizer `words=a.txt`"),
            ("regex#0123", "unknown normalizer `regex#0123`"),
        ];
        for (chain, expected) in cases {
            let error = Normalizers::default().build(chain).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn a_step_does_not_pass_for_another() {
        let mut normalizers = Normalizers::default();
        let entry = NormalizerEntry::new("mine", "mine", || {
            Ok(Box::new(PlainNormalizer { name: "lower", rewrite: |_, _| {} }))
        });
        normalizers.add(entry).unwrap();
        let error = normalizers.build("mine").unwrap_err().to_string();
        assert!(error.starts_with("the normalizer `mine` calls itself `lower`"), "{error}");
    }
}

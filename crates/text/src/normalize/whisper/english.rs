//! The normalizer `whisper-en`: Whisper's normalizer for English, and its fork on PyPI.
//!
//! Rule, in this order:
//!
//! 1. The text becomes lower case.
//! 2. `<..>`, `[..]` and `(..)` are deleted, then fillers, then whitespace before apostrophes.
//! 3. Contractions and titles are written in full.
//! 4. Commas between digits are deleted, and a period that is not followed by a digit becomes a space.
//! 5. [Marks and signs are removed][strip], except signs that are written with numbers, such as `$`.
//! 6. [Number words become digits][numbers], and words get their American [spelling].
//! 7. These signs become spaces if they are not next to a number, and each run of whitespace becomes one
//!    space.
//!
//! Quirks: `'s` always becomes ` is`; only U+0027 is an apostrophe; `0.1` becomes `0 one`.
//!
//! [strip]: super::strip
//! [numbers]: super::numbers
//! [spelling]: super::spelling

use super::numbers::numbers;
use super::spelling::{WHISPER, Words, pairs, respell};
use super::strip::{KeptMarks, strip};
use crate::normalize::letters::lower;
use crate::normalize::text::{
    collapse, delete_brackets, delete_parentheses, delete_space_before, is_boundary, replace_runs,
    replace_where, rewrite,
};
use crate::normalize::{NormalizerEntry, step};
use std::sync::LazyLock;

pub(in crate::normalize) const ENGLISH: NormalizerEntry = step!(
    "whisper-en",
    "Whisper's normalizer for English: contractions, titles, numbers in digits, American spelling",
    |text, spare| {
        prepare(text, spare, &EnglishDialect { filler, word: whisper_word, is_after: |_| true });
        finish(text, spare);
    }
)
.agrees_with("openai-whisper 20250625");
pub(in crate::normalize) const ENGLISH_FORK: NormalizerEntry =
    step!("whisper-normalizer-en", "whisper-en with kinda, sorta, dunno and cause in full", |text, spare| {
        let word = |word: &str| match word {
            "kinda" => Some("kind of"),
            "sorta" => Some("sort of"),
            "dunno" => Some("do not know"),
            "cause" => Some("because"),
            _ => whisper_word(word),
        };
        prepare(text, spare, &EnglishDialect { filler, word, is_after: |_| true });
        finish(text, spare);
    })
    .agrees_with("whisper-normalizer 0.1.15");

/// The word rules in which the variants of Whisper's English normalizer differ. They are applied before
/// number words become digits.
pub(super) struct EnglishDialect {
    /// Returns `true` if the word is a filler, such as `uh`, which the normalizer deletes.
    pub(super) filler: fn(&str) -> bool,
    /// Returns the text that replaces this word, or `None` if the word is kept.
    pub(super) word: fn(&str) -> Option<&'static str>,
    /// Returns `true` if the normalizer replaces `'s` after this word by ` is`: `it's` becomes `it is`.
    pub(super) is_after: fn(&str) -> bool,
}

fn filler(word: &str) -> bool {
    matches!(word, "hmm" | "mm" | "mhm" | "mmm" | "uh" | "um")
}

/// Informal words and titles with their full forms, such as `gonna` and `mr`.
static IN_FULL: LazyLock<Words<&str>> = LazyLock::new(|| {
    let (words, titles) = include_str!("words.txt").split_once("\n\n").unwrap_or_default();
    // A title is followed by a space, as in Whisper's replacements; a later step reduces runs of spaces.
    let title = |(title, full): (_, &str)| (title, &*format!("{full} ").leak());
    pairs(words).chain(pairs(titles).map(title)).collect()
});

pub(super) fn whisper_word(word: &str) -> Option<&'static str> {
    // Every word of the list has 2 to 7 bytes, so most words need no hash.
    (2..=7).contains(&word.len()).then(|| IN_FULL.get(word).copied()).flatten()
}

/// Contractions that must match a whole word, with their full forms.
const WHOLE: [(&str, &str); 7] = [
    ("won't", "will not"),
    ("can't", "can not"),
    ("let's", "let us"),
    ("ain't", "aint"),
    ("y'all", "you all"),
    ("i'ma", "i am going to"),
    ("ma'am", "madam"),
];
/// Contractions at the end of words, with their full forms. Contractions that include the next word, such as
/// `'d been`, come first.
// `'d` alone is ` would`, so `'d been` must be replaced before it as ` had been`; the same holds for `'s`.
const ENDINGS: [(&str, &str); 14] = [
    ("'d been", " had been"),
    ("'s been", " has been"),
    ("'d gone", " had gone"),
    ("'s gone", " has gone"),
    ("'d done", " had done"),
    ("'s got", " has got"),
    ("n't", " not"),
    ("'re", " are"),
    ("'s", " is"),
    ("'d", " would"),
    ("'ll", " will"),
    ("'t", " not"),
    ("'ve", " have"),
    ("'m", " am"),
];

/// Applies the rules of Whisper's English normalizer that come before the conversion of number words to
/// digits: from lower case to the deletion of punctuation.
pub(super) fn prepare(text: &mut String, spare: &mut String, dialect: &EnglishDialect) {
    lower(text, spare);
    delete_brackets(text, spare);
    delete_parentheses(text, spare);
    if memchr::memchr(b'\'', text.as_bytes()).is_none() {
        // Without apostrophes, one pass is enough: the words that remain are no fillers, and no full form is
        // a word to replace.
        replace_runs(
            text,
            spare,
            |word| if (dialect.filler)(word) { Some("") } else { (dialect.word)(word) },
        );
    } else {
        // With apostrophes, the steps are separate, since deleting a space before an apostrophe forms new
        // words.
        replace_runs(text, spare, |word| (dialect.filler)(word).then_some(""));
        delete_space_before(text, spare, '\'');
        replace_runs(text, spare, dialect.word);
        expand_contractions(text, spare, dialect.is_after);
    }
    rewrite(text, spare, part_numbers);
    strip(text, spare, KeptMarks::OfNumbers);
}

/// Replaces English contractions such as `won't` and `'re` in `text` by their full forms, which contain no
/// contractions. The form `'s` becomes ` is` only after words for which `is_after` returns `true`. `spare` is
/// working memory.
fn expand_contractions(text: &mut String, spare: &mut String, is_after: fn(&str) -> bool) {
    // Both lists are applied one contraction after another over the whole text, as Whisper does: the order
    // decides the result.
    for (contraction, full) in WHOLE {
        replace_where(text, spare, contraction, full, |text, start, end| {
            is_boundary(text, start) && is_boundary(text, end)
        });
    }
    for (contraction, full) in ENDINGS {
        replace_where(text, spare, contraction, full, |text, start, end| {
            is_boundary(text, end) && (contraction != "'s" || is_after(last_run(&text[..start])))
        });
    }
}

fn last_run(text: &str) -> &str {
    let others = text.trim_end_matches(crate::normalize::classes::is_word);
    &text[others.len()..]
}

/// Deletes commas between digits, and turns periods into spaces, except before a digit from 0 to 9.
fn part_numbers(text: &str, out: &mut String) {
    let mut spare = String::new();
    let mut source = text;
    if memchr::memchr(b',', text.as_bytes()).is_some() {
        delete_commas(text, &mut spare);
        source = &spare;
    }
    part_signs(source, out, |c| c == '.', true);
}

/// Deletes commas between decimal digits of any script. In `1,2,3` only the first comma is deleted, because
/// the match consumes the digit 2.
fn delete_commas(text: &str, out: &mut String) {
    use crate::normalize::classes::digit;
    let is_digit = |c: Option<char>| c.is_some_and(|c| digit(c).is_some());
    let mut copied = 0;
    let mut from = 0;
    while let Some(at) = memchr::memchr(b',', &text.as_bytes()[from..]).map(|at| from + at) {
        let after = text[at + 1..].chars().next();
        // The digit before the comma must not belong to the previous match.
        if is_digit(text[from..at].chars().next_back()) && is_digit(after) {
            out.push_str(&text[copied..at]);
            copied = at + 1;
            from = at + 1 + after.map_or(0, char::len_utf8);
        } else {
            from = at + 1;
        }
    }
    out.push_str(&text[copied..]);
}

/// Turns signs, such as `$`, into spaces, except before a digit from 0 to 9. `is_sign` says which characters
/// are signs. A sign at the end of the text becomes a space only if `at_end` is `true`.
pub(super) fn part_signs(text: &str, out: &mut String, is_sign: impl Fn(char) -> bool, at_end: bool) {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if !is_sign(c) {
            out.push(c);
            continue;
        }
        let mut rest = chars.clone();
        match rest.next() {
            // Whisper's pattern is the sign and the next character, so that character is consumed: a second
            // sign right after the first is kept.
            Some(next) if !next.is_ascii_digit() => {
                out.push(' ');
                out.push(next);
                chars = rest;
            }
            None if at_end => out.push(' '),
            _ => out.push(c),
        }
    }
}

fn finish(text: &mut String, spare: &mut String) {
    numbers(text, spare);
    rewrite(text, spare, |text, out| respell(&WHISPER, text, out));
    part_lone_signs(text, spare);
}

/// Turns currency signs and periods into spaces, except before a digit, and percent signs, except after a
/// digit. Then reduces each run of whitespace to one space.
pub(super) fn part_lone_signs(text: &mut String, spare: &mut String) {
    let is_sign = |c| matches!(c, '.' | '$' | '¢' | '€' | '£');
    if text.contains(is_sign) {
        rewrite(text, spare, |text, out| part_signs(text, out, is_sign, false));
    }
    if memchr::memchr(b'%', text.as_bytes()).is_some() {
        rewrite(text, spare, part_percents);
    }
    collapse(text, spare);
}

/// Turns each `%` into a space, except after a digit from 0 to 9 and at the start of the text.
fn part_percents(text: &str, out: &mut String) {
    // The previous character, or `None` if the previous match consumed it.
    let mut before = None;
    for c in text.chars() {
        if c == '%' && before.is_some_and(|before: char| !before.is_ascii_digit()) {
            out.push(' ');
            before = None;
        } else {
            out.push(c);
            before = Some(c);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::normalize::Normalizers;

    #[test]
    fn quirks_are_kept() {
        let english = Normalizers::default().build("whisper-en").unwrap();
        for (text, expected) in [
            ("wait...", "wait ."),
            ("wait…", "wait .."),
            ("0.1", "0 one"),
            ("1.1", "one one"),
            ("1.2", "one.2"),
            ("$1", " one"),
            ("uh-huh", "huh"),
            ("10:30", "10 30"),
            ("१२३", "123"),
            ("१२.५", "12 5"),
            ("oh my god", "0 my god"),
            ("1½ cups", "11 2 cups"),
            ("james's book", "james is book"),
            ("it’s", "it s"),
            ("two and a half million", "2500000"),
            ("1,2,3", "12 3"),
            ("ninety ninth", "90 ninth"),
        ] {
            assert_eq!(english.apply(text).trim_end(), expected.trim_end(), "{text}");
        }
    }
}

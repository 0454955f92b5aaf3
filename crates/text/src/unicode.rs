//! Character classes of Unicode 14.0.0, as CPython 3.11.7's `unicodedata` and `re` define them. The inclusive
//! ranges were generated once; the compiler reads them from the files of this folder.
//!
//! The tables do not depend on a Unicode library, so that a new version of Unicode cannot change a score.
//! [`crate::whitespace`] defines whitespace. The low line `_` is both punctuation and a letter, but is in
//! neither list of ranges.

/// Reads a table file at compile time and returns its code point ranges, each with the number that follows it
/// in the file.
macro_rules! numbered {
    ($file:literal) => {{
        const TEXT: &[u8] = include_bytes!($file);
        const RANGES: [(u32, u32, u8); $crate::unicode::count(TEXT)] = $crate::unicode::read(TEXT);
        &RANGES
    }};
}

#[cfg(feature = "ptb")]
pub(crate) use numbered;

macro_rules! ranges {
    ($file:literal) => {{
        const RANGES: &[(u32, u32, u8)] = numbered!($file);
        const PAIRS: [(u32, u32); RANGES.len()] = pairs(RANGES);
        &PAIRS
    }};
}

/// Code point ranges of Python's `\w` without decimal digits: letters, other numbers and `_`.
pub(crate) const WORD: &[(u32, u32)] = ranges!("unicode/word.txt");
pub(crate) const UNASSIGNED: &[(u32, u32)] = ranges!("unicode/unassigned.txt");
/// Code point ranges of Unicode category S (symbols).
pub(crate) const SYMBOL: &[(u32, u32)] = ranges!("unicode/symbol.txt");
/// Code point ranges of Unicode categories Mc and Me (spacing and enclosing marks).
pub(crate) const MARK: &[(u32, u32)] = ranges!("unicode/mark.txt");
pub(crate) const NONSPACING: &[(u32, u32)] = ranges!("unicode/nonspacing.txt");
/// Code point ranges of Unicode category P (punctuation), except the low line `_`.
pub(crate) const PUNCTUATION: &[(u32, u32)] = ranges!("unicode/punctuation.txt");
pub(crate) const DIGIT: &[(u32, u32)] = ranges!("unicode/digit.txt");
/// Code points that matter for Unicode normal forms, as `(first, last, class)` with the classes of
/// `normalize/forms.rs`. Such a code point has a combining class, changes in a normal form, or can combine
/// with the code point before it.
pub(crate) const FORMS: &[(u32, u32, u8)] = numbered!("unicode/forms.txt");

/// Code points that `lower()` of CPython 3.11 changes, as `(first, last, step)`; capital sigma is included.
pub(crate) const LOWERED: &[(u32, u32, u8)] = numbered!("unicode/lowered.txt");
/// Cased code points that are not case-ignorable. They decide whether a capital sigma is at the end of a
/// word, where its lower case is `ς`, or elsewhere, where it is `σ`.
pub(crate) const CASED: &[(u32, u32)] = ranges!("unicode/cased.txt");
/// Case-ignorable code points that are not in [`NONSPACING`]. Both sets are skipped when the end of a word is
/// searched for a capital sigma.
pub(crate) const IGNORABLE: &[(u32, u32)] = ranges!("unicode/ignorable.txt");

/// The low line `_`, and the code points of category P (punctuation) in Unicode 18.0 that are not in
/// [`PUNCTUATION`].
pub(crate) const LATER_PUNCTUATION: &[(u32, u32)] = ranges!("unicode/later-punctuation.txt");
/// The code points of category S (symbols) in Unicode 18.0 that are not in [`SYMBOL`].
pub(crate) const LATER_SYMBOLS: &[(u32, u32)] = ranges!("unicode/later-symbols.txt");
/// The code points of category N (numbers) in Unicode 18.0 that are not in [`DIGIT`].
pub(crate) const NUMBERS: &[(u32, u32)] = ranges!("unicode/numbers.txt");

/// Code point ranges with their classes in the tokenizer `mixed`, by the scripts of Unicode 16.0.
pub(crate) const MIXED: &[(u32, u32, u8)] = numbered!("unicode/mixed.txt");

/// The code points that sacreBLEU 2.6.0 surrounds with spaces as Chinese characters.
pub(crate) const CHINESE: &[(u32, u32)] = ranges!("unicode/chinese.txt");

/// Returns the number of code point ranges in the text of a table file. Whitespace separates the ranges.
pub(crate) const fn count(text: &[u8]) -> usize {
    let mut at = 0;
    let mut count = 0;
    while at < text.len() {
        // A range ends where whitespace follows another byte. Every file ends in a line break, so the last
        // range counts too.
        count += (text[at].is_ascii_whitespace() && !text[at - 1].is_ascii_whitespace()) as usize;
        at += 1;
    }
    count
}

/// Parses code point ranges such as `41-5A`, `AA` and `41-5A:3`, in hexadecimal digits, as `(first, last,
/// class)`.
pub(crate) const fn read<const N: usize>(text: &[u8]) -> [(u32, u32, u8); N] {
    let mut all = [(0, 0, 0); N];
    let mut at = 0;
    let mut place = 0;
    // Loops in `const fn` cannot use iterators, hence the index and the helper `after`.
    while place < N {
        let first = number(text, &mut at);
        let last = if text[at] == b'-' { number(text, after(&mut at)) } else { first };
        let class = if text[at] == b':' { number(text, after(&mut at)) as u8 } else { 0 };
        // The compiler evaluates this assertion, so a malformed file fails to build.
        assert!(first <= last && text[at].is_ascii_whitespace(), "a range of code points");
        all[place] = (first, last, class);
        after(&mut at);
        place += 1;
    }
    all
}

const fn after(at: &mut usize) -> &mut usize {
    *at += 1;
    at
}

const fn number(text: &[u8], at: &mut usize) -> u32 {
    let mut value = 0;
    while let Some(digit) = (text[*at] as char).to_digit(16) {
        value = value * 16 + digit;
        *at += 1;
    }
    value
}

const fn pairs<const N: usize>(ranges: &[(u32, u32, u8)]) -> [(u32, u32); N] {
    let mut pairs = [(0, 0); N];
    let mut at = 0;
    while at < N {
        pairs[at] = (ranges[at].0, ranges[at].1);
        at += 1;
    }
    pairs
}

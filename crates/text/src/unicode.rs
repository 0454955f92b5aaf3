//! Classes of code points of Unicode 14.0.0, as CPython 3.11.7's `unicodedata` and `re` have them: inclusive ranges, generated
//! once and read by the compiler from the files of this folder.
//!
//! Kept apart from any Unicode library so that its next version cannot change a score. Whitespace is that of
//! [`crate::whitespace`], and the low line is punctuation and a letter; code points in no range are neither.

/// The ranges of a file, each with the number behind it.
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

/// Letters, numbers and other characters of `\w` that are no decimal digits.
pub(crate) const WORD: &[(u32, u32)] = ranges!("unicode/word.txt");
pub(crate) const UNASSIGNED: &[(u32, u32)] = ranges!("unicode/unassigned.txt");
/// Category S.
pub(crate) const SYMBOL: &[(u32, u32)] = ranges!("unicode/symbol.txt");
/// Categories Mc and Me.
pub(crate) const MARK: &[(u32, u32)] = ranges!("unicode/mark.txt");
pub(crate) const NONSPACING: &[(u32, u32)] = ranges!("unicode/nonspacing.txt");
/// Category P, but for the low line.
pub(crate) const PUNCTUATION: &[(u32, u32)] = ranges!("unicode/punctuation.txt");
pub(crate) const DIGIT: &[(u32, u32)] = ranges!("unicode/digit.txt");
/// Code points with a combining class, or other than themselves in a normal form, or able to join the one before there:
/// `(first, last, class)`, with the classes of `normalize/forms.rs`.
pub(crate) const FORMS: &[(u32, u32, u8)] = numbered!("unicode/forms.txt");

/// Code points that CPython 3.11's `lower()` changes, `(first, last, step)`; capital sigma is among them.
pub(crate) const LOWERED: &[(u32, u32, u8)] = numbered!("unicode/lowered.txt");
/// Cased code points that are not case-ignorable: they decide the context of a capital sigma.
pub(crate) const CASED: &[(u32, u32)] = ranges!("unicode/cased.txt");
/// Case-ignorable code points but for [`NONSPACING`]: the context of a capital sigma looks through both.
pub(crate) const IGNORABLE: &[(u32, u32)] = ranges!("unicode/ignorable.txt");

/// The low line, and category P as Unicode 18.0 has it beyond [`PUNCTUATION`].
pub(crate) const LATER_PUNCTUATION: &[(u32, u32)] = ranges!("unicode/later-punctuation.txt");
/// Category S as Unicode 18.0 has it beyond [`SYMBOL`].
pub(crate) const LATER_SYMBOLS: &[(u32, u32)] = ranges!("unicode/later-symbols.txt");
/// Category N of Unicode 18.0 beyond [`DIGIT`].
pub(crate) const NUMBERS: &[(u32, u32)] = ranges!("unicode/numbers.txt");

/// Scripts of Unicode 16.0 for the tokenizer `mixed`, with its classes.
pub(crate) const MIXED: &[(u32, u32, u8)] = numbered!("unicode/mixed.txt");

/// The code points that sacreBLEU 2.6.0 isolates as Chinese.
pub(crate) const CHINESE: &[(u32, u32)] = ranges!("unicode/chinese.txt");

/// The number of ranges of a text: words with white space around them.
pub(crate) const fn count(text: &[u8]) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < text.len() {
        count += (text[at].is_ascii_whitespace() && !text[at - 1].is_ascii_whitespace()) as usize;
        at += 1;
    }
    count
}

/// Ranges such as `41-5A`, `AA` and `41-5A:3`, in hexadecimal digits.
pub(crate) const fn read<const N: usize>(text: &[u8]) -> [(u32, u32, u8); N] {
    let (mut all, mut at, mut place) = ([(0, 0, 0); N], 0, 0);
    while place < N {
        let first = number(text, &mut at);
        let last = if text[at] == b'-' { number(text, after(&mut at)) } else { first };
        let class = if text[at] == b':' { number(text, after(&mut at)) as u8 } else { 0 };
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
    let (mut pairs, mut at) = ([(0, 0); N], 0);
    while at < N {
        pairs[at] = (ranges[at].0, ranges[at].1);
        at += 1;
    }
    pairs
}

//! Recognizes Python string and number literals at the start of a piece of text.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quote {
    mark: char,
    pub(super) triple: bool,
}

impl Quote {
    /// Returns the position after the closing quote of a Python string, searched from `from` on, or `None` if
    /// the string does not end in this line. The character after a backslash is skipped.
    pub(super) fn end(self, line: &[char], from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(&c) = line.get(at) {
            let closes = c == self.mark && (!self.triple || line[at..].starts_with(&[self.mark; 3]));
            match c {
                _ if closes => return Some(at + if self.triple { 3 } else { 1 }),
                '\\' if line.get(at + 1).is_none_or(|next| *next == '\n') => return None,
                '\\' => at += 2,
                _ => at += 1,
            }
        }
        None
    }
}

pub(super) struct Triple {
    pub(super) quote: Quote,
    pub(super) length: usize,
}

impl Triple {
    pub(super) fn at(rest: &[char]) -> Option<Triple> {
        prefixes(rest).find_map(|prefix| {
            let mark = *rest.get(prefix)?;
            let is = matches!(mark, '\'' | '"') && rest[prefix..].starts_with(&[mark; 3]);
            is.then_some(Triple { quote: Quote { mark, triple: true }, length: prefix + 3 })
        })
    }
}

/// Reads a Python string in `'` or `"`, not triple quotes. Returns the quote mark, the length of the string
/// in this line, and `true` if it ends there or `false` if it continues on the next line.
pub(super) fn single(rest: &[char]) -> Option<(Quote, usize, bool)> {
    prefixes(rest).find_map(|prefix| {
        let mark = *rest.get(prefix).filter(|mark| matches!(mark, '\'' | '"'))?;
        let quote = Quote { mark, triple: false };
        let mut at = prefix + 1;
        loop {
            match rest[at.min(rest.len())..] {
                [c, ..] if c == mark => return Some((quote, at + 1, true)),
                ['\\', '\n', ..] => return Some((quote, at + 2, false)),
                ['\\', '\r', '\n', ..] => return Some((quote, at + 3, false)),
                [] | ['\n', ..] | ['\\'] => return None,
                ['\\', ..] => at += 2,
                _ => at += 1,
            }
        }
    })
}

fn prefixes(rest: &[char]) -> impl Iterator<Item = usize> {
    let letters = rest.iter().take(3).take_while(|c| c.is_ascii_alphabetic()).count();
    let letters: String = rest[..letters.min(2)].iter().map(char::to_ascii_lowercase).collect();
    let known = ["", "b", "r", "u", "f", "br", "rb", "fr", "rf"].contains(&letters.as_str());
    std::iter::once(letters.len()).filter(move |_| known)
}

/// Returns the length of the Python number at the start of `rest`: an imaginary number, else a number with a
/// fraction or an exponent, else an integer.
pub(super) fn number(rest: &[char]) -> Option<usize> {
    let float = float(rest);
    let is_imaginary = |length: &usize| rest.get(*length).is_some_and(|c| matches!(c, 'j' | 'J'));
    let imaginary = digits(rest, 10).filter(is_imaginary).or(float.filter(is_imaginary));
    imaginary.map(|length| length + 1).or(float).or_else(|| whole(rest))
}

/// Returns the number of characters of the number at the start of `rest`: digits in base `radix`, with single
/// underscores between them.
fn digits(rest: &[char], radix: u32) -> Option<usize> {
    let is = |at: usize| rest.get(at).is_some_and(|c| c.is_digit(radix));
    let mut length = usize::from(is(0));
    while length > 0 {
        match rest.get(length) {
            Some('_') if is(length + 1) => length += 2,
            Some(_) if is(length) => length += 1,
            _ => break,
        }
    }
    (length > 0).then_some(length)
}

fn float(rest: &[char]) -> Option<usize> {
    let whole = digits(rest, 10).unwrap_or(0);
    let mut length = whole;
    if rest.get(whole) == Some(&'.') {
        let fraction = digits(&rest[whole + 1..], 10).unwrap_or(0);
        if whole + fraction > 0 {
            length = whole + 1 + fraction;
        }
    }
    let exponent = exponent(&rest[length..]).filter(|_| length > 0);
    (length > whole || exponent.is_some()).then_some(length + exponent.unwrap_or(0))
}

fn exponent(rest: &[char]) -> Option<usize> {
    let sign = usize::from(matches!(rest.get(1), Some('+' | '-')));
    let digits = matches!(rest.first(), Some('e' | 'E')).then(|| digits(rest.get(1 + sign..)?, 10)).flatten();
    digits.map(|digits| 1 + sign + digits)
}

fn whole(rest: &[char]) -> Option<usize> {
    let first = *rest.first()?;
    let second = rest.get(1).map(char::to_ascii_lowercase);
    let radix = [('x', 16), ('b', 2), ('o', 8)].into_iter().find(|(letter, _)| Some(*letter) == second);
    if let (Some((_, radix)), '0') = (radix, first) {
        // An underscore may follow the letter.
        let start = 2 + usize::from(rest.get(2) == Some(&'_'));
        if let Some(length) = digits(&rest[start.min(rest.len())..], radix) {
            return Some(start + length);
        }
    }
    // A decimal integer cannot begin with 0, except zero itself: `0777` is the number `0` and the number
    // `777`.
    if first != '0' {
        return digits(rest, 10);
    }
    let mut length = 1;
    loop {
        match rest[length..] {
            ['0', ..] => length += 1,
            ['_', '0', ..] => length += 2,
            _ => return Some(length),
        }
    }
}

#[cfg(test)]
#[test]
fn numbers_are_the_longest_that_fit() {
    let length = |text: &str| number(&text.chars().collect::<Vec<_>>());
    for (text, expected) in [
        ("0777", 1),
        ("1_000.", 6),
        ("1__0", 1),
        (".5e-3j", 6),
        ("1e", 1),
        ("0x_fF", 5),
        ("0x", 1),
        ("00_0", 4),
        ("1.e5", 4),
        ("10j", 3),
        ("1.j", 3),
        ("0b12", 3),
    ] {
        assert_eq!(length(text), Some(expected), "{text}");
    }
    assert_eq!((length("."), length("x1"), length(".e1")), (None, None, None));
}

//! Functions that search and replace text, shared by the normalizers. Each makes one pass from left to right,
//! and its matches do not overlap.

use super::classes::{is_space, is_word};

#[inline]
pub(super) fn rewrite(text: &mut String, spare: &mut String, write: impl FnOnce(&str, &mut String)) {
    spare.clear();
    write(text, spare);
    std::mem::swap(text, spare);
}

/// Returns `true` if the regular expression `\b` matches at byte `at`: exactly one of the two neighbours is a
/// word character.
#[inline]
pub(super) fn is_boundary(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back().is_some_and(is_word);
    let after = text[at..].chars().next().is_some_and(is_word);
    before != after
}

/// Returns the byte position of the end of the run of word characters (`\w`) that starts at byte `at`.
#[inline]
pub(super) fn end_of_run(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = at;
    // The test of ASCII avoids both the decoding and the table for most bytes.
    loop {
        match bytes.get(end) {
            Some(byte) if byte.is_ascii() => {
                if !(byte.is_ascii_alphanumeric() || *byte == b'_') {
                    return end;
                }
                end += 1;
            }
            Some(_) => match text[end..].chars().next().filter(|&c| is_word(c)) {
                Some(c) => end += c.len_utf8(),
                None => return end,
            },
            None => return end,
        }
    }
}

#[inline]
pub(super) fn next_run(text: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii() {
            if byte.is_ascii_alphanumeric() || *byte == b'_' {
                return Some((at, end_of_run(text, at)));
            }
            at += 1;
        } else {
            let c = text[at..].chars().next()?;
            if is_word(c) {
                return Some((at, end_of_run(text, at)));
            }
            at += c.len_utf8();
        }
    }
    None
}

/// Replaces every run of word characters (`\w`) for which `replacement` returns a text. One call has the
/// effect of a regular expression `\bX\b` for each of many words `X`.
pub(super) fn replace_runs<'r>(
    text: &mut String,
    spare: &mut String,
    mut replacement: impl FnMut(&str) -> Option<&'r str>,
) {
    let mut copied = 0;
    let mut from = 0;
    let mut changed = false;
    while let Some((start, end)) = next_run(text, from) {
        // `spare` is filled only from the first replacement on, so a text without one is not copied.
        if let Some(new) = replacement(&text[start..end]) {
            if !changed {
                spare.clear();
                changed = true;
            }
            spare.push_str(&text[copied..start]);
            spare.push_str(new);
            copied = end;
        }
        from = end;
    }
    if changed {
        spare.push_str(&text[copied..]);
        std::mem::swap(text, spare);
    }
}

/// Replaces every occurrence of `pattern` for which `fits` returns `true`; `fits` gets the text and the start
/// and end of the occurrence.
pub(super) fn replace_where(
    text: &mut String,
    spare: &mut String,
    pattern: &str,
    new: &str,
    fits: impl Fn(&str, usize, usize) -> bool,
) {
    let mut copied = 0;
    let mut from = 0;
    let mut changed = false;
    while let Some(start) = find(text, from, pattern) {
        let end = start + pattern.len();
        if !fits(text, start, end) {
            // The search continues one character later, not after the pattern, since occurrences that do not
            // fit may overlap one that fits.
            from = start + text[start..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        if !changed {
            spare.clear();
            changed = true;
        }
        spare.push_str(&text[copied..start]);
        spare.push_str(new);
        (copied, from) = (end, end);
    }
    if changed {
        spare.push_str(&text[copied..]);
        std::mem::swap(text, spare);
    }
}

/// Returns the first position of `pattern` at or after byte `from`.
fn find(text: &str, from: usize, pattern: &str) -> Option<usize> {
    // The search is for the apostrophe of the pattern, if it has one: apostrophes are rare, and preparing a
    // search for each whole pattern takes longer than checking every apostrophe.
    let rare = memchr::memchr(b'\'', pattern.as_bytes()).unwrap_or(0);
    let &byte = pattern.as_bytes().get(rare)?;
    let rest = text.as_bytes().get(from + rare..)?;
    let mut starts = memchr::memchr_iter(byte, rest).map(|at| from + at);
    starts.find(|&start| text.as_bytes()[start..].starts_with(pattern.as_bytes()))
}

/// Deletes every `<` or `[` together with the text up to the next `>` or `]`. The two brackets need not be of
/// the same kind.
pub(super) fn delete_brackets(text: &mut String, spare: &mut String) {
    delete_between(
        text,
        spare,
        |bytes| memchr::memchr2(b'<', b'[', bytes),
        |rest| memchr::memchr2(b'>', b']', rest),
    );
}

/// Deletes every `(` together with the text up to the next `)`, unless the parentheses are empty.
pub(super) fn delete_parentheses(text: &mut String, spare: &mut String) {
    let opening = |bytes: &[u8]| {
        memchr::memchr_iter(b'(', bytes).find(|&at| bytes.get(at + 1).is_some_and(|&next| next != b')'))
    };
    delete_between(text, spare, opening, |rest| memchr::memchr(b')', rest));
}

fn delete_between(
    text: &mut String,
    spare: &mut String,
    opening: impl Fn(&[u8]) -> Option<usize>,
    closing: impl Fn(&[u8]) -> Option<usize>,
) {
    let bytes = text.as_bytes();
    let mut from = 0;
    let mut changed = false;
    while let Some(start) = opening(&bytes[from..]).map(|at| from + at) {
        // If an opening bracket has no closing one, then no later opening bracket has one either.
        let Some(end) = closing(&bytes[start + 1..]).map(|at| start + 1 + at + 1) else { break };
        if !changed {
            spare.clear();
            changed = true;
        }
        spare.push_str(&text[from..start]);
        from = end;
    }
    if changed {
        spare.push_str(&text[from..]);
        std::mem::swap(text, spare);
    }
}

/// Replaces each run of whitespace (`\s`) by one space.
pub(super) fn collapse(text: &mut String, spare: &mut String) {
    rewrite(text, spare, |text, out| {
        out.reserve(text.len());
        let mut copied = 0;
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let (space, len) = space_at(text, at);
            if !space {
                at += len;
                continue;
            }
            let start = at;
            while at < bytes.len() {
                let (space, len) = space_at(text, at);
                if !space {
                    break;
                }
                at += len;
            }
            // Most runs are one space, which is copied together with the text around it.
            if &text[start..at] != " " {
                out.push_str(&text[copied..start]);
                out.push(' ');
                copied = at;
            }
        }
        out.push_str(&text[copied..]);
    });
}

/// Returns whether the character at byte `at` is whitespace, and its length in bytes.
#[inline(always)]
fn space_at(text: &str, at: usize) -> (bool, usize) {
    let byte = text.as_bytes()[at];
    if byte.is_ascii() {
        return (matches!(byte, 0x09..=0x0D | 0x1C..=0x20), 1);
    }
    let c = text[at..].chars().next().unwrap_or_default();
    (is_space(c), c.len_utf8())
}

/// Deletes whitespace before every occurrence of `mark`.
pub(super) fn delete_space_before(text: &mut String, spare: &mut String, mark: char) {
    rewrite(text, spare, |text, out| {
        // The last piece has no mark after it, so it keeps its trailing whitespace.
        let mut pieces = text.split(mark);
        let last = pieces.next_back().unwrap_or_default();
        for piece in pieces {
            out.push_str(crate::whitespace::rstrip(piece));
            out.push(mark);
        }
        out.push_str(last);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(step: impl Fn(&mut String, &mut String), text: &str) -> String {
        let mut text = text.to_owned();
        let mut spare = "memory".to_owned();
        step(&mut text, &mut spare);
        text
    }

    quickcheck::quickcheck! {
        fn patterns_are_found_where_the_library_finds_them(letters: Vec<u8>, pattern: u8, from: usize) -> bool {
            let text: String = letters.iter().map(|letter| ["'", "n", "t", "é"][usize::from(letter % 4)]).collect();
            let pattern = ["n't", "'t", "nt", "t"][usize::from(pattern % 4)];
            let from = (0..=from % (text.len() + 1)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            find(&text, from, pattern) == text[from..].find(pattern).map(|at| from + at)
        }

        fn runs_of_space_are_collapsed(letters: Vec<u8>) -> bool {
            let text: String = letters.iter().map(|letter| [" ", "\t", "\u{a0}", "a", "é"][usize::from(letter % 5)]).collect();
            let mut plain = String::new();
            for c in text.chars() {
                match is_space(c) {
                    true if plain.ends_with(' ') => {}
                    true => plain.push(' '),
                    false => plain.push(c),
                }
            }
            done(collapse, &text) == plain
        }
    }

    #[test]
    fn brackets_go_up_to_the_next_of_either_kind() {
        for (text, expected) in
            [("a [b> c", "a  c"), ("a <> [", "a  ["), ("[[a]]", "]"), ("a > b", "a > b"), ("<\n>", "")]
        {
            assert_eq!(done(delete_brackets, text), expected);
        }
    }

    #[test]
    fn parentheses_hold_something() {
        for (text, expected) in
            [("()", "()"), ("((a) b)", " b)"), ("()a)", "()a)"), ("(é) (", " ("), ("()(a)", "()")]
        {
            assert_eq!(done(delete_parentheses, text), expected);
        }
    }

    #[test]
    fn runs_of_space_become_one_and_marks_pull() {
        assert_eq!(done(collapse, " \ta\u{3000}\u{a0}b\n"), " a b ");
        assert_eq!(done(|text, spare| delete_space_before(text, spare, '\''), "a  'b\u{a0}'' "), "a'b'' ");
    }
}

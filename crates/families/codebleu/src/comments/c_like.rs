//! Removes comments from programs in all languages except Python and Ruby, as in the original CodeBLEU
//! program.
//!
//! The first match counts at each place, from left to right. Matches are `//` to the end of the line, `/*` to
//! the next `*/`, and text in single or double quotes with backslashes, over any number of lines. A comment
//! becomes a space, and quoted text stays. An apostrophe therefore hides comments up to the next apostrophe,
//! and `//` cuts a backtick string. Both effects are the program's.

pub(super) fn strip(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    let mut at = 0;
    // If nothing closes one comment, nothing closes a later one: this keeps repeated `/*` linear.
    let mut blocks = true;
    let mut quotes = Quotes::default();
    while at < bytes.len() {
        let rest = &text[at..];
        let comment = if rest.starts_with("//") {
            Some(rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") && blocks {
            let end = rest[2..].find("*/").map(|end| end + 4);
            blocks = end.is_some();
            end
        } else {
            None
        };
        if let Some(length) = comment {
            out.push_str(&text[kept..at]);
            out.push(' ');
            at += length;
            kept = at;
        } else if matches!(bytes[at], b'\'' | b'"') {
            // Without a closing quote the program's pattern does not match, and the search goes on behind the
            // quote.
            at = quotes.end(bytes, at).unwrap_or(at + 1);
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    out.push_str(&text[kept..]);
    out
}

/// Marks, for single and for double quotes, the positions after which no closing quote follows. The marks
/// keep the search linear in time.
#[derive(Default)]
struct Quotes([Vec<bool>; 2]);

impl Quotes {
    /// Returns the position after the quote that closes the quote at `open`, or `None` if there is none.
    fn end(&mut self, bytes: &[u8], open: usize) -> Option<usize> {
        let quote = bytes[open];
        let dead = &mut self.0[usize::from(quote == b'"')];
        dead.resize(bytes.len() + 1, false);
        let mut at = open + 1;
        while at < bytes.len() && !dead[at] {
            match bytes[at] {
                byte if byte == quote => return Some(at + 1),
                // A backslash before the end of the text closes nothing. Bytes of 128 and more are never
                // quotes, so that stepping by bytes is safe.
                b'\\' if at + 1 < bytes.len() => at += 2,
                b'\\' => break,
                _ => at += 1,
            }
        }
        // Every place on the failed path fails for the same quote, too.
        let mut passed = open + 1;
        while passed < bytes.len() && !dead[passed] {
            dead[passed] = true;
            passed += if bytes[passed] == b'\\' { 2 } else { 1 };
        }
        None
    }
}

#[cfg(test)]
#[test]
fn comments_go_and_strings_stay() {
    assert_eq!(strip("a // b\nc"), "a  \nc");
    assert_eq!(strip("a/* b\n */c /* d"), "a c /* d");
    assert_eq!(strip(r#"a "// \" /*" // b"#), r#"a "// \" /*"  "#);
    assert_eq!(strip("fn f<'a>() {} // it's\n"), "fn f<'a>() {} // it's\n");
    assert_eq!(strip("'x // é"), "'x  ");
    assert_eq!(strip("`http://x`"), "`http: ");
    assert_eq!(strip(&"/*\\'".repeat(100_000)).len(), 400_000);
}

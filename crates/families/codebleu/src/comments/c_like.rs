//! Comments of languages that are like C, as the program finds them for all languages but Python and Ruby.
//!
//! From left to right, the first that fits at each place: `//` to the end of the line, `/*` to the next `*/`, and text in
//! single or double quotes with backslashes, over any number of lines. A comment becomes a space; quoted text stays. So an
//! apostrophe hides the comments up to the next one, and `//` in a backtick string cuts it: both are the program's.

pub(super) fn strip(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    let mut at = 0;
    // Once nothing closes a comment, nothing closes a later one.
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
            at = quotes.end(bytes, at).unwrap_or(at + 1);
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    out.push_str(&text[kept..]);
    out
}

/// The places from which no closing quote is reached, single and double, so that every place is passed once.
#[derive(Default)]
struct Quotes([Vec<bool>; 2]);

impl Quotes {
    /// One past the quote that closes the one at this place.
    fn end(&mut self, bytes: &[u8], open: usize) -> Option<usize> {
        let quote = bytes[open];
        let dead = &mut self.0[usize::from(quote == b'"')];
        dead.resize(bytes.len() + 1, false);
        let mut at = open + 1;
        while at < bytes.len() && !dead[at] {
            match bytes[at] {
                byte if byte == quote => return Some(at + 1),
                // A backslash before the end closes nothing. Bytes within a character are no quotes.
                b'\\' if at + 1 < bytes.len() => at += 2,
                b'\\' => break,
                _ => at += 1,
            }
        }
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

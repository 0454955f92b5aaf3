//! Removes Python comments and docstrings, as in the original CodeBLEU program: tokenizes like CPython 3.11's
//! `tokenize` module, then writes the remaining tokens.
//!
//! Text that the tokenizer rejects stays unchanged. A string is dropped at the start of a statement, and at
//! column 0 of any line. A backslash at the end of a line is dropped together with the line end. Tabs become
//! one space each, except before the first token of a block.

use std::borrow::Cow;

use super::without_blank_lines;
use lines::PythonLexer;

mod lines;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PythonTokenKind {
    Comment,
    String,
    Indent,
    Newline,
    Other,
}

/// Python token with its start and end as row and column, both counted in characters.
#[derive(Debug)]
struct PythonToken {
    kind: PythonTokenKind,
    text: String,
    start: (usize, usize),
    end: (usize, usize),
}

pub(super) fn strip(text: &str) -> Cow<'_, str> {
    match PythonLexer::new(text).tokens() {
        Some(tokens) => Cow::Owned(without_blank_lines(&written(&tokens))),
        None => Cow::Borrowed(text),
    }
}

fn written(tokens: &[PythonToken]) -> String {
    let mut out = String::new();
    let mut before = PythonTokenKind::Indent;
    let mut row = 0;
    let mut column = 0;
    for token in tokens {
        // Columns restart on a new row; blanks between tokens are written from the difference of columns.
        if token.start.0 > row {
            column = 0;
        }
        out.extend(std::iter::repeat_n(' ', token.start.1.saturating_sub(column)));
        let dropped = match token.kind {
            PythonTokenKind::Comment => true,
            PythonTokenKind::String => {
                // The program's test for docstrings. It also drops a string of an expression that happens to
                // begin in column 0.
                matches!(before, PythonTokenKind::Indent | PythonTokenKind::Newline) || token.start.1 == 0
            }
            _ => false,
        };
        if !dropped {
            out.push_str(&token.text);
        }
        before = token.kind;
        (row, column) = token.end;
    }
    out
}

#[cfg(test)]
#[test]
fn docstrings_and_comments_go() {
    assert_eq!(strip("def f():\n    \"\"\"Doc.\"\"\"\n    # c\n    return 1"), "def f():\n    return 1");
    assert_eq!(strip("x = 'a # b' # c"), "x = 'a # b' ");
    // The tokenizer rejects an open bracket, and a dedent to a column that no block has.
    assert_eq!(strip("f( # c"), "f( # c");
    assert_eq!(strip("if x:\n    a\n  b # c"), "if x:\n    a\n  b # c");
    // A string is dropped if it is the first of a statement, or at column 0.
    assert_eq!(strip("f(1,\n'a',\n 'b')"), "f(1,\n,\n 'b')");
    assert_eq!(strip("x = \\\n  1"), "x =  1");
}

//! Tokenizer for Python programs that follows the rules of CPython 3.11's `tokenize` module.

use super::{PythonToken, PythonTokenKind};
use literals::{Quote, Triple};

mod literals;

const OPERATORS: [&[&str]; 2] = [
    &["**=", "//=", "<<=", ">>=", "..."],
    &[
        "!=", "%=", "&=", "**", "*=", "+=", "-=", "->", "//", "/=", ":=", "<<", "<=", "==", ">=", ">>", "@=",
        "^=", "|=",
    ],
];
const SINGLE: &str = "%&()*+,-./:;<=>@[]^{|}~";

/// Python string literal that continues on the next line.
struct OpenString {
    text: String,
    start: (usize, usize),
    quote: Quote,
}

pub(super) struct PythonLexer<'t> {
    lines: Vec<&'t str>,
    tokens: Vec<PythonToken>,
    indents: Vec<usize>,
    /// Number of brackets open so far in the Python program; negative after too many closing brackets.
    depth: i64,
    continued: bool,
    /// `true` if a string literal that is still open needs a backslash at the end of each line. Like in the
    /// original tokenizer, only the end of a string resets this flag. After a string that never ended,
    /// triple-quoted strings need backslashes, too.
    needs_backslash: bool,
    open: Option<OpenString>,
}

impl<'t> PythonLexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let lines = text.split_inclusive('\n').collect();
        PythonLexer {
            lines,
            tokens: Vec::new(),
            indents: vec![0],
            depth: 0,
            continued: false,
            needs_backslash: false,
            open: None,
        }
    }

    pub(super) fn tokens(mut self) -> Option<Vec<PythonToken>> {
        // If the last line is white space without a line end, the original tokenizer ends the text there.
        let mut read = self.lines.len();
        for row in 0..self.lines.len() {
            let line: Vec<char> = self.lines[row].chars().collect();
            if !self.line(row, &line)? {
                read = row;
                break;
            }
        }
        if read == self.lines.len() && (self.open.is_some() || !self.at_statement()) {
            return None;
        }
        self.finish(read);
        Some(self.tokens)
    }

    fn at_statement(&self) -> bool {
        self.depth == 0 && !self.continued
    }

    /// Tokenizes a line of a Python program. Returns `Some(true)` if the program continues, `Some(false)` if
    /// it ends in this line, and `None` if the tokenizer rejects the text.
    fn line(&mut self, row: usize, line: &[char]) -> Option<bool> {
        let mut at = 0;
        if let Some(open) = self.open.take() {
            match self.go_on(open, row, line) {
                Some(end) => at = end,
                None => return Some(true),
            }
        } else if self.at_statement() {
            let (column, start) = indentation(line);
            at = start;
            let Some(&first) = line.get(at) else { return Some(false) };
            if matches!(first, '#' | '\r' | '\n') {
                self.blank(row, line, at);
                return Some(true);
            }
            self.indent(column, row, line, at)?;
        } else {
            self.continued = false;
        }
        while at < line.len() {
            at = self.token(row, line, at);
        }
        Some(true)
    }

    fn go_on(&mut self, mut open: OpenString, row: usize, line: &[char]) -> Option<usize> {
        let end = open.quote.end(line, 0);
        open.text.extend(&line[..end.unwrap_or(line.len())]);
        if let Some(end) = end {
            self.needs_backslash = false;
            self.push(PythonTokenKind::String, open.text, open.start, (row, end));
        } else if !self.needs_backslash || is_continued(line) {
            self.open = Some(open);
        } else {
            // A string that is neither closed nor continued becomes an error token; the tokenizer goes on in
            // the next line.
            self.push(PythonTokenKind::Other, open.text, open.start, (row, line.len()));
        }
        end
    }

    fn blank(&mut self, row: usize, line: &[char], mut at: usize) {
        if line[at] == '#' {
            let end = line.iter().rposition(|c| !matches!(c, '\r' | '\n')).map_or(at, |last| last + 1);
            self.cut(PythonTokenKind::Comment, row, line, at, end);
            at = end;
        }
        self.cut(PythonTokenKind::Other, row, line, at, line.len());
    }

    fn indent(&mut self, column: usize, row: usize, line: &[char], at: usize) -> Option<()> {
        if self.indents.last().is_some_and(|&last| column > last) {
            self.indents.push(column);
            self.cut(PythonTokenKind::Indent, row, line, 0, at);
        }
        while self.indents.last().is_some_and(|&last| column < last) {
            // A dedent must return to the column of an open block; CPython raises an error otherwise.
            if !self.indents.contains(&column) {
                return None;
            }
            self.indents.pop();
            self.cut(PythonTokenKind::Other, row, line, at, at);
        }
        Some(())
    }

    fn token(&mut self, row: usize, line: &[char], from: usize) -> usize {
        let blanks = line[from..].iter().take_while(|c| matches!(c, ' ' | '\t' | '\x0c')).count();
        let at = from + blanks;
        let rest = &line[at..];
        let other = |lexer: &mut Self, length: usize| {
            lexer.cut(PythonTokenKind::Other, row, line, at, at + length);
            at + length
        };
        match rest {
            [] => return at,
            ['\\', '\n'] | ['\\', '\r', '\n'] => {
                self.continued = true;
                return line.len();
            }
            ['#', ..] => {
                let length = rest.iter().take_while(|c| !matches!(c, '\r' | '\n')).count();
                self.cut(PythonTokenKind::Comment, row, line, at, at + length);
                return at + length;
            }
            _ => {}
        }
        // Triple quotes come first, because a triple quote also begins like an empty string in single quotes.
        if let Some(triple) = Triple::at(rest) {
            return match triple.quote.end(line, at + triple.length) {
                Some(end) => {
                    self.cut(PythonTokenKind::String, row, line, at, end);
                    end
                }
                None => self.opened(triple.quote, row, line, at),
            };
        }
        // Numbers come before operators: `.5` begins like the operator `.`.
        if let Some(length) = literals::number(rest) {
            return other(self, length);
        }
        if let ['\n', ..] | ['\r', '\n', ..] = rest {
            let kind = if self.depth > 0 { PythonTokenKind::Other } else { PythonTokenKind::Newline };
            self.cut(kind, row, line, at, line.len());
            return line.len();
        }
        if let Some(length) = self.operator(rest) {
            return other(self, length);
        }
        if let Some((quote, length, whole)) = literals::single(rest) {
            if !whole {
                self.needs_backslash = true;
                return self.opened(quote, row, line, at);
            }
            self.cut(PythonTokenKind::String, row, line, at, at + length);
            return at + length;
        }
        match rest.iter().take_while(|c| c.is_alphanumeric() || **c == '_').count() {
            // No token begins with this character. The blanks before it become error tokens first, one by
            // one, as in CPython.
            0 => {
                self.cut(PythonTokenKind::Other, row, line, from, from + 1);
                from + 1
            }
            length => other(self, length),
        }
    }

    fn opened(&mut self, quote: Quote, row: usize, line: &[char], at: usize) -> usize {
        self.open = Some(OpenString { text: line[at..].iter().collect(), start: (row, at), quote });
        line.len()
    }

    fn operator(&mut self, rest: &[char]) -> Option<usize> {
        // The longest operator wins: three characters before two before one.
        for (length, known) in [3, 2].into_iter().zip(OPERATORS) {
            if known.iter().any(|operator| operator.chars().eq(rest.iter().take(length).copied())) {
                return Some(length);
            }
        }
        let first = *rest.first()?;
        match first {
            '(' | '[' | '{' => self.depth += 1,
            ')' | ']' | '}' => self.depth -= 1,
            _ => {}
        }
        SINGLE.contains(first).then_some(1)
    }

    fn finish(&mut self, read: usize) {
        // If white space ends the text, the line before it counts as the last line.
        let last = read.checked_sub(1).and_then(|last| self.lines.get(last));
        if let Some(last) = last {
            let length = last.chars().count();
            if !last.ends_with(['\r', '\n'])
                && !last.trim_start_matches(super::super::is_space).starts_with('#')
            {
                self.push(
                    PythonTokenKind::Newline,
                    String::new(),
                    (read - 1, length),
                    (read - 1, length + 1),
                );
            }
        }
        let end = (self.lines.len(), 0);
        self.push(PythonTokenKind::Other, String::new(), end, end);
    }

    fn cut(&mut self, kind: PythonTokenKind, row: usize, line: &[char], start: usize, end: usize) {
        self.push(kind, line[start..end].iter().collect(), (row, start), (row, end));
    }

    fn push(&mut self, kind: PythonTokenKind, text: String, start: (usize, usize), end: (usize, usize)) {
        self.tokens.push(PythonToken { kind, text, start, end });
    }
}

fn indentation(line: &[char]) -> (usize, usize) {
    let mut column = 0;
    for (at, c) in line.iter().enumerate() {
        match c {
            ' ' => column += 1,
            // CPython's rules for indentation: a tab stops at multiples of 8, and a form feed restarts the
            // column.
            '\t' => column = (column / 8 + 1) * 8,
            '\x0c' => column = 0,
            _ => return (column, at),
        }
    }
    (column, line.len())
}

fn is_continued(line: &[char]) -> bool {
    line.ends_with(&['\\', '\n']) || line.ends_with(&['\\', '\r', '\n'])
}

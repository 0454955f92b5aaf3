//! Writes safely to a terminal. Control characters in names and texts could move the cursor, change the title
//! or hide text, so they are escaped.

use std::borrow::Cow;
use std::io::{Result, Write, stdout};

use unicode_width::UnicodeWidthStr as _;

/// Width of texts and tables where standard output is no terminal and `COLUMNS` names none.
const USUAL_WIDTH: usize = 80;

/// Greatest width of texts on a wide terminal.
const WIDEST: usize = 100;

/// Returns the width of the terminal that standard output writes to, or `None` if it writes elsewhere.
pub fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size_of(stdout()).map(|(terminal_size::Width(width), _)| width.into())
}

/// Returns the width of printed texts in characters: the width of the terminal up to 100, else the value of the
/// environment variable `COLUMNS`, else 80.
pub fn text_width() -> usize {
    let named = || std::env::var("COLUMNS").ok()?.trim().parse().ok();
    // Long lines are hard to read, and narrower columns would break between the letters of names.
    terminal_width().map(|width| width.min(WIDEST)).or_else(named).unwrap_or(USUAL_WIDTH).clamp(40, 10_000)
}

/// Splits a text at its spaces into lines of at most `width` characters. A longer word gets a separate line.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line =
            lines.last_mut().filter(|line| line.is_empty() || line.width() + 1 + word.width() <= width);
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Replaces control characters by escapes such as `\u{1b}`, except line feeds and tabs.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    // Line feeds and tabs are part of the layout of tables, and cannot move the cursor upwards.
    let raw = |c: char| is_control(c) && !matches!(c, '\n' | '\t');
    if !text.contains(raw) {
        return Cow::Borrowed(text);
    }
    text.chars()
        .fold(String::with_capacity(text.len() + 8), |mut shown, c| {
            if raw(c) {
                shown.extend(c.escape_unicode())
            } else {
                shown.push(c)
            }
            shown
        })
        .into()
}

/// Returns `true` for control characters and for characters that change the direction of text.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Terminal escape sequences for colours that tables may contain.
const COLOURS: [&str; 5] = ["\u{1b}[0m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m", "\u{1b}[36m"];

/// Writer to a terminal that escapes all control characters, except line ends, tabs and the colours of
/// tables.
pub struct Terminal<W: Write> {
    out: W,
    line: Vec<u8>,
}

impl<W: Write> Terminal<W> {
    /// Creates a writer that escapes control characters and passes the text on to `out`.
    pub fn new(out: W) -> Self {
        Terminal { out, line: Vec::new() }
    }

    fn write_line(&mut self) -> Result<()> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        // Each piece after the first follows an escape character; only known colours are passed on.
        for (place, piece) in line.split('\u{1b}').enumerate() {
            let colour = COLOURS.iter().find(|colour| place > 0 && piece.starts_with(&colour[1..]));
            let (escape, rest) = match colour {
                Some(colour) => (*colour, &piece[colour.len() - 1..]),
                None if place > 0 => ("\\u{1b}", piece),
                None => ("", piece),
            };
            write!(self.out, "{escape}{}", printable(rest))?;
        }
        Ok(())
    }
}

impl<W: Write> Write for Terminal<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.line.extend_from_slice(bytes);
        // Only whole lines are written, since an escape sequence may be split between two calls.
        if let Some(end) = self.line.iter().rposition(|&byte| byte == b'\n') {
            let rest = self.line.split_off(end + 1);
            self.write_line()?;
            self.line = rest;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.write_line()?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_at_spaces() {
        assert_eq!(wrapped("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrapped("猫猫 a incomprehensible b", 6), ["猫猫 a", "incomprehensible", "b"]);
        assert_eq!(wrapped("", 6), [""]);
    }

    #[test]
    fn no_control_character_reaches_a_terminal() {
        let text = "a\tb\u{1b}[31mc\u{1b}[0m\u{1b}]0;title\u{7}\u{9b}2J\r\u{202e}x\u{8}\u{1b}";
        let expected = "a\tb\u{1b}[31mc\u{1b}[0m\\u{1b}]0;title\\u{7}\\u{9b}2J\\u{d}\\u{202e}x\\u{8}\\u{1b}";
        for size in 1..text.len() {
            let mut out = Terminal::new(Vec::new());
            for piece in format!("{text}\n{text}").into_bytes().chunks(size) {
                out.write_all(piece).unwrap();
            }
            out.flush().unwrap();
            assert_eq!(String::from_utf8(out.out).unwrap(), format!("{expected}\n{expected}"), "{size}");
        }
        assert!(!printable(text).contains('\u{1b}'));
        assert_eq!(printable("plain\n"), "plain\n");
    }
}

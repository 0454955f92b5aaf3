//! [`Template`]: the replacement of a match, as Python's `re.sub` reads it.

/// Literal text and groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Template(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Group(usize),
}

impl Template {
    /// Reads a template for a pattern with groups of these names, of which the first is the whole match; no names are those
    /// of a pattern without groups.
    pub(super) fn parse(template: &str, names: &[Option<&str>]) -> Result<Self, String> {
        let mut pieces = Template(Vec::new());
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('\\') {
            pieces.push_text(before);
            rest = pieces
                .escape(after, names)
                .map_err(|reason| format!("the template `{template}` {reason}"))?;
        }
        pieces.push_text(rest);
        Ok(pieces)
    }

    fn escape<'t>(&mut self, after: &'t str, names: &[Option<&str>]) -> Result<&'t str, String> {
        let Some(letter) = after.chars().next() else { return Err("ends in a backslash".to_owned()) };
        let rest = &after[letter.len_utf8()..];
        let control = match letter {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '\\' => '\\',
            'g' => {
                let inner = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
                let Some((name, rest)) = inner else { return Err("has `\\g` without a `<name>`".to_owned()) };
                self.push_group(name, names)?;
                return Ok(rest);
            }
            '1'..='9' => {
                let digits = rest.bytes().next().filter(u8::is_ascii_digit).map_or(1, |_| 2);
                // Three octal digits are a character there.
                if after.len() > 2 && after.as_bytes()[..3].iter().all(|digit| (b'0'..=b'7').contains(digit))
                {
                    return Err(format!("has `\\{}`, a number of a character", &after[..3]));
                }
                self.push_group(&after[..digits], names)?;
                return Ok(&after[digits..]);
            }
            _ if letter.is_ascii_alphanumeric() => {
                return Err(format!("has `\\{letter}`, which means nothing"));
            }
            _ => {
                self.push_text("\\");
                letter
            }
        };
        self.push_text(control.encode_utf8(&mut [0; 4]));
        Ok(rest)
    }

    fn push_group(&mut self, name: &str, names: &[Option<&str>]) -> Result<(), String> {
        let number = match name.parse() {
            Ok(number) => Some(number).filter(|&number: &usize| number < names.len().max(1)),
            Err(_) => names.iter().position(|known| *known == Some(name)),
        };
        let missing = || format!("names the group {name}, which is not there");
        self.0.push(Piece::Group(number.ok_or_else(missing)?));
        Ok(())
    }

    fn push_text(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.0.push(Piece::Text(text.to_owned())),
        }
    }

    /// Writes the replacement of a match with these groups.
    pub(super) fn push<'g>(&self, out: &mut String, group: impl Fn(usize) -> &'g str) {
        for piece in &self.0 {
            out.push_str(match piece {
                Piece::Text(text) => text,
                Piece::Group(number) => group(*number),
            });
        }
    }

    /// The replacement of a match without groups.
    pub(super) fn of_whole(&self, whole: &str) -> String {
        let mut out = String::new();
        self.push(&mut out, |_| whole);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_those_of_python() {
        for (template, expected) in [
            ("", Ok("")),
            ("a\\tb\\\\", Ok("a\tb\\")),
            ("\\g<0>\\.", Ok("whole\\.")),
            ("\\g<n>", Ok("whole")),
            ("\\12", Err(())),
            ("\\0", Err(())),
            ("\\", Err(())),
            ("\\g<x>", Err(())),
            ("\\101", Err(())),
        ] {
            let parsed = Template::parse(template, &[None, Some("n")]);
            let result = parsed.map(|parsed| parsed.of_whole("whole")).map_err(|_| ());
            assert_eq!(result, expected.map(str::to_owned), "{template}");
        }
    }
}

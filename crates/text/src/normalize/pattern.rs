//! A pattern of the user's with its template, as `re.sub` of Python replaces by it.

use super::files::Replace;
use super::template::Template;
use super::text::rewrite;
use crate::unicode;
use regex::Regex;
use regex_syntax::ast::{Ast, ClassPerl, ClassPerlKind, ClassSetItem, Visitor, parse, visit};
use std::fmt::Write as _;

/// The replacement of the matches of a pattern.
pub(super) fn replace(old: &str, new: &str) -> Result<Replace, String> {
    let regex = build(old)?;
    let names: Vec<Option<&str>> = regex.capture_names().collect();
    let template = Template::parse(new, &names)?;
    Ok(Box::new(move |text, spare| {
        if regex.is_match(text) {
            rewrite(text, spare, |text, out| {
                let mut copied = 0;
                for captures in regex.captures_iter(text) {
                    let Some(whole) = captures.get(0) else { continue };
                    out.push_str(&text[copied..whole.start()]);
                    template.push(out, |group| captures.get(group).map_or("", |found| found.as_str()));
                    copied = whole.end();
                }
                out.push_str(&text[copied..]);
            });
        }
    }))
}

fn build(pattern: &str) -> Result<Regex, String> {
    let refused = |feature: &str| format!("`{pattern}` has {feature}, which no engine of linear time runs");
    let malformed = |message: &str| match message {
        _ if message.contains("look-around") => refused("look-around"),
        _ if message.contains("backreferences") => refused("a back-reference"),
        _ => format!("`{pattern}` is no pattern: {}", message.lines().last().unwrap_or_default()),
    };
    let ast = parse::Parser::new().parse(pattern).map_err(|error| malformed(&error.to_string()))?;
    let classes = visit(&ast, Classes::default()).map_err(|()| malformed(""))?;
    let written = classes.write(pattern);
    let regex = Regex::new(&written).map_err(|error| malformed(&error.to_string()))?;
    let shortest = regex_syntax::parse(&written).map(|hir| hir.properties().minimum_len());
    if shortest.is_ok_and(|shortest| shortest == Some(0)) {
        return Err(format!("`{pattern}` matches the empty text, where programs differ"));
    }
    Ok(regex)
}

/// The places of `\w`, `\d`, `\s` and their opposites in a pattern, which mean more letters to the engine than to Python.
#[derive(Default)]
struct Classes(Vec<ClassPerl>);

impl Visitor for Classes {
    type Output = Self;
    type Err = ();

    fn finish(self) -> Result<Self, ()> {
        Ok(self)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), ()> {
        if let Ast::ClassPerl(class) = ast {
            self.0.push((**class).clone());
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), ()> {
        if let ClassSetItem::Perl(class) = item {
            self.0.push(class.clone());
        }
        Ok(())
    }
}

impl Classes {
    fn write(mut self, pattern: &str) -> String {
        self.0.sort_by_key(|class| class.span.start.offset);
        let (mut written, mut copied) = (String::new(), 0);
        for class in &self.0 {
            written.push_str(&pattern[copied..class.span.start.offset]);
            written.push_str(if class.negated { "[^" } else { "[" });
            let ranges: &[&[(u32, u32)]] = match class.kind {
                ClassPerlKind::Digit => &[unicode::DIGIT],
                ClassPerlKind::Word => &[unicode::WORD, unicode::DIGIT, &[(0x5F, 0x5F)]],
                ClassPerlKind::Space => &[SPACE],
            };
            for (first, last) in ranges.iter().copied().flatten() {
                // Writing to a string does not fail.
                let _ = write!(written, r"\x{{{first:X}}}-\x{{{last:X}}}");
            }
            written.push(']');
            copied = class.span.end.offset;
        }
        written.push_str(&pattern[copied..]);
        written
    }
}

/// White space as Python has it.
const SPACE: &[(u32, u32)] = &[
    (0x09, 0x0D),
    (0x1C, 0x20),
    (0x85, 0x85),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalize::classes::{digit, is_space, is_word};

    #[test]
    fn classes_are_those_of_python() {
        let fits = |pattern: &str| {
            let regex = build(pattern).unwrap();
            move |c: char| regex.is_match(c.encode_utf8(&mut [0; 4]))
        };
        let (word, digits, other, space) = (fits(r"\w"), fits(r"[\d]"), fits(r"[^a\W]"), fits(r"(?x) \s "));
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            assert_eq!((word(c), digits(c)), (is_word(c), digit(c).is_some()), "{c:?}");
            assert_eq!((other(c), space(c)), (is_word(c) && c != 'a', is_space(c)), "{c:?}");
        }
    }
}

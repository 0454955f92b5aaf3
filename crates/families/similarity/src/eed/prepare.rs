//! Prepares texts for EED (extended edit distance), as in the original program.

use bleuprint_text::whitespace::{is_python_whitespace, rstrip};
use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

use super::EedLanguage;

const MARKS: [char; 4] = ['.', '!', '?', ','];
const TITLES: [&str; 9] = ["Dr", "Jr", "Prof", "Rev", "Gen", "Mr", "Mt", "Mrs", "Ms"];
const JOINED: [(&str, &str); 3] = [("e . g .", "e.g."), ("i . e .", "i.e."), ("U . S .", "U.S.")];

pub(super) fn prepare(text: &str, language: EedLanguage) -> String {
    let text = rstrip(text);
    if language == EedLanguage::Japanese {
        return text.nfkc().collect();
    }
    let mut text = join_titles(&join_numbers(&spaced(text)));
    for (apart, joined) in JOINED {
        text = text.replace(apart, joined);
    }
    format!(" {text} ")
}

/// Puts a space before each punctuation mark, and replaces each run of white space by one space.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + 16);
    let mut push = |c: char| {
        if c != ' ' || !spaced.ends_with(' ') {
            spaced.push(c);
        }
    };
    for c in text.chars() {
        if MARKS.contains(&c) {
            push(' ');
        }
        push(if is_python_whitespace(c) { ' ' } else { c });
    }
    spaced
}

/// Joins numbers such as `3 . 5` to `3.5`. A joined digit does not begin another match: `1 . 2 . 3` becomes
/// `1.2 . 3`.
fn join_numbers(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut joined = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        match chars[at..] {
            [one, ' ', mark @ ('.' | ','), ' ', other, ..] if is_digit(one) && is_digit(other) => {
                joined.extend([one, mark, other]);
                at += 5;
            }
            _ => {
                joined.push(chars[at]);
                at += 1;
            }
        }
    }
    joined
}

fn is_digit(c: char) -> bool {
    c.general_category() == GeneralCategory::DecimalNumber
}

/// Replaces a title such as `Dr`, a space and any character by the title and a period.
fn join_titles(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        // The program's pattern has an unescaped dot, so any character after the space is dropped.
        let behind = |title: &&str| rest.strip_prefix(title)?.strip_prefix(' ')?.chars().next();
        let found = TITLES.iter().find_map(|title| behind(title).map(|c| (title, c)));
        let taken = match found {
            Some((title, behind)) => {
                joined.push_str(title);
                joined.push('.');
                title.len() + 1 + behind.len_utf8()
            }
            None => {
                joined.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_is_spaced_and_joined() {
        let cases = [
            ("It costs 3. 50, Mr. Smith!", " It costs 3.50 , Mr. Smith ! "),
            ("Dr Who", " Dr.ho "),
            ("e. g. in the U. S.\t now  ", " e.g. in the U.S. now "),
            ("1, 2, 3", " 1,2 , 3 "),
            ("Mrs. Mr", " Mrs. Mr "),
            ("", "  "),
        ];
        for (text, expected) in cases {
            assert_eq!(prepare(text, EedLanguage::English), expected);
        }
        assert_eq!(prepare("ｶﾞ１ ", EedLanguage::Japanese), "ガ1");
    }
}

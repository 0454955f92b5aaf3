//! Implements METEOR's text normalization: splits off punctuation by character rules, and full stops by lists
//! of abbreviations.
//!
//! A rule scans a line from left to right and consumes the characters that it changes, so that `a-b-c`
//! becomes `a b-c`.

use super::prefixes::Prefixes;
use super::settings::Language;

/// Line of text as characters, which the rules of METEOR's normalizer change in place.
#[derive(Debug, Default)]
pub(super) struct NormalizedLine {
    text: Vec<char>,
    spare: Vec<char>,
}

/// The placeholder for repeated dots while rules run. A text that contains it is damaged, as in the original
/// program METEOR 1.5.
const DOTS: &str = "DOTMULTI";

pub(super) fn is_letter(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | 'Š' | 'Ž' | 'š' | 'ž' | 'Ÿ' | 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ž')
        || matches!(c, '\u{400}'..='\u{527}' | '\u{A640}'..='\u{A66E}' | '\u{A67E}'..='\u{A697}')
        || matches!(c, '\u{1D00}'..='\u{1D7F}')
}

fn is_word(c: char) -> bool {
    c.is_ascii_digit() || is_letter(c)
}

fn no_digit(c: char) -> bool {
    !c.is_ascii_digit()
}

fn no_letter(c: char) -> bool {
    !is_letter(c)
}

/// Returns `true` for the white space that ends a word: Java's `\s` except the vertical tab.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0C')
}

/// Normalizes a text and returns its words separated by single spaces, in their original case.
pub(super) fn normalize(
    line: &mut NormalizedLine,
    language: Language,
    prefixes: &Prefixes,
    punctuation: bool,
    text: &str,
) -> String {
    line.cut_off(text);
    let dots = text.contains("..") || text.contains(DOTS);
    if dots {
        line.protect_dots();
    }
    line.split_commas();
    line.unify_quotes();
    line.unify_dashes();
    line.split_apostrophes(language);
    let mut words = split_stops(&line.text, prefixes);
    if dots {
        words = show_dots(words);
    }
    if !punctuation {
        words = words.chars().map(|c| if is_word(c) { c } else { ' ' }).collect();
    }
    collapse(&words)
}

impl NormalizedLine {
    fn cut_off(&mut self, text: &str) {
        self.text.clear();
        // The blanks at both ends give every character a neighbour, which the rules for three characters
        // need.
        self.text.push(' ');
        for c in text.chars() {
            // The vertical tab stays because Java's `\s` of the program has it, while its later split does
            // not.
            let stays = is_word(c)
                || is_blank(c)
                || matches!(c, '\x0B' | '.' | '\'' | '`' | ',' | '-' | '\u{2018}' | '\u{2019}');
            if stays {
                self.text.push(c);
            } else {
                self.text.extend([' ', c, ' ']);
            }
        }
        self.text.push(' ');
    }

    /// Turns each run of repeated dots into a separate word.
    fn protect_dots(&mut self) {
        self.spare.clear();
        let mut rest = &self.text[..];
        while let Some((&c, tail)) = rest.split_first() {
            if c == '.' && tail.first() == Some(&'.') {
                self.spare.extend(" DOTMULTI".chars());
            } else {
                self.spare.push(c);
            }
            // The remaining dots of a run stay after the placeholder, and the loop below counts them into it.
            let run = if c == '.' { tail.iter().take_while(|c| **c == '.').count() } else { 0 };
            self.spare.extend(&tail[..run]);
            rest = &tail[run..];
        }
        let mut text: String = self.spare.iter().collect();
        while text.contains("DOTMULTI.") {
            text = end_runs(&text).replace("DOTMULTI.", "DOTDOTMULTI");
        }
        self.text.clear();
        self.text.extend(text.chars());
    }

    fn split_commas(&mut self) {
        // Three rules, because a comma between two digits belongs to a number.
        self.between(no_digit, ',', no_digit, " , ");
        self.between(|c| c.is_ascii_digit(), ',', no_digit, " , ");
        self.between(no_digit, ',', |c| c.is_ascii_digit(), " , ");
    }

    fn unify_quotes(&mut self) {
        for c in &mut self.text {
            if matches!(c, '`' | '\u{2018}' | '\u{2019}') {
                *c = '\'';
            }
        }
        self.replace(&['\u{201C}'], " \" ");
        self.replace(&['\u{201D}'], " \" ");
        self.replace(&['\'', '\''], " \" ");
    }

    fn unify_dashes(&mut self) {
        self.replace(&['\u{2013}'], "-");
        self.replace(&['-', '-'], "-");
        // Consumes the character after the hyphen: the second hyphen of `a-b-c` has lost its left neighbour
        // and stays.
        self.between(|c| c == '.' || is_word(c), '-', is_word, " ");
    }

    fn split_apostrophes(&mut self, language: Language) {
        match language {
            Language::English => {
                self.between(no_letter, '\'', no_letter, " ' ");
                self.between(|c| !is_word(c), '\'', is_letter, " ' ");
                self.between(is_letter, '\'', no_letter, " ' ");
                self.between(is_letter, '\'', is_letter, " '");
                self.between(|c| c.is_ascii_digit(), '\'', |c| c == 's', " '");
            }
            Language::French => {
                self.between(no_letter, '\'', no_letter, " ' ");
                self.between(no_letter, '\'', is_letter, " ' ");
                self.between(is_letter, '\'', no_letter, " ' ");
                self.between(is_letter, '\'', is_letter, "' ");
            }
            _ => self.replace(&['\''], " ' "),
        }
    }

    /// Replaces the character `middle` by `put` if `left` accepts the character before it and `right` the
    /// character after it.
    fn between(
        &mut self,
        left: impl Fn(char) -> bool,
        middle: char,
        right: impl Fn(char) -> bool,
        put: &str,
    ) {
        if !self.text.contains(&middle) {
            return;
        }
        self.spare.clear();
        let mut rest = &self.text[..];
        while let Some((&first, tail)) = rest.split_first() {
            self.spare.push(first);
            rest = tail;
            if let [second, third, behind @ ..] = tail
                && *second == middle
                && left(first)
                && right(*third)
            {
                // The right neighbour is consumed, too, as by the program's regular expressions, and cannot
                // be the left one of the next match.
                self.spare.extend(put.chars());
                self.spare.push(*third);
                rest = behind;
            }
        }
        core::mem::swap(&mut self.text, &mut self.spare);
    }

    fn replace(&mut self, from: &[char], to: &str) {
        if !from.iter().all(|c| self.text.contains(c)) {
            return;
        }
        self.spare.clear();
        let mut rest = &self.text[..];
        while let Some((&first, tail)) = rest.split_first() {
            if let Some(behind) = rest.strip_prefix(from) {
                self.spare.extend(to.chars());
                rest = behind;
            } else {
                self.spare.push(first);
                rest = tail;
            }
        }
        core::mem::swap(&mut self.text, &mut self.spare);
    }
}

/// Puts a space between a run of repeated dots and a character that follows it. In `text`, the placeholder
/// `DOTMULTI.` is in place of each run.
fn end_runs(text: &str) -> String {
    let mut ended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("DOTMULTI.") {
        ended += before;
        match behind.chars().next().filter(|c| *c != '.') {
            Some(c) => {
                ended += "DOTDOTMULTI ";
                ended.push(c);
                rest = &behind[c.len_utf8()..];
            }
            None => {
                ended += "DOTMULTI.";
                rest = behind;
            }
        }
    }
    ended + rest
}

fn show_dots(mut text: String) -> String {
    while text.contains("DOTDOTMULTI") {
        text = text.replace("DOTDOTMULTI", "DOTMULTI.");
    }
    text.replace(DOTS, ".")
}

/// Returns the words separated by spaces. A full stop is split off unless its word is an abbreviation.
fn split_stops(text: &[char], prefixes: &Prefixes) -> String {
    let mut words = text.split(|c| is_blank(*c)).filter(|word| !word.is_empty()).peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(word) = words.next() {
        if !out.is_empty() {
            out.push(' ');
        }
        let Some((&'.', stem)) = word.split_last().filter(|(_, stem)| !stem.is_empty()) else {
            out.extend(word);
            continue;
        };
        let next = words.peek().and_then(|next| next.first()).copied().unwrap_or(' ');
        let whole: String = stem.iter().collect();
        // Dots inside of a word with letters make it an abbreviation such as `U.S.`; all of its dots are
        // removed.
        if stem.contains(&'.') && stem.iter().any(|c| is_letter(*c)) {
            out.extend(word.iter().filter(|c| **c != '.'));
        // A lowercase word after the stop means that the sentence goes on.
        } else if next.is_ascii_lowercase()
            || prefixes.always(&whole)
            || (prefixes.before_digits(&whole) && next.is_ascii_digit())
        {
            out.extend(word);
        } else {
            out += &whole;
            out += " .";
        }
    }
    out
}

fn collapse(text: &str) -> String {
    // The Unicode category `Zs` without the Ogham space mark.
    let space = |c: char| {
        matches!(c, ' ' | '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}')
    };
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if !space(c) {
            out.push(c);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.trim_matches(|c| c <= ' ').to_owned()
}

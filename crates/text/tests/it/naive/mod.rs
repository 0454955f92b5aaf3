//! The naive twins: the tokenizers as they are written down, one pass after the other over vectors of characters.
//!
//! Classes come from the `unicode-properties` crate and from plain lists, so that tables are checked as well.

#![allow(dead_code, unreachable_pub, reason = "the twins are public to each other")]

pub(crate) mod csv;
pub mod list;

use bleuprint_core::Case;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Whitespace to Python.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

fn join(text: &[char]) -> String {
    text.iter()
        .collect::<String>()
        .split(is_space)
        .filter(|piece| !piece.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn strip_end(text: &str) -> &str {
    text.trim_end_matches(is_space)
}

/// Replaces every match of two classes side by side, left to right without overlaps: a space goes where `layout`
/// has one, `1` and `2` are the characters matched.
fn pass(
    text: &[char],
    first: impl Fn(char) -> bool,
    second: impl Fn(char) -> bool,
    layout: &str,
) -> Vec<char> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if at + 1 < text.len() && first(text[at]) && second(text[at + 1]) {
            out.extend(layout.chars().map(|c| match c {
                '1' => text[at],
                '2' => text[at + 1],
                _ => ' ',
            }));
            at += 2;
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    out
}

fn isolate(text: &[char], class: impl Fn(char) -> bool) -> Vec<char> {
    text.iter().flat_map(|&c| if class(c) { vec![' ', c, ' '] } else { vec![c] }).collect()
}

fn is_ascii_symbol(c: char) -> bool {
    "{|}~[\\]^_` !\"#$%&()*+:;<=>?@/".contains(c)
}

fn ascii_passes(text: &[char]) -> Vec<char> {
    let (mark, digit) = (|c| c == '.' || c == ',', |c: char| c.is_ascii_digit());
    let text = pass(text, |c| !digit(c), mark, "1 2 ");
    let text = pass(&text, mark, |c| !digit(c), " 1 2");
    pass(&text, digit, |c| c == '-', "1 2 ")
}

fn unescape(text: &str) -> String {
    text.replace("&quot;", "\"").replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
}

fn padded(text: &str) -> Vec<char> {
    format!(" {text} ").chars().collect()
}

/// Whitespace to Perl, over characters.
pub fn is_perl_space(c: char) -> bool {
    c.is_whitespace()
}

fn join_perl(text: &[char], space: fn(char) -> bool) -> String {
    let text: String = text.iter().collect();
    text.split(space).filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join(" ")
}

pub fn ascii_space(line: &str) -> String {
    join_perl(&line.chars().collect::<Vec<_>>(), |c| " \t\n\u{b}\u{c}\r".contains(c))
}

/// Two or more characters of whitespace become a space, the ends go, and spaces separate.
pub fn jiwer(line: &str) -> String {
    let mut line: Vec<char> = line.chars().collect();
    while let Some(at) = line.windows(2).position(|pair| is_space(pair[0]) && is_space(pair[1])) {
        let run = line[at..].iter().take_while(|&&c| is_space(c)).count();
        line.splice(at..at + run, [' ']);
    }
    let line: String = line.into_iter().collect();
    line.trim_matches(is_space).split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

pub fn jiwer_char(line: &str) -> String {
    codepoint(line.trim_matches(is_space))
}

pub fn codepoint(line: &str) -> String {
    line.chars().map(String::from).collect::<Vec<_>>().join(" ")
}

/// A lower case that knows no context, and no letter younger than Unicode 14.0.
fn lower(text: &str) -> String {
    let lower = |c: char| {
        let mut lowered = String::new();
        bleuprint_text::lowercase(&c.to_string(), &mut lowered);
        lowered
    };
    text.chars().map(lower).collect()
}

fn cased(text: &str, case: Case) -> String {
    match case {
        Case::Mixed => text.to_owned(),
        Case::LowerAscii => text.to_ascii_lowercase(),
        Case::Lower => lower(text),
    }
}

pub fn mteval(line: &str, case: Case) -> String {
    let line = cased(&unescape(&line.replace("<skipped>", "").replace('\n', " ")), case);
    join_perl(&ascii_passes(&isolate(&padded(&line), is_ascii_symbol)), is_perl_space)
}

pub fn mteval_intl(line: &str, case: Case) -> String {
    let line = unescape(&strip_end(line).replace("<skipped>", "")).replace("&apos;", "'");
    join_perl(&intl_passes(&cased(&line, case)), is_perl_space)
}

pub fn none(line: &str) -> String {
    join(&line.chars().collect::<Vec<_>>())
}

pub fn char(line: &str) -> String {
    let spaced: Vec<char> = line.chars().flat_map(|c| [c, ' ']).collect();
    join(&spaced)
}

pub fn v13a(line: &str) -> String {
    let line = strip_end(line).replace("<skipped>", "").replace("-\n", "").replace('\n', " ");
    join(&ascii_passes(&isolate(&padded(&unescape(&line)), is_ascii_symbol)))
}

pub fn intl(line: &str) -> String {
    join(&intl_passes(strip_end(line)))
}

fn intl_passes(line: &str) -> Vec<char> {
    let group = |c: char| c.general_category_group();
    let number = |c| group(c) == GeneralCategoryGroup::Number;
    let mark = |c| group(c) == GeneralCategoryGroup::Punctuation;
    let text: Vec<char> = line.chars().collect();
    let text = pass(&text, |c| !number(c), mark, "1 2 ");
    let text = pass(&text, mark, |c| !number(c), " 1 2");
    isolate(&text, |c| group(c) == GeneralCategoryGroup::Symbol)
}

fn is_chinese(c: char) -> bool {
    matches!(c as u32, 0x2001..=0x2A6D | 0x2E80..=0x2FDF | 0x2FF0..=0x303F | 0x3100..=0x312F | 0x31A0..=0x31EF
        | 0x3200..=0x4DB5 | 0x4E00..=0x9FBB | 0xF900..=0xFA2D | 0xFA30..=0xFA6A | 0xFA70..=0xFAD9 | 0xFE10..=0xFE1F
        | 0xFE30..=0xFE4F | 0xFF00..=0xFFEF)
}

pub fn zh(line: &str) -> String {
    let text: Vec<char> = line.trim_matches(is_space).chars().collect();
    join(&ascii_passes(&isolate(&isolate(&text, is_chinese), is_ascii_symbol)))
}

/// `tercom`, without lower-casing.
pub fn tercom(line: &str, normalized: bool, no_punct: bool, asian: bool) -> String {
    let asian_mark =
        |c: char| "、。〈〉《》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟｡｢｣､･・．，？：；！＂（）".contains(c);
    let asian_letter = |c: char| {
        matches!(c as u32, 0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x31C0..=0x31EF | 0x2E80..=0x2EFF | 0xF900..=0xFAFF
            | 0xFE30..=0xFE4F | 0x3200..=0x3F22)
    };
    let mut text: Vec<char> = strip_end(line).chars().collect();
    if normalized {
        let line: String = text.iter().collect();
        text = isolate(&padded(&unescape(&line.replace("\n-", "").replace('\n', " "))), is_ascii_symbol);
        text = text.iter().collect::<String>().replace("'s ", " 's ").chars().collect();
        text = ascii_passes(&text);
        if asian {
            text = isolate(&text, |c| asian_letter(c) || asian_mark(c));
        }
    }
    if no_punct {
        let deleted = |c: char| ".,?:;!\"()".contains(c) || asian && asian_mark(c);
        text.retain(|&c| !deleted(c));
    }
    join(&text)
}

fn lowered(line: &str) -> String {
    let mut lowered = String::new();
    bleuprint_text::lowercase(line, &mut lowered);
    lowered
}

/// rouge_score's tokens.
pub fn rouge(line: &str) -> String {
    let lowered = lowered(line);
    let pieces = lowered.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit());
    pieces.filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join(" ")
}

/// rouge_score's tokens, stemmed.
pub fn rouge_stem(line: &str) -> String {
    let mut stem = String::new();
    let plain = rouge(line);
    let stemmed = plain.split(' ').map(|token| {
        bleuprint_stem::porter(token, &mut stem);
        if token.len() > 3 { stem.clone() } else { token.to_owned() }
    });
    stemmed.collect::<Vec<_>>().join(" ")
}

/// SQuAD's normalized answer, in the three passes of the script, and one before them for scripts without spaces.
pub fn squad(line: &str, cjk: bool) -> String {
    let group = |c: char| c.general_category_group();
    let deleted =
        |c: &char| c.is_ascii_punctuation() || cjk && group(*c) == GeneralCategoryGroup::Punctuation;
    let kept: Vec<char> = lowered(line).chars().filter(|c| !deleted(c)).collect();
    let alone = |c: char| cjk && (('\u{e00}'..='\u{eff}').contains(&c) || "中龼𠀀かｱ".contains(c));
    let text = isolate(&kept, alone);
    let is_word =
        |c: char| c == '_' || matches!(group(c), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number);
    let (mut out, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let run = text[at..].iter().take_while(|&&c| is_word(c)).count().max(1);
        match text[at..at + run].iter().collect::<String>().as_str() {
            "a" | "an" | "the" => out.push(' '),
            _ => out.extend_from_slice(&text[at..at + run]),
        }
        at += run;
    }
    join(&out)
}

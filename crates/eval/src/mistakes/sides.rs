//! [`Sides`]: detects likely mistakes that make error rates misleading, such as texts without words, or lower
//! case in only the hypotheses or only the references.

use bleuprint_core::counted;

use super::bytes::{BRACKET, WIDE, has_byte};

/// Smallest number of segments for which a different use of upper case or punctuation in hypotheses and
/// references gives a warning.
const FEW: u64 = 20;

/// Thresholds for warnings about upper case and punctuation. A warning is printed if more than half of the
/// hypotheses have the feature, but fewer than 1 % of the references, or the reverse.
const HABIT: (f64, f64) = (0.5, 0.01);

/// Share of texts with remarks in brackets, such as `[noise]`, above which a warning names them.
const REMARKS: f64 = 0.01;

/// Numbers of texts that are empty, or contain upper case, punctuation or remarks in brackets. They are counted
/// for all hypotheses, or for all references.
#[derive(Debug, Clone, Copy, Default)]
struct InputSide {
    texts: u64,
    empty: u64,
    /// Number of texts with an upper-case letter.
    upper: u64,
    /// Number of texts with an upper-case or lower-case letter, which excludes scripts without case.
    cased: u64,
    punctuated: u64,
    remarks: u64,
}

/// Function that returns the number of texts with a feature, such as punctuation, and the number of texts
/// that could have it.
type Habit = fn(&InputSide) -> (u64, u64);

/// Numbers of hypotheses and of references that are empty, or contain upper case, punctuation or remarks in
/// brackets. Large differences between the two point to a likely mistake.
#[derive(Debug, Clone, Default)]
pub(super) struct Sides {
    hypotheses: InputSide,
    references: InputSide,
    /// First remark in brackets that was found, such as `[noise]`.
    remark: Option<String>,
}

impl Sides {
    /// Updates the counts with a hypothesis. `kinds` are the text's [`byte_kinds`](super::bytes::byte_kinds).
    pub(super) fn look_at_hypothesis(&mut self, text: &str, kinds: u8) {
        let remark = self.hypotheses.look_at(text, kinds);
        self.remark = self.remark.take().or(remark);
    }

    /// Updates the counts with a reference. `kinds` are the text's [`byte_kinds`](super::bytes::byte_kinds).
    pub(super) fn look_at_reference(&mut self, text: &str, kinds: u8) {
        let remark = self.references.look_at(text, kinds);
        self.remark = self.remark.take().or(remark);
    }

    /// Returns `true` if there are too few texts for any finding, and none of them is empty.
    pub(super) fn are_plain(&self) -> bool {
        let is_plain = |side: &InputSide| side.empty == 0 && side.remarks == 0 && side.texts < FEW;
        is_plain(&self.hypotheses) && is_plain(&self.references)
    }

    /// Returns warnings about texts that make an error rate misleading, such as hypotheses in lower case but
    /// references in mixed case, each with the name of its rule. `normalized` is `true` if texts are normalized
    /// before scoring, so that case and punctuation do not matter. `option` is the option that normalizes.
    pub(super) fn findings(&self, normalized: bool, option: &str) -> Vec<(&'static str, String)> {
        let mut all = Vec::new();
        let ours = &self.hypotheses;
        let theirs = &self.references;
        if theirs.empty > 0 {
            let message = "without words: what the output has there counts as insertions, and adds no word to divide by";
            all.push(("empty", format!("{} {message}", counted(theirs.empty, "reference is"))));
        }
        if ours.empty > theirs.empty {
            let message = "without words: all words of their references count as deletions";
            all.push(("empty", format!("{} {message}", counted(ours.empty, "hypothesis is"))));
        }
        let habits: [(&str, Habit); 2] = [
            ("upper-case letters", |side| (side.upper, side.cased)),
            ("punctuation", |side| (side.punctuated, side.texts - side.empty)),
        ];
        // A normalizer removes case and punctuation from both sides, so a difference does not matter then.
        for (what, of) in habits.into_iter().filter(|_| !normalized) {
            for ((one, has), (other, lacks)) in [
                (("references", of(theirs)), ("hypotheses", of(ours))),
                (("hypotheses", of(ours)), ("references", of(theirs))),
            ] {
                if is_habit(has) && is_none(lacks) {
                    let message = format!(
                        "{} of {} {one} have {what}, and {} of {} {other}: was one side normalized alone? {option} normalizes both",
                        has.0, has.1, lacks.0, lacks.1
                    );
                    all.push((what, message));
                }
            }
        }
        for (one, has, other, lacks) in
            [("hypotheses", ours, "references", theirs), ("references", theirs, "hypotheses", ours)]
        {
            let share = |side: &InputSide| side.remarks as f64 / side.texts.max(1) as f64;
            if let (true, Some(remark)) = (share(has) > REMARKS && lacks.remarks == 0, &self.remark) {
                let message = format!(
                    "{} of {} {one} have remarks such as `{remark}`, which count as words, and none of the {other}",
                    has.remarks, has.texts
                );
                all.push(("remarks", message));
            }
        }
        all
    }
}

fn is_habit((count, of): (u64, u64)) -> bool {
    of >= FEW && count as f64 > HABIT.0 * of as f64
}

fn is_none((count, of): (u64, u64)) -> bool {
    of >= FEW && (count as f64) < HABIT.1 * of as f64
}

/// Bit flags for the kinds of characters in a text: upper case, lower case, punctuation, and anything but white
/// space.
const UPPER: u8 = 1;
const LOWER: u8 = 2;
const PUNCTUATION: u8 = 4;
const SOLID: u8 = 8;

/// Traits that decide all counts: a text with an upper-case letter is cased.
const DECISIVE: u8 = UPPER | PUNCTUATION | SOLID;

/// Returns the traits of the characters of a text. `LOWER` may be missing if an upper-case letter was found.
/// `kinds` are the text's [`byte_kinds`](super::bytes::byte_kinds).
fn traits(text: &str, kinds: u8) -> u8 {
    // Most texts begin with an upper-case letter and end in punctuation.
    let mut traits = text.chars().next().map_or(0, traits_of);
    if traits & SOLID == 0
        && text.bytes().any(|byte| byte < 128 && SHORT_TRAITS[usize::from(byte)] & SOLID != 0)
    {
        traits |= SOLID;
    }
    if has_byte(text, |byte| matches!(byte, b',' | b'.' | b'?' | b'!' | b';')) {
        traits |= PUNCTUATION;
    }
    if traits & UPPER == 0 {
        traits |= ascii_case(text);
    }
    if kinds & WIDE != 0 {
        let mut characters = text.chars().filter(|c| !c.is_ascii());
        while traits & DECISIVE != DECISIVE {
            match characters.next() {
                Some(character) => traits |= traits_of(character),
                None => break,
            }
        }
    }
    traits
}

/// Returns [`UPPER`] for a text with an upper-case letter of ASCII, [`LOWER`] for a text with only lower-case
/// ones, or 0.
fn ascii_case(text: &str) -> u8 {
    let has_letter_from = |first: u8| has_byte(text, |byte| byte.wrapping_sub(first) < 26);
    if has_letter_from(b'A') {
        UPPER
    } else if has_letter_from(b'a') {
        LOWER
    } else {
        0
    }
}

/// Returns bit flags for a character: whether it is upper case, lower case or punctuation.
fn traits_of(c: char) -> u8 {
    match c {
        ..'\u{800}' => SHORT_TRAITS[c as usize],
        // Scripts without case: the standard library searches in tables of all cased letters.
        '\u{3003}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => SOLID,
        _ => described(c),
    }
}

/// Bit flags of characters of one or two bytes, by code point.
const SHORT_TRAITS: [u8; 0x800] = {
    let mut traits = [0; 0x800];
    let mut point = 0;
    while point < 0x800 {
        if let Some(c) = char::from_u32(point as u32) {
            traits[point] = described(c);
        }
        point += 1;
    }
    traits
};

const fn described(c: char) -> u8 {
    match c {
        ',' | '.' | '?' | '!' | ';' | '。' | '，' | '？' | '।' => PUNCTUATION | SOLID,
        c if c.is_whitespace() => 0,
        c if c.is_uppercase() => UPPER | SOLID,
        c if c.is_lowercase() => LOWER | SOLID,
        _ => SOLID,
    }
}

impl InputSide {
    /// Updates the counts with one text: whether it is empty, or contains upper case, punctuation or a remark in
    /// brackets. Returns the first remark of the text.
    fn look_at(&mut self, text: &str, kinds: u8) -> Option<String> {
        let traits = traits(text, kinds);
        let has = |any: u8| u64::from(traits & any != 0);
        self.texts += 1;
        self.empty += 1 - has(SOLID);
        self.upper += has(UPPER);
        self.cased += has(UPPER | LOWER);
        self.punctuated += has(PUNCTUATION);
        // Most texts have no bracket, and need not be split into words.
        if kinds & BRACKET == 0 {
            return None;
        }
        let is_remark = |token: &&str| token.len() > 2 && token.starts_with('[') && token.ends_with(']');
        let remark = text.split_whitespace().find(is_remark).map(str::to_owned);
        self.remarks += u64::from(remark.is_some());
        remark
    }
}

#[cfg(test)]
mod tests {
    use super::super::bytes::byte_kinds;
    use super::*;

    fn findings(pairs: &[(&str, &str)], normalized: bool) -> String {
        let mut sides = Sides::default();
        for (hypothesis, reference) in pairs.iter().cycle().take(40) {
            sides.look_at_hypothesis(hypothesis, byte_kinds(hypothesis));
            sides.look_at_reference(reference, byte_kinds(reference));
        }
        let findings = sides.findings(normalized, "--norm").into_iter().map(|(_, message)| message);
        findings.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_one_side_has_alone_is_named() {
        let seen = findings(&[("hello there", "Hello there.")], false);
        assert!(
            seen.contains("40 of 40 references have upper-case letters, and 0 of 40 hypotheses"),
            "{seen}"
        );
        assert!(seen.contains("have punctuation"), "{seen}");
        assert_eq!(findings(&[("hello there", "Hello there.")], true), "");
        assert_eq!(findings(&[("Hello there.", "Hello, you!")], false), "");
        let seen = findings(&[("[noise] hello", "hello")], true);
        assert!(seen.contains("40 of 40 hypotheses have remarks such as `[noise]`"), "{seen}");
        assert_eq!(findings(&[("[noise] hello", "[noise] hello")], false), "");
    }

    #[test]
    fn traits_are_those_of_characters() {
        for c in char::MIN..=char::MAX {
            let text = format!(" {c}\n");
            let expected = [
                (UPPER, c.is_uppercase()),
                (LOWER, c.is_lowercase()),
                (PUNCTUATION, [',', '.', '?', '!', ';', '。', '，', '？', '।'].contains(&c)),
                (SOLID, !c.is_whitespace()),
            ];
            let expected = expected.into_iter().filter(|(_, has)| *has).map(|(one, _)| one);
            assert_eq!(traits(&text, byte_kinds(&text)), expected.sum::<u8>(), "{text:?}");
        }
    }

    #[test]
    fn a_text_is_upper_cased_or_punctuated_as_its_characters_are() {
        let words = ["привет", "Привет", "мир。", "мир.", "世界", "世界。", "\u{3000}", "x", "ß", "É"];
        for first in words {
            for second in words {
                let text = format!("{first} {second}");
                let all = text.chars().fold(0, |all, c| all | described(c));
                let seen = traits(&text, byte_kinds(&text));
                assert_eq!(seen & DECISIVE, all & DECISIVE, "{text}");
                assert_eq!(seen & (UPPER | LOWER) != 0, all & (UPPER | LOWER) != 0, "{text}");
            }
        }
    }

    #[test]
    fn texts_without_words_are_counted() {
        let seen = findings(&[("a", ""), ("", "b"), (" ", "c"), ("d", "d")], false);
        assert!(
            seen.contains("10 references are without words") && seen.contains("20 hypotheses are"),
            "{seen}"
        );
        assert_eq!(findings(&[("", "")], false).lines().count(), 1);
    }
}

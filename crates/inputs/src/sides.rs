//! [`Sides`]: detects likely mistakes that make error rates misleading, such as texts without words, or lower
//! case in only the hypotheses or only the references.

use bleuprint::contract::counted;

/// Smallest number of segments for which a different use of upper case or punctuation in hypotheses and
/// references gives a warning.
const FEW: u64 = 20;

/// Thresholds for warnings about upper case and punctuation. A warning is printed if more than half of the
/// hypotheses have the feature, but fewer than 1 % of the references, or the reverse.
const HABIT: (f64, f64) = (0.5, 0.01);

/// Share of texts with special tokens, such as `<unk>`, above which a warning names them.
const SPECIAL: f64 = 0.01;

/// Numbers of texts that are empty, or contain upper case, punctuation or special tokens. They are counted
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
    special: u64,
}

/// Function that returns the number of texts with a feature, such as punctuation, and the number of texts
/// that could have it.
type Habit = fn(&InputSide) -> (u64, u64);

/// Numbers of hypotheses and of references that are empty, or contain upper case, punctuation or special
/// tokens such as `<unk>`. Large differences between hypotheses and references point to a likely mistake.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sides {
    hypotheses: InputSide,
    references: InputSide,
    /// First special token that was found, such as `<unk>`.
    special: Option<String>,
}

impl Sides {
    pub(crate) fn look_at(&mut self, hypotheses: &[impl AsRef<str>], references: &[impl AsRef<str>]) {
        for hypothesis in hypotheses {
            let special = self.hypotheses.look_at(hypothesis.as_ref());
            self.special = self.special.take().or(special);
        }
        for reference in references {
            let special = self.references.look_at(reference.as_ref());
            self.special = self.special.take().or(special);
        }
    }

    /// Returns warnings about texts that make an error rate misleading, such as hypotheses in lower case but
    /// references in mixed case. `normalized` is `true` if texts are normalized before scoring, so that case
    /// and punctuation do not matter.
    pub(crate) fn findings(&self, normalized: bool) -> Vec<String> {
        let mut all = Vec::new();
        let ours = &self.hypotheses;
        let theirs = &self.references;
        if theirs.empty > 0 {
            all.push(format!(
                "{} without words: what the output has there counts as insertions, and adds no word to divide by",
                counted(theirs.empty, "reference is")
            ));
        }
        if ours.empty > theirs.empty {
            all.push(format!(
                "{} without words: all words of their references count as deletions",
                counted(ours.empty, "hypothesis is")
            ));
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
                    all.push(format!(
                        "{} of {} {one} have {what}, and {} of {} {other}: was one side normalized alone? --norm normalizes both",
                        has.0, has.1, lacks.0, lacks.1
                    ));
                }
            }
        }
        for (one, has, other, lacks) in
            [("hypotheses", ours, "references", theirs), ("references", theirs, "hypotheses", ours)]
        {
            let share = |side: &InputSide| side.special as f64 / side.texts.max(1) as f64;
            if let (true, Some(token)) = (share(has) > SPECIAL && lacks.special == 0, &self.special) {
                all.push(format!(
                    "{} of {} {one} have special tokens such as `{token}`, which count as words, and none of the {other}",
                    has.special, has.texts
                ));
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

/// Bit flag of a text with an upper-case letter. The flags after it are for lower case, punctuation, marks of
/// special tokens such as `<unk>`, and any character but white space.
const UPPER: u8 = 1;
const LOWER: u8 = 2;
const PUNCTUATION: u8 = 4;
const SPECIAL_MARK: u8 = 8;
const SOLID: u8 = 16;

/// Bit flags of the kinds of each ASCII character, such as [`UPPER`] for `A`; 0 for white space and other
/// bytes.
const TRAITS: [u8; 256] = {
    let mut traits = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        traits[byte] = match byte as u8 {
            b'A'..=b'Z' => UPPER | SOLID,
            b'a'..=b'z' => LOWER | SOLID,
            b',' | b'.' | b'?' | b'!' | b';' => PUNCTUATION | SOLID,
            b'<' | b'[' => SPECIAL_MARK | SOLID,
            b'\t'..=b'\r' | b' ' | 128.. => 0,
            _ => SOLID,
        };
        byte += 1;
    }
    traits
};

fn traits(text: &str) -> u8 {
    // One table look-up for each byte, without a branch, for the usual ASCII text.
    let traits = text.bytes().fold(0, |traits, byte| traits | TRAITS[usize::from(byte)]);
    if text.is_ascii() {
        return traits;
    }
    text.chars().filter(|c| !c.is_ascii()).fold(traits, |traits, c| traits | wide(c))
}

/// Returns bit flags for a character that is not ASCII: whether it is upper case, lower case, punctuation, or
/// the mark of a special token.
fn wide(c: char) -> u8 {
    match c {
        '。' | '，' | '？' | '।' => PUNCTUATION | SOLID,
        '\u{2581}' | '\u{2047}' => SPECIAL_MARK | SOLID,
        c if c.is_whitespace() => 0,
        c if c.is_uppercase() => UPPER | SOLID,
        c if c.is_lowercase() => LOWER | SOLID,
        _ => SOLID,
    }
}

impl InputSide {
    /// Updates the counts with one text: whether it is empty, or contains upper case, punctuation or a
    /// special token such as `<unk>`. Returns the first special token of the text.
    fn look_at(&mut self, text: &str) -> Option<String> {
        let traits = traits(text);
        let has = |any: u8| u64::from(traits & any != 0);
        self.texts += 1;
        self.empty += 1 - has(SOLID);
        self.upper += has(UPPER);
        self.cased += has(UPPER | LOWER);
        self.punctuated += has(PUNCTUATION);
        // Most texts have no mark of special tokens, and need not be split into words.
        if traits & SPECIAL_MARK == 0 {
            return None;
        }
        let special = text.split_whitespace().find(|token| is_special(token)).map(str::to_owned);
        self.special += u64::from(special.is_some());
        special
    }
}

/// Returns `true` if the token is a special token, such as `<unk>`, or a remark in brackets, instead of a
/// word.
fn is_special(token: &str) -> bool {
    let between = |open: &str, close: &str| {
        token.len() > open.len() + close.len() && token.starts_with(open) && token.ends_with(close)
    };
    between("<|", "|>")
        || ["<unk>", "<s>", "</s>", "<pad>", "[UNK]"].contains(&token)
        || token.contains(['\u{2581}', '\u{2047}'])
        || between("[", "]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(pairs: &[(&str, &str)], normalized: bool) -> String {
        let mut sides = Sides::default();
        for (hypothesis, reference) in pairs.iter().cycle().take(40) {
            sides.look_at(&[hypothesis], &[reference]);
        }
        sides.findings(normalized).join("\n")
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
        let seen = findings(&[("<|en|> hello", "hello")], true);
        assert!(seen.contains("40 of 40 hypotheses have special tokens such as `<|en|>`"), "{seen}");
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
                (SPECIAL_MARK, ['<', '[', '\u{2581}', '\u{2047}'].contains(&c)),
                (SOLID, !c.is_whitespace()),
            ];
            let expected = expected.into_iter().filter(|(_, has)| *has).map(|(one, _)| one);
            assert_eq!(traits(&text), expected.sum::<u8>(), "{text:?}");
        }
    }

    #[test]
    fn special_tokens_are_found_in_any_script() {
        for token in ["<|en|>", "<unk>", "[noise]", "\u{2581}hello", "\u{2047}"] {
            for text in [format!("a {token}"), format!("日。 {token}")] {
                assert_eq!(InputSide::default().look_at(&text).as_deref(), Some(token), "{text}");
            }
        }
        assert_eq!(InputSide::default().look_at("a < b, ß"), None);
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

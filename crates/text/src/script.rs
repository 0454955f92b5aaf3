//! Advice on the choice of a tokenizer, derived from the script of the references.
//!
//! A tokenizer for languages with spaces between words splits a Chinese sentence into a handful of tokens,
//! which makes BLEU meaningless. On one system of WMT23 English-Chinese, `13a` gives 5.19 and `zh` gives
//! 38.89. This module counts the letters of the references by script and names a better tokenizer.
//!
//! Rule: only letters count, not digits, spaces or punctuation. Advice is given if two conditions hold:
//!
//! - more than half of the letters belong to Hangul or to a script without spaces between words;
//! - the tokenizer in use splits at spaces.
//!
//! Text in Han and Kana is Japanese if at least a tenth of it is Kana.

use std::sync::OnceLock;

use crate::char_table::decode;

/// The kind of a character: no letter, a letter of a script with spaces between words, or a letter of a
/// script without them.
#[derive(Debug, Clone, Copy)]
#[repr(u8)]
enum ScriptKind {
    None,
    Other,
    /// Letters that are Chinese characters, which Japanese text contains too.
    Han,
    /// Letters of the Japanese syllabaries Hiragana and Katakana.
    Kana,
    Hangul,
    Thai,
    Lao,
    Khmer,
    Myanmar,
}

const KINDS: usize = ScriptKind::Myanmar as usize + 1;

/// The scripts for which tokenizers that split at spaces are unsuitable, in the order of [`ScriptKind`], each
/// with a suitable tokenizer. Japanese text counts as Kana, including its Chinese characters.
const SCRIPTS: [(&str, &str); KINDS - ScriptKind::Han as usize] = [
    ("Han", "zh"),
    ("Kana", "ja-mecab"),
    ("Hangul", "ko-mecab"),
    ("Thai", "flores200"),
    ("Lao", "flores200"),
    ("Khmer", "flores200"),
    ("Burmese", "flores200"),
];

const ASCII: [u8; 128] = {
    let mut kinds = [ScriptKind::None as u8; 128];
    let mut byte = 0;
    while byte < kinds.len() {
        if (byte as u8).is_ascii_alphabetic() {
            kinds[byte] = ScriptKind::Other as u8;
        }
        byte += 1;
    }
    kinds
};

/// Returns the number of the character's [`ScriptKind`].
fn kind_of(c: char) -> u8 {
    // For code points up to U+0FFF the answer is cached, since `is_alphabetic` takes longer than reading the
    // text.
    static ALPHABETS: [OnceLock<[u8; 256]>; 16] = [const { OnceLock::new() }; 16];
    let block = c as usize >> 8;
    let place = c as usize & 0xFF;
    let Some(alphabet) = ALPHABETS.get(block) else { return look_up(c) as u8 };
    let kinds = alphabet.get_or_init(|| {
        let character = |place| char::from_u32((block << 8 | place) as u32);
        core::array::from_fn(|place| character(place).map_or(ScriptKind::None, look_up) as u8)
    });
    kinds[place]
}

fn look_up(c: char) -> ScriptKind {
    match c as u32 {
        0x41..=0x5A | 0x61..=0x7A => ScriptKind::Other,
        // U+00AA, U+00B5 and U+00BA are letters for Unicode; they are symbols in running text and count for
        // no script.
        0..=0xBF => ScriptKind::None,
        0x0E00..=0x0E7F => ScriptKind::Thai,
        0x0E80..=0x0EFF => ScriptKind::Lao,
        0x1000..=0x109F | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F => ScriptKind::Myanmar,
        0x1780..=0x17FF | 0x19E0..=0x19FF => ScriptKind::Khmer,
        0x1100..=0x11FF | 0x3130..=0x318F | 0xA960..=0xA97F | 0xAC00..=0xD7FF => ScriptKind::Hangul,
        0x3041..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F => {
            ScriptKind::Kana
        }
        0x3005..=0x3007 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => {
            ScriptKind::Han
        }
        _ if c.is_alphabetic() => ScriptKind::Other,
        _ => ScriptKind::None,
    }
}

/// Returns `true` if the character belongs to a script without spaces between words.
pub(crate) fn has_no_spaces(c: char) -> bool {
    // `Hangul` is the one kind in `SCRIPTS` that has spaces between words.
    let kind = kind_of(c);
    kind >= ScriptKind::Han as u8 && kind != ScriptKind::Hangul as u8
}

/// Advice to use another tokenizer, because the references are in a script for which the current tokenizer is
/// unsuitable.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ScriptAdvice {
    /// The script with more than half of the letters in the references, such as `Han`.
    pub script: &'static str,
    /// The reason why a tokenizer that splits at spaces does not find the words of this script.
    pub reason: &'static str,
    /// The share of this script among all letters of the references, above 0.5 and at most 1.
    pub share: f64,
    /// The name of a tokenizer that suits the script, such as `zh`. It should replace the current tokenizer.
    pub suggested: &'static str,
}

/// Number of letters of each script in the references.
///
/// ```
/// use bleuprint_text::{ScriptCounts, script_advice};
/// let mut counts = ScriptCounts::default();
/// counts.add("他在2019年发表了《BLEU》。");
/// let advice = script_advice("13a", &counts).expect("Chinese with a tokenizer for English");
/// assert_eq!((advice.script, advice.suggested), ("Han", "zh"));
/// assert_eq!(script_advice("zh", &counts), None);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScriptCounts {
    /// Number of letters for each [`ScriptKind`]; other characters are not counted.
    letters: [u64; KINDS],
}

impl ScriptCounts {
    /// Adds the letters of a reference to the number of letters per script. The letters of a few hundred
    /// references are enough to find their script.
    pub fn add(&mut self, reference: &str) {
        let bytes = reference.as_bytes();
        // The compiler vectorizes this loop, and most references in Latin script take it.
        if bytes.is_ascii() {
            self.letters[ScriptKind::Other as usize] +=
                bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count() as u64;
            return;
        }
        let mut letters = [0; KINDS];
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let (kind, len) = match byte {
                0..=0x7F => (ASCII[byte as usize], 1),
                // The first byte alone decides: 0xE5 to 0xE9 start U+5000 to U+9FFF, all of which are Chinese
                // characters.
                0xE5..=0xE9 => (ScriptKind::Han as u8, 3),
                _ => {
                    let (code, len) = decode(bytes, at);
                    (char::from_u32(code).map_or(ScriptKind::None as u8, kind_of), len)
                }
            };
            letters[kind as usize] += 1;
            at += len;
        }
        // Digits, spaces and punctuation were counted above to avoid a branch; they are dropped here.
        letters[ScriptKind::None as usize] = 0;
        self.merge(&ScriptCounts { letters });
    }

    fn merge(&mut self, other: &ScriptCounts) {
        self.letters.iter_mut().zip(other.letters).for_each(|(own, other)| *own += other);
    }

    /// Returns the index in [`SCRIPTS`] of the script with more than half of all letters, and its share;
    /// otherwise `None`.
    fn dominant(&self) -> Option<(usize, f64)> {
        let [_, _, han, kana, others @ ..] = self.letters;
        // Japanese mixes Kana and Chinese characters, so the two are one candidate. The limit of a tenth
        // keeps Chinese text with a few Kana Chinese.
        let japanese = kana > 0 && kana * 10 >= han + kana;
        let others = others.into_iter().enumerate().map(|(place, count)| (2 + place, count));
        let all: u64 = self.letters.iter().sum();
        let counts = std::iter::once((usize::from(japanese), han + kana)).chain(others);
        let (script, count) = counts.max_by_key(|(_, count)| *count)?;
        (count * 2 > all).then(|| (script, count as f64 / all as f64))
    }
}

/// Returns advice to use another tokenizer if `tokenizer` does not suit references with these counts.
///
/// `tokenizer` is the name of a tokenizer or a token space (the identifier of a tokenizer and its version).
/// The result is `None` for tokenizers below the word level (characters, bytes, pieces), for tokenizers made
/// for the language, and for unknown names.
pub fn script_advice(tokenizer: &str, counts: &ScriptCounts) -> Option<ScriptAdvice> {
    let splits_at_spaces = matches!(
        tokenizer,
        "none" | "13a" | "intl" | "tercom" | "mteval" | "mteval-intl" | "ascii-space" | "jiwer"
    ) || tokenizer.starts_with("tercom-");
    // These tokenizers are made for Chinese and treat every other script like `13a`.
    let for_one = tokenizer == "zh" || tokenizer.starts_with("zh-jieba");
    let (place, share) = counts.dominant()?;
    let (script, suggested) = SCRIPTS[place];
    let reason = match script {
        "Hangul" => "whose words come with their particles and endings, which spaces do not set off",
        _ => "which has no spaces between words",
    };
    let wrong = splits_at_spaces || for_one && script != "Han";
    wrong.then_some(ScriptAdvice { script, reason, share, suggested })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(text: &str) -> ScriptCounts {
        let mut counts = ScriptCounts::default();
        counts.add(text);
        counts
    }

    #[test]
    fn every_script_gets_its_tokenizer() {
        let cases = [
            ("这是一个测试。", "zh"),
            ("これは試験です。", "ja-mecab"),
            ("이것은 시험이다.", "ko-mecab"),
            ("นี่คือการทดสอบ", "flores200"),
            ("ນີ້ແມ່ນການທົດສອບ", "flores200"),
            ("នេះជាការសាកល្បង", "flores200"),
            ("ဒါကစမ်းသပ်မှုတစ်ခုပါ", "flores200"),
        ];
        for (text, suggested) in cases {
            let advice = script_advice("13a", &counts(text)).expect(text);
            assert_eq!(advice.suggested, suggested, "{text}");
            assert_eq!(script_advice("char", &counts(text)), None);
            assert_eq!(script_advice("spm#00ff", &counts(text)), None);
        }
    }

    #[test]
    fn korean_has_spaces() {
        let advice = script_advice("ascii-space", &counts("이것은 시험이다.")).expect("Korean");
        assert_eq!(advice.suggested, "ko-mecab");
        let han = script_advice("13a", &counts("这是一个测试。")).expect("Chinese");
        assert!(!advice.reason.contains("no spaces") && han.reason.contains("no spaces"));
    }

    #[test]
    fn spaced_scripts_and_mixtures_get_none() {
        for text in [
            "",
            "plain English 2019",
            "Žluťoučký kůň",
            "русский текст",
            "English with 中文 in it",
            "१२३ हिन्दी",
        ] {
            assert_eq!(script_advice("13a", &counts(text)), None, "{text}");
        }
    }

    /// Checks that a character gets the same kind in an ASCII line and in a line with other characters.
    #[test]
    fn every_character_is_of_its_kind() {
        for c in (0..=0x10FFFF).filter_map(char::from_u32) {
            let [own, only] = [format!("{c}é"), c.to_string()].map(|text| counts(&text));
            let letter = u64::from(c as u32 > 0xBF && c.is_alphabetic() || c.is_ascii_alphabetic());
            let sum = |counts: &ScriptCounts| counts.letters.iter().sum::<u64>();
            let mut without = only;
            without.merge(&counts("é"));
            assert_eq!(own, without, "{c:?}");
            let named = only.dominant().is_some();
            assert_eq!(sum(&only), if named { 1 } else { letter }, "{c:?}");
        }
    }

    #[test]
    fn counts_of_parts_merge() {
        let mut left = counts("中文a");
        let right = counts("かな");
        left.merge(&right);
        assert_eq!(left, counts("中文aかな"));
    }
}

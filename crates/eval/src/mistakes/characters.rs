//! [`CharacterCounts`]: counts the texts that contain each non-ASCII character, separately for hypotheses and
//! references. A character that only one of the two has, such as a typographic apostrophe, is a sign of a
//! mistake.

use std::collections::HashSet;

use bleuprint_text::{Chain, Normalizers, is_invisible, is_nonspacing};

/// Smallest number of texts for a warning about a character. For example, at least 10 hypotheses contain `’`
/// and none of at least 10 references does.
pub(super) const FEW: u64 = 10;

/// Number of characters that UTF-8 encodes in one byte or two: Latin, Greek, Cyrillic, Hebrew and Arabic letters
/// are among them.
const SHORT: usize = 0x800;

/// Number of consecutive code points on a page of the table of counts.
const PAGE: usize = 256;

/// Normalizers that make variants of a character equal, in the order in which they are tried. Each has its
/// name and a description of its effect for messages.
const MENDERS: [(&str, &str); 6] = [
    ("nfc", "which writes both sides in one form of Unicode"),
    ("nfkc", "which replaces variants by the plain characters"),
    ("ascii-punct", "which writes typographic punctuation as ASCII"),
    ("visible", "which deletes characters that cannot be seen"),
    ("arabic-letters", "which writes Arabic letters in one form"),
    ("punct", "which deletes the punctuation of both sides"),
];

/// Number of texts that contain a character, and the position of the last such text (the first text has 1).
#[derive(Debug, Clone, Copy, Default)]
struct CharacterTexts {
    texts: u32,
    last: u32,
}

/// Number of texts that contain each non-ASCII character, over the hypotheses of one system or over all
/// references.
#[derive(Debug, Clone, Default)]
pub(super) struct CharacterCounts {
    /// Counts by code point of the characters of two bytes, which most texts beyond ASCII consist of; empty
    /// before the first text.
    short: Vec<CharacterTexts>,
    /// Counts by code point of all other characters, in pages of 256 code points. A page is allocated when one
    /// of its characters is first seen.
    pages: Vec<Option<Box<[CharacterTexts; PAGE]>>>,
}

impl CharacterTexts {
    /// Counts the text with this number, unless it is counted already. There is no branch, because a processor
    /// could not foresee which letters of a text are its first.
    fn add(&mut self, number: u32) {
        self.texts += u32::from(self.last != number);
        self.last = number;
    }
}

/// Calls `visit` with the position of the first byte of each non-ASCII character.
///
/// The positions of 64 bytes are collected before they are visited, so that few branches depend on the text: the
/// number of such characters in 8 bytes is hard to foresee.
fn each_wide_start(text: &[u8], mut visit: impl FnMut(usize)) {
    let (parts, rest) = text.as_chunks::<64>();
    let mut last = [0; 64];
    last[..rest.len()].copy_from_slice(rest);
    for number in 0..=parts.len() {
        let mut starts = wide_starts(parts.get(number).unwrap_or(&last));
        while starts != 0 {
            visit(64 * number + starts.trailing_zeros() as usize);
            starts &= starts - 1;
        }
    }
}

/// Returns a bit for each of 64 bytes: 1 if a non-ASCII character starts there. The two highest bits of a byte
/// are set only there.
fn wide_starts(bytes: &[u8; 64]) -> u64 {
    const LOWEST: u64 = u64::from_ne_bytes([1; 8]);
    // The product has bit 8 * k of the other factor as bit 56 + k.
    const TOGETHER: u64 = 0x0102_0408_1020_4080;
    let mut all = 0;
    for (number, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        let eight = u64::from_le_bytes(*eight);
        let starts = eight >> 7 & eight >> 6 & LOWEST;
        all |= starts.wrapping_mul(TOGETHER) >> 56 << (8 * number);
    }
    all
}

impl CharacterCounts {
    /// Counts the non-ASCII characters of a text, each character once. `number` is the position of the text
    /// among all texts that are counted here; the first text has 1.
    pub(super) fn add(&mut self, text: &str, number: u32) {
        if self.pages.is_empty() {
            self.short.resize(SHORT, CharacterTexts::default());
            self.pages.resize_with(char::MAX as usize / PAGE + 1, || None);
        }
        let Self { short, pages } = self;
        let bytes = text.as_bytes();
        each_wide_start(bytes, |at| match (bytes[at], bytes.get(at + 1)) {
            (first @ ..0xE0, Some(second)) => {
                short[usize::from(first & 0x1F) << 6 | usize::from(second & 0x3F)].add(number);
            }
            _ => {
                for c in text[at..].chars().take(1) {
                    let page = pages[c as usize / PAGE]
                        .get_or_insert_with(|| Box::new([CharacterTexts::default(); PAGE]));
                    page[c as usize % PAGE].add(number);
                }
            }
        });
    }

    fn texts(&self, c: char) -> u64 {
        if (c as usize) < SHORT {
            return self.short.get(c as usize).map_or(0, |of| of.texts.into());
        }
        let page = self.pages.get(c as usize / PAGE).and_then(Option::as_ref);
        page.map_or(0, |page| page[c as usize % PAGE].texts.into())
    }

    fn all(&self) -> impl Iterator<Item = (char, u64)> {
        let pages = self.pages.iter().enumerate().filter_map(|(at, page)| Some((at, page.as_ref()?)));
        let long = pages
            .flat_map(|(at, page)| page.iter().enumerate().map(move |(place, of)| (at * PAGE + place, of)));
        let known = self.short.iter().enumerate().chain(long).filter(|(_, of)| of.texts > 0);
        known.filter_map(|(code, of)| Some((char::from_u32(code as u32)?, of.texts.into())))
    }

    /// Returns the characters that at least half of the texts contain, but no text counted in `other`. Each
    /// comes with the number of texts that contain it. For example, `self` counts hypotheses and `other`
    /// counts references.
    ///
    /// `texts` and `others` are the numbers of texts behind `self` and `other`. Returns no character that
    /// fewer than 10 texts contain, and none at all if `others` is below 10.
    pub(super) fn alone(&self, texts: u64, other: &Self, others: u64) -> Vec<(char, u64)> {
        if others < FEW {
            return Vec::new();
        }
        let is_habit = |count: u64| count >= FEW && 2 * count >= texts;
        self.all().filter(|&(c, count)| is_habit(count) && other.texts(c) == 0).collect()
    }
}

/// A character that only the hypotheses or only the references contain, and the normalizer that removes this
/// difference.
pub(super) struct LoneCharacter {
    pub(super) character: char,
    pub(super) texts: u64,
    /// Name of the normalizer that removes the difference, and a description of its effect; `None` if no
    /// normalizer does.
    pub(super) mender: Option<(&'static str, &'static str)>,
    /// A short text with the character, and the text that is used in its place. If hypotheses contain the
    /// character, the second text is from references, and the reverse; it is empty if unknown.
    pub(super) pair: (String, String),
}

/// A normalizer with the characters of the other side as it leaves them.
struct Mender {
    name: &'static str,
    effect: &'static str,
    /// The normalizer, or for a composed form its decomposed form: two texts agree in both or in none, and the
    /// decomposed form works character by character.
    apart: Chain,
    /// Characters of the other side after the normalizer.
    others: HashSet<char>,
}

/// Search for the counterpart of a character that only the hypotheses or only the references contain: the
/// text that the other side has in its place.
pub(super) struct Menders<'c> {
    other: &'c CharacterCounts,
    all: Vec<Mender>,
    canonical: Option<Chain>,
}

impl<'c> Menders<'c> {
    pub(super) fn new(own: &CharacterCounts, other: &'c CharacterCounts) -> Self {
        let normalizers = Normalizers::default();
        let build = |name: &str| normalizers.build(name).ok();
        // Composed letters of two languages share their marks, so only marks apart from letters are a sign.
        let is_decomposed = own.all().chain(other.all()).any(|(c, _)| is_part(c));
        let menders = MENDERS.iter().filter(|(name, _)| *name != "nfc" || is_decomposed);
        let mender = |&(name, effect): &(&'static str, &'static str)| {
            let apart = build(match name {
                "nfc" => "nfd",
                "nfkc" => "nfkd",
                other => other,
            })?;
            let others =
                other.all().flat_map(|(c, _)| apart.apply(&c.to_string()).chars().collect::<Vec<_>>());
            Some(Mender { name, effect, others: others.collect(), apart })
        };
        Menders { other, all: menders.filter_map(mender).collect(), canonical: build("nfd") }
    }

    pub(super) fn mend(&self, character: char, texts: u64) -> LoneCharacter {
        let own = character.to_string();
        let found = self.all.iter().find_map(|mender| Some((mender, self.pair(mender, character)?)));
        match found {
            Some((mender, pair)) => {
                LoneCharacter { character, texts, mender: Some((mender.name, mender.effect)), pair }
            }
            None => LoneCharacter { character, texts, mender: None, pair: (own, String::new()) },
        }
    }

    /// Returns a text with the character and the text that the other side has in its place, if the normalizer
    /// makes both equal.
    fn pair(&self, mender: &Mender, character: char) -> Option<(String, String)> {
        let after = |c: char| mender.apart.apply(&c.to_string());
        // A compatibility form also decomposes letters, which the canonical form does without loss.
        let is_own_change = |c: char| {
            let canonical = self.canonical.as_ref().filter(|_| mender.name == "nfkc");
            canonical.is_none_or(|chain| chain.apply(&c.to_string()) != after(c))
        };
        let pieces = after(character);
        let has = |piece: char| piece.is_ascii() || mender.others.contains(&piece);
        if pieces != character.to_string() && is_own_change(character) && pieces.chars().all(has) {
            return Some((character.to_string(), pieces));
        }
        // The other side has a character of which this one is a part, such as a letter with this mark.
        let whole = |c: &char| *c != character && after(*c).contains(character) && is_own_change(*c);
        let whole = self.other.all().map(|(c, _)| c).find(whole)?;
        Some((after(whole), whole.to_string()))
    }
}

/// Returns `true` for combining marks and for Hangul vowels and final consonants, which occur alone in decomposed
/// texts.
fn is_part(c: char) -> bool {
    is_nonspacing(c) || matches!(u32::from(c), 0x1161..=0x11FF)
}

impl LoneCharacter {
    /// Returns two example texts, to test if a tokenizer splits them differently. The first contains this
    /// character; the second has the other side's text in its place, or nothing if that is unknown. For `’`
    /// and `'` they are `ab’cd ’ ef` and `ab'cd ' ef`.
    pub(super) fn in_words(&self) -> [String; 2] {
        let within = |text: &str| format!("ab{text}cd {text} ef");
        [within(&self.pair.0), within(&self.pair.1)]
    }
}

/// Returns the name of a character for messages: its code point, and the character itself if it is visible,
/// such as `é` (U+00E9).
pub(super) fn shown(c: char) -> String {
    let code = format!("U+{:04X}", c as u32);
    if is_invisible(c) {
        return format!("the invisible {code}");
    }
    let is_seen = !c.is_whitespace() && !c.is_control() && !is_nonspacing(c);
    if is_seen { format!("`{c}` ({code})") } else { code }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    quickcheck::quickcheck! {
        fn starts_are_those_of_characters(text: String, plain: Vec<bool>) -> bool {
            let mixed: String = text.chars().zip(plain).map(|(c, plain)| if plain { 'a' } else { c }).collect();
            [mixed.repeat(8), text].iter().all(|text| {
                let mut starts = Vec::new();
                each_wide_start(text.as_bytes(), |at| starts.push(at));
                text.char_indices().filter(|(_, c)| !c.is_ascii()).map(|(at, _)| at).eq(starts)
            })
        }

        fn counts_are_those_of_sets(texts: Vec<String>, plain: Vec<bool>) -> bool {
            // Runs of ASCII between the characters, as in Czech, and characters of two bytes only, as in Russian.
            let mixed = |text: &String| -> String {
                text.chars().zip(&plain).map(|(c, plain)| if *plain { 'a' } else { c }).collect()
            };
            let short = |text: &String| -> String {
                text.chars().filter_map(|c| char::from_u32(u32::from(c) % 0x800)).collect()
            };
            let mixed_texts: Vec<String> = texts.iter().map(mixed).collect();
            let short_texts: Vec<String> = texts.iter().map(short).collect();
            [texts, mixed_texts, short_texts].iter().all(|texts| {
                let mut counts = CharacterCounts::default();
                let mut expected = BTreeMap::new();
                for (number, text) in (1..).zip(texts) {
                    counts.add(text, number);
                    let different: HashSet<char> = text.chars().filter(|c| !c.is_ascii()).collect();
                    different.into_iter().for_each(|c| *expected.entry(c).or_insert(0) += 1);
                }
                counts.all().eq(expected.clone()) && expected.iter().all(|(c, texts)| counts.texts(*c) == *texts)
            })
        }
    }
}

//! [`CharacterCounts`]: the characters beyond ASCII of one side, to find those that the other side lacks, such as
//! decomposed letters, typographic apostrophes or direction marks.

use bleuprint_text::{Chain, Normalizers, is_invisible, is_nonspacing};

/// Number of texts of a side from which a character of this side alone is a sign of a mistake.
pub(super) const FEW: u64 = 10;

/// Number of characters on a page of the table.
const PAGE: usize = 256;

/// Normalizers that make variants of characters equal, in the order in which they are tried, each with its
/// effect.
const MENDERS: [(&str, &str); 6] = [
    ("nfc", "which writes both sides in one form of Unicode"),
    ("nfkc", "which replaces variants by the plain characters"),
    ("ascii-punct", "which writes typographic punctuation as ASCII"),
    ("visible", "which deletes characters that cannot be seen"),
    ("arabic-letters", "which writes Arabic letters in one form"),
    ("punct", "which deletes the punctuation of both sides"),
];

/// Number of texts with a character, and the number of the last such text.
#[derive(Debug, Clone, Copy, Default)]
struct CharacterTexts {
    texts: u32,
    last: u32,
}

/// Number of texts that contain each character beyond ASCII.
#[derive(Debug, Clone, Default)]
pub(super) struct CharacterCounts {
    /// Counts by code point, in pages that exist only for alphabets in use.
    pages: Vec<Option<Box<[CharacterTexts; PAGE]>>>,
}

impl CharacterCounts {
    /// Adds the characters of a text. `number` numbers the texts of the side from 1.
    pub(super) fn add(&mut self, text: &str, number: u32) {
        if self.pages.is_empty() {
            self.pages.resize_with(char::MAX as usize / PAGE + 1, || None);
        }
        for c in text.chars().filter(|c| !c.is_ascii()) {
            let page = self.pages[c as usize / PAGE]
                .get_or_insert_with(|| Box::new([CharacterTexts::default(); PAGE]));
            let of = &mut page[c as usize % PAGE];
            if of.last != number {
                *of = CharacterTexts { texts: of.texts + 1, last: number };
            }
        }
    }

    fn texts(&self, c: char) -> u64 {
        let page = self.pages.get(c as usize / PAGE).and_then(Option::as_ref);
        page.map_or(0, |page| page[c as usize % PAGE].texts.into())
    }

    fn all(&self) -> impl Iterator<Item = (char, u64)> {
        let pages = self.pages.iter().enumerate().filter_map(|(at, page)| Some((at, page.as_ref()?)));
        let texts = pages
            .flat_map(|(at, page)| page.iter().enumerate().map(move |(place, of)| (at * PAGE + place, of)));
        let known = texts.filter(|(_, of)| of.texts > 0);
        known.filter_map(|(code, of)| Some((char::from_u32(code as u32)?, of.texts.into())))
    }

    /// Returns the characters that at least half of the `texts` texts of this side have and no text of the other
    /// side, with their numbers of texts. Lower limits keep small samples out.
    pub(super) fn alone(&self, texts: u64, other: &Self, others: u64) -> Vec<(char, u64)> {
        if others < FEW {
            return Vec::new();
        }
        let is_habit = |count: u64| count >= FEW && 2 * count >= texts;
        self.all().filter(|&(c, count)| is_habit(count) && other.texts(c) == 0).collect()
    }
}

/// A character of one side alone, with the normalizer that mends it and two texts that differ in it alone.
pub(super) struct LoneCharacter {
    pub(super) character: char,
    pub(super) texts: u64,
    /// Name of the normalizer and its effect.
    pub(super) mender: Option<(&'static str, &'static str)>,
    /// A text with the character, and the text that the other side has in its place.
    pub(super) pair: (String, String),
}

/// Finds for a character of one side alone what the other side has in its place.
pub(super) struct Menders {
    chains: Vec<((&'static str, &'static str), Chain, Chain)>,
}

impl Menders {
    pub(super) fn new() -> Self {
        let normalizers = Normalizers::default();
        let build = |(name, effect): &(&'static str, &'static str)| {
            // The decomposed form of two texts agrees exactly if the composed form does, and it works character
            // by character.
            let apart = match *name {
                "nfc" => "nfd",
                "nfkc" => "nfkd",
                other => other,
            };
            Some(((*name, *effect), normalizers.build(name).ok()?, normalizers.build(apart).ok()?))
        };
        Menders { chains: MENDERS.iter().filter_map(build).collect() }
    }

    pub(super) fn mend(&self, character: char, texts: u64, other: &CharacterCounts) -> LoneCharacter {
        let own = character.to_string();
        for (mender, chain, apart) in &self.chains {
            let pieces = apart.apply(&own);
            let has = |piece: char| piece.is_ascii() || other.texts(piece) > 0;
            let composed = |c: char| c != character && apart.apply(&c.to_string()).contains(character);
            let pair = if pieces != own && (pieces.chars().all(has) || chain.apply(&own).chars().all(has)) {
                Some((own.clone(), pieces))
            } else {
                // The other side has a character of which this one is a part, such as a letter with this mark.
                other
                    .all()
                    .map(|(c, _)| c)
                    .find(|&c| composed(c))
                    .map(|c| (apart.apply(&c.to_string()), c.to_string()))
            };
            if let Some(pair) = pair {
                return LoneCharacter { character, texts, mender: Some(*mender), pair };
            }
        }
        LoneCharacter { character, texts, mender: None, pair: (own, String::new()) }
    }
}

impl LoneCharacter {
    /// Returns the texts of the pair within words, as a tokenizer sees them.
    pub(super) fn in_words(&self) -> [String; 2] {
        let within = |text: &str| format!("ab{text}cd {text} ef");
        [within(&self.pair.0), within(&self.pair.1)]
    }
}

/// Returns a character as messages name it: its code point, and the character if it can be seen.
pub(super) fn shown(c: char) -> String {
    let code = format!("U+{:04X}", c as u32);
    if is_invisible(c) {
        return format!("the invisible {code}");
    }
    let is_seen = !c.is_whitespace() && !c.is_control() && !is_nonspacing(c);
    if is_seen { format!("`{c}` ({code})") } else { code }
}

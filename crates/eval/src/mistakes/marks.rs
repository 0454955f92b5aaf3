//! [`MarkCounts`]: texts with pieces of subword vocabularies, such as `Haus@@`, or with special tokens, such as
//! `</s>`. Both remain in texts that were not decoded, and count as words.

/// Share of the texts of a side above which subword pieces or special tokens are reported.
pub(super) const SHARE: f64 = 0.01;

/// Tokens that vocabularies reserve. Tokens between `<|` and `|>` are reserved too.
const SPECIAL: [&str; 12] = [
    "<unk>", "<s>", "</s>", "<pad>", "<bos>", "<eos>", "<mask>", "[UNK]", "[PAD]", "[CLS]", "[SEP]", "[MASK]",
];

/// Number of texts with a kind of mark, and the first such mark.
#[derive(Debug, Clone, Default)]
pub(super) struct MarkedTexts {
    pub(super) texts: u64,
    pub(super) first: String,
}

impl MarkedTexts {
    fn add(&mut self, mark: Option<&str>) {
        if let Some(mark) = mark {
            self.texts += 1;
            if self.first.is_empty() {
                mark.clone_into(&mut self.first);
            }
        }
    }

    /// Returns `true` if these are more than a few of `of` texts.
    pub(super) fn is_many(&self, of: u64) -> bool {
        self.texts as f64 > SHARE * of as f64
    }
}

/// Numbers of texts with subword pieces and with special tokens, each with an example.
#[derive(Debug, Clone, Default)]
pub(super) struct MarkCounts {
    pub(super) pieces: MarkedTexts,
    pub(super) special: MarkedTexts,
}

impl MarkCounts {
    pub(super) fn look_at(&mut self, text: &str) {
        // The search for these characters is faster than a split, and most texts have none of them.
        if !text.contains(['@', '<', '[', '\u{2581}', '\u{2047}']) {
            return;
        }
        self.pieces.add(text.split_whitespace().find(|token| is_piece(token)));
        self.special.add(text.split_whitespace().find(|token| is_special(token)));
    }
}

/// Returns `true` for a piece of a word as subword-nmt (`Haus@@`) or SentencePiece (`▁Haus`) writes it.
fn is_piece(token: &str) -> bool {
    token.strip_suffix("@@").is_some_and(|word| !word.is_empty()) || token.starts_with('\u{2581}')
}

fn is_special(token: &str) -> bool {
    let is_control = token.len() > 4 && token.starts_with("<|") && token.ends_with("|>");
    is_control || SPECIAL.contains(&token) || token.contains('\u{2047}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_in_any_script() {
        let found = |text: &str| {
            let mut counts = MarkCounts::default();
            counts.look_at(text);
            (counts.pieces.first, counts.special.first)
        };
        for piece in ["Haus@@", "\u{2581}Haus", "\u{2581}", "日@@"] {
            assert_eq!(found(&format!("a 日。 {piece} b")).0, piece);
        }
        for special in ["<|en|>", "<unk>", "</s>", "[PAD]", "\u{2047}"] {
            assert_eq!(found(&format!("日。 {special} b")).1, special);
        }
        for plain in ["mail@example.org", "@@", "a < b", "<b>", "[noise]", "<||>", "ß"] {
            assert_eq!(found(plain), (String::new(), String::new()), "{plain}");
        }
    }
}

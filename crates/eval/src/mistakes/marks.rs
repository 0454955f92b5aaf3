//! [`MarkCounts`]: counts texts that contain subword pieces, such as `Haus@@`, or special tokens, such as
//! `</s>`. Both remain if a model's output was not decoded into plain text; metrics then count them as words.

/// Share of texts with subword pieces or special tokens above which these marks are reported.
pub(super) const SHARE: f64 = 0.01;

/// Special tokens of common vocabularies. Tokens between `<|` and `|>`, such as `<|en|>`, are special tokens
/// too.
const SPECIAL: [&str; 12] = [
    "<unk>", "<s>", "</s>", "<pad>", "<bos>", "<eos>", "<mask>", "[UNK]", "[PAD]", "[CLS]", "[SEP]", "[MASK]",
];

/// Number of texts with a kind of mark (subword pieces or special tokens), and the first such mark.
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

    /// Returns `true` if the marks occur in more than 1 % of the texts. `of` is the number of all texts.
    pub(super) fn is_many(&self, of: u64) -> bool {
        self.texts as f64 > SHARE * of as f64
    }
}

/// Number of texts with subword pieces and number of texts with special tokens, each with the first such
/// mark.
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

/// Returns `true` if the token is a subword piece as subword-nmt (`Haus@@`) or SentencePiece (`▁Haus`) writes
/// it.
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

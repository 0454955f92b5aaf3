//! Encoding of text by SentencePiece unigram models: finds the sequence of pieces with the highest sum of
//! scores.
//!
//! Sums are `f32`, as in SentencePiece, since sums of `f64` would decide near ties differently. Among equal
//! sums, the path with the longest last piece wins.

use super::model::{LinePiece, Model, PieceKind};
use crate::char_table::decode;

/// Difference between the scores of the least probable piece and of an unknown character, as in
/// SentencePiece.
const UNKNOWN_PENALTY: f32 = 10.0;
/// Score of a user-defined piece of a SentencePiece model, for each of its bytes after the first: a piece of
/// `n` bytes scores `0.1 (n - 1)`. This is positive, so the piece is preferred to pieces with negative
/// scores.
const USER_DEFINED_BONUS: f32 = 0.1;

/// The best piece that ends at one byte position of the text, with the score of the best path up to there.
#[derive(Debug, Clone, Copy, Default)]
struct BestPiece {
    id: u32,
    start: Option<usize>,
    score: f32,
}

#[derive(Debug, Clone, Default)]
pub(super) struct UnigramScratch(Vec<BestPiece>);

impl BestPiece {
    fn improve(&mut self, start: usize, id: u32, score: f32) {
        // A piece replaces the best one only with a higher score. Longer pieces that end here start earlier
        // and are tested first.
        if self.start.is_none() || score > self.score {
            *self = BestPiece { id, start: Some(start), score };
        }
    }
}

pub(super) fn encode(
    model: &Model,
    text: &[u8],
    UnigramScratch(best): &mut UnigramScratch,
    found: &mut Vec<LinePiece>,
) {
    best.clear();
    best.resize(text.len() + 1, BestPiece::default());
    let mut at = 0;
    while at < text.len() {
        let (_, char_len) = decode(text, at);
        let char_len = char_len.min(text.len() - at);
        let so_far = best[at].score;
        let mut whole_char = false;
        model.trie.prefixes(&text[at..], |len, id| {
            let entry = model.entries[id as usize];
            let score = match entry.kind {
                // An unused piece exists in the file only to keep the ids of other pieces.
                PieceKind::Unused => return,
                PieceKind::UserDefined => (len - 1) as f32 * USER_DEFINED_BONUS + so_far,
                _ => entry.score + so_far,
            };
            best[at + len].improve(at, id, score);
            whole_char |= len == char_len;
        });
        // Without a piece for this character alone, the unknown piece is a candidate, so that every position
        // can be reached.
        if !whole_char {
            let score = model.min_score - UNKNOWN_PENALTY + so_far;
            best[at + char_len].improve(at, model.unknown, score);
        }
        at += char_len;
    }
    let mut end = text.len();
    // The best pieces are followed backwards from the end of the text.
    while let Some(BestPiece { id, start: Some(start), .. }) = best.get(end).copied() {
        found.push(LinePiece { start, end, id });
        end = start;
    }
    found.reverse();
}

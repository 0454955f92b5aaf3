//! Unigram models: the sequence of pieces with the highest sum of scores.
//!
//! Sums are `f32`, as in SentencePiece: doubles would decide close calls differently. Of equal sums the one with the
//! longest last piece wins.

use super::model::{Kind, Model, Piece};
use crate::char_table::decode;

/// The extra cost of an unknown character over the least probable piece.
const UNKNOWN_PENALTY: f32 = 10.0;
/// The score of a user-defined piece for each byte after the first: enough to win against any negative score.
const USER_DEFINED_BONUS: f32 = 0.1;

/// The best piece that ends at a position.
#[derive(Debug, Clone, Copy, Default)]
struct Best {
    id: u32,
    start: Option<usize>,
    score: f32,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Scratch(Vec<Best>);

impl Best {
    fn improve(&mut self, start: usize, id: u32, score: f32) {
        if self.start.is_none() || score > self.score {
            *self = Best { id, start: Some(start), score };
        }
    }
}

pub(super) fn encode(model: &Model, text: &[u8], Scratch(best): &mut Scratch, found: &mut Vec<Piece>) {
    best.clear();
    best.resize(text.len() + 1, Best::default());
    let mut at = 0;
    while at < text.len() {
        let (_, char_len) = decode(text, at);
        let char_len = char_len.min(text.len() - at);
        let so_far = best[at].score;
        let mut whole_char = false;
        model.trie.prefixes(&text[at..], |len, id| {
            let entry = model.entries[id as usize];
            let score = match entry.kind {
                Kind::Unused => return,
                Kind::UserDefined => (len - 1) as f32 * USER_DEFINED_BONUS + so_far,
                _ => entry.score + so_far,
            };
            best[at + len].improve(at, id, score);
            whole_char |= len == char_len;
        });
        if !whole_char {
            let score = model.min_score - UNKNOWN_PENALTY + so_far;
            best[at + char_len].improve(at, model.unknown, score);
        }
        at += char_len;
    }
    let mut end = text.len();
    while let Some(Best { id, start: Some(start), .. }) = best.get(end).copied() {
        found.push(Piece { start, end, id });
        end = start;
    }
    found.reverse();
}

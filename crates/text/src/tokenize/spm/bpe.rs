//! Encoding of text by byte-pair (BPE) models: adjacent pieces are joined, highest score first, as long as
//! the joined piece is in the vocabulary.

use super::model::{LinePiece, Model, PieceKind};
use crate::char_table::decode;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

/// Index value for a missing neighbour of a piece, before the first or after the last piece of the text.
const NONE: usize = usize::MAX;

/// A piece of the text that byte-pair encoding (BPE) may join to its neighbours. It is empty after it was
/// joined to the piece before it.
#[derive(Debug, Clone, Copy)]
struct Symbol {
    previous: usize,
    next: usize,
    start: usize,
    end: usize,
    /// `true` for a piece in the model's list of user-defined pieces, which are never joined to others.
    frozen: bool,
}

/// A candidate of byte-pair encoding: two adjacent pieces that can be joined. It is outdated if one of the
/// two pieces was joined to another piece after the candidate was found.
#[derive(Debug, Clone, Copy, PartialEq)]
struct MergePair {
    score: f32,
    left: usize,
    right: usize,
    len: usize,
}

impl Eq for MergePair {}

impl Ord for MergePair {
    /// Orders pairs of pieces by score; of two pairs with equal scores, the pair further left is greater.
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(other.left.cmp(&self.left))
    }
}

impl PartialOrd for MergePair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Working memory of the BPE encoder, reused from line to line.
#[derive(Debug, Clone, Default)]
pub(super) struct BpeScratch {
    symbols: Vec<Symbol>,
    agenda: BinaryHeap<MergePair>,
    /// Pieces that were joined but that the model marks as unused, by their text, with the length of the left
    /// part. At the end, such a piece is split again into its two parts.
    joints: HashMap<Vec<u8>, usize>,
}

pub(super) fn encode(model: &Model, text: &[u8], scratch: &mut BpeScratch, found: &mut Vec<LinePiece>) {
    scratch.agenda.clear();
    scratch.joints.clear();
    split(model, text, &mut scratch.symbols);
    for left in 1..scratch.symbols.len() {
        scratch.propose(model, text, left - 1, left);
    }
    while let Some(pair) = scratch.agenda.pop() {
        let left = scratch.symbols[pair.left];
        let right = scratch.symbols[pair.right];
        let len = (left.end - left.start) + (right.end - right.start);
        // The pair is outdated if one side was joined elsewhere: it is then empty, or longer than when the
        // pair was proposed.
        if left.start == left.end || right.start == right.end || len != pair.len {
            continue;
        }
        scratch.symbols[pair.left].end = right.end;
        scratch.symbols[pair.left].next = right.next;
        if right.next != NONE {
            scratch.symbols[right.next].previous = pair.left;
        }
        // The right part becomes empty and stays in the list, so that the indices of other parts remain
        // valid.
        scratch.symbols[pair.right].end = right.start;
        scratch.propose(model, text, left.previous, pair.left);
        scratch.propose(model, text, pair.left, right.next);
    }
    let mut at = if text.is_empty() { NONE } else { 0 };
    while let Some(&Symbol { start, end, next, .. }) = scratch.symbols.get(at) {
        take_apart(model, text, start, end, &scratch.joints, found);
        at = next;
    }
}

/// Splits the text into single characters and user-defined vocabulary pieces, from which byte-pair encoding
/// (BPE) starts to join.
fn split(model: &Model, text: &[u8], symbols: &mut Vec<Symbol>) {
    symbols.clear();
    let mut start = 0;
    while start < text.len() {
        let user_defined = model.user_defined.longest(&text[start..]);
        let len = user_defined.unwrap_or_else(|| decode(text, start).1);
        // A broken character at the end would reach beyond the text.
        let end = (start + len).min(text.len());
        let index = symbols.len();
        let previous = index.checked_sub(1).unwrap_or(NONE);
        let next = if end < text.len() { index + 1 } else { NONE };
        symbols.push(Symbol { previous, next, start, end, frozen: user_defined.is_some() });
        start = end;
    }
}

impl BpeScratch {
    /// Adds two adjacent pieces to the queue of possible joins if their joined text is in the vocabulary.
    fn propose(&mut self, model: &Model, text: &[u8], left: usize, right: usize) {
        let (Some(first), Some(second)) = (self.symbols.get(left), self.symbols.get(right)) else { return };
        if first.frozen || second.frozen {
            return;
        }
        let piece = &text[first.start..second.end];
        let Some(id) = model.trie.get(piece) else { return };
        let entry = model.entries[id as usize];
        // Unused pieces take part in joins as steps to longer pieces, but must not be in the result.
        if entry.kind == PieceKind::Unused {
            self.joints.insert(piece.to_vec(), first.end - first.start);
        }
        self.agenda.push(MergePair { score: entry.score, left, right, len: piece.len() });
    }
}

/// Appends a vocabulary piece to the tokens in `found`. If the SentencePiece model marks the piece as unused,
/// it must not be a token; the two pieces that were joined to it are appended instead.
fn take_apart(
    model: &Model,
    text: &[u8],
    start: usize,
    end: usize,
    joints: &HashMap<Vec<u8>, usize>,
    found: &mut Vec<LinePiece>,
) {
    let piece = &text[start..end];
    let id = model.trie.get(piece).unwrap_or(model.unknown);
    if model.entries[id as usize].kind == PieceKind::Unused
        && let Some(&joint) = joints.get(piece)
    {
        // A part may be an unused piece itself. The recursion ends, since each part is shorter than the
        // whole.
        take_apart(model, text, start, start + joint, joints, found);
        take_apart(model, text, start + joint, end, joints, found);
        return;
    }
    found.push(LinePiece { start, end, id });
}

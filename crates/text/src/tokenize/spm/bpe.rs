//! BPE models: join the two neighbours whose joint piece scores highest, until no joint piece is in the vocabulary.

use super::model::{Kind, Model, Piece};
use crate::char_table::decode;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

const NONE: usize = usize::MAX;

/// A part of the text that may still be joined to its neighbours; empty once joined.
#[derive(Debug, Clone, Copy)]
struct Symbol {
    previous: usize,
    next: usize,
    start: usize,
    end: usize,
    /// User-defined pieces are never joined.
    frozen: bool,
}

/// Two neighbours that can be joined if both are unchanged.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pair {
    score: f32,
    left: usize,
    right: usize,
    len: usize,
}

impl Eq for Pair {}

impl Ord for Pair {
    /// The higher score is greater, and of equal scores the pair further left.
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(other.left.cmp(&self.left))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Memory for one line at a time.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    symbols: Vec<Symbol>,
    agenda: BinaryHeap<Pair>,
    /// Joins of unused pieces, by the text of the piece: they are split again.
    joints: HashMap<Vec<u8>, usize>,
}

pub(super) fn encode(model: &Model, text: &[u8], scratch: &mut Scratch, found: &mut Vec<Piece>) {
    scratch.agenda.clear();
    scratch.joints.clear();
    split(model, text, &mut scratch.symbols);
    for left in 1..scratch.symbols.len() {
        scratch.propose(model, text, left - 1, left);
    }
    while let Some(pair) = scratch.agenda.pop() {
        let (left, right) = (scratch.symbols[pair.left], scratch.symbols[pair.right]);
        let len = (left.end - left.start) + (right.end - right.start);
        if left.start == left.end || right.start == right.end || len != pair.len {
            continue;
        }
        scratch.symbols[pair.left].end = right.end;
        scratch.symbols[pair.left].next = right.next;
        if right.next != NONE {
            scratch.symbols[right.next].previous = pair.left;
        }
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

/// The characters of the text and its user-defined pieces.
fn split(model: &Model, text: &[u8], symbols: &mut Vec<Symbol>) {
    symbols.clear();
    let mut start = 0;
    while start < text.len() {
        let user_defined = model.user_defined.longest(&text[start..]);
        let len = user_defined.unwrap_or_else(|| decode(text, start).1);
        let end = (start + len).min(text.len());
        let index = symbols.len();
        let previous = index.checked_sub(1).unwrap_or(NONE);
        let next = if end < text.len() { index + 1 } else { NONE };
        symbols.push(Symbol { previous, next, start, end, frozen: user_defined.is_some() });
        start = end;
    }
}

impl Scratch {
    /// Puts two neighbours on the agenda if their joint piece is in the vocabulary.
    fn propose(&mut self, model: &Model, text: &[u8], left: usize, right: usize) {
        let (Some(first), Some(second)) = (self.symbols.get(left), self.symbols.get(right)) else { return };
        if first.frozen || second.frozen {
            return;
        }
        let piece = &text[first.start..second.end];
        let Some(id) = model.trie.get(piece) else { return };
        let entry = model.entries[id as usize];
        if entry.kind == Kind::Unused {
            self.joints.insert(piece.to_vec(), first.end - first.start);
        }
        self.agenda.push(Pair { score: entry.score, left, right, len: piece.len() });
    }
}

/// Pushes a piece, or the parts of an unused one.
fn take_apart(
    model: &Model,
    text: &[u8],
    start: usize,
    end: usize,
    joints: &HashMap<Vec<u8>, usize>,
    found: &mut Vec<Piece>,
) {
    let piece = &text[start..end];
    let id = model.trie.get(piece).unwrap_or(model.unknown);
    if model.entries[id as usize].kind == Kind::Unused
        && let Some(&joint) = joints.get(piece)
    {
        take_apart(model, text, start, start + joint, joints, found);
        take_apart(model, text, start + joint, end, joints, found);
        return;
    }
    found.push(Piece { start, end, id });
}

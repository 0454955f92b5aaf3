//! The lattice of words over a line, and the path of least cost through it.
//!
//! At equal cost MeCab keeps the word met first, and it meets words in the reverse order of discovery; both orders are
//! kept here, because they decide among equal paths.

use super::dictionary::{CharInfo, Dictionary, Word};

/// The exclusive upper bound of path costs.
pub(super) const MAX_COST: i64 = i32::MAX as i64;
/// The maximum number of characters after the first in an unknown word that spans a run.
const MAX_GROUP: usize = 24;
const MAX_WINDOW: usize = 65535;
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Node {
    start: u32,
    end: u32,
    previous: u32,
    /// The next node with the same end.
    sibling: u32,
    cost: i64,
    right_id: u16,
}

#[derive(Debug, Default, Clone)]
pub(crate) struct Lattice {
    nodes: Vec<Node>,
    /// By position, the last node found with its end there.
    ends: Vec<u32>,
    found: Vec<Found>,
    path: Vec<(u32, u32)>,
}

#[derive(Debug, Clone, Copy)]
struct Found {
    word: Word,
    start: usize,
    end: usize,
}

impl std::fmt::Debug for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Word({}, {}, {})", self.left, self.right, self.cost)
    }
}

impl Lattice {
    pub(super) fn path(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.path.iter().rev().map(|&(start, end)| (start as usize, end as usize))
    }

    /// Finds the path of least cost over `text`; `false` if every one is too expensive.
    pub(super) fn find_path(&mut self, dictionary: &Dictionary, text: &[u8]) -> bool {
        self.nodes.clear();
        self.path.clear();
        self.ends.clear();
        self.ends.resize(text.len() + 1, NONE);
        let begin = Node { start: 0, end: 0, previous: NONE, sibling: NONE, cost: 0, right_id: 0 };
        self.nodes.push(begin);
        self.ends[0] = 0;
        for at in 0..text.len() {
            if self.ends[at] == NONE {
                continue;
            }
            self.find_words(dictionary, text, at);
            for index in (0..self.found.len()).rev() {
                let found = self.found[index];
                if !self.connect(dictionary, at, &found) {
                    return false;
                }
            }
        }
        // Trailing whitespace may leave the last positions unreached.
        let Some(last) = (0..=text.len()).rev().find(|&at| self.ends[at] != NONE) else { return false };
        let end = Found { word: Word::default(), start: last, end: last };
        let Some((mut node, _)) = self.best_before(dictionary, last, &end) else { return false };
        while let Some(&Node { start, end, previous, .. }) = self.nodes.get(node as usize) {
            if previous == NONE {
                break;
            }
            self.path.push((start, end));
            node = previous;
        }
        true
    }

    /// Links a word found at `at` to the best node before it.
    fn connect(&mut self, dictionary: &Dictionary, at: usize, found: &Found) -> bool {
        let Some((previous, cost)) = self.best_before(dictionary, at, found) else { return false };
        let Some(end) = self.ends.get_mut(found.end) else { return true };
        let sibling = std::mem::replace(end, self.nodes.len() as u32);
        let (start, end) = (found.start as u32, found.end as u32);
        self.nodes.push(Node { start, end, previous, sibling, cost, right_id: found.word.right });
        true
    }

    /// The cheapest node that ends at `at`, and the cost of the path through it to `found`.
    fn best_before(&self, dictionary: &Dictionary, at: usize, found: &Found) -> Option<(u32, i64)> {
        let mut own = i64::from(found.word.cost);
        if found.start > at {
            own += dictionary.space_penalty(&found.word);
        }
        let mut best = None;
        let mut best_cost = MAX_COST;
        let mut index = self.ends[at];
        while let Some(node) = self.nodes.get(index as usize) {
            let cost = node.cost + dictionary.connection(node.right_id, &found.word) + own;
            if cost < best_cost {
                (best, best_cost) = (Some(index), cost);
            }
            index = node.sibling;
        }
        best.map(|best| (best, best_cost))
    }

    /// Collects the words, known and unknown, that begin at `at`, after optional whitespace.
    fn find_words(&mut self, dictionary: &Dictionary, text: &[u8], at: usize) {
        let found = &mut self.found;
        found.clear();
        let text = &text[..text.len().min(at + MAX_WINDOW)];
        let space = dictionary.char_info(b" ").0;
        let (start, _, first) = skip(dictionary, text, at, space);
        let (info, len) = first;
        dictionary.prefixes(&text[start..], |&word, len| found.push(Found { word, start, end: start + len }));
        if !found.is_empty() && !info.invoke {
            return;
        }
        let mut add_unknown = |end: usize| {
            let words = dictionary.unknown(info.category).iter();
            found.extend(words.map(|&word| Found { word, start, end }));
        };
        let mut end = start + len;
        if end > text.len() {
            add_unknown(end);
            return;
        }
        let mut any = false;
        let mut group_end = 0;
        if info.group {
            let (run_end, count, _) = skip(dictionary, text, end, info);
            if count <= MAX_GROUP {
                add_unknown(run_end);
                any = true;
            }
            group_end = run_end;
        }
        for _ in 0..info.length {
            if end > text.len() {
                break;
            }
            if end == group_end {
                continue;
            }
            add_unknown(end);
            any = true;
            let (next, len) = dictionary.char_info(&text[end..]);
            if !info.shares_category(next) {
                break;
            }
            end += len;
        }
        if !any && found.is_empty() {
            let words = dictionary.unknown(info.category).iter();
            found.extend(words.map(|&word| Found { word, start, end }));
        }
    }
}

/// Skips characters while each shares a category with the one before, beginning with `info`. Returns the end, the
/// number of characters, and the last character examined with its length.
fn skip(
    dictionary: &Dictionary,
    text: &[u8],
    from: usize,
    info: CharInfo,
) -> (usize, usize, (CharInfo, usize)) {
    let (mut at, mut count, mut before) = (from, 0, info);
    let mut last = (info, 0);
    while at < text.len() {
        last = dictionary.char_info(&text[at..]);
        if !before.shares_category(last.0) {
            break;
        }
        at += last.1;
        count += 1;
        before = last.0;
    }
    (at, count, last)
}

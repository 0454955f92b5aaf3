//! The lattice of all words that a line can be split into, and the search for its path of least cost.
//!
//! MeCab keeps the first of two words with equal cost, and it visits words in the reverse order of discovery.
//! This module keeps both orders, because they decide between paths of equal cost.

use super::dictionary::{CharInfo, Dictionary, DictionaryWord};

/// Exclusive upper bound of the total cost of a segmentation of a line into words. MeCab chooses the
/// segmentation with the lowest cost.
pub(super) const MAX_COST: i64 = i32::MAX as i64;
/// Maximum length of an unknown word that covers a whole run of characters, such as digits. Its first
/// character is not counted.
const MAX_GROUP: usize = 24;
/// Maximum length in bytes of the text that is searched for words at one position, as in MeCab.
const MAX_WINDOW: usize = 65535;
/// Index value for "no node" in the lattice of candidate words.
const NONE: u32 = u32::MAX;

/// A node of the word lattice: a word at a position of the line, with the cheapest path that ends in it.
#[derive(Debug, Clone, Copy)]
struct LatticeNode {
    start: u32,
    end: u32,
    previous: u32,
    /// Index of the next lattice node (a candidate word) that ends at the same byte of the line, or `NONE`.
    sibling: u32,
    cost: i64,
    right_id: u16,
}

#[derive(Debug, Default, Clone)]
pub(crate) struct Lattice {
    nodes: Vec<LatticeNode>,
    /// For each byte position of the line, the index of the newest lattice node (a candidate word) that ends
    /// there. It is `NONE` if no candidate word ends there.
    ends: Vec<u32>,
    /// The words that start at the position of the line that is being processed.
    found: Vec<Found>,
    /// The byte ranges of the words on the cheapest path through the line, the last word first.
    path: Vec<(u32, u32)>,
}

#[derive(Debug, Clone, Copy)]
struct Found {
    word: DictionaryWord,
    start: usize,
    end: usize,
}

impl std::fmt::Debug for DictionaryWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Word({}, {}, {})", self.left, self.right, self.cost)
    }
}

impl Lattice {
    pub(super) fn path(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.path.iter().rev().map(|&(start, end)| (start as usize, end as usize))
    }

    /// Finds the sequence of words of least cost that covers `text`. Returns `false` if every sequence costs
    /// more than [`MAX_COST`].
    pub(super) fn find_path(&mut self, dictionary: &Dictionary, text: &[u8]) -> bool {
        self.nodes.clear();
        self.path.clear();
        self.ends.clear();
        self.ends.resize(text.len() + 1, NONE);
        let begin = LatticeNode { start: 0, end: 0, previous: NONE, sibling: NONE, cost: 0, right_id: 0 };
        self.nodes.push(begin);
        self.ends[0] = 0;
        for at in 0..text.len() {
            // No word ends here, so no path can continue here.
            if self.ends[at] == NONE {
                continue;
            }
            self.find_words(dictionary, text, at);
            // MeCab puts each word in front of a list, and so visits the last one found first.
            for index in (0..self.found.len()).rev() {
                let found = self.found[index];
                if !self.connect(dictionary, at, &found) {
                    return false;
                }
            }
        }
        // Whitespace at the end may leave the last positions unreached.
        let Some(last) = (0..=text.len()).rev().find(|&at| self.ends[at] != NONE) else { return false };
        // The default word has the ids 0, which MeCab reserves for the end of a sentence.
        let end = Found { word: DictionaryWord::default(), start: last, end: last };
        let Some((mut node, _)) = self.best_before(dictionary, last, &end) else { return false };
        while let Some(&LatticeNode { start, end, previous, .. }) = self.nodes.get(node as usize) {
            if previous == NONE {
                break;
            }
            self.path.push((start, end));
            node = previous;
        }
        true
    }

    /// Adds a word found at byte `at` to the lattice, after the cheapest path that ends there. Returns
    /// `false` if the cost exceeds [`MAX_COST`].
    fn connect(&mut self, dictionary: &Dictionary, at: usize, found: &Found) -> bool {
        let Some((previous, cost)) = self.best_before(dictionary, at, found) else { return false };
        let Some(end) = self.ends.get_mut(found.end) else { return true };
        let sibling = std::mem::replace(end, self.nodes.len() as u32);
        let start = found.start as u32;
        let end = found.end as u32;
        self.nodes.push(LatticeNode { start, end, previous, sibling, cost, right_id: found.word.right });
        true
    }

    /// Finds the best node before the word `found` among the nodes that end at byte `at`. Returns its index
    /// and the cost of the path up to and including `found`.
    fn best_before(&self, dictionary: &Dictionary, at: usize, found: &Found) -> Option<(u32, i64)> {
        let mut own = i64::from(found.word.cost);
        // The word starts after whitespace, for which Korean dictionaries add a cost.
        if found.start > at {
            own += dictionary.space_penalty(&found.word);
        }
        let mut best = None;
        let mut best_cost = MAX_COST;
        let mut index = self.ends[at];
        while let Some(node) = self.nodes.get(index as usize) {
            let cost = node.cost + dictionary.connection(node.right_id, &found.word) + own;
            // Only a smaller cost replaces the best node: among equal costs, the first one visited wins, as
            // in MeCab.
            if cost < best_cost {
                (best, best_cost) = (Some(index), cost);
            }
            index = node.sibling;
        }
        best.map(|best| (best, best_cost))
    }

    /// Collects the dictionary words and unknown words that start at byte `at`, after optional whitespace.
    fn find_words(&mut self, dictionary: &Dictionary, text: &[u8], at: usize) {
        let found = &mut self.found;
        found.clear();
        let text = &text[..text.len().min(at + MAX_WINDOW)];
        let space = dictionary.char_info(b" ").0;
        let (start, _, first) = skip(dictionary, text, at, space);
        let (info, len) = first;
        dictionary.prefixes(&text[start..], |&word, len| found.push(Found { word, start, end: start + len }));
        // The dictionary has words here, and the category of the first character adds no unknown words to
        // them.
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
            // A longer run is cut into words by the other rule, except that its end is still skipped below.
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
            // The run up to this position is already an unknown word.
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
        // MeCab gives every position at least one word, so that the path never breaks off.
        if !any && found.is_empty() {
            let words = dictionary.unknown(info.category).iter();
            found.extend(words.map(|&word| Found { word, start, end }));
        }
    }
}

/// Finds the end of a run of similar characters, such as digits, that continues at byte `from`. Each
/// character of the run shares a MeCab category with the character before it.
///
/// `info` has the categories of the character before `from`. Returns the end of the run, its number of
/// characters, and the categories and byte length of the last character examined.
fn skip(
    dictionary: &Dictionary,
    text: &[u8],
    from: usize,
    info: CharInfo,
) -> (usize, usize, (CharInfo, usize)) {
    let mut at = from;
    let mut count = 0;
    let mut before = info;
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

//! A trie over bytes, stored in three vectors. The children of a node are next to each other, sorted by their
//! byte.

use std::collections::VecDeque;

const NONE: u32 = u32::MAX;

/// A map from byte strings (keys) to numbers. For a given text it finds all keys that are prefixes of the
/// text.
#[derive(Debug, Clone, Default)]
pub(super) struct Trie {
    /// The index of the first child of each trie node; one more entry ends the last list of children.
    children: Vec<u32>,
    /// The byte on the edge that leads to each trie node.
    bytes: Vec<u8>,
    /// The value of each trie node, or `NONE` if no key ends there.
    values: Vec<u32>,
}

impl Trie {
    /// Creates a trie from keys and their values. If a key occurs twice, the first one counts; empty keys are
    /// ignored.
    pub(super) fn new(mut keys: Vec<(&[u8], u32)>) -> Self {
        keys.retain(|(key, _)| !key.is_empty());
        // The sort is stable, so the first of equal keys stays the first.
        keys.sort_by_key(|&(key, _)| key);
        keys.dedup_by_key(|&mut (key, _)| key);
        let mut trie = Trie { children: Vec::new(), bytes: vec![0], values: vec![NONE] };
        // Nodes get their numbers in the order of this queue, so the children of a node have consecutive
        // numbers.
        let mut queue = VecDeque::from([(0, keys.len(), 0)]);
        while let Some((mut first, last, depth)) = queue.pop_front() {
            let node = trie.children.len();
            trie.children.push(trie.bytes.len() as u32);
            if first < last && keys[first].0.len() == depth {
                trie.values[node] = keys[first].1;
                first += 1;
            }
            while first < last {
                let byte = keys[first].0[depth];
                let end = first + keys[first..last].partition_point(|(key, _)| key[depth] == byte);
                trie.bytes.push(byte);
                trie.values.push(NONE);
                queue.push_back((first, end, depth + 1));
                first = end;
            }
        }
        trie.children.push(trie.bytes.len() as u32);
        trie
    }

    #[inline]
    fn child(&self, node: usize, byte: u8) -> Option<usize> {
        let first = *self.children.get(node)? as usize;
        let last = *self.children.get(node + 1)? as usize;
        let bytes = self.bytes.get(first..last)?;
        // For a few children, a linear search is faster than a binary one.
        let index = if bytes.len() <= 8 {
            bytes.iter().position(|&other| other == byte)?
        } else {
            bytes.binary_search(&byte).ok()?
        };
        Some(first + index)
    }

    /// Calls `found` with the length and the value of every key at the start of `text`; shorter keys come
    /// first.
    #[inline]
    pub(super) fn prefixes(&self, text: &[u8], mut found: impl FnMut(usize, u32)) {
        let mut node = 0;
        for (index, &byte) in text.iter().enumerate() {
            match self.child(node, byte) {
                Some(child) => node = child,
                None => return,
            }
            if self.values[node] != NONE {
                found(index + 1, self.values[node]);
            }
        }
    }

    pub(super) fn longest(&self, text: &[u8]) -> Option<usize> {
        let mut longest = None;
        self.prefixes(text, |len, _| longest = Some(len));
        longest
    }

    pub(super) fn get(&self, key: &[u8]) -> Option<u32> {
        let node = key.iter().try_fold(0, |node, &byte| self.child(node, byte))?;
        self.values.get(node).copied().filter(|&value| value != NONE)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.len() <= 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_and_nothing_else() {
        let trie = Trie::new(vec![(b"ab", 2), (b"a", 1), (b"abcd", 3), (b"b", 4), (b"", 5), (b"a", 9)]);
        let mut found = Vec::new();
        trie.prefixes(b"abcde", |len, value| found.push((len, value)));
        assert_eq!(found, [(1, 1), (2, 2), (4, 3)]);
        assert_eq!((trie.get(b"abc"), trie.get(b"b"), trie.get(b"")), (None, Some(4), None));
        assert_eq!(trie.longest(b"abx"), Some(2));
        assert!(Trie::new(Vec::new()).is_empty() && Trie::new(Vec::new()).get(b"a").is_none());
    }
}

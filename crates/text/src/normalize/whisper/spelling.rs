//! Word lists that map British to American spellings, with additions from the Open ASR leaderboard of speech
//! recognizers.

use crate::whitespace;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

pub(super) type Words<V> = HashMap<&'static str, V, BuildHasherDefault<Fnv>>;

/// The hash function FNV-1a, which is fast for short words. It does not resist chosen keys; the tables that
/// use it have fixed keys.
#[derive(Default)]
pub(super) struct Fnv(u64);

impl Hasher for Fnv {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            // The prime of FNV-1a for 64 bits.
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        // The map takes its index from the low bits, which the high bits are mixed into.
        self.0 ^ (self.0 >> 29)
    }
}

pub(super) static WHISPER: LazyLock<Words<&str>> =
    LazyLock::new(|| pairs(include_str!("spelling.txt")).collect());

/// The spelling changes of the Open ASR leaderboard, as a map from a word to its replacement. They are a
/// modified copy of Whisper's list, with proper names. A replacement is never replaced again.
pub(super) static OPEN_ASR: LazyLock<Words<&str>> = LazyLock::new(|| {
    let mut words = WHISPER.clone();
    for (word, other) in pairs(include_str!("open_asr.txt")) {
        // A hyphen marks a spelling of Whisper that the leaderboard lacks.
        if other == "-" {
            words.remove(word);
        } else {
            words.insert(word, other);
        }
    }
    words
});

pub(super) fn pairs(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '))
}

/// Replaces each word of `text` that is a key of `words` by its other spelling, and separates all words by
/// one space.
pub(super) fn respell(words: &Words<&str>, text: &str, out: &mut String) {
    for (index, word) in whitespace::split(text).enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.push_str(words.get(word).copied().unwrap_or(word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_whole() {
        assert_eq!(WHISPER.len(), 1738);
        assert_eq!(OPEN_ASR.len(), 1895);
        assert_eq!(WHISPER.get("colour"), Some(&"color"));
        assert_eq!(
            (WHISPER.get("ok"), OPEN_ASR.get("ok"), OPEN_ASR.get("stephen")),
            (None, Some(&"okay"), Some(&"steven"))
        );
    }
}

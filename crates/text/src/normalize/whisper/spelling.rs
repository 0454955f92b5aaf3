//! American spellings of British words, and further spellings of the Open ASR leaderboard.

use crate::whitespace;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

pub(super) type Words<V> = HashMap<&'static str, V, BuildHasherDefault<Fnv>>;

/// The hash function FNV-1a: fast for short words. The keys are a fixed list, so nobody can choose colliding
/// keys.
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

/// The spellings of the Open ASR leaderboard: Whisper's spellings, with changes, and names. No spelling is
/// itself a key for another.
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

/// Writes the words of a text in their other spelling, separated by one space.
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

//! Normalization of lines by the rules of a SentencePiece model: a table of replacements, and the treatment
//! of spaces.
//!
//! The table is a double array over bytes, in units of 32 bits. Its values are offsets into a text of
//! replacements, which end in NUL. The longest key that matches is replaced.

use super::trie::Trie;

/// The visible symbol (lower one eighth block) that SentencePiece writes in place of a space.
const SPACE_SYMBOL: &str = "\u{2581}";

/// The normalization rules of a SentencePiece model.
#[derive(Debug, Clone)]
pub(super) struct SpmNormalizer {
    /// The texts that are replaced, as a double array (a compact trie).
    units: Vec<u32>,
    /// The replacement texts, each followed by NUL.
    replacements: String,
    /// `true` if a space is added to the line: before it, or after it if `space_as_suffix` is `true`.
    pub(super) add_space: bool,
    pub(super) remove_extra_spaces: bool,
    pub(super) escape_spaces: bool,
    pub(super) space_as_suffix: bool,
}

impl Default for SpmNormalizer {
    fn default() -> Self {
        SpmNormalizer {
            units: Vec::new(),
            replacements: String::new(),
            add_space: true,
            remove_extra_spaces: true,
            escape_spaces: true,
            space_as_suffix: false,
        }
    }
}

impl SpmNormalizer {
    /// Reads the table of character replacements from `charsmap`, the bytes stored in a model file. The bytes
    /// are the length of a double array (a compact trie), the double array, and the replacement texts.
    pub(super) fn set_charsmap(&mut self, charsmap: &[u8]) -> Result<(), String> {
        let damaged = || "its table of normalization is damaged".to_owned();
        if charsmap.is_empty() {
            return Ok(());
        }
        let (len, rest) = charsmap.split_first_chunk::<4>().ok_or_else(damaged)?;
        let (units, replacements) =
            rest.split_at_checked(u32::from_le_bytes(*len) as usize).ok_or_else(damaged)?;
        let unit = |bytes: &[u8]| bytes.try_into().map(u32::from_le_bytes).unwrap_or_default();
        self.units = units.chunks_exact(4).map(unit).collect();
        self.replacements = String::from_utf8(replacements.to_vec()).map_err(|_| damaged())?;
        Ok(())
    }

    /// Normalizes `line` and appends the result to `out`, which must be empty.
    pub(super) fn normalize(&self, line: &str, user_defined: &Trie, out: &mut String) {
        let mut rest = line;
        // A rule may replace other characters, such as a no-break space, by a space, so the test is on
        // replacements.
        if self.remove_extra_spaces {
            while let Some((" ", len)) = self.prefix(rest, user_defined) {
                rest = &rest[len..];
            }
        }
        if rest.is_empty() {
            return;
        }
        let space = if self.escape_spaces { SPACE_SYMBOL } else { " " };
        if self.add_space && !self.space_as_suffix {
            out.push_str(space);
        }
        let mut after_space = self.remove_extra_spaces;
        while let Some((replacement, len)) = self.prefix(rest, user_defined) {
            // After a space, further spaces are dropped, and so are replacements that consist of spaces only.
            let kept = if after_space { replacement.trim_start_matches(' ') } else { replacement };
            if !kept.is_empty() {
                push_escaped(kept, space, out);
                after_space = self.remove_extra_spaces && kept.ends_with(' ');
            }
            rest = &rest[len..];
        }
        while self.remove_extra_spaces && out.ends_with(space) {
            out.truncate(out.len() - space.len());
        }
        if self.add_space && self.space_as_suffix {
            out.push_str(space);
        }
    }

    /// Returns the normalized form of the start of `text`, and the length in bytes of the part that it
    /// replaces. Returns `None` for an empty text.
    fn prefix<'a>(&'a self, text: &'a str, user_defined: &Trie) -> Option<(&'a str, usize)> {
        let first = text.chars().next()?;
        // User-defined pieces are exempt from normalization and therefore tested first.
        if !user_defined.is_empty()
            && let Some(len) = user_defined.longest(text.as_bytes())
        {
            return Some((text.get(..len)?, len));
        }
        match self.longest_rule(text.as_bytes()) {
            // Rules replace whole characters. An entry that ends within a character is damaged and is
            // ignored.
            Some((len, at)) if text.is_char_boundary(len) => {
                let replacement = self.replacements.get(at..).unwrap_or_default();
                Some((replacement.split('\0').next().unwrap_or_default(), len))
            }
            _ => Some((&text[..first.len_utf8()], first.len_utf8())),
        }
    }

    /// Finds the longest prefix of `text` that has a replacement. Returns the length of the prefix in bytes,
    /// and the offset of its replacement.
    fn longest_rule(&self, text: &[u8]) -> Option<(usize, usize)> {
        let mut longest = None;
        let mut node = offset(*self.units.first()?);
        for (index, &byte) in text.iter().enumerate() {
            // Each unit has an offset by which the next byte is xored; the low 8 bits repeat the byte as a
            // check. Bit 31 marks a value, and bit 8 that the node has one (the format of the library
            // darts-clone).
            node ^= usize::from(byte);
            let unit = *self.units.get(node)?;
            if unit & (1 << 31 | 0xFF) != u32::from(byte) {
                break;
            }
            node ^= offset(unit);
            if unit >> 8 & 1 == 1 {
                let value = self.units.get(node)? & !(1 << 31);
                longest = Some((index + 1, value as usize));
            }
        }
        longest
    }
}

fn offset(unit: u32) -> usize {
    // Bit 9 tells that the offset is in units of 256, as darts-clone stores large offsets.
    ((unit >> 10) << ((unit & 1 << 9) >> 6)) as usize
}

fn push_escaped(text: &str, space: &str, out: &mut String) {
    for (index, part) in text.split(' ').enumerate() {
        if index > 0 {
            out.push_str(space);
        }
        out.push_str(part);
    }
}

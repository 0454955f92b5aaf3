//! Normalization by the rules in a model: a table of replacements, and the treatment of spaces.
//!
//! The table is a double array over bytes, in units of 32 bits, whose values are offsets into a text of NUL-terminated
//! replacements. The longest key that matches is replaced.

use super::trie::Trie;

/// The replacement of a space.
const SPACE_SYMBOL: &str = "\u{2581}";

#[derive(Debug, Clone)]
pub(super) struct Normalizer {
    units: Vec<u32>,
    replacements: String,
    /// A space is put before the line, or after it.
    pub(super) add_space: bool,
    pub(super) remove_extra_spaces: bool,
    pub(super) escape_spaces: bool,
    pub(super) space_as_suffix: bool,
}

impl Default for Normalizer {
    fn default() -> Self {
        Normalizer {
            units: Vec::new(),
            replacements: String::new(),
            add_space: true,
            remove_extra_spaces: true,
            escape_spaces: true,
            space_as_suffix: false,
        }
    }
}

impl Normalizer {
    /// Takes the table of a model: the length of the double array, the double array, the replacements.
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

    /// Appends the normalized form of `line` to `out`, which is empty.
    pub(super) fn normalize(&self, line: &str, user_defined: &Trie, out: &mut String) {
        let mut rest = line;
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

    /// The replacement of the beginning of `text`, and the length of that beginning.
    fn prefix<'a>(&'a self, text: &'a str, user_defined: &Trie) -> Option<(&'a str, usize)> {
        let first = text.chars().next()?;
        if !user_defined.is_empty()
            && let Some(len) = user_defined.longest(text.as_bytes())
        {
            return Some((text.get(..len)?, len));
        }
        match self.longest_rule(text.as_bytes()) {
            // Rules replace whole characters; other entries are damage and are ignored.
            Some((len, at)) if text.is_char_boundary(len) => {
                let replacement = self.replacements.get(at..).unwrap_or_default();
                Some((replacement.split('\0').next().unwrap_or_default(), len))
            }
            _ => Some((&text[..first.len_utf8()], first.len_utf8())),
        }
    }

    /// The longest key at the start of `text`: its length and the offset of its replacement.
    fn longest_rule(&self, text: &[u8]) -> Option<(usize, usize)> {
        let mut longest = None;
        let mut node = offset(*self.units.first()?);
        for (index, &byte) in text.iter().enumerate() {
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

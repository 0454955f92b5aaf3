//! A parser for compiled dictionaries of the morphological analyzer MeCab: words, unknown words, connection
//! costs and character categories.
//!
//! All numbers are little-endian. Features (readings and parts of speech as text) are not read: tokenization
//! needs only the connection ids, the costs and the numbers of the parts of speech.
//!
//! * `sys.dic`, `unk.dic`: ten `u32`, 32 bytes with the name of the character set, then index and words.
//!   The first seven numbers are the size of the file xor a constant, the version, the kind, the number of
//!   entries, the number of left ids, the number of right ids, and the bytes of the index. Then follow the bytes
//!   of the words, the bytes of the features, and zero. The index is a double array over bytes; its values are
//!   the number of the first word times 256 plus the number of words.
//! * `matrix.bin`: the two `u16` dimensions, then an `i16` for every pair of ids.
//! * `char.bin`: the number of categories, their names of 32 bytes each, then 32 bits for each of 65535 code
//!   points.

use super::lattice::MAX_COST;
use std::fs;
use std::path::Path;

/// MeCab's constant that is xored with the file size and stored in the header of a dictionary file.
const MAGIC: u32 = 0xEF71_8F77;
const VERSION: u32 = 102;
/// Size in bytes of the header of a dictionary file: ten numbers of four bytes, and 32 bytes for the name of
/// the character set.
const HEADER: usize = 72;
/// Size in bytes of a category name in the dictionary file `char.bin`.
const NAME: usize = 32;
/// Number of code points that the dictionary file `char.bin` describes.
const CHARS: usize = 0xFFFF;

/// A dictionary word: its connection ids to the left and right, the number of its part of speech, and its
/// cost.
#[derive(Clone, Copy, Default)]
pub(super) struct DictionaryWord {
    pub(super) left: u16,
    pub(super) right: u16,
    pub(super) pos: u16,
    pub(super) cost: i16,
}

/// The properties of a character that decide how it forms words that are not in the dictionary.
#[derive(Clone, Copy, Default)]
pub(super) struct CharInfo {
    categories: u32,
    pub(super) category: u8,
    pub(super) length: u8,
    /// `true` if a run of characters of one category, such as digits, forms one unknown word as a whole.
    pub(super) group: bool,
    /// `true` if unknown words may start at this character even if dictionary words start there.
    pub(super) invoke: bool,
}

impl CharInfo {
    // The bit fields of MeCab's `CharInfo`: 18 bits of categories, 8 of the default category, 4 of the
    // length, and two flags.
    fn from_bits(bits: u32) -> Self {
        CharInfo {
            categories: bits & 0x3_FFFF,
            category: (bits >> 18) as u8,
            length: (bits >> 26 & 0xF) as u8,
            group: bits >> 30 & 1 == 1,
            invoke: bits >> 31 == 1,
        }
    }

    pub(super) fn shares_category(self, other: CharInfo) -> bool {
        self.categories & other.categories != 0
    }
}

pub(super) struct Dictionary {
    words: DictionaryWords,
    /// For each character category, the word entries (connection ids and cost) of unknown words that start
    /// with such a character.
    unknown: Vec<Vec<DictionaryWord>>,
    chars: Vec<CharInfo>,
    costs: Vec<i16>,
    width: usize,
    /// Extra costs of words that follow a space, as pairs of a part of speech and a cost. Only Korean
    /// dictionaries have them.
    space_penalties: Vec<(u16, i32)>,
}

impl Dictionary {
    /// Reads the four files of a MeCab dictionary folder, and `dicrc` if present. The error names the file
    /// and the fault.
    pub(super) fn open(folder: &Path) -> Result<Self, String> {
        let read = |name: &str| fs::read(folder.join(name)).map_err(|error| format!("`{name}`: {error}"));
        let named = |name: &'static str| move |reason: String| format!("`{name}`: {reason}");
        let words = DictionaryWords::parse(&read("sys.dic")?).map_err(named("sys.dic"))?;
        let unknown_words = DictionaryWords::parse(&read("unk.dic")?).map_err(named("unk.dic"))?;
        let (width, costs) = parse_matrix(&read("matrix.bin")?).map_err(named("matrix.bin"))?;
        let (names, chars) = parse_chars(&read("char.bin")?).map_err(named("char.bin"))?;
        let unknown: Vec<Vec<DictionaryWord>> = names.iter().map(|name| unknown_words.exact(name)).collect();
        if unknown.iter().any(Vec::is_empty) {
            return Err("`unk.dic`: a category of `char.bin` is missing".into());
        }
        if chars.iter().any(|info| usize::from(info.category) >= unknown.len()) {
            return Err("`char.bin`: a character of an undefined category".into());
        }
        let space_penalties =
            // Japanese dictionaries have a `dicrc` without the setting, or none, so a missing file is no
            // error.
            parse_space_penalties(&fs::read_to_string(folder.join("dicrc")).unwrap_or_default());
        let dictionary = Dictionary { words, unknown, chars, costs, width, space_penalties };
        dictionary.check_ids()?;
        Ok(dictionary)
    }

    /// Returns an error if the connection id of a dictionary word is outside the matrix of connection costs.
    fn check_ids(&self) -> Result<(), String> {
        let height = self.costs.len() / self.width.max(1);
        let mut words = self.words.words.iter().chain(self.unknown.iter().flatten());
        if words.all(|word| usize::from(word.right) < self.width && usize::from(word.left) < height) {
            return Ok(());
        }
        Err("`matrix.bin`: it does not belong to `sys.dic` and `unk.dic`".into())
    }

    pub(super) fn entries(&self) -> u32 {
        self.words.entries
    }

    /// Calls `found` with every dictionary word that starts at the start of `text`, and with its length in
    /// bytes; shorter words come first.
    #[inline]
    pub(super) fn prefixes(&self, text: &[u8], found: impl FnMut(&DictionaryWord, usize)) {
        self.words.prefixes(text, found);
    }

    pub(super) fn unknown(&self, category: u8) -> &[DictionaryWord] {
        self.unknown.get(usize::from(category)).map_or(&[], Vec::as_slice)
    }

    /// Returns the properties, from the dictionary, of the first character of `text`, and its length in
    /// bytes. Characters above U+FFFE have the properties of NUL.
    #[inline]
    pub(super) fn char_info(&self, text: &[u8]) -> (CharInfo, usize) {
        let (code, len) = match *text {
            [a, ..] if a < 0x80 => (usize::from(a), 1),
            [a, b, ..] if a & 0xE0 == 0xC0 => (usize::from(a & 0x1F) << 6 | usize::from(b & 0x3F), 2),
            [a, b, c, ..] if a & 0xF0 == 0xE0 => {
                (usize::from(a & 0x0F) << 12 | usize::from(b & 0x3F) << 6 | usize::from(c & 0x3F), 3)
            }
            // MeCab's table ends at U+FFFE, so it treats every longer character as code point 0.
            [a, _, _, _, ..] if a & 0xF8 == 0xF0 => (0, 4),
            _ => (0, 1),
        };
        (self.chars.get(code).copied().unwrap_or_default(), len)
    }

    #[inline]
    pub(super) fn connection(&self, left_id: u16, right: &DictionaryWord) -> i64 {
        let at = usize::from(left_id) + self.width * usize::from(right.left);
        // The ids were checked at the start; the fallback keeps a wrong one from causing a panic.
        self.costs.get(at).map_or(MAX_COST, |&cost| i64::from(cost))
    }

    #[inline]
    pub(super) fn space_penalty(&self, word: &DictionaryWord) -> i64 {
        let penalty = self.space_penalties.iter().find(|(pos, _)| *pos == word.pos);
        penalty.map_or(0, |&(_, cost)| i64::from(cost))
    }
}

/// The words of a dictionary file, and its index: a double array (a compact trie) that finds them.
struct DictionaryWords {
    entries: u32,
    index: Vec<(i32, u32)>,
    words: Vec<DictionaryWord>,
}

impl DictionaryWords {
    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let header: Vec<u32> =
            (0..10).map(|field| u32_at(bytes, 4 * field)).collect::<Option<_>>().ok_or("too short")?;
        // The size in the header detects files that were cut off.
        if header[0] ^ MAGIC != bytes.len() as u32 {
            return Err("not a compiled dictionary, or not all of one".into());
        }
        if header[1] != VERSION {
            return Err(format!("version {}, but only {VERSION} is known", header[1]));
        }
        let charset = bytes.get(40..HEADER).ok_or("too short")?;
        let charset = charset.split(|&byte| byte == 0).next().unwrap_or_default().to_ascii_lowercase();
        if !matches!(&charset[..], b"utf8" | b"utf-8" | b"utf_8") {
            return Err(format!(
                "its character set is {}, but must be UTF-8",
                String::from_utf8_lossy(&charset)
            ));
        }
        let index_end = HEADER.saturating_add(header[6] as usize);
        let words_end = index_end.saturating_add(header[7] as usize);
        let index = bytes.get(HEADER..index_end).ok_or("its index is cut off")?;
        let words = bytes.get(index_end..words_end).ok_or("its words are cut off")?;
        Ok(DictionaryWords {
            entries: header[3],
            index: index.chunks_exact(8).map(unit).collect(),
            words: words.chunks_exact(16).map(word).collect(),
        })
    }

    fn prefixes(&self, text: &[u8], mut found: impl FnMut(&DictionaryWord, usize)) {
        let Some(&(mut base, _)) = self.index.first() else { return };
        // Each node is tested for a value before the next byte is followed, so shorter words are reported
        // first.
        for len in 0..=text.len() {
            let Some(&(value, check)) = self.index.get(base as u32 as usize) else { return };
            if check == base as u32 && value < 0 {
                // A negative value is the bitwise complement of 256 times the number of the first word plus
                // the number of words.
                let value = !value as usize;
                let words = self.words.get(value >> 8..(value >> 8) + (value & 0xFF));
                words.unwrap_or_default().iter().for_each(|word| found(word, len));
            }
            let Some(&byte) = text.get(len) else { return };
            // Byte values are shifted by one in the double array: zero leads to the value of a node.
            let next = (base as u32).wrapping_add(u32::from(byte) + 1);
            match self.index.get(next as usize) {
                Some(&(next_base, check)) if check == base as u32 => base = next_base,
                _ => return,
            }
        }
    }

    fn exact(&self, key: &[u8]) -> Vec<DictionaryWord> {
        let mut words = Vec::new();
        self.prefixes(key, |word, len| {
            if len == key.len() {
                words.push(*word);
            }
        });
        words
    }
}

fn unit(bytes: &[u8]) -> (i32, u32) {
    (u32_at(bytes, 0).unwrap_or_default() as i32, u32_at(bytes, 4).unwrap_or_default())
}

fn word(bytes: &[u8]) -> DictionaryWord {
    // The last 8 of the 16 bytes of a word locate its features, which are not needed.
    let half = |at| u16_at(bytes, at).unwrap_or_default();
    DictionaryWord { left: half(0), right: half(2), pos: half(4), cost: half(6) as i16 }
}

fn parse_matrix(bytes: &[u8]) -> Result<(usize, Vec<i16>), String> {
    let (Some(width), Some(height)) = (u16_at(bytes, 0), u16_at(bytes, 2)) else {
        return Err("too short".into());
    };
    let costs: Vec<i16> =
        bytes[4..].chunks_exact(2).filter_map(|pair| u16_at(pair, 0)).map(|cost| cost as i16).collect();
    if costs.len() != usize::from(width) * usize::from(height) {
        return Err(format!("{} costs, but {width} by {height} ids", costs.len()));
    }
    Ok((usize::from(width), costs))
}

/// Parses `char.bin`. Returns the names of the character categories, and the properties of every code point
/// below U+FFFF.
fn parse_chars(bytes: &[u8]) -> Result<(Vec<Vec<u8>>, Vec<CharInfo>), String> {
    let categories = u32_at(bytes, 0).ok_or("too short")? as usize;
    let names_end = categories.saturating_mul(NAME).saturating_add(4);
    let names = bytes.get(4..names_end).ok_or("its categories are cut off")?;
    let chars = &bytes[names_end..];
    if chars.len() != 4 * CHARS {
        return Err(format!("{} bytes of characters, but {} are expected", chars.len(), 4 * CHARS));
    }
    let name = |name: &[u8]| name.split(|&byte| byte == 0).next().unwrap_or_default().to_vec();
    let infos = chars.chunks_exact(4).map(|bits| CharInfo::from_bits(u32_at(bits, 0).unwrap_or_default()));
    Ok((names.chunks_exact(NAME).map(name).collect(), infos.collect()))
}

/// Parses the setting `left-space-penalty-factor = pos,cost,pos,cost,..` of the file `dicrc`. It gives extra
/// costs for words that follow a space, by part of speech. Only Korean dictionaries have this setting.
fn parse_space_penalties(dicrc: &str) -> Vec<(u16, i32)> {
    let setting = dicrc.lines().find_map(|line| line.trim_start().strip_prefix("left-space-penalty-factor"));
    let Some((_, list)) = setting.and_then(|rest| rest.split_once('=')) else { return Vec::new() };
    let numbers: Vec<i32> = list.split(',').map_while(|number| number.trim().parse().ok()).collect();
    let pairs = numbers.chunks_exact(2).filter_map(|pair| Some((u16::try_from(pair[0]).ok()?, pair[1])));
    pairs.collect()
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

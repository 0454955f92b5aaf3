//! A SentencePiece model, read from its file.
//!
//! The file is a protocol buffer. The relevant fields are `pieces` (1: piece, score, type), `trainer_spec` (2:
//! model_type 3, treat_whitespace_as_suffix 24, byte_fallback 35) and `normalizer_spec` (3: precompiled_charsmap 2,
//! add_dummy_prefix 3, remove_extra_whitespaces 4, escape_whitespaces 5).

use super::normalize::Normalizer;
use super::trie::Trie;

/// The type of a piece; the numbers are those of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte,
}

/// A vocabulary entry without its text, which is in the trie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) score: f32,
    pub(super) kind: Kind,
}

/// A piece of a normalized line: its place and its id.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) id: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    Unigram,
    Bpe,
}

pub(super) struct Model {
    pub(super) algorithm: Algorithm,
    pub(super) entries: Vec<Entry>,
    /// The pieces of text: all but control symbols, bytes and the unknown piece.
    pub(super) trie: Trie,
    pub(super) user_defined: Trie,
    /// The ids of `<0x00>`.. if unknown characters are cut into bytes.
    pub(super) bytes: Option<Vec<u32>>,
    pub(super) unknown: u32,
    pub(super) min_score: f32,
    pub(super) normalizer: Normalizer,
}

impl Model {
    /// Reads the file of a model; the error describes the fault.
    pub(super) fn parse(file: &[u8]) -> Result<Self, String> {
        let mut pieces: Vec<(&[u8], Entry)> = Vec::new();
        let (mut algorithm, mut byte_fallback, mut suffix) = (1, false, false);
        let mut normalizer = Normalizer::default();
        for field in Fields(file) {
            match field? {
                (1, Value::Bytes(message)) => pieces.push(parse_piece(message)?),
                (2, Value::Bytes(message)) => {
                    for field in Fields(message) {
                        match field? {
                            (3, Value::Number(value)) => algorithm = value,
                            (24, Value::Number(value)) => suffix = value != 0,
                            (35, Value::Number(value)) => byte_fallback = value != 0,
                            _ => {}
                        }
                    }
                }
                (3, Value::Bytes(message)) => normalizer = parse_normalizer(message)?,
                _ => {}
            }
        }
        normalizer.space_as_suffix = suffix;
        let algorithm = match algorithm {
            1 => Algorithm::Unigram,
            2 => Algorithm::Bpe,
            _ => {
                return Err(
                    "a model of words or characters; only unigram and BPE models are supported".into()
                );
            }
        };
        let unknown = pieces.iter().position(|(_, entry)| entry.kind == Kind::Unknown);
        let unknown = unknown.ok_or("not a SentencePiece model: it has no unknown piece")? as u32;
        Ok(Self::assemble(algorithm, &pieces, unknown, byte_fallback, normalizer))
    }

    fn assemble(
        algorithm: Algorithm,
        pieces: &[(&[u8], Entry)],
        unknown: u32,
        byte_fallback: bool,
        normalizer: Normalizer,
    ) -> Self {
        let of_kind = |wanted: &[Kind]| -> Vec<(&[u8], u32)> {
            let numbered = pieces.iter().enumerate();
            let of_kind = numbered.filter(|(_, (_, entry))| wanted.contains(&entry.kind));
            of_kind.map(|(id, (text, _))| (*text, id as u32)).collect()
        };
        let named_bytes = of_kind(&[Kind::Byte]);
        let byte_id = |byte: u8| {
            let name = format!("<0x{byte:02X}>");
            named_bytes.iter().find(|(text, _)| *text == name.as_bytes()).map_or(unknown, |&(_, id)| id)
        };
        let normal = pieces.iter().filter(|(_, entry)| entry.kind == Kind::Normal);
        let min_score = normal.map(|(_, entry)| entry.score).fold(f32::MAX, f32::min);
        Model {
            algorithm,
            entries: pieces.iter().map(|(_, entry)| *entry).collect(),
            trie: Trie::new(of_kind(&[Kind::Normal, Kind::UserDefined, Kind::Unused])),
            user_defined: Trie::new(of_kind(&[Kind::UserDefined])),
            bytes: byte_fallback.then(|| (0..=255).map(byte_id).collect()),
            unknown,
            min_score,
            normalizer,
        }
    }
}

fn parse_piece(message: &[u8]) -> Result<(&[u8], Entry), String> {
    let (mut text, mut score, mut kind) = (&message[..0], 0.0, Kind::Normal);
    for field in Fields(message) {
        match field? {
            (1, Value::Bytes(bytes)) => text = bytes,
            (2, Value::Float(value)) => score = value,
            (3, Value::Number(value)) => {
                kind = match value {
                    2 => Kind::Unknown,
                    3 => Kind::Control,
                    4 => Kind::UserDefined,
                    5 => Kind::Unused,
                    6 => Kind::Byte,
                    _ => Kind::Normal,
                }
            }
            _ => {}
        }
    }
    Ok((text, Entry { score, kind }))
}

fn parse_normalizer(message: &[u8]) -> Result<Normalizer, String> {
    let mut normalizer = Normalizer::default();
    for field in Fields(message) {
        match field? {
            (2, Value::Bytes(charsmap)) => normalizer.set_charsmap(charsmap)?,
            (3, Value::Number(value)) => normalizer.add_space = value != 0,
            (4, Value::Number(value)) => normalizer.remove_extra_spaces = value != 0,
            (5, Value::Number(value)) => normalizer.escape_spaces = value != 0,
            _ => {}
        }
    }
    Ok(normalizer)
}

/// A value of a protocol buffer, by its wire type.
enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Float(f32),
    Other,
}

struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.take(1)?.first()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn field(&mut self) -> Option<(u64, Value<'a>)> {
        let tag = self.number()?;
        let value = match tag & 7 {
            0 => Value::Number(self.number()?),
            1 => self.take(8).map(|_| Value::Other)?,
            2 => {
                let len = usize::try_from(self.number()?).ok()?;
                Value::Bytes(self.take(len)?)
            }
            5 => Value::Float(f32::from_le_bytes(self.take(4)?.try_into().ok()?)),
            _ => return None,
        };
        Some((tag >> 3, value))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Value<'a>), String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field().ok_or_else(|| "not a SentencePiece model, or not all of one".to_owned());
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

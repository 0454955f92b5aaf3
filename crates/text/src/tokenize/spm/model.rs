//! A parser of SentencePiece model files.
//!
//! The file is a protocol buffer. These fields are read:
//!
//! - `pieces` (1): piece, score, type;
//! - `trainer_spec` (2): `model_type` 3, `treat_whitespace_as_suffix` 24, `byte_fallback` 35;
//! - `normalizer_spec` (3): `precompiled_charsmap` 2, `add_dummy_prefix` 3, `remove_extra_whitespaces` 4,
//!   `escape_whitespaces` 5.

use super::normalize::SpmNormalizer;
use super::trie::Trie;

/// The type of a vocabulary piece in a SentencePiece model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceKind {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte,
}

/// The score and type of a vocabulary piece. Its text is stored separately, in `Model::trie`.
#[derive(Debug, Clone, Copy)]
pub(super) struct VocabularyEntry {
    pub(super) score: f32,
    pub(super) kind: PieceKind,
}

/// A piece of a normalized line: its start and end in bytes, and its vocabulary id.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinePiece {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) id: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    Unigram,
    Bpe,
}

/// A SentencePiece model, which splits text into pieces of its vocabulary.
pub(super) struct Model {
    /// The algorithm that splits a line into pieces.
    pub(super) algorithm: Algorithm,
    /// The score and type of every vocabulary piece, indexed by id.
    pub(super) entries: Vec<VocabularyEntry>,
    /// The vocabulary: the id of each piece, found by the text of the piece. Control symbols, byte pieces and
    /// the unknown piece are not in it.
    pub(super) trie: Trie,
    /// The texts of vocabulary pieces that the creator of the SentencePiece model defined, which are never
    /// split.
    pub(super) user_defined: Trie,
    /// The ids of the byte pieces `<0x00>` to `<0xFF>`, if the model replaces unknown characters by bytes.
    pub(super) bytes: Option<Vec<u32>>,
    /// The id of the vocabulary piece that replaces text outside the vocabulary, usually `<unk>`.
    pub(super) unknown: u32,
    /// The smallest score among the normal pieces of the vocabulary.
    pub(super) min_score: f32,
    pub(super) normalizer: SpmNormalizer,
}

impl Model {
    /// Parses a SentencePiece model file. The error describes the fault.
    pub(super) fn parse(file: &[u8]) -> Result<Self, String> {
        let mut pieces: Vec<(&[u8], VocabularyEntry)> = Vec::new();
        // The defaults of the file format: a unigram model.
        let mut algorithm = 1;
        let mut byte_fallback = false;
        let mut suffix = false;
        let mut normalizer = SpmNormalizer::default();
        for field in ModelFields(file) {
            match field? {
                (1, WireValue::Bytes(message)) => pieces.push(parse_piece(message)?),
                (2, WireValue::Bytes(message)) => {
                    for field in ModelFields(message) {
                        match field? {
                            (3, WireValue::Number(value)) => algorithm = value,
                            (24, WireValue::Number(value)) => suffix = value != 0,
                            (35, WireValue::Number(value)) => byte_fallback = value != 0,
                            _ => {}
                        }
                    }
                }
                (3, WireValue::Bytes(message)) => normalizer = parse_normalizer(message)?,
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
        let unknown = pieces.iter().position(|(_, entry)| entry.kind == PieceKind::Unknown);
        let unknown = unknown.ok_or("not a SentencePiece model: it has no unknown piece")? as u32;
        Ok(Self::assemble(algorithm, &pieces, unknown, byte_fallback, normalizer))
    }

    fn assemble(
        algorithm: Algorithm,
        pieces: &[(&[u8], VocabularyEntry)],
        unknown: u32,
        byte_fallback: bool,
        normalizer: SpmNormalizer,
    ) -> Self {
        let of_kind = |wanted: &[PieceKind]| -> Vec<(&[u8], u32)> {
            let numbered = pieces.iter().enumerate();
            let of_kind = numbered.filter(|(_, (_, entry))| wanted.contains(&entry.kind));
            of_kind.map(|(id, (text, _))| (*text, id as u32)).collect()
        };
        let named_bytes = of_kind(&[PieceKind::Byte]);
        // A missing byte piece is unknown, as in SentencePiece.
        let byte_id = |byte: u8| {
            let name = format!("<0x{byte:02X}>");
            named_bytes.iter().find(|(text, _)| *text == name.as_bytes()).map_or(unknown, |&(_, id)| id)
        };
        let normal = pieces.iter().filter(|(_, entry)| entry.kind == PieceKind::Normal);
        let min_score = normal.map(|(_, entry)| entry.score).fold(f32::MAX, f32::min);
        Model {
            algorithm,
            entries: pieces.iter().map(|(_, entry)| *entry).collect(),
            trie: Trie::new(of_kind(&[PieceKind::Normal, PieceKind::UserDefined, PieceKind::Unused])),
            user_defined: Trie::new(of_kind(&[PieceKind::UserDefined])),
            bytes: byte_fallback.then(|| (0..=255).map(byte_id).collect()),
            unknown,
            min_score,
            normalizer,
        }
    }
}

fn parse_piece(message: &[u8]) -> Result<(&[u8], VocabularyEntry), String> {
    let mut text = &message[..0];
    let mut score = 0.0;
    let mut kind = PieceKind::Normal;
    for field in ModelFields(message) {
        match field? {
            (1, WireValue::Bytes(bytes)) => text = bytes,
            (2, WireValue::Float(value)) => score = value,
            (3, WireValue::Number(value)) => {
                kind = match value {
                    2 => PieceKind::Unknown,
                    3 => PieceKind::Control,
                    4 => PieceKind::UserDefined,
                    5 => PieceKind::Unused,
                    6 => PieceKind::Byte,
                    // Type 1 is a normal piece, and so is a type of a later version of the format.
                    _ => PieceKind::Normal,
                }
            }
            _ => {}
        }
    }
    Ok((text, VocabularyEntry { score, kind }))
}

fn parse_normalizer(message: &[u8]) -> Result<SpmNormalizer, String> {
    let mut normalizer = SpmNormalizer::default();
    for field in ModelFields(message) {
        match field? {
            (2, WireValue::Bytes(charsmap)) => normalizer.set_charsmap(charsmap)?,
            (3, WireValue::Number(value)) => normalizer.add_space = value != 0,
            (4, WireValue::Number(value)) => normalizer.remove_extra_spaces = value != 0,
            (5, WireValue::Number(value)) => normalizer.escape_spaces = value != 0,
            _ => {}
        }
    }
    Ok(normalizer)
}

/// The value of a protocol buffer field. The variant depends on the wire type of the field.
enum WireValue<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Float(f32),
    Other,
}

/// An iterator over the fields of a protocol buffer message.
struct ModelFields<'a>(&'a [u8]);

impl<'a> ModelFields<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        // A number has at most ten bytes of seven bits each; a longer one is damaged.
        for shift in (0..64).step_by(7) {
            let byte = *self.take(1)?.first()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn field(&mut self) -> Option<(u64, WireValue<'a>)> {
        let tag = self.number()?;
        let value = match tag & 7 {
            0 => WireValue::Number(self.number()?),
            1 => self.take(8).map(|_| WireValue::Other)?,
            2 => {
                let len = usize::try_from(self.number()?).ok()?;
                WireValue::Bytes(self.take(len)?)
            }
            5 => WireValue::Float(f32::from_le_bytes(self.take(4)?.try_into().ok()?)),
            _ => return None,
        };
        Some((tag >> 3, value))
    }
}

impl<'a> Iterator for ModelFields<'a> {
    type Item = Result<(u64, WireValue<'a>), String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field().ok_or_else(|| "not a SentencePiece model, or not all of one".to_owned());
        // After a damaged field nothing can be read; the empty rest ends the iteration.
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

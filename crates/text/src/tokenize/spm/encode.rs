//! Encoding of a line by a SentencePiece model: normalization, segmentation into pieces, and unknown
//! characters.

use super::model::{Algorithm, LinePiece, Model};
use super::{bpe, unigram};

/// The pieces into which a model splits one line, with working memory that is reused.
#[derive(Debug, Clone, Default)]
pub(crate) struct EncodedPieces {
    found: Vec<LinePiece>,
    unigram: unigram::UnigramScratch,
    bpe: bpe::BpeScratch,
}

impl EncodedPieces {
    pub(super) fn iter(&self) -> impl Iterator<Item = &LinePiece> {
        self.found.iter()
    }
}

impl Model {
    /// Splits a line into vocabulary pieces of the SentencePiece model. Writes the normalized line to `text`
    /// and the pieces to `pieces`, replacing the content of both.
    pub(super) fn encode(&self, line: &str, text: &mut String, pieces: &mut EncodedPieces) {
        text.clear();
        pieces.found.clear();
        self.normalizer.normalize(line, &self.user_defined, text);
        match self.algorithm {
            Algorithm::Unigram => {
                unigram::encode(self, text.as_bytes(), &mut pieces.unigram, &mut pieces.found)
            }
            Algorithm::Bpe => bpe::encode(self, text.as_bytes(), &mut pieces.bpe, &mut pieces.found),
        }
        match &self.bytes {
            Some(bytes) => self.cut_unknown(bytes, text, pieces),
            None => self.join_unknown(pieces),
        }
    }

    /// Joins adjacent pieces that are unknown to the model into one piece.
    fn join_unknown(&self, pieces: &mut EncodedPieces) {
        pieces.found.dedup_by(|next, piece| {
            let join = next.id == self.unknown && piece.id == self.unknown;
            if join {
                piece.end = next.end;
            }
            join
        });
    }

    /// Replaces each piece that is unknown to the model by one piece for each of its bytes, such as `<0x0A>`.
    /// The texts of these pieces are appended to `text`.
    fn cut_unknown(&self, bytes: &[u32], text: &mut String, pieces: &mut EncodedPieces) {
        if pieces.found.iter().all(|piece| piece.id != self.unknown) {
            return;
        }
        let mut cut = Vec::with_capacity(pieces.found.len());
        for piece in pieces.found.drain(..) {
            if piece.id != self.unknown {
                cut.push(piece);
                continue;
            }
            for at in piece.start..piece.end {
                let Some(&byte) = text.as_bytes().get(at) else { continue };
                let start = text.len();
                text.push_str(&format!("<0x{byte:02X}>"));
                let id = bytes.get(usize::from(byte)).copied().unwrap_or(self.unknown);
                cut.push(LinePiece { start, end: text.len(), id });
            }
        }
        pieces.found = cut;
    }
}

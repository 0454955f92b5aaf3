//! [`WordMasks`]: the positions of each word in a reference, as bit masks, for TER's distance table.

use std::ops::Range;

/// Bit masks of the columns in which each word of a reference occurs. Bit `j` belongs to word `j - 1` of
/// the reference; bit 0 is never set.
///
/// A word whose bits are spread over many machine words has a dense row of them. Other words have a sorted
/// list of the machine words that are not zero.
#[derive(Debug, Clone, Default)]
pub(super) struct WordMasks {
    width: usize,
    places: Vec<MaskPlace>,
    dense: Vec<u64>,
    sparse: Vec<MaskPiece>,
    columns: Vec<(u32, u32)>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MaskPlace {
    start: u32,
    /// Number of machine words, not zero, in which the positions of a reference word are stored as bits. It
    /// is [`DENSE`] if all machine words of the row are stored, also those that are zero.
    pieces: u32,
}

const DENSE: u32 = u32::MAX;

/// Length of a reference, in machine words of 64 positions, up to which the positions of every token are
/// stored as a dense row of bits.
const ALL_DENSE: usize = 8;

#[derive(Debug, Clone, Copy)]
struct MaskPiece {
    word: u32,
    bits: u64,
}

impl WordMasks {
    pub(super) fn load(&mut self, reference: &[u32], distinct: usize) {
        // A window that starts in the last machine word also reads the next one, so each row has one word
        // more.
        self.width = reference.len() / 64 + 2;
        self.dense.clear();
        self.dense.resize(self.width, 0);
        self.places.clear();
        // Tokens that the reference lacks share the empty row at offset 0.
        self.places.resize(distinct, MaskPlace { start: 0, pieces: DENSE });
        self.sparse.clear();
        if self.width <= ALL_DENSE { self.load_rows(reference) } else { self.load_sorted(reference) }
    }

    fn load_rows(&mut self, reference: &[u32]) {
        for (token, column) in reference.iter().zip(1..) {
            let place = &mut self.places[*token as usize];
            // Offset 0 is the empty row, so it also marks tokens without a row.
            if place.start == 0 {
                place.start = self.dense.len() as u32;
                self.dense.resize(self.dense.len() + self.width, 0);
            }
            self.dense[place.start as usize + column / 64] |= 1 << (column % 64);
        }
    }

    /// Stores the positions of each token of a reference as bits in machine words of 64 positions. A token
    /// that occurs in at least a quarter of the machine words gets a dense row: all machine words. Other
    /// tokens get a sparse list of the machine words that are not zero.
    ///
    /// A reference of `w` machine words has at most `64 w` positions. A token with a dense row occurs in at
    /// least `w / 4` of them, so there are at most 256 dense rows.
    fn load_sorted(&mut self, reference: &[u32]) {
        let WordMasks { width, places, dense, sparse, columns } = self;
        columns.clear();
        columns.extend(reference.iter().copied().zip(1..));
        columns.sort_unstable();
        for token in columns.chunk_by(|a, b| a.0 == b.0) {
            let pieces = token.chunk_by(|a, b| a.1 / 64 == b.1 / 64);
            let bits =
                |piece: &[(u32, u32)]| piece.iter().fold(0, |bits, &(_, column)| bits | 1 << (column % 64));
            let pieces = pieces.map(|piece| MaskPiece { word: piece[0].1 / 64, bits: bits(piece) });
            let count = pieces.clone().count();
            let place = &mut places[token[0].0 as usize];
            if 4 * count >= *width {
                let row = dense.len();
                *place = MaskPlace { start: row as u32, pieces: DENSE };
                dense.resize(row + *width, 0);
                pieces.for_each(|piece| dense[row + piece.word as usize] = piece.bits);
            } else {
                *place = MaskPlace { start: sparse.len() as u32, pieces: count as u32 };
                sparse.extend(pieces);
            }
        }
    }

    pub(super) fn place(&self, token: u32) -> MaskPlace {
        self.places[token as usize]
    }

    #[inline]
    pub(super) fn window(&self, place: MaskPlace, column: u32) -> u64 {
        let word = column / 64;
        let bit = column % 64;
        let (low, high) = if place.pieces == DENSE {
            let at = place.start as usize + word as usize;
            (self.dense[at], self.dense[at + 1])
        } else {
            let start = place.start as usize;
            let pieces = &self.sparse[start..start + place.pieces as usize];
            let at = pieces.partition_point(|piece| piece.word < word);
            let bits =
                |at: usize, word| pieces.get(at).filter(|piece| piece.word == word).map_or(0, |p| p.bits);
            let low = bits(at, word);
            (low, bits(at + usize::from(low != 0), word + 1))
        };
        // Two shifts, because a shift by 64 overflows if `bit` is 0.
        low >> bit | high << 1 << (63 - bit)
    }

    #[inline]
    pub(super) fn columns(&self, place: MaskPlace, range: Range<u32>) -> impl Iterator<Item = u32> {
        let starts = range.clone().step_by(64);
        starts.flat_map(move |start| {
            let left = range.end - start;
            let mask = if left < 64 { (1 << left) - 1 } else { u64::MAX };
            let mut bits = self.window(place, start) & mask;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros())?;
                bits &= bits - 1;
                Some(start + bit)
            })
        })
    }
}

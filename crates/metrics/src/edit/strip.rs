//! Inner loop of edit distances: computes a strip of the distance table, with 64 rows in a machine word and
//! several words at a time.
//!
//! Neighbouring distances differ by at most one. A column of 64 rows is therefore two sets of rows: those
//! greater by one than the row above, and those less by one (Myers 1999).
//!
//! Hyyrö's form computes the next column with some twenty operations. It reads the column before, the set of
//! equal tokens, and the step along the row above. It also yields the step along the last row, which the next
//! 64 rows need. The processor can work on the words of a strip in parallel, each one column behind the word
//! above it.

/// Number of rows of the edit-distance table that one machine word represents, one bit for each row.
pub(crate) const WORD: usize = 64;

/// Change of the edit distance along a row of the table, from one column to the next: one more, one less, or
/// equal.
pub(super) type Steps = u8;
pub(super) const UP: Steps = 1;
pub(super) const DOWN: Steps = 2;

/// Column of a strip (a block of rows of the edit-distance table) as two bit sets: the rows whose distance is
/// greater by one than in the row above, and the rows whose distance is less by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StripColumn<const L: usize> {
    pub(super) more: [u64; L],
    pub(super) less: [u64; L],
}

impl<const L: usize> StripColumn<L> {
    /// Column of the distance table in which the distance rises by one from row to row. The first column of
    /// the table is such a column. It is also used as an upper bound if a column is unknown.
    pub(super) const RISING: Self = StripColumn { more: [u64::MAX; L], less: [0; L] };
}

#[derive(Debug, Clone, Default)]
pub(crate) struct EqualTokens<const L: usize> {
    /// For each token id, the index in `rows` of the bit set of the token's positions; 0 if the token does
    /// not occur. The positions are counted within the loaded block of reference tokens. Between two blocks
    /// all indices are 0.
    slots: Vec<u16>,
    rows: Vec<[u64; L]>,
}

impl<const L: usize> EqualTokens<L> {
    pub(crate) fn reserve(&mut self, distinct: usize) {
        self.slots.resize(self.slots.len().max(distinct), 0);
    }

    pub(crate) fn load(&mut self, rows: &[u32]) {
        self.rows.clear();
        self.rows.push([0; L]);
        for (row, &token) in rows.iter().enumerate() {
            let slot = &mut self.slots[token as usize];
            if *slot == 0 {
                *slot = self.rows.len() as u16;
                self.rows.push([0; L]);
            }
            self.rows[usize::from(*slot)][row / WORD] |= 1 << (row % WORD);
        }
    }

    pub(crate) fn clear(&mut self, rows: &[u32]) {
        rows.iter().for_each(|&token| self.slots[token as usize] = 0);
    }

    #[inline(always)]
    pub(crate) fn rows_of(&self, token: u32) -> &[u64; L] {
        &self.rows[usize::from(self.slots[token as usize])]
    }
}

/// Computes 64 rows of the next column of the edit-distance table, as bit sets of rows. `more` and `less`
/// hold the previous column on entry and the next column on return. Their bits mark rows whose distance is
/// one more, or one less, than in the row above.
///
/// `equals` marks the rows whose token equals the column's token. In the row above these 64 rows, `up` is 1
/// if the distance is one more than in the previous column, and `down` is 1 if it is one less. Returns `up`
/// and `down` of the last row.
#[inline(always)]
fn advance(equals: u64, more: &mut u64, less: &mut u64, (up, down): (u64, u64)) -> (u64, u64) {
    // `level`: rows that equal the row above in the column before. The carry of the addition runs along
    // rising rows (Myers 1999).
    let level_or_less = equals | *less;
    let equal = equals | down;
    let level = ((equal & *more).wrapping_add(*more) ^ *more) | equal;
    // Rows that are greater, or less, than in the column before.
    let step_up = *less | !(level | *more);
    let step_down = *more & level;
    let above_up = step_up << 1 | up;
    let above_down = step_down << 1 | down;
    *more = above_down | !(level_or_less | above_up);
    *less = above_up & level_or_less;
    (step_up >> (WORD - 1), step_down >> (WORD - 1))
}

/// Computes a strip (a block of consecutive rows) of the edit-distance table, with a column for each token of
/// `text`. `steps` holds the changes of the distance along the row above the strip, and receives the changes
/// along the strip's last row.
///
/// On entry `column` is the column before the first token; on return it is the last column. Each new column
/// is passed to `keep`.
///
/// A column consists of `L` machine words, each computed after the word above it. The first word of the next
/// column need not wait for them, so the processor works on several columns at a time.
#[inline(always)]
pub(super) fn run<const L: usize>(
    equal: &EqualTokens<L>,
    text: &[u32],
    steps: &mut [Steps],
    column: &mut StripColumn<L>,
    mut keep: impl FnMut(&StripColumn<L>),
) {
    // Local copies stay in registers, which a reference would not allow.
    let StripColumn { mut more, mut less } = *column;
    for (step, &token) in steps.iter_mut().zip(text) {
        let equals = equal.rows_of(token);
        let mut above = (u64::from(*step & UP), u64::from(*step >> 1));
        for word in 0..L {
            above = advance(equals[word], &mut more[word], &mut less[word], above);
        }
        *step = above.0 as Steps | (above.1 as Steps) << 1;
        keep(&StripColumn { more, less });
    }
    *column = StripColumn { more, less };
}

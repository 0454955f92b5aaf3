//! Computes the edit-distance table of two sequences in blocks of rows. If a bound of the distance is known,
//! only cells near the diagonal are computed.

use std::ops::Range;

use bleuprint_core::{Result, check_interrupt};

use super::strip::{self, DOWN, EqualTokens, Steps, StripColumn, UP, WORD};

/// Band of diagonals (column minus row) of the edit-distance table. A path of few edits between two corners
/// stays near the straight line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DiagonalBand {
    low: isize,
    high: isize,
}

impl DiagonalBand {
    /// Returns the band of diagonals that paths of up to `edits` edits can reach in a distance table of
    /// `rows` rows and `columns` columns.
    ///
    /// A diagonal is the column minus the row. A path leads from diagonal 0 to diagonal `d = columns - rows`,
    /// which takes at least `|d|` edits. A detour of `k` diagonals beyond these two and back takes `2k` more
    /// edits, so `k` is at most `(edits - |d|) / 2`.
    pub(super) fn within_edits(rows: usize, columns: usize, edits: usize) -> DiagonalBand {
        let between = columns as isize - rows as isize;
        let astray = (edits.saturating_sub(between.unsigned_abs()) / 2) as isize;
        DiagonalBand { low: between.min(0) - astray, high: between.max(0) + astray }
    }

    /// Decides if the edit distance that was computed within a band of diagonals for `guess` edits is exact.
    /// Returns `None` if it is, or else the next guess, for a wider band.
    ///
    /// `edits` is the cost of some path and so an upper bound of the distance. If it is at most `guess`, the
    /// band contains all best paths.
    pub(super) fn next_guess(guess: usize, edits: usize) -> Option<usize> {
        // The found cost is a safe guess, but may be far too large. Growing by 4 first keeps the total work
        // within a factor of the last sweep.
        (edits > guess).then(|| if 8 * guess > edits { edits } else { 4 * guess })
    }

    fn columns(self, start: usize, end: usize, columns: usize) -> (usize, usize) {
        let clamp = |column: isize| column.clamp(0, columns as isize) as usize;
        (clamp(start as isize + self.low), clamp(end as isize + self.high))
    }
}

/// First guess of the number of edits between long sequences, in addition to the difference of their lengths.
/// A smaller guess would not make the computed band of the table narrower.
pub(super) const FIRST_GUESS: usize = 256;

pub(super) trait KeepRows<const L: usize> {
    /// Number of columns of the edit-distance table between two calls of [`piece`](KeepRows::piece). The
    /// default is so large that `piece` is called only once, before the first column.
    const PIECE: usize = usize::MAX;

    /// Receives the start of a strip (a block of consecutive rows) of the edit-distance table. `start` is the
    /// first column that is computed for the strip. `steps` are the changes of the distance along the row
    /// above the strip.
    fn strip(&mut self, start: usize, steps: &[Steps]);
    /// Receives a column of a strip (a block of consecutive rows) of the edit-distance table: the column
    /// before each group of [`PIECE`](KeepRows::PIECE) columns. An implementation may store it, so that the
    /// columns of the group can be recomputed later.
    fn piece(&mut self, _before: &StripColumn<L>) {}
    fn column(&mut self, column: &StripColumn<L>);
}

pub(super) struct Nothing;

impl<const L: usize> KeepRows<L> for Nothing {
    fn strip(&mut self, _: usize, _: &[Steps]) {}
    #[inline(always)]
    fn column(&mut self, _: &StripColumn<L>) {}
}

#[derive(Debug, Clone, Default)]
pub(super) struct Strips<const L: usize> {
    equal: EqualTokens<L>,
}

impl<const L: usize> Strips<L> {
    pub(super) const ROWS: usize = L * WORD;

    pub(super) fn reserve(&mut self, distinct: usize) {
        self.equal.reserve(distinct);
    }

    /// Computes the edit-distance table of two token sequences within a band of diagonals. The table has a
    /// row for each token of `rows` and a column for each token of `text`. The last column is written to
    /// `last`, if it is given.
    ///
    /// A written number is exact if an alignment with the fewest edits stays within the band; otherwise it is
    /// too large. Cells outside the band are [`OUTSIDE`].
    pub(super) fn sweep(
        &mut self,
        rows: &[u32],
        text: &[u32],
        band: DiagonalBand,
        steps: &mut Vec<Steps>,
        mut last: Option<&mut Vec<u32>>,
        keep: &mut impl KeepRows<L>,
    ) -> Result<()> {
        steps.clear();
        steps.resize(text.len(), UP);
        if let Some(last) = &mut last {
            last.clear();
            last.resize(rows.len() + 1, OUTSIDE);
            last[0] = text.len() as u32;
        }
        // First column of the last strip, and the distance in the row above the strip in the column before
        // its first.
        let mut before = 0;
        let mut corner = 0;
        for (strip, tokens) in rows.chunks(Self::ROWS).enumerate() {
            if strip > 0 {
                check_interrupt()?;
            }
            let top = strip * Self::ROWS;
            let (start, end) = band.columns(top, top + tokens.len(), text.len());
            // The band has left the table on the right: all further rows are outside.
            if start == text.len() && start > 0 {
                break;
            }
            corner = climb(corner, &steps[before..start]);
            keep.strip(start, &steps[start..end]);
            // The sweep overwrites `steps` with those below the strip, so the distance above the last column
            // is read first.
            let wanted = last.as_mut().filter(|_| end == text.len());
            let wanted =
                wanted.map(|last| (climb(corner, &steps[start..end]), &mut last[top..=top + tokens.len()]));
            let column = self.strip(tokens, &text[start..end], &mut steps[start..end], keep);
            if let Some((above, last)) = wanted {
                spell(above, &column, last);
            }
            corner += Self::ROWS as u32;
            before = start;
        }
        Ok(())
    }

    /// Computes a range of strips (blocks of consecutive rows) of the edit-distance table again, within the
    /// band of the sweep before. `steps` holds the changes of the distance along the row above these strips,
    /// one for each column.
    pub(super) fn sweep_strips(
        &mut self,
        rows: &[u32],
        strips: Range<usize>,
        text: &[u32],
        band: DiagonalBand,
        steps: &mut [Steps],
        keep: &mut impl KeepRows<L>,
    ) -> Result<()> {
        for strip in strips {
            check_interrupt()?;
            let top = strip * Self::ROWS;
            let tokens = &rows[top..rows.len().min(top + Self::ROWS)];
            let (start, end) = band.columns(top, top + tokens.len(), text.len());
            keep.strip(start, &steps[start..end]);
            self.strip(tokens, &text[start..end], &mut steps[start..end], keep);
        }
        Ok(())
    }

    fn strip<K: KeepRows<L>>(
        &mut self,
        rows: &[u32],
        text: &[u32],
        steps: &mut [Steps],
        keep: &mut K,
    ) -> StripColumn<L> {
        self.equal.load(rows);
        let mut column = StripColumn::RISING;
        for (text, steps) in text.chunks(K::PIECE).zip(steps.chunks_mut(K::PIECE)) {
            keep.piece(&column);
            strip::run(&self.equal, text, steps, &mut column, |column| keep.column(column));
        }
        self.equal.clear(rows);
        column
    }

    /// Recomputes columns of the edit-distance table for a strip of consecutive rows, and appends them to
    /// `columns`. `before` is the column before them. `steps` are the changes of the distance along the row
    /// above the strip.
    pub(super) fn again(
        &mut self,
        rows: &[u32],
        text: &[u32],
        steps: &mut [Steps],
        mut before: StripColumn<L>,
        columns: &mut Vec<StripColumn<L>>,
    ) {
        self.equal.load(rows);
        strip::run(&self.equal, text, steps, &mut before, |column| columns.push(*column));
        self.equal.clear(rows);
    }
}

/// Value of cells of the distance table that a sweep does not compute: greater than any distance, and the sum
/// of two does not overflow.
pub(super) const OUTSIDE: u32 = u32::MAX / 2;

pub(super) fn climb(from: u32, steps: &[Steps]) -> u32 {
    // Sums of bytes in pieces of 255 cannot overflow, and the compiler makes vector operations of them.
    let count = |step: Steps| -> u32 {
        steps.chunks(255).map(|piece| u32::from(piece.iter().map(|&s| u8::from(s == step)).sum::<u8>())).sum()
    };
    from + count(UP) - count(DOWN)
}

/// Converts a column of the edit-distance table from bit sets of differences to distances. `above` is the
/// distance in the row above the column's first row. `into` receives `above` and then the distance of each
/// row.
pub(super) fn spell<const L: usize>(above: u32, column: &StripColumn<L>, into: &mut [u32]) {
    let mut number = above;
    // The row above belongs to the strip before too, whose band may have left it outside.
    into[0] = into[0].min(number);
    for (row, cell) in into[1..].iter_mut().enumerate() {
        let bit = |set: &[u64; L]| (set[row / WORD] >> (row % WORD) & 1) as u32;
        number = number + bit(&column.more) - bit(&column.less);
        *cell = number;
    }
}

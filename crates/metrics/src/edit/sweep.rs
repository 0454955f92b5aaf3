//! Sweeps over the table of distances, strip by strip, within a band where one is known to be enough.

use bleuprint_core::{Result, check_interrupt};

use super::strip::{self, DOWN, EqualTokens, Steps, StripColumn, UP, WORD};

/// Diagonals of the table, column minus row: a path of few edits between two corners stays near the straight line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DiagonalBand {
    low: isize,
    high: isize,
}

impl DiagonalBand {
    /// The diagonals on which paths of up to `edits` edits lie, in a table of `rows` and `columns`.
    ///
    /// A path that strays `k` beyond the interval from 0 to `columns - rows` needs `k` edits to get there and as
    /// many to come back, next to the difference of the lengths.
    pub(super) fn within_edits(rows: usize, columns: usize, edits: usize) -> DiagonalBand {
        let between = columns as isize - rows as isize;
        let astray = (edits.saturating_sub(between.unsigned_abs()) / 2) as isize;
        DiagonalBand { low: between.min(0) - astray, high: between.max(0) + astray }
    }

    /// The next guess of the edits, if those of a path in the band of `guess` are more. They are the cost of a path: no more edits
    /// are needed, and the band of `guess` has all best paths if they are not more.
    pub(super) fn next_guess(guess: usize, edits: usize) -> Option<usize> {
        (edits > guess).then(|| if 8 * guess > edits { edits } else { 4 * guess })
    }

    fn columns(self, start: usize, end: usize, columns: usize) -> (usize, usize) {
        let clamp = |column: isize| column.clamp(0, columns as isize) as usize;
        (clamp(start as isize + self.low), clamp(end as isize + self.high))
    }
}

/// The first guess of the edits of long sequences, beyond the difference of their lengths: with fewer, strips are no
/// narrower.
pub(super) const FIRST_GUESS: usize = 256;

pub(super) trait KeepRows<const L: usize> {
    /// Columns after which [`piece`](KeepRows::piece) is called again.
    const PIECE: usize = usize::MAX;

    /// A strip begins, after `start` columns; in the row above it there is `corner` before its first column, and
    /// then these steps, one to a column.
    fn strip(&mut self, start: usize, corner: u32, steps: &[Steps]);
    /// A piece of the strip begins after this column.
    fn piece(&mut self, _before: &StripColumn<L>) {}
    fn column(&mut self, column: &StripColumn<L>);
}

pub(super) struct Nothing;

impl<const L: usize> KeepRows<L> for Nothing {
    fn strip(&mut self, _: usize, _: u32, _: &[Steps]) {}
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

    /// Sweeps over the table of the tokens of `rows` and `text` within a band, and leaves the last column in `last`
    /// where one is given: no less than the distances, and equal to them where a path of the band's edits goes
    /// through. Cells outside hold [`OUTSIDE`].
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
        // Where the last strip began, and the number in the row above the strip, in the column before its first.
        let mut before = 0;
        let mut corner = 0;
        for (strip, tokens) in rows.chunks(Self::ROWS).enumerate() {
            if strip > 0 {
                check_interrupt()?;
            }
            let top = strip * Self::ROWS;
            let (start, end) = band.columns(top, top + tokens.len(), text.len());
            if start == text.len() && start > 0 {
                break;
            }
            corner = climb(corner, &steps[before..start]);
            keep.strip(start, corner, &steps[start..end]);
            // The steps will be those below the strip.
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

    /// Appends the columns of a part of a strip, from the one before it and the steps along the row above it.
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

/// Cells that a sweep does not compute: more than any distance, and two of them do not overflow.
pub(super) const OUTSIDE: u32 = u32::MAX / 2;

pub(super) fn climb(from: u32, steps: &[Steps]) -> u32 {
    // Sums of bytes in pieces that do not overflow, so that they are vector operations.
    let count = |step: Steps| -> u32 {
        steps.chunks(255).map(|piece| u32::from(piece.iter().map(|&s| u8::from(s == step)).sum::<u8>())).sum()
    };
    from + count(UP) - count(DOWN)
}

/// Writes out a column: the number in the row above it, and those of its rows.
pub(super) fn spell<const L: usize>(above: u32, column: &StripColumn<L>, into: &mut [u32]) {
    let mut number = above;
    into[0] = into[0].min(number);
    for (row, cell) in into[1..].iter_mut().enumerate() {
        let bit = |set: &[u64; L]| (set[row / WORD] >> (row % WORD) & 1) as u32;
        number = number + bit(&column.more) - bit(&column.less);
        *cell = number;
    }
}

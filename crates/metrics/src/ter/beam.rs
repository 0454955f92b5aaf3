//! Beam of TER (translation edit rate): the cells near the diagonal of the edit-distance table. Only these
//! cells are computed.
//!
//! Row `i` of the table belongs to the first `i` words of the hypothesis, column `j` to the first `j` words
//! of the reference. Row 0 is complete. Each other row holds the columns less than a half-width from the
//! diagonal; the last row extends to the last column.
//!
//! The best path may leave the beam, so TER's distance may exceed the edit distance. This is part of TER's
//! definition.
//!
//! If the reference is much longer than the hypothesis, neighbouring rows may share no column. A path then
//! gets from row to row only by pairing two words. If a rule forbids pairs, rows are extended to share a
//! column ([joined](Width::joined)).

use super::BEAM_WIDTH;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BeamRow {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Number of columns of the distance table that TER (translation edit rate) computes on each side of the
/// diagonal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Width {
    /// Usual number of columns to compute on each side of the diagonal of TER's distance table. More are
    /// computed if the reference has more than `2 · half` times the length of the hypothesis.
    pub(super) half: usize,
    /// `true` if rows of TER's distance table are extended so that each shares a column with the row above.
    /// Then a path without pairs of words, only of insertions and deletions, exists.
    pub(super) joined: bool,
}

impl Width {
    /// Width of TER's beam around the diagonal of the distance table: 25 columns on each side.
    pub(super) const TER: Width = Width { half: BEAM_WIDTH, joined: false };

    /// Returns the number of columns to compute on each side of the diagonal, for this ratio of reference
    /// length to hypothesis length.
    pub(super) fn columns(self, ratio: f64) -> usize {
        let half = ratio / 2.0;
        if half > self.half as f64 { (half + self.half as f64).ceil() as usize } else { self.half }
    }

    /// Returns the first column that is computed in a row of TER's distance table: `start`, which is near the
    /// diagonal. If rows are `joined`, it is at most the last column of the row above, `above - 1`.
    pub(super) fn start(self, start: usize, above: usize) -> usize {
        if self.joined { start.min(above - 1) } else { start }
    }
}

/// Columns of each row of TER's distance table that are computed, for a hypothesis and a reference of given
/// lengths. Shifts change no length, so one beam serves a whole search.
#[derive(Debug, Clone, Default)]
pub(super) struct Beam {
    rows: Vec<BeamRow>,
    width: usize,
}

impl Beam {
    pub(super) fn lay(&mut self, n: usize, m: usize, width: Width) {
        let ratio = m as f64 / n as f64;
        let columns = width.columns(ratio);
        self.width = width.half;
        self.rows.clear();
        self.rows.push(BeamRow { start: 0, end: m as u32 + 1 });
        let mut above = m + 1;
        self.rows.extend((1..=n).map(|i| {
            // sacreBLEU computes the diagonal in floats. The product may fall short of a whole number, so
            // integers would give another beam.
            let diagonal = (i as f64 * ratio) as usize;
            let end = if i == n { m + 1 } else { (m + 1).min(diagonal + columns) };
            let start = width.start(diagonal.saturating_sub(columns), above);
            above = end;
            BeamRow { start: start as u32, end: end as u32 }
        }));
    }

    pub(super) fn rows(&self) -> &[BeamRow] {
        &self.rows
    }

    pub(super) fn lengths(&self) -> (usize, usize) {
        (self.rows.len() - 1, self.rows[0].end as usize - 1)
    }

    /// Returns `true` if `distance`, computed only within TER's beam near the diagonal, is certain to be the
    /// full edit distance.
    ///
    /// Let `n` and `m` be the lengths of hypothesis and reference. A path of `e` edits leaves the diagonals 0
    /// to `m - n` by at most `(e - |m - n|)/2` columns. The centre of the beam is between these two
    /// diagonals. A path with few enough edits therefore never leaves the beam.
    pub(super) fn is_exact(&self, distance: u32) -> bool {
        let (n, m) = self.lengths();
        distance as usize + n.abs_diff(m) <= 2 * (self.width - 2)
    }
}

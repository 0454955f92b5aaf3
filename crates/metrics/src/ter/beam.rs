//! Beam of TER (translation edit rate): the cells near the diagonal of the distance table that are computed.
//!
//! Row `i` belongs to the first `i` words of the hypothesis, column `j` to the first `j` words of the
//! reference. Row 0 is complete. Row `i` holds the columns less than a half-width from the diagonal, and
//! the last row extends to the last column. A best path may leave the beam, so the distance within it may
//! exceed the edit distance; this is part of the definition. If the ratio of the lengths is nearly twice
//! the half-width, neighbouring rows of TER share no column, and a path between them needs a pair. If a
//! rule forbids pairs, rows are [joined](Width::joined).

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
    /// Number of columns on each side of the diagonal of the distance table. More are computed if the ratio
    /// of the lengths is above twice this number.
    pub(super) half: usize,
    /// `true` if each row of the distance table begins in a column that the row above also has. A path of
    /// insertions and deletions alone then exists.
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

    /// Returns the first column of a row of the distance table. `start` is the first column near the
    /// diagonal, and `above` is the end of the row above.
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

    /// Returns `true` if `distance`, computed only within the beam near the diagonal, is certain to be the
    /// edit distance.
    ///
    /// On a path of `e` edits, `j - i` is within `(e - |m - n|)/2` of the interval from 0 to `m - n`, and
    /// so is the diagonal minus `i`, rounded down. A path with few enough edits therefore stays inside the
    /// beam.
    pub(super) fn is_exact(&self, distance: u32) -> bool {
        let (n, m) = self.lengths();
        distance as usize + n.abs_diff(m) <= 2 * (self.width - 2)
    }
}

//! The beam: which cells of the table of distances exist.
//!
//! Row `i` belongs to the first `i` words of the hypothesis, column `j` to the first `j` of the reference. Row 0 is
//! whole; of row `i` there are the columns less than a half-width from the diagonal, and the last row goes on to the
//! last column. A best path may leave the beam, so the distance within it may be greater than the edit distance: it
//! is part of the definition. Where the ratio of the lengths is nearly twice the half-width, neighbouring rows of TER have no
//! column in common, and a path between them takes a pair; where a rule forbids pairs, rows are [joined](Width::joined).

use super::BEAM_WIDTH;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BeamRow {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The columns on each side of the diagonal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Width {
    /// That of lengths whose ratio is no greater than twice this.
    pub(super) half: usize,
    /// True if each row begins in a column of the row above, so that there is a path without pairs.
    pub(super) joined: bool,
}

impl Width {
    /// TER's own.
    pub(super) const TER: Width = Width { half: BEAM_WIDTH, joined: false };

    /// The columns on each side for lengths of this ratio.
    pub(super) fn columns(self, ratio: f64) -> usize {
        let half = ratio / 2.0;
        if half > self.half as f64 { (half + self.half as f64).ceil() as usize } else { self.half }
    }

    /// The first column of a row, whose first by the diagonal is `start`, below a row that ends before `above`.
    pub(super) fn start(self, start: usize, above: usize) -> usize {
        if self.joined { start.min(above - 1) } else { start }
    }
}

/// The beam for sequences of two lengths. Shifts change no length, so one serves a whole search.
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
            // In floats, as the program that is agreed with: the product may fall short of a whole number.
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

    /// Tests that `distance` within the beam is sure to be the edit distance.
    ///
    /// On a path of `e` edits `j - i` lies within `(e - |m - n|)/2` of the interval from 0 to `m - n`, and so does
    /// the diagonal minus `i`, rounded down. So a path of so few edits stays inside.
    pub(super) fn is_exact(&self, distance: u32) -> bool {
        let (n, m) = self.lengths();
        distance as usize + n.abs_diff(m) <= 2 * (self.width - 2)
    }
}

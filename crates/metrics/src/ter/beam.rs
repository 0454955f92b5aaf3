//! The beam: which cells of the table of distances exist.
//!
//! Row `i` belongs to the first `i` words of the hypothesis, column `j` to the first `j` of the reference. Row 0 is
//! whole; of row `i` there are the columns less than a half-width from the diagonal, and the last row goes on to the
//! last column. A best path may leave the beam, so the distance within it may be greater than the edit distance: it
//! is part of the definition. Neighbouring rows have a column in common, so that there is a path without pairs.

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The beam for sequences of two lengths. Shifts change no length, so one serves a whole search.
#[derive(Debug, Clone, Default)]
pub(super) struct Beam {
    rows: Vec<Row>,
    width: usize,
}

impl Beam {
    /// `half_width` is that of lengths whose ratio is no greater.
    pub(super) fn lay(&mut self, n: usize, m: usize, half_width: usize) {
        let ratio = m as f64 / n as f64;
        let half = ratio / 2.0;
        let width =
            if half > half_width as f64 { (half + half_width as f64).ceil() as usize } else { half_width };
        self.width = half_width;
        self.rows.clear();
        self.rows.push(Row { start: 0, end: m as u32 + 1 });
        let mut above = m + 1;
        self.rows.extend((1..=n).map(|i| {
            // In floats, as the program that is agreed with: the product may fall short of a whole number.
            let diagonal = (i as f64 * ratio) as usize;
            let end = if i == n { m + 1 } else { (m + 1).min(diagonal + width) };
            let start = diagonal.saturating_sub(width).min(above - 1);
            above = end;
            Row { start: start as u32, end: end as u32 }
        }));
    }

    pub(super) fn rows(&self) -> &[Row] {
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

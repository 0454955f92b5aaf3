//! The distance within the beam, a cell at a time: for references that are many times as long as the hypothesis,
//! where a row of the beam is wider, or starts further on, than a machine word holds.

use super::beam::{Beam, Row};
use super::masks::Masks;
use super::table::{Moved, Step, Table};

/// Cells outside of the beam: more than any distance, and far from overflow.
const OUTSIDE: u32 = u32::MAX / 2;

#[derive(Debug, Clone, Default)]
pub(super) struct Wide {
    beam: Vec<Row>,
    words: Vec<u32>,
    reference: Vec<u32>,
    costs: Vec<u32>,
    offsets: Vec<usize>,
    /// The last row of a candidate, and the current one.
    above: Vec<u32>,
    row: Vec<u32>,
}

impl Wide {
    pub(super) fn lay(&mut self, beam: &Beam, reference: &[u32]) {
        self.beam.clear();
        self.beam.extend_from_slice(beam.rows());
        self.reference.clear();
        self.reference.extend_from_slice(reference);
        self.costs.clear();
        self.costs.extend(0..=reference.len() as u32);
        self.offsets.clear();
        self.offsets.extend([0, self.costs.len()]);
    }

    fn cells(&self, i: usize) -> &[u32] {
        &self.costs[self.offsets[i]..self.offsets[i + 1]]
    }

    fn cost(&self, i: usize, j: usize) -> u32 {
        cell(self.cells(i), self.beam[i], j)
    }
}

fn cell(cells: &[u32], row: Row, j: usize) -> u32 {
    j.checked_sub(row.start as usize).and_then(|at| cells.get(at)).copied().unwrap_or(OUTSIDE)
}

fn next(above: &[u32], beam: &[Row], word: u32, reference: &[u32], row: &mut Vec<u32>) {
    let mut left = OUTSIDE;
    for j in beam[1].start as usize..beam[1].end as usize {
        let diagonal = match j.checked_sub(1) {
            Some(before) => cell(above, beam[0], before) + u32::from(reference[before] != word),
            None => OUTSIDE,
        };
        left = diagonal.min(cell(above, beam[0], j) + 1).min(left + 1);
        row.push(left);
    }
}

impl Table for Wide {
    fn fill(&mut self, words: &[u32], _: &Masks, from: usize) -> u32 {
        self.words.clear();
        self.words.extend_from_slice(words);
        self.offsets.truncate(from + 2);
        self.costs.truncate(self.offsets[from + 1]);
        for (i, &word) in words.iter().enumerate().skip(from) {
            let mut row = std::mem::take(&mut self.row);
            row.clear();
            next(self.cells(i), &self.beam[i..], word, &self.reference, &mut row);
            self.costs.append(&mut row);
            self.offsets.push(self.costs.len());
            self.row = row;
        }
        self.cost(words.len(), self.reference.len())
    }

    fn moved(&mut self, _: &Masks, moved: Moved) -> u32 {
        let Moved { start, middle, end } = moved;
        let (mut above, mut row) = (std::mem::take(&mut self.above), std::mem::take(&mut self.row));
        above.clear();
        above.extend_from_slice(self.cells(start));
        let n = self.words.len();
        for (i, at) in (start..n).zip((middle..end).chain(start..middle).chain(end..n)) {
            row.clear();
            next(&above, &self.beam[i..], self.words[at], &self.reference, &mut row);
            std::mem::swap(&mut above, &mut row);
        }
        let distance = cell(&above, self.beam[n], self.reference.len());
        (self.above, self.row) = (above, row);
        distance
    }

    fn step(&self, i: usize, j: usize, equal: bool) -> Step {
        let here = self.cost(i, j);
        let before = |i: Option<usize>, j: Option<usize>| Some(self.cost(i?, j?));
        let (up, left) = (i.checked_sub(1), j.checked_sub(1));
        if before(up, left).is_some_and(|cost| cost + u32::from(!equal) == here) {
            Step::Pair
        } else if before(up, Some(j)).is_some_and(|cost| cost + 1 == here) {
            Step::Delete
        } else {
            Step::Insert
        }
    }
}

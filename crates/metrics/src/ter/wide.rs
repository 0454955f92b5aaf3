//! Computes TER's edit distance within the beam of columns near the diagonal, cell by cell. It is used in two
//! cases: a row of the beam does not fit into a machine word, or a rule decides which words are paired. Rows
//! are so wide if the reference is many times as long as the hypothesis.

use super::beam::{Beam, BeamRow};
use super::table::{Moved, TableStep, TerTable, WordPairs};

/// Value of cells of the distance table that are not computed: more than any distance, and far from overflow.
const OUTSIDE: u32 = u32::MAX / 2;

#[derive(Debug, Clone, Default)]
pub(super) struct Wide {
    beam: Vec<BeamRow>,
    words: Vec<u32>,
    costs: Vec<u32>,
    offsets: Vec<usize>,
    /// Row of the distance table above the current row, while the distance after a shift of words is
    /// computed.
    above: Vec<u32>,
    row: Vec<u32>,
}

impl Wide {
    pub(super) fn lay(&mut self, beam: &Beam) {
        self.beam.clear();
        self.beam.extend_from_slice(beam.rows());
        self.costs.clear();
        self.costs.extend(0..=beam.lengths().1 as u32);
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

fn cell(cells: &[u32], row: BeamRow, j: usize) -> u32 {
    j.checked_sub(row.start as usize).and_then(|at| cells.get(at)).copied().unwrap_or(OUTSIDE)
}

fn next(above: &[u32], beam: &[BeamRow], word: u32, pairs: &impl WordPairs, row: &mut Vec<u32>) {
    let mut left = OUTSIDE;
    for j in beam[1].start as usize..beam[1].end as usize {
        let pair = j.checked_sub(1).and_then(|before| Some((before, pairs.pair(word, before)?)));
        let diagonal = match pair {
            Some((before, equal)) => cell(above, beam[0], before) + u32::from(!equal),
            None => OUTSIDE,
        };
        left = diagonal.min(cell(above, beam[0], j) + 1).min(left + 1);
        row.push(left);
    }
}

/// Returns the difference `one[i] - other[i]` of two rows of edit distances if it is equal for all `i`, else
/// `None`. A negative difference is returned modulo 2^32.
fn constant(one: &[u32], other: &[u32]) -> Option<u32> {
    let mut differences = one.iter().zip(other).map(|(one, other)| one.wrapping_sub(*other));
    let first = differences.next()?;
    differences.all(|more| more == first).then_some(first)
}

impl<P: WordPairs> TerTable<P> for Wide {
    fn fill(&mut self, words: &[u32], pairs: &P, from: usize) -> u32 {
        self.words.clear();
        self.words.extend_from_slice(words);
        self.offsets.truncate(from + 2);
        self.costs.truncate(self.offsets[from + 1]);
        for (i, &word) in words.iter().enumerate().skip(from) {
            let mut row = std::mem::take(&mut self.row);
            row.clear();
            next(self.cells(i), &self.beam[i..], word, pairs, &mut row);
            self.costs.append(&mut row);
            self.offsets.push(self.costs.len());
            self.row = row;
        }
        self.cost(words.len(), pairs.len())
    }

    fn moved(&mut self, pairs: &P, moved: Moved) -> u32 {
        let Moved { start, middle, end } = moved;
        let mut above = std::mem::take(&mut self.above);
        let mut row = std::mem::take(&mut self.row);
        above.clear();
        above.extend_from_slice(self.cells(start));
        let n = self.words.len();
        let mut distance = OUTSIDE;
        for (i, at) in (start..n).zip((middle..end).chain(start..middle).chain(end..n)) {
            row.clear();
            next(&above, &self.beam[i..], self.words[at], pairs, &mut row);
            std::mem::swap(&mut above, &mut row);
            // The shifted block ends above this row. If the row differs from the stored row by a constant,
            // so do all later rows, and the distance is known.
            if i + 1 >= end
                && let Some(more) = constant(&above, self.cells(i + 1))
            {
                distance = self.cost(n, pairs.len()).wrapping_add(more);
                break;
            }
            distance = cell(&above, self.beam[i + 1], pairs.len());
        }
        (self.above, self.row) = (above, row);
        distance
    }

    fn step(&self, i: usize, j: usize, pair: Option<bool>) -> TableStep {
        let here = self.cost(i, j);
        let before = |i: Option<usize>, j: Option<usize>| Some(self.cost(i?, j?));
        let up = i.checked_sub(1);
        let left = j.checked_sub(1);
        if pair.zip(before(up, left)).is_some_and(|(equal, cost)| cost + u32::from(!equal) == here) {
            TableStep::Pair
        } else if before(up, Some(j)).is_some_and(|cost| cost + 1 == here) {
            TableStep::Delete
        } else {
            TableStep::Insert
        }
    }
}

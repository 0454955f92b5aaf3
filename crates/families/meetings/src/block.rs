//! [`Block`]: kept cells of the grid of ORC-WER.

/// More than any cost, even with the length of a stream added.
pub(crate) const FAR: u32 = u32::MAX / 2;

/// A box of cells: along each stream the first position and the number of positions; the last stream runs fastest.
pub(crate) struct Block {
    pub(crate) from: Vec<usize>,
    pub(crate) lens: Vec<usize>,
    pub(crate) costs: Vec<u32>,
}

impl Block {
    /// The cell before the first utterance, up to which all words are insertions.
    pub(crate) fn start(from: Vec<usize>) -> Self {
        Block { lens: vec![1; from.len()], costs: vec![from.iter().sum::<usize>() as u32], from }
    }

    /// The same cells, of which none is reached yet.
    pub(crate) fn unreached(&self) -> Block {
        Block { from: self.from.clone(), lens: self.lens.clone(), costs: vec![FAR; self.costs.len()] }
    }

    pub(crate) fn end(&self, k: usize) -> usize {
        self.from[k] + self.lens[k]
    }

    pub(crate) fn others(&self, k: usize) -> Vec<usize> {
        let others = self.lens.iter().enumerate().filter(|(axis, _)| *axis != k);
        others.map(|(_, &len)| len).collect()
    }

    pub(crate) fn lines(&self, k: usize) -> usize {
        self.others(k).iter().product()
    }

    /// The other axes, and the position in each of a cell of theirs.
    pub(crate) fn beside(&self, k: usize, others: &[usize]) -> impl Iterator<Item = (usize, usize)> {
        let axes = (0..self.lens.len()).filter(move |axis| *axis != k);
        axes.zip(others).map(|(axis, at)| (axis, self.from[axis] + at))
    }

    pub(crate) fn place(&self, cell: &[usize]) -> usize {
        let axes = cell.iter().zip(&self.from).zip(&self.lens);
        axes.fold(0, |place, ((at, from), len)| place * len + (at - from))
    }

    /// Takes in the rows along a stream of the block before, where they are less. Where this block begins beyond the end of
    /// that one, the words between are insertions.
    pub(crate) fn take(&mut self, before: &Block, k: usize, rows: &[u32]) {
        let lines = before.lines(k);
        let (mut step, mut line_step, mut more) = (1, 1, 0);
        // The first place there, and of each axis the number of places and the steps here and there, the fastest first.
        let (mut first, mut axes) = (0, Vec::new());
        for axis in (0..self.lens.len()).rev() {
            let (count, row_step) =
                if axis == k { (rows.len() / lines, lines) } else { (before.lens[axis], line_step) };
            let end = before.from[axis] + count;
            let (from, last) = (self.from[axis], self.from[axis].min(end - 1));
            more += (from - last) as u32;
            first += (last - before.from[axis]) * row_step;
            let shared = self.end(axis).min(end).saturating_sub(from);
            if shared > 1 {
                axes.push((shared, step, row_step));
            }
            step *= self.lens[axis];
            if axis != k {
                line_step *= count;
            }
        }
        let (len, step, row_step) = if axes.is_empty() { (1, 1, 1) } else { axes.remove(0) };
        let lens: Vec<usize> = axes.iter().map(|(len, ..)| *len).collect();
        each_cell(&lens, |cell| {
            let (mut here, mut there) = (0, first);
            for (at, (_, step, row_step)) in cell.iter().zip(&axes) {
                (here, there) = (here + at * step, there + at * row_step);
            }
            if (step, row_step) == (1, 1) {
                return lower_to(&rows[there..there + len], more, &mut self.costs[here..here + len]);
            }
            for _ in 0..len {
                self.costs[here] = (rows[there] + more).min(self.costs[here]);
                (here, there) = (here + step, there + row_step);
            }
        });
    }

    /// Lowers cells to one more than their neighbours: one word more or less of a stream is one edit at most.
    pub(crate) fn level(&mut self) {
        for k in 0..self.lens.len() {
            let (len, stride) = (self.lens[k], self.lens[k + 1..].iter().product::<usize>());
            if len == 1 {
                continue;
            }
            for cells in self.costs.chunks_mut(len * stride) {
                for at in 1..len {
                    let (before, after) = cells.split_at_mut(at * stride);
                    lower_to(&before[(at - 1) * stride..], 1, &mut after[..stride]);
                }
                for at in (1..len).rev() {
                    let (before, after) = cells.split_at_mut(at * stride);
                    lower_to(&after[..stride], 1, &mut before[(at - 1) * stride..]);
                }
            }
        }
    }
}

/// Lowers cells to this much more than others.
fn lower_to(others: &[u32], more: u32, cells: &mut [u32]) {
    let others = &others[..cells.len()];
    for (place, cell) in cells.iter_mut().enumerate() {
        *cell = (others[place] + more).min(*cell);
    }
}

/// Every cell of a box from 0, the last axis fastest; one without axes.
pub(crate) fn each_cell(lens: &[usize], mut look: impl FnMut(&[usize])) {
    let mut cell = vec![0; lens.len()];
    loop {
        look(&cell);
        let Some(axis) = (0..lens.len()).rev().find(|&axis| cell[axis] + 1 < lens[axis]) else { return };
        cell[axis] += 1;
        cell[axis + 1..].fill(0);
    }
}

//! [`CellBlock`]: the costs in a box of neighbouring cells of the dynamic programming table with which
//! ORC-WER aligns utterances and output streams.

/// Cost of a cell of ORC-WER's dynamic programming table that no partial alignment has reached yet. It is
/// above every real cost, and small enough that the length of a stream can be added without overflow.
pub(crate) const FAR: u32 = u32::MAX / 2;

/// Box of neighbouring cells of ORC-WER's dynamic programming table, which has one axis for each output
/// stream. It has the first position and the number of positions along each stream, and the cost of every
/// cell. The position in the last stream varies fastest.
pub(crate) struct CellBlock {
    pub(crate) from: Vec<usize>,
    pub(crate) lens: Vec<usize>,
    pub(crate) costs: Vec<u32>,
}

impl CellBlock {
    /// Creates a box with a single table cell, at the stream positions `from`, before any utterance is
    /// aligned. The cell's cost is the number of stream words before these positions, which are all
    /// insertions.
    pub(crate) fn start(from: Vec<usize>) -> Self {
        CellBlock { lens: vec![1; from.len()], costs: vec![from.iter().sum::<usize>() as u32], from }
    }

    /// Returns the cost of the table cell at the stream positions `cell`, which are not before the box. Words
    /// after the end of the box are insertions, and cost one edit each.
    pub(crate) fn cost_at(&self, cell: &[usize]) -> u32 {
        let inside: Vec<usize> =
            cell.iter().enumerate().map(|(axis, &at)| at.min(self.end(axis) - 1)).collect();
        let beyond: usize = cell.iter().zip(&inside).map(|(at, inside)| at - inside).sum();
        self.costs[self.place(&inside)] + beyond as u32
    }

    /// Returns the cost and the position in stream `k` of each table cell from the start of the box to
    /// `cell`, along this stream. In the other streams, the position is the position of `cell`. Words after
    /// the end of the box are insertions, and cost one edit each.
    pub(crate) fn row_before(&self, cell: &[usize], k: usize) -> Vec<(u32, usize)> {
        let from = self.from[k];
        let mut start: Vec<usize> =
            cell.iter().enumerate().map(|(axis, &at)| at.min(self.end(axis) - 1)).collect();
        let others = (0..cell.len()).filter(|axis| *axis != k);
        let beyond: usize = others.map(|axis| cell[axis] - start[axis]).sum();
        start[k] = from;
        let first = self.place(&start);
        let stride = self.lens[k + 1..].iter().product::<usize>();
        let cost = |at: usize| {
            let inside = at.min(self.lens[k] - 1);
            self.costs[first + inside * stride] + (at - inside + beyond) as u32
        };
        (0..=cell[k] - from).map(|at| (cost(at), from + at)).collect()
    }

    /// Returns the smallest box that contains this box and `other`, where each cell has the lower cost. A cell
    /// in neither box costs one more than a neighbour.
    pub(crate) fn united(mut self, other: CellBlock) -> CellBlock {
        if self.from == other.from && self.lens == other.lens {
            lower_to(&other.costs, 0, &mut self.costs);
            return self;
        }
        let axes = 0..self.from.len();
        let from: Vec<usize> = axes.clone().map(|axis| self.from[axis].min(other.from[axis])).collect();
        let lens: Vec<usize> = axes.map(|axis| self.end(axis).max(other.end(axis)) - from[axis]).collect();
        let mut all = CellBlock { costs: vec![FAR; lens.iter().product()], from, lens };
        all.lower_inside(&self);
        all.lower_inside(&other);
        all.level();
        all
    }

    /// Lowers each cost to the cost of the same cell of `inner`, if that is lower. `inner` lies inside this
    /// box.
    fn lower_inside(&mut self, inner: &CellBlock) {
        let Some((&len, outer)) = inner.lens.split_last() else { return };
        let mut lines = inner.costs.chunks(len);
        let mut cell = inner.from.clone();
        each_cell(outer, |line| {
            cell.iter_mut().zip(line).zip(&inner.from).for_each(|((at, line), from)| *at = from + line);
            let first = self.place(&cell);
            lower_to(lines.next().unwrap_or_default(), 0, &mut self.costs[first..first + len]);
        });
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

    /// Returns, for every stream except `k`, its index and a position in it. `others` has these positions
    /// relative to the start of this box of table cells.
    pub(crate) fn beside(&self, k: usize, others: &[usize]) -> impl Iterator<Item = (usize, usize)> {
        let axes = (0..self.lens.len()).filter(move |axis| *axis != k);
        axes.zip(others).map(|(axis, at)| (axis, self.from[axis] + at))
    }

    pub(crate) fn place(&self, cell: &[usize]) -> usize {
        let axes = cell.iter().zip(&self.from).zip(&self.lens);
        axes.fold(0, |place, ((at, from), len)| place * len + (at - from))
    }

    /// Lowers each cost of this box to the cost in `rows` for the same cell, if that is lower. `rows` has the
    /// costs after one more utterance is aligned with stream `k`, computed from the box `before`. Words
    /// between the end of the rows and the start of this box are insertions, and cost one edit each.
    pub(crate) fn take(&mut self, before: &CellBlock, k: usize, rows: &[u32]) {
        let lines = before.lines(k);
        let mut step = 1;
        let mut line_step = 1;
        let mut more = 0;
        // `first` is the first cell of `rows` that is read. `axes` has, for every axis, the number of shared
        // positions and the strides in this block and in `rows`, fastest axis first.
        let mut first = 0;
        let mut axes = Vec::new();
        for axis in (0..self.lens.len()).rev() {
            let (count, row_step) =
                // Along `k` the rows may be longer than the block before, because insertions extend them.
                if axis == k { (rows.len() / lines, lines) } else { (before.lens[axis], line_step) };
            let end = before.from[axis] + count;
            let from = self.from[axis];
            let last = self.from[axis].min(end - 1);
            // Every skipped word is an insertion, so the cost grows by one for each.
            more += (from - last) as u32;
            first += (last - before.from[axis]) * row_step;
            let shared = self.end(axis).min(end).saturating_sub(from);
            // An axis with one shared position adds nothing to the walk below.
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
            let mut here = 0;
            let mut there = first;
            for (at, (_, step, row_step)) in cell.iter().zip(&axes) {
                (here, there) = (here + at * step, there + at * row_step);
            }
            // The usual case is contiguous in both tables, so one slice operation takes the whole line.
            if (step, row_step) == (1, 1) {
                return lower_to(&rows[there..there + len], more, &mut self.costs[here..here + len]);
            }
            for _ in 0..len {
                self.costs[here] = (rows[there] + more).min(self.costs[here]);
                (here, there) = (here + step, there + row_step);
            }
        });
    }

    /// Lowers each cell's cost to at most one more than the cost of each neighbour, because skipping one word
    /// of a stream costs at most one edit.
    pub(crate) fn level(&mut self) {
        // Axis after axis is exact: the city-block distance is a sum over the axes. One sweep in each
        // direction settles an axis.
        for k in 0..self.lens.len() {
            let len = self.lens[k];
            let stride = self.lens[k + 1..].iter().product::<usize>();
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

/// Lowers `cells[i]` to `others[i] + more` at every index `i` where that is lower.
fn lower_to(others: &[u32], more: u32, cells: &mut [u32]) {
    // Slices of equal length let the compiler drop the bound checks and use vector instructions.
    let others = &others[..cells.len()];
    for (place, cell) in cells.iter_mut().enumerate() {
        *cell = (others[place] + more).min(*cell);
    }
}

/// Calls `look` with the coordinates of every cell of an n-dimensional table with the side lengths `lens`.
/// The last coordinate varies fastest. A table without dimensions has one cell.
pub(crate) fn each_cell(lens: &[usize], mut look: impl FnMut(&[usize])) {
    let mut cell = vec![0; lens.len()];
    loop {
        look(&cell);
        let Some(axis) = (0..lens.len()).rev().find(|&axis| cell[axis] + 1 < lens[axis]) else { return };
        cell[axis] += 1;
        cell[axis + 1..].fill(0);
    }
}

//! The kernel: a strip of the table of distances, 64 rows per machine word, several words side by side.
//!
//! Neighbours in the table differ by at most one, so a column of 64 rows is two sets of rows: those greater by one
//! than the row above, and those less by one (Myers 1999). From the column before, the tokens that are equal, and
//! the step along the top row, Hyyrö's form makes the next column with some twenty operations, and the step along
//! the bottom row, which the next 64 rows need. The words of a strip work on a slant, each one column behind the
//! one above it, so that none waits for another.

/// Rows of a machine word.
pub(super) const WORD: usize = 64;

/// The steps along a row from a column to the next: up by one, or down by one, or neither.
pub(super) type Steps = u8;

pub(super) const UP: Steps = 1;
pub(super) const DOWN: Steps = 2;

/// A column of a strip: rows greater by one than the row above, and rows less by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Column<const L: usize> {
    pub(super) more: [u64; L],
    pub(super) less: [u64; L],
}

impl<const L: usize> Column<L> {
    /// Greater by one from row to row: the first column of the table, and what bounds one that is not known.
    pub(super) const RISING: Self = Column { more: [u64::MAX; L], less: [0; L] };
}

/// The rows of a strip that equal each token.
#[derive(Debug, Clone, Default)]
pub(super) struct Equal<const L: usize> {
    /// By token, the slot of its rows; slot 0 is for tokens that the strip has not. All 0 between strips.
    slots: Vec<u16>,
    rows: Vec<[u64; L]>,
}

impl<const L: usize> Equal<L> {
    /// Makes room for ids below `distinct`.
    pub(super) fn reserve(&mut self, distinct: usize) {
        self.slots.resize(self.slots.len().max(distinct), 0);
    }

    /// Takes in the rows of a strip, at most `L` words of them.
    pub(super) fn load(&mut self, rows: &[u32]) {
        self.rows.clear();
        self.rows.push([0; L]);
        for (row, &token) in rows.iter().enumerate() {
            let slot = &mut self.slots[token as usize];
            if *slot == 0 {
                *slot = self.rows.len() as u16;
                self.rows.push([0; L]);
            }
            self.rows[usize::from(*slot)][row / WORD] |= 1 << (row % WORD);
        }
    }

    /// Forgets them.
    pub(super) fn clear(&mut self, rows: &[u32]) {
        rows.iter().for_each(|&token| self.slots[token as usize] = 0);
    }
}

/// Goes over the columns of `text`. `steps` holds those along the row above the strip, and then those along its
/// last row. Every column is shown to `keep`, a word at a time: its number in the strip, the column, the rows that
/// are more and that are less.
#[inline(always)]
pub(super) fn run<const L: usize>(
    equal: &Equal<L>,
    text: &[u32],
    steps: &mut [Steps],
    column: &mut Column<L>,
    mut keep: impl FnMut(usize, usize, u64, u64),
) {
    let len = text.len().min(steps.len());
    // What each word hands to the one below: the step along its last row, in the column that it has just done, and
    // the slot of that column.
    let (mut up, mut down, mut slots) = ([0; L], [0; L], [0u16; L]);
    for turn in 0..len + L - 1 {
        for word in (1..L).rev() {
            slots[word] = slots[word - 1];
        }
        if turn < len {
            slots[0] = equal.slots[text[turn] as usize];
        }
        if turn + 1 >= L && turn < len {
            // All words are at work: one loop over them, which the compiler turns into vector operations.
            let first = steps[turn];
            let (mut up_in, mut down_in) = ([0; L], [0; L]);
            (up_in[0], down_in[0]) = (u64::from(first & UP), u64::from(first >> 1));
            for word in 1..L {
                (up_in[word], down_in[word]) = (up[word - 1], down[word - 1]);
            }
            let equals: [u64; L] = std::array::from_fn(|word| equal.rows[usize::from(slots[word])][word]);
            for word in 0..L {
                let next =
                    Next::of(column.more[word], column.less[word], equals[word], up_in[word], down_in[word]);
                (column.more[word], column.less[word]) = (next.more, next.less);
                (up[word], down[word]) = (next.up, next.down);
            }
            for word in 0..L {
                keep(word, turn - word, column.more[word], column.less[word]);
            }
        } else {
            for word in (0..L).rev().filter(|word| (*word..*word + len).contains(&turn)) {
                let at = turn - word;
                let (up_in, down_in) = match word {
                    0 => (u64::from(steps[at] & UP), u64::from(steps[at] >> 1)),
                    _ => (up[word - 1], down[word - 1]),
                };
                let equals = equal.rows[usize::from(slots[word])][word];
                let next = Next::of(column.more[word], column.less[word], equals, up_in, down_in);
                (column.more[word], column.less[word]) = (next.more, next.less);
                (up[word], down[word]) = (next.up, next.down);
                keep(word, at, next.more, next.less);
            }
        }
        if let Some(done) = (turn + 1).checked_sub(L) {
            steps[done] = up[L - 1] as Steps | (down[L - 1] as Steps) << 1;
        }
    }
}

/// A column of one word, and the step along its last row.
struct Next {
    more: u64,
    less: u64,
    up: u64,
    down: u64,
}

impl Next {
    #[inline(always)]
    fn of(more: u64, less: u64, equal: u64, up: u64, down: u64) -> Next {
        // Rows that equal the row above in the column before; the sum carries along runs of rising rows.
        let level_or_less = equal | less;
        let equal = equal | down;
        let level = ((equal & more).wrapping_add(more) ^ more) | equal;
        // Rows that are more, or less, than in the column before.
        let step_up = less | !(level | more);
        let step_down = more & level;
        let above_up = step_up << 1 | up;
        let above_down = step_down << 1 | down;
        Next {
            more: above_down | !(level_or_less | above_up),
            less: above_up & level_or_less,
            up: step_up >> (WORD - 1),
            down: step_down >> (WORD - 1),
        }
    }
}

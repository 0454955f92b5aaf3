//! Compares four short pairs of sequences at once. Each pair has one 64-bit lane of a vector.
//!
//! With a single pair, the processor waits for one operation after the other. With four pairs some operation
//! is always ready. A kernel ([`LaneKernel`]) computes one table for each lane, column by column. A row of
//! the table belongs to a token of the first sequence, and is one bit of a machine word. A column belongs to
//! a token of the second sequence.
//!
//! The kernels are plain loops over arrays, which the compiler turns into vectors. They are compiled twice:
//! for every processor, and for processors with vectors of 256 bits.

mod distance;
#[cfg(test)]
mod tests;
mod walk;

use super::strip::WORD;

pub(super) use distance::DistanceLanes;
pub(super) use walk::CountLanes;

const LANES: usize = 4;

/// Maximum length of a sequence, in units of 64 tokens, for comparing four pairs of sequences at once. The
/// distance tables of four such pairs take about 4 MiB. Each of them is small enough that rapidfuzz does not
/// split it.
const MOST_WORDS: usize = 32;
const MOST_COLUMNS: usize = 1 << 11;
// Each lane has a table of rows for every id, so ids must be small.
const MOST_DISTINCT: usize = 1 << 16;

/// Creates an array with a value for each vector lane. `array::from_fn` and `map` would be calls if the
/// optimizer sees one codegen unit at a time.
macro_rules! lanes {
    (|$lane:ident| $value:expr) => {{
        let mut all = [Default::default(); LANES];
        for $lane in 0..LANES {
            all[$lane] = $value;
        }
        all
    }};
}
use lanes;

/// One machine word for each lane, where each lane compares one pair of sequences.
type Lanes = [u64; LANES];

/// Reference and hypothesis to compare, each as a sequence of token ids.
pub(super) type Pair<'s> = (&'s [u32], &'s [u32]);

/// Computation over the tables of four pairs of sequences, with one result for each pair.
pub(super) trait LaneKernel {
    type Found: Copy + Default;

    /// Row of the table that belongs to the first token of a reference.
    const FIRST_ROW: usize;

    /// `true` if the two sequences of a pair may change places. The sequences then take the places in which
    /// the table has fewer machine words.
    const IS_SYMMETRIC: bool;

    /// Computes the results of a group of pairs. `masks` has the rows of each token, as bit sets: the words
    /// of token `t` are `masks[t * group.words..][..group.words]`.
    ///
    /// All implementations are inlined, so that the compiler can use the vectors of the caller.
    fn compute(&mut self, masks: &[Lanes], group: &LaneGroup<'_>) -> [Self::Found; LANES];
}

/// Four pairs of sequences that are compared at once. A group of fewer pairs has empty sequences.
#[derive(Debug, Clone, Copy)]
pub(super) struct LaneGroup<'p> {
    rows: [&'p [u32]; LANES],
    columns: [&'p [u32]; LANES],
    /// Number of machine words of a column of the longest reference.
    words: usize,
}

impl<'p> LaneGroup<'p> {
    /// Returns the number of columns of each lane, in ascending order.
    #[inline(always)]
    fn ends(&self) -> [usize; LANES] {
        let mut ends = lanes!(|lane| self.columns[lane].len());
        ends.sort_unstable();
        ends
    }

    /// Returns the tokens of the columns `from..to` in each lane. A lane that has ended repeats the tokens of
    /// the longest lane, since any token will do there.
    #[inline(always)]
    fn tokens(&self, from: usize, to: usize) -> [&'p [u32]; LANES] {
        let mut longest: &[u32] = &[];
        for columns in self.columns {
            if columns.len() > longest.len() {
                longest = columns;
            }
        }
        lanes!(|lane| {
            let own = self.columns[lane];
            &(if own.len() < to { longest } else { own })[from..to]
        })
    }
}

/// Returns the rows of the table column `at` that have an equal token, in each lane.
#[inline(always)]
fn rows_of<'m>(
    masks: &'m [Lanes],
    tokens: &[&[u32]; LANES],
    at: usize,
    words: usize,
) -> [&'m [Lanes]; LANES] {
    lanes!(|lane| &masks[tokens[lane][at] as usize * words..][..words])
}

/// Bit sets of the rows of each token in four references, and the kernel that reads them.
#[derive(Debug, Clone, Default)]
pub(super) struct LaneTables<K> {
    kernel: K,
    /// All are 0 before and after a group of pairs.
    masks: Vec<Lanes>,
}

/// Returns `true` if a pair of sequences is short enough to be compared together with three other pairs. All
/// token ids of the pair are below `distinct`.
pub(super) fn fits((reference, hypothesis): Pair<'_>, distinct: usize) -> bool {
    let is_short = |sequence: &[u32]| sequence.len() / WORD < MOST_WORDS && sequence.len() <= MOST_COLUMNS;
    let is_small = is_short(reference) && is_short(hypothesis) && distinct <= MOST_DISTINCT;
    is_small && !reference.is_empty() && !hypothesis.is_empty()
}

impl<K: LaneKernel> LaneTables<K> {
    /// Compares the sequences of each pair, four pairs at a time, and calls `each` with the index of the pair
    /// and the result. The token ids of all pairs are below `distinct`, and each pair [`fits`].
    pub(super) fn compare_each<'p>(
        &mut self,
        pairs: &[Pair<'p>],
        distinct: usize,
        mut each: impl FnMut(usize, K::Found),
    ) {
        let words_of = |rows: &[u32]| (rows.len() + K::FIRST_ROW).div_ceil(WORD);
        let placed = |&(one, other): &Pair<'p>| -> Pair<'p> {
            let is_better = words_of(other) * one.len() < words_of(one) * other.len();
            if K::IS_SYMMETRIC && is_better { (other, one) } else { (one, other) }
        };
        let pairs: Vec<Pair<'_>> = pairs.iter().map(placed).collect();
        let order = (0..).zip(&pairs).map(|(at, pair)| (words_of(pair.0) as u32, pair.1.len() as u32, at));
        let mut order: Vec<(u32, u32, u32)> = order.collect();
        // A group takes the time of its longest pair, so similar lengths are grouped.
        order.sort_unstable();
        for places in order.chunks(LANES) {
            let pair =
                |lane: usize| places.get(lane).map(|place| pairs[place.2 as usize]).unwrap_or_default();
            let group = LaneGroup {
                rows: core::array::from_fn(|lane| pair(lane).0),
                columns: core::array::from_fn(|lane| pair(lane).1),
                // The last pair of a group has the most words.
                words: places.last().map_or(1, |place| place.0 as usize),
            };
            let found = self.compare(&group, distinct);
            places.iter().zip(found).for_each(|(place, found)| each(place.2 as usize, found));
        }
    }

    fn compare(&mut self, group: &LaneGroup<'_>, distinct: usize) -> [K::Found; LANES] {
        let LaneTables { kernel, masks } = self;
        let used = distinct * group.words;
        if masks.len() < used {
            // The table is all 0, so a new one serves as well, of which only the used pages take memory.
            *masks = vec![[0; LANES]; used];
        }
        let masks = &mut masks[..used];
        for (lane, rows) in group.rows.iter().enumerate() {
            load(masks, rows, K::FIRST_ROW, group.words, lane);
        }
        let found = compute(kernel, masks, group);
        // Small ids make a small table, which is cleared at once faster than token by token.
        masks.fill([0; LANES]);
        found
    }
}

/// Sets the bits of the rows of each token of a reference in a lane.
fn load(masks: &mut [Lanes], rows: &[u32], first_row: usize, words: usize, lane: usize) {
    let (first, rest) = rows.split_at(rows.len().min(WORD - first_row));
    let mut add = |tokens: &[u32], word: usize, first: usize| {
        let mut bit = 1 << first;
        for &token in tokens {
            masks[token as usize * words + word][lane] |= bit;
            bit <<= 1;
        }
    };
    add(first, 0, first_row);
    for (word, tokens) in (1..).zip(rest.chunks(WORD)) {
        add(tokens, word, 0);
    }
}

fn compute<K: LaneKernel>(kernel: &mut K, masks: &[Lanes], group: &LaneGroup<'_>) -> [K::Found; LANES] {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("popcnt")
    {
        #[allow(
            unsafe_code,
            reason = "half the instructions of the innermost loops; the call below is the safe version"
        )]
        // SAFETY: the processor has these instructions.
        return unsafe { compute_by_avx2(kernel, masks, group) };
    }
    kernel.compute(masks, group)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2,popcnt")]
fn compute_by_avx2<K: LaneKernel>(
    kernel: &mut K,
    masks: &[Lanes],
    group: &LaneGroup<'_>,
) -> [K::Found; LANES] {
    kernel.compute(masks, group)
}

//! Counts the edits of four short pairs of sequences at once. Each pair has one 64-bit lane of two 128-bit
//! vectors.
//!
//! With a single pair, the processor waits for one operation after the other. With four pairs some operation
//! is always ready. The columns of the edit-distance table are stored like in [`strip`](super::strip), with
//! an additional row 0, along which the distance rises by one.
//!
//! The walk back over the table counts only its steps. The numbers of hits, substitutions, deletions and
//! insertions follow from the steps, the distance and the lengths, without comparing tokens.

use super::EditCounts;
use super::strip::WORD;

const LANES: usize = 4;

/// Maximum length of a sequence, in units of 64 tokens, for aligning four pairs of sequences at once. The
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

/// One machine word for each lane, where each lane aligns one pair of sequences.
type Lanes = [u64; LANES];

/// Reference and hypothesis to align, each as a sequence of token ids.
pub(super) type Pair<'s> = (&'s [u32], &'s [u32]);

#[derive(Debug, Clone, Default)]
pub(super) struct LanesScratch {
    /// For each token, the bit set of its positions (rows) in the reference. All are 0 before and after a
    /// group of pairs.
    equal: [Vec<u64>; LANES],
    /// Edit-distance tables of four pairs of sequences, stored as differences between neighbouring rows. Each
    /// entry holds 64 rows of one column; columns start at 0.
    cells: Vec<LaneRows>,
    column: Vec<(Lanes, Lanes)>,
}

/// Differences between neighbouring rows of an edit-distance table, for 64 rows of one column and four pairs
/// of sequences. A row belongs to a reference token, a column to a hypothesis token.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct LaneRows {
    /// Bit set of the rows of this column of the edit-distance table whose distance is one more than in the
    /// row above.
    more: Lanes,
    /// Bit set of the rows of the previous column of the edit-distance table whose distance is one less than
    /// in the row above. Row 0 is always set, so that a walk back ends in column 0.
    less_before: Lanes,
}

/// Returns `true` if a pair of sequences is short enough to be aligned together with three other pairs. All
/// token ids of the pair are below `distinct`.
pub(super) fn fits((reference, hypothesis): Pair<'_>, distinct: usize) -> bool {
    let words = words_of(reference);
    let columns = hypothesis.len();
    let is_small = words <= MOST_WORDS && columns <= MOST_COLUMNS && distinct <= MOST_DISTINCT;
    is_small && !reference.is_empty() && columns > 0
}

/// Counts the edits of each pair of sequences, four pairs at a time, and calls `each` with the pair's index
/// and counts. The token ids of all pairs are below `distinct`.
///
/// The counts equal [`align`](super::align::align)'s. The sequences of a pair must differ in the first and in
/// the last token, and be short enough for [`fits`]. Without `WALK` only the distance is computed, and all
/// edits are reported as substitutions.
pub(super) fn align_each<const WALK: bool>(
    scratch: &mut LanesScratch,
    pairs: &[Pair<'_>],
    distinct: usize,
    mut each: impl FnMut(usize, EditCounts),
) {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    // A group takes the time of its longest pair, so similar lengths are grouped.
    order.sort_unstable_by_key(|&at| (words_of(pairs[at].0), pairs[at].1.len()));
    for places in order.chunks(LANES) {
        let group: [Pair<'_>; LANES] =
            lanes!(|lane| places.get(lane).map_or((&[][..], &[][..]), |&at| pairs[at]));
        let counts = counts::<WALK>(scratch, &group, distinct);
        places.iter().zip(counts).for_each(|(&at, counts)| each(at, counts));
    }
}

fn words_of(reference: &[u32]) -> usize {
    reference.len() / WORD + 1
}

#[inline(always)]
fn counts<const WALK: bool>(
    scratch: &mut LanesScratch,
    group: &[Pair<'_>; LANES],
    distinct: usize,
) -> [EditCounts; LANES] {
    let LanesScratch { equal, cells, column } = scratch;
    let words = group.iter().map(|pair| words_of(pair.0)).max().unwrap_or(1);
    let columns = group.iter().map(|pair| pair.1.len()).max().unwrap_or(0);
    load(equal, group, distinct, words);
    // One extra column: `less_before` of a column is stored in the next one.
    let needed = (columns + 2) * words;
    if cells.len() < needed {
        cells.resize(needed, LaneRows::default());
    }
    let cells = &mut cells[..needed];
    match words {
        // Arrays of known length stay in registers; longer columns use memory.
        1 => sweep(equal, group, cells, &mut [START; 1]),
        2 => sweep(equal, group, cells, &mut [START; 2]),
        3 => sweep(equal, group, cells, &mut [START; 3]),
        4.. => {
            column.clear();
            column.resize(words, START);
            sweep(equal, group, cells, &mut column[..]);
        }
        0 => {}
    }
    unload(equal, group, words);
    if !WALK {
        return lanes!(|lane| EditCounts {
            substitutions: distance(cells, group[lane], words, lane),
            ..EditCounts::default()
        });
    }
    let deletions = walk(cells, group, words);
    lanes!(|lane| {
        let rows = group[lane].0.len() as u64;
        let columns = group[lane].1.len() as u64;
        // Each step but a deletion moves one column, each but an insertion one row: the lengths determine the
        // rest.
        let insertions = deletions[lane] + columns - rows;
        let substitutions = distance(cells, group[lane], words, lane) - deletions[lane] - insertions;
        let hits = rows - deletions[lane] - substitutions;
        EditCounts { hits, substitutions, deletions: deletions[lane], insertions }
    })
}

fn load(equal: &mut [Vec<u64>; LANES], group: &[Pair<'_>; LANES], distinct: usize, words: usize) {
    for (equal, (reference, _)) in equal.iter_mut().zip(group) {
        equal.resize(equal.len().max(distinct * words), 0);
        // Bit 0 is row 0 of the table, so tokens begin at bit 1.
        for (row, &token) in (1..).zip(*reference) {
            equal[token as usize * words + row / WORD] |= 1 << (row % WORD);
        }
    }
}

fn unload(equal: &mut [Vec<u64>; LANES], group: &[Pair<'_>; LANES], words: usize) {
    for (equal, (reference, _)) in equal.iter_mut().zip(group) {
        for (row, &token) in (1..).zip(*reference) {
            equal[token as usize * words + row / WORD] = 0;
        }
    }
}

/// First column of the edit-distance table, in which the distance rises by one from row to row. All bits
/// `more` (one more than in the row above) are set, and no bit `less`.
const START: (Lanes, Lanes) = ([u64::MAX; LANES], [0; LANES]);

/// Computes the edit-distance tables of four pairs of sequences from column 1 on. `column` is working memory
/// for one column of machine words; the compiler keeps a short array in registers.
#[inline(always)]
fn sweep<C: AsMut<[(Lanes, Lanes)]> + ?Sized>(
    equal: &[Vec<u64>; LANES],
    group: &[Pair<'_>; LANES],
    cells: &mut [LaneRows],
    column: &mut C,
) {
    let column = column.as_mut();
    let words = column.len();
    // Row 0 has no row above it, so its bit is clear.
    column[0].0 = [u64::MAX - 1; LANES];
    for (at, cells) in cells.chunks_exact_mut(words).skip(1).enumerate() {
        // After the end of a lane any token will do, because the walk begins at the lane's own last column.
        let token = |lane: usize| group[lane].1.get(at).copied().unwrap_or(0) as usize;
        let equals: [&[u64]; LANES] = lanes!(|lane| &equal[lane][token(lane) * words..][..words]);
        let mut above = ([1; LANES], [0; LANES]);
        for word in 0..words {
            let less_before = column[word].1;
            above = advance(lanes!(|lane| equals[lane][word]), &mut column[word], above);
            cells[word] = LaneRows { more: column[word].0, less_before };
        }
        cells[0].less_before.iter_mut().for_each(|less| *less |= 1);
    }
}

/// Computes the next column of the distance table in every vector lane, with the same operations as
/// [`advance`](super::strip::advance).
#[inline(always)]
fn advance(equals: Lanes, (more, less): &mut (Lanes, Lanes), (up, down): (Lanes, Lanes)) -> (Lanes, Lanes) {
    let level_or_less: Lanes = lanes!(|lane| equals[lane] | less[lane]);
    let equal: Lanes = lanes!(|lane| equals[lane] | down[lane]);
    let carried: Lanes = lanes!(|lane| (equal[lane] & more[lane]).wrapping_add(more[lane]));
    let level: Lanes = lanes!(|lane| (carried[lane] ^ more[lane]) | equal[lane]);
    let step_up: Lanes = lanes!(|lane| less[lane] | !(level[lane] | more[lane]));
    let step_down: Lanes = lanes!(|lane| more[lane] & level[lane]);
    let above_up: Lanes = lanes!(|lane| step_up[lane] << 1 | up[lane]);
    let above_down: Lanes = lanes!(|lane| step_down[lane] << 1 | down[lane]);
    *more = lanes!(|lane| above_down[lane] | !(level_or_less[lane] | above_up[lane]));
    *less = lanes!(|lane| above_up[lane] & level_or_less[lane]);
    (lanes!(|lane| step_up[lane] >> (WORD - 1)), lanes!(|lane| step_down[lane] >> (WORD - 1)))
}

/// Walks back from the end over the edit-distance tables of four pairs of sequences. Returns the number of
/// deletions in the alignment of each pair.
///
/// Let `D(i, j)` be the distance of the first `i` reference and `j` hypothesis tokens. A step deletes if
/// `D(i, j) = D(i - 1, j) + 1`. Otherwise it inserts if `D(i, j - 1) < D(i - 1, j - 1)`; otherwise it pairs
/// two tokens.
///
/// A position `(i, j)` in a table is stored as one number: `j` times the number of bits of a column, plus
/// `i`.
#[inline(always)]
fn walk(cells: &[LaneRows], group: &[Pair<'_>; LANES], words: usize) -> Lanes {
    let column = words * WORD;
    let mut places: [usize; LANES] = lanes!(|lane| group[lane].1.len() * column + group[lane].0.len());
    let mut steps: Lanes = [0; LANES];
    let step = |lane: usize, place: usize| {
        let cell = &cells[place / WORD];
        let more = cell.more[lane] >> (place % WORD);
        let less = cell.less_before[lane] >> (place % WORD);
        // One row is one bit, one column is `column` bits: a pair steps back both.
        if more & 1 != 0 { 1 } else { column + 1 - (less & 1) as usize }
    };
    while places.iter().all(|&place| place >= column) {
        places = lanes!(|lane| places[lane] - step(lane, places[lane]));
        steps.iter_mut().for_each(|steps| *steps += 1);
    }
    // Lanes that have ended take steps of 0, without an unpredictable branch for each lane.
    while places.iter().any(|&place| place >= column) {
        for lane in 0..LANES {
            let goes_on = places[lane] >= column;
            places[lane] -= if goes_on { step(lane, places[lane]) } else { 0 };
            steps[lane] += u64::from(goes_on);
        }
    }
    // Every step but a deletion goes back one column. The rows above the last position are deletions too.
    lanes!(|lane| steps[lane] + places[lane] as u64 - group[lane].1.len() as u64)
}

fn distance(cells: &[LaneRows], (reference, hypothesis): Pair<'_>, words: usize, lane: usize) -> u64 {
    let rows = reference.len();
    let columns = hypothesis.len();
    let mut distance = columns as u64;
    for word in 0..=rows / WORD {
        // Row 0 and rows after the last one do not count.
        let to_last = if word == rows / WORD { u64::MAX >> (WORD - 1 - rows % WORD) } else { u64::MAX };
        let counted = if word == 0 { to_last & !1 } else { to_last };
        let last = &cells[columns * words + word];
        let next = &cells[(columns + 1) * words + word];
        distance += u64::from((last.more[lane] & counted).count_ones());
        distance -= u64::from((next.less_before[lane] & counted).count_ones());
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::super::align::{AlignScratch, align, is_cut, without_ends};
    use super::*;

    /// Creates pairs of token sequences of various lengths and alphabets. The two sequences of a pair differ
    /// in their first tokens and in their last tokens.
    fn pairs(seeds: &[(u8, u16, u16, u8)]) -> Vec<(Vec<u32>, Vec<u32>)> {
        let tokens = |seed: usize, length: u16, alphabet: u8, own: u32| {
            let token =
                |at: usize| ((at * at + 31 * seed * at / 7 + seed) % (usize::from(alphabet % 60) + 1)) as u32;
            let inner = (0..usize::from(length % 400)).map(token);
            core::iter::once(100 + own).chain(inner).chain([102 + own]).collect()
        };
        let pair = |&(seed, rows, columns, alphabet): &(u8, u16, u16, u8)| {
            let columns = if seed % 3 == 0 { rows.wrapping_add(columns % 20) } else { columns };
            (
                tokens(usize::from(seed), rows, alphabet, 0),
                tokens(usize::from(seed / 16), columns, alphabet, 1),
            )
        };
        seeds.iter().map(pair).collect()
    }

    quickcheck::quickcheck! {
        fn counts_are_those_of_the_alignment_of_each_pair(seeds: Vec<(u8, u16, u16, u8)>) -> bool {
            let owned = pairs(&seeds);
            let pairs: Vec<Pair<'_>> = owned.iter().map(|(one, other)| (&one[..], &other[..])).collect();
            let twin = |&(reference, hypothesis): &Pair<'_>| {
                align(&mut AlignScratch::default(), reference, hypothesis, 104, EditCounts::default()).unwrap()
            };
            let expected: Vec<EditCounts> = pairs.iter().map(twin).collect();
            let mut scratch = LanesScratch::default();
            let mut found = vec![EditCounts::default(); pairs.len()];
            // Runs twice, because the tables are reused.
            for _ in 0..2 {
                align_each::<true>(&mut scratch, &pairs, 104, |at, counts| found[at] = counts);
            }
            pairs.iter().all(|&pair| fits(pair, 104) && without_ends(pair.0, pair.1).0 == 0) && found == expected
        }
    }

    #[test]
    fn no_pair_that_fits_is_cut() {
        assert!(!is_cut(MOST_WORDS * WORD - 1, MOST_COLUMNS, None));
    }
}

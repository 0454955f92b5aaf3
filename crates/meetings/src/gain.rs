//! [`Strip`]: the words that an alignment saves along a stream, for every position in it, as bits.
//!
//! Every word is two symbols, a place and the word itself. A common subsequence has both for a match and the first for a
//! substitution, which are the edits that they save; without the places a substitution saves nothing, and costs two edits.
//! A row of its table is one bit for each symbol of the stream (Hyyrö 2004), and a word changes it near the words that it
//! may meet, and as far as the change is carried.

use core::ops::Range;

use crate::timed::{Reach, TimedWords, overlap};

const BITS: usize = 64;

/// The words in a block of bits.
const WORDS: usize = BITS / 2;

/// The even bits: places.
const PLACES: u64 = u64::MAX / 3;

/// A stream of words.
pub(crate) struct Strip {
    len: usize,
    times: Vec<[f64; 2]>,
    reach: Option<Reach>,
    /// The positions of each token: `positions[starts[token]..starts[token + 1]]`.
    starts: Vec<u32>,
    positions: Vec<u32>,
    masks: Vec<[u64; 2]>,
}

/// The symbols of a stream from which on nothing more is saved than before them, 0 for the others.
pub(crate) type Row = Vec<u64>;

impl Strip {
    /// The stream of these words, from the end if it is reversed; ids are below `distinct`.
    pub(crate) fn of(stream: &TimedWords, distinct: usize, timed: bool, reversed: bool) -> Self {
        let (mut words, mut times) = (stream.words.clone(), stream.times.clone());
        if reversed {
            words.reverse();
            times.reverse();
        }
        let mut starts = vec![0; distinct + 2];
        words.iter().for_each(|&word| starts[word as usize + 2] += 1);
        (1..starts.len()).for_each(|id| starts[id] += starts[id - 1]);
        let mut positions = vec![0; words.len()];
        for (position, &word) in (0..).zip(&words) {
            let place: &mut u32 = &mut starts[word as usize + 1];
            positions[*place as usize] = position;
            *place += 1;
        }
        let reach = timed.then(|| Reach::of(&times));
        Strip { len: words.len(), times, reach, starts, positions, masks: Vec::new() }
    }

    /// The row before any word, where nothing is saved.
    pub(crate) fn row(&self) -> Row {
        vec![u64::MAX; self.len.div_ceil(WORDS)]
    }

    /// The row after one more word; `substitutions` if they save an edit.
    pub(crate) fn push(&mut self, row: &mut Row, word: u32, time: Option<[f64; 2]>, substitutions: bool) {
        let range = match (&self.reach, time) {
            (Some(reach), Some(time)) => reach.range(time),
            _ => 0..self.len,
        };
        if range.is_empty() {
            return;
        }
        let blocks = range.start / WORDS..range.end.div_ceil(WORDS);
        self.load(word, time, range, &blocks);
        for symbol in usize::from(!substitutions)..2 {
            let mut carry = false;
            for (level, masks) in row[blocks.clone()].iter_mut().zip(&self.masks) {
                let met = *level & masks[symbol];
                let (sum, over) = level.overflowing_add(met);
                let (sum, more) = sum.overflowing_add(u64::from(carry));
                (*level, carry) = (sum | *level & !masks[symbol], over | more);
            }
            for level in &mut row[blocks.end..] {
                if !carry {
                    break;
                }
                let (sum, over) = level.overflowing_add(1);
                (*level, carry) = (sum | *level, over);
            }
        }
    }

    /// The places that the word may meet, and the words that equal it.
    fn load(&mut self, word: u32, time: Option<[f64; 2]>, range: Range<usize>, blocks: &Range<usize>) {
        self.masks.clear();
        self.masks.resize(blocks.len(), [0; 2]);
        let time = time.filter(|_| self.reach.is_some());
        let near = |at: usize| time.is_none_or(|time| overlap(time, self.times[at]));
        let bit = |at: usize| (at / WORDS - blocks.start, 1u64 << (2 * (at % WORDS)));
        if time.is_none() {
            self.masks.iter_mut().for_each(|masks| masks[0] = PLACES);
            let last = self.len % WORDS;
            if let (1.., Some(masks)) = (last, self.masks.last_mut()) {
                masks[0] &= (1 << (2 * last)) - 1;
            }
        } else {
            for at in range.clone().filter(|at| near(*at)) {
                let (block, place) = bit(at);
                self.masks[block][0] |= place;
            }
        }
        let all = self.starts[word as usize] as usize..self.starts[word as usize + 1] as usize;
        let positions = &self.positions[all];
        let first = positions.partition_point(|&at| (at as usize) < range.start);
        let equal = positions[first..].iter().map(|&at| at as usize).take_while(|at| *at < range.end);
        for at in equal.filter(|at| near(*at)) {
            let (block, place) = bit(at);
            self.masks[block][1] |= place << 1;
        }
    }

    /// The steps of a row of the reversed stream, in the order of the stream.
    pub(crate) fn turned(&self, row: &Row) -> Row {
        let (bits, all) = (2 * self.len, BITS * row.len());
        let shift = all - bits;
        let block = |at: usize| row.get(at).map_or(0, |row| (!row).reverse_bits());
        (0..row.len())
            .map(|at| {
                let own = block(row.len() - 1 - at);
                let next = (row.len() - 1 - at).checked_sub(1).map_or(0, block);
                if shift == 0 { own } else { own >> shift | next << (BITS - shift) }
            })
            .collect()
    }
}

/// The most that words before and words after save together, for any position between the two: the row of those before, and
/// the [turned](Strip::turned) row of those after.
pub(crate) fn most_saved(before: &Row, after: &[u64]) -> u32 {
    let mut saved = after.iter().map(|steps| steps.count_ones()).sum::<u32>();
    let mut most = saved;
    for (level, &falls) in before.iter().zip(after) {
        let rises = !level;
        if rises == 0 || falls == 0 {
            saved = saved + rises.count_ones() - falls.count_ones();
            most = most.max(saved);
            continue;
        }
        for at in 0..WORDS {
            let pair = |steps: u64| (steps >> (2 * at) & 3).count_ones();
            saved = saved + pair(rises) - pair(falls);
            most = most.max(saved);
        }
    }
    most
}

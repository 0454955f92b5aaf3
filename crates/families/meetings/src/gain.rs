//! [`Strip`]: the words that an alignment saves along a stream, for every position in it, as bits.
//!
//! Every word is two symbols, a place and the word itself. A common subsequence has both for a match and the first for a
//! substitution, which are the edits that they save; without the places a substitution saves nothing, and costs two edits.
//! A row of its table is one bit for each symbol of the stream (Hyyrö 2004), and a word changes it near the words that it
//! may meet, and as far as the change is carried.

use core::ops::Range;

use crate::timed::{Reach, TimedWords, overlap, span};

const BITS: usize = 64;

/// The words in a block of bits.
const WORDS: usize = BITS / 2;

/// The even bits: places.
const PLACES: u64 = u64::MAX / 3;

/// A stream of words, from the end if it is reversed.
pub(crate) struct Strip {
    stream: TimedWords,
    reversed: bool,
    reach: Option<Reach>,
    /// The positions of each token: `positions[starts[token]..starts[token + 1]]`.
    starts: Vec<u32>,
    positions: Vec<u32>,
    masks: Vec<[u64; 2]>,
}

/// The symbols of a stream from which on nothing more is saved than before them, 0 for the others.
pub(crate) type Row = Vec<u64>;

impl Strip {
    /// The strip of a stream; ids are below `distinct`.
    pub(crate) fn of(stream: &TimedWords, distinct: usize, timed: bool, reversed: bool) -> Self {
        let mut stream = stream.clone();
        if reversed {
            stream.words.reverse();
            stream.times.reverse();
        }
        let mut starts = vec![0; distinct + 2];
        stream.words.iter().for_each(|&word| starts[word as usize + 2] += 1);
        (1..starts.len()).for_each(|id| starts[id] += starts[id - 1]);
        let mut positions = vec![0; stream.words.len()];
        for (position, &word) in (0..).zip(&stream.words) {
            let place: &mut u32 = &mut starts[word as usize + 1];
            positions[*place as usize] = position;
            *place += 1;
        }
        let reach = timed.then(|| Reach::of(&stream.times));
        Strip { stream, reversed, reach, starts, positions, masks: Vec::new() }
    }

    /// The row before any word, where nothing is saved.
    pub(crate) fn row(&self) -> Row {
        vec![u64::MAX; self.stream.words.len().div_ceil(WORDS)]
    }

    /// The row after the words of one more utterance, from its end if the stream is reversed; `substitutions` if they save an
    /// edit.
    pub(crate) fn push(&mut self, row: &mut Row, utterance: &TimedWords, substitutions: bool) {
        let all = 0..self.stream.words.len();
        let near = match (&self.reach, span(&utterance.times)) {
            (Some(reach), Some(span)) => reach.range(span),
            _ => all,
        };
        let words = utterance.words.len();
        for place in 0..words {
            let place = if self.reversed { words - 1 - place } else { place };
            let word = utterance.words[place];
            let blocks = match (&self.reach, utterance.times.get(place)) {
                (Some(reach), Some(&time)) => {
                    let range = reach.within(near.clone(), time);
                    self.load_timed(word, time, range)
                }
                _ => self.load(word),
            };
            self.update(row, blocks, substitutions);
        }
    }

    fn update(&self, row: &mut Row, blocks: Range<usize>, substitutions: bool) {
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

    /// Masks of the places that a word may meet, and of the words there that equal it; the blocks that they belong to.
    fn load_timed(&mut self, word: u32, time: [f64; 2], range: Range<usize>) -> Range<usize> {
        let first = range.start / WORDS;
        let blocks = first..range.end.div_ceil(WORDS).max(first);
        self.masks.clear();
        self.masks.resize(blocks.len(), [0; 2]);
        for at in range {
            if overlap(time, self.stream.times[at]) {
                let (masks, place) = (&mut self.masks[at / WORDS - first], 1u64 << (2 * (at % WORDS)));
                masks[0] |= place;
                masks[1] |= if self.stream.words[at] == word { place << 1 } else { 0 };
            }
        }
        blocks
    }

    /// The same for a word that may meet all.
    fn load(&mut self, word: u32) -> Range<usize> {
        let len = self.stream.words.len();
        self.masks.clear();
        self.masks.resize(len.div_ceil(WORDS), [PLACES, 0]);
        if let (last @ 1.., Some(masks)) = (len % WORDS, self.masks.last_mut()) {
            masks[0] &= (1 << (2 * last)) - 1;
        }
        let own = self.starts[word as usize] as usize..self.starts[word as usize + 1] as usize;
        for &at in &self.positions[own] {
            self.masks[at as usize / WORDS][1] |= 2 << (2 * (at as usize % WORDS));
        }
        0..self.masks.len()
    }

    /// The steps of a row of the reversed stream, in the order of the stream.
    pub(crate) fn turned(&self, row: &Row) -> Row {
        let (bits, all) = (2 * self.stream.words.len(), BITS * row.len());
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

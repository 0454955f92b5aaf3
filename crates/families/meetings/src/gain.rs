//! [`Strip`]: a bit-parallel alignment of utterances with a stream of words (one output channel). The
//! alignment table counts saved edits, compared with an alignment that deletes and inserts every word: a
//! match saves two edits, and a substitution saves one.
//!
//! Every word is encoded as two symbols: a wildcard that is the same for all words, and the word itself. The
//! saved edits are then the length of the longest common subsequence: it contains both symbols of a match,
//! and only the wildcard of a substitution. If the wildcards are left out, a substitution saves nothing and
//! costs two edits.
//!
//! A row of the table has one bit for each symbol of the stream (Hyyrö 2004). One more utterance word changes
//! the row by an addition. It changes only the bits of stream words that may be aligned with this word, and
//! the bits after them that the carry reaches.

use core::ops::Range;

use crate::timed::{Reach, WordsWithTimes, overlap, span};

const BITS: usize = 64;

/// Number of stream words in a block of 64 bits; each word takes two bits.
const WORDS: usize = BITS / 2;

/// Bit mask of the even bits of a block of 64 bits. Each stream word has two bits: the even bit is for a
/// wildcard symbol that all words share, and the odd bit for the word itself.
const PLACES: u64 = u64::MAX / 3;

/// Stream of words with bit masks for bit-parallel alignment. The words are in reverse order if `reversed` is
/// set.
pub(crate) struct Strip {
    stream: WordsWithTimes,
    reversed: bool,
    reach: Option<Reach>,
    /// Positions of the stream's words, grouped by token id: token `t` has `positions[starts[t]..starts[t +
    /// 1]]`.
    starts: Vec<u32>,
    positions: Vec<u32>,
    masks: Vec<[u64; 2]>,
}

/// Row of the alignment table, which counts the edits saved compared with deleting and inserting every word.
/// It has two bits for each word of the stream, in blocks of 64 bits. A bit is 0 if the number of saved edits
/// grows by one at this point of the stream, else 1.
pub(crate) type Row = Vec<u64>;

impl Strip {
    /// Prepares a stream of words for alignment: indexes the positions of each token id. Ids are below
    /// `distinct`. With `timed`, only words that overlap in time are aligned; with `reversed`, the stream is
    /// read from its end.
    pub(crate) fn from_stream(stream: &WordsWithTimes, distinct: usize, timed: bool, reversed: bool) -> Self {
        let mut stream = stream.clone();
        if reversed {
            stream.words.reverse();
            stream.times.reverse();
        }
        // A counting sort by token. The starts are shifted by two places, so that filling the positions
        // moves each start to its final value without a second table.
        let mut starts = vec![0; distinct + 2];
        stream.words.iter().for_each(|&word| starts[word as usize + 2] += 1);
        (1..starts.len()).for_each(|id| starts[id] += starts[id - 1]);
        let mut positions = vec![0; stream.words.len()];
        for (position, &word) in (0..).zip(&stream.words) {
            let place: &mut u32 = &mut starts[word as usize + 1];
            positions[*place as usize] = position;
            *place += 1;
        }
        let reach = timed.then(|| Reach::from_times(&stream.times));
        Strip { stream, reversed, reach, starts, positions, masks: Vec::new() }
    }

    /// Returns the first row of the alignment table, before any utterance is aligned. All its bits are 1,
    /// because no edits are saved yet.
    pub(crate) fn row(&self) -> Row {
        vec![u64::MAX; self.stream.words.len().div_ceil(WORDS)]
    }

    /// Aligns the words of one more utterance with the stream, and updates `row` of the alignment table. With
    /// `substitutions`, a substitution costs one edit, otherwise two, like a deletion and an insertion. The
    /// words are taken in reverse order if the stream is reversed.
    pub(crate) fn push(&mut self, row: &mut Row, utterance: &WordsWithTimes, substitutions: bool) {
        let all = 0..self.stream.words.len();
        // One range for the whole utterance narrows the search for each of its words.
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
        // Without substitutions the place symbols are skipped, so only matches save edits.
        for symbol in usize::from(!substitutions)..2 {
            let mut carry = false;
            for (level, masks) in row[blocks.clone()].iter_mut().zip(&self.masks) {
                // Hyyrö's step: a sum carries each met symbol to the next symbol where the saved edits grow.
                let met = *level & masks[symbol];
                let (sum, over) = level.overflowing_add(met);
                let (sum, more) = sum.overflowing_add(u64::from(carry));
                (*level, carry) = (sum | *level & !masks[symbol], over | more);
            }
            // No symbol is met from here on, so only the carry still changes blocks.
            for level in &mut row[blocks.end..] {
                if !carry {
                    break;
                }
                let (sum, over) = level.overflowing_add(1);
                (*level, carry) = (sum | *level, over);
            }
        }
    }

    /// Sets the bit masks for an utterance word with a time: the stream words that overlap it in time, and
    /// among these the words that equal it. Returns the range of 64-bit blocks of the row that the masks
    /// cover.
    fn load_timed(&mut self, word: u32, time: [f64; 2], range: Range<usize>) -> Range<usize> {
        let first = range.start / WORDS;
        let blocks = first..range.end.div_ceil(WORDS).max(first);
        self.masks.clear();
        self.masks.resize(blocks.len(), [0; 2]);
        for at in range {
            if overlap(time, self.stream.times[at]) {
                let masks = &mut self.masks[at / WORDS - first];
                let place = 1u64 << (2 * (at % WORDS));
                masks[0] |= place;
                masks[1] |= if self.stream.words[at] == word { place << 1 } else { 0 };
            }
        }
        blocks
    }

    /// Sets the bit masks for an utterance word without a time: one mask of all stream words, and one of the
    /// stream words that equal it. Returns the range of 64-bit blocks of the row that the masks cover.
    fn load(&mut self, word: u32) -> Range<usize> {
        let len = self.stream.words.len();
        self.masks.clear();
        self.masks.resize(len.div_ceil(WORDS), [PLACES, 0]);
        // Places after the last word of the stream do not exist.
        if let (last @ 1.., Some(masks)) = (len % WORDS, self.masks.last_mut()) {
            masks[0] &= (1 << (2 * last)) - 1;
        }
        let own = self.starts[word as usize] as usize..self.starts[word as usize + 1] as usize;
        for &at in &self.positions[own] {
            self.masks[at as usize / WORDS][1] |= 2 << (2 * (at as usize % WORDS));
        }
        0..self.masks.len()
    }

    /// Converts a row of the alignment table of the reversed stream to the order of the original stream. Bit
    /// `i` of the result is 1 if the stream after bit `i` can save one edit fewer than the stream from bit
    /// `i` on.
    pub(crate) fn turned(&self, row: &Row) -> Row {
        let bits = 2 * self.stream.words.len();
        let all = BITS * row.len();
        let shift = all - bits;
        // The inverse has 1 where the reversed row grows; read from the other end, the saved edits fall
        // there.
        let block = |at: usize| row.get(at).map_or(0, |row| (!row).reverse_bits());
        (0..row.len())
            .map(|at| {
                let own = block(row.len() - 1 - at);
                let next = (row.len() - 1 - at).checked_sub(1).map_or(0, block);
                // The last block is only partly used, so reversal leaves the bits shifted by its unused
                // part.
                if shift == 0 { own } else { own >> shift | next << (BITS - shift) }
            })
            .collect()
    }
}

/// Returns the largest number of edits that utterances can save, compared with deleting and inserting every
/// word. Earlier utterances are aligned with the stream's words before a position, and later utterances with
/// the words after it. The best position counts. `before` is the row of the earlier utterances, and `after`
/// the [turned](Strip::turned) row of the later ones.
pub(crate) fn most_saved(before: &Row, after: &[u64]) -> u32 {
    // At the first position the later utterances have the whole stream.
    let mut saved = after.iter().map(|steps| steps.count_ones()).sum::<u32>();
    let mut most = saved;
    for (level, &falls) in before.iter().zip(after) {
        let rises = !level;
        // If one side does not change in a block, the sum is monotone in it, so its two ends are the only
        // candidates.
        if rises == 0 || falls == 0 {
            saved = saved + rises.count_ones() - falls.count_ones();
            most = most.max(saved);
            continue;
        }
        // A split lies between words, so both symbols of a word are passed together.
        for at in 0..WORDS {
            let pair = |steps: u64| (steps >> (2 * at) & 3).count_ones();
            saved = saved + pair(rises) - pair(falls);
            most = most.max(saved);
        }
    }
    most
}

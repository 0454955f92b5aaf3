//! [`least_edits`]: the least cost of an utterance at any place.

use bleuprint_core::Result;

use crate::shared::Work;

const WORDS: usize = 64;

/// The fewest edits of each utterance against any piece of any stream, as columns of bits (Myers 1999) whose first row is
/// 0 throughout, since a piece begins anywhere. Of more than 64 words the sum over parts of so many, which is no more.
///
/// # Errors
/// An interruption.
pub(super) fn least_edits(utterances: &[&[u32]], streams: &[&[u32]], distinct: usize) -> Result<Vec<u32>> {
    let (mut equal, mut work) = (vec![0u64; distinct], Work::default());
    let mut least = |words: &[u32]| {
        work.add(streams.iter().map(|stream| stream.len()).sum())?;
        for (bit, &word) in words.iter().enumerate() {
            equal[word as usize] |= 1 << bit;
        }
        // Without any piece all words are deleted.
        let best = streams.iter().map(|stream| of_stream(words.len(), stream, &equal)).min();
        words.iter().for_each(|&word| equal[word as usize] = 0);
        Ok(best.unwrap_or(words.len() as u32))
    };
    utterances.iter().map(|utterance| utterance.chunks(WORDS).map(&mut least).sum::<Result<u32>>()).collect()
}

fn of_stream(words: usize, stream: &[u32], equal: &[u64]) -> u32 {
    let (mut more, mut less) = (u64::MAX, 0u64);
    let (mut cost, last) = (words as u32, words - 1);
    let mut best = cost;
    for &token in stream {
        let equal = equal[token as usize];
        let level_or_less = equal | less;
        let level = ((equal & more).wrapping_add(more) ^ more) | equal;
        let step_up = less | !(level | more);
        let step_down = more & level;
        cost = cost + (step_up >> last & 1) as u32 - (step_down >> last & 1) as u32;
        best = best.min(cost);
        let (above_up, above_down) = (step_up << 1, step_down << 1);
        more = above_down | !(level_or_less | above_up);
        less = above_up & level_or_less;
    }
    best
}

//! [`least_edits`]: the least cost of an utterance at any place.

/// The words that it takes at most.
pub(crate) const LEAST_WORDS: usize = 64;

/// The fewest edits of words against any part of any piece, as columns of bits (Myers 1999) whose first row is 0 throughout,
/// since a part begins anywhere. For more words the sum over parts of [`LEAST_WORDS`] is no more than the least. `equal` is
/// zero for every token, before and after.
pub(crate) fn least_edits(words: &[u32], pieces: &[&[u32]], equal: &mut [u64]) -> u32 {
    for (bit, &word) in words.iter().enumerate() {
        equal[word as usize] |= 1 << bit;
    }
    // Without any piece all words are deleted.
    let best = pieces.iter().map(|piece| of_piece(words.len(), piece, equal)).min();
    words.iter().for_each(|&word| equal[word as usize] = 0);
    best.unwrap_or(words.len() as u32)
}

fn of_piece(words: usize, piece: &[u32], equal: &[u64]) -> u32 {
    let (mut more, mut less) = (u64::MAX, 0u64);
    let (mut cost, last) = (words as u32, words - 1);
    let mut best = cost;
    for &token in piece {
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

//! [`least_edits`]: a lower bound of the edit distance of an utterance to any part of a stream of words.

/// Largest number of words of an utterance that [`least_edits`] processes, one bit for each word.
pub(crate) const LEAST_WORDS: usize = 64;

/// Returns the smallest edit distance between `words` and any part of any of the `pieces` (lists of words).
/// `equal` is working memory with one number for each token id; all are zero before and after the call.
///
/// The function computes columns of bits (Myers 1999). The first row of the table is 0 throughout, because a
/// part may begin anywhere. The caller cuts a longer utterance into pieces of [`LEAST_WORDS`] words. The sum
/// of their results is a lower bound of the edits of the whole utterance.
pub(crate) fn least_edits(words: &[u32], pieces: &[&[u32]], equal: &mut [u64]) -> u32 {
    for (bit, &word) in words.iter().enumerate() {
        equal[word as usize] |= 1 << bit;
    }
    // Without any piece all words are deleted.
    let best = pieces.iter().map(|piece| of_piece(words.len(), piece, equal)).min();
    // Only the words of this utterance are cleared: a full reset would cost the size of the vocabulary.
    words.iter().for_each(|&word| equal[word as usize] = 0);
    best.unwrap_or(words.len() as u32)
}

fn of_piece(words: usize, piece: &[u32], equal: &[u64]) -> u32 {
    let mut more = u64::MAX;
    let mut less = 0u64;
    let mut cost = words as u32;
    let last = words - 1;
    let mut best = cost;
    for &token in piece {
        let equal = equal[token as usize];
        let level_or_less = equal | less;
        // Myers's step without a carry into the first row: a part may start at any word at no cost.
        let level = ((equal & more).wrapping_add(more) ^ more) | equal;
        let step_up = less | !(level | more);
        let step_down = more & level;
        cost = cost + (step_up >> last & 1) as u32 - (step_down >> last & 1) as u32;
        // The minimum over all columns lets a part end anywhere too.
        best = best.min(cost);
        let above_up = step_up << 1;
        let above_down = step_down << 1;
        more = above_down | !(level_or_less | above_up);
        less = above_up & level_or_less;
    }
    best
}

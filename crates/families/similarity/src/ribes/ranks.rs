//! Finds the position in the reference of each word of a hypothesis, for RIBES.
//!
//! A word that occurs exactly once in each text has the position of that word in the reference. Any other
//! word is extended by one neighbour, then two, to the right and then to the left, until the n-gram occurs
//! exactly once in each text. Longer n-grams are never more frequent. The shortest such n-gram is therefore
//! one word longer than the longest n-gram that occurs at two positions of the hypothesis or at two positions
//! of the reference. There is none if the reference has no n-gram of this length.

use bleuprint_core::{Result, check_interrupt};

pub(super) fn ranks(hypothesis: &[u32], reference: &[u32]) -> Result<Vec<usize>> {
    let reversed = |tokens: &[u32]| tokens.iter().rev().copied().collect::<Vec<u32>>();
    let right = contexts(hypothesis, reference)?;
    let left = contexts(&reversed(hypothesis), &reversed(reference))?;
    let words = hypothesis.len();
    let places = reference.len();
    let rank = |at: usize| {
        let right = right[at];
        let left = left[words - 1 - at];
        // NLTK limits the window to these lengths; its asymmetry decides some places.
        let window = at.max(words - at + 1).min(places);
        let of_left = |place: usize| places - 1 - place;
        match (right.unique(), left.unique()) {
            (Some(1), _) => Some(right.place),
            // Both n-grams begin with the word itself, so length 1 is the same on both sides and was handled
            // above.
            (Some(one), Some(other)) if other < one => (other <= window).then(|| of_left(left.place)),
            (Some(one), _) => (one <= window).then_some(right.place),
            (None, Some(other)) => (other <= window).then(|| of_left(left.place)),
            (None, None) => None,
        }
    };
    Ok((0..words).filter_map(rank).collect())
}

/// Lengths of the n-grams that begin at one word of the hypothesis and also occur elsewhere. They give the
/// length of the shortest n-gram that occurs exactly once in each text, and so the word's position in the
/// reference.
#[derive(Debug, Clone, Copy, Default)]
struct RankContext {
    /// Length of the longest n-gram that begins at this hypothesis word and occurs at another position of the
    /// hypothesis, too.
    repeated: usize,
    /// Length of the longest n-gram that begins at this hypothesis word and occurs in the reference.
    longest: usize,
    /// Length of the second longest n-gram that begins at this hypothesis word and occurs in the reference,
    /// at another position than the longest one.
    second: usize,
    /// Position in the reference of the longest n-gram that begins at this hypothesis word.
    place: usize,
}

impl RankContext {
    /// Returns the length of the shortest n-gram that begins at this hypothesis word and occurs exactly once
    /// in the hypothesis and once in the reference. Returns `None` if there is no such n-gram.
    fn unique(self) -> Option<usize> {
        let length = self.repeated.max(self.second) + 1;
        (length <= self.longest).then_some(length)
    }
}

fn contexts(hypothesis: &[u32], reference: &[u32]) -> Result<Vec<RankContext>> {
    let mut contexts = vec![RankContext::default(); hypothesis.len()];
    // For each place, the length of the agreement from the present word on. Ascending order reads the length
    // of the next word before it is overwritten.
    let mut own = vec![0; hypothesis.len() + 1];
    let mut others = vec![0; reference.len() + 1];
    for (at, word) in hypothesis.iter().enumerate().rev() {
        check_interrupt()?;
        let context = &mut contexts[at];
        for (place, other) in hypothesis.iter().enumerate() {
            own[place] = if word == other { own[place + 1] + 1 } else { 0 };
            if place != at {
                context.repeated = context.repeated.max(own[place]);
            }
        }
        for (place, other) in reference.iter().enumerate() {
            let length = if word == other { others[place + 1] + 1 } else { 0 };
            others[place] = length;
            if length > context.longest {
                context.second = context.longest;
                (context.longest, context.place) = (length, place);
            } else {
                context.second = context.second.max(length);
            }
        }
    }
    Ok(contexts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn places(of: &[u32], ngram: &[u32]) -> Vec<usize> {
        of.windows(ngram.len())
            .enumerate()
            .filter(|(_, other)| *other == ngram)
            .map(|(place, _)| place)
            .collect()
    }

    /// Returns the reference positions of the hypothesis words, computed directly from RIBES's definition by
    /// counting every n-gram in both texts.
    fn naive(h: &[u32], r: &[u32]) -> Vec<usize> {
        let unique = |ngram: &[u32]| match (&places(h, ngram)[..], &places(r, ngram)[..]) {
            ([_], &[place]) => Some(place),
            _ => None,
        };
        let rank = |i: usize| {
            if let Some(place) = unique(&h[i..=i]) {
                return Some(place);
            }
            (1..i.max(h.len() - i + 1).min(r.len())).find_map(|more| {
                let right = (i + more < h.len()).then(|| unique(&h[i..=i + more])).flatten();
                right.or_else(|| {
                    (more <= i).then(|| unique(&h[i - more..=i]).map(|place| place + more)).flatten()
                })
            })
        };
        (0..h.len()).filter_map(rank).collect()
    }

    quickcheck! {
        fn places_are_those_of_the_definition(h: Vec<u32>, r: Vec<u32>, alphabet: u32) -> bool {
            let few = |tokens: Vec<u32>| tokens.iter().take(40).map(|token| token % (alphabet % 20 + 2)).collect::<Vec<u32>>();
            let h = few(h);
            let r = few(r);
            ranks(&h, &r).unwrap() == naive(&h, &r)
        }
    }
}

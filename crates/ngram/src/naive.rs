//! Reference implementation of clipped n-gram counts, directly by the definition, in quadratic time.
//!
//! Every fast algorithm of this crate is tested against it, and so are the metrics that use the counts.

/// Counts the clipped n-gram matches by comparing every n-gram with every other one; tokens need only `Eq`.
///
/// An n-gram occurrence in the hypothesis is a match if the number of equal n-grams before it is below the
/// largest count in any single reference. Summed over positions, that is `Σ min(count in hypothesis, max over
/// references of count)`. Time `O(N · h · (h + r))` for `N` orders and `h` and `r` tokens, so use it only in
/// tests and benchmarks.
///
/// ```
/// let mut clipped = [0; 2];
/// bleuprint_ngram::naive::overlap(&["a", "a", "a", "b"], &[&["a", "a"], &["a", "b"]], &mut clipped);
/// assert_eq!(clipped, [3, 2]); // a, a, b; a a, a b
/// ```
pub fn overlap<T: Eq>(hypothesis: &[T], references: &[&[T]], clipped: &mut [u64]) {
    for (order, clipped) in (1..).zip(clipped) {
        let is_match = |&start: &usize| {
            let gram = &hypothesis[start..start + order];
            let earlier =
                starts(hypothesis, order).take(start).filter(|&i| &hypothesis[i..i + order] == gram);
            let allowed = references.iter().map(|reference| occurrences(reference, gram)).max();
            earlier.count() < allowed.unwrap_or(0)
        };
        *clipped = starts(hypothesis, order).filter(is_match).count() as u64;
    }
}

fn occurrences<T: Eq>(sequence: &[T], gram: &[T]) -> usize {
    starts(sequence, gram.len()).filter(|&i| &sequence[i..i + gram.len()] == gram).count()
}

/// Returns the start positions of all n-grams of this order in a sequence; none if the sequence is shorter
/// than the order.
fn starts<T>(sequence: &[T], order: usize) -> core::ops::Range<usize> {
    0..sequence.len().checked_sub(order).map_or(0, |last| last + 1)
}

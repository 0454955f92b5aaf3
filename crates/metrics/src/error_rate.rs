//! Error rate: the edits that turn the hypothesis into the reference, per token of the reference.
//!
//! Over words it is WER, over characters CER.
//!
//! ```text
//! WER = 100 · (substitutions + deletions + insertions) / (hits + substitutions + deletions)
//! ```
//!
//! all summed over the corpus. A *deletion* is a reference token that the hypothesis lacks, an *insertion* a token
//! it has too much. Among the alignments with the fewest edits, one with the most hits is counted, so that the
//! four counts are unique. Of several references the one with the lowest rate counts (then the fewest edits, then
//! the most hits), so their order does not matter.
//!
//! | singular case | result |
//! |---|---|
//! | empty reference, empty hypothesis | no edits |
//! | references empty throughout, with insertions | 100 |
//! | no reference | error |
//!
//! Range from 0 without limit, lower is better. Source: Levenshtein 1966; corpus rates as in NIST's sclite.
//! Time is the product of the lengths (after common ends are cut off), memory linear.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::ErrorRate;
//!
//! let mut wer = Accumulator::<_, [&str]>::new(ErrorRate);
//! wer.push(&["the", "cat", "sat", "down"], &[&["a", "cat", "sat"]]).unwrap();
//! let stats = wer.total().stats();
//! assert_eq!((stats.substitutions, stats.insertions, stats.ref_len()), (1, 1, 3));
//! assert_eq!(wer.score().unwrap().score.score, 100.0 * 2.0 / 3.0);
//! ```

use core::cmp::Reverse;

use bleuprint_core::{
    Identity, InputError, InputErrorKind, Metric, MetricEntry, Observe, OverIds, PlainScore, Scale, Segment,
    SegmentCounts, Stats, columns,
};

/// The metric; it has no options: what the tokens are makes it WER or CER.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ErrorRate;

columns! {
    /// What it counts.
    pub struct ErrorRateStats {
        /// Tokens that agree.
        hits,
        /// Tokens that stand for another one.
        substitutions,
        /// Reference tokens that the hypothesis lacks.
        deletions,
        /// Tokens that the hypothesis has too much.
        insertions
    }
}

impl ErrorRateStats {
    /// Substitutions, deletions and insertions.
    pub fn edits(&self) -> u64 {
        self.substitutions.saturating_add(self.deletions).saturating_add(self.insertions)
    }

    /// Tokens of the references.
    pub fn ref_len(&self) -> u64 {
        self.hits.saturating_add(self.substitutions).saturating_add(self.deletions)
    }

    /// In percent; see the table of singular cases.
    fn rate(&self) -> f64 {
        match (self.edits(), self.ref_len()) {
            (0, _) => 0.0,
            (_, 0) => 100.0,
            (edits, ref_len) => 100.0 * edits as f64 / ref_len as f64,
        }
    }

    /// The order in which references are preferred: exact, and total, so that ties cannot depend on order.
    fn preferred(&self, other: &Self) -> bool {
        // edits / ref_len, cross-multiplied; an empty reference counts as one token, as in `rate`.
        let scaled = |own: &Self, other: &Self| u128::from(own.edits()) * u128::from(other.ref_len().max(1));
        let rest = |own: &Self| (own.edits(), Reverse(own.hits), own.substitutions, own.deletions);
        (scaled(self, other), rest(self)) < (scaled(other, self), rest(other))
    }
}

impl Metric for ErrorRate {
    type Stats = ErrorRateStats;
    type Score = PlainScore;
    type Scratch = Vec<Cell>;

    fn identity(&self) -> Identity {
        Identity::new("error_rate", 1).named("WER")
    }
    fn scale(&self) -> Scale {
        Scale::ERROR_PERCENT
    }
    fn scratch(&self) -> Vec<Cell> {
        Vec::new()
    }
    fn zero(&self) -> ErrorRateStats {
        ErrorRateStats::default()
    }

    fn finalize(&self, stats: &ErrorRateStats, _: &SegmentCounts) -> Result<PlainScore, InputError> {
        Ok(PlainScore::new(stats.rate())
            .with_count("hits", stats.hits)
            .with_count("substitutions", stats.substitutions)
            .with_count("deletions", stats.deletions)
            .with_count("insertions", stats.insertions)
            .with_count("ref_len", stats.ref_len()))
    }

    fn check(&self, stats: &ErrorRateStats, counts: &SegmentCounts) -> Result<(), InputError> {
        let ErrorRateStats { hits, substitutions, deletions, insertions } = *stats;
        let all = [hits, substitutions, deletions, insertions].into_iter().try_fold(0u64, u64::checked_add);
        match all {
            None => Err(InputError::malformed_state(format!("more tokens than can be counted: {stats:?}"))),
            Some(1..) if counts.segments == 0 => {
                Err(InputError::malformed_state(format!("tokens of no segments: {stats:?}")))
            }
            Some(_) => Ok(()),
        }
    }
}

impl<T: PartialEq> Observe<[T]> for ErrorRate {
    fn observe(
        &self,
        scratch: &mut Vec<Cell>,
        stats: &mut ErrorRateStats,
        segment: Segment<'_, [T]>,
    ) -> Result<(), InputError> {
        let mut best: Option<ErrorRateStats> = None;
        for reference in segment.references()? {
            let aligned = align(scratch, segment.hypothesis(), reference);
            if best.is_none_or(|best| aligned.preferred(&best)) {
                best = Some(aligned);
            }
        }
        stats.merge(&best.ok_or(InputErrorKind::NoReferences)?)
    }
}

/// Fewest edits up to a pair of positions, and the most hits that alignments with so few edits have.
///
/// The order is that of preference: fewer edits first, then more hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    edits: u64,
    hits: Reverse<u64>,
}

impl Cell {
    fn edit(self) -> Cell {
        Cell { edits: self.edits + 1, ..self }
    }

    fn hit(self) -> Cell {
        Cell { hits: Reverse(self.hits.0 + 1), ..self }
    }
}

/// The counts of the preferred alignment of two sequences.
fn align<T: PartialEq>(row: &mut Vec<Cell>, hypothesis: &[T], reference: &[T]) -> ErrorRateStats {
    let (hypothesis, reference, ends) = without_common_ends(hypothesis, reference);
    let Cell { edits, hits: Reverse(hits) } = last_cell(row, hypothesis, reference);
    // Four unknowns, four equations: hits are known; s + d + i = edits; hits + s + d = reference tokens;
    // hits + s + i = hypothesis tokens.
    let (hyp_len, ref_len) = (hypothesis.len() as u64, reference.len() as u64);
    let insertions = edits + hits - ref_len;
    let deletions = ref_len + insertions - hyp_len;
    let substitutions = edits - insertions - deletions;
    ErrorRateStats { hits: hits + ends, substitutions, deletions, insertions }
}

/// Cuts off what both sequences begin and end with. Equal first (or last) tokens are hits of a preferred alignment:
/// pairing them never costs an edit nor a hit.
fn without_common_ends<'t, T: PartialEq>(a: &'t [T], b: &'t [T]) -> (&'t [T], &'t [T], u64) {
    let front = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[front..], &b[front..]);
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    (&a[..a.len() - back], &b[..b.len() - back], (front + back) as u64)
}

/// The last cell of the table of prefixes, of which one row is kept.
fn last_cell<T: PartialEq>(row: &mut Vec<Cell>, hypothesis: &[T], reference: &[T]) -> Cell {
    row.clear();
    row.extend((0..=reference.len() as u64).map(|edits| Cell { edits, hits: Reverse(0) }));
    let mut left = row[row.len() - 1];
    for token in hypothesis {
        let mut diagonal = row[0];
        left = diagonal.edit();
        row[0] = left;
        for (above, other) in row[1..].iter_mut().zip(reference) {
            let paired = if token == other { diagonal.hit() } else { diagonal.edit() };
            diagonal = *above;
            left = paired.min(above.edit()).min(left.edit());
            *above = left;
        }
    }
    left
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("error_rate", "Edits per reference token: WER over words, CER over characters", |_| {
        Ok(Box::new(OverIds::new(ErrorRate)))
    })
    .aliases(&["wer"])
    .paper("Levenshtein 1966, Binary codes capable of correcting deletions, insertions and reversals");

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    #[test]
    fn obeys_the_laws() {
        bleuprint_core::laws::check(&ErrorRate);
    }

    /// The naive twin: all alignments, by recursion, without cutting ends.
    fn naive(a: &[u8], b: &[u8]) -> Cell {
        let longer = |rest: Cell| rest.edit();
        match (a.split_first(), b.split_first()) {
            (None, _) => Cell { edits: b.len() as u64, hits: Reverse(0) },
            (_, None) => Cell { edits: a.len() as u64, hits: Reverse(0) },
            (Some((x, a_rest)), Some((y, b_rest))) => {
                let rest = naive(a_rest, b_rest);
                let paired = if x == y { rest.hit() } else { rest.edit() };
                paired.min(longer(naive(a_rest, b))).min(longer(naive(a, b_rest)))
            }
        }
    }

    quickcheck! {
        fn equals_the_naive_twin(a: Vec<u8>, b: Vec<u8>) -> bool {
            let cut = |tokens: Vec<u8>| tokens.into_iter().take(7).map(|token| token % 3).collect::<Vec<_>>();
            let (a, b) = (cut(a), cut(b));
            let stats = align(&mut Vec::new(), &a, &b);
            let expected = naive(&a, &b);
            stats.edits() == expected.edits
                && stats.hits == expected.hits.0
                && stats.ref_len() == b.len() as u64
                && stats.hits + stats.substitutions + stats.insertions == a.len() as u64
        }
    }

    #[test]
    fn the_reference_with_the_lowest_rate_counts() {
        let mut stats = ErrorRateStats::default();
        let references: [&[u8]; 3] = [b"xyz", b"abcdeXXX", b"abc"];
        ErrorRate.observe(&mut Vec::new(), &mut stats, Segment::new(&b"abcd"[..], &references)).unwrap();
        assert_eq!(stats, ErrorRateStats { hits: 3, insertions: 1, ..Default::default() });
    }
}

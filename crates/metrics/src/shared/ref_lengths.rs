//! [`RefLengths`]: reference lengths by three rules for several references: closest, shortest and average.
//! They are whole numbers, so that sums are exact.

use bleuprint_core::{InputError, Result};
use serde::{Deserialize, Serialize};

/// Sums of reference lengths in tokens, over all segments. If a segment has several references, there are
/// three rules for its length: closest, shortest and average.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: columns, which the layout numbers")]
pub struct RefLengths {
    /// Length of the reference closest in length to the hypothesis, summed over segments; ties are resolved
    /// to the shorter.
    pub closest: u64,
    /// Length of the shortest reference, summed over segments.
    pub shortest: u64,
    /// Mean length of the references, summed over segments, in units of 1/720720 token, so that it is exact.
    pub average: u64,
    /// Number of segments without a mean reference length: their number of references does not divide 720720,
    /// so the mean cannot be stored exactly. Every number of references up to 16 divides 720720.
    pub unaveraged: u64,
}

/// Number of units per token in [`RefLengths::average`]: the least common multiple of 1 to 16.
pub(crate) const AVERAGE_UNITS: u64 = 720_720;

impl RefLengths {
    /// Returns the closest, the shortest and the mean reference length of one segment. The hypothesis has
    /// `hyp_len` tokens, and the references have `ref_lens` tokens.
    ///
    /// All lengths are 0 if there are no references; metrics reject such segments earlier.
    pub(crate) fn of_segment(hyp_len: usize, ref_lens: impl ExactSizeIterator<Item = usize> + Clone) -> Self {
        let references = ref_lens.len() as u64;
        let closest = ref_lens.clone().min_by_key(|&len| (len.abs_diff(hyp_len), len)).unwrap_or(0);
        let shortest = ref_lens.clone().min().unwrap_or(0);
        let exact = references > 0 && AVERAGE_UNITS.is_multiple_of(references);
        let sum: u64 = ref_lens.map(|len| len as u64).fold(0, u64::saturating_add);
        RefLengths {
            closest: closest as u64,
            shortest: shortest as u64,
            // Whole units keep sums exact in any order; a float mean would depend on the order of segments.
            average: if exact { sum.saturating_mul(AVERAGE_UNITS / references) } else { 0 },
            unaveraged: u64::from(!exact),
        }
    }

    pub(crate) fn require_average_of(references: usize) -> Result<()> {
        if AVERAGE_UNITS.is_multiple_of(references as u64) {
            return Ok(());
        }
        Err(InputError::limit(
            "the number of references averaged",
            references,
            format!("at most 16 or a divisor of {AVERAGE_UNITS}"),
        ))
    }

    pub(crate) fn add_unchecked(&mut self, other: &RefLengths) {
        self.closest = self.closest.wrapping_add(other.closest);
        self.shortest = self.shortest.wrapping_add(other.shortest);
        self.average = self.average.wrapping_add(other.average);
        self.unaveraged = self.unaveraged.wrapping_add(other.unaveraged);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_in_length_goes_to_the_shorter_reference() {
        for lens in [[2, 4], [4, 2]] {
            let lengths = RefLengths::of_segment(3, lens.into_iter());
            assert_eq!((lengths.closest, lengths.shortest, lengths.average), (2, 2, 3 * AVERAGE_UNITS));
        }
    }

    #[test]
    fn seventeen_references_have_no_exact_average() {
        let lengths = RefLengths::of_segment(3, [1; 17].into_iter());
        assert_eq!((lengths.average, lengths.unaveraged), (0, 1));
    }
}

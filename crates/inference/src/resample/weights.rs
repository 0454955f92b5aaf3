//! [`ResampleWeights`]: the number of times that each segment occurs in a bootstrap resample.

/// Bootstrap resample of the segments: for every segment the number of times it was drawn.
#[derive(Debug, Clone, Default)]
pub(crate) struct ResampleWeights {
    /// Number of times each segment was drawn, with two segments in each entry.
    pub(super) pairs: Vec<[i16; 2]>,
    /// One segment index for each draw of a segment beyond its first `i16::MAX` draws.
    pub(super) others: Vec<u32>,
    /// Ranges of `pairs` that are summed separately, so that the sum over a range fits 32 bits; each entry is
    /// the end of a range. The segments of a range were drawn at most [`MOST_DRAWS`] times in total.
    pub(super) pieces: Vec<usize>,
    /// Total number of drawn segments in the resample.
    pub(super) draws: u64,
}

/// Largest number of 15-bit values whose sum fits 32 bits.
const MOST_DRAWS: u64 = (u32::MAX as u64) / (1 << 15);

impl ResampleWeights {
    /// Sets the weights of a resample by counting the indices of drawn segments. Indices beyond the last
    /// segment do not count as draws.
    pub(crate) fn fill(&mut self, indices: &[u32], segments: usize) {
        let ResampleWeights { pairs, others, pieces, draws } = self;
        pairs.clear();
        pairs.resize(segments.div_ceil(2), [0; 2]);
        others.clear();
        *draws = 0;
        // An odd number of segments leaves one unused weight, which stays 0.
        let weights = &mut pairs.as_flattened_mut()[..segments];
        for &index in indices {
            let Some(weight) = weights.get_mut(index as usize) else { continue };
            *draws += 1;
            match *weight {
                i16::MAX => others.push(index),
                _ => *weight += 1,
            }
        }
        pieces.clear();
        // Below this number one piece is enough, so ordinary test sets skip the pass over all weights.
        if *draws > MOST_DRAWS {
            let mut drawn = 0;
            for (at, pair) in pairs.iter().enumerate() {
                let here = pair.iter().map(|&weight| u64::from(weight.unsigned_abs())).sum::<u64>();
                if drawn + here > MOST_DRAWS {
                    pieces.push(at);
                    drawn = 0;
                }
                drawn += here;
            }
        }
        pieces.push(pairs.len());
    }
}

#[cfg(test)]
mod tests {
    use crate::{CountRows, ExactSums, ResampleWeights};

    #[test]
    fn a_weight_is_a_number_of_draws() {
        let rows = CountRows::new(2, vec![1, 10, 2, 20, 3, 30]).unwrap();
        let sums = ExactSums::new(&[&rows]).unwrap();
        let mut weights = ResampleWeights::default();
        let mut digits = Vec::new();
        let mut sum = Vec::new();
        weights.fill(&[2, 0, 2], 3);
        sums.sum(&weights, &mut digits, &mut sum);
        assert_eq!(sum, [7, 70]);
    }
}

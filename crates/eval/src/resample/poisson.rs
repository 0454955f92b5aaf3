//! [`PoissonBootstrap`]: replicates as mergeable statistics, for corpora on several machines.
//!
//! Every replicate counts every segment a number of times that is Poisson-distributed with mean 1, which is what
//! drawing with replacement does to each segment of a large corpus. The number follows from the seed, the replicate
//! and the segment's id alone. So a segment needs no neighbour: replicates are added to as segments come, in memory
//! that does not grow with them, and shards that ran apart merge to the bits of one run. Source: Chamandy et al.
//! 2012, Estimating Uncertainty for Massive Data Streams.

use bleuprint_core::{InputError, InputErrorKind, Number, Result};
use serde::{Deserialize, Serialize};

use super::rows::add_row;
use super::{Finish, Interval, Scores};

/// The version of the weights' derivation; another one draws other numbers.
const VERSION: u32 = 1;

/// Weighted sums of rows, one per replicate.
///
/// Serialized with serde; [`PoissonBootstrap::merge`] refuses what was drawn from another seed or has another shape.
///
/// ```
/// use bleuprint_eval::resample::PoissonBootstrap;
/// let whole = |segments: &[(&str, [u64; 2])]| {
///     let mut bootstrap = PoissonBootstrap::new(12345, 200, 2).unwrap();
///     segments.iter().for_each(|(id, row)| bootstrap.add(id.as_bytes(), row).unwrap());
///     bootstrap
/// };
/// let (one, other) = ([("a", [1, 2]), ("b", [2, 2])], [("c", [0, 2])]);
/// let mut merged = whole(&one);
/// merged.merge(&whole(&other)).unwrap();
/// assert_eq!(merged, whole(&[one[0], one[1], other[0]]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct PoissonBootstrap {
    version: u32,
    seed: u64,
    segments: u64,
    replicates: Vec<Vec<u64>>,
}

/// The content of a file, before its version and shape are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    version: u32,
    seed: u64,
    segments: u64,
    replicates: Vec<Vec<u64>>,
}

impl TryFrom<Unchecked> for PoissonBootstrap {
    type Error = InputError;

    fn try_from(unchecked: Unchecked) -> Result<Self> {
        let Unchecked { version, seed, segments, replicates } = unchecked;
        if version != VERSION {
            let message = format!("replicates of version {version}; this program reads version {VERSION}");
            return Err(InputError::malformed_state(message));
        }
        let columns = replicates.first().map(Vec::len);
        if columns.is_none() || replicates.iter().any(|sums| Some(sums.len()) != columns) {
            return Err(InputError::malformed_state("the replicates are not rows of one length"));
        }
        Ok(PoissonBootstrap { version, seed, segments, replicates })
    }
}

impl PoissonBootstrap {
    /// Replicates of nothing, for rows of `columns` counts.
    ///
    /// # Errors
    /// [`Limit`](InputErrorKind::Limit) when there would be no replicate.
    pub fn new(seed: u64, replicates: usize, columns: usize) -> Result<Self> {
        if replicates == 0 {
            let (what, limit) = ("the number of replicates".to_owned(), "at least 1".to_owned());
            return Err(InputErrorKind::Limit { what, given: "0".to_owned(), limit }.into());
        }
        Ok(PoissonBootstrap {
            version: VERSION,
            seed,
            segments: 0,
            replicates: vec![vec![0; columns]; replicates],
        })
    }

    /// Adds a segment. Its id must be its own within the corpus: segments of one id are always drawn together.
    ///
    /// # Errors
    /// A row of another length, or a sum that does not fit 64 bits; nothing is added then.
    pub fn add(&mut self, id: &[u8], row: &[u64]) -> Result<()> {
        let columns = self.replicates.first().map_or(0, Vec::len);
        if row.len() != columns {
            return Err(InputError::row_length(columns, row.len()));
        }
        let key = mix(self.seed ^ mix(fingerprint(id)));
        let weights: Vec<u64> =
            (0..self.replicates.len() as u64).map(|replicate| weight(key, replicate)).collect();
        let fits = |(sums, &weight): (&Vec<u64>, &u64)| {
            let fits =
                |(sum, value): (&u64, &u64)| value.checked_mul(weight).and_then(|w| sum.checked_add(w));
            sums.iter().zip(row).all(|pair| fits(pair).is_some())
        };
        if !self.replicates.iter().zip(&weights).all(fits) {
            let message = "a weighted sum of counts does not fit 64 bits";
            return Err(InputError::malformed_state(message));
        }
        for (sums, weight) in self.replicates.iter_mut().zip(weights) {
            sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value * weight);
        }
        self.segments += 1;
        Ok(())
    }

    /// Adds the replicates of other segments.
    ///
    /// # Errors
    /// [`MalformedState`](InputErrorKind::MalformedState) when seed, number of replicates or columns differ; sums that do
    /// not fit 64 bits. `self` is then unchanged.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.shape() != other.shape() {
            let message = format!("replicates that cannot merge: `{}` and `{}`", self.shape(), other.shape());
            return Err(InputError::malformed_state(message));
        }
        let mut merged = self.replicates.clone();
        for (sums, others) in merged.iter_mut().zip(&other.replicates) {
            add_row(sums, others)?;
        }
        self.replicates = merged;
        self.segments += other.segments;
        Ok(())
    }

    fn shape(&self) -> String {
        let columns = self.replicates.first().map_or(0, Vec::len);
        let (version, seed, replicates) = (self.version, self.seed, self.replicates.len());
        format!("poisson/{version}|seed:{seed}|replicates:{replicates}|columns:{columns}")
    }

    /// How many segments were added.
    pub fn segments(&self) -> u64 {
        self.segments
    }

    /// The score of every replicate.
    pub fn scores(&self, finish: &Finish<'_>) -> Scores {
        self.replicates.iter().map(|sums| Number::Double(finish(sums))).collect()
    }

    /// The interval of the scores.
    pub fn interval(&self, finish: &Finish<'_>) -> Interval {
        self.scores(finish).interval()
    }
}

/// The weight of a segment in a replicate: the inverse of the Poisson distribution's function at a uniform number.
fn weight(key: u64, replicate: u64) -> u64 {
    let uniform = mix(key.wrapping_add(replicate.wrapping_mul(GOLDEN)));
    THRESHOLDS.iter().take_while(|&&threshold| uniform >= threshold).count() as u64
}

/// `2⁶⁴ · Σ_{i ≤ k} e⁻¹/i!` for k = 0, 1, ..: at most 19 can be drawn, with probability below 2⁻⁶².
const THRESHOLDS: [u64; 19] = [
    0x5e2d_58d8_b3bc_df1b,
    0xbc5a_b1b1_6779_be35,
    0xeb71_5e1d_c158_2dc3,
    0xfb23_9797_34a2_52f2,
    0xff10_25f5_9174_dc3e,
    0xffd9_0f3b_a405_5e1a,
    0xfffa_8b71_fc72_c914,
    0xffff_540c_0914_b3ca,
    0xffff_ed1f_4aa8_f120,
    0xffff_fe21_6e64_1463,
    0xffff_ffd4_d85d_3183,
    0xffff_fffc_6da2_62b5,
    0xffff_ffff_ba12_d179,
    0xffff_ffff_fb07_c64d,
    0xffff_ffff_ffab_8ea5,
    0xffff_ffff_fffa_be22,
    0xffff_ffff_ffff_b11a,
    0xffff_ffff_ffff_fba1,
    0xffff_ffff_ffff_ffc5,
];

/// 2⁶⁴ over the golden ratio: the step of SplitMix64's counter.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finalizer of SplitMix64 (Steele et al. 2014).
fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// FNV-1a over the bytes of an id.
fn fingerprint(id: &[u8]) -> u64 {
    id.iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    #[test]
    fn weights_are_poisson() {
        let mut counts = [0_u64; 20];
        for segment in 0..1_000_u64 {
            let key = mix(segment);
            (0..1_000).for_each(|replicate| counts[weight(key, replicate) as usize] += 1);
        }
        let mut expected = 1e6 * (-1.0_f64).exp();
        for (k, &count) in counts.iter().enumerate().take(6) {
            assert!(
                (count as f64 - expected).abs() < 5.0 * expected.sqrt(),
                "{k}: {count}, expected {expected}"
            );
            expected /= (k + 1) as f64;
        }
    }

    #[test]
    fn the_draws_never_change() {
        let weights: Vec<u64> =
            (0..12).map(|replicate| weight(mix(7 ^ mix(fingerprint(b"doc-1"))), replicate)).collect();
        assert_eq!(weights, [0, 2, 1, 1, 2, 0, 2, 0, 1, 3, 1, 2]);
    }

    #[test]
    fn unlike_replicates_are_refused() {
        let mut one = PoissonBootstrap::new(1, 3, 2).unwrap();
        let error = one.merge(&PoissonBootstrap::new(2, 3, 2).unwrap()).unwrap_err().to_string();
        assert!(error.contains("seed:1") && error.contains("seed:2"), "{error}");
        assert!(one.add(b"a", &[1]).is_err() && PoissonBootstrap::new(1, 0, 2).is_err());
        one.add(b"a", &[u64::MAX, 0]).ok();
    }

    #[test]
    fn stored_replicates_are_checked() {
        let mut bootstrap = PoissonBootstrap::new(1, 2, 1).unwrap();
        bootstrap.add(b"a", &[3]).unwrap();
        let text = serde_json::to_string(&bootstrap).unwrap();
        assert_eq!(serde_json::from_str::<PoissonBootstrap>(&text).unwrap(), bootstrap);
        for wrong in [
            text.replace(r#""version":1"#, r#""version":2"#),
            text.replace("[[", "[[1,"),
            r#"{"version":1,"seed":1,"segments":0,"replicates":[]}"#.to_owned(),
        ] {
            assert!(serde_json::from_str::<PoissonBootstrap>(&wrong).is_err(), "{wrong}");
        }
    }

    quickcheck! {
        fn any_cut_merges_to_the_whole(rows: Vec<(u16, u16)>, cut: usize) -> bool {
            let cut = cut.checked_rem(rows.len() + 1).unwrap_or(0);
            let of = |range: std::ops::Range<usize>| {
                let mut bootstrap = PoissonBootstrap::new(9, 20, 2).unwrap();
                for index in range {
                    let row = [u64::from(rows[index].0), u64::from(rows[index].1)];
                    bootstrap.add(&index.to_le_bytes(), &row).unwrap();
                }
                bootstrap
            };
            let mut merged = of(cut..rows.len());
            merged.merge(&of(0..cut)).unwrap();
            merged == of(0..rows.len())
        }
    }
}

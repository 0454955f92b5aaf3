//! [`ResamplePlan`]: the number of resamples and their seed, and [`Finish`]: the score of a sum of rows.

/// The number of resamples, and the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a seed and a number")]
pub struct ResamplePlan {
    /// The seed of NumPy's `default_rng`.
    pub seed: u128,
    /// The number of resamples or trials.
    pub count: usize,
}

impl ResamplePlan {
    /// sacreBLEU's default seed.
    const SEED: u128 = 12345;
    /// sacreBLEU's default number of bootstrap resamples.
    pub const RESAMPLES: usize = 1_000;
    /// sacreBLEU's default number of randomization trials.
    pub const TRIALS: usize = 10_000;

    /// The usual number, or a greater one that can show a p-value of at most `significant` among all pairs of `systems`, corrected
    /// by Holm, at worst a product with the number of pairs. It is twice what the bootstrap needs, whose least p-value is
    /// `2/(count + 1)`, and four times what randomization needs, with `1/(count + 1)`.
    pub fn count_for_pairs(usual: usize, systems: usize, significant: f64) -> usize {
        let pairs = systems * systems.saturating_sub(1) / 2;
        usual.max(4 * (pairs as f64 / significant).ceil() as usize)
    }

    /// This many from sacreBLEU's default seed.
    pub fn new(count: usize) -> Self {
        ResamplePlan { seed: Self::SEED, count }
    }
}

/// The score of a sum of rows.
pub(crate) type Finish<'f> = dyn Fn(&[u64]) -> f64 + Sync + 'f;

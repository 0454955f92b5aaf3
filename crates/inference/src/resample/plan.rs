//! [`ResamplePlan`]: number and seed of bootstrap resamples. [`Finish`]: the function that scores a sum of
//! count rows.

/// Number of bootstrap resamples or randomization trials, and the seed of their random draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a seed and a number")]
pub struct ResamplePlan {
    /// Seed of the random draws, as in NumPy's `default_rng(seed)`.
    pub seed: u128,
    /// Number of bootstrap resamples or randomization trials.
    pub count: usize,
}

impl ResamplePlan {
    /// sacreBLEU's default seed of resampling.
    const SEED: u128 = 12345;
    /// sacreBLEU's default number of bootstrap resamples.
    pub const RESAMPLES: usize = 1_000;
    /// sacreBLEU's default number of randomization trials.
    pub const TRIALS: usize = 10_000;

    /// Returns the number of resamples that is enough to show a p-value of at most `significant` for every
    /// pair of `systems` after Holm's correction. The result is at least `usual`.
    ///
    /// In the worst case Holm's correction multiplies a p-value by the number of pairs. The result is twice
    /// the need of the bootstrap, whose smallest p-value is `2/(count + 1)`. It is four times the need of
    /// randomization, whose smallest p-value is `1/(count + 1)`.
    pub fn count_for_pairs(usual: usize, systems: usize, significant: f64) -> usize {
        let pairs = systems * systems.saturating_sub(1) / 2;
        usual.max(4 * (pairs as f64 / significant).ceil() as usize)
    }

    /// Creates a plan of `count` resamples with sacreBLEU's default seed, 12345.
    pub fn new(count: usize) -> Self {
        ResamplePlan { seed: Self::SEED, count }
    }
}

/// Function that returns the score of a sum of count rows, for example BLEU of summed n-gram counts.
pub(crate) type Finish<'f> = dyn Fn(&[u64]) -> f64 + Sync + 'f;

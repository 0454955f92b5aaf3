//! [`Proportion`]: a rate of successes, its intervals, exact tests, and the difference of two rates.

use bleuprint_core::{InputErrorKind, Result};

use super::distribution::binomial;
use super::{beta_incomplete, beta_quantile, normal_quantile};

/// Probabilities are as likely as the outcome's up to this factor, so that rounding splits no ties: as in scipy.
const AS_LIKELY: f64 = 1.0 + 1e-7;

/// `k` successes in `n` trials: a mean of 0/1 numbers.
///
/// ```
/// use bleuprint_eval::resample::Proportion;
/// let rate = Proportion::new(8, 10).unwrap();
/// assert_eq!(rate.value(), 0.8);
/// let [low, high] = rate.wilson(0.95);
/// assert!((low - 0.4901625).abs() < 1e-7 && (high - 0.9433178).abs() < 1e-7);
/// assert!((rate.p_value(0.5) - 0.109375).abs() < 1e-15);
/// assert!(Proportion::new(3, 2).is_err() && Proportion::new(0, 0).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proportion {
    successes: u64,
    trials: u64,
}

impl Proportion {
    /// So many successes in so many trials.
    ///
    /// # Errors
    /// [`Limit`](InputErrorKind::Limit): no trials, or more successes than trials.
    pub fn new(successes: u64, trials: u64) -> Result<Self> {
        if successes > trials || trials == 0 {
            let what = format!("the number of successes in {trials} trials");
            let limit = if trials == 0 { "of at least one trial" } else { "at most the number of trials" };
            let (given, limit) = (successes.to_string(), limit.to_owned());
            return Err(InputErrorKind::Limit { what, given, limit }.into());
        }
        Ok(Proportion { successes, trials })
    }

    /// `k/n`.
    pub fn value(&self) -> f64 {
        self.successes as f64 / self.trials as f64
    }

    /// The successes, the failures and the trials.
    fn counts(&self) -> [f64; 3] {
        [self.successes as f64, (self.trials - self.successes) as f64, self.trials as f64]
    }

    /// Wilson's interval: the rates that a normal test does not reject. Close to its confidence for few trials and at 0 and
    /// 1 too. Source: Wilson 1927.
    pub fn wilson(&self, confidence: f64) -> [f64; 2] {
        let [k, failures, n] = self.counts();
        let z = normal_quantile(0.5 + 0.5 * confidence);
        let centre = 2.0 * k + z * z;
        let half = z * (z * z + 4.0 * k * failures / n).sqrt();
        self.within([centre - half, centre + half].map(|end| end / (2.0 * (n + z * z))))
    }

    /// Wilson's interval with correction for continuity, which is wider. Source: Newcombe 1998, as in scipy.
    pub fn wilson_corrected(&self, confidence: f64) -> [f64; 2] {
        let [k, _, n] = self.counts();
        let (z, p) = (normal_quantile(0.5 + 0.5 * confidence), self.value());
        let end = |side: f64| {
            let root = z * z + side * 2.0 - 1.0 / n + 4.0 * p * (n * (1.0 - p) - side);
            let half = 1.0 + z * root.max(0.0).sqrt();
            (2.0 * k + z * z + side * half) / (2.0 * (n + z * z))
        };
        self.within([end(-1.0), end(1.0)])
    }

    /// The exact interval: the rates at which neither tail of the binomial distribution falls below `(1 − confidence)/2`. It
    /// is never too narrow, and for few trials too wide. Source: Clopper and Pearson 1934.
    pub fn clopper_pearson(&self, confidence: f64) -> [f64; 2] {
        let [k, failures, _] = self.counts();
        let tail = 0.5 - 0.5 * confidence;
        let low = if k == 0.0 { 0.0 } else { beta_quantile(k, failures + 1.0, tail) };
        let high = if failures == 0.0 { 1.0 } else { beta_quantile(k + 1.0, failures, 1.0 - tail) };
        [low, high]
    }

    /// 0 without a success, 1 without a failure, and nothing outside: rounding aside, both intervals say so themselves.
    fn within(&self, [low, high]: [f64; 2]) -> [f64; 2] {
        let low = if self.successes == 0 { 0.0 } else { low.max(0.0) };
        [low, if self.successes == self.trials { 1.0 } else { high.min(1.0) }]
    }

    /// The probability of at most so many successes where the true rate is `rate`; NaN unless that is from 0 to 1.
    pub fn p_at_most(&self, rate: f64) -> f64 {
        let [k, failures, _] = self.counts();
        if !(0.0..=1.0).contains(&rate) {
            return f64::NAN;
        }
        if failures == 0.0 { 1.0 } else { beta_incomplete(failures, k + 1.0, 1.0 - rate) }
    }

    /// The probability of at least so many successes where the true rate is `rate`; NaN unless that is from 0 to 1.
    pub fn p_at_least(&self, rate: f64) -> f64 {
        let [k, failures, _] = self.counts();
        if !(0.0..=1.0).contains(&rate) {
            return f64::NAN;
        }
        if k == 0.0 { 1.0 } else { beta_incomplete(k, failures + 1.0, rate) }
    }

    /// The two-sided exact binomial test of a true rate of `rate`: the sum of the probabilities of all outcomes that are at
    /// most as likely as this one. NaN unless the rate is from 0 to 1.
    pub fn p_value(&self, rate: f64) -> f64 {
        if !(0.0..=1.0).contains(&rate) {
            return f64::NAN;
        }
        let [k, failures, n] = self.counts();
        let mean = n * rate;
        let limit = binomial(k, failures, rate, 1.0 - rate) * AS_LIKELY;
        let likely = |i: u64| binomial(i as f64, (self.trials - i) as f64, rate, 1.0 - rate) > limit;
        let with = |successes| Proportion { successes, ..*self };
        // Outcomes on the other side of the mean become less likely with their distance from it.
        if k == mean {
            1.0
        } else if k < mean {
            let first = partition(mean.ceil() as u64, self.trials + 1, likely);
            let beyond = if first > self.trials { 0.0 } else { with(first).p_at_least(rate) };
            (self.p_at_most(rate) + beyond).min(1.0)
        } else {
            let count = mean.floor() as u64 + 1;
            let last = partition(0, count, |i| likely(count - 1 - i));
            let beyond = if last == count { 0.0 } else { with(count - 1 - last).p_at_most(rate) };
            (self.p_at_least(rate) + beyond).min(1.0)
        }
    }

    /// The interval of this rate minus another, from the Wilson intervals of both. Source: Newcombe 1998 (method 10).
    ///
    /// ```
    /// use bleuprint_eval::resample::Proportion;
    /// let [one, other] = [Proportion::new(5, 10).unwrap(), Proportion::new(7, 10).unwrap()];
    /// let [low, high] = one.newcombe(&other, 0.95);
    /// assert!((low + 0.5260788).abs() < 1e-7 && (high - 0.2016549).abs() < 1e-7);
    /// ```
    pub fn newcombe(&self, other: &Proportion, confidence: f64) -> [f64; 2] {
        let (one, two) = (self.value(), other.value());
        let ([low, high], [other_low, other_high]) = (self.wilson(confidence), other.wilson(confidence));
        let difference = one - two;
        [difference - (one - low).hypot(other_high - two), difference + (high - one).hypot(two - other_low)]
    }

    /// Fisher's exact test of equal rates, given the number of successes of both: the sum of the probabilities of all tables
    /// that are at most as likely as this one. Source: Fisher 1935.
    ///
    /// ```
    /// use bleuprint_eval::resample::Proportion;
    /// let [one, other] = [Proportion::new(5, 10).unwrap(), Proportion::new(7, 10).unwrap()];
    /// assert!((one.fisher(&other) - 0.6499166468206717).abs() < 1e-14);
    /// ```
    pub fn fisher(&self, other: &Proportion) -> f64 {
        let successes = self.successes + other.successes;
        let all = self.trials + other.trials;
        let rate = successes as f64 / all as f64;
        let whole = binomial(successes as f64, (all - successes) as f64, rate, 1.0 - rate);
        let of = |k: u64, n: u64| binomial(k as f64, (n - k) as f64, rate, 1.0 - rate);
        let probability = |k: u64| of(k, self.trials) * of(successes - k, other.trials) / whole;
        let (least, most) = (successes.saturating_sub(other.trials), successes.min(self.trials));
        let limit = probability(self.successes) * AS_LIKELY;
        let mode = ((rate * self.trials as f64) as u64).clamp(least, most);
        // Outwards from the most likely table, to where nothing is left.
        let side = |tables: &mut dyn Iterator<Item = u64>| -> f64 {
            let probabilities = tables.map(probability).take_while(|&value| value > 0.0);
            probabilities.filter(|&value| value <= limit).sum()
        };
        (side(&mut (least..=mode).rev()) + side(&mut (mode + 1..=most))).min(1.0)
    }
}

/// The first number from `low` on for which `holds` does not hold, or `high`: it holds up to there.
fn partition(low: u64, high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (low, high);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, outcome by outcome.
    fn naive(rate: f64, k: u64, n: u64) -> f64 {
        let probability = |k: u64| binomial(k as f64, (n - k) as f64, rate, 1.0 - rate);
        (0..=n).map(probability).filter(|&one| one <= probability(k) * AS_LIKELY).sum()
    }

    #[test]
    fn the_exact_test_is_its_definition() {
        for n in [1, 2, 5, 13, 40] {
            for k in 0..=n {
                for rate in [0.0, 0.03, 0.2, 0.5, 0.77, 1.0] {
                    let (got, expected) = (Proportion::new(k, n).unwrap().p_value(rate), naive(rate, k, n));
                    assert!((got - expected).abs() < 1e-12, "{k} of {n} at {rate}: {got} {expected}");
                }
            }
        }
        let rate = Proportion::new(1, 2).unwrap();
        assert!(
            rate.p_value(1.5).is_nan() && rate.p_at_most(f64::NAN).is_nan() && rate.p_at_least(-0.1).is_nan()
        );
    }

    #[test]
    fn millions_of_trials_take_no_time() {
        let (one, other) =
            (Proportion::new(4_000_000, 1 << 33).unwrap(), Proportion::new(1, 1 << 33).unwrap());
        assert!(one.p_value(0.000_465).is_finite() && one.fisher(&other) < 1e-300);
    }
}

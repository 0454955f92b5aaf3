//! Correlations of two vectors and their p-values: Pearson's and Spearman's correlation, Kendall's tau and
//! Kendall-like tau.

use super::counts::{PairCounts, pairs_of};
use crate::distribution::{beta_incomplete, normal_tail, student_tail};

/// Returns Pearson's correlation: the sum of products of centred values over the product of their norms, cut
/// to −1 to 1. Returns `None` if a vector is constant or has fewer than two values.
pub(super) fn pearson(human: &[f64], metric: &[f64]) -> Option<f64> {
    let count = human.len().min(metric.len());
    let human = &human[..count];
    let metric = &metric[..count];
    if count < 2 || is_constant(human) || is_constant(metric) {
        return None;
    }
    // Two passes: centring first avoids the cancellation of the one-pass formula.
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count as f64;
    let mean_h = mean(human);
    let mean_m = mean(metric);
    let mut hh = 0.0;
    let mut mm = 0.0;
    let mut hm = 0.0;
    for (h, m) in human.iter().zip(metric) {
        let h = h - mean_h;
        let m = m - mean_m;
        hh += h * h;
        mm += m * m;
        hm += h * m;
    }
    let r: f64 = hm / (hh.sqrt() * mm.sqrt());
    r.is_finite().then(|| r.clamp(-1.0, 1.0))
}

fn is_constant(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}

/// Returns Spearman's correlation: Pearson's correlation of the ranks, in which equal values share their mean
/// rank.
pub(super) fn spearman(human: &[f64], metric: &[f64]) -> Option<f64> {
    pearson(&ranks(human), &ranks(metric))
}

/// Returns the ranks of the values, from 1; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    // Adding 0 turns −0 into 0, which the total order would put before 0.
    order.sort_unstable_by(|&one, &other| (values[one] + 0.0).total_cmp(&(values[other] + 0.0)));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for run in order.chunk_by(|&one, &other| values[one] == values[other]) {
        let mean = before as f64 + (run.len() as f64 + 1.0) / 2.0;
        run.iter().for_each(|&place| ranks[place] = mean);
        before += run.len();
    }
    ranks
}

/// Returns the two-sided p-value of Pearson's correlation `r` of `n = count` pairs of independent normal
/// values: `2 I_x(n/2 − 1, n/2 − 1)`, the regularized incomplete beta function at `x = (1 − |r|)/2`. It is 1
/// for two pairs and NaN for fewer.
pub(super) fn pearson_p(r: f64, count: usize) -> f64 {
    match count {
        0..2 => f64::NAN,
        2 => 1.0,
        _ => {
            let half = count as f64 / 2.0 - 1.0;
            (2.0 * beta_incomplete(half, half, (1.0 - r.abs()) / 2.0)).min(1.0)
        }
    }
}

/// Returns the two-sided p-value of Spearman's correlation `r` of `n = count` pairs. It uses Student's t
/// distribution with `n − 2` degrees of freedom at `r √((n − 2)/((1 + r)(1 − r)))`. Returns `None` if there
/// are fewer than three values.
pub(super) fn spearman_p(r: f64, count: usize) -> Option<f64> {
    let degrees = count.checked_sub(2).filter(|degrees| *degrees > 0)? as f64;
    let t = r.abs() * (degrees / ((1.0 + r) * (1.0 - r)).max(0.0)).sqrt();
    Some(2.0 * student_tail(t, degrees))
}

/// Returns the two-sided p-value of Kendall's tau-b. It is exact if there are no ties and at most 33 values,
/// or no ties and at most one pair discordant (or concordant). Otherwise it is [`tau_b_p_normal`].
pub(super) fn tau_b_p(human: &[f64], metric: &[f64]) -> Option<f64> {
    let counts = PairCounts::from_scores(human, metric);
    let untied = counts.ties_human + counts.ties_metric + counts.ties_both == 0;
    let few = counts.discordant.min(counts.concordant);
    // SciPy's rule for `method="auto"`: the exact distribution is for vectors without ties.
    if untied && (human.len() <= 33 || few <= 1) {
        exact_p(human.len(), few as usize)
    } else {
        tau_b_p_normal(human, metric)
    }
}

/// Returns the exact two-sided p-value of Kendall's tau: twice the share of permutations of `count` values
/// with at most `few` inversions. Returns `None` if `count` is 0.
fn exact_p(count: usize, few: usize) -> Option<f64> {
    let factorial = |n: usize| (1..=n).fold(1.0, |product, k| product * k as f64);
    let p = match (count, few) {
        (0, _) => return None,
        (1 | 2, _) => 1.0,
        (_, 0) => 2.0 / factorial(count),
        (_, 1) => 2.0 / factorial(count - 1),
        // Half of all pairs are inverted: the centre of the symmetric distribution, where twice the share
        // exceeds 1.
        _ if 4 * few as u64 == 2 * pairs_of(count) => 1.0,
        _ => {
            // Shares of permutations of `size` values by their number of inversions. One more value can add 0
            // to `size − 1` inversions, so each new share is a mean over a window of old shares, computed
            // from their prefix sums.
            let mut shares = vec![0.0; few + 1];
            shares[0] = 1.0;
            for size in 2..=count {
                let mut sums = Vec::with_capacity(few + 2);
                sums.push(0.0);
                shares.iter().for_each(|share| sums.push(sums.last().copied().unwrap_or(0.0) + share));
                for (at, share) in shares.iter_mut().enumerate() {
                    *share = (sums[at + 1] - sums[(at + 1).saturating_sub(size)]) / size as f64;
                }
            }
            2.0 * shares.iter().sum::<f64>()
        }
    };
    Some(p.clamp(0.0, 1.0))
}

/// Returns the two-sided p-value of tau-b by the normal approximation, with the variance corrected for ties.
/// Returns `None` if there are fewer than three values or a vector is constant.
pub(super) fn tau_b_p_normal(human: &[f64], metric: &[f64]) -> Option<f64> {
    let counts = PairCounts::from_scores(human, metric);
    counts.tau_b().filter(|_| human.len() > 2)?;
    let size = human.len() as f64;
    let all = size * (size - 1.0);
    let [pairs_h, triples_h, weighted_h] = ties(human);
    let [pairs_m, triples_m, weighted_m] = ties(metric);
    let variance = (all * (2.0 * size + 5.0) - weighted_h - weighted_m) / 18.0
        + 2.0 * pairs_h * pairs_m / all
        + triples_h * triples_m / (9.0 * all * (size - 2.0));
    let difference = counts.concordant as f64 - counts.discordant as f64;
    Some(2.0 * normal_tail(difference.abs() / variance.sqrt()))
}

/// Returns three sums over runs of `t` equal values, by which the variance of Kendall's tau is corrected for
/// ties: `t(t−1)/2`, `t(t−1)(t−2)` and `t(t−1)(2t+5)`.
fn ties(values: &[f64]) -> [f64; 3] {
    let mut sorted: Vec<f64> = values.iter().map(|value| value + 0.0).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.chunk_by(PartialEq::eq).fold([0.0; 3], |[pairs, triples, weighted], run| {
        let t = run.len() as f64;
        let twice = t * (t - 1.0);
        [pairs + twice / 2.0, triples + twice * (t - 2.0), weighted + twice * (2.0 * t + 5.0)]
    })
}

/// Counts the distinct values of each vector and returns the smaller number, which Kendall's tau-c needs.
pub(super) fn fewer_distinct(human: &[f64], metric: &[f64]) -> usize {
    let distinct = |values: &[f64]| {
        let mut sorted: Vec<f64> = values.iter().map(|value| value + 0.0).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.chunk_by(PartialEq::eq).count()
    };
    distinct(human).min(distinct(metric))
}

/// Returns the number of concordant pairs and the number of pairs that are compared: their human scores
/// differ by at least `threshold`. Compared pairs are concordant or discordant; ties of the metric are
/// discordant. Kendall-like tau is `(2 concordant − pairs) / pairs`.
pub(super) fn kendall_like(human: &[f64], metric: &[f64], threshold: f64) -> (u64, u64) {
    let mut concordant = 0;
    let mut pairs = 0;
    for (at, (h, m)) in human.iter().zip(metric).enumerate() {
        for (other_h, other_m) in human[..at].iter().zip(metric) {
            let human = h - other_h;
            let metric = m - other_m;
            if human.abs() >= threshold {
                pairs += 1;
                let same = (human > 0.0 && metric > 0.0) || (human < 0.0 && metric < 0.0);
                concordant += u64::from(same);
            }
        }
    }
    (concordant, pairs)
}

/// Returns the moments for Pearson's correlation of all pairwise differences within a group of `n` human
/// scores `h` and metric scores `m`: `n Σhm − Σh Σm`, `n Σhh − (Σh)²`, `n Σmm − (Σm)²`. Moments of several
/// groups can be added.
pub(super) fn difference_moments(human: &[f64], metric: &[f64]) -> [f64; 3] {
    let count = human.len() as f64;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count.max(1.0);
    let mean_h = mean(human);
    let mean_m = mean(metric);
    let sums = human.iter().zip(metric).fold([0.0; 3], |[hm, hh, mm], (h, m)| {
        let h = h - mean_h;
        let m = m - mean_m;
        [hm + h * m, hh + h * h, mm + m * m]
    });
    // For centred values the subtracted products are 0, so only `n` times the sums remain.
    sums.map(|sum| count * sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_ranks() {
        assert_eq!(ranks(&[3.0, -0.0, 3.0, 0.0, 7.0]), [3.5, 1.5, 3.5, 1.5, 5.0]);
    }

    #[test]
    fn exact_p_values_are_those_of_all_permutations() {
        // Four values have 24 permutations: 1, 3, 5, 6, 5, 3 and 1 of them have 0 to 6 inversions.
        assert_eq!(exact_p(4, 0), Some(2.0 / 24.0));
        assert_eq!(exact_p(4, 1), Some(2.0 / 6.0));
        assert_eq!(exact_p(4, 2), Some(18.0 / 24.0));
        assert_eq!(exact_p(4, 3), Some(1.0));
    }

    #[test]
    fn ties_lower_the_variance_as_in_scipy() {
        // scipy 1.17.1: kendalltau(.., method="asymptotic").
        let human = [1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 5.0];
        let metric = [1.0, 3.0, 2.0, 2.0, 5.0, 4.0, 6.0];
        let p = tau_b_p_normal(&human, &metric).unwrap();
        assert!((p - 0.012925264601955706).abs() < 1e-15, "{p}");
    }

    #[test]
    fn what_has_no_value_has_none() {
        assert_eq!(pearson(&[1.0], &[2.0]), None);
        assert_eq!(spearman(&[1.0, 2.0], &[2.0, 2.0]), None);
        assert_eq!(tau_b_p(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), None);
        assert_eq!(spearman_p(1.0, 2), None);
        assert_eq!(spearman_p(1.0, 9), Some(0.0));
    }
}

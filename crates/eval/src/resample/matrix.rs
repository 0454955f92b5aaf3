//! Every pair of systems at once: p-values corrected for their number, rank ranges and clusters.

/// Holm's step-down correction: p-values that keep the probability of any false finding at the level asked for.
///
/// The smallest of `m` p-values is multiplied by `m`, the next by `m − 1`, and so on; none exceeds 1 or falls below
/// the one before it. Source: Holm 1979.
///
/// ```
/// use bleuprint_eval::resample::holm;
/// assert_eq!(holm(&[0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]);
/// ```
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&one, &other| p_values[one].total_cmp(&p_values[other]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut least = 0.0_f64;
    for (rank, &index) in order.iter().enumerate() {
        least = least.max(p_values[index] * (p_values.len() - rank) as f64).min(1.0);
        corrected[index] = least;
    }
    corrected
}

/// Benjamini and Hochberg's step-up correction: p-values that keep the expected share of false findings among all findings
/// at the level asked for, where tests are independent or go together.
///
/// The i-th smallest of `m` p-values is multiplied by `m/i`; none exceeds 1 or the one behind it. Source: Benjamini and
/// Hochberg 1995.
///
/// ```
/// use bleuprint_eval::resample::benjamini_hochberg;
/// assert_eq!(benjamini_hochberg(&[0.01, 0.5, 0.02]), [0.03, 0.5, 0.03]);
/// ```
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&one, &other| p_values[one].total_cmp(&p_values[other]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut least = 1.0_f64;
    for (rank, &index) in order.iter().enumerate().rev() {
        least = least.min(p_values[index] * p_values.len() as f64 / (rank + 1) as f64);
        corrected[index] = least;
    }
    corrected
}

/// The significantly better of two systems, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Win {
    /// The better system.
    pub better: usize,
    /// The worse one.
    pub worse: usize,
}

/// The place of a system among all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Rank {
    /// The system, by index.
    pub system: usize,
    /// One more than the number of systems significantly better.
    pub best: usize,
    /// The number of systems that are not significantly worse, itself counted.
    pub worst: usize,
    /// The cluster, from 1.
    pub cluster: usize,
}

/// Rank ranges and clusters, from the best system to the worst, as WMT publishes them.
///
/// `order` lists the systems from best to worst, `wins` the pairs whose difference is significant. A new cluster
/// begins where every system above is significantly better than every system below.
///
/// ```
/// use bleuprint_eval::resample::{Rank, Win, ranks};
/// let win = |better, worse| Win { better, worse };
/// // 2 beats 0 and 1, which do not differ.
/// let table = ranks(&[2, 0, 1], &[win(2, 0), win(2, 1)]);
/// assert_eq!(table[0], Rank { system: 2, best: 1, worst: 1, cluster: 1 });
/// assert_eq!(table[1], Rank { system: 0, best: 2, worst: 3, cluster: 2 });
/// ```
pub fn ranks(order: &[usize], wins: &[Win]) -> Vec<Rank> {
    let beats = |better: usize, worse: usize| wins.contains(&Win { better, worse });
    let mut cluster = 1;
    let rank = |(place, &system): (usize, &usize)| {
        let (above, below) = order.split_at(place);
        let apart = above.iter().all(|&better| below.iter().all(|&worse| beats(better, worse)));
        cluster += usize::from(place > 0 && apart);
        let losses = order.iter().filter(|&&other| beats(other, system)).count();
        let victories = order.iter().filter(|&&other| beats(system, other)).count();
        Rank { system, best: losses + 1, worst: order.len() - victories, cluster }
    };
    order.iter().enumerate().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    #[test]
    fn corrected_values_keep_their_order_and_stay_below_one() {
        assert!(holm(&[]).is_empty());
        assert_eq!(holm(&[0.5]), [0.5]);
        assert_eq!(holm(&[0.9, 0.02, 0.02]), [0.9, 0.06, 0.06]);
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }

    quickcheck! {
        fn holm_lies_between_nothing_and_bonferroni(values: Vec<u16>) -> bool {
            let values: Vec<f64> = values.iter().map(|&value| f64::from(value) / 65_535.0).collect();
            let corrected = holm(&values);
            let count = values.len() as f64;
            values.iter().zip(&corrected).all(|(&p, &c)| p <= c && c <= (p * count).min(1.0))
        }
    }

    #[test]
    fn without_wins_there_is_one_cluster() {
        let table = ranks(&[0, 1, 2], &[]);
        assert!(table.iter().all(|rank| (rank.best, rank.worst, rank.cluster) == (1, 3, 1)));
    }

    #[test]
    fn overlapping_wins_do_not_cut_a_cluster() {
        // 0 beats 2, but 1 does not: no cut.
        let table = ranks(&[0, 1, 2], &[Win { better: 0, worse: 2 }]);
        assert!(table.iter().all(|rank| rank.cluster == 1));
        assert_eq!((table[0].best, table[0].worst, table[2].best, table[2].worst), (1, 2, 2, 3));
    }
}

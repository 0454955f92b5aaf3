//! [`ranks`]: computes rank ranges and clusters of systems from pairwise significance tests.

/// Pair of systems, given by index, of which one is significantly better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Win {
    /// Index of the better system.
    pub better: usize,
    /// Index of the worse system.
    pub worse: usize,
}

/// Rank range and cluster of one system among all compared systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct SystemRank {
    /// Index of the ranked system.
    pub system: usize,
    /// Best rank that the system can have: one more than the number of significantly better systems.
    pub best: usize,
    /// Worst rank that the system can have: the number of systems that are not significantly worse, including
    /// this system.
    pub worst: usize,
    /// Number of the system's cluster, counted from 1 for the best systems. Systems of a cluster are not
    /// clearly separated by significance tests.
    pub cluster: usize,
}

/// Returns the rank range (best and worst possible rank) and the cluster of each system, as WMT publishes
/// them.
///
/// `order` lists the systems from best to worst, `wins` lists the pairs whose difference is significant. A
/// new cluster begins if every system above is significantly better than every system below.
pub(crate) fn ranks(order: &[usize], wins: &[Win]) -> Vec<SystemRank> {
    let beats = |better: usize, worse: usize| wins.contains(&Win { better, worse });
    let mut cluster = 1;
    let rank = |(place, &system): (usize, &usize)| {
        let (above, below) = order.split_at(place);
        let apart = above.iter().all(|&better| below.iter().all(|&worse| beats(better, worse)));
        cluster += usize::from(place > 0 && apart);
        let losses = order.iter().filter(|&&other| beats(other, system)).count();
        let victories = order.iter().filter(|&&other| beats(system, other)).count();
        SystemRank { system, best: losses + 1, worst: order.len() - victories, cluster }
    };
    order.iter().enumerate().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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

//! Ranks of metrics, as the tables of WMT print them.

/// The rank of each metric, from the best to the worst: a new rank begins at a metric that some metric of the current rank
/// beats with `p <= alpha`. `p(better, worse)` is the p-value of a pair by place, or none if there is no test.
pub(super) fn wmt_ranks(count: usize, alpha: f64, p: impl Fn(usize, usize) -> Option<f64>) -> Vec<usize> {
    let mut ranks = Vec::with_capacity(count);
    let mut first = 0;
    let mut rank = 1;
    for metric in 0..count {
        if (first..metric).any(|better| p(better, metric).is_some_and(|p| p <= alpha)) {
            (first, rank) = (metric, rank + 1);
        }
        ranks.push(rank);
    }
    ranks
}

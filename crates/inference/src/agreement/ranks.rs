//! Ranks of metrics by pairwise significance tests, as in the result tables of WMT.

/// Returns the rank of each metric, listed from best to worst. A new rank begins at a metric that is
/// significantly worse (`p <= alpha`) than some metric of the current rank. `p(better, worse)` returns the
/// p-value of two metrics, given by their places in this order, or `None` if they were not tested.
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

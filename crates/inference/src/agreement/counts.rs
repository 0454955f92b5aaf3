//! [`PairCounts`]: counts the pairs of items that two score vectors order alike, order oppositely or tie.
//! Counts of several groups can be added.

use serde::Serialize;

/// Greatest length of score vectors whose pairs are compared one by one; longer vectors are sorted first.
// Both ways give the same integers. Below this length the quadratic loop avoids the vectors that sorting
// allocates.
const DIRECT: usize = 32;

/// Numbers of item pairs that human scores and metric scores order alike (concordant), order oppositely
/// (discordant) or tie.
///
/// ```text
/// pairs = n(n-1)/2 = concordant + discordant + ties_human + ties_metric + ties_both
/// ```
///
/// Counts of groups and of test sets are merged by addition.
///
/// ```
/// use bleuprint_inference::agreement::PairCounts;
/// let counts = PairCounts::of_with_epsilon(&[1.0, 2.0, 3.0, 3.0], &[0.1, 0.3, 0.2, 0.2], 0.0);
/// assert_eq!((counts.concordant, counts.discordant, counts.ties_both), (3, 2, 1));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "closed: the five kinds of pairs")]
pub struct PairCounts {
    /// Number of pairs of items that the human scores and the metric scores order in the same way.
    pub concordant: u64,
    /// Number of pairs of items that the human scores and the metric scores order in opposite ways.
    pub discordant: u64,
    /// Number of pairs of items that are tied in the human scores only.
    pub ties_human: u64,
    /// Number of pairs of items that are tied in the metric scores only.
    pub ties_metric: u64,
    /// Number of pairs of items that are tied in the human scores and in the metric scores.
    pub ties_both: u64,
}

impl PairCounts {
    /// Counts the item pairs that human scores and metric scores order alike, order oppositely or tie, in
    /// `O(n log n)`. A longer vector is cut to the length of the shorter vector.
    pub(super) fn from_scores(human: &[f64], metric: &[f64]) -> Self {
        if human.len() <= DIRECT { Self::direct(human, metric, 0.0) } else { sorted(human, metric) }
    }

    /// Counts the item pairs that human scores and metric scores order alike, order oppositely or tie. The
    /// metric ties a pair if its two scores differ by at most `epsilon`.
    pub fn of_with_epsilon(human: &[f64], metric: &[f64], epsilon: f64) -> Self {
        if human.len() <= DIRECT {
            Self::direct(human, metric, epsilon)
        } else {
            with_epsilon(human, metric, epsilon)
        }
    }

    /// Counts the item pairs that human scores and metric scores order alike, order oppositely or tie, by
    /// comparing every pair in quadratic time.
    pub(super) fn direct(human: &[f64], metric: &[f64], epsilon: f64) -> Self {
        let mut counts = PairCounts::default();
        let cells: Vec<(f64, f64)> = human.iter().copied().zip(metric.iter().copied()).collect();
        for (at, (h, m)) in cells.iter().enumerate() {
            for (other_h, other_m) in &cells[..at] {
                counts.add_pair(h - other_h, m - other_m, epsilon);
            }
        }
        counts
    }

    fn add_pair(&mut self, human: f64, metric: f64, epsilon: f64) {
        let count = match (human == 0.0, metric.abs() <= epsilon) {
            (true, true) => &mut self.ties_both,
            (true, false) => &mut self.ties_human,
            (false, true) => &mut self.ties_metric,
            (false, false) if (human > 0.0) == (metric > 0.0) => &mut self.concordant,
            (false, false) => &mut self.discordant,
        };
        *count += 1;
    }

    #[must_use]
    pub(super) fn merge(self, other: Self) -> Self {
        PairCounts {
            concordant: self.concordant + other.concordant,
            discordant: self.discordant + other.discordant,
            ties_human: self.ties_human + other.ties_human,
            ties_metric: self.ties_metric + other.ties_metric,
            ties_both: self.ties_both + other.ties_both,
        }
    }

    pub(super) fn pairs(&self) -> u64 {
        self.concordant + self.discordant + self.ties_human + self.ties_metric + self.ties_both
    }

    /// Returns Kendall's tau-b, clamped to −1 to 1:
    /// `(C − D) / √(pairs − human ties) / √(pairs − metric ties)`, with `C` concordant and `D` discordant
    /// pairs. Returns `None` if all pairs of one vector are tied.
    pub(super) fn tau_b(&self) -> Option<f64> {
        let pairs = self.pairs();
        let human = pairs - self.ties_human - self.ties_both;
        let metric = pairs - self.ties_metric - self.ties_both;
        // SciPy divides by the two roots one after the other; the root of the product can differ in the last
        // bit.
        let tau = self.difference() / (human as f64).sqrt() / (metric as f64).sqrt();
        (human > 0 && metric > 0).then(|| tau.clamp(-1.0, 1.0))
    }

    /// Returns Kendall's tau-c (Stuart), `2 (C − D) / (n² (k − 1) / k)`, from `C` concordant and `D`
    /// discordant pairs. `count` is `n`, the number of values. `distinct` is `k`, the smaller number of
    /// distinct values of the two vectors. Returns `None` if `k` is below 2.
    pub(super) fn tau_c(&self, count: usize, distinct: usize) -> Option<f64> {
        let count = count as f64;
        let classes = distinct as f64;
        let tau = 2.0 * self.difference() / (count * count * (classes - 1.0) / classes);
        (distinct > 1).then(|| tau.clamp(-1.0, 1.0))
    }

    /// Returns the tau of Deutsch et al. 2023, `(C + T_hm − D − T_h − T_m) / pairs`: `C` concordant pairs,
    /// `D` discordant pairs, and pairs tied by both vectors (`T_hm`), only in human scores (`T_h`) or only in
    /// metric scores (`T_m`). Returns `None` if there is no pair.
    pub(super) fn tau_23(&self) -> Option<f64> {
        let right = (self.concordant + self.ties_both) as f64;
        let wrong = (self.discordant + self.ties_human + self.ties_metric) as f64;
        self.over_pairs(right - wrong)
    }

    /// Returns the share of pairs that the metric orders or ties like the human scores, `(C + T_hm) / pairs`:
    /// `C` concordant pairs and `T_hm` pairs tied in both vectors. Returns `None` if there is no pair.
    ///
    /// For systems this is pairwise accuracy (Kocmi et al. 2021), for segments `acc_eq` (Deutsch et al.
    /// 2023).
    pub(super) fn accuracy(&self) -> Option<f64> {
        self.over_pairs((self.concordant + self.ties_both) as f64)
    }

    fn over_pairs(&self, value: f64) -> Option<f64> {
        (self.pairs() > 0).then(|| value / self.pairs() as f64)
    }

    fn difference(&self) -> f64 {
        self.concordant as f64 - self.discordant as f64
    }
}

/// Returns the number of unordered pairs of `count` values.
pub(super) fn pairs_of(count: usize) -> u64 {
    let count = count as u64;
    count * count.saturating_sub(1) / 2
}

/// Returns the number of pairs of equal values in a sorted slice.
fn tied<T: PartialEq>(sorted: &[T]) -> u64 {
    sorted.chunk_by(PartialEq::eq).map(|run| pairs_of(run.len())).sum()
}

/// Zips human scores and metric scores into pairs of values. Adding 0 turns −0 into 0, so that both zeros
/// sort as equal; NaN does not occur.
fn cells(human: &[f64], metric: &[f64]) -> Vec<(f64, f64)> {
    human.iter().zip(metric).map(|(h, m)| (h + 0.0, m + 0.0)).collect()
}

/// Counts the item pairs that human scores and metric scores order alike, order oppositely or tie. Items are
/// sorted by human score, then by metric score; the discordant pairs are then the inversions of metric
/// scores.
fn sorted(human: &[f64], metric: &[f64]) -> PairCounts {
    let mut cells = cells(human, metric);
    cells.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    // Pairs within a run of equal human scores are sorted by the metric, so they add no inversions.
    let both = tied(&cells);
    let human_tied =
        cells.chunk_by(|one, other| one.0 == other.0).map(|run| pairs_of(run.len())).sum::<u64>();
    let mut metric: Vec<f64> = cells.iter().map(|cell| cell.1).collect();
    let discordant = inversions(&mut metric);
    let metric_tied = tied(&metric);
    let ties_human = human_tied - both;
    let ties_metric = metric_tied - both;
    PairCounts {
        concordant: pairs_of(cells.len()) - human_tied - ties_metric - discordant,
        discordant,
        ties_human,
        ties_metric,
        ties_both: both,
    }
}

/// Sorts the values by bottom-up merges and returns the number of inversions: pairs of values that were in
/// descending order before.
fn inversions(values: &mut [f64]) -> u64 {
    let mut count = 0;
    let mut width = 1;
    let mut merged = Vec::with_capacity(values.len());
    while width < values.len() {
        merged.clear();
        for block in values.chunks(2 * width) {
            let (mut left, mut right) = block.split_at(width.min(block.len()));
            while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
                // A strict comparison: equal values are no inversion, and everything left in `left` is
                // greater than `second`.
                if second < first {
                    count += left.len() as u64;
                    merged.push(*second);
                    right = right_rest;
                } else {
                    merged.push(*first);
                    left = left_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        values.copy_from_slice(&merged);
        width *= 2;
    }
    count
}

/// Counts the item pairs that two score vectors order alike, order oppositely or tie, in `O(n log n)`. Metric
/// scores that differ by at most `epsilon` are ties.
///
/// The items are sorted by metric score. A Fenwick tree holds the human ranks of all items whose metric score
/// is more than `epsilon` below the current item. The tree returns how many of these have a lower, an equal
/// and a higher human score.
fn with_epsilon(human: &[f64], metric: &[f64], epsilon: f64) -> PairCounts {
    let mut cells = cells(human, metric);
    let mut values: Vec<f64> = cells.iter().map(|cell| cell.0).collect();
    values.sort_unstable_by(f64::total_cmp);
    let human_tied = tied(&values);
    values.dedup();
    cells.sort_unstable_by(|one, other| one.1.total_cmp(&other.1));
    let rank = |h: f64| values.partition_point(|value| *value < h);
    let mut below = Fenwick(vec![0; values.len() + 1]);
    let mut entered = 0;
    let mut counts = PairCounts::default();
    for &(h, m) in &cells {
        // Scores never decrease along the loop, so a cell that is far enough below once stays so. The current
        // cell itself has the difference 0 and ends the loop. Subtraction, not `m − epsilon`, is what
        // pair-by-pair counting does: its rounding decides borderline pairs.
        while m - cells[entered].1 > epsilon {
            below.add(rank(cells[entered].0));
            entered += 1;
        }
        let lower = below.before(rank(h));
        let not_higher = below.before(rank(h) + 1);
        counts.concordant += lower;
        counts.ties_human += not_higher - lower;
        counts.discordant += entered as u64 - not_higher;
    }
    // Each human tie is either apart for the metric (counted above) or tied by it; the rest follows by
    // subtraction.
    counts.ties_both = human_tied - counts.ties_human;
    counts.ties_metric = pairs_of(cells.len()) - human_tied - counts.concordant - counts.discordant;
    counts
}

/// Fenwick tree (binary indexed tree) of counts by rank, which adds up the counts of all lower ranks in
/// logarithmic time. Index 0 is unused.
struct Fenwick(Vec<u64>);

impl Fenwick {
    fn add(&mut self, rank: usize) {
        let mut at = rank + 1;
        while let Some(node) = self.0.get_mut(at) {
            *node += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// Returns how many of the counted values have a rank below `rank`.
    fn before(&self, rank: usize) -> u64 {
        let mut at = rank;
        let mut sum = 0;
        while at > 0 {
            sum += self.0[at];
            at &= at - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    /// Builds two score vectors with many ties. They are so long that their pairs are counted by sorting.
    fn vectors(values: &[(u8, u8)], classes: u8) -> (Vec<f64>, Vec<f64>) {
        let class = |value: u8| f64::from(value % classes.max(1)) / 4.0;
        let times = 1 + DIRECT / values.len().max(1);
        let all = values.iter().copied().cycle().take(values.len() * times).enumerate();
        all.map(|(at, (h, m))| (class(h), class(m.wrapping_add(at as u8 / 8)))).unzip()
    }

    quickcheck! {
        fn sorting_counts_what_pairs_count(values: Vec<(u8, u8)>, classes: u8) -> bool {
            let (human, metric) = vectors(&values, classes);
            sorted(&human, &metric) == PairCounts::direct(&human, &metric, 0.0)
        }

        fn the_tree_counts_what_pairs_count(values: Vec<(u8, u8)>, classes: u8, epsilon: u8) -> bool {
            let (human, metric) = vectors(&values, classes);
            let epsilon = f64::from(epsilon % 32) / 8.0;
            with_epsilon(&human, &metric, epsilon) == PairCounts::direct(&human, &metric, epsilon)
        }

        fn counts_of_halves_lack_the_pairs_between_them(values: Vec<(u8, u8)>) -> bool {
            let (human, metric) = vectors(&values, 5);
            let half = human.len() / 2;
            let of = |range: std::ops::Range<usize>| PairCounts::from_scores(&human[range.clone()], &metric[range]);
            let merged = of(0..half).merge(of(half..human.len()));
            merged.pairs() + (half * (human.len() - half)) as u64 == of(0..human.len()).pairs()
        }
    }

    #[test]
    fn nothing_and_constants_have_no_value() {
        assert_eq!(PairCounts::from_scores(&[], &[]), PairCounts::default());
        assert_eq!(PairCounts::from_scores(&[1.0], &[1.0]).accuracy(), None);
        let constant = PairCounts::from_scores(&[1.0, 2.0], &[0.0, -0.0]);
        assert_eq!((constant.tau_b(), constant.tau_23(), constant.ties_metric), (None, Some(-1.0), 1));
        assert_eq!(constant.tau_c(2, 1), None);
    }
}

//! [`BleuStats`]: the counts of BLEU. The same statistics serve every order up to their highest, every
//! smoothing and every reference length rule.

use core::fmt::Display;

use bleuprint_core::{InputError, Linear, Result, SegmentCounts};
use serde::{Deserialize, Serialize};

use crate::shared::{AVERAGE_UNITS, PerOrder, RefLengths};

/// BLEU's counts of matching and of all hypothesis n-grams of one order, summed over segments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: the columns of an order")]
pub struct BleuOrderCounts {
    /// Number of hypothesis n-grams that match a reference. Each distinct n-gram counts at most as often as
    /// it occurs in any single reference.
    pub clipped: u64,
    /// Number of hypothesis n-grams: `max(0, hyp_len − n + 1)` for each segment.
    pub total: u64,
    /// Number of segments whose hypothesis has no n-gram of this order. Some dialects (formulas of other BLEU
    /// programs) need it: they count at least one n-gram for every segment.
    pub short: u64,
}

/// Statistics from which BLEU is computed: matched and total n-grams of each order, and reference lengths.
///
/// A stored row begins with the reference length under three rules: `ref_len_closest`, `ref_len_shortest` and
/// `ref_len_average`. The column `unaveraged` counts the segments that the average omits. For each order n,
/// `clipped_n` counts matches, `total_n` counts hypothesis n-grams, and `short_n` counts segments without
/// one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: columns, which the layout numbers")]
pub struct BleuStats {
    /// Sums of reference lengths in tokens, over all segments, by three rules for several references:
    /// closest, shortest and average.
    pub ref_len: RefLengths,
    /// Counts of the n-grams of each order: element 0 is for unigrams.
    pub orders: PerOrder<BleuOrderCounts>,
}

impl BleuStats {
    /// Creates empty statistics of BLEU for n-gram orders up to `max_order`.
    pub fn zero(max_order: usize) -> Self {
        BleuStats {
            ref_len: RefLengths::default(),
            orders: PerOrder::filled(BleuOrderCounts::default(), max_order),
        }
    }

    /// Returns the number of tokens of the hypotheses.
    pub fn hyp_len(&self) -> u64 {
        self.orders.first().map_or(0, |order| order.total)
    }

    pub(crate) fn add_segment(&mut self, hyp_len: usize, ref_len: RefLengths, clipped: &[u64]) -> Result<()> {
        // The common case adds without checks, in a loop that the compiler can vectorize. The general case
        // names the column that overflows.
        if self.orders.len() != clipped.len() || !self.has_room() {
            return self.add(&BleuStats::of_segment(hyp_len, ref_len, clipped));
        }
        self.ref_len.add_unchecked(&ref_len);
        for (index, (order, clipped)) in self.orders.iter_mut().zip(clipped).enumerate() {
            order.add_unchecked(&BleuOrderCounts::of_segment(hyp_len, index, *clipped));
        }
        Ok(())
    }

    fn of_segment(hyp_len: usize, ref_len: RefLengths, clipped: &[u64]) -> Self {
        let orders = clipped.iter().enumerate();
        let orders = orders.map(|(index, clipped)| BleuOrderCounts::of_segment(hyp_len, index, *clipped));
        BleuStats { ref_len, orders: orders.collect() }
    }

    /// Creates BLEU's statistics of one hypothesis that is paired with each of `segments` references. Each
    /// pair counts as one segment.
    ///
    /// `ref_len` is the sum of the reference lengths; `clipped` yields the matches of each order, summed over
    /// all pairs.
    pub(crate) fn of_segments(
        segments: u64,
        hyp_len: usize,
        ref_len: u64,
        clipped: impl Iterator<Item = u64>,
    ) -> Self {
        let ref_len = RefLengths {
            closest: ref_len,
            shortest: ref_len,
            average: ref_len.saturating_mul(AVERAGE_UNITS),
            unaveraged: 0,
        };
        let orders = clipped.enumerate().map(|(index, clipped)| {
            let one = BleuOrderCounts::of_segment(hyp_len, index, 0);
            let [total, short] = [one.total, one.short].map(|count| count.saturating_mul(segments));
            BleuOrderCounts { clipped, total, short }
        });
        BleuStats { ref_len, orders: orders.collect() }
    }

    /// Returns `true` if every count of these statistics is below `2^63`, so that two such statistics add
    /// without overflow.
    fn has_room(&self) -> bool {
        let RefLengths { closest, shortest, average, unaveraged } = self.ref_len;
        // The union of all bits has bit 63 exactly if some count has it: one comparison in place of one for
        // each count.
        let lengths = closest | shortest | average | unaveraged;
        let orders =
            self.orders.iter().fold(0, |bits, order| bits | order.clipped | order.total | order.short);
        (lengths | orders) >> 63 == 0
    }

    pub(crate) fn check(&self, max_order: usize, counts: &SegmentCounts) -> Result<()> {
        if self.orders.len() != max_order {
            return malformed(format!("{} orders, where {max_order} were expected", self.orders.len()));
        }
        for (index, order) in self.orders.iter().enumerate() {
            let n = index + 1;
            if order.clipped > order.total {
                return malformed(format!("order {n}: clipped {} > total {}", order.clipped, order.total));
            }
            // A segment with n-grams of an order has one fewer of the next, so the two totals differ by the
            // number of such segments.
            let long = counts.segments.checked_sub(order.short);
            let next = self.orders.get(index + 1);
            let fits = match (long, next) {
                (Some(long), Some(next)) => {
                    next.short >= order.short && order.total.checked_sub(next.total) == Some(long)
                }
                // The highest order has no next one to compare with, so only bounds remain.
                (Some(long), None) => order.total >= long && (long > 0 || order.total == 0),
                (None, _) => false,
            };
            if !fits {
                let segments = counts.segments;
                return malformed(format!("order {n} over {segments} segments: {order:?}, then {next:?}"));
            }
        }
        self.check_lengths(counts)
    }

    fn check_lengths(&self, counts: &SegmentCounts) -> Result<()> {
        let RefLengths { closest, shortest, average, unaveraged } = self.ref_len;
        // States come from files, so a state that no corpus can have is rejected here.
        if counts.segments == 0 && self.ref_len != RefLengths::default() {
            return malformed(format!("{:?} of no segments", self.ref_len));
        }
        InputError::require_at_most("shortest", shortest, "closest", closest)?;
        InputError::require_at_most("unaveraged", unaveraged, "segments", counts.segments)?;
        // Sums in `u128`: a count times the units of an average can exceed `u64`.
        if unaveraged == 0 && u128::from(average) < u128::from(shortest) * u128::from(AVERAGE_UNITS) {
            return malformed(format!("average {average} units < shortest {shortest} tokens"));
        }
        Ok(())
    }
}

fn malformed(message: String) -> Result<()> {
    Err(InputError::malformed_state(message))
}

impl BleuOrderCounts {
    fn of_segment(hyp_len: usize, index: usize, clipped: u64) -> Self {
        let total = hyp_len.saturating_sub(index) as u64;
        BleuOrderCounts { clipped, total, short: u64::from(total == 0) }
    }

    fn add_unchecked(&mut self, other: &BleuOrderCounts) {
        self.clipped = self.clipped.wrapping_add(other.clipped);
        self.total = self.total.wrapping_add(other.total);
        self.short = self.short.wrapping_add(other.short);
    }
}

impl Linear for BleuStats {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        visit(&"ref_len_closest", &mut self.ref_len.closest);
        visit(&"ref_len_shortest", &mut self.ref_len.shortest);
        visit(&"ref_len_average", &mut self.ref_len.average);
        visit(&"unaveraged", &mut self.ref_len.unaveraged);
        for (n, order) in (1..).zip(&mut self.orders) {
            visit(&format_args!("clipped_{n}"), &mut order.clipped);
            visit(&format_args!("total_{n}"), &mut order.total);
            visit(&format_args!("short_{n}"), &mut order.short);
        }
    }

    /// Adds the counts of `other` to these. Merging segments is frequent, so the sum skips the overflow
    /// checks if all counts are below `2^63`.
    fn add(&mut self, other: &Self) -> Result<()> {
        if self.orders.len() != other.orders.len() || !self.has_room() || !other.has_room() {
            return self.add_columns(other);
        }
        self.ref_len.add_unchecked(&other.ref_len);
        for (order, other) in self.orders.iter_mut().zip(&other.orders) {
            order.add_unchecked(other);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_counts_are_refused() {
        let one = SegmentCounts::of_segment(1);
        let mut stats = BleuStats::zero(2);
        stats.orders[0] = BleuOrderCounts { clipped: 3, total: 2, short: 0 };
        assert!(stats.check(2, &one).unwrap_err().to_string().contains("clipped 3 > total 2"));
        stats.orders[0] = BleuOrderCounts { clipped: 1, total: 2, short: 0 };
        stats.orders[1] = BleuOrderCounts { clipped: 1, total: 1, short: 0 };
        assert_eq!(stats.check(2, &one), Ok(()));
        // Two segments would have two bigrams less than unigrams, and no segments have no tokens.
        assert!(stats.check(2, &SegmentCounts { segments: 2, ..one }).is_err());
        assert!(stats.check(2, &SegmentCounts::default()).is_err());
        stats.orders[1] = BleuOrderCounts { clipped: 1, total: 3, short: 0 };
        assert!(stats.check(2, &one).is_err());
        assert!(BleuStats::zero(2).check(4, &one).unwrap_err().to_string().contains("2 orders, where 4"));
    }
}

//! [`BleuStats`]: what BLEU counts. One state serves every order up to its own, every smoothing and every rule of
//! reference length.

use bleuprint_core::{InputError, Linear, Stats, row_length};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Counts of one order `n`, summed over segments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderCounts {
    /// Matches: n-grams of the hypothesis, each at most as often as in the reference that has it most often.
    pub clipped: u64,
    /// N-grams of the hypothesis: `max(0, hyp_len − n + 1)` per segment.
    pub total: u64,
    /// Segments whose hypothesis has no n-gram of this order. Needed by dialects that give every segment a
    /// denominator of at least 1.
    pub short: u64,
}

/// Reference lengths, summed over segments under each rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefLengths {
    /// Of the reference closest in length to the hypothesis, ties to the shorter.
    pub closest: u64,
    /// Of the shortest reference.
    pub shortest: u64,
    /// The mean over the references, in units of 1/[`AVERAGE_UNITS`] token, so that it is exact.
    pub average: u64,
    /// Segments that are missing in `average`, because their number of references does not divide
    /// [`AVERAGE_UNITS`]. It divides for every number up to 16.
    pub unaveraged: u64,
}

/// Units per token of [`RefLengths::average`]: the least common multiple of 1 to 16.
pub const AVERAGE_UNITS: u64 = 720_720;

impl RefLengths {
    /// The lengths for one segment: `hyp_len` tokens against references of these lengths.
    ///
    /// All are 0 when there are no references, which [`Bleu`](crate::Bleu) does not let happen.
    pub fn of_segment(hyp_len: usize, ref_lens: impl ExactSizeIterator<Item = usize> + Clone) -> Self {
        let references = ref_lens.len() as u64;
        let closest = ref_lens.clone().min_by_key(|&len| (len.abs_diff(hyp_len), len)).unwrap_or(0);
        let shortest = ref_lens.clone().min().unwrap_or(0);
        let exact = references > 0 && AVERAGE_UNITS.is_multiple_of(references);
        let sum: u64 = ref_lens.map(|len| len as u64).fold(0, u64::saturating_add);
        RefLengths {
            closest: closest as u64,
            shortest: shortest as u64,
            average: if exact { sum.saturating_mul(AVERAGE_UNITS / references) } else { 0 },
            unaveraged: u64::from(!exact),
        }
    }
}

/// The statistics of BLEU: per order the clipped and total counts, and the reference lengths.
///
/// As a row: `ref_len_closest, ref_len_shortest, ref_len_average, unaveraged`, then `clipped_n, total_n, short_n`
/// for n = 1..N. The length of the hypotheses is the total of order 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BleuStats {
    /// Reference lengths.
    pub ref_len: RefLengths,
    /// Counts per order, from 1.
    pub orders: SmallVec<[OrderCounts; 4]>,
}

impl BleuStats {
    /// Nothing counted, for orders up to `max_order`.
    pub fn zero(max_order: usize) -> Self {
        BleuStats {
            ref_len: RefLengths::default(),
            orders: SmallVec::from_elem(OrderCounts::default(), max_order),
        }
    }

    /// Tokens of the hypotheses.
    pub fn hyp_len(&self) -> u64 {
        self.orders.first().map_or(0, |order| order.total)
    }

    /// Adds one segment: its lengths, and the clipped counts of each order.
    pub(crate) fn add_segment(&mut self, hyp_len: usize, ref_len: RefLengths, clipped: &[u64]) {
        merge_lengths(&mut self.ref_len, &ref_len);
        for (index, (order, clipped)) in self.orders.iter_mut().zip(clipped).enumerate() {
            let total = hyp_len.saturating_sub(index) as u64;
            merge_order(order, &OrderCounts { clipped: *clipped, total, short: u64::from(total == 0) });
        }
    }

    /// Whether segments can have given these counts.
    ///
    /// # Errors
    /// [`MalformedState`](bleuprint_core::InputErrorKind::MalformedState), naming the counts that disagree.
    pub fn check(&self, max_order: usize) -> Result<(), InputError> {
        if self.orders.len() != max_order {
            return malformed(format!("{} orders, where {max_order} were expected", self.orders.len()));
        }
        for (index, order) in self.orders.iter().enumerate() {
            let n = index + 1;
            if order.clipped > order.total {
                return malformed(format!("order {n}: clipped {} > total {}", order.clipped, order.total));
            }
            let Some(next) = self.orders.get(index + 1) else { break };
            if next.total > order.total || next.short < order.short {
                return malformed(format!("orders {n} and {}: {order:?}, then {next:?}", n + 1));
            }
        }
        if self.ref_len.shortest > self.ref_len.closest {
            return malformed(format!(
                "shortest {} > closest {}",
                self.ref_len.shortest, self.ref_len.closest
            ));
        }
        Ok(())
    }
}

fn malformed(message: String) -> Result<(), InputError> {
    Err(InputError::malformed_state(message))
}

fn merge_order(order: &mut OrderCounts, other: &OrderCounts) {
    order.clipped = order.clipped.saturating_add(other.clipped);
    order.total = order.total.saturating_add(other.total);
    order.short = order.short.saturating_add(other.short);
}

fn merge_lengths(lengths: &mut RefLengths, other: &RefLengths) {
    lengths.closest = lengths.closest.saturating_add(other.closest);
    lengths.shortest = lengths.shortest.saturating_add(other.shortest);
    lengths.average = lengths.average.saturating_add(other.average);
    lengths.unaveraged = lengths.unaveraged.saturating_add(other.unaveraged);
}

impl Stats for BleuStats {
    /// States of different orders are kept apart by the state key; met here all the same, absent orders count 0.
    fn merge(&mut self, other: &Self) {
        merge_lengths(&mut self.ref_len, &other.ref_len);
        if self.orders.len() < other.orders.len() {
            self.orders.resize(other.orders.len(), OrderCounts::default());
        }
        for (order, other) in self.orders.iter_mut().zip(&other.orders) {
            merge_order(order, other);
        }
    }
}

impl Linear for BleuStats {
    fn columns(&self) -> Vec<String> {
        let lengths = ["ref_len_closest", "ref_len_shortest", "ref_len_average", "unaveraged"];
        let orders = (1..=self.orders.len())
            .flat_map(|n| [format!("clipped_{n}"), format!("total_{n}"), format!("short_{n}")]);
        lengths.into_iter().map(str::to_owned).chain(orders).collect()
    }

    fn write_row(&self, row: &mut Vec<u64>) {
        let RefLengths { closest, shortest, average, unaveraged } = self.ref_len;
        row.extend([closest, shortest, average, unaveraged]);
        row.extend(self.orders.iter().flat_map(|order| [order.clipped, order.total, order.short]));
    }

    fn read_row(&mut self, row: &[u64]) -> Result<(), InputError> {
        let expected = 4 + 3 * self.orders.len();
        let Some((&[closest, shortest, average, unaveraged], orders)) = row.split_first_chunk() else {
            return Err(row_length(expected, row.len()));
        };
        if row.len() != expected {
            return Err(row_length(expected, row.len()));
        }
        self.ref_len = RefLengths { closest, shortest, average, unaveraged };
        for (order, counts) in self.orders.iter_mut().zip(orders.chunks_exact(3)) {
            *order = OrderCounts { clipped: counts[0], total: counts[1], short: counts[2] };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_in_length_goes_to_the_shorter_reference() {
        for lens in [[2, 4], [4, 2]] {
            let lengths = RefLengths::of_segment(3, lens.into_iter());
            assert_eq!((lengths.closest, lengths.shortest, lengths.average), (2, 2, 3 * AVERAGE_UNITS));
        }
    }

    #[test]
    fn seventeen_references_have_no_exact_average() {
        let lengths = RefLengths::of_segment(3, [1; 17].into_iter());
        assert_eq!((lengths.average, lengths.unaveraged), (0, 1));
    }

    #[test]
    fn impossible_counts_are_refused() {
        let mut stats = BleuStats::zero(2);
        stats.orders[0] = OrderCounts { clipped: 3, total: 2, short: 0 };
        assert!(stats.check(2).unwrap_err().to_string().contains("clipped 3 > total 2"));
        stats.orders[0] = OrderCounts { clipped: 1, total: 2, short: 0 };
        stats.orders[1] = OrderCounts { clipped: 1, total: 3, short: 0 };
        assert!(stats.check(2).is_err());
        assert!(BleuStats::zero(2).check(4).unwrap_err().to_string().contains("2 orders, where 4"));
    }
}

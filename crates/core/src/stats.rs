//! [`Stats`]: statistics of a metric that can be merged. [`Linear`]: statistics that are a row of counts,
//! which can also be subtracted.

use alloc::collections::BTreeMap;
use core::fmt::Display;

use crate::prelude::*;
use crate::{InputError, InputErrorKind, Result, SegmentCounts};

/// Statistics that a metric collects from segments, such as match counts. They merge with other statistics of
/// the same metric.
///
/// [`StateKey`](crate::StateKey) keeps statistics of different configurations apart. Statistics that are a
/// row of counts implement [`Linear`], which gives them all methods of this trait. A set implements only
/// `merge`. A `BTreeMap` from keys to statistics implements this trait already.
///
/// The zero of a metric is `default()` unless the metric overrides [`Metric::zero`](crate::Metric::zero).
///
/// Laws, for all states `a`, `b`, `c` that share a state key, with `0` the metric's `zero()`:
///
/// ```text
/// identity        0 ⊕ a = a = a ⊕ 0
/// associativity   (a ⊕ b) ⊕ c = a ⊕ (b ⊕ c)
/// commutativity   a ⊕ b = b ⊕ a
/// repetition      a ⊕ n · b = a ⊕ b ⊕ .. ⊕ b           n times
/// retraction      (a ⊕ b) ⊖ b = a                      where they are rows
/// rows            row(a ⊕ b) = row(a) + row(b)         where they are rows
/// ```
///
/// The module `laws` of `bleuprint-registry` checks them for any metric.
///
/// Most metrics count a few things. They declare their statistics by [`columns!`](crate::columns), or use an
/// array `[u64; N]`. Merging, subtraction, the row with its names, and serialization then follow.
pub trait Stats: Clone + Default + Send + Sync + 'static {
    /// Merges the statistics `other` into `self` (`self ⊕ other`), as if their segments had been counted
    /// together.
    ///
    /// # Errors
    /// Returns [`CountRange`](InputErrorKind::CountRange) if a count does not fit 64 bits, and
    /// [`MalformedState`](InputErrorKind::MalformedState) if the shapes differ; `self` is then unchanged.
    fn merge(&mut self, other: &Self) -> Result<()>;

    /// Returns an object that merges many selections of the statistics `all` fast, if they are sets; the
    /// default returns `None`.
    ///
    /// # Errors
    /// Returns the errors of [`Stats::merge`].
    fn unions(all: &[&Self]) -> Result<Option<Box<dyn crate::Unions<Self>>>> {
        let _ = all;
        Ok(None)
    }

    /// Checks that [`Stats::merge`] would succeed, without merging.
    ///
    /// Programs that merge the states of several metrics call this method for all states first, so that
    /// either all are merged or none. The default merges into a copy, which is right for any type. Types that
    /// are expensive to copy may implement a cheaper way; property tests compare both.
    ///
    /// # Errors
    /// Returns the errors of [`Stats::merge`].
    fn check_merge(&self, other: &Self) -> Result<()> {
        self.clone().merge(other)
    }

    /// Merges `other` into `self` `times` times, for resampling and for weights of segments. The default
    /// merges about `log2(times)` doubled copies; a row of counts multiplies instead.
    ///
    /// ```
    /// use bleuprint_core::Stats;
    /// let mut stats = [1_u64, 2];
    /// stats.merge_times(&[10, 0], 3).unwrap();
    /// assert_eq!(stats, [31, 2]);
    /// assert!(stats.merge_times(&[u64::MAX, 0], 2).is_err());
    /// assert_eq!(stats, [31, 2]);
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Stats::merge`]; `self` is then unchanged.
    fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        // Even `times == 0` reports unlike shapes, so that the outcome does not depend on the drawn weight.
        if times <= 1 {
            return if times == 0 { self.check_merge(other) } else { self.merge(other) };
        }
        // `product` and `doubled` are as large as `other`: `self`, which may be large, is touched once.
        let mut product = None::<Self>;
        let mut doubled = other.clone();
        let mut left = times;
        loop {
            if left % 2 == 1 {
                match &mut product {
                    Some(product) => product.merge(&doubled)?,
                    None => product = Some(doubled.clone()),
                }
            }
            left /= 2;
            if left == 0 {
                return product.map_or(Ok(()), |product| self.merge(&product));
            }
            let half = doubled.clone();
            doubled.merge(&half)?;
        }
    }

    /// Checks that these statistics can come from `counts` segments, as far as the bounds of the columns
    /// show. It is the default of [`Metric::check`](crate::Metric::check), which also knows the metric's
    /// settings.
    ///
    /// # Errors
    /// Returns [`MalformedState`](InputErrorKind::MalformedState) with the names of the columns if a bound is
    /// broken.
    fn check(&self, counts: &SegmentCounts) -> Result<()> {
        let _ = counts;
        Ok(())
    }

    /// Returns the number of segments, among the observed `counts`, that have no score. Comparisons of
    /// systems drop these segments for all systems.
    fn missing(&self, counts: &SegmentCounts) -> u64 {
        let _ = counts;
        0
    }

    /// Returns `true` if a reader of these statistics does not know their types, because the metric was chosen
    /// at run time. A [`State`](crate::State) of them is then a block that describes itself, in every format
    /// that is not text. A wrapper of other statistics passes their answer on.
    fn needs_block(&self) -> bool {
        false
    }

    /// Returns `true` if the statistics are a row of counts. Only such statistics have named columns and can
    /// be subtracted.
    fn is_row(&self) -> bool {
        false
    }

    /// Returns the names of the counts, in order; empty if the statistics are not a row of counts.
    fn column_names(&self) -> Vec<String> {
        Vec::new()
    }

    /// Appends the counts of these statistics to `row`, one per column.
    ///
    /// # Errors
    /// Returns [`NotLinear`](InputErrorKind::NotLinear) if the statistics are not a row.
    fn write_row(&self, row: &mut Vec<u64>) -> Result<()> {
        let _ = row;
        Err(not_linear("be written as a row"))
    }

    /// Replaces the counts of these statistics with those in `row`. [`Metric::check`](crate::Metric::check)
    /// decides if they are possible together.
    ///
    /// # Errors
    /// Returns [`MalformedState`](InputErrorKind::MalformedState) if the row has the wrong length, and
    /// [`NotLinear`](InputErrorKind::NotLinear) if the statistics are not a row; `self` is then unchanged.
    fn read_row(&mut self, row: &[u64]) -> Result<()> {
        let _ = row;
        Err(not_linear("be read from a row"))
    }

    /// Subtracts the statistics `other`, which were merged into `self` before: `self ⊖ other`.
    ///
    /// # Errors
    /// Returns [`CountRange`](InputErrorKind::CountRange) if a count would become negative, because `other`
    /// was never part of `self`, and [`NotLinear`](InputErrorKind::NotLinear) if the statistics are not a
    /// row. `self` is then unchanged.
    fn retract(&mut self, other: &Self) -> Result<()> {
        let _ = other;
        Err(not_linear("be subtracted"))
    }
}

/// Creates the error of an operation, such as subtraction, on statistics that are not a row of counts. The
/// message names no metric; a caller that knows the metric's name inserts it.
pub(crate) fn not_linear(operation: &'static str) -> InputError {
    InputErrorKind::NotLinear { metric: String::from("the metric"), operation }.into()
}

/// Statistics that are a row of named `u64` counts. They can be subtracted, resampled and stored as table
/// columns.
///
/// The method [`Linear::columns`] lists the columns, and all methods of [`Stats`] follow from it. The
/// metric's `zero()` fixes the number and the meaning of the columns.
///
/// ```
/// use core::fmt::Display;
/// use bleuprint_core::{Linear, Stats};
///
/// #[derive(Clone, Debug, Default, PartialEq)]
/// struct Orders { tokens: u64, matches: [u64; 2] }
///
/// impl Linear for Orders {
///     fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
///         visit(&"tokens", &mut self.tokens);
///         for (order, matches) in (1..).zip(&mut self.matches) {
///             visit(&format_args!("matches_{order}"), matches);
///         }
///     }
/// }
///
/// let mut one = Orders { tokens: 5, matches: [3, 1] };
/// one.merge(&Orders { tokens: 1, matches: [1, 0] }).unwrap();
/// assert_eq!(one.row(), [6, 4, 1]);
/// assert_eq!(one.column_names(), ["tokens", "matches_1", "matches_2"]);
/// assert!(one.retract(&Orders { tokens: 9, matches: [0, 0] }).unwrap_err().to_string().contains("`tokens`: 6 - 9"));
/// ```
pub trait Linear: Clone + Default + Send + Sync + 'static {
    /// Calls `visit` with the name and the count of every column, always in the same order.
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64));

    /// Adds the counts of `other`: `self ⊕ other`; `self` is unchanged after an error. The default follows
    /// from [`Linear::columns`]. A type that merges in a hot loop may implement a faster way; tests compare
    /// both.
    ///
    /// # Errors
    /// Returns [`CountRange`](InputErrorKind::CountRange) if a count does not fit 64 bits, and
    /// [`MalformedState`](InputErrorKind::MalformedState) if the rows differ in length.
    fn add(&mut self, other: &Self) -> Result<()> {
        self.add_columns(other)
    }

    /// Adds the counts of `other` column by column; this is the default of [`Linear::add`]. A faster `add`
    /// calls this method after an overflow, because this method's error names the column.
    ///
    /// # Errors
    /// Returns the errors of [`Linear::add`].
    fn add_columns(&mut self, other: &Self) -> Result<()> {
        combine(self, other, '+', u64::checked_add)
    }

    /// Checks the declared bounds between columns, such as matches not above the hypothesis length.
    /// [`Stats::check`] calls this method, which the macro [`columns!`](crate::columns) writes.
    ///
    /// # Errors
    /// Returns [`MalformedState`](InputErrorKind::MalformedState) with the names of the columns if a bound is
    /// broken.
    fn check_bounds(&self, counts: &SegmentCounts) -> Result<()> {
        let _ = counts;
        Ok(())
    }

    /// Returns the number of segments, among the observed `counts`, that have no score. [`Stats::missing`]
    /// calls this method and returns its result.
    fn without_number(&self, counts: &SegmentCounts) -> u64 {
        let _ = counts;
        0
    }

    /// Returns all counts of these statistics as a list, one for each column.
    fn row(&self) -> Vec<u64> {
        let mut row = Vec::new();
        self.clone().columns(&mut |_, count| row.push(*count));
        row
    }
}

impl<S: Linear> Stats for S {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.add(other)
    }

    fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        if times == 1 {
            return self.add(other);
        }
        // The product is computed apart from `self`: an overflow in a late column must leave the early ones
        // unchanged.
        let mut product = other.clone();
        multiply_columns(&mut |visit| product.columns(visit), times)?;
        self.add(&product)
    }

    fn check(&self, counts: &SegmentCounts) -> Result<()> {
        self.check_bounds(counts)
    }

    fn missing(&self, counts: &SegmentCounts) -> u64 {
        self.without_number(counts)
    }

    fn is_row(&self) -> bool {
        true
    }

    fn column_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.clone().columns(&mut |name, _| names.push(name.to_string()));
        names
    }

    fn write_row(&self, row: &mut Vec<u64>) -> Result<()> {
        self.clone().columns(&mut |_, count| row.push(*count));
        Ok(())
    }

    fn read_row(&mut self, row: &[u64]) -> Result<()> {
        let mut expected = 0;
        self.columns(&mut |_, _| expected += 1);
        if expected != row.len() {
            return Err(InputError::row_length(expected, row.len()));
        }
        let mut rest = row.iter();
        self.columns(&mut |_, count| *count = rest.next().copied().unwrap_or(*count));
        Ok(())
    }

    fn retract(&mut self, other: &Self) -> Result<()> {
        combine(self, other, '-', u64::checked_sub)
    }
}

fn combine<S: Linear>(
    own: &mut S,
    other: &S,
    operation: char,
    apply: fn(u64, u64) -> Option<u64>,
) -> Result<()> {
    combine_columns(&mut |visit| own.columns(visit), &other.row(), operation, apply)
}

/// Function that is called with the name and the count of each column of a metric's statistics.
type Visit<'v> = &'v mut dyn FnMut(&dyn Display, &mut u64);

fn multiply_columns(all: &mut dyn FnMut(Visit<'_>), times: u64) -> Result<()> {
    let mut error = None;
    all(&mut |name, count| match count.checked_mul(times) {
        Some(fits) => *count = fits,
        None => {
            error.get_or_insert_with(|| InputError::count_range(name.to_string(), *count, '*', times));
        }
    });
    error.map_or(Ok(()), Err)
}

fn combine_columns(
    own: &mut dyn FnMut(Visit<'_>),
    others: &[u64],
    operation: char,
    apply: fn(u64, u64) -> Option<u64>,
) -> Result<()> {
    // Two passes: the first finds overflow and unlike lengths, the second cannot fail. So `self` is unchanged
    // after an error. Closures behind `dyn` keep one compiled copy for all types.
    let mut index = 0;
    let mut error = None;
    own(&mut |name, &mut left| {
        if let Some(&right) = others.get(index).filter(|right| apply(left, **right).is_none()) {
            error.get_or_insert_with(|| InputError::count_range(name.to_string(), left, operation, right));
        }
        index += 1;
    });
    if index != others.len() {
        return Err(InputError::row_length(index, others.len()));
    }
    if let Some(error) = error {
        return Err(error);
    }
    let mut others = others.iter();
    own(&mut |_, count| {
        *count = others.next().and_then(|&right| apply(*count, right)).unwrap_or(*count);
    });
    Ok(())
}

/// Implements statistics that are an array of `N` counts, named by their index. `N` is at most 32, because
/// `Default` of arrays ends at 32; [`CountRow`](crate::CountRow) has any number of counts.
impl<const N: usize> Linear for [u64; N]
where
    [u64; N]: Default,
{
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        for (index, count) in self.iter_mut().enumerate() {
            visit(&index, count);
        }
    }

    fn add(&mut self, other: &Self) -> Result<()> {
        if add_rows(self, other) { Ok(()) } else { self.add_columns(other) }
    }
}

/// Adds the counts of `other` to `own` and returns `true`, or returns `false` and adds nothing: a sum does not
/// fit 64 bits, or the rows differ in length.
pub(crate) fn add_rows(own: &mut [u64], other: &[u64]) -> bool {
    // The loop has no branch for each column, so that the compiler adds several columns at a time.
    let overflows = own.iter().zip(other).fold(false, |any, (own, other)| any | (*own > u64::MAX - *other));
    if overflows || own.len() != other.len() {
        return false;
    }
    own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
    true
}

/// Implements mergeable statistics for a map from keys, such as labels, to statistics. Merging two maps
/// merges the entries with equal keys.
impl<K, S> Stats for BTreeMap<K, S>
where
    K: Ord + Clone + Send + Sync + 'static,
    S: Stats,
{
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.merge_times(other, 1)
    }

    fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        if times == 0 {
            return Ok(());
        }
        // All sums are computed before the map changes, so that it is unchanged after an error.
        let sum = |(key, more): (&K, &S)| {
            // A default is no start for a new key: the default of a row does not know its length.
            let own = self.get(key);
            let mut sum = own.unwrap_or(more).clone();
            sum.merge_times(more, if own.is_some() { times } else { times - 1 })?;
            Ok((key.clone(), sum))
        };
        let sums = other.iter().map(sum).collect::<Result<Vec<_>>>()?;
        self.extend(sums);
        Ok(())
    }

    fn check(&self, counts: &SegmentCounts) -> Result<()> {
        self.values().try_for_each(|stats| stats.check(counts))
    }

    fn needs_block(&self) -> bool {
        self.values().any(Stats::needs_block)
    }
}

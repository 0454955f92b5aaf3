//! [`Stats`]: what is merged. [`Linear`]: statistics that are a row of counts, so that they also subtract.

use alloc::collections::BTreeMap;
use core::fmt::Display;

use crate::prelude::*;
use crate::{InputError, InputErrorKind, Result, SegmentCounts};

/// Plain data that merges with other data of its kind.
///
/// States of other configurations are kept apart one level up, by [`StateKey`](crate::StateKey). Statistics that are a
/// row of counts implement [`Linear`] and have this trait with all its verbs; a set implements `merge`, and a `BTreeMap` from
/// keys to statistics has it.
///
/// `default()` is the zero of a metric that has no other ([`Metric::zero`](crate::Metric::zero)).
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
/// `laws` of `bleuprint-registry` check them on any metric.
///
/// Most metrics count a few things. Then their statistics are declared by [`columns!`](crate::columns), or are an
/// array `[u64; N]`, and everything else follows: merging, subtraction, the row with its names, serialization.
/// A map from keys to statistics is statistics; a set implements [`Stats`] alone.
pub trait Stats: Clone + Default + Send + Sync + 'static {
    /// Combines `other` into `self`: `self ⊕ other`.
    ///
    /// # Errors
    /// [`CountRange`](InputErrorKind::CountRange) when a count does not fit 64 bits, and
    /// [`MalformedState`](InputErrorKind::MalformedState) when the shapes differ; `self` is then unchanged.
    fn merge(&mut self, other: &Self) -> Result<()>;

    /// Returns a way to unite many of these statistics fast, if they are sets; the default has none.
    ///
    /// # Errors
    /// Those of [`Stats::merge`].
    fn unions(all: &[&Self]) -> Result<Option<Box<dyn crate::Unions<Self>>>> {
        let _ = all;
        Ok(None)
    }

    /// Whether [`Stats::merge`] would succeed. Programs that merge the states of several metrics ask all of them
    /// first, so that either all are merged or none. The default merges into a copy, which is right for any type; types
    /// with large copies may implement it in a cheaper way (the laws compare the two).
    ///
    /// # Errors
    /// Those of [`Stats::merge`].
    fn check_merge(&self, other: &Self) -> Result<()> {
        self.clone().merge(other)
    }

    /// Combines `other` into `self`, `times` times: what resamples and weights of segments need. The default merges doubled
    /// copies, about `log2(times)` of them; a row multiplies.
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
    /// Those of [`Stats::merge`]; `self` is then unchanged.
    fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        if times <= 1 {
            return if times == 0 { self.check_merge(other) } else { self.merge(other) };
        }
        // `product` and `doubled` are as large as `other`: `self`, which may be large, is touched once.
        let (mut product, mut doubled, mut left) = (None::<Self>, other.clone(), times);
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

    /// Whether segments of these counts can have given these statistics, judged without the metric: the bounds among
    /// columns. The default of [`Metric::check`](crate::Metric::check).
    ///
    /// # Errors
    /// [`MalformedState`](InputErrorKind::MalformedState), naming the columns.
    fn check(&self, counts: &SegmentCounts) -> Result<()> {
        let _ = counts;
        Ok(())
    }

    /// The number of segments, of these counts, that have no part in these statistics, as they have no number. Comparisons
    /// leave such a segment out for every system.
    fn missing(&self, counts: &SegmentCounts) -> u64 {
        let _ = counts;
        0
    }

    /// Whether the statistics are a row of counts. Only then they have columns, subtract and resample.
    fn is_row(&self) -> bool {
        false
    }

    /// The name of every column, in order; none where the statistics are no row.
    fn column_names(&self) -> Vec<String> {
        Vec::new()
    }

    /// Appends the counts to `row`.
    ///
    /// # Errors
    /// [`NotLinear`](InputErrorKind::NotLinear) where the statistics are no row.
    fn write_row(&self, row: &mut Vec<u64>) -> Result<()> {
        let _ = row;
        Err(not_linear("be written as a row"))
    }

    /// Replaces the counts by those of `row`.
    ///
    /// # Errors
    /// [`MalformedState`](InputErrorKind::MalformedState) when the row has another length; nothing is replaced
    /// then. Whether the counts can belong together is for [`Metric::check`](crate::Metric::check) to say.
    /// [`NotLinear`](InputErrorKind::NotLinear) where the statistics are no row.
    fn read_row(&mut self, row: &[u64]) -> Result<()> {
        let _ = row;
        Err(not_linear("be read from a row"))
    }

    /// `self ⊖ other`: takes out what was merged in before.
    ///
    /// # Errors
    /// [`CountRange`](InputErrorKind::CountRange), with `self` unchanged, if a count would fall below zero: `other`
    /// was never part of `self`. [`NotLinear`](InputErrorKind::NotLinear) where the statistics are no row.
    fn retract(&mut self, other: &Self) -> Result<()> {
        let _ = other;
        Err(not_linear("be subtracted"))
    }
}

/// The refusal of statistics, which do not know their metric; doors that know it give its name.
pub(crate) fn not_linear(operation: &'static str) -> InputError {
    InputErrorKind::NotLinear { metric: String::from("the metric"), operation }.into()
}

/// Statistics that are a row of `u64` counts: they subtract, resample and fit a table.
///
/// One method lists the columns; the verbs of [`Stats`] follow from it. The number and the meaning of the columns are
/// those of the metric's `zero()`.
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

    /// `self ⊕ other`, or an error, and `self` unchanged. Follows from [`Linear::columns`]; a type that merges in a hot
    /// loop may implement it in a faster way (the laws compare the two).
    ///
    /// # Errors
    /// [`CountRange`](InputErrorKind::CountRange) when a count does not fit 64 bits;
    /// [`MalformedState`](InputErrorKind::MalformedState) when the rows differ in length.
    fn add(&mut self, other: &Self) -> Result<()> {
        self.add_columns(other)
    }

    /// [`Linear::add`] by the columns alone, for the errors of faster implementations.
    ///
    /// # Errors
    /// Those of [`Linear::add`].
    fn add_columns(&mut self, other: &Self) -> Result<()> {
        combine(self, other, '+', u64::checked_add)
    }

    /// The bounds among the columns: [`Stats::check`]. [`columns!`](crate::columns) writes it.
    ///
    /// # Errors
    /// [`MalformedState`](InputErrorKind::MalformedState), naming the columns.
    fn check_bounds(&self, counts: &SegmentCounts) -> Result<()> {
        let _ = counts;
        Ok(())
    }

    /// The number of segments without a number: [`Stats::missing`].
    fn without_number(&self, counts: &SegmentCounts) -> u64 {
        let _ = counts;
        0
    }

    /// The counts as a row of their own.
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

/// A function called with the name of each count and the count.
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
    let (mut index, mut error) = (0, None);
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

/// Ready statistics: `N` counts, up to 32, named by their index.
impl<const N: usize> Linear for [u64; N]
where
    [u64; N]: Default,
{
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        for (index, count) in self.iter_mut().enumerate() {
            visit(&index, count);
        }
    }
}

/// Statistics by key, as by label or by bin: those of one key merge.
impl<K, S> Stats for BTreeMap<K, S>
where
    K: Ord + Clone + Send + Sync + 'static,
    S: Stats,
{
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.merge_times(other, 1)
    }

    fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        // All sums first, so that nothing changes after an error.
        let sum = |(key, more): (&K, &S)| {
            let mut sum = self.get(key).cloned().unwrap_or_default();
            sum.merge_times(more, times)?;
            Ok((key.clone(), sum))
        };
        let sums = other.iter().map(sum).collect::<Result<Vec<_>>>()?;
        if times > 0 {
            self.extend(sums);
        }
        Ok(())
    }

    fn check(&self, counts: &SegmentCounts) -> Result<()> {
        self.values().try_for_each(|stats| stats.check(counts))
    }
}

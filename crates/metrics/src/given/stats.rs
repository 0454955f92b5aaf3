//! [`GivenStats`]: exact sums of the numbers that another program computed, and of their squares if the
//! option `spread` is set.

use core::fmt::{self, Display};

use bleuprint_core::{ExactSum, InputError, Linear, Result, Scale, SegmentCounts};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// Names of the sums that are stored for numbers computed by another program. Without the option `over` the
/// score is a mean of values, with it a quotient of two sums. The option `spread` adds sums of squares for a
/// standard error.
const NAMES: [&[&str]; 4] = [
    &["value"],
    &["value", "value_squared"],
    &["numerator", "denominator"],
    &["numerator", "denominator", "numerator_squared", "denominator_squared", "product"],
];

/// Scale from minus infinity to infinity, which contains every mean and every quotient.
const ANY: Scale = Scale { min: f64::NEG_INFINITY, ..Scale::UNBOUNDED };

/// Exact sums of the numbers that another program computed, each stored in nine columns.
///
/// | metric | sums |
/// |---|---|
/// | mean | `value` |
/// | mean, with squares | `value`, `value_squared` |
/// | quotient | `numerator`, `denominator` |
/// | quotient, with squares | also `numerator_squared`, `denominator_squared`, `product` |
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenStats {
    names: &'static [&'static str],
    sums: Vec<ExactSum>,
}

impl GivenStats {
    pub(super) fn zero(over: bool, spread: bool) -> Self {
        let names = NAMES[2 * usize::from(over) + usize::from(spread)];
        GivenStats { names, sums: vec![ExactSum::default(); names.len()] }
    }

    /// Returns the exact sums of numbers computed by another program: of their values, or of numerators and
    /// denominators. With the option `spread`, the sums of squares follow, in the order of the table of
    /// [`GivenStats`].
    pub fn sums(&self) -> &[ExactSum] {
        &self.sums
    }

    pub(crate) fn count(&self) -> u64 {
        self.sums.first().map_or(0, ExactSum::count)
    }

    /// Adds the numbers of one segment, which another program computed, to the exact sums. If the score is a
    /// mean, `numerator` is the value and `denominator` is not used. After an error the sums are invalid.
    pub(super) fn push(&mut self, [numerator, denominator]: [f64; 2]) -> Result<()> {
        for (name, sum) in self.names.iter().zip(&mut self.sums) {
            let value = match *name {
                "value" | "numerator" => numerator,
                "denominator" => denominator,
                "value_squared" | "numerator_squared" => numerator * numerator,
                "denominator_squared" => denominator * denominator,
                _ => numerator * denominator,
            };
            sum.add(ExactSum::nearest(value))?;
        }
        Ok(())
    }

    /// Returns the standard error of the score `s` over `n` segments. Returns `None` if no sums of squares
    /// are stored or if `n` is less than 2.
    ///
    /// If the score is a mean of numbers `x`, it is `√(Σ(x - s)² / (n(n - 1)))`. If the score is a quotient
    /// of sums, of numerators `n_i` and denominators `d_i`, it is `√(n/(n - 1) · Σ(n_i - s·d_i)²) / Σd_i`.
    pub(crate) fn standard_error(&self, score: f64) -> Option<f64> {
        let count = self.count() as f64;
        let numbers: Vec<f64> = self.sums.iter().map(ExactSum::to_f64).collect();
        // The sum of squared residuals is expanded into kept sums, because the score is known only at the
        // end.
        let (squares, total) = match (self.names, &numbers[..]) {
            (["value", "value_squared"], [sum, squares]) => (squares - score * sum, count),
            (_, [_, total, numerators, denominators, products]) => {
                (numerators - 2.0 * score * products + score * score * denominators, *total)
            }
            _ => return None,
        };
        // Rounding can make a sum of squares slightly negative, and a single segment divides by zero, which
        // is not finite.
        let error = (count / (count - 1.0) * squares.max(0.0)).sqrt() / total;
        (count > 1.0 && error.is_finite()).then_some(error)
    }

    pub(super) fn check_like(&self, zero: &GivenStats) -> Result<()> {
        let wrong = |message: String| Err(InputError::malformed_state(message));
        if self.names != zero.names || self.sums.len() != zero.sums.len() {
            let (found, wanted) = (self.names, zero.names);
            return wrong(format!("the state has the sums {found:?}, but the metric needs {wanted:?}"));
        }
        self.sums.iter().try_for_each(|sum| ANY.check_mean(sum, sum.count()))?;
        for (name, sum) in self.names.iter().zip(&self.sums) {
            // Each segment adds one number to every sum, so the counts are equal unless the state is
            // damaged.
            if sum.count() != self.count() {
                return wrong(format!("{} of `{name}` beside {} numbers", sum.count(), self.count()));
            }
            if name.ends_with("_squared") && sum.to_f64() < 0.0 {
                return wrong(format!("a sum `{name}` of {}", sum.to_f64()));
            }
        }
        Ok(())
    }
}

impl Linear for GivenStats {
    fn without_number(&self, counts: &SegmentCounts) -> u64 {
        counts.segments.saturating_sub(self.count())
    }

    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        for (name, sum) in self.names.iter().zip(&mut self.sums) {
            Linear::columns(sum, &mut |column, count| visit(&format_args!("{name}.{column}"), count));
        }
    }

    fn add(&mut self, other: &Self) -> Result<()> {
        if self.names != other.names {
            return Err(InputError::malformed_state(
                "sums of metrics with different `over` or `spread` cannot be added",
            ));
        }
        let mut next = self.sums.clone();
        for (sum, added) in next.iter_mut().zip(&other.sums) {
            // The error names the column of these sums.
            if Linear::add(sum, added).is_err() {
                return self.add_columns(other);
            }
        }
        self.sums = next;
        Ok(())
    }

    fn check_bounds(&self, _: &SegmentCounts) -> Result<()> {
        self.check_like(self)
    }
}

/// Serializes the sums of numbers that another program computed as a map from the name of each sum, such as
/// `value`, to the sum. A sum is exact and written as nine integers.
impl Serialize for GivenStats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.names.iter().zip(&self.sums))
    }
}

impl<'de> Deserialize<'de> for GivenStats {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(GivenSums)
    }
}

struct GivenSums;

impl<'de> Visitor<'de> for GivenSums {
    type Value = GivenStats;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map with the sums of given numbers")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<GivenStats, A::Error> {
        let mut read: Vec<(String, ExactSum)> = Vec::new();
        while let Some(entry) = map.next_entry()? {
            read.push(entry);
        }
        let sum = |name: &&str| read.iter().find_map(|(known, sum)| (known == name).then_some(*sum));
        let of = |names: &'static [&'static str]| {
            let sums: Vec<ExactSum> = names.iter().filter_map(sum).collect();
            (sums.len() == names.len() && read.len() == names.len()).then_some(GivenStats { names, sums })
        };
        NAMES.into_iter().find_map(of).ok_or_else(|| {
            let names: Vec<&str> = read.iter().map(|(name, _)| name.as_str()).collect();
            de::Error::custom(format!("the sums {} are those of no metric", names.join(", ")))
        })
    }
}

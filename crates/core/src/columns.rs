//! [`columns!`]: a macro that declares a metric's statistics as a struct of named counts.

use core::fmt;

use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use crate::prelude::*;
use crate::{ExactSum, Linear, Stats};

/// Declares a struct of named `u64` counts: the statistics that a metric sums over segments.
///
/// The macro writes the struct with its [`Linear`] columns, `Default`, equality, and serialization as a map
/// from names to counts. Deserialization requires every name exactly once, and rejects other names.
///
/// `name: ExactSum` is a sum of floats in nine columns `name.count`, `name.digit_0`, ..; it has at most one
/// value for each segment. `column <= bound` bounds a column by another column, by `segments` or by
/// `references`; `shared <= hypothesis & reference` sets two bounds. [`Stats::check`](crate::Stats::check)
/// rejects stored statistics that break a bound.
///
/// ```
/// use bleuprint_core::{Linear, SegmentCounts, Stats, columns};
///
/// columns! {
///     /// What exact match counts.
///     pub struct Matched {
///         /// Hypotheses that equal a reference.
///         matched <= segments
///     }
/// }
///
/// let mut total = Matched { matched: 2 };
/// total.merge(&Matched { matched: 1 }).unwrap();
/// assert_eq!((total.row(), total.column_names()), (vec![3], vec!["matched".to_string()]));
/// assert_eq!(serde_json::to_string(&total).unwrap(), r#"{"matched":3}"#);
/// assert!(serde_json::from_str::<Matched>("{}").is_err());
/// let error = total.check(&SegmentCounts::of_segment(1)).unwrap_err();
/// assert_eq!(error.to_string(), "malformed state: matched 3 > segments 1");
///
/// use bleuprint_core::ExactSum;
/// columns! {
///     pub struct Losses {
///         tokens,
///         loss: ExactSum,
///     }
/// }
/// let mut total = Losses { tokens: 7, loss: ExactSum::from_value(0.25).unwrap() };
/// total.merge(&Losses { tokens: 3, loss: ExactSum::from_value(0.5).unwrap() }).unwrap();
/// assert_eq!((total.tokens, total.loss.mean(2), total.row().len()), (10, 0.375, 10));
/// assert_eq!(total.column_names()[1], "loss.count");
/// assert!(total.check(&SegmentCounts::of_segment(1)).unwrap_err().to_string().contains("values 2 > segments 1"));
/// ```
#[macro_export]
macro_rules! columns {
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident {
        $($(#[$field_attribute:meta])* $field:ident $(: $Sum:ident)? $(<= $bound:ident $(& $more:ident)*)?),+ $(,)?
    }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        #[allow(clippy::exhaustive_structs, reason = "a further column is another layout version")]
        $visibility struct $name {
            $(#[doc = concat!("The column `", stringify!($field), "`.")] $(#[$field_attribute])* pub $field: $crate::column!(type $($Sum)?),)+
        }

        impl $crate::Linear for $name {
            fn columns(&mut self, visit: &mut dyn FnMut(&dyn ::core::fmt::Display, &mut u64)) {
                $($crate::column!(visit self, visit, $field $($Sum)?);)+
            }

            // All sums are computed before `self` changes. The arm `_` repeats the sum to name the column
            // that overflows.
            fn add(&mut self, other: &Self) -> $crate::Result<()> {
                match ($($crate::column!(plus self, other, $field $($Sum)?),)+) {
                    ($(::core::option::Option::Some($field),)+) => {
                        *self = $name { $($field),+ };
                        ::core::result::Result::Ok(())
                    }
                    _ => $crate::Linear::add_columns(self, other),
                }
            }

            fn check_bounds(&self, counts: &$crate::SegmentCounts) -> $crate::Result<()> {
                $($($crate::column!(check self, counts, $field $Sum);)?)+
                $($($crate::column_bound!(self, counts, $field <= $bound);
                    $($crate::column_bound!(self, counts, $field <= $more);)*)?)+
                ::core::result::Result::Ok(())
            }
        }

        impl $crate::export::serde::Serialize for $name {
            fn serialize<S: $crate::export::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::export::serde::Serialize::serialize(&$crate::export::ByName(self), serializer)
            }
        }

        impl<'de> $crate::export::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::export::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::export::serde::Deserialize::deserialize(deserializer).map(|$crate::export::ByName(stats)| stats)
            }
        }
    };
}

/// Expands to the code for one field of [`columns!`]: a count, or statistics of several columns.
#[doc(hidden)]
#[macro_export]
macro_rules! column {
    (type) => {
        u64
    };
    (type $Sum:ident) => {
        $Sum
    };
    (visit $own:ident, $visit:ident, $field:ident) => {
        $visit(&stringify!($field), &mut $own.$field)
    };
    (visit $own:ident, $visit:ident, $field:ident $Sum:ident) => {
        $crate::Linear::columns(&mut $own.$field, &mut |column, count| {
            $visit(&::core::format_args!("{}.{column}", stringify!($field)), count)
        })
    };
    (plus $own:ident, $other:ident, $field:ident) => {
        u64::checked_add($own.$field, $other.$field)
    };
    (plus $own:ident, $other:ident, $field:ident $Sum:ident) => {{
        let mut sum = $own.$field;
        $crate::Linear::add(&mut sum, &$other.$field).ok().map(|()| sum)
    }};
    (check $own:ident, $counts:ident, $field:ident $Sum:ident) => {
        $crate::Linear::check_bounds(&$own.$field, $counts)?
    };
}

/// Returns the error of a column whose count exceeds its bound; see [`columns!`].
#[doc(hidden)]
#[macro_export]
macro_rules! column_bound {
    ($own:ident, $counts:ident, $field:ident <= segments) => {
        $crate::column_bound!($own, $field, "segments", $counts.segments)
    };
    ($own:ident, $counts:ident, $field:ident <= references) => {
        $crate::column_bound!($own, $field, "references", $counts.references)
    };
    ($own:ident, $counts:ident, $field:ident <= $bound:ident) => {
        $crate::column_bound!($own, $field, stringify!($bound), $own.$bound)
    };
    ($own:ident, $field:ident, $name:expr, $limit:expr) => {
        $crate::InputError::require_at_most(stringify!($field), $own.$field, $name, $limit)?
    };
}

/// Wrapper that serializes statistics, a row of named counts, as a map from names to counts.
///
/// Deserialization requires every column once and no other name. Only an exact sum may have eight columns
/// instead of nine, as in earlier versions.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "closed: a wrapper")]
pub struct ByName<L>(pub L);

impl<L: Linear> Serialize for ByName<&L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.row().len()))?;
        let mut outcome = Ok(());
        self.0.clone().columns(&mut |name, count| {
            if outcome.is_ok() {
                outcome = map.serialize_entry(&name.to_string(), count);
            }
        });
        outcome?;
        map.end()
    }
}

impl<'de, L: Linear> Deserialize<'de> for ByName<L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut stats = L::default();
        let row = deserializer.deserialize_map(ColumnsVisitor(stats.column_names()))?;
        stats.read_row(&row).map_err(de::Error::custom)?;
        Ok(ByName(stats))
    }
}

/// Deserialization visitor that reads a map from names to counts; the field lists the expected names.
struct ColumnsVisitor(Vec<String>);

impl<'de> Visitor<'de> for ColumnsVisitor {
    type Value = Vec<u64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a map with the counts {}", self.0.join(", "))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<u64>, A::Error> {
        let ColumnsVisitor(names) = self;
        let mut counts: Vec<Option<u64>> = vec![None; names.len()];
        while let Some(name) = map.next_key::<String>()? {
            let unknown =
                || de::Error::custom(format!("unknown count `{name}`; there are {}", names.join(", ")));
            let index = names.iter().position(|known| *known == name).ok_or_else(unknown)?;
            if counts[index].replace(map.next_value()?).is_some() {
                return Err(de::Error::custom(format!("the count `{name}` is given twice")));
            }
        }
        for place in 0..names.len() {
            // Earlier versions stored exact sums without `digit_7`. Its value follows from the number of
            // values, so old states stay readable.
            let Some(sum) = names[place].strip_suffix("digit_7").filter(|_| counts[place].is_none()) else {
                continue;
            };
            let of = |name: &String| name.strip_prefix(sum) == Some("count");
            if let Some(count) = names.iter().position(of).and_then(|at| counts[at]) {
                counts[place] = Some(ExactSum::ninth_column(count).map_err(de::Error::custom)?);
            }
        }
        if let Some(missing) = counts.iter().position(Option::is_none) {
            return Err(de::Error::custom(format!("the count `{}` is missing", names[missing])));
        }
        Ok(counts.into_iter().flatten().collect())
    }
}

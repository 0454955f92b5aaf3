//! [`Stats`]: what is merged. [`Linear`]: statistics that are a row of counts, so that they also subtract.
//!
//! Laws, for all states `a`, `b`, `c` that share a state key, with `0` the metric's `zero()`:
//!
//! ```text
//! identity        0 ⊕ a = a = a ⊕ 0
//! associativity   (a ⊕ b) ⊕ c = a ⊕ (b ⊕ c)
//! commutativity   a ⊕ b = b ⊕ a
//! retraction      (a ⊕ b) ⊖ b = a                      (Linear only)
//! rows            row(a ⊕ b) = row(a) + row(b)         (Linear only)
//! ```
//!
//! [`crate::laws`] checks them on any metric.
//!
//! Most metrics count a few things. Then their statistics are declared by [`columns!`](crate::columns), or are an
//! array `[u64; N]`, and everything else follows: merging, subtraction, the row with its names, serialization.
//! Statistics that are a set or a map implement [`Stats`] alone.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display};
use core::marker::PhantomData;

use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};

use crate::{InputError, InputErrorKind};

/// Plain data that can be combined with another value of the same kind.
///
/// States of other configurations are kept apart one level up, by [`StateKey`](crate::StateKey).
/// Every [`Linear`] type has this trait already.
pub trait Stats: Clone + Send + Sync + 'static {
    /// Combines `other` into `self`: `self ⊕ other`.
    ///
    /// # Errors
    /// [`CountRange`](InputErrorKind::CountRange) when a count does not fit 64 bits, and
    /// [`MalformedState`](InputErrorKind::MalformedState) when the shapes differ; `self` is then unchanged.
    fn merge(&mut self, other: &Self) -> Result<(), InputError>;

    /// Whether [`Stats::merge`] would succeed. Programs that merge the states of several metrics ask all of them
    /// first, so that either all are merged or none. The default merges into a copy, which is right for any type; where
    /// copies are large, say it again in a cheaper way (the laws compare the two).
    ///
    /// # Errors
    /// Those of [`Stats::merge`].
    fn check_merge(&self, other: &Self) -> Result<(), InputError> {
        self.clone().merge(other)
    }
}

/// Statistics that are a row of `u64` counts: they subtract, resample and fit a table.
///
/// One method says what the columns are; the others follow from it. The shape (the number and the meaning of the
/// columns) is that of the metric's `zero()`.
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
pub trait Linear: Clone + Send + Sync + 'static {
    /// Calls `visit` with the name and the count of every column, always in the same order.
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64));

    /// `self ⊕ other`, or an error, and `self` unchanged. Follows from [`Linear::columns`]; a type whose merging
    /// is in a hot loop may say it again in a faster way (the laws compare the two).
    ///
    /// # Errors
    /// [`CountRange`](InputErrorKind::CountRange) when a count does not fit 64 bits;
    /// [`MalformedState`](InputErrorKind::MalformedState) when the rows differ in length.
    fn add(&mut self, other: &Self) -> Result<(), InputError> {
        add_columns(self, other)
    }

    /// `self ⊖ other`: takes out what was merged in before.
    ///
    /// # Errors
    /// [`CountRange`](InputErrorKind::CountRange), with `self` unchanged, if a count would fall below zero: `other`
    /// was never part of `self`.
    fn retract(&mut self, other: &Self) -> Result<(), InputError> {
        combine(self, other, '-', u64::checked_sub)
    }

    /// Appends the counts to `row`.
    fn write_row(&self, row: &mut Vec<u64>) {
        self.clone().columns(&mut |_, count| row.push(*count));
    }

    /// The counts as a row of their own.
    fn row(&self) -> Vec<u64> {
        let mut row = Vec::new();
        self.write_row(&mut row);
        row
    }

    /// The name of every column, in order.
    fn column_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.clone().columns(&mut |name, _| names.push(name.to_string()));
        names
    }

    /// Replaces the counts by those of `row`.
    ///
    /// # Errors
    /// [`MalformedState`](InputErrorKind::MalformedState) when the row has another length; nothing is replaced
    /// then. Whether the counts can belong together is for [`Metric::check`](crate::Metric::check) to say.
    fn read_row(&mut self, row: &[u64]) -> Result<(), InputError> {
        let mut expected = 0;
        self.columns(&mut |_, _| expected += 1);
        if expected != row.len() {
            return Err(row_length(expected, row.len()));
        }
        let mut rest = row.iter();
        self.columns(&mut |_, count| *count = rest.next().copied().unwrap_or(*count));
        Ok(())
    }
}

impl<S: Linear> Stats for S {
    fn merge(&mut self, other: &Self) -> Result<(), InputError> {
        self.add(other)
    }

    fn check_merge(&self, other: &Self) -> Result<(), InputError> {
        self.clone().add(other)
    }
}

/// [`Linear::add`] as it follows from the columns: what a faster one is compared with.
///
/// # Errors
/// Those of [`Linear::add`].
pub fn add_columns<S: Linear>(own: &mut S, other: &S) -> Result<(), InputError> {
    combine(own, other, '+', u64::checked_add)
}

fn combine<S: Linear>(
    own: &mut S,
    other: &S,
    operation: char,
    apply: fn(u64, u64) -> Option<u64>,
) -> Result<(), InputError> {
    let others = other.row();
    let (mut index, mut error) = (0, None);
    own.columns(&mut |name, &mut left| {
        if let Some(&right) = others.get(index)
            && apply(left, right).is_none()
            && error.is_none()
        {
            error = Some(InputErrorKind::CountRange { column: name.to_string(), left, operation, right });
        }
        index += 1;
    });
    if index != others.len() {
        return Err(row_length(index, others.len()));
    }
    if let Some(error) = error {
        return Err(error.into());
    }
    let mut others = others.into_iter();
    own.columns(&mut |_, count| {
        *count = others.next().and_then(|right| apply(*count, right)).unwrap_or(*count);
    });
    Ok(())
}

/// The error for a row of the wrong length.
pub fn row_length(expected: usize, given: usize) -> InputError {
    InputError::malformed_state(alloc::format!("a row of {given} counts, where {expected} were expected"))
}

/// Ready statistics: `N` counts, named by their index.
impl<const N: usize> Linear for [u64; N] {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        for (index, count) in self.iter_mut().enumerate() {
            visit(&index, count);
        }
    }
}

/// No statistics: what an absent metric has.
impl Linear for () {
    fn columns(&mut self, _: &mut dyn FnMut(&dyn Display, &mut u64)) {}
}

/// Declares statistics that are named `u64` counts: the struct with its [`Linear`] columns, `Default`, equality, and
/// serialization as a map from names to counts (strict when read: every name once, no other).
///
/// ```
/// use bleuprint_core::{Linear, Stats, columns};
///
/// columns! {
///     /// What exact match counts.
///     pub struct Matched {
///         /// Hypotheses that equal a reference.
///         matched
///     }
/// }
///
/// let mut total = Matched { matched: 2 };
/// total.merge(&Matched { matched: 1 }).unwrap();
/// assert_eq!((total.row(), total.column_names()), (vec![3], vec!["matched".to_string()]));
/// assert_eq!(serde_json::to_string(&total).unwrap(), r#"{"matched":3}"#);
/// assert!(serde_json::from_str::<Matched>("{}").is_err());
/// ```
#[macro_export]
macro_rules! columns {
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident {
        $($(#[$field_attribute:meta])* $field:ident),+ $(,)?
    }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        $visibility struct $name {
            $($(#[$field_attribute])* pub $field: u64,)+
        }

        impl $crate::Linear for $name {
            fn columns(&mut self, visit: &mut dyn FnMut(&dyn ::core::fmt::Display, &mut u64)) {
                $(visit(&stringify!($field), &mut self.$field);)+
            }

            fn add(&mut self, other: &Self) -> ::core::result::Result<(), $crate::InputError> {
                match ($(self.$field.checked_add(other.$field),)+) {
                    ($(::core::option::Option::Some($field),)+) => {
                        *self = $name { $($field),+ };
                        ::core::result::Result::Ok(())
                    }
                    _ => $crate::add_columns(self, other),
                }
            }
        }

        impl $crate::export::serde::Serialize for $name {
            fn serialize<S: $crate::export::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::export::serialize_columns(self, serializer)
            }
        }

        impl<'de> $crate::export::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::export::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::export::deserialize_columns(deserializer)
            }
        }
    };
}

/// Linear statistics as a map from the names of the columns to the counts.
///
/// # Errors
/// Those of the serializer.
pub fn serialize_columns<L: Linear, S: Serializer>(stats: &L, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(stats.row().len()))?;
    let mut outcome = Ok(());
    stats.clone().columns(&mut |name, count| {
        if outcome.is_ok() {
            outcome = map.serialize_entry(&name.to_string(), count);
        }
    });
    outcome?;
    map.end()
}

/// Reads what [`serialize_columns`] wrote: every column once, and nothing else.
///
/// # Errors
/// Those of the deserializer; a name that is missing, unknown or repeated.
pub fn deserialize_columns<'de, L: Linear + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<L, D::Error> {
    deserializer.deserialize_map(ColumnsVisitor(PhantomData))
}

struct ColumnsVisitor<L>(PhantomData<L>);

impl<'de, L: Linear + Default> Visitor<'de> for ColumnsVisitor<L> {
    type Value = L;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a map with the counts {}", L::default().column_names().join(", "))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<L, A::Error> {
        let mut stats = L::default();
        let names = stats.column_names();
        let mut counts: Vec<Option<u64>> = alloc::vec![None; names.len()];
        while let Some(name) = map.next_key::<String>()? {
            let unknown = || {
                de::Error::custom(alloc::format!("unknown count `{name}`; there are {}", names.join(", ")))
            };
            let index = names.iter().position(|known| *known == name).ok_or_else(unknown)?;
            if counts[index].replace(map.next_value()?).is_some() {
                return Err(de::Error::custom(alloc::format!("the count `{name}` is given twice")));
            }
        }
        if let Some(missing) = counts.iter().position(Option::is_none) {
            return Err(de::Error::custom(alloc::format!("the count `{}` is missing", names[missing])));
        }
        let row: Vec<u64> = counts.into_iter().flatten().collect();
        stats.read_row(&row).map_err(de::Error::custom)?;
        Ok(stats)
    }
}

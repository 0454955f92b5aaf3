//! [`Form`]: data of a type that only its metric knows.

use core::any::Any;

use serde::de::DeserializeOwned;

use crate::{Identity, TokenSpace};

/// The form of a metric's own data: its type is the hypothesis, and every door reads it with serde.
///
/// Files and Python give it to the program; `AnyMetric::over_own` of `bleuprint-registry` makes a metric over it one that is
/// chosen by name. `#[serde(deny_unknown_fields)]` makes misspelt fields errors.
///
/// ```
/// use bleuprint_core::{Form, Identity, Scale};
///
/// /// The results of one problem: `n` samples, of which `c` are right.
/// #[derive(serde::Deserialize)]
/// struct Samples { n: u32, c: u32 }
///
/// impl Form for Samples {
///     const NAME: &'static str = "samples";
///     type Reference = Self;
///     type Source = Self;
/// }
///
/// let identity = Identity::new("pass@1", 1, Scale::PERCENT).reference_free().over_form::<Samples>();
/// assert_eq!(identity.key().to_string(), "pass@1/1|data:samples");
/// ```
pub trait Form: DeserializeOwned + Any + Send + Sync {
    /// Its name in keys and messages, as `samples`.
    const NAME: &'static str;
    /// Its fields, each with a sentence, for help and errors.
    const FIELDS: &'static [(&'static str, &'static str)] = &[];
    /// The type of references: `Self`, if the metric has none.
    type Reference: DeserializeOwned + Any + Send + Sync;
    /// The type of sources: `Self`, if the metric has none.
    type Source: DeserializeOwned + Any + Send + Sync;
}

impl Identity {
    /// The same metric over data of this form, unless a door gives it others: a typed metric then has the keys and
    /// signatures that it has when it is chosen at run time.
    #[must_use]
    pub fn over_form<F: Form>(self) -> Self {
        self.by_default_over(&TokenSpace::data(F::NAME))
    }
}

//! [`Form`]: a trait for structured inputs of metrics, such as a ranking or test results, in place of text.

use core::any::Any;

use serde::de::DeserializeOwned;

use crate::{Identity, TokenSpace};

/// Trait for the structured input of a metric that does not compare texts, such as a ranking of documents.
/// Every interface reads such input with serde and passes it to the metric as the hypothesis.
///
/// [`form!`](crate::form) declares a struct that implements the trait. Users pass the data in files or from
/// Python. `AnyMetric::for_own` of `bleuprint-registry` makes a metric over such a struct available by name.
/// `#[serde(deny_unknown_fields)]` turns misspelt fields into errors.
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
/// let identity = Identity::new("pass@1", 1, Scale::PERCENT).reference_free().for_form::<Samples>();
/// assert_eq!(identity.key().to_string(), "pass@1/1|data:samples");
/// ```
pub trait Form: DeserializeOwned + Any + Send + Sync {
    /// Name of the input type in keys and messages, such as `samples`.
    const NAME: &'static str;
    /// Names of the fields of the JSON input, each with a sentence that describes the field in help and
    /// errors.
    const FIELDS: &'static [(&'static str, &'static str)] = &[];
    /// Type of each reference of a segment; `Self` if the metric uses no references.
    type Reference: DeserializeOwned + Any + Send + Sync;
    /// Type of the source of a segment; `Self` if the metric uses no source.
    type Source: DeserializeOwned + Any + Send + Sync;
}

impl Identity {
    /// Makes state keys and signatures name the input type `F`, unless another name is set. They then equal
    /// the keys and signatures of the same metric chosen by name at run time.
    #[must_use]
    pub fn for_form<F: Form>(self) -> Self {
        self.by_default_over(&TokenSpace::data(F::NAME))
    }
}

/// Makes a number an input type, for metrics that compare predicted values with reference values.
impl Form for f64 {
    const NAME: &'static str = "number";
    type Reference = Self;
    type Source = Self;
}

/// Declares a struct that implements [`Form`], the trait for structured inputs of metrics, with a name for
/// keys and messages. Deserialization rejects unknown fields. A doc comment on a field describes it in help
/// and errors.
///
/// ```
/// use bleuprint_core::{Form, form};
///
/// form! {
///     /// A ranking.
///     pub struct Ranking as "ranking", Reference = Vec<String>, Source = String {
///         /// the ids of the documents, best first
///         docs: Vec<String>,
///     }
/// }
///
/// let ranking: Ranking = serde_json::from_str(r#"{"docs": ["b", "a"]}"#).unwrap();
/// assert_eq!(ranking.docs, ["b", "a"]);
/// assert_eq!((Ranking::NAME, Ranking::FIELDS), ("ranking", &[("docs", "the ids of the documents, best first")][..]));
/// let error = serde_json::from_str::<Ranking>(r#"{"doc": []}"#).unwrap_err();
/// assert!(error.to_string().starts_with("unknown field `doc`, expected `docs`"));
/// let error = serde_json::from_str::<Ranking>("\"a\"").unwrap_err();
/// assert!(error.to_string().starts_with("invalid type: string \"a\", expected ranking"));
/// ```
#[macro_export]
macro_rules! form {
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident as $form:literal
        $(, Reference = $Reference:ty)? $(, Source = $Source:ty)?
    {
        $($(#[doc = $sentence:literal])* $field:ident: $Type:ty),+ $(,)?
    }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone)]
        $visibility struct $name {
            $($(#[doc = $sentence])* pub $field: $Type),+
        }

        impl $crate::Form for $name {
            const NAME: &'static str = $form;
            const FIELDS: &'static [(&'static str, &'static str)] =
                &[$((stringify!($field), concat!($($sentence),*).trim_ascii())),+];
            type Reference = $crate::form!(@ $($Reference)?);
            type Source = $crate::form!(@ $($Source)?);
        }

        // The derived code names serde by this path, so that the caller's crate needs no dependency on serde.
        // The derive is on a private twin without attributes: serde's attributes on the user's struct would
        // need serde in the user's crate.
        const _: () = {
            use $crate::export::serde as form_serde;

            #[derive(form_serde::Deserialize)]
            #[serde(crate = "form_serde", rename = $form, expecting = $form, deny_unknown_fields)]
            struct Fields {
                $($field: $Type),+
            }

            impl<'de> form_serde::Deserialize<'de> for $name {
                fn deserialize<D: form_serde::Deserializer<'de>>(
                    deserializer: D,
                ) -> ::core::result::Result<Self, D::Error> {
                    let Fields { $($field),+ } = form_serde::Deserialize::deserialize(deserializer)?;
                    ::core::result::Result::Ok($name { $($field),+ })
                }
            }
        };
    };
    (@) => {
        Self
    };
    (@ $Type:ty) => {
        $Type
    };
}

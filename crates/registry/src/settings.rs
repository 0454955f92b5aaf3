//! [`settings!`](crate::settings): a macro that declares the options of a metric once, as the fields of a struct.

/// Declares a struct whose fields are options of a metric. Each line has the field, its type and an [`Opt`](crate::Opt);
/// the comment above is the option's line of help, unless the option has one.
///
/// The macro writes the struct with `Debug`, `Clone` and `PartialEq`, and these items, which only the crate sees:
///
/// | item | content |
/// |---|---|
/// | `Default` | the default of each option |
/// | `OPTION` | a constant with a field for each option, so that `OPTION.order` is an [`Opt`](crate::Opt) |
/// | `SPECS` | the options for [`MetricEntry::options`](crate::MetricEntry::options) |
/// | `from_options` | the struct with the values that the user gave, or an error for a value beyond its limits |
/// | `add_to_identity` | the options with their values, added to an [`Identity`](bleuprint_core::Identity) in order |
///
/// A field without `=` is no option. It starts with the default of its type, and keys do not show it. The line `#[setter(pub)]`
/// before a field also writes a public method that sets the field; use it for options without limits, as the method checks nothing.
/// `in help: b, a;` after the struct lists the options for help in another order than keys have.
///
/// ```
/// use bleuprint_core::{Identity, Scale};
/// use bleuprint_registry::{MetricOptions, Opt, settings};
///
/// settings! {
///     /// Settings of a metric of mine.
///     struct MySettings {
///         /// The highest order of n-gram
///         order: usize = Opt::integer("my-order", 4).limits(1, 9).counted("order", "o");
///         /// Words keep their case
///         #[setter(pub)]
///         cased: bool = Opt::flag("my-case").counted("letters", "l").added_later();
///     }
/// }
///
/// let settings = MySettings::from_options(&MetricOptions::default().with("my-order", "2")).unwrap();
/// assert_eq!(settings, MySettings { order: 2, cased: false });
/// assert_eq!(MySettings::SPECS[0].help, "The highest order of n-gram");
/// let key = |settings: &MySettings| settings.add_to_identity(Identity::new("mine", 1, Scale::UNIT)).key().to_string();
/// assert_eq!(key(&settings), "mine/1|order:2|case:mixed|tok:unspecified");
/// assert_eq!(key(&settings.cased(true)), "mine/1|order:2|letters:yes|case:mixed|tok:unspecified");
/// let error = MySettings::from_options(&MetricOptions::default().with("my-order", "0")).unwrap_err();
/// assert_eq!(error.to_string(), "my-order is 0, but must be from 1 to 9");
/// assert_eq!(MySettings::OPTION.order.default(), MySettings::default().order);
/// ```
#[macro_export]
macro_rules! settings {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $Settings:ident {
            $(
                $(#[doc = $help:literal])*
                $(#[setter($setter_visibility:vis)])?
                $field_visibility:vis $field:ident: $Type:ty $(= $option:expr)?;
            )+
        }
        $(in help: $($listed:ident),+;)?
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq)]
        $visibility struct $Settings {
            $($(#[doc = $help])* $field_visibility $field: $Type,)+
        }

        // The type of `OPTION` has a name in this block alone, so that it clashes with no name of the crate.
        const _: () = {
            $crate::settings! {
                @items $Settings [$($($listed)+)?]
                $([$($help)*] $([$setter_visibility])? $field: $Type $(= $option)?;)+
            }
        };
    };

    (
        @items $Settings:ident $listed:tt
        $($help:tt $([$setter_visibility:vis])? $field:ident: $Type:ty $(= $option:expr)?;)+
    ) => {
        pub(crate) struct OptionDeclarations {
            $($(pub(crate) $field: $crate::settings!(@type $Type, $option),)?)+
        }

        impl ::core::default::Default for $Settings {
            fn default() -> Self {
                $Settings { $($field: $crate::settings!(@default $Settings, $field $(, $option)?)),+ }
            }
        }

        #[allow(dead_code, reason = "not every metric needs all of these items")]
        impl $Settings {
            pub(crate) const OPTION: OptionDeclarations = OptionDeclarations {
                $($($field: $crate::settings!(@option $option, $help),)?)+
            };

            pub(crate) const SPECS: &'static [$crate::OptionSpec] = {
                const DECLARED: &[$crate::OptionSpec] =
                    &[$($($crate::settings!(@spec $Settings, $field, $option),)?)+];
                $crate::settings!(@listed $Settings, DECLARED, $listed)
            };

            pub(crate) fn from_options(
                options: &$crate::MetricOptions,
            ) -> ::core::result::Result<Self, $crate::bleuprint_core::ConfigError> {
                ::core::result::Result::Ok($Settings {
                    $($field: $crate::settings!(@read $Settings, options, $field $(, $option)?)),+
                })
            }

            pub(crate) fn add_to_identity(
                &self,
                identity: $crate::bleuprint_core::Identity,
            ) -> $crate::bleuprint_core::Identity {
                $($(let identity = $crate::settings!(@add $Settings, self, identity, $field, $option);)?)+
                identity
            }

            $($(
                #[doc = $crate::settings!(@sets $field, $help)]
                #[must_use]
                $setter_visibility fn $field(self, $field: $Type) -> Self {
                    $Settings { $field, ..self }
                }
            )?)+
        }
    };

    // Each of these rules takes the declaration of a field, and those of options are expanded for them alone.
    (@type $Type:ty, $option:expr) => {
        $crate::Opt<$Type>
    };
    (@option $option:expr, []) => {
        $option
    };
    (@option $option:expr, [$($help:literal)+]) => {{
        let mut option = $option;
        if option.spec.help.is_empty() {
            option.spec.help = concat!($($help),+).trim_ascii();
        }
        option
    }};
    (@sets $field:ident, [$($help:literal)*]) => {
        concat!("Sets the option `", stringify!($field), "`:", $($help),*)
    };
    (@default $Settings:ident, $field:ident) => {
        ::core::default::Default::default()
    };
    (@default $Settings:ident, $field:ident, $option:expr) => {
        $Settings::OPTION.$field.default()
    };
    (@read $Settings:ident, $options:ident, $field:ident) => {
        ::core::default::Default::default()
    };
    (@read $Settings:ident, $options:ident, $field:ident, $option:expr) => {
        $Settings::OPTION.$field.value_in($options)?
    };
    (@add $Settings:ident, $this:expr, $identity:ident, $field:ident, $option:expr) => {
        $crate::bleuprint_core::Declared::describe(&$Settings::OPTION.$field, $identity, &$this.$field)
    };
    (@spec $Settings:ident, $field:ident, $option:expr) => {
        $Settings::OPTION.$field.spec
    };
    (@listed $Settings:ident, $declared:ident, []) => {
        $declared
    };
    (@listed $Settings:ident, $declared:ident, [$($listed:ident)+]) => {{
        const LISTED: &[$crate::OptionSpec] = &[$($Settings::OPTION.$listed.spec),+];
        assert!(LISTED.len() == $declared.len(), "`in help` lists every option once");
        LISTED
    }};
}

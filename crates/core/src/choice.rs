//! [`Choice`]: a trait for enums whose variants have names, used for options of metrics.

use crate::ConfigError;
use crate::prelude::*;

/// Trait for an enum whose variants have names. The names are option values and appear in signatures, the
/// printed settings of a score.
///
/// ```
/// use bleuprint_core::Choice;
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Ties { Shorter, First }
/// bleuprint_core::choice!(Ties: Shorter "shorter", First "first");
/// assert_eq!(Ties::by_name("ties", "first"), Ok(Ties::First));
/// let error = Ties::by_name("ties", "frist").unwrap_err().to_string();
/// assert!(error.contains("unknown ties `frist`"), "{error}");
/// ```
pub trait Choice: Copy + PartialEq + 'static {
    /// Names of the enum's variants, which users write as values of an option.
    const NAMES: &'static [&'static str];
    /// All variants of the enum, in the order of `NAMES`.
    const ALL: &'static [Self];
    /// Index of the default variant in the list `ALL` of variants.
    const DEFAULT: usize = 0;

    /// Returns the name of this enum variant, such as `first` for `Ties::First`. Users write the name in
    /// options, and error messages print it.
    fn name(self) -> &'static str {
        let mut named = Self::ALL.iter().zip(Self::NAMES);
        named.find(|(value, _)| **value == self).map_or("", |(_, name)| name)
    }

    /// Returns the text of this enum variant in signatures (the settings printed with a score). The default
    /// is the variant's name.
    fn print(self) -> String {
        self.name().to_owned()
    }

    /// Returns the enum variant with this name. `what` names the option in errors.
    ///
    /// # Errors
    /// Returns [`ConfigError::UnknownName`] if no variant has the name.
    fn by_name(what: &str, name: &str) -> Result<Self, ConfigError> {
        let mut named = Self::ALL.iter().zip(Self::NAMES);
        let found = named.find(|(_, known)| **known == name).map(|(value, _)| *value);
        found.ok_or_else(|| ConfigError::unknown_name(what, name, Self::NAMES))
    }
}

/// Implements [`Choice`] for an enum: lists the name of each variant, and the position of the default variant
/// if it is not the first. With `enum` it also declares the enum.
///
/// ```
/// use bleuprint_core::Choice;
///
/// bleuprint_core::choice! {
///     /// The unit of a length.
///     pub enum Unit {
///         /// Tokens.
///         Token = "token",
///         /// Bytes.
///         Byte = "byte",
///     }
/// }
/// assert_eq!((Unit::default().name(), Unit::Byte.name()), ("token", "byte"));
/// ```
#[macro_export]
macro_rules! choice {
    ($type:ident: $($value:ident $name:literal),+ $(; $default:literal)?) => {
        impl $crate::Choice for $type {
            const NAMES: &'static [&'static str] = &[$($name),+];
            const ALL: &'static [Self] = &[$($type::$value),+];
            $(const DEFAULT: usize = $default;)?
        }
    };
    ($(
        $(#[$about:meta])* $visibility:vis enum $type:ident {
            $(#[$about_default:meta])* $default:ident = $default_name:literal
            $(, $(#[$about_value:meta])* $value:ident = $name:literal)* $(,)?
        }
    )+) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        #[non_exhaustive]
        $visibility enum $type {
            $(#[$about_default])*
            #[default]
            $default,
            $($(#[$about_value])* $value),*
        }
        $crate::choice!($type: $default $default_name $(, $value $name)*);
    )+};
}

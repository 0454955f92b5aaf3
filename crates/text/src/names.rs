//! Checks of the names of tokenizers and normalizers, and the methods that their entries share.

use bleuprint_core::{ConfigError, Result};

/// Rejects `name` as a name of `entry` if it is a duplicate (`twice` is `true`), is empty, or contains
/// whitespace or a character of `marks`.
pub(crate) fn check_name(entry: &str, name: &str, twice: bool, marks: &str) -> Result<(), ConfigError> {
    if !twice && !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || marks.contains(c)) {
        return Ok(());
    }
    Err(ConfigError::Conflict(format!(
        "`{name}` cannot be a name of `{entry}`: names are unique, not empty, and free of spaces and of any of {marks}"
    )))
}

/// Implements the methods that tokenizer entries and normalizer entries share, such as `names`.
macro_rules! named_entry {
    ($entry:ident) => {
        impl $entry {
            #[must_use]
            pub(crate) const fn aliases(self, aliases: &'static [&'static str]) -> Self {
                $entry { aliases, ..self }
            }

            /// Sets the program and version whose output this tokenizer or normalizer reproduces, such as
            /// `jiwer 4.0.0`.
            #[must_use]
            pub const fn agrees_with(self, agrees_with: &'static str) -> Self {
                $entry { agrees_with, ..self }
            }

            /// Returns the name and all aliases of the tokenizer or normalizer.
            pub fn names(&self) -> impl Iterator<Item = &'static str> {
                std::iter::once(self.name).chain(self.aliases.iter().copied())
            }
        }

        impl std::fmt::Debug for $entry {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($entry)).field("name", &self.name).finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use named_entry;

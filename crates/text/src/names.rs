//! Names of tokenizers and normalizers.

use bleuprint_core::{ConfigError, Result};

/// Refuses a name of an entry that comes twice, is empty, or has white space or one of the marks in it.
pub(crate) fn check_name(entry: &str, name: &str, twice: bool, marks: &str) -> Result<(), ConfigError> {
    if !twice && !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || marks.contains(c)) {
        return Ok(());
    }
    Err(ConfigError::Conflict(format!(
        "`{name}` cannot be a name of `{entry}`: names are unique, not empty, and free of spaces and of any of {marks}"
    )))
}

/// The common part of entries of tokenizers and normalizers.
macro_rules! named_entry {
    ($entry:ident) => {
        impl $entry {
            #[must_use]
            pub(crate) const fn aliases(self, aliases: &'static [&'static str]) -> Self {
                $entry { aliases, ..self }
            }

            /// The program and version whose output it gives.
            #[must_use]
            pub const fn agrees_with(self, agrees_with: &'static str) -> Self {
                $entry { agrees_with, ..self }
            }

            /// Every name it answers to.
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

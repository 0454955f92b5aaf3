//! Checks of the names of tokenizers and normalizers, names that two families have, and the methods that the
//! entries share.

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

/// Returns `family/name`, the name of an entry whose plain name an earlier family has.
pub(crate) fn qualified(family: &str, name: &str) -> &'static str {
    // Entries are constants, so their names live as long as the program. A program has few names that clash.
    Box::leak(format!("{family}/{name}").into_boxed_str())
}

/// Names that entries of two families have.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedNames(Vec<SharedEntry>);

#[derive(Debug, Clone)]
struct SharedEntry {
    plain: String,
    /// Name of the earlier entry with its family. The plain name means this entry, also in files.
    first: String,
    second: &'static str,
}

impl SharedNames {
    pub(crate) fn add(&mut self, plain: &str, family: &str, second: &'static str) {
        self.0.push(SharedEntry { plain: plain.to_owned(), first: format!("{family}/{plain}"), second });
    }

    /// Returns the plain name for the name of the earlier entry with its family.
    pub(crate) fn plain(&self, first: &str) -> Option<&str> {
        self.0.iter().find(|shared| shared.first == first).map(|shared| &*shared.plain)
    }

    /// Returns an error with both entries if two families have an entry `name`; `what` is a word such as
    /// `tokenizer`.
    pub(crate) fn require_one(&self, what: &str, name: &str) -> Result<(), ConfigError> {
        let Some(SharedEntry { plain, first, second }) = self.0.iter().find(|shared| shared.plain == name)
        else {
            return Ok(());
        };
        let message = format!("two families have a {what} `{plain}`: write `{first}` or `{second}`");
        Err(ConfigError::Conflict(message))
    }
}

/// Implements the methods that tokenizer entries and normalizer entries share, such as `names`.
macro_rules! named_entry {
    ($entry:ident) => {
        impl $entry {
            #[must_use]
            pub(crate) const fn aliases(self, aliases: &'static [&'static str]) -> Self {
                $entry { aliases, ..self }
            }

            /// Returns the entry under the name `family/name`, without aliases.
            pub(crate) fn within(self, family: &'static str) -> Self {
                let name = crate::names::qualified(family, self.name);
                $entry { name, aliases: &[], family: Some(family), ..self }
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

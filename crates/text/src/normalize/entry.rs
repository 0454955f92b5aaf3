//! [`NormalizerEntry`]: the description of a normalizer and its constructor.

use super::Normalizer;
use crate::tokenize::hash;
use bleuprint_core::{ConfigError, Result};

type BuildNormalizer = fn() -> Result<Box<dyn Normalizer>, ConfigError>;
/// Of the name with the hash of the file, its path, and its text.
type BuildOfFile = fn([&str; 3]) -> Result<Box<dyn Normalizer>, ConfigError>;

#[derive(Clone, Copy)]
pub(super) enum Constructor {
    Plain(BuildNormalizer),
    File(BuildOfFile),
}

/// Everything a door needs to know about a normalizer.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct NormalizerEntry {
    /// The name in options and signatures.
    pub name: &'static str,
    /// Other accepted names.
    pub aliases: &'static [&'static str],
    /// One line for lists and help.
    pub summary: &'static str,
    /// The program and version it reproduces.
    pub agrees_with: &'static str,
    pub(super) build: Constructor,
}

impl NormalizerEntry {
    /// An entry of a normalizer, from its constructor.
    pub const fn new(name: &'static str, summary: &'static str, build: BuildNormalizer) -> Self {
        NormalizerEntry::of(name, summary, Constructor::Plain(build))
    }

    /// An entry of a normalizer of a file, which a chain names as `name=FILE`. The constructor takes the name to have, which
    /// ends in the hash of the file, the path and the text.
    pub const fn of_file(name: &'static str, summary: &'static str, build: BuildOfFile) -> Self {
        NormalizerEntry::of(name, summary, Constructor::File(build))
    }

    const fn of(name: &'static str, summary: &'static str, build: Constructor) -> Self {
        NormalizerEntry { name, aliases: &[], summary, agrees_with: "its definition", build }
    }

    /// Builds the normalizer of a step of a chain, whose file is behind `=`.
    pub(super) fn built(&self, file: Option<&str>) -> Result<Box<dyn Normalizer>, ConfigError> {
        match (self.build, file) {
            (Constructor::Plain(build), _) => build(),
            (Constructor::File(_), None) => Err(ConfigError::Conflict(format!(
                "the normalizer `{0}` needs its file: {0}=FILE",
                self.name
            ))),
            (Constructor::File(build), Some(path)) => {
                let text = super::files::read(self.name, path)?;
                build([&format!("{}#{:016x}", self.name, hash(text.as_bytes())), path, &text])
            }
        }
    }

    pub(super) fn takes_file(&self) -> bool {
        matches!(self.build, Constructor::File(_))
    }
}

crate::names::named_entry!(NormalizerEntry);

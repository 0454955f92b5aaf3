//! [`NormalizerEntry`]: the description of a normalizer and its constructor.

use super::Normalizer;
use bleuprint_core::{ConfigError, Result};
use std::path::Path;

/// The constructor of an entry; its argument is the file of a normalizer that takes one.
pub(crate) type BuildNormalizer = fn(&Path) -> Result<Box<dyn Normalizer>, ConfigError>;

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
    /// It takes a file, as in `words=FILE`.
    pub takes_file: bool,
    /// The required cargo feature that this build lacks, if any; building then fails with its name.
    pub missing_feature: Option<&'static str>,
    build: BuildNormalizer,
}

impl NormalizerEntry {
    /// An entry of a normalizer without a file.
    pub const fn new(name: &'static str, summary: &'static str, build: BuildNormalizer) -> Self {
        NormalizerEntry {
            name,
            aliases: &[],
            summary,
            agrees_with: "its definition",
            takes_file: false,
            missing_feature: None,
            build,
        }
    }

    #[must_use]
    pub(crate) const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        NormalizerEntry { aliases, ..self }
    }

    #[must_use]
    pub(crate) const fn agrees_with(self, agrees_with: &'static str) -> Self {
        NormalizerEntry { agrees_with, ..self }
    }

    /// A normalizer that takes a file: `NAME=FILE`.
    #[must_use]
    pub(crate) const fn takes_file(self) -> Self {
        NormalizerEntry { takes_file: true, ..self }
    }

    /// The required cargo feature, and whether this build has it.
    #[must_use]
    pub(crate) const fn needs(self, feature: &'static str, enabled: bool) -> Self {
        NormalizerEntry { missing_feature: if enabled { None } else { Some(feature) }, ..self }
    }

    /// Every name it answers to.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    pub(super) fn build(&self, file: &Path) -> Result<Box<dyn Normalizer>, ConfigError> {
        (self.build)(file)
    }
}

impl std::fmt::Debug for NormalizerEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NormalizerEntry").field("name", &self.name).finish_non_exhaustive()
    }
}

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
    /// Whether it takes a file, as in `words=FILE`.
    pub takes_file: bool,
    /// The required cargo feature that this build lacks, if any; building then fails with its name.
    pub missing_feature: Option<&'static str>,
    build: Build,
}

#[derive(Clone, Copy)]
enum Build {
    With(BuildNormalizer),
    Of(&'static dyn Normalizer),
}

impl NormalizerEntry {
    /// An entry of a normalizer without a file.
    pub const fn new(name: &'static str, summary: &'static str, build: BuildNormalizer) -> Self {
        Self::built(name, summary, Build::With(build))
    }

    /// An entry of a ready normalizer, kept for the rest of the program: for other languages.
    pub fn of(name: String, summary: String, normalizer: Box<dyn Normalizer>) -> Self {
        Self::built(name.leak(), summary.leak(), Build::Of(Box::leak(normalizer)))
    }

    const fn built(name: &'static str, summary: &'static str, build: Build) -> Self {
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

    /// Other accepted names.
    #[must_use]
    pub const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        NormalizerEntry { aliases, ..self }
    }

    /// The program and version it reproduces.
    #[must_use]
    pub const fn agrees_with(self, agrees_with: &'static str) -> Self {
        NormalizerEntry { agrees_with, ..self }
    }

    /// A normalizer that takes a file: `NAME=FILE`.
    #[must_use]
    pub const fn takes_file(self) -> Self {
        NormalizerEntry { takes_file: true, ..self }
    }

    /// The required cargo feature, and whether this build has it.
    #[must_use]
    pub const fn needs(self, feature: &'static str, enabled: bool) -> Self {
        NormalizerEntry { missing_feature: if enabled { None } else { Some(feature) }, ..self }
    }

    /// Every name it answers to.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    pub(super) fn build(&self, file: &Path) -> Result<Box<dyn Normalizer>, ConfigError> {
        match self.build {
            Build::With(build) => build(file),
            Build::Of(normalizer) => Ok(Box::new(normalizer)),
        }
    }
}

impl std::fmt::Debug for NormalizerEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NormalizerEntry").field("name", &self.name).finish_non_exhaustive()
    }
}

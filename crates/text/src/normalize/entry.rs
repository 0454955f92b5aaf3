//! [`NormalizerEntry`]: the description of a normalizer, with its constructor.

use super::Normalizer;
use crate::tokenize::hash;
use bleuprint_core::{ConfigError, Result};

type BuildNormalizer = fn() -> Result<Box<dyn Normalizer>, ConfigError>;
/// A constructor of a normalizer that reads a file. Its arguments are the normalizer's name with the hash of
/// the file, the path, and the content of the file.
type BuildOfFile = fn([&str; 3]) -> Result<Box<dyn Normalizer>, ConfigError>;

#[derive(Clone, Copy)]
pub(super) enum Constructor {
    Plain(BuildNormalizer),
    File(BuildOfFile),
}

/// The description of a normalizer, which the command line, Python and other interfaces read.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct NormalizerEntry {
    /// The name by which users select the normalizer. Signatures of scores contain this name.
    pub name: &'static str,
    /// Other names of the normalizer that options accept.
    pub aliases: &'static [&'static str],
    /// A one-line description of the normalizer for lists and help.
    pub summary: &'static str,
    /// The program and version whose output the normalizer reproduces.
    pub agrees_with: &'static str,
    /// The family in the name, if an earlier family has a normalizer of the plain name.
    family: Option<&'static str>,
    pub(super) build: Constructor,
}

impl NormalizerEntry {
    /// Creates an entry for a normalizer from its name, a one-line summary and its constructor.
    pub const fn new(name: &'static str, summary: &'static str, build: BuildNormalizer) -> Self {
        NormalizerEntry::with_build(name, summary, Constructor::Plain(build))
    }

    /// Creates an entry for a normalizer that reads a file; users give the path as `name=FILE`. The
    /// constructor gets three texts: the name with the hash of the file, the path, and the content of the
    /// file.
    pub const fn of_file(name: &'static str, summary: &'static str, build: BuildOfFile) -> Self {
        NormalizerEntry::with_build(name, summary, Constructor::File(build))
    }

    const fn with_build(name: &'static str, summary: &'static str, build: Constructor) -> Self {
        NormalizerEntry { name, aliases: &[], summary, agrees_with: "its definition", family: None, build }
    }

    /// Builds the normalizer that this entry describes. `file` is the path that a user gave as `name=FILE`,
    /// if any.
    pub(super) fn built(&self, file: Option<&str>) -> Result<Box<dyn Normalizer>, ConfigError> {
        match (self.build, file) {
            (Constructor::Plain(build), _) => Ok(match self.family {
                Some(family) => Box::new(FamilyNormalizer::new(family, build()?)),
                None => build()?,
            }),
            (Constructor::File(_), None) => Err(ConfigError::Conflict(format!(
                "the normalizer `{0}` needs its file: {0}=FILE",
                self.name
            ))),
            (Constructor::File(build), Some(path)) => {
                let text = super::files::read(self.name, path)?;
                // The hash is part of the name, and so of signatures: two files with different content never
                // share a name.
                build([&format!("{}#{:016x}", self.name, hash(text.as_bytes())), path, &text])
            }
        }
    }

    pub(super) fn takes_file(&self) -> bool {
        matches!(self.build, Constructor::File(_))
    }
}

crate::names::named_entry!(NormalizerEntry);

/// A normalizer that is named `family/name`, because an earlier family has a normalizer of the same name. A
/// normalizer of a file gets its name from its entry.
struct FamilyNormalizer {
    name: String,
    normalizer: Box<dyn Normalizer>,
}

impl FamilyNormalizer {
    fn new(family: &str, normalizer: Box<dyn Normalizer>) -> Self {
        FamilyNormalizer { name: format!("{family}/{}", normalizer.name()), normalizer }
    }
}

impl Normalizer for FamilyNormalizer {
    fn name(&self) -> &str {
        &self.name
    }

    fn normalize(&self, text: &mut String, spare: &mut String) {
        self.normalizer.normalize(text, spare);
    }
}

//! [`NormalizerEntry`]: the description of a normalizer and its constructor.

use super::Normalizer;
use bleuprint_core::{ConfigError, Result};

type BuildNormalizer = fn() -> Result<Box<dyn Normalizer>, ConfigError>;

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
    pub(super) build: BuildNormalizer,
}

impl NormalizerEntry {
    /// An entry of a normalizer, from its constructor.
    pub const fn new(name: &'static str, summary: &'static str, build: BuildNormalizer) -> Self {
        NormalizerEntry { name, aliases: &[], summary, agrees_with: "its definition", build }
    }
}

crate::names::named_entry!(NormalizerEntry);

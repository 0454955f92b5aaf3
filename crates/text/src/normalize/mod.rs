//! Normalizers, which rewrite a text before it is split into tokens. Each has a separate file and one line in
//! the registry.
//!
//! Several normalizers in a row form a chain, named as in `nfkc+lower+punct`. Error rates of speech depend on
//! the normalizer more than on anything else, so its name is part of keys and signatures (`norm:whisper-en`).
//!
//! ```
//! use bleuprint_text::Normalizers;
//! let chain = Normalizers::default().build("whisper-en")?;
//! assert_eq!(chain.apply("Mr. Smith's colour TV, uh, cost twenty dollars."), "mister smith is color tv cost $20");
//! # Ok::<(), bleuprint_core::ConfigError>(())
//! ```

mod alike;
mod chain;
mod classes;
mod entry;
mod files;
mod findings;
mod forms;
mod jiwer;
mod letters;
mod normalizers;
mod registry;
mod text;
mod whisper;

pub use alike::is_invisible;
pub use chain::Chain;
pub use classes::is_nonspacing;
pub use entry::NormalizerEntry;
pub use findings::{NormalizerFindings, StrippedMarks};
pub use normalizers::Normalizers;

use std::sync::Arc;

/// A deterministic function from text to text without state, defined for every text.
///
/// ```
/// use bleuprint_text::{Normalizer, NormalizerEntry, Normalizers};
///
/// /// Hyphens become spaces.
/// struct Hyphens;
/// impl Normalizer for Hyphens {
///     fn name(&self) -> &str {
///         "hyphens"
///     }
///     fn normalize(&self, text: &mut String, spare: &mut String) {
///         spare.clear();
///         spare.extend(text.chars().map(|c| if c == '-' { ' ' } else { c }));
///         std::mem::swap(text, spare);
///     }
/// }
/// let mut normalizers = Normalizers::default();
/// normalizers.add(NormalizerEntry::new("hyphens", "hyphens become spaces", || Ok(Box::new(Hyphens))))?;
/// assert_eq!(normalizers.build("lower+hyphens")?.apply("Real-Time"), "real time");
/// # Ok::<(), bleuprint_core::ConfigError>(())
/// ```
pub trait Normalizer: Send + Sync {
    /// Returns the name of the normalizer, such as `whisper-en`. It is the value of `norm:` in a score's
    /// signature and in the key of its statistics. If the normalizer depends on a file, the name ends in `#`
    /// and the hash of the file.
    fn name(&self) -> &str;

    /// Rewrites `text` in place. `spare` is a scratch buffer, whose content is arbitrary before and after the
    /// call.
    fn normalize(&self, text: &mut String, spare: &mut String);
}

/// Implements [`Normalizer`] for pointer types, such as a box that holds a normalizer.
macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<N: Normalizer + ?Sized> Normalizer for $pointer {
            method!(fn name(&self) -> &str);
            method!(fn normalize(&self, text: &mut String, spare: &mut String) -> ());
        }
    )+};
}

forward!(&N, Box<N>, Arc<N>);

/// A built-in normalizer without parameters: its name and the function that rewrites the text.
struct PlainNormalizer {
    name: &'static str,
    rewrite: fn(&mut String, &mut String),
}

impl Normalizer for PlainNormalizer {
    fn name(&self) -> &str {
        self.name
    }

    fn normalize(&self, text: &mut String, spare: &mut String) {
        (self.rewrite)(text, spare);
    }
}

macro_rules! step {
    ($name:literal, $summary:literal, $rewrite:expr) => {
        NormalizerEntry::new($name, $summary, || {
            Ok(Box::new($crate::normalize::PlainNormalizer { name: $name, rewrite: $rewrite }))
        })
    };
}
use step;

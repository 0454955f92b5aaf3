//! Normalizers: rewritings of a text before it is cut into tokens. One file each, one line each in the registry.
//!
//! A normalizer rewrites a text; several in a row are a chain, named as in `nfkc+lower+punct`. Error rates of speech depend
//! on it more than on anything else, so its name is part of keys and signatures (`norm:whisper-en`).
//!
//! ```
//! use bleuprint_text::Normalizers;
//! let chain = Normalizers::default().build("whisper-en")?;
//! assert_eq!(chain.apply("Mr. Smith's colour TV, uh, cost twenty dollars."), "mister smith is color tv cost $20");
//! # Ok::<(), bleuprint_core::ConfigError>(())
//! ```

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

pub use chain::Chain;
pub use classes::is_nonspacing;
pub use entry::NormalizerEntry;
pub use findings::{NormalizerFindings, StrippedMarks};
pub use normalizers::Normalizers;

use std::sync::Arc;

/// A function from text to text: the same for the same text, without state, and for every text.
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
    /// The `norm:` of the signature and of the state key, such as `whisper-en`: its name. If it depends
    /// on a file, a suffix behind `#` has the hash of the file.
    fn name(&self) -> &str;

    /// Rewrites the text. `spare` is memory with any content.
    fn normalize(&self, text: &mut String, spare: &mut String);
}

/// A pointer to a normalizer is a normalizer.
macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<N: Normalizer + ?Sized> Normalizer for $pointer {
            method!(fn name(&self) -> &str);
            method!(fn normalize(&self, text: &mut String, spare: &mut String) -> ());
        }
    )+};
}

forward!(&N, Box<N>, Arc<N>);

/// A normalizer of this crate without parameters: its name, and its function from text to text.
struct Step {
    name: &'static str,
    rewrite: fn(&mut String, &mut String),
}

impl Normalizer for Step {
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
            Ok(Box::new($crate::normalize::Step { name: $name, rewrite: $rewrite }))
        })
    };
}
use step;

//! NIST: n-gram precision in which rare n-grams weigh more.

mod finish;
mod information;
mod segment;
#[cfg(test)]
mod tests;

pub use information::Information;
pub use segment::NistScratch;

/// Whose arithmetic.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Rules {
    /// mteval's, without its two quirks.
    #[default]
    Standard,
    /// Those of mteval-v13a and v14, quirks and all.
    Mteval,
    /// NLTK's.
    Nltk,
}

//! CIDEr and CIDEr-D.

mod frequencies;
mod segment;
#[cfg(test)]
mod tests;

pub use frequencies::DocumentFrequencies;
pub use segment::CiderScratch;

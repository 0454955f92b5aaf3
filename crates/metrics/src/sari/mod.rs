//! SARI.

mod easse;
mod segment;
#[cfg(test)]
mod tests;

pub use easse::EasseOptions;
pub use segment::SariScratch;

//! chrF and chrF++: F-scores of character n-grams, and of word n-grams.

mod chains;
mod characters;
mod count;
mod finish;
#[cfg(test)]
mod naive;
mod words;

pub(crate) use count::{Counter, Counts, CountsByOrder, Orders, PreparedTexts};
pub(crate) use finish::Finish;

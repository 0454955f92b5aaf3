//! Answers requests: reads the files that a request names, and turns them into scores or evaluations.
//!
//! This crate does not parse arguments: a [`request`] says what is counted as plain data, which the program
//! fills from its command line and the Python package from the keywords of a call. Code that runs for every
//! segment is in this crate, so that both have it.
#![expect(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    reason = "the parts of one program, which changes with them"
)]

mod blame;
pub mod corpus;
mod counted_files;
pub mod counter;
pub mod data;
mod defined;
pub mod failure;
mod harness;
pub mod input;
mod keyed;
mod lengths;
mod numbers;
pub mod own;
pub mod pools;
pub mod progress;
mod records;
pub mod request;
pub mod resampling;
mod resegmented;
pub mod scoring;
pub mod significance;
pub mod terminal;
pub mod tokens;
mod vectors;
mod wanted;
pub mod warn;
pub mod words;

pub use bleuprint_harness::Harness;
pub use counted_files::CountedFiles;

//! From the files of a command to scores, corpora and evaluations.
//!
//! It knows no arguments: a [`request`] is plain data, which the program reads from its command line. What works on every segment is
//! here and not there, since packages are optimised apart: release builds optimise this one, and not the command line.
#![expect(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    reason = "the parts of one program, which changes with them"
)]

mod blame;
pub mod corpus;
pub mod counter;
pub mod data;
pub mod failure;
mod harness;
pub mod input;
mod numbers;
pub mod own;
pub mod pools;
pub mod progress;
mod records;
pub mod request;
pub mod resampling;
mod resegmented;
pub mod scoring;
mod sides;
pub mod significance;
pub mod terminal;
pub mod tokens;
mod vectors;
mod wanted;
pub mod warn;
pub mod words;

//! Helpers for bleuprint's tests: expected results stored as data ([`golden`], [`tables`]), recorded results
//! of other programs ([`recorded`]), cases of families of metrics (`rows`), random segments ([`random`]), numbers of random draws
//! ([`draws`](draws())), temporary files ([`Folder`]) and an allocator that counts ([`memory`]).
//!
//! The package is not published. Without the feature `rows` it depends on no crate that it tests, so all of them
//! may use it.
//! `crates/testkit/data/README.md` describes the format of the data files.
#![allow(clippy::exhaustive_enums, clippy::exhaustive_structs, reason = "nobody outside depends on it")]

mod draws;
mod folder;
pub mod golden;
mod intervals;
pub mod memory;
pub mod random;
pub mod recorded;
#[cfg(feature = "rows")]
pub mod rows;
pub mod tables;

pub use draws::draws;
pub use folder::Folder;
pub use intervals::intervals;

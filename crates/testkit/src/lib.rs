//! Shared parts of bleuprint's own tests: golden rows kept as data ([`golden`], [`tables`]), data beside the checkout
//! ([`recorded`]), random segments ([`random`]), numbers of draws
//! ([`draws`](draws())), files ([`Folder`]) and an allocator that counts ([`memory`]).
//!
//! The package is not published and depends on none of the crates it tests, so each of them may use it. The format of
//! the data files is described in `crates/testkit/data/README.md`.
#![allow(clippy::exhaustive_enums, clippy::exhaustive_structs, reason = "nobody outside depends on it")]

mod draws;
mod folder;
pub mod golden;
mod intervals;
pub mod memory;
pub mod random;
pub mod recorded;
pub mod tables;

pub use draws::draws;
pub use folder::Folder;
pub use intervals::intervals;

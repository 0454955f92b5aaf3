//! Shared parts of bleuprint's own tests: golden cases kept as data ([`golden`], [`chrf`]), random segments
//! ([`random`]) and files ([`Folder`]).
//!
//! The package is not published and depends on none of the crates it tests, so each of them may use it. The format of
//! the data files is described in `crates/testkit/data/README.md`.

pub mod chrf;
pub mod edits;
mod folder;
pub mod golden;
pub mod random;

pub use folder::Folder;

//! Shared parts of bleuprint's own tests: golden cases kept as data ([`golden`], [`chrf`]) and random segments
//! ([`random`]).
//!
//! The package is not published and depends on none of the crates it tests, so each of them may use it. The format of
//! the data files is described in `crates/testkit/data/README.md`.

pub mod chrf;
pub mod edits;
pub mod golden;
pub mod random;

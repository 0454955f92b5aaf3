//! Tokens to clipped n-gram counts: interning and the exact overlap kernel under BLEU, over any `T: Hash + Eq`.
#![no_std]

extern crate alloc;

mod claims;
mod hashed;
mod index;
mod intern;
mod ladder;
mod masks;
pub mod naive;
mod overlap;
mod prepared;
mod rows;
mod scratch;
mod seed;
mod sieve;
mod token;

pub use intern::Interner;
pub use overlap::overlap;
pub use prepared::{Prepared, PreparedIds, prepare};
pub use scratch::Scratch;

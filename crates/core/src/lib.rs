//! The contract of bleuprint.
#![no_std]
extern crate alloc;
#[cfg(any(test, feature = "laws"))]
extern crate std;

mod error;

pub use error::{ConfigError, InputError, InputErrorKind, Location};

//! The functions of SQL against the bits of the library's own loop.

mod bits;
mod data;
mod families;
mod files;
mod refusals;

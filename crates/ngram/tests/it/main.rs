//! Tests that compare n-gram counts with reference implementations.

mod intern_bytes;
mod leave_one_out;
mod pairwise;
mod scale;
mod set;
mod twin;

//! N-gram counts against naive twins.

mod intern_bytes;
mod leave_one_out;
mod pairwise;
mod scale;
mod set;
mod twin;

//! Tests through the public API: laws, states in any order, rejected data.

mod laws;
mod merging;
mod refused;

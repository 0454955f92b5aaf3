//! The package as its users see it: laws, states in any order, refused data.

mod laws;
mod merging;
mod refused;

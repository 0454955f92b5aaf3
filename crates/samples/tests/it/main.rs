//! The package as its users see it: laws, states in any order, refused data, and numbers of other programs.

mod golden;
mod laws;
mod merging;
mod recorded;
mod refused;

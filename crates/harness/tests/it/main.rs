//! The logs of each harness, small ones of our own and recorded ones.

mod recorded;
mod refused;

//! The logs of each harness, small ones of our own and recorded ones.

#[cfg(feature = "parquet")]
mod lighteval;
mod logs;
mod recorded;
mod refused;

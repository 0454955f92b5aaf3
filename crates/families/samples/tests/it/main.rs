//! Tests through the public API: states in any order, typed metrics, hostile data. `tests/rows` has all other cases.

mod hostile;
mod merging;
mod typed;

//! Reads single values and columns from Python: numbers, arrays, Arrow data and JSON, each with its place for
//! error messages.

pub(crate) mod arrow;
pub(crate) mod buffer;
pub(crate) mod cells;
pub(crate) mod count;
pub(crate) mod json;
pub(crate) mod place;

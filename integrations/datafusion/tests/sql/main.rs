//! Tests that the SQL functions equal the library's own loop bit for bit.

mod bits;
mod data;
mod examples;
mod families;
mod files;
mod refusals;

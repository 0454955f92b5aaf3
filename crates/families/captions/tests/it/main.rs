//! The package as its users see it: numbers of other programs, and data that are not there or are damaged.

mod golden;
mod recorded;
mod refused;

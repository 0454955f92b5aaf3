//! The program as a user runs it: every command, its messages and its files.

mod cases;
#[path = "../common/mod.rs"]
mod common;
mod documents;
mod examples;
mod explain;
mod facts;
mod families;
#[cfg(feature = "families")]
mod formats;
mod gate;
mod golden;
mod help;
mod hostile;
mod intervals;
mod options;
mod outputs;
mod recorded;
mod state;

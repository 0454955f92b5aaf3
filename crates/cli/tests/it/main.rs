//! The program as a user runs it: every command, its messages and its files.

mod cases;
#[path = "../common/mod.rs"]
mod common;
mod dialects;
mod documents;
mod evaluation;
mod gate;
mod golden;
mod help;
mod hostile;
mod mistakes;
mod numbers;
mod outputs;
mod pools;
mod recipes;
mod recorded;
mod report;
mod state;
mod tokens;

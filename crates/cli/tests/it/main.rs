//! The program as a user runs it: every command, its messages and its files.

#[path = "../common/mod.rs"]
mod common;
mod dialects;
mod documents;
mod edges;
mod edits;
mod evaluation;
mod gate;
mod golden;
mod help;
mod hostile;
mod learned;
mod meta;
mod missing;
mod mistakes;
mod numbers;
mod pools;
mod recipes;
mod recorded;
mod report;
mod score;
mod shell;
mod speech;
mod state;
mod vectors;
mod wrong_ways;

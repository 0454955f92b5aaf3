//! Tests of the facade: golden rows, recorded bits, laws, panels and identities of every metric.

mod alignments;
mod bits;
mod coverage;
mod dialect_tokens;
mod explain_cases;
mod features;
mod golden;
mod identity;
mod laws;
mod own_tokenizers;
mod panels;
mod recipes;
mod recorded;
mod rows;
mod support;
mod tables;

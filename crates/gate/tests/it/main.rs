//! Tests of verdicts on new output: policies, the table of decisions, outputs, and rates of wrong verdicts.

mod headline;
mod outputs;
mod policy;
mod rates;
mod support;
mod table;

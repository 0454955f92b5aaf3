//! Verdicts on new output: policies, tables, outputs, and the rates of errors.

mod outputs;
mod policy;
mod rates;
mod support;
mod table;

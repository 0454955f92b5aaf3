//! Tests of ledgers, alarms, comparisons and outputs, and simulations of their stated rates.
#![allow(clippy::print_stdout, reason = "simulations print their figures, and tests say what they skip")]

mod alarms;
mod corrections;
mod ledger;
mod names;
mod outputs;
mod rates;
mod support;
mod versions;

//! Several systems and their segments: evaluations, files, tests, comparisons, gates and ledgers.

pub(crate) mod counted_run;
pub(crate) mod evaluation;
pub(crate) mod files;
pub(crate) mod gate;
pub(crate) mod given;
pub(crate) mod ledger;
pub(crate) mod meta;
pub(crate) mod show;
pub(crate) mod statistics;
pub(crate) mod testing;
pub(crate) mod unpaired;
pub(crate) mod vectors;

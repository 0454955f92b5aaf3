//! Functions that do all the work of a Python call at once, because the call has plain texts or needs numbers
//! that states do not have.

pub(crate) mod assigned;
pub(crate) mod bleu;
pub(crate) mod jiwer;
pub(crate) mod plain;
pub(crate) mod pools;

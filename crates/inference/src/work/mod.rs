//! Long work: its threads, its interruption, and how far it is.

pub(crate) mod interrupt;
pub(crate) mod threads;

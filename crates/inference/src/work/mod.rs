//! Long work: its threads, its interruption and its progress.

pub(crate) mod interrupt;
pub(crate) mod threads;

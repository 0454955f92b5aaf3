//! Long-running work: its threads, its early end on request, and its progress.

pub(crate) mod interrupt;
pub(crate) mod threads;

//! A metric that was chosen in Python: the handle that observes segments, its states, scores, warnings and
//! laws, and the lists of names.

pub(crate) mod catalogue;
pub(crate) mod engine;
pub(crate) mod laws;
pub(crate) mod mistakes;
pub(crate) mod observe;
pub(crate) mod recipe;
pub(crate) mod score;
pub(crate) mod source;
pub(crate) mod state;

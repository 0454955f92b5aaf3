//! Chapters of the guide; they exist only in the documentation.

#[doc = include_str!("../docs/evaluation.md")]
pub mod evaluation {}
#[doc = include_str!("../docs/own_types.md")]
pub mod own_types {}
#[doc = include_str!("../docs/plugins.md")]
pub mod plugins {}
#[doc = include_str!("../docs/scale.md")]
pub mod scale {}
#[doc = include_str!("../docs/speech.md")]
pub mod speech {}
#[doc = include_str!("../docs/training.md")]
pub mod training {}

//! Readers: from files to lines and segments.

mod lines;
mod source;
mod text;

pub use lines::{Lines, Newlines};
pub use source::{Source, open};
pub use text::Text;

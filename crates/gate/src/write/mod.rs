//! Writes a verdict as text, JSON, JUnit XML, or a Markdown summary for a CI step.

mod json;
mod junit;
mod summary;
mod text;
mod words;

pub use json::{FORMAT, json};
pub use junit::{SUITES, junit};
pub use summary::{LONGEST_SUMMARY, summary};
pub use text::text;

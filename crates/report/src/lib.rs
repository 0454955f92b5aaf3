//! Turns scores into reports: lines, JSON and tables. Rounding happens only in this crate; other crates pass
//! on full precision.
//!
//! Reports use only [`AnyScore`](bleuprint_registry::AnyScore), so a new metric needs no code here. A printed
//! line has sacreBLEU's format:
//!
//! ```
//! use bleuprint_core::{PartValue, Scale, Scored, ScorePart, ShowPart, Signature};
//! use bleuprint_registry::AnyScore;
//! use bleuprint_report::{LineStyle, line};
//!
//! let mut score = AnyScore::new("BLEU", 35.355339, Scale::PERCENT);
//! score.parts = vec![
//!     ScorePart::new("precisions", ShowPart::Bare(1), PartValue::Numbers(vec![50.0, 25.0])),
//!     ScorePart::new("bp", ShowPart::Labelled("BP".into(), 3), PartValue::Number(1.0)),
//! ];
//! let scored = Scored { score, signature: Signature::new("BLEU").with("tok", "tok", "13a") };
//! let text = line(&scored, None, LineStyle::default());
//! assert!(text.starts_with("BLEU|tok:13a|version:bleuprint-"));
//! assert!(text.ends_with(" = 35.4 50.0/25.0 (BP = 1.000)"));
//! ```

pub mod escape;
mod forest;
mod grid;
#[cfg(feature = "json")]
mod json;
mod line;
mod names;
#[cfg(feature = "page")]
pub mod page;
mod systems;

pub use forest::forest;
pub use grid::CellGrid;
#[cfg(feature = "json")]
pub use json::{json, pretty, systems_json};
pub use line::{Confidence, LineStyle, decimals, fixed, line, number, thousands, verbose};
pub use names::{distinct_names, headers, short_names};
#[cfg(feature = "json")]
pub use systems::tests_json;
pub use systems::{Colour, MetricColumn, SystemResult, TableForm, banner, signature_block, systems_table};

//! From scores to reports: lines, JSON and tables. The only place that rounds.
//!
//! Reports are made from [`AnyScore`](bleuprint_core::AnyScore) alone, so a new metric needs nothing here. The
//! line is sacreBLEU's:
//!
//! ```
//! use bleuprint_core::{AnyScore, Part, PartValue, Scale, Scored, Show, Signature};
//! use bleuprint_report::{LineStyle, line};
//!
//! let parts = vec![
//!     Part { key: "precisions", show: Show::Bare(1), value: PartValue::Numbers(vec![50.0, 25.0]) },
//!     Part { key: "bp", show: Show::Labelled("BP", 3), value: PartValue::Number(1.0) },
//! ];
//! let score = AnyScore { name: "BLEU".into(), value: 35.355339, scale: Scale::PERCENT, parts };
//! let scored = Scored { score, signature: Signature::new("BLEU").with("tok", "tok", "13a") };
//! let text = line(&scored, LineStyle::default());
//! assert!(text.starts_with("BLEU|tok:13a|version:bleuprint-"));
//! assert!(text.ends_with(" = 35.4 50.0/25.0 (BP = 1.000)"));
//! ```

mod grid;
mod json;
mod line;
mod systems;
mod table;

pub use grid::Grid;
pub use json::{json, json_systems, pretty};
pub use line::{LineStyle, line, score_only, verbose};
pub use systems::{
    Colour, MetricColumn, SystemResult, banner, signature_block, systems_json, systems_latex, systems_table,
};
pub use table::table;

//! The contract of metrics, and metrics chosen at run time: all names of `bleuprint-core` and `bleuprint-registry`.
//!
//! ```
//! use bleuprint::contract::{AnyMetric, Metric, Registry};
//! ```

pub use bleuprint_core::*;
pub use bleuprint_registry::*;

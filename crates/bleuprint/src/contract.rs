//! Traits for your own metrics, and metrics that are chosen at run time: all names of `bleuprint-core` and
//! `bleuprint-registry`.
//!
//! A metric is a configuration, its counts are its statistics, and its result is a score. Four operations
//! connect them:
//!
//! ```text
//! zero ──▶ observe ──▶ merge ──▶ finalize
//! ```
//!
//! | law | equation |
//! |---|---|
//! | homomorphism | `stats(a ++ b) = stats(a) ⊕ stats(b)`, for every cut of the segments |
//! | identity, associativity, commutativity | `0 ⊕ a = a`, `(a ⊕ b) ⊕ c = a ⊕ (b ⊕ c)`, `a ⊕ b = b ⊕ a` |
//! | retraction | `(a ⊕ b) ⊖ b = a`, if the statistics are a row of counts |
//! | reference order | `stats(h, r₁ r₂) = stats(h, r₂ r₁)`, unless the identity declares that it matters |
//! | purity | `finalize` only reads |
//!
//! The feature `laws` tests these laws, and the laws of every optimization, for any metric in one line.
//!
//! | you write | with |
//! |---|---|
//! | a mean of one number of each segment | [`PerSegment`] |
//! | a score of counts | [`Totals`] over [`columns!`] |
//! | your own data type | [`form!`] |
//! | options with help, limits and keys | [`settings!`] |
//! | buffers, batches, optimizations | [`Metric`] and [`Observe`] |
//! | a name for it in programs and Python | [`AnyMetric`] in a [`MetricEntry`] |
//!
//! ```
//! use bleuprint::contract::{AnyMetric, Metric, Registry};
//! ```

pub use bleuprint_core::*;
pub use bleuprint_registry::*;

//! A wheel of its own with metrics in Rust, which appear by name beside those of the Python package `bleuprint`:
//!
//! ```python
//! import bleuprint
//! bleuprint.load("my_metrics")
//! bleuprint.metric("unigram_f", unigram_beta=2).score(["a b c"], ["a b d"])
//! ```

#[path = "../../src/metrics/mod.rs"]
mod metrics;

use bleuprint::ConfigError;
use bleuprint::text::{Families, Family};

fn families() -> Result<Families, ConfigError> {
    let family = Family::new("mine", "Metrics of my own").metrics(metrics::METRICS);
    bleuprint::families().with(family)
}

bleuprint_python::plugin!(my_metrics, families);

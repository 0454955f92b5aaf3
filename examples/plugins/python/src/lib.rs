//! A wheel of its own with metrics in Rust, which appear by name beside those of the Python package `bleuprint`:
//!
//! ```python
//! import bleuprint
//! bleuprint.load("my_metrics")
//! bleuprint.metric("unigram_f", unigram_beta=2).score(["a b c"], ["a b d"])
//! ```

#[path = "../../src/sketch.rs"]
mod sketch;
#[path = "../../src/unigram_f.rs"]
mod unigram_f;

use bleuprint::{ConfigError, Registry};

fn registry() -> Result<Registry, ConfigError> {
    let mut registry = bleuprint::registry();
    registry.add(sketch::ENTRY)?;
    registry.add(unigram_f::ENTRY)?;
    Ok(registry)
}

bleuprint_python::plugin!(my_metrics, registry);

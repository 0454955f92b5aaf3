//! Metrics of image captions, as the COCO evaluation has them.
//!
//! A registry gets them by [`ENTRIES`]:
//!
//! ```
//! let registry = bleuprint_core::Registry::from_entries(bleuprint_captions::ENTRIES).unwrap();
//! assert_eq!(registry.entries().len(), bleuprint_captions::ENTRIES.len());
//! ```

use bleuprint_core::MetricEntry;

/// The metrics, to be added to a registry.
pub static ENTRIES: &[MetricEntry] = &[];

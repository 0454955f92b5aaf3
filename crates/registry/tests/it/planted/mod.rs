//! Tests of the laws: correct metrics pass. Bugs planted in metrics, statistics and wrappers are found, each
//! by the law that it breaks, with the smallest segments.

mod identities;
mod length_error;
mod metrics;
mod own_data;
mod stats;
mod wrappers;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Asserts that a check fails with this law and these segments.
#[track_caller]
fn breaks(metric: &str, law: &str, smallest: &[String], check: impl FnOnce()) {
    let message = match catch_unwind(AssertUnwindSafe(check)) {
        Ok(()) => String::from("it passes"),
        Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_default(),
    };
    assert!(message.starts_with(&format!("{metric}: {law}")), "not by {law}: {message}");
    let numbered = (1..).zip(smallest).map(|(number, segment)| format!("\n  {number}: {segment}"));
    let shown = message.split_once("the smallest segments:").map_or("", |(_, segments)| segments);
    assert_eq!(shown.trim_start_matches(" none"), numbered.collect::<String>(), "{message}");
}

fn segment(hypothesis: &[u32], references: &[&[u32]]) -> String {
    format!("hypothesis {hypothesis:?}, references {references:?}, source []")
}

//! The laws: right metrics pass, and bugs that are planted in metrics, statistics and wrappers are caught, each by the law
//! that it breaks, with the smallest segments.

mod length_error;
mod metrics;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a check says of a metric that breaks a law.
fn caught(check: impl FnOnce()) -> String {
    match catch_unwind(AssertUnwindSafe(check)) {
        Ok(()) => String::from("it passes"),
        Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_default(),
    }
}

//! Settings of all criterion benches: short, since the machine is rarely quiet for long, and many runs are better than
//! one long one.

use std::time::Duration;

use criterion::Criterion;

/// A second per measurement, and no plots.
pub(crate) fn configured() -> Criterion {
    Criterion::default()
        .without_plots()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
}

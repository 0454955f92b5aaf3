//! What metrics that are a mean of segment scores share: is this sum one that segments can have given?

use bleuprint_core::{ExactSum, InputError, Scale, SegmentCounts};

/// One value per segment, whose mean lies on the scale.
pub(crate) fn check_mean(sum: &ExactSum, counts: &SegmentCounts, scale: Scale) -> Result<(), InputError> {
    sum.check()?;
    if sum.count() != counts.segments {
        let message = format!("a sum of {} values over {} segments", sum.count(), counts.segments);
        return Err(InputError::malformed_state(message));
    }
    let mean = sum.mean(sum.count().max(1));
    if !scale.contains(mean) {
        let message = format!("a mean of {mean}, on a scale from {} to {}", scale.min, scale.max);
        return Err(InputError::malformed_state(message));
    }
    Ok(())
}

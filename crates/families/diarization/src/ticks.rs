//! Converts times to integers, in ticks of half a microsecond, so that sums are exact and a collar can be
//! halved.

use bleuprint_core::{InputError, Result};

/// Number of ticks, each half a microsecond, in a second.
pub(crate) const SECOND: f64 = 2_000_000.0;

/// Longest allowed time in seconds, a third of a year. With this limit, the total time of [all turns of a
/// file](crate::side::MOST_TURNS) fits into a `u64`.
const MOST_SECONDS: f64 = 1e7;

/// Converts a time in seconds to ticks. Times with more than six decimal places are rounded if `rounded` is
/// `true`. `what` describes the time in error messages.
///
/// # Errors
/// Returns an error for an infinite, NaN, negative or too large time. Also returns an error for more than six
/// decimal places unless `rounded` is `true`.
pub(crate) fn ticks(what: impl Fn() -> String, seconds: f64, rounded: bool) -> Result<i64> {
    let refuse = |limit: &str| Err(InputError::limit(what(), format!("{seconds:?}"), limit));
    if !(0.0..=MOST_SECONDS).contains(&seconds) {
        return refuse("from 0 to 1e7 seconds");
    }
    let micros = (seconds * 1e6).round_ties_even();
    // Division is correctly rounded, so a decimal with six places gives the same float again.
    if micros / 1e6 != seconds && !rounded {
        return refuse(
            "of at most six decimal places; times=rounded, or --round-times for RTTM, takes the nearest microsecond",
        );
    }
    Ok(2 * micros as i64)
}

/// Converts ticks to seconds, for display.
pub(crate) fn seconds(ticks: u64) -> f64 {
    ticks as f64 / SECOND
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_of_six_places_are_exact() {
        for micros in (0..10_000_000_000_000u64).step_by(12_345_678_917) {
            let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
            assert_eq!(
                ticks(|| "a time".to_owned(), text.parse().unwrap(), false).unwrap() as u64,
                2 * micros,
                "{text}"
            );
        }
    }

    #[test]
    fn other_times_are_refused() {
        for wrong in [-0.5, f64::NAN, f64::INFINITY, 5e9, 0.1234567] {
            assert!(ticks(|| "a time".to_owned(), wrong, false).is_err(), "{wrong}");
        }
        assert_eq!(ticks(|| "a time".to_owned(), 0.1 + 0.2, true).unwrap(), 600_000);
    }
}

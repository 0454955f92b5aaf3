//! [`Time`] and [`Span`]: instants and durations in integer nanoseconds, with their text formats.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

use bleuprint_core::InputError;
use jiff::Timestamp;
use jiff::fmt::temporal::Pieces;

/// Instant in nanoseconds since 1970-01-01T00:00:00Z, from 1677 to 2262.
///
/// The text format is RFC 3339. Times are written in UTC and read with any offset.
///
/// ```
/// use bleuprint_track::Time;
/// let time: Time = "2026-11-21T12:00:00+02:00".parse().unwrap();
/// assert_eq!(time.to_string(), "2026-11-21T10:00:00Z");
/// assert!("yesterday".parse::<Time>().is_err());
/// assert!("2026-11-21T12:00:00+25:00".parse::<Time>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "closed: a number with its unit")]
pub struct Time(pub i64);

/// Duration in nanoseconds, never negative. Its text format is an integer and a unit: `90s`, `15m`, `6h`,
/// `365d`.
///
/// ```
/// use bleuprint_track::Span;
/// let span: Span = "90m".parse().unwrap();
/// assert_eq!((span.seconds(), span.to_string().as_str()), (5400.0, "90m"));
/// assert!("90".parse::<Span>().is_err());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "closed: a number with its unit")]
pub struct Span(pub i64);

const SECOND: i64 = 1_000_000_000;

const UNITS: [(&str, i64); 4] =
    [("d", 86_400 * SECOND), ("h", 3_600 * SECOND), ("m", 60 * SECOND), ("s", SECOND)];

impl Time {
    /// Returns the current time of the machine's clock.
    pub fn now() -> Self {
        Time(i64::try_from(Timestamp::now().as_nanosecond()).unwrap_or(i64::MAX))
    }

    /// Returns the start of the time bucket that contains the instant. `bucket` is the length of all buckets,
    /// which are counted from 1970.
    #[must_use]
    pub fn floor(self, bucket: Span) -> Self {
        let length = bucket.0.max(1);
        // `div_euclid` rounds down for instants before 1970 too.
        Time(self.0.div_euclid(length).saturating_mul(length))
    }

    /// Returns the date of the instant in UTC, such as `2026-11-21`.
    pub fn date(self) -> String {
        self.to_string().chars().take(10).collect()
    }
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for Time {
    type Output = Time;
    fn sub(self, span: Span) -> Time {
        Time(self.0.saturating_sub(span.0))
    }
}

impl Sub for Time {
    type Output = Span;
    // Spans are never negative: an earlier time minus a later one is 0.
    fn sub(self, other: Time) -> Span {
        Span(self.0.saturating_sub(other.0).max(0))
    }
}

impl Span {
    /// Returns the duration in seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / SECOND as f64
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Timestamp::from_nanosecond(self.0.into()) {
            Ok(timestamp) => timestamp.fmt(f),
            Err(_) => write!(f, "{} ns", self.0),
        }
    }
}

impl FromStr for Time {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let wrong = |reason: &str| {
            InputError::malformed(format!("the time `{text}` {reason}, as in 2026-11-21T10:00:00Z"))
        };
        let timestamp: Timestamp = text.parse().map_err(|_| wrong("is not of the form RFC 3339"))?;
        // The library accepts offsets of a day or more, which RFC 3339 does not allow.
        let offset = Pieces::parse(text).ok().and_then(|pieces| pieces.to_numeric_offset());
        if offset.is_some_and(|offset| offset.seconds().unsigned_abs() >= 86_400) {
            return Err(wrong("has an offset of a day or more"));
        }
        let nanoseconds = i64::try_from(timestamp.as_nanosecond());
        nanoseconds.map(Time).map_err(|_| wrong("is outside the years 1677 to 2262"))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Three days or more are written in days; one or two days are written in hours, such as `24h` and
        // `48h`.
        let fits = |(unit, length): &&(&str, i64)| {
            self.0 % length == 0 && (*unit != "d" || self.0 / length > 2) && self.0 >= *length
        };
        match UNITS.iter().find(fits) {
            Some((unit, length)) => write!(f, "{}{unit}", self.0 / length),
            None => write!(f, "{}s", self.seconds()),
        }
    }
}

impl FromStr for Span {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let parsed = || {
            let (unit, length) = UNITS.iter().find(|(unit, _)| text.ends_with(unit))?;
            let number: i64 = text.strip_suffix(unit)?.parse().ok()?;
            Some(Span(number.checked_mul(*length)?)).filter(|_| number > 0)
        };
        parsed().ok_or_else(|| {
            let message = format!(
                "`{text}` is not a length of time: give a whole number above 0 with s, m, h or d, as in 24h"
            );
            InputError::malformed(message)
        })
    }
}

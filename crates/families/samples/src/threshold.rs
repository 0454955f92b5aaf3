//! [`Threshold`]: the share T of right samples that G-Pass@k requires, as an exact decimal, so that `⌈k·T⌉`
//! is exact.

use core::fmt;
use core::str::FromStr;

use bleuprint_core::ConfigError;

/// Share of right samples that G-Pass@k requires: a decimal from 0 to 1 with at most 18 digits after the
/// point.
///
/// In `f64`, 100 times 0.55 is above 55, so a program that multiplies in `f64` requires 56 of 100 right
/// samples.
///
/// ```
/// use bleuprint_samples::Threshold;
/// let threshold: Threshold = "0.550".parse().unwrap();
/// assert_eq!((threshold.samples_needed(100), threshold.to_string().as_str()), (55, "0.55"));
/// assert_eq!((100.0_f64 * 0.55).ceil(), 56.0);
/// assert!("1.5".parse::<Threshold>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    /// Required share of right samples, in units of `10^-18`.
    units: u64,
}

const DIGITS: usize = 18;
const ONE: u64 = 1_000_000_000_000_000_000;

impl Threshold {
    /// Returns `⌈k·T⌉`, the number of right samples that are required among `k` samples, where `T` is this
    /// share.
    pub fn samples_needed(self, k: u32) -> u32 {
        // 128 bits hold the product of any k and 10^18.
        (u128::from(k) * u128::from(self.units)).div_ceil(u128::from(ONE)) as u32
    }

    /// Returns the required share of right samples as the nearest `f64`.
    pub(crate) fn to_f64(self) -> f64 {
        self.to_string().parse().unwrap_or_default()
    }
}

impl FromStr for Threshold {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let refuse = || {
            let limit = "a decimal number from 0 to 1, with at most 18 digits after the point";
            ConfigError::out_of_range("t", format!("`{text}`"), limit)
        };
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        // Rust's parser of integers accepts a leading `+`, which a share must not have.
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) || fraction.len() > DIGITS {
            return Err(refuse());
        }
        let whole: u64 = whole.parse().map_err(|_| refuse())?;
        let fraction: u64 = format!("{fraction:0<DIGITS$}").parse().map_err(|_| refuse())?;
        let units = whole.checked_mul(ONE).and_then(|units| units.checked_add(fraction));
        units.filter(|units| *units <= ONE).map(|units| Threshold { units }).ok_or_else(refuse)
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fraction = format!("{:0DIGITS$}", self.units % ONE);
        match fraction.trim_end_matches('0') {
            "" => write!(f, "{}", self.units / ONE),
            fraction => write!(f, "{}.{fraction}", self.units / ONE),
        }
    }
}

#[cfg(test)]
#[test]
fn texts_are_read_and_written_exactly() {
    for (text, written, of_7) in [
        ("0", "0", 0),
        ("1", "1", 7),
        ("1.0", "1", 7),
        ("0.750", "0.75", 6),
        ("0.000000000000000001", "0.000000000000000001", 1),
    ] {
        let read: Threshold = text.parse().unwrap();
        assert_eq!((read.to_string().as_str(), read.samples_needed(7)), (written, of_7), "{text}");
    }
    for wrong in ["", ".5", "-0.5", "1.01", "5e-1", "NaN", "0.0000000000000000001", "99999999999999999999"] {
        let error = wrong.parse::<Threshold>().unwrap_err().to_string();
        assert!(error.contains("from 0 to 1"), "{wrong}: {error}");
    }
}

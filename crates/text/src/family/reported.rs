//! [`RoundedTarget`]: a reported, rounded score, which explanations compare with exact scores.

/// A reported score, which was rounded to a number of decimals.
///
/// ```
/// use bleuprint_text::RoundedTarget;
/// let target = RoundedTarget::parse("43.6").unwrap();
/// assert!(target.fits(43.649) && !target.fits(43.66));
/// assert!(RoundedTarget::parse("nan").is_none());
/// // The target may be a fraction of 1, the score is in percent.
/// assert!(RoundedTarget::parse("0.436").unwrap().fits_percent(43.61));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a number as it is printed")]
pub struct RoundedTarget {
    /// The reported number to explain.
    pub number: f64,
    /// Number of decimals with which the reported number was written.
    pub decimals: usize,
}

impl RoundedTarget {
    /// Parses a reported score and counts its decimals. Returns `None` if the text is not a finite number.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite())?;
        let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let written = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let decimals = (written as i64).saturating_sub(exponent.parse().ok()?).clamp(0, 17);
        Some(RoundedTarget { number, decimals: decimals as usize })
    }

    /// Returns `true` if `number` rounds to the reported number.
    pub fn fits(&self, number: f64) -> bool {
        self.within(number, self.number, self.decimals)
    }

    /// Returns `true` if a score in percent rounds to the reported score, which may be on the scale from 0 to
    /// 100 or from 0 to 1.
    pub fn fits_percent(&self, percent: f64) -> bool {
        self.fits(percent) || self.is_fraction(percent)
    }

    /// Returns `true` if a score in percent rounds to the reported score only after division by 100.
    fn is_fraction(&self, percent: f64) -> bool {
        let may_be = (0.0..=1.0).contains(&self.number) && self.number > 0.0 && self.decimals > 0;
        may_be && !self.fits(percent) && self.fits(percent / 100.0)
    }

    /// Returns the difference of a score in percent from the reported score, which may be on the scale from 0
    /// to 100 or from 0 to 1. It takes the scale with the smaller difference.
    pub fn off_by(&self, percent: f64) -> f64 {
        let whole = percent - self.number;
        let fraction = percent - 100.0 * self.number;
        if (0.0..=1.0).contains(&self.number) && fraction.abs() < whole.abs() { fraction } else { whole }
    }

    /// Returns `true` if a number differs from `target` by at most half a unit of its last decimal, with a
    /// tolerance for rounding errors. `decimals` is the number of decimals of `target`.
    fn within(&self, number: f64, target: f64, decimals: usize) -> bool {
        (number - target).abs() <= 0.5 * 10_f64.powi(-(decimals as i32)) * (1.0 + 1e-9) + 1e-12
    }
}

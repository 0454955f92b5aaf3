//! [`RoundedTarget`]: a reported, rounded score, and a search for the settings that produce it.

use std::cmp::Ordering;

use super::counts::NumberExplanation;

/// A reported score, which was rounded to a number of decimals.
///
/// ```
/// use bleuprint::explain::RoundedTarget;
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

    /// Splits scores into scores that round to the reported score, and all others.
    ///
    /// The first list has groups of equal scores. The groups, and the settings within each group, are ordered
    /// from the most to the least common settings. The second list has all other scores, the nearest first
    /// and undefined scores last.
    ///
    /// ```
    /// use bleuprint::explain::{Explainer, RoundedTarget};
    /// let mut explainer = Explainer::new(&["13a", "char"]).unwrap();
    /// explainer.push("The cat was on the mat.", &["the cat is on the mat."]).unwrap();
    /// let (groups, others) = RoundedTarget::parse("99.99").unwrap().rank(explainer.explain().unwrap());
    /// assert!(groups.is_empty() && !others.is_empty());
    /// ```
    pub fn rank(&self, all: Vec<NumberExplanation>) -> (Vec<Vec<NumberExplanation>>, Vec<NumberExplanation>) {
        let fits =
            |row: &NumberExplanation| row.percent.as_ref().is_ok_and(|percent| self.fits_percent(*percent));
        let (mut fitting, mut others): (Vec<_>, Vec<_>) = all.into_iter().partition(fits);
        let mut groups: Vec<Vec<NumberExplanation>> = Vec::new();
        let number = |row: &NumberExplanation| row.percent.as_ref().copied().unwrap_or(0.0);
        fitting.sort_by(|a, b| number(a).total_cmp(&number(b)));
        for row in fitting {
            // Programs that compute the same formula can differ in the last bits, so nearly equal scores form
            // one group.
            let same = |group: &Vec<NumberExplanation>| {
                group.iter().all(|other| number(&row) - number(other) < 1e-9)
            };
            match groups.last_mut().filter(|group| same(group)) {
                Some(group) => group.push(row),
                None => groups.push(vec![row]),
            }
        }
        for group in &mut groups {
            group.sort_by_key(|row| row.choices.rarity());
        }
        groups.sort_by_key(|group| group.first().map(|row| row.choices.rarity()));
        let distance = |row: &NumberExplanation| {
            row.percent.as_ref().map_or(f64::INFINITY, |percent| self.off_by(*percent).abs())
        };
        // The sort is stable: scores at equal distance stay ordered by their number of changes.
        others.sort_by(|a, b| distance(a).partial_cmp(&distance(b)).unwrap_or(Ordering::Equal));
        (groups, others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decimals_are_those_that_were_written() {
        let decimals = |text: &str| RoundedTarget::parse(text).map(|target| target.decimals);
        assert_eq!(
            [decimals("43"), decimals("43.60"), decimals("4.36e1"), decimals("1e-3")],
            [0, 2, 1, 3].map(Some)
        );
        assert!(
            ["", "x", "inf", "-inf", "NaN", "1e999"].iter().all(|text| RoundedTarget::parse(text).is_none())
        );
    }

    #[test]
    fn halves_round_either_way() {
        let target = RoundedTarget::parse("43.6").unwrap();
        assert!(target.fits(43.55) && target.fits(43.65) && !target.fits(43.651) && !target.fits(43.549));
        assert!(target.off_by(43.7) > 0.0);
        let fraction = RoundedTarget::parse("0.44").unwrap();
        assert!(fraction.fits_percent(44.4) && fraction.fits_percent(0.443) && !fraction.fits_percent(44.6));
    }
}

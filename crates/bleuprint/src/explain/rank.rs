//! Ranks the explanations of a reported, rounded score.

use std::cmp::Ordering;

use bleuprint_text::RoundedTarget;

use super::counts::NumberExplanation;

impl NumberExplanation {
    /// Splits scores into scores that round to the reported score `target`, and all others.
    ///
    /// The first list has groups of equal scores. The groups, and the settings within each group, are ordered
    /// from the most to the least common settings. The second list has all other scores, the nearest first
    /// and undefined scores last.
    ///
    /// ```
    /// use bleuprint::explain::{Explainer, NumberExplanation, RoundedTarget};
    /// let mut explainer = Explainer::new(&["13a", "char"]).unwrap();
    /// explainer.push("The cat was on the mat.", &["the cat is on the mat."]).unwrap();
    /// let target = RoundedTarget::parse("99.99").unwrap();
    /// let (groups, others) = NumberExplanation::ranked(explainer.explain().unwrap(), target);
    /// assert!(groups.is_empty() && !others.is_empty());
    /// ```
    pub fn ranked(all: Vec<Self>, target: RoundedTarget) -> (Vec<Vec<Self>>, Vec<Self>) {
        let fits =
            |row: &NumberExplanation| row.percent.as_ref().is_ok_and(|percent| target.fits_percent(*percent));
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
            row.percent.as_ref().map_or(f64::INFINITY, |percent| target.off_by(*percent).abs())
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

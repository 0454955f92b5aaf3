//! Tests of score differences between systems in closed form, without resampling: for rates, and for means
//! over units such as documents.

use bleuprint_core::{Composition, Result, Scale};

use super::caution::{Caution, DifferenceMethod};
use super::matrix::all_pairs;
use crate::{Interval, McNemar, PairedRates, Power, Test, UnitMeans};

/// Way in which a metric computes a system's score from its segments. It determines which significance tests
/// can be used, and is the same for all systems of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Approach {
    /// The score of a system is an arbitrary function of the merged statistics of its segments.
    Other,
    /// The score of a system is the mean of its segments' scores.
    Mean,
    /// The score of a system is the share of segments that it gets right.
    Rate,
    /// A repeated segment does not change the score, as for a number of distinct words; so segments cannot be
    /// resampled.
    Repeats,
}

impl Approach {
    /// Returns how a metric's score follows from the segments: as a mean, as a rate, or otherwise. For a
    /// metric whose score may be a mean or a rate, `scores` decide: it is a rate if every segment score is 0
    /// or the maximum. `scores` are the segment scores of all systems.
    pub fn new(composition: Composition, scale: Scale, scores: impl IntoIterator<Item = f64>) -> Self {
        // A segment without a score is dropped by all tests, so it does not speak against a rate.
        let is_rate = |score: f64| score.is_nan() || score == 0.0 || score == scale.max;
        match composition {
            Composition::Mean => Approach::Mean,
            Composition::Rate => Approach::Rate,
            Composition::MeanOrRate if scores.into_iter().all(is_rate) => Approach::Rate,
            Composition::MeanOrRate => Approach::Mean,
            Composition::Repeats => Approach::Repeats,
            _ => Approach::Other,
        }
    }
}

/// Scores of all segments in each system, with the weights of the segments.
#[derive(Debug, Clone, Default)]
pub(crate) struct SegmentNumbers {
    /// Weight of each segment in the system's mean score; 0 for a segment without a score.
    pub(crate) weights: Vec<f64>,
    /// Scores of the segments: one list for each system.
    pub(crate) scores: Vec<Vec<f64>>,
}

/// Result of the significance test of one pair of systems.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(crate) method: DifferenceMethod,
    pub(crate) p_value: f64,
    /// `true` if the p-value is the smallest that this number of resamples can give. The exact p-value may be
    /// even smaller.
    pub(crate) least: bool,
    pub(crate) interval: Interval,
    pub(crate) standard_error: Option<f64>,
    pub(crate) smallest: Option<f64>,
    pub(crate) mcnemar: Option<McNemar>,
    pub(crate) redrawn: f64,
    pub(crate) caution: Option<Caution>,
}

impl Found {
    pub(crate) fn of(method: DifferenceMethod, p_value: f64, interval: Interval) -> Self {
        Found {
            method,
            p_value,
            least: false,
            interval,
            standard_error: None,
            smallest: None,
            mcnemar: None,
            redrawn: 0.0,
            caution: None,
        }
    }
}

impl SegmentNumbers {
    /// Tests all pairs of systems in closed form if their scores are rates. Returns `None` if the score is
    /// not a rate, if the bootstrap is required, or if some segment's weight is not 1.
    pub(crate) fn rates(
        &self,
        approach: Approach,
        scale: Scale,
        test: Option<Test>,
        power: &Power,
    ) -> Result<Option<Vec<Found>>> {
        let unweighted = self.weights.iter().all(|weight| *weight == 1.0);
        if approach != Approach::Rate || test == Some(Test::Bootstrap) || !unweighted {
            return Ok(None);
        }
        tango(&self.scores, scale.max, DifferenceMethod::Tango, power).map(Some)
    }

    /// Returns `true` if whole units (such as documents) are right or wrong, so that tests of rates apply to
    /// them. Each system must get all segments of a unit right, or all of them wrong. All units must have the
    /// same number of segments, and no segment may lack a score.
    pub(crate) fn are_decided(&self, units: &[&[usize]], scale: Scale) -> bool {
        let size = units.first().map_or(0, |members| members.len());
        let alike = |members: &[usize], scores: &[f64]| {
            let first = members.first().map(|&member| scores[member]);
            first.is_some_and(|first| first == 0.0 || first == scale.max)
                && members.iter().all(|&member| Some(scores[member]) == first && self.weights[member] == 1.0)
        };
        units
            .iter()
            .all(|members| members.len() == size && self.scores.iter().all(|scores| alike(members, scores)))
    }

    /// Tests all pairs of systems in closed form over units such as documents. Returns `None` if the caller
    /// requires a resampling test, or if the score is not a mean or a rate.
    pub(crate) fn units(
        &self,
        units: &[&[usize]],
        approach: Approach,
        (scale, decided): (Scale, bool),
        test: Option<Test>,
        power: &Power,
    ) -> Result<Option<Vec<Found>>> {
        if test.is_some() || !matches!(approach, Approach::Mean | Approach::Rate) {
            return Ok(None);
        }
        if approach == Approach::Rate && decided {
            // All segments of a unit have the same score, so the first one represents the unit.
            let of_unit = |scores: &Vec<f64>| units.iter().map(|members| scores[members[0]]).collect();
            let scores: Vec<Vec<f64>> = self.scores.iter().map(of_unit).collect();
            return tango(&scores, scale.max, DifferenceMethod::TangoOfUnits, power).map(Some);
        }
        let range = Some(scale.max - scale.min).filter(|range| range.is_finite());
        let of_pair = |(first, second): (usize, usize)| {
            let sum = |members: &&[usize]| {
                let mut sums = [0.0; 3];
                for &member in *members {
                    let weight = self.weights[member];
                    // The score of a dropped segment may be NaN, which a weight of 0 would not remove.
                    if weight > 0.0 {
                        sums[0] += weight;
                        sums[1] += weight * self.scores[first][member];
                        sums[2] += weight * self.scores[second][member];
                    }
                }
                sums
            };
            let means = UnitMeans::new(&units.iter().map(sum).collect::<Vec<_>>(), range)?;
            let ends = means.interval(1.0 - power.significance);
            let [lower, upper] = ends.unwrap_or([f64::NAN; 2]);
            let interval = Interval::between(means.difference(), lower, upper);
            let caution = match ends {
                None if means.units() < 2 => Some(Caution::OneUnit),
                None => Some(Caution::NoUnitDiffers),
                Some(_) => means.is_constant().then_some(Caution::ConstantUnits),
            };
            Ok(Found {
                standard_error: Some(means.standard_error()),
                smallest: Some(means.smallest_difference(power)),
                caution,
                ..Found::of(DifferenceMethod::UnitMeans, means.p_value(), interval)
            })
        };
        all_pairs(self.scores.len()).into_iter().map(of_pair).collect::<Result<_>>().map(Some)
    }
}

/// Compares every pair of systems that get each segment right or wrong, by Tango's interval and McNemar's
/// test. `max` is the score of a right segment, by which results are scaled.
fn tango(scores: &[Vec<f64>], max: f64, method: DifferenceMethod, power: &Power) -> Result<Vec<Found>> {
    let of_pair = |(first, second): (usize, usize)| {
        let (mut only_first, mut only_second) = (0, 0);
        for (one, other) in scores[first].iter().zip(&scores[second]) {
            only_first += u64::from(one > other);
            only_second += u64::from(one < other);
        }
        let rates = PairedRates::new(scores[first].len() as u64, only_first, only_second)?;
        let [lower, upper] = rates.interval(1.0 - power.significance).map(|end| end * max);
        let interval = Interval::between(rates.difference() * max, lower, upper);
        Ok(Found {
            smallest: Some(rates.smallest_difference(power) * max),
            mcnemar: Some(rates.counts()),
            ..Found::of(method, rates.p_value(), interval)
        })
    };
    all_pairs(scores.len()).into_iter().map(of_pair).collect()
}

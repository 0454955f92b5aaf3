//! Random subsets of the segments. Percentiles of their score differences are the ends of a paired
//! randomization test's interval.

use bleuprint_core::Result;

use crate::compare::randomization::toss;
use crate::resample::draws::{DrawScratch, for_each_scored};
use crate::resample::sums::segments_as_u32;
use crate::rows::require_parallel;
use crate::{CountRows, ExactSums, Finish, NumpyRandom, ResamplePlan};

/// Returns, for each system, its scores on `plan.count` random subsets of the segments. A coin decides for
/// each segment if it is kept; all systems have the same subsets.
///
/// Subsets show for which `d` a randomization test rejects "the true difference is `d`". The test subtracts
/// `d` from every paired difference and changes the signs of some at random. The new sum is at least the
/// observed sum exactly if the differences whose signs were changed have a mean of at most `d`. So the
/// p-value is the share of the subsets whose difference is at most `d`, and the bounds that the test does not
/// reject are percentiles of the subsets' differences.
///
/// The bounds are exact for any number of segments if the score is a mean over segments and the paired
/// differences are symmetric about the true one. For other scores they are correct to first order, as with
/// other resamples. Sources: Hartigan 1969, Tritchler 1984.
///
/// An empty subset is drawn again until it is not empty; a subset without a score is drawn again up to 10
/// times.
///
/// ```
/// use bleuprint_inference::{ResamplePlan, CountRows, subsets};
/// // Two columns: matches and totals.
/// let rows = CountRows::new(2, vec![1, 2, 2, 2, 0, 2, 1, 1]).unwrap();
/// let ratio = |row: &[u64]| row[0] as f64 / row[1] as f64;
/// let scores = subsets(&[&rows], &ratio, ResamplePlan::new(1000)).unwrap().remove(0);
/// assert_eq!((scores.iter().copied().fold(1.0, f64::min), scores.len()), (0.0, 1000)); // the third segment alone
/// ```
///
/// # Errors
/// Returns the errors of [`bootstrap`](crate::bootstrap()).
pub fn subsets(systems: &[&CountRows], finish: &Finish<'_>, plan: ResamplePlan) -> Result<Vec<Vec<f64>>> {
    let segments = require_parallel(systems)?;
    segments_as_u32(segments)?;
    let sums = ExactSums::new(systems)?;
    let mut random = NumpyRandom::new(plan.seed);
    let mut coins = random.booleans();
    let mut toss = |indices: &mut [u32]| toss_some(|| coins.draw(), indices);
    let each = |_: &[u32], scratch: &mut DrawScratch| scratch.sums(&sums).map(finish).collect::<Vec<f64>>();
    let is_scored = |scores: &Vec<f64>| scores.iter().all(|score| score.is_finite());
    let (numbers, _) = for_each_scored(plan.count, segments, &mut toss, &each, &is_scored)?;
    Ok((0..systems.len()).map(|system| numbers.iter().map(|numbers| numbers[system]).collect()).collect())
}

/// Draws a random, nonempty subset of the segments into `indices`. The list has a fixed length, so segments
/// that are left out are replaced by `u32::MAX`, which is not the index of a segment.
pub(crate) fn toss_some(mut coin: impl FnMut() -> bool, indices: &mut [u32]) {
    loop {
        toss(&mut coin, indices);
        if indices.iter().any(|index| *index != u32::MAX) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::{TestResult, quickcheck};

    use super::*;

    fn mean(row: &[u64]) -> f64 {
        row[0] as f64 / row[1] as f64
    }

    fn table(values: &[u16]) -> CountRows {
        CountRows::new(2, values.iter().flat_map(|&value| [u64::from(value), 1]).collect()).unwrap()
    }

    quickcheck! {
        fn subsets_are_those_of_the_coins(values: Vec<u16>) -> TestResult {
            if values.is_empty() {
                return TestResult::discard();
            }
            let scores = subsets(&[&table(&values)], &mean, ResamplePlan { seed: 7, count: 20 }).unwrap().remove(0);
            let mut random = NumpyRandom::new(7);
            let mut coins = random.booleans();
            let mut naive = Vec::new();
            while naive.len() < 20 {
                let kept: Vec<u64> =
                    values.iter().filter(|_| coins.draw()).map(|&value| u64::from(value)).collect();
                if !kept.is_empty() {
                    naive.push(kept.iter().sum::<u64>() as f64 / kept.len() as f64);
                }
            }
            TestResult::from_bool(scores == naive)
        }
    }

    /// Checks that the randomization test and the percentiles of subset means give the same interval. For the
    /// hypothesis that the true difference is `shift`, the test's p-value must equal the share of subsets
    /// whose mean difference is at most `shift`.
    #[test]
    fn percentiles_of_subsets_invert_the_test() {
        let differences: [f64; 8] = [3.0, -1.0, 4.0, 1.5, 5.0, 9.25, -2.5, 6.0];
        for shift in [-1.0, 1.1, 2.2, 3.3, 4.4, 7.0] {
            let shifted: Vec<f64> = differences.iter().map(|difference| difference - shift).collect();
            let observed: f64 = shifted.iter().sum();
            let mut extreme = 0;
            let mut below = 0;
            for turned in 1_u32..256 {
                let is_turned = |at: &usize| turned >> at & 1 == 1;
                let sum: f64 = (0..8).map(|at| if is_turned(&at) { -shifted[at] } else { shifted[at] }).sum();
                let subset: Vec<f64> = (0..8).filter(is_turned).map(|at| differences[at]).collect();
                extreme += u32::from(sum >= observed);
                below += u32::from(subset.iter().sum::<f64>() / subset.len() as f64 <= shift);
            }
            assert_eq!(extreme, below, "{shift}");
        }
    }

    #[test]
    fn one_segment_is_its_only_subset() {
        assert_eq!(subsets(&[&table(&[4])], &mean, ResamplePlan::new(50)).unwrap().remove(0), [4.0; 50]);
        assert!(subsets(&[], &mean, ResamplePlan::new(50)).is_err());
    }
}

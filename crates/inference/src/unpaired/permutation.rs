//! Permutation test for two systems on different segments: it assigns the units (such as users) to the
//! systems at random. If there are few possible assignments, all of them are tried.

use bleuprint_core::{InputErrorKind, Result};

use crate::compare::inverted::Arranged;
use crate::resample::draws::for_each_drawn;
use crate::resample::sums::segments_as_u32;
use crate::rows::{add_row, subtract_row};
use crate::{CountRows, Finish, NumpyRandom, ResamplePlan, standard_error};

/// Greatest number of assignments of units to two systems that are all tried in a permutation test; above it,
/// random assignments are drawn.
const MOST_ARRANGEMENTS: u64 = 20_000;

/// Returns the test statistics after units (such as users) are reassigned between two systems. It tries all
/// assignments if they are few, otherwise `plan.count` random assignments.
///
/// The statistic is `|d|/se` if `studentized`, otherwise `|d|`, with the score difference `d` and its
/// standard error `se`. A test with `|d|` does not hold its level if the systems differ in spread and number
/// of units.
///
/// # Errors
/// Returns an error if an arrangement has no score, or if a sum does not fit 64 bits.
pub(super) fn permutation(
    arms: [&CountRows; 2],
    finish: &Finish<'_>,
    plan: ResamplePlan,
    studentized: bool,
) -> Result<Arranged> {
    let mut pooled = arms[0].clone();
    arms[1].iter().try_for_each(|row| pooled.push(row))?;
    let all = segments_as_u32(pooled.len())?;
    let size = arms[0].len();
    let total = pooled.total()?;
    let value = |first: &[u32]| of_arrangement(&pooled, &total, first, finish, studentized);
    let seen = value(&(0..size as u32).collect::<Vec<_>>()).ok_or_else(no_score)?;
    let exact = arrangements(u64::from(all), size as u64).filter(|&count| count <= MOST_ARRANGEMENTS);
    let statistics = match exact {
        Some(count) => {
            // Selections in lexicographic order; the first one is the observed assignment.
            let mut next: Vec<u32> = (0..size as u32).collect();
            let mut draw = |first: &mut [u32]| {
                first.copy_from_slice(&next);
                advance(&mut next, all);
            };
            for_each_drawn(count as usize, size, &mut draw, &|first, _| value(first))?
        }
        None => {
            let mut random = NumpyRandom::new(plan.seed);
            let mut units: Vec<u32> = (0..all).collect();
            let mut draw = |first: &mut [u32]| {
                // The first steps of a Fisher–Yates shuffle. `units` stays shuffled between trials: any
                // starting order gives a uniform selection.
                for (place, one) in first.iter_mut().enumerate() {
                    let mut other = [0];
                    random.fill_indices(all - place as u32, &mut other);
                    units.swap(place, place + other[0] as usize);
                    *one = units[place];
                }
            };
            for_each_drawn(plan.count, size, &mut draw, &|first, _| value(first))?
        }
    };
    let statistics = statistics.into_iter().collect::<Option<Vec<f64>>>().ok_or_else(no_score)?;
    Ok(Arranged::new(seen, statistics, exact))
}

fn no_score() -> bleuprint_core::InputError {
    let metric = "the metric".to_owned();
    let reason = "the statistic is undefined for one arrangement of the units".to_owned();
    InputErrorKind::NoScore { metric, reason }.into()
}

/// Returns the test statistic of an assignment of units to two systems: the first system has the units in
/// `first`, the second system has all other units. Returns `None` if there is no score.
fn of_arrangement(
    pooled: &CountRows,
    total: &[u64],
    first: &[u32],
    finish: &Finish<'_>,
    studentized: bool,
) -> Option<f64> {
    let mut is_first = vec![false; pooled.len()];
    first.iter().for_each(|&unit| is_first[unit as usize] = true);
    let mut sums = [pooled.sum_of(first.iter().map(|&unit| unit as usize)).ok()?, total.to_vec()];
    let (one, other) = sums.split_at_mut(1);
    subtract_row(&mut other[0], &one[0]).ok()?;
    let difference = (finish(&sums[0]) - finish(&sums[1])).abs();
    if !studentized {
        return difference.is_finite().then_some(difference);
    }
    let mut left_out = [Vec::with_capacity(first.len()), Vec::with_capacity(pooled.len() - first.len())];
    // The jackknife in place: subtract a unit, score, and add it back, so that no sum is computed afresh.
    for (row, &is_first) in pooled.iter().zip(&is_first) {
        let side = usize::from(!is_first);
        subtract_row(&mut sums[side], row).ok()?;
        left_out[side].push(finish(&sums[side]));
        add_row(&mut sums[side], row).ok()?;
    }
    let error = left_out.iter().map(|scores| standard_error(scores).powi(2)).sum::<f64>().sqrt();
    // Arms without spread but with a difference are as far apart as possible: the statistic is infinite.
    // Equal arms without spread give 0.
    let value = if difference == 0.0 { 0.0 } else { difference / error };
    (!value.is_nan()).then_some(value)
}

/// Returns the number of ways to assign `all` units to two systems if the first system has `size` units: the
/// binomial coefficient `C(all, size)`. Returns `None` if it is above about 2⁴⁰.
fn arrangements(all: u64, size: u64) -> Option<u64> {
    let size = size.min(all - size);
    let mut count = 1_u64;
    for step in 1..=size {
        // Every partial product is a binomial coefficient itself, so each division is exact.
        count = count.checked_mul(all - size + step)? / step;
        if count > 1 << 40 {
            return None;
        }
    }
    Some(count)
}

/// Replaces `selection`, a sorted subset of the numbers below `all`, by the next subset in lexicographic
/// order. The last subset stays unchanged.
fn advance(selection: &mut [u32], all: u32) {
    let size = selection.len() as u32;
    let Some(place) = (0..selection.len()).rev().find(|&at| selection[at] < all - size + at as u32) else {
        return;
    };
    let start = selection[place] + 1;
    for (value, slot) in (start..).zip(&mut selection[place..]) {
        *slot = value;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn all_arrangements_come_once() {
        let mut selection = vec![0, 1, 2];
        let mut seen = std::collections::HashSet::new();
        while seen.insert(selection.clone()) {
            advance(&mut selection, 7);
        }
        assert_eq!((seen.len() as u64, arrangements(7, 3)), (35, Some(35)));
        assert_eq!((arrangements(1000, 500), arrangements(200, 2)), (None, Some(19_900)));
    }

    #[test]
    fn random_arrangements_come_close_to_all() {
        let table = |values: &[u64]| {
            CountRows::new(2, values.iter().flat_map(|&value| [value, 1]).collect()).unwrap()
        };
        let mean = |row: &[u64]| row[0] as f64 / row[1] as f64;
        let one = table(&[3, 9, 4, 8, 12, 15, 7, 6]);
        let other = table(&[2, 6, 5, 1, 8, 3, 9, 4, 5, 2, 7]);
        // With 75,582 arrangements the test is random: the limit of the exact test is 20,000.
        let random = permutation([&one, &other], &mean, ResamplePlan::new(20_000), true).unwrap();
        let p_value = random.p_value();
        assert_eq!(random.all, None);
        let welch = {
            let arms = [&one, &other].map(|rows| crate::unpaired::arm::Arm::from_units(rows, &mean).unwrap());
            crate::unpaired::arm::StudentTest::welch(&arms[0], &arms[1]).unwrap().p_value()
        };
        assert!((p_value - welch).abs() < 0.02, "{p_value} {welch}");
    }
}

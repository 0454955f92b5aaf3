//! Resampling against its naive twin: every resample gathered and summed by itself.

use bleuprint_core::{NumpyNumber, SinglePrecision};
use quickcheck::{TestResult, quickcheck};

use super::plain::{compare_all, compare_as, compare_units};
use crate::distribution::student::tail_of_share;
use crate::*;

fn percent(row: &[u64]) -> f64 {
    100.0 * row[0] as f64 / row[1].max(1) as f64
}

struct Percent;

impl SinglePrecision for Percent {
    fn row(&self, row: &[u64], out: &mut Vec<f32>) {
        out.extend(row.iter().map(|&count| count as f32));
    }

    fn finish(&self, sums: &[f32]) -> NumpyNumber {
        if sums[1] == 0.0 { NumpyNumber::Double(0.0) } else { NumpyNumber::Single(100.0 * sums[0] / sums[1]) }
    }
}

fn system(counts: &[(u8, u8)]) -> CountRows {
    CountRows::new(2, counts.iter().flat_map(|&(a, b)| [u64::from(a.min(b)), u64::from(b)]).collect())
        .unwrap()
}

/// Returns the count rows of two systems on the same segments.
fn systems(counts: &[(u8, u8, u8)]) -> Option<(CountRows, CountRows)> {
    let one: Vec<(u8, u8)> = counts.iter().map(|c| (c.0, c.1)).collect();
    let other: Vec<(u8, u8)> = counts.iter().map(|c| (c.2, c.1)).collect();
    (!counts.is_empty()).then(|| (system(&one), system(&other)))
}

/// Returns the lists of segment indices of all resamples, drawn one after the other.
fn drawn(plan: ResamplePlan, segments: usize) -> Vec<Vec<usize>> {
    let mut random = NumpyRandom::new(plan.seed);
    let mut indices = vec![0; segments];
    let mut list = || {
        random.fill_indices(segments as u32, &mut indices);
        indices.iter().map(|&index| index as usize).collect()
    };
    (0..plan.count).map(|_| list()).collect()
}

/// Returns the segments of each unit, in the order of first segments.
fn members(labels: &[u8]) -> Vec<Vec<usize>> {
    let mut units: Vec<(u8, Vec<usize>)> = Vec::new();
    for (segment, &label) in labels.iter().enumerate() {
        match units.iter_mut().find(|(known, _)| *known == label) {
            Some((_, members)) => members.push(segment),
            None => units.push((label, vec![segment])),
        }
    }
    units.into_iter().map(|(_, members)| members).collect()
}

/// The comparison of two systems by units, from segments alone: each resample and each swap gathers the segments of its units.
fn naive_by_units(one: &CountRows, other: &CountRows, units: &[Vec<usize>], test: Test) -> (f64, f64) {
    let score = |rows: &CountRows, segments: Vec<usize>| percent(&rows.sum_of(segments).unwrap());
    let gathered =
        |units: &mut dyn Iterator<Item = &Vec<usize>>| units.flatten().copied().collect::<Vec<usize>>();
    let all: Vec<usize> = (0..one.len()).collect();
    let seen = (score(one, all.clone()) - score(other, all)).abs();
    let difference = |segments: Vec<usize>| score(one, segments.clone()) - score(other, segments);
    let p_value = match test {
        Test::Bootstrap => {
            let lists = drawn(PLAN, units.len());
            let differences: Vec<f64> = lists
                .iter()
                .map(|list| difference(gathered(&mut list.iter().map(|&unit| &units[unit]))))
                .collect();
            let beyond = |sign: f64| differences.iter().filter(|&&d| d * sign >= 0.0).count();
            let share = (beyond(1.0).min(beyond(-1.0)) + 1) as f64 / (PLAN.count + 1) as f64;
            (2.0 * tail_of_share(share.min(0.5), units.len())).min(1.0)
        }
        Test::Randomization => {
            let mut random = NumpyRandom::new(PLAN.seed);
            let mut coins = random.booleans();
            let mut outcomes = Vec::new();
            for _ in 0..PLAN.count {
                let heads: Vec<bool> = units.iter().map(|_| coins.draw()).collect();
                let mut sums = [vec![0; 2], vec![0; 2]];
                for (members, head) in units.iter().zip(heads) {
                    for (place, rows) in [one, other].into_iter().enumerate() {
                        let pseudo = if head { place } else { 1 - place };
                        let row = rows.sum_of(members.iter().copied()).unwrap();
                        sums[pseudo].iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
                    }
                }
                outcomes.push((percent(&sums[0]) - percent(&sums[1])).abs());
            }
            let as_large = outcomes.iter().filter(|&&d| d >= seen).count();
            let nothing = seen == 0.0 && outcomes.iter().all(|&d| d == 0.0);
            if nothing { 1.0 } else { (as_large + 1) as f64 / (PLAN.count + 1) as f64 }
        }
    };
    let left: Vec<f64> = (0..units.len())
        .map(|out| {
            let others = &mut units.iter().enumerate().filter(|(at, _)| *at != out).map(|(_, unit)| unit);
            difference(gathered(others))
        })
        .collect();
    (p_value, standard_error(&left))
}

const PLAN: ResamplePlan = ResamplePlan { seed: 3, count: 150 };

quickcheck! {
    fn units_are_drawn_swapped_and_left_out_as_a_whole(counts: Vec<(u8, u8, u8)>, labels: Vec<u8>) -> TestResult {
        let many: Vec<(u8, u8, u8)> = counts.iter().copied().cycle().take(counts.len() * 6).collect();
        let Some((one, other)) = systems(&many) else { return TestResult::discard() };
        // At least as many units as a verdict takes, of unlike sizes.
        let label = |at: usize| if at < 12 { at as u8 } else { labels.get(at % labels.len().max(1)).map_or(0, |l| l % 20) };
        let labels: Vec<u8> = (0..one.len()).map(label).collect();
        let units = Units::by(labels.iter().map(u8::to_string));
        let members = members(&labels);
        let mut agrees = true;
        for test in [Test::Bootstrap, Test::Randomization] {
            let design = Design { test: Some(test), plan: PLAN, higher_is_better: true, power: Power::default() };
            let pair = compare_units(&[&one, &other], &units, &percent, design).unwrap().pairs[0];
            let of_units = pair.paired_units.unwrap();
            let (p_value, error) = naive_by_units(&one, &other, &members, test);
            agrees &= of_units.units == members.len() && (pair.standard_error - error).abs() < 1e-9;
            agrees &= of_units.inconclusive.is_some() == (members.len() < FEWEST_UNITS);
            // Sums of the same numbers in another order differ in last bits.
            agrees &= pair.p_value.is_nan() || (pair.p_value - p_value).abs() < 2.5 / 151.0;
        }
        TestResult::from_bool(agrees)
    }

    fn a_unit_of_one_segment_is_the_segment(counts: Vec<(u8, u8, u8)>) -> TestResult {
        let Some((one, other)) = systems(&counts) else { return TestResult::discard() };
        if one.len() < FEWEST_UNITS {
            return TestResult::discard();
        }
        let units = Units::by((0..one.len()).map(|at| at.to_string()));
        TestResult::from_bool([None, Some(Test::Bootstrap), Some(Test::Randomization)].into_iter().all(|test| {
            let design = Design { test, plan: PLAN, higher_is_better: true, power: Power::default() };
            let plain = compare_all(&[&one, &other], &percent, design).unwrap();
            let mut by_units = compare_units(&[&one, &other], &units, &percent, design).unwrap();
            let of_pair = by_units.pairs[0].paired_units.take().unwrap();
            // Debug, as NaN is not equal to itself.
            format!("{by_units:?}") == format!("{plain:?}") && of_pair.design_effect.is_none_or(|effect| effect == 1.0)
        }))
    }

    fn p_is_below_the_level_if_the_interval_excludes_0(counts: Vec<(u8, u8, u8)>, level: u8) -> TestResult {
        let right = |counts: &[(u8, u8, u8)]| counts.iter().map(|c| (c.0 % 2, 1, c.2 % 4 / 3)).collect::<Vec<_>>();
        let marks = |counts: &[(u8, u8, u8)]| counts.iter().map(|c| (c.0 % 9, 8, c.2 % 6)).collect::<Vec<_>>();
        let power = Power { significance: f64::from(level % 40 + 1) / 97.0, ..Power::default() };
        for counts in [right(&counts), marks(&counts)] {
            let Some((one, other)) = systems(&counts) else { return TestResult::discard() };
            for test in [None, Some(Test::Bootstrap), Some(Test::Randomization)] {
                let design = Design { test, plan: PLAN, higher_is_better: true, power };
                let is_rate = |rows: &CountRows| rows.iter().all(|row| row[0] == 0 || row[0] == row[1]);
                let rates = is_rate(&one) && is_rate(&other);
                let approach = if rates { Approach::Rate } else { Approach::Other };
                let pair = compare_as(approach, &[&one, &other], &percent, design).unwrap().pairs[0];
                let excludes = pair.interval.lower > 0.0 || pair.interval.upper < 0.0;
                if excludes != (pair.p_value < power.significance) {
                    return TestResult::error(format!("{test:?} at {power:?}: {pair:?}"));
                }
            }
        }
        TestResult::passed()
    }

    fn bootstrap_is_gathering_and_summing(counts: Vec<(u8, u8, u8)>) -> TestResult {
        let Some((one, other)) = systems(&counts) else { return TestResult::discard() };
        let naive = |rows: &CountRows| {
            let score = |list: Vec<usize>| percent(&rows.sum_of(list).unwrap());
            Scores::Double(drawn(PLAN, rows.len()).into_iter().map(score).collect())
        };
        let fast = resampled(&[&one, &other], Arithmetic::Exact(&percent), PLAN).unwrap();
        TestResult::from_bool(fast.0 == [naive(&one), naive(&other)])
    }

    fn single_precision_is_gathering_and_adding_in_order(counts: Vec<(u8, u8)>) -> TestResult {
        if counts.is_empty() {
            return TestResult::discard();
        }
        let rows = system(&counts);
        let column = |list: &[usize], column: usize| {
            list.iter().fold(0.0_f32, |sum, &index| sum + rows.row(index)[column] as f32)
        };
        let score = |list: Vec<usize>| Percent.finish(&[column(&list, 0), column(&list, 1)]);
        let naive: Scores = drawn(PLAN, rows.len()).into_iter().map(score).collect();
        let fast = resampled(&[&rows], Arithmetic::Single(&Percent), PLAN).unwrap();
        TestResult::from_bool(fast.0 == [naive])
    }

    fn randomization_is_swapping(counts: Vec<(u8, u8, u8)>) -> TestResult {
        let Some((one, other)) = systems(&counts) else { return TestResult::discard() };
        let total = |rows: &CountRows| percent(&rows.total().unwrap());
        let difference = (total(&one) - total(&other)).abs();
        let mut random = NumpyRandom::new(PLAN.seed);
        let mut coins = random.booleans();
        let mut differences = Vec::new();
        for _ in 0..PLAN.count {
            let mut first = vec![0; 2];
            let mut second = vec![0; 2];
            for segment in 0..one.len() {
                let a = one.row(segment);
                let b = other.row(segment);
                let (a, b) = if coins.draw() { (a, b) } else { (b, a) };
                (0..2).for_each(|column| { first[column] += a[column]; second[column] += b[column]; });
            }
            differences.push((percent(&first) - percent(&second)).abs());
        }
        let exceeding = differences.iter().filter(|&&d| d > difference).count();
        let nothing = difference == 0.0 && differences.iter().all(|&d| d == 0.0);
        let naive = if nothing { 1.0 } else { (exceeding + 1) as f64 / (PLAN.count + 1) as f64 };
        let pair = SystemPair { first: 0, second: 1, difference };
        let fast = randomization(&[&one, &other], &[pair], &percent, PLAN, AtLeast::Larger).unwrap();
        TestResult::from_bool(fast == [naive])
    }
}

#[test]
fn identical_systems_do_not_differ() {
    let rows = system(&[(1, 2), (2, 2), (0, 5)]);
    let (scores, _) = resampled(&[&rows, &rows], Arithmetic::Single(&Percent), PLAN).unwrap();
    assert_eq!(paired_bootstrap(&scores[0], &scores[1], 0.0, AtLeast::Larger), 1.0);
    let pair = SystemPair { first: 0, second: 1, difference: 0.0 };
    let p = randomization(&[&rows, &rows], &[pair], &percent, PLAN, AtLeast::Larger).unwrap();
    assert_eq!(p, [1.0]);
}

#[test]
fn single_precision_stalls_where_exact_counts_do_not() {
    // 2²⁴ + 1 is not a float32: the second segment is lost in single precision.
    let rows = CountRows::new(2, vec![1 << 24, 1 << 24, 1, 2]).unwrap();
    let plan = ResamplePlan { seed: 12345, count: 40 };
    let exact = resampled(&[&rows], Arithmetic::Exact(&percent), plan).unwrap().0[0].to_f64();
    let single = resampled(&[&rows], Arithmetic::Single(&Percent), plan).unwrap().0[0].to_f64();
    assert!(exact.iter().zip(&single).any(|(exact, single)| exact != single));
    assert!(exact.contains(&(100.0 * 16_777_217.0 / 16_777_218.0)));
}

#[test]
fn unequal_and_empty_systems_are_refused() {
    let one = system(&[(1, 2)]);
    let other = system(&[(1, 2), (2, 2)]);
    let error = resampled(&[&one, &other], Arithmetic::Exact(&percent), PLAN).unwrap_err();
    assert_eq!(error.to_string(), "system 1 has 1 segment, but system 2 has 2");
    assert!(resampled(&[], Arithmetic::Exact(&percent), PLAN).is_err());
    assert!(resampled(&[&system(&[])], Arithmetic::Exact(&percent), PLAN).is_err());
}

#[test]
fn tests_agree_that_a_large_difference_is_significant() {
    let good = system(&[(9, 10); 200]);
    let poor: Vec<(u8, u8)> = (0..200).map(|i| (if i % 3 == 0 { 9 } else { 5 }, 10)).collect();
    let poor = system(&poor);
    for test in [Test::Bootstrap, Test::Randomization] {
        let design = Design {
            test: Some(test),
            plan: ResamplePlan::new(500),
            higher_is_better: false,
            power: Power::default(),
        };
        let matrix = compare_all(&[&good, &poor], &percent, design).unwrap();
        assert!(matrix.pairs[0].p_value < 0.01, "{test:?}");
        assert!(matrix.pairs[0].interval.lower > 0.0);
        // Lower is better: the poor system ranks first.
        assert_eq!((matrix.ranks[0].system, matrix.ranks[0].worst, matrix.ranks[1].cluster), (1, 1, 2));
    }
}

/// Documents of which all segments succeed or fail together: segments as units find differences that are not there.
#[test]
fn dependent_segments_are_no_units() {
    let mut random = NumpyRandom::new(11);
    let mut coins = random.booleans();
    let runs = 200;
    let documents = 40;
    let size = 8;
    let units = Units::by((0..documents * size).map(|at| (at / size).to_string()));
    let mut found = 0;
    let mut found_by_units = 0;
    for run in 0..runs {
        let mut system = || {
            let right: Vec<u64> = (0..documents).map(|_| u64::from(coins.draw())).collect();
            CountRows::new(2, (0..documents * size).flat_map(|at| [right[at / size], 1]).collect()).unwrap()
        };
        let one = system();
        let other = system();
        let plan = ResamplePlan { seed: run, count: 200 };
        let design =
            Design { test: Some(Test::Randomization), plan, higher_is_better: true, power: Power::default() };
        let systems = [&one, &other];
        found += usize::from(compare_all(&systems, &percent, design).unwrap().pairs[0].p_value <= 0.05);
        let pair = compare_units(&systems, &units, &percent, design).unwrap().pairs[0];
        found_by_units += usize::from(pair.p_value <= 0.05);
    }
    assert!(found > 60 && found_by_units <= 20, "{found} and {found_by_units} of {runs} at 5 %");
}

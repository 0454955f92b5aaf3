//! Resampling against its naive twin: every resample gathered and summed by itself.

use bleuprint_core::{Number, SinglePrecision};
use quickcheck::{TestResult, quickcheck};

use super::*;

fn percent(row: &[u64]) -> f64 {
    100.0 * row[0] as f64 / row[1].max(1) as f64
}

/// The same quotient in `f32`.
struct Percent;

impl SinglePrecision for Percent {
    fn row(&self, row: &[u64], out: &mut Vec<f32>) {
        out.extend(row.iter().map(|&count| count as f32));
    }

    fn finish(&self, sums: &[f32]) -> Number {
        if sums[1] == 0.0 { Number::Double(0.0) } else { Number::Single(100.0 * sums[0] / sums[1]) }
    }
}

fn system(counts: &[(u8, u8)]) -> Rows {
    Rows::new(2, counts.iter().flat_map(|&(a, b)| [u64::from(a.min(b)), u64::from(b)]).collect()).unwrap()
}

/// Two systems on the same segments.
fn systems(counts: &[(u8, u8, u8)]) -> Option<(Rows, Rows)> {
    let one: Vec<(u8, u8)> = counts.iter().map(|c| (c.0, c.1)).collect();
    let other: Vec<(u8, u8)> = counts.iter().map(|c| (c.2, c.1)).collect();
    (!counts.is_empty()).then(|| (system(&one), system(&other)))
}

/// The lists of indices, drawn one after the other.
fn drawn(plan: Plan, segments: usize) -> Vec<Vec<usize>> {
    let mut random = NumpyRandom::new(plan.seed);
    let mut indices = vec![0; segments];
    let mut list = || {
        random.fill_indices(segments as u32, &mut indices);
        indices.iter().map(|&index| index as usize).collect()
    };
    (0..plan.count).map(|_| list()).collect()
}

const PLAN: Plan = Plan { seed: 3, count: 150 };

quickcheck! {
    fn bootstrap_is_gathering_and_summing(counts: Vec<(u8, u8, u8)>) -> TestResult {
        let Some((one, other)) = systems(&counts) else { return TestResult::discard() };
        let naive = |rows: &Rows| {
            let score = |list: Vec<usize>| percent(&rows.sum_of(list).unwrap());
            Scores::Double(drawn(PLAN, rows.len()).into_iter().map(score).collect())
        };
        let fast = bootstrap(&[&one, &other], Arithmetic::Exact(&percent), PLAN).unwrap();
        TestResult::from_bool(fast == [naive(&one), naive(&other)])
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
        let fast = bootstrap(&[&rows], Arithmetic::Single(&Percent), PLAN).unwrap();
        TestResult::from_bool(fast == [naive])
    }

    fn randomization_is_swapping(counts: Vec<(u8, u8, u8)>) -> TestResult {
        let Some((one, other)) = systems(&counts) else { return TestResult::discard() };
        let total = |rows: &Rows| percent(&rows.total().unwrap());
        let difference = (total(&one) - total(&other)).abs();
        let mut random = NumpyRandom::new(PLAN.seed);
        let mut coins = random.booleans();
        let mut differences = Vec::new();
        for _ in 0..PLAN.count {
            let (mut first, mut second) = (vec![0; 2], vec![0; 2]);
            for segment in 0..one.len() {
                let (a, b) = (one.row(segment), other.row(segment));
                let (a, b) = if coins.draw() { (a, b) } else { (b, a) };
                (0..2).for_each(|column| { first[column] += a[column]; second[column] += b[column]; });
            }
            differences.push((percent(&first) - percent(&second)).abs());
        }
        let exceeding = differences.iter().filter(|&&d| d > difference).count();
        let nothing = difference == 0.0 && differences.iter().all(|&d| d == 0.0);
        let naive = if nothing { 1.0 } else { (exceeding + 1) as f64 / (PLAN.count + 1) as f64 };
        let pair = Pair { first: 0, second: 1, difference };
        let fast = randomization(&[&one, &other], &[pair], &percent, PLAN, AtLeast::Larger).unwrap();
        TestResult::from_bool(fast == [naive])
    }
}

#[test]
fn identical_systems_do_not_differ() {
    let rows = system(&[(1, 2), (2, 2), (0, 5)]);
    let scores = bootstrap(&[&rows, &rows], Arithmetic::Single(&Percent), PLAN).unwrap();
    assert_eq!(paired_bootstrap(&scores[0], &scores[1], 0.0, AtLeast::Larger), 1.0);
    let pair = Pair { first: 0, second: 1, difference: 0.0 };
    let p = randomization(&[&rows, &rows], &[pair], &percent, PLAN, AtLeast::Larger).unwrap();
    assert_eq!(p, [1.0]);
}

#[test]
fn single_precision_stalls_where_exact_counts_do_not() {
    // 2²⁴ + 1 is not a float32: the second segment is lost in single precision.
    let rows = Rows::new(2, vec![1 << 24, 1 << 24, 1, 2]).unwrap();
    let plan = Plan { seed: 12345, count: 40 };
    let exact = bootstrap(&[&rows], Arithmetic::Exact(&percent), plan).unwrap()[0].to_f64();
    let single = bootstrap(&[&rows], Arithmetic::Single(&Percent), plan).unwrap()[0].to_f64();
    assert!(exact.iter().zip(&single).any(|(exact, single)| exact != single));
    assert!(exact.contains(&(100.0 * 16_777_217.0 / 16_777_218.0)));
}

#[test]
fn unequal_and_empty_systems_are_refused() {
    let (one, other) = (system(&[(1, 2)]), system(&[(1, 2), (2, 2)]));
    let error = bootstrap(&[&one, &other], Arithmetic::Exact(&percent), PLAN).unwrap_err();
    assert_eq!(error.to_string(), "system 1 has 1 segments, but system 2 has 2");
    assert!(bootstrap(&[], Arithmetic::Exact(&percent), PLAN).is_err());
    assert!(bootstrap(&[&system(&[])], Arithmetic::Exact(&percent), PLAN).is_err());
}

#[test]
fn tests_agree_that_a_large_difference_is_significant() {
    let good = system(&[(9, 10); 200]);
    let poor: Vec<(u8, u8)> = (0..200).map(|i| (if i % 3 == 0 { 9 } else { 5 }, 10)).collect();
    let poor = system(&poor);
    for test in [Test::Bootstrap, Test::Randomization] {
        let design = Design { test, plan: Plan::of(500), higher_is_better: false, power: Power::default() };
        let matrix = compare_all(&[&good, &poor], &percent, design).unwrap();
        assert!(matrix.pairs[0].p_value < 0.01, "{test:?}");
        assert!(matrix.pairs[0].interval.lower > 0.0);
        // Lower is better: the poor system ranks first.
        assert_eq!((matrix.ranks[0].system, matrix.ranks[0].worst, matrix.ranks[1].cluster), (1, 1, 2));
    }
}

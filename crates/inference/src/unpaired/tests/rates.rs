//! Compares simulated rates of false findings of unpaired tests with the stated rates. To simulate all runs
//! and print them:
//! `BLEUPRINT_FULL=1 cargo test --release -p bleuprint-inference rates -- --nocapture`.
#![allow(clippy::print_stdout, reason = "the simulated rates are printed")]

use bleuprint_core::{Segment, State, score_row};
use bleuprint_metrics::Bleu;
use bleuprint_testkit::draws;

use crate::distribution::{beta_incomplete, normal_quantile};
use crate::*;

/// Stated and simulated rate of wrong conclusions, in percent.
struct Rate {
    what: String,
    stated: f64,
    simulated: f64,
    /// `true` if the rate should be at most 5 %.
    holds: bool,
}

struct Draws(NumpyRandom);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        let mut index = [0];
        self.0.fill_indices(bound as u32, &mut index);
        index[0] as usize
    }

    fn uniform(&mut self) -> f64 {
        (self.below(u32::MAX as usize) as f64 + 0.5) / f64::from(u32::MAX)
    }

    fn normal(&mut self) -> f64 {
        normal_quantile(self.uniform())
    }
}

/// Returns the share of runs, in percent, for which `found` is `true`.
fn rate(runs: usize, seed: u128, mut found: impl FnMut(&mut Draws) -> bool) -> f64 {
    let mut draws = Draws(NumpyRandom::new(seed));
    100.0 * (0..runs).filter(|_| found(&mut draws)).count() as f64 / runs as f64
}

fn mean(row: &[u64]) -> f64 {
    row[0] as f64 / row[1] as f64
}

/// Creates count rows from values: the value above −100 in millionths, and a count of 1.
fn rows(values: &[f64]) -> CountRows {
    let whole = |value: &f64| ((value + 100.0) * 1e6) as u64;
    CountRows::new(2, values.iter().flat_map(|value| [whole(value), 1]).collect()).unwrap()
}

fn p_value(
    test: UnpairedTest,
    resamples: usize,
    sides: &[(&CountRows, Option<&Units>)],
    finish: &(dyn Fn(&[u64]) -> f64 + Sync),
) -> f64 {
    let design = Unpaired { test: Some(test), plan: ResamplePlan::new(resamples), ..Unpaired::default() };
    design.compare(sides, finish).unwrap().pairs[0].p_value
}

/// Returns the value that a beta variable does not exceed with this probability.
fn beta_quantile(a: f64, b: f64, probability: f64) -> f64 {
    // Floats from 0 to 1 are ordered like their bits, so a binary search over the bits ends after 62 steps.
    let mut low = 0.0_f64.to_bits();
    let mut high = 1.0_f64.to_bits();
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let below = beta_incomplete(a, b, f64::from_bits(middle)) < probability;
        *(if below { &mut low } else { &mut high }) = middle;
    }
    f64::from_bits(high)
}

/// Simulates arms with equal means but unequal spreads and sizes.
fn unequal_spreads(runs: usize, rates: &mut Vec<Rate>) {
    for (one, other, welch, permutation) in [(30, 120, 5.0, 5.0), (120, 30, 4.0, 3.8)] {
        let tests = [(UnpairedTest::Welch, welch, runs), (UnpairedTest::Permutation, permutation, runs / 4)];
        for (test, stated, runs) in tests {
            let simulated = rate(runs, 1, |draws| {
                let sides = [(one, 2.0), (other, 1.0)]
                    .map(|(count, sd)| rows(&(0..count).map(|_| sd * draws.normal()).collect::<Vec<_>>()));
                p_value(test, 199, &[(&sides[0], None), (&sides[1], None)], &mean) <= 0.05
            });
            rates.push(Rate {
                what: format!("sd 2 and 1, n {one} and {other}, {test:?}"),
                stated,
                simulated,
                holds: true,
            });
        }
    }
}

/// Simulates pass rates of users who differ, with 1 to 10 requests each.
fn users(runs: usize, rates: &mut Vec<Rate>) {
    for (users, as_requests, as_users) in [(8, 17.0, 6.0), (20, 16.1, 6.0), (100, 13.8, 5.2)] {
        for (by_user, stated) in [(false, as_requests), (true, as_users)] {
            let simulated = rate(runs, 2, |draws| {
                let arms = [(); 2].map(|()| {
                    let mut counts = Vec::new();
                    let mut names = Vec::new();
                    for user in 0..users {
                        let passes = beta_quantile(3.5, 1.5, draws.uniform());
                        for _ in 0..1 + draws.below(10) {
                            counts.extend([u64::from(draws.uniform() < passes), 1]);
                            names.push(user.to_string());
                        }
                    }
                    (CountRows::new(2, counts).unwrap(), Units::by(names))
                });
                let side = |(rows, units): &'_ (CountRows, Units)| {
                    let rows = if by_user { units.rows(rows).unwrap() } else { rows.clone() };
                    Arm::from_units(&rows, &mean).unwrap()
                };
                StudentTest::welch(&side(&arms[0]), &side(&arms[1])).unwrap().p_value() <= 0.05
            });
            let unit = if by_user { "users" } else { "requests" };
            let what = format!("pass rates, {users} users, units are {unit}");
            rates.push(Rate { what, stated, simulated, holds: by_user });
        }
    }
}

/// Simulates BLEU of two samples of one system.
fn bleu(runs: usize, rates: &mut Vec<Rate>) {
    let read = |name: &str| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/");
        std::fs::read_to_string(format!("{path}{name}")).unwrap()
    };
    let hypotheses = read("en.sys-a.txt");
    let references = read("en.ref1.txt");
    let metric = Bleu::default();
    let states = hypotheses.lines().zip(references.lines()).map(|(hypothesis, reference)| {
        let ids = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let hypothesis = ids(hypothesis);
        let reference = ids(reference);
        let references = [&reference[..]];
        let segment = Segment::new(&hypothesis[..], &references);
        State::of_segment(&metric, &mut Default::default(), segment).unwrap()
    });
    let population = rows_of(&metric, &states.collect::<Vec<_>>()).unwrap();
    let finish = |row: &[u64]| score_row(&metric, row).unwrap_or(f64::NAN);
    // Stated rates for the jackknife's standard error, for percentiles that are not widened, and for
    // permutation.
    for (one, other, [welch, bootstrap, permutation]) in
        [(30, 30, [6.2, 8.5, 6.8]), (100, 100, [5.0, 6.0, 5.0]), (50, 300, [6.2, 6.8, 5.5])]
    {
        let tests = [
            (UnpairedTest::Welch, welch, runs),
            (UnpairedTest::Bootstrap, bootstrap, runs),
            (UnpairedTest::Permutation, permutation, runs / 4),
        ];
        for (test, stated, runs) in tests {
            let simulated = rate(runs, 3, |draws| {
                let sides = [one, other].map(|count| {
                    let mut side = CountRows::with_columns(population.columns());
                    (0..count)
                        .for_each(|_| side.push(population.row(draws.below(population.len()))).unwrap());
                    side
                });
                p_value(test, 199, &[(&sides[0], None), (&sides[1], None)], &finish) <= 0.05
            });
            rates.push(Rate {
                what: format!("BLEU, {one} and {other} segments, {test:?}"),
                stated,
                simulated,
                holds: true,
            });
        }
    }
}

/// Simulates two equal sides with 60 segments an hour each, checked every hour; the plan is for the 50th
/// look.
fn looks(runs: usize, rates: &mut Vec<Rate>) {
    for (hours, plain, sequence) in [(24, 26.6, 0.8), (168, 41.4, 2.3), (720, 51.2, 3.3)] {
        for (always_valid, stated) in [(false, plain), (true, sequence)] {
            let simulated = rate(runs, 4, |draws| {
                let mut sums = [[0.0; 2]; 2];
                (1..=hours).any(|hour| {
                    for [sum, squares] in &mut sums {
                        // Draws the sum of 60 normal numbers, and by a normal approximation the sum of their
                        // squared deviations.
                        let hourly = 60_f64.sqrt() * draws.normal();
                        let spread = 59.0 + 118_f64.sqrt() * draws.normal();
                        *sum += hourly;
                        *squares += hourly * hourly / 60.0 + spread;
                    }
                    let count = 60.0 * f64::from(hour);
                    let variance =
                        |[sum, squares]: [f64; 2]| (squares - sum * sum / count) / (count - 1.0) / count;
                    let error = (variance(sums[0]) + variance(sums[1])).sqrt();
                    let difference = (sums[0][0] - sums[1][0]) / count;
                    if always_valid {
                        // The plan assumes the standard error that this spread gives at the 50th look.
                        let planned = error * error * f64::from(hour) / 50.0;
                        Sequence::new(0.05, planned.recip()).unwrap().look(difference, error).p_value <= 0.05
                    } else {
                        difference.abs() >= 1.959_963_984_540_054 * error
                    }
                })
            });
            let name = if always_valid { "confidence sequence" } else { "plain test" };
            rates.push(Rate {
                what: format!("{hours} looks, {name}"),
                stated,
                simulated,
                holds: always_valid,
            });
        }
    }
}

fn simulated(runs: usize) {
    let mut rates = Vec::new();
    unequal_spreads(runs, &mut rates);
    users(runs, &mut rates);
    bleu(runs, &mut rates);
    looks(runs, &mut rates);
    for Rate { what, stated, simulated, .. } in &rates {
        println!("{what:<48} stated {stated:>5.1} %  simulated {simulated:>5.1} %");
    }
    for Rate { what, simulated, holds, .. } in rates {
        // Three standard deviations of the share in a quarter of the runs, above a true rate of 6.5 %.
        let limit = 6.5 + 300.0 * (0.065 * 0.935 / (runs as f64 / 4.0)).sqrt();
        if holds {
            assert!(simulated <= limit, "{what}: {simulated} above {limit}");
        } else {
            assert!(simulated > 5.0, "{what}: {simulated}, so that nothing would be gained");
        }
    }
}

#[test]
fn false_findings_are_as_rare_as_stated() {
    simulated(draws(2000, 120));
}

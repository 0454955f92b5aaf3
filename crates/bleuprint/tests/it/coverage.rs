//! Coverage of every interval, and the rate of false findings of its test, by simulation. A run takes a part of the draws; with
//! `BLEUPRINT_FULL` it takes all, and the tables of `docs/intervals.md` must be these (`BLEUPRINT_WRITE_DOCS` writes them).

use std::fmt::Write as _;

use bleuprint::Accumulator;
use bleuprint::contract::AnyMetric;
use bleuprint::inference::{
    Approach, CountRows, Design, PairTest, PairedRates, Power, Precision, ResamplePlan, Significance, Test,
    UnitMeans, Unpaired, UnpairedRates, rows_of, wilson,
};
use bleuprint::metrics::{Bleu, GivenOptions};
use bleuprint_testkit::draws;
use bleuprint_testkit::random::Rng;

const SIZES: [usize; 3] = [20, 100, 400];

/// One simulated test: whether the interval holds the truth, and whether the test rejects no difference.
struct Drawn {
    holds: bool,
    rejects: bool,
}

/// Draws two systems over a number of units with the difference of an index, and looks at the interval.
type DrawUnits = Box<dyn Fn(usize, usize, &mut Rng) -> Drawn>;

struct Method {
    name: &'static str,
    /// All draws, and those of a usual run.
    draws: (usize, usize),
    /// Without a bound: sacreBLEU's numbers.
    is_bound: bool,
    /// The names of the true differences, the first of them 0.
    differences: [&'static str; 4],
    draw: DrawUnits,
}

fn of_ends([lower, upper]: [f64; 2], p_value: f64, truth: f64) -> Drawn {
    Drawn { holds: lower <= truth && truth <= upper, rejects: p_value < 0.05 }
}

fn of_pair(pair: &PairTest, truth: f64) -> Drawn {
    of_ends([pair.interval.lower, pair.interval.upper], pair.p_value, truth)
}

fn uniform(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A skewed number: exponential, by the sum of uniform logarithms' series.
fn exponential(rng: &mut Rng) -> f64 {
    // Von Neumann's comparison method needs no logarithm.
    let mut whole = 0.0;
    loop {
        let first = uniform(rng);
        let (mut last, mut length) = (first, 1);
        loop {
            let next = uniform(rng);
            if next >= last {
                break;
            }
            (last, length) = (next, length + 1);
        }
        if length % 2 == 1 {
            return whole + first;
        }
        whole += 1.0;
    }
}

fn methods() -> Vec<Method> {
    const RATES: [&str; 4] = ["0", "0.03", "0.06", "0.2"];
    const SHIFTS: [f64; 4] = [0.0, 0.03, 0.06, 0.2];
    let closed = (20_000, 600);
    let mut methods = vec![
        Method {
            name: "rates on the same segments: Tango and McNemar",
            draws: closed,
            is_bound: true,
            differences: RATES,
            draw: Box::new(|n, at, rng| {
                let (mut first, mut second) = (0, 0);
                for _ in 0..n {
                    let draw = uniform(rng);
                    first += u64::from(draw < 0.05 + SHIFTS[at]);
                    second += u64::from(draw > 0.95);
                }
                let rates = PairedRates::new(n as u64, first, second).unwrap();
                of_ends(rates.interval(0.95), rates.p_value(), SHIFTS[at])
            }),
        },
        Method {
            name: "rates on different segments: Miettinen and Nurminen",
            draws: closed,
            is_bound: true,
            differences: RATES,
            draw: Box::new(|n, at, rng| {
                let right = |rate: f64, rng: &mut Rng| (0..n).filter(|_| uniform(rng) < rate).count() as u64;
                let (first, second) = (right(0.7 + SHIFTS[at], rng), right(0.7, rng));
                let rates = UnpairedRates::new([first, n as u64], [second, n as u64]).unwrap();
                of_ends(rates.interval(0.95), rates.p_value(), SHIFTS[at])
            }),
        },
        Method {
            name: "one rate: Wilson",
            draws: closed,
            is_bound: true,
            differences: ["0.5", "0.7", "0.8", "0.9"],
            draw: Box::new(|n, at, rng| {
                let rate = [0.5, 0.7, 0.8, 0.9][at];
                let right = (0..n).filter(|_| uniform(rng) < rate).count() as u64;
                // There is no test of one rate.
                of_ends(wilson(right, n as u64, 0.95).unwrap(), 1.0, rate)
            }),
        },
        Method {
            name: "means over units of 1 to 9 segments: t of the ratio estimator",
            draws: (10_000, 300),
            is_bound: true,
            differences: RATES,
            draw: Box::new(|n, at, rng| {
                let unit = |_| {
                    let (size, easy) = (rng.between(1, 9), 0.2 + 0.6 * uniform(rng));
                    let right =
                        |rate: f64, rng: &mut Rng| (0..size).filter(|_| uniform(rng) < rate).count() as f64;
                    [size as f64, right(easy + SHIFTS[at], rng), right(easy, rng)]
                };
                let units: Vec<[f64; 3]> = (0..n).map(unit).collect();
                let means = UnitMeans::new(&units, Some(1.0)).unwrap();
                of_ends(means.interval(0.95).unwrap(), means.p_value(), SHIFTS[at])
            }),
        },
    ];
    methods.extend(of_resamples());
    methods
}

fn plan(rng: &mut Rng) -> ResamplePlan {
    ResamplePlan { seed: rng.next_u64().into(), count: 400 }
}

fn design(test: Option<Test>, rng: &mut Rng) -> Design {
    Design { test, plan: plan(rng), higher_is_better: true, power: Power::default() }
}

/// Rows of `n` segments drawn from a population, of each system.
fn sample(population: &[CountRows], n: usize, rng: &mut Rng) -> Vec<CountRows> {
    let mut drawn: Vec<CountRows> =
        population.iter().map(|rows| CountRows::with_columns(rows.columns())).collect();
    for _ in 0..n {
        let segment = rng.below(population[0].len());
        drawn.iter_mut().zip(population).for_each(|(own, all)| own.push(all.row(segment)).unwrap());
    }
    drawn
}

fn of_resamples() -> Vec<Method> {
    let bleu: &'static Bleu = Box::leak(Box::new(Bleu::default()));
    let worse = [0, 30, 60, 120];
    let texts: &'static [Vec<CountRows>; 4] =
        Box::leak(Box::new(worse.map(|worse| bleu_population(bleu, worse))));
    let score = |rows: &CountRows| bleuprint::contract::score_row(bleu, &rows.total().unwrap()).unwrap();
    let truths: [f64; 4] = [0, 1, 2, 3].map(|at| score(&texts[at][0]) - score(&texts[at][1]));
    let alone: [f64; 4] = [0, 1, 2, 3].map(|at| score(&texts[at][1]));
    let given = GivenOptions { name: "mark".to_owned(), ..GivenOptions::default() }.build().unwrap();
    let given: &'static _ = Box::leak(Box::new(given));
    let shifts = [0.0, 0.05, 0.1, 0.3];
    let marks: &'static [Vec<CountRows>; 4] =
        Box::leak(Box::new(shifts.map(|shift| mark_population(given, shift))));
    let mean = |rows: &CountRows| bleuprint::contract::score_row(given, &rows.total().unwrap()).unwrap();
    let mark_truths: [f64; 4] = [0, 1, 2, 3].map(|at| mean(&marks[at][0]) - mean(&marks[at][1]));
    let shown = |truths: [f64; 4]| truths.map(|truth| &*Box::leak(format!("{truth:.2}").into_boxed_str()));
    let resampled = (1_000, 40);
    let bleu_of = move |test: Option<Test>| -> DrawUnits {
        Box::new(move |n, at, rng| {
            let rows = sample(&texts[at], n, rng);
            let tests = Significance::of_rows(bleu, &rows, Precision::Exact).unwrap();
            of_pair(&tests.compare_all(None, design(test, rng)).unwrap().pairs[0], truths[at])
        })
    };
    let sacrebleu_of = move |test: Test| -> DrawUnits {
        Box::new(move |n, at, rng| {
            let rows = sample(&texts[at], n, rng);
            let tests = Significance::of_rows(bleu, &rows, Precision::Sacrebleu).unwrap();
            let tested = tests.paired(test, plan(rng), Some(100).filter(|_| test == Test::Randomization));
            let tested = tested.unwrap().remove(1);
            let interval = tested.interval.unwrap();
            of_ends([interval.lower, interval.upper], tested.p_value.unwrap(), alone[at])
        })
    };
    vec![
        Method {
            name: "BLEU: paired bootstrap",
            draws: resampled,
            is_bound: true,
            differences: shown(truths),
            draw: bleu_of(None),
        },
        Method {
            name: "skewed numbers: paired bootstrap",
            draws: resampled,
            is_bound: true,
            differences: shown(mark_truths),
            draw: Box::new(move |n, at, rng| {
                let rows = sample(&marks[at], n, rng);
                let tests = Significance::of_rows(given, &rows, Precision::Exact).unwrap();
                of_pair(&tests.compare_all(None, design(None, rng)).unwrap().pairs[0], mark_truths[at])
            }),
        },
        Method {
            name: "skewed numbers: t over units of one segment",
            draws: (4_000, 200),
            is_bound: true,
            differences: shown(mark_truths),
            draw: Box::new(move |n, at, rng| {
                let rows = sample(&marks[at], n, rng);
                let numbers = |rows: &CountRows| -> Vec<f64> {
                    rows.iter().map(|row| bleuprint::contract::score_row(given, row).unwrap()).collect()
                };
                let (one, other) = (numbers(&rows[0]), numbers(&rows[1]));
                let units: Vec<[f64; 3]> =
                    one.iter().zip(&other).map(|(one, other)| [1.0, *one, *other]).collect();
                let means = UnitMeans::new(&units, None).unwrap();
                of_ends(means.interval(0.95).unwrap(), means.p_value(), mark_truths[at])
            }),
        },
        Method {
            name: "skewed numbers on different segments: Welch",
            draws: (2_000, 100),
            is_bound: true,
            differences: shown(mark_truths),
            draw: Box::new(move |n, at, rng| {
                let first = sample(&marks[at], n, rng).remove(0);
                let second = sample(&marks[at], n, rng).remove(1);
                let finish = |row: &[u64]| bleuprint::contract::score_row(given, row).unwrap();
                let sides = [(&first, None), (&second, None)];
                let matrix = Unpaired::default().compare_as(Approach::Mean, f64::INFINITY, &sides, &finish);
                of_pair(&matrix.unwrap().pairs[0], mark_truths[at])
            }),
        },
        Method {
            name: "sacreBLEU's `--paired-bs` of BLEU: interval of the second score, p of the difference",
            draws: resampled,
            is_bound: false,
            differences: shown(truths),
            draw: sacrebleu_of(Test::Bootstrap),
        },
        Method {
            name: "sacreBLEU's `--paired-ar` of BLEU: interval of the second score, p of the difference",
            draws: resampled,
            is_bound: false,
            differences: shown(truths),
            draw: sacrebleu_of(Test::Randomization),
        },
    ]
}

/// Counts of 3,000 segments of two systems, of which the second has this many wrong words more in a thousand.
fn bleu_population(bleu: &'static Bleu, worse: usize) -> Vec<CountRows> {
    let metric = AnyMetric::for_ids(bleu).unwrap();
    let mut rng = Rng::new(11);
    let mut states = [Vec::new(), Vec::new()];
    for _ in 0..3_000 {
        let (length, hard) = (rng.between(8, 30), rng.between(50, 350));
        let reference: Vec<u32> = (0..length).map(|_| rng.below(2_000) as u32).collect();
        for (system, states) in states.iter_mut().enumerate() {
            let wrong = hard + worse * system;
            let output: Vec<u32> = reference
                .iter()
                .map(|&word| if rng.chance(wrong) { 5_000 + rng.below(2_000) as u32 } else { word })
                .collect();
            let mut one = Accumulator::<_, [u32]>::new(&metric);
            states.push(one.push(&output, &[&reference]).unwrap());
        }
    }
    let rows = states.iter().map(|states| rows_of(&metric, states).unwrap()).collect();
    if worse == 0 { exchangeable(rows) } else { rows }
}

/// Adds each segment with its systems swapped, so that the true difference is 0.
fn exchangeable(rows: Vec<CountRows>) -> Vec<CountRows> {
    let both = |first: &CountRows, second: &CountRows| {
        let mut all = first.clone();
        second.iter().for_each(|row| all.push(row).unwrap());
        all
    };
    vec![both(&rows[0], &rows[1]), both(&rows[1], &rows[0])]
}

/// Counts of 3,000 segments of two systems with skewed, correlated numbers, the first higher by a shift.
fn mark_population(given: &'static bleuprint::metrics::Given, shift: f64) -> Vec<CountRows> {
    let mut rng = Rng::new(12);
    let mut states = [Vec::new(), Vec::new()];
    for _ in 0..3_000 {
        let common = exponential(&mut rng);
        for (system, states) in states.iter_mut().enumerate() {
            let value = common + exponential(&mut rng) + if system == 0 { shift } else { 0.0 };
            let mut one = Accumulator::<_, bleuprint::contract::Numbers>::new(given);
            states.push(one.push(&[value], &[]).unwrap());
        }
    }
    let rows = states.iter().map(|states| rows_of(given, states).unwrap()).collect();
    if shift == 0.0 { exchangeable(rows) } else { rows }
}

/// The rows of the two tables.
struct Tables {
    coverage: String,
    findings: String,
}

#[test]
fn intervals_hold_what_they_say() {
    let mut tables = Tables { coverage: String::new(), findings: String::new() };
    let mut wrong = Vec::new();
    for (number, method) in methods().iter().enumerate() {
        let count = draws(method.draws.0, method.draws.1);
        // Three standard deviations of a share of about 95 in 100.
        let slack = 3.0 * (0.05 * 0.95 / count as f64).sqrt();
        for (at, difference) in method.differences.iter().enumerate() {
            let mut row = format!("| {} | {difference} |", method.name);
            let mut found = format!("| {} |", method.name);
            for n in SIZES {
                let mut rng = Rng::new((number * 1_000 + at * 10 + n) as u64);
                let drawn: Vec<Drawn> = (0..count).map(|_| (method.draw)(n, at, &mut rng)).collect();
                let share = |is: fn(&Drawn) -> bool| {
                    drawn.iter().filter(|drawn| is(drawn)).count() as f64 / count as f64
                };
                let (held, rejected) = (share(|drawn| drawn.holds), share(|drawn| drawn.rejects));
                let _ = write!(row, " {:.1} |", 100.0 * held);
                let _ = write!(found, " {:.1} |", 100.0 * rejected);
                let least = if n == 20 { 0.92 } else { 0.93 };
                let most_found = if n == 20 { 0.08 } else { 0.065 };
                if method.is_bound && held < least - slack {
                    wrong.push(format!("{}, {difference}, n = {n}: coverage {held}", method.name));
                }
                if method.is_bound && at == 0 && rejected > most_found + slack {
                    wrong.push(format!("{}, n = {n}: {rejected} of true nulls are rejected", method.name));
                }
            }
            tables.coverage += &(row + "\n");
            if at == 0 && !method.name.starts_with("one rate") {
                tables.findings += &(found + "\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    if std::env::var_os("BLEUPRINT_FULL").is_some() {
        require_page(&tables);
    }
}

/// Compares the tables of the page, or writes them.
fn require_page(tables: &Tables) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/intervals.md");
    let page = std::fs::read_to_string(path).unwrap();
    let mut expected = page.clone();
    for (name, rows) in [("coverage", &tables.coverage), ("findings", &tables.findings)] {
        let (begin, end) = (format!("<!-- {name}: -->\n"), format!("<!-- :{name} -->"));
        let start = expected.find(&begin).unwrap() + begin.len();
        let stop = start + expected[start..].find(&end).unwrap();
        // The head of the table has two lines.
        let head: String = expected[start..stop].lines().take(2).map(|line| format!("{line}\n")).collect();
        expected.replace_range(start..stop, &(head + rows));
    }
    if page != expected && std::env::var_os("BLEUPRINT_WRITE_DOCS").is_some() {
        std::fs::write(path, &expected).unwrap();
        return;
    }
    assert!(page == expected, "docs/intervals.md has other tables; BLEUPRINT_WRITE_DOCS=1 writes them");
}

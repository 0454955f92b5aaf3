//! Recorded rows of scipy, statsmodels and formulas.

mod rates;

use bleuprint_core::Choice as _;
use bleuprint_testkit::recorded::{number, numbers, rows_of as golden};
use quickcheck::{TestResult, quickcheck};
use serde_json::Value;

use super::permutation::permutation;
use crate::distribution::{beta_incomplete, normal_tail, student_tail};
use crate::*;

impl Arm {
    pub(crate) fn of_values(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let standard_error = if values.len() < 2 { 0.0 } else { (squares / (count * (count - 1.0))).sqrt() };
        Arm { score: mean, units: values.len(), standard_error }
    }
}

impl StudentTest {
    /// The mean of the differences of pairs, with n − 1 degrees of freedom: Student's paired test.
    pub(crate) fn paired(differences: &[f64]) -> Self {
        let Arm { score, units, standard_error } = Arm::of_values(differences);
        StudentTest { difference: score, standard_error, freedom: units.saturating_sub(1) as f64 }
    }

    /// The probability of a difference at least as large as this one, with its sign; NaN without spread.
    pub(crate) fn p_greater(&self) -> f64 {
        student_tail(self.statistic(), self.freedom)
    }
}

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no count"))
}

/// Requires numbers as near as the row's tolerance says.
#[track_caller]
fn near(row: &Value, what: &str, got: f64, expected: f64) {
    let tolerance = row["options"]["tolerance"].as_f64().unwrap_or(1e-12) * expected.abs().max(1.0);
    let same = got == expected || got.is_nan() && expected.is_nan() || (got - expected).abs() <= tolerance;
    assert!(same, "{what}: {got}, not {expected}: {row}");
}

fn rows_of(values: &Value) -> CountRows {
    let values = values.as_array().unwrap().iter().flat_map(|value| [count(value), 1]);
    CountRows::new(2, values.collect()).unwrap()
}

fn mean(row: &[u64]) -> f64 {
    row[0] as f64 / row[1] as f64
}

/// Decimals of up to 9 places, as whole billionths above the least, with a count of 1 each, and the mean again.
fn decimal_rows(values: &[f64]) -> (CountRows, impl Fn(&[u64]) -> f64 + Sync + use<>) {
    let least = values.iter().copied().fold(0.0, f64::min).floor();
    let whole = |value: &f64| ((value - least) * 1e9).round() as u64;
    let rows = CountRows::new(2, values.iter().flat_map(|value| [whole(value), 1]).collect()).unwrap();
    (rows, move |row: &[u64]| row[0] as f64 / row[1] as f64 / 1e9 + least)
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_distributions_are_scipys() {
    for row in golden("student-t") {
        let inputs = &row["inputs"];
        let outputs = &row["outputs"];
        let freedom = number(&inputs["df"]);
        for (t, tail) in numbers(&inputs["t"]).into_iter().zip(numbers(&outputs["sf"])) {
            near(&row, "sf", student_tail(t, freedom), tail);
            assert!((student_tail(t, freedom) / tail - 1.0).abs() < 1e-11, "{t} {freedom}");
        }
        for (tail, quantile) in numbers(&inputs["tail"]).into_iter().zip(numbers(&outputs["quantile"])) {
            near(&row, "quantile", student_quantile(tail, freedom), quantile);
        }
    }
    for row in golden("normal") {
        for (z, tail) in numbers(&row["inputs"]["z"]).into_iter().zip(numbers(&row["outputs"]["sf"])) {
            near(&row, "sf", normal_tail(z), tail);
        }
    }
    for row in golden("beta-incomplete") {
        let arguments = row["inputs"]["a_b_x"].as_array().unwrap();
        for (abx, value) in arguments.iter().zip(numbers(&row["outputs"]["I"])) {
            let abx = numbers(abx);
            near(&row, "I", beta_incomplete(abx[0], abx[1], abx[2]), value);
        }
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_welch_is_scipys() {
    for row in golden("welch") {
        let outputs = &row["outputs"];
        let [a, b] = ["a", "b"].map(|side| numbers(&row["inputs"][side]));
        let of_values = StudentTest::welch(&Arm::of_values(&a), &Arm::of_values(&b));
        assert_eq!(of_values.is_err(), a.len().min(b.len()) < 2, "{row}");
        let Ok(of_values) = of_values else { continue };
        let all: Vec<f64> = a.iter().chain(&b).copied().collect();
        let (pooled, finish) = decimal_rows(&all);
        let part = |range: std::ops::Range<usize>| {
            let mut part = CountRows::with_columns(2);
            range.for_each(|at| part.push(pooled.row(at)).unwrap());
            Arm::from_units(&part, &finish).unwrap()
        };
        let of_rows = StudentTest::welch(&part(0..a.len()), &part(a.len()..all.len())).unwrap();
        if of_values.standard_error == 0.0 {
            let p = of_values.p_value();
            assert!(if of_values.difference == 0.0 { p == 1.0 } else { p.is_nan() }, "{row}");
            continue;
        }
        for test in [of_values, of_rows] {
            near(&row, "statistic", test.statistic(), number(&outputs["statistic"]));
            near(&row, "df", test.freedom, number(&outputs["df"]));
            near(&row, "p", test.p_value(), number(&outputs["p"]));
            if row["options"]["degenerate"] == true {
                continue;
            }
            near(&row, "p_greater", test.p_greater(), number(&outputs["p_greater"]));
            near(&row, "p_less", 1.0 - test.p_greater(), number(&outputs["p_less"]));
            let [low, high] = test.interval(number(&row["options"]["confidence"]));
            near(&row, "low", low, number(&outputs["low"]));
            near(&row, "high", high, number(&outputs["high"]));
        }
    }
    for row in golden("paired-t") {
        let [a, b] = ["a", "b"].map(|side| numbers(&row["inputs"][side]));
        let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
        let test = StudentTest::paired(&differences);
        let outputs = &row["outputs"];
        let [low, high] = test.interval(0.95);
        let got = [test.statistic(), test.freedom, test.p_value(), low, high];
        for (got, name) in got.into_iter().zip(["statistic", "df", "p", "low", "high"]) {
            near(&row, name, got, number(&outputs[name]));
        }
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_permutations_are_scipys() {
    for row in golden("permutation-exact") {
        let one = rows_of(&row["inputs"]["a"]);
        let other = rows_of(&row["inputs"]["b"]);
        let outputs = &row["outputs"];
        let plan = ResamplePlan::new(10);
        let permuted = permutation([&one, &other], &mean, plan, false).unwrap();
        assert_eq!(permuted.all, Some(count(&outputs["arrangements"])), "{row}");
        near(&row, "p", permuted.p_value(), number(&outputs["p_abs"]));
        let all = count(&outputs["arrangements"]) as f64;
        near(&row, "count", permuted.p_value() * all, number(&outputs["count_abs"]));
        let studentized = permutation([&one, &other], &mean, plan, true).unwrap();
        assert!(studentized.p_value() * all >= 1.0 && studentized.p_value() <= 1.0, "{row}");
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_sign_flips_are_scipys() {
    for row in golden("sign-flip-exact") {
        let [a, b] = ["a", "b"].map(|side| numbers(&row["inputs"][side]));
        let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
        let sum = |flips: u64| -> f64 {
            let signed = |(at, value): (usize, &f64)| if flips >> at & 1 == 1 { -value } else { *value };
            differences.iter().enumerate().map(signed).sum::<f64>().abs()
        };
        let flips = 1_u64 << differences.len();
        let as_large = (0..flips).filter(|&flips| sum(flips) >= sum(0)).count();
        near(&row, "count", as_large as f64, number(&row["outputs"]["count_abs"]));
        // Where the numbers are two, McNemar's test is the same.
        if a.iter().chain(&b).all(|value| *value == 0.0 || *value == 1.0) {
            let only = |one: &[f64], other: &[f64]| {
                one.iter().zip(other).filter(|(one, other)| one > other).count() as u64
            };
            let rates = PairedRates::new(a.len() as u64, only(&a, &b), only(&b, &a)).unwrap();
            near(&row, "p", rates.p_value(), number(&row["outputs"]["p_abs"]));
        }
    }
}

/// Checks that p is below the level of the interval if and only if the interval excludes 0, for every test.
#[test]
fn p_is_below_the_level_if_the_interval_excludes_0() {
    fn law(one: Vec<u8>, other: Vec<u8>, shift: u8, level: u8) -> TestResult {
        let values = |values: &[u8], shift: u8| -> Vec<u64> {
            values.iter().flat_map(|&value| [u64::from(value % 8 + shift % 8), 1]).collect()
        };
        if one.len().min(other.len()) < 2 || one.len().max(other.len()) > 40 {
            return TestResult::discard();
        }
        let sides = [values(&one, shift), values(&other, 0)].map(|rows| CountRows::new(2, rows).unwrap());
        let significance = f64::from(level % 40 + 1) / 97.0;
        for test in [UnpairedTest::Welch, UnpairedTest::Bootstrap, UnpairedTest::Permutation] {
            for finish in [mean as fn(&[u64]) -> f64, |row| mean(row).sqrt()] {
                let power = Power { significance, ..Power::default() };
                let design =
                    Unpaired { test: Some(test), plan: ResamplePlan::new(99), power, ..Unpaired::default() };
                let sides = sides.each_ref().map(|rows| (rows, None));
                let pair = design.compare(&sides, &finish).unwrap().pairs.remove(0);
                let excludes = pair.interval.lower > 0.0 || pair.interval.upper < 0.0;
                if !pair.p_value.is_nan() && excludes != (pair.p_value < significance) {
                    return TestResult::error(format!("{test:?} at {significance}: {pair:?}"));
                }
            }
        }
        TestResult::passed()
    }
    quickcheck(law as fn(Vec<u8>, Vec<u8>, u8, u8) -> TestResult);
}

/// A pass rate of 100 % next to one of 4 in 5.
#[test]
fn a_constant_side_leaves_means_to_welch() {
    let passes = |count: u64, fails: &[u64]| {
        CountRows::new(2, (0..count).flat_map(|at| [u64::from(!fails.contains(&at)), 1]).collect()).unwrap()
    };
    let one = passes(30, &[3, 11, 12, 20, 26, 28]);
    let other = passes(20, &[]);
    let sides = [(&one, None), (&other, None)];
    let design = Unpaired { wanted: Some(1.0), ..Unpaired::default() };
    let matrix = design.compare(&sides, &mean).unwrap();
    let of_rates = design.compare_as(Approach::Rate, 1.0, &sides, &mean).unwrap();
    let rates = crate::UnpairedRates::new([24, 30], [20, 20]).unwrap();
    let pair = &of_rates.pairs[0];
    assert_eq!((of_rates.test, pair.p_value), ("miettinen-nurminen", rates.p_value()));
    assert_eq!([pair.interval.lower, pair.interval.upper], rates.interval(0.95));
    let pair = &matrix.pairs[0];
    assert_eq!((matrix.test, pair.unpaired.unwrap().needed), ("welch", Some([10, 10])));
    assert!(pair.p_value < 0.05 && pair.interval.upper < 0.0);
    for wanted in [-1.0, 0.0, f64::NAN] {
        let design = Unpaired { wanted: Some(wanted), ..design };
        assert!(design.compare(&sides, &mean).unwrap_err().to_string().contains("above 0"));
    }
}

/// McNemar's p-value is the share of all swaps of 0/1 numbers, by counting.
#[test]
fn mcnemar_is_every_swap_of_right_and_wrong() {
    for (a, b) in [(0b1_1110_0110, 0b0_0111_0100), (0b1_1111_1111, 0), (0b101, 0b101), (0b11, 0b100)] {
        let only = |one: u64, other: u64| u64::from((one & !other).count_ones());
        let rates = PairedRates::new(9, only(a, b), only(b, a)).unwrap();
        let difference = |flips: u64| {
            let (a, b) = ((a & !flips) | (b & flips), (b & !flips) | (a & flips));
            (f64::from(a.count_ones()) - f64::from(b.count_ones())).abs()
        };
        let as_large = (0..1 << 9).filter(|&flips| difference(flips) >= difference(0)).count();
        assert!((rates.p_value() - as_large as f64 / 512.0).abs() < 1e-14, "{a:b} {b:b}");
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rates_are_scipys_and_statsmodels() {
    for row in golden("binomial") {
        let inputs = &row["inputs"];
        let outputs = &row["outputs"];
        let rate = Proportion::new(count(&inputs["k"]), count(&inputs["n"]));
        assert_eq!(rate.is_err(), !outputs["error"].is_null(), "{row}");
        let Ok(rate) = rate else { continue };
        let p0 = number(&inputs["p0"]);
        let confidence = number(&row["options"]["confidence"]);
        near(&row, "p_less", rate.p_at_most(p0), number(&outputs["p_less"]));
        let wilson = numbers(&outputs["wilson"]);
        let ours = crate::wilson(count(&inputs["k"]), count(&inputs["n"]), confidence).unwrap();
        ours.into_iter().zip(wilson).for_each(|(got, end)| near(&row, "wilson", got, end));
    }
    for row in golden("mcnemar") {
        let inputs = &row["inputs"];
        let outputs = &row["outputs"];
        let test = McNemar { only_first: count(&inputs["only_a"]), only_second: count(&inputs["only_b"]) };
        near(&row, "exact", test.p_value(), number(&outputs["exact"]["p"]));
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_corrections_and_power_are_statsmodels() {
    for row in golden("multiple") {
        let p = numbers(&row["inputs"]["p"]);
        for correction in Correction::ALL {
            let name = correction.name();
            for (got, expected) in correction.apply(&p).into_iter().zip(numbers(&row["outputs"][name])) {
                near(&row, name, got, expected);
            }
        }
    }
    let power = |inputs: &Value| Power {
        significance: number(&inputs["alpha"]),
        two_sided: inputs["two_sided"] == true,
        power: number(&inputs["power"]),
    };
    for row in golden("needed-n") {
        let inputs = &row["inputs"];
        let ratio = number(&inputs["n2_over_n1"]);
        let effect = number(&inputs["effect_over_sd"]);
        let needed = power(inputs).units_needed([1.0, 1.0], ratio, effect).unwrap()[0] as f64;
        assert_eq!(needed, number(&row["outputs"]["n1_formula"]).ceil(), "{row}");
        let more = number(&row["outputs"]["n1_t"]).ceil() - needed;
        assert!((0.0..=2.0).contains(&more), "{row}");
    }
    for row in golden("detectable") {
        let inputs = &row["inputs"];
        let outputs = &row["outputs"];
        let power = power(inputs);
        let [sd1, sd2] = ["sd1", "sd2"].map(|name| number(&inputs[name]));
        let [n1, n2] = ["n1", "n2"].map(|name| number(&inputs[name]));
        let error = (sd1 * sd1 / n1 + sd2 * sd2 / n2).sqrt();
        near(&row, "difference", power.smallest_difference(error), number(&outputs["difference"]));
        let needed = power.units_needed([sd1, sd2], 1.0, number(&outputs["for_difference"])).unwrap();
        assert_eq!(needed, [count(&outputs["n_each"]); 2], "{row}");
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_standard_errors_are_statsmodels() {
    for row in golden("ratio-error") {
        let inputs = &row["inputs"];
        let outputs = &row["outputs"];
        let above = numbers(&inputs["numerator"]);
        let below = numbers(&inputs["denominator"]);
        let score = above.iter().sum::<f64>() / below.iter().sum::<f64>();
        near(&row, "score", score, number(&outputs["score"]));
        let error = delta_error(&above, &below);
        near(&row, "standard_error", error, number(&outputs["standard_error"]));
        // The jackknife approaches it.
        if above.len() >= 100 {
            let whole = |value: f64| (value * 1e6).round() as u64;
            let rows = above.iter().zip(&below).flat_map(|(&one, &other)| [whole(one), whole(other)]);
            let arm = Arm::from_units(&CountRows::new(2, rows.collect()).unwrap(), &mean).unwrap();
            assert!((arm.standard_error / error - 1.0).abs() < 0.03, "{} {error}", arm.standard_error);
        }
    }
    for row in golden("cluster-error") {
        let inputs = &row["inputs"];
        let outputs = &row["outputs"];
        let y = numbers(&inputs["y"]);
        let clusters: Vec<String> =
            inputs["cluster"].as_array().unwrap().iter().map(Value::to_string).collect();
        let (rows, finish) = decimal_rows(&y);
        near(&row, "mean", finish(&rows.total().unwrap()), number(&outputs["mean"]));
        let units = Units::by(&clusters).rows(&rows).unwrap();
        let above: Vec<f64> = units.iter().map(|unit| finish(unit) * unit[1] as f64).collect();
        let below: Vec<f64> = units.iter().map(|unit| unit[1] as f64).collect();
        near(&row, "clusters", delta_error(&above, &below), number(&outputs["standard_error_here"]));
        let ignoring = Arm::of_values(&y).standard_error;
        near(&row, "ignoring", ignoring, number(&outputs["standard_error_ignoring_clusters"]));
        near(&row, "ignoring", Arm::from_units(&rows, &finish).unwrap().standard_error, ignoring);
    }
    for row in golden("ab-clusters") {
        let inputs = &row["inputs"];
        let arm = |is_b: bool| {
            let list = |name: &str| inputs[name].as_array().unwrap().iter().cloned();
            let own = list("y").zip(list("cluster")).zip(list("arm_b")).filter(|(_, b)| *b == is_b);
            let (y, clusters): (Vec<u64>, Vec<String>) =
                own.map(|((y, cluster), _)| (count(&y), cluster.to_string())).unzip();
            let rows = CountRows::new(2, y.iter().flat_map(|&y| [y, 1]).collect()).unwrap();
            let units = Units::by(&clusters).rows(&rows).unwrap();
            let score = mean(&units.total().unwrap());
            let column = |at: usize| units.iter().map(|unit| unit[at] as f64).collect::<Vec<_>>();
            let error = delta_error(&column(0), &column(1));
            let count = units.len() as f64;
            // Theirs is without the factor G/(G − 1).
            (score, error * error * (count - 1.0) / count)
        };
        let (a, variance_a) = arm(false);
        let (b, variance_b) = arm(true);
        near(&row, "difference", b - a, number(&row["outputs"]["difference_b_minus_a"]));
        near(&row, "error", (variance_a + variance_b).sqrt(), number(&row["outputs"]["standard_error_cr0"]));
    }
}

/// The closed form that the jackknife approaches: `√(G/(G − 1) · Σ(N_g − s D_g)²)/ΣD`.
fn delta_error(above: &[f64], below: &[f64]) -> f64 {
    let count = above.len() as f64;
    let sum = below.iter().sum::<f64>();
    let score = above.iter().sum::<f64>() / sum;
    let squares: f64 = above.iter().zip(below).map(|(n, d)| (n - score * d).powi(2)).sum();
    (count / (count - 1.0) * squares).sqrt() / sum
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_sequences_are_their_formulas() {
    for row in golden("confidence-sequence") {
        let inputs = &row["inputs"];
        let outputs = &row["outputs"];
        let planned = number(&inputs["planned_variance_sum"]);
        let sequence = Sequence::new(number(&inputs["alpha"]), planned).unwrap();
        near(&row, "r", sequence.mixture, number(&outputs["r"]));
        near(&row, "c", planned / sequence.mixture, number(&outputs["ratio_planned_to_r"]));
        let information = number(&inputs["variance_sum"]);
        let look = sequence.look(0.0, information.sqrt().recip());
        if information == 0.0 {
            assert_eq!(look.high, f64::INFINITY);
            continue;
        }
        near(&row, "half width", look.high * information, number(&outputs["half_width_of_sum"]));
    }
    for row in golden("sequential-p") {
        let inputs = &row["inputs"];
        let information = number(&inputs["variance_sum"]);
        // c of 5 % makes the planned information of a given r.
        let planned = number(&inputs["r"]) * 8.211_968_062_068_253;
        let look = Sequence::new(0.05, planned)
            .unwrap()
            .look(number(&inputs["sum"]) / information, information.sqrt().recip());
        near(&row, "e", look.e_value, number(&row["outputs"]["e_value"]));
        near(&row, "p", look.p_value, number(&row["outputs"]["p_this_look"]));
    }
}

//! Small examples of what the crate keeps to itself; draws and means against NumPy's and CPython's own (`crates/testkit/data/numpy`).

use serde_json::Value;

use crate::*;

fn golden(text: &str) -> Vec<Value> {
    let data: Value = serde_json::from_str(text).unwrap();
    data["cases"].as_array().unwrap().clone()
}

#[test]
fn draws_are_those_of_default_rng() {
    let cases = golden(include_str!("../../testkit/data/numpy/random.json"));
    assert_eq!(cases.len(), 8);
    for case in cases {
        let seed = case["seed"].as_str().unwrap();
        let mut random = NumpyRandom::new(seed.parse().unwrap());
        for call in case["calls"].as_array().unwrap() {
            let expected: Vec<u64> =
                call["values"].as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect();
            let drawn: Vec<u64> = if call["kind"] == "indices" {
                let mut indices = vec![0; expected.len()];
                random.fill_indices(call["bound"].as_u64().unwrap() as u32, &mut indices);
                indices.into_iter().map(u64::from).collect()
            } else {
                let mut coins = random.booleans();
                expected.iter().map(|_| u64::from(coins.draw())).collect()
            };
            assert_eq!(drawn, expected, "seed {seed}, {}", call["kind"]);
        }
    }
}

#[test]
fn means_have_the_bits_of_cpython_and_numpy() {
    let bits = |value: &Value| f64::from_bits(value.as_u64().unwrap());
    for case in golden(include_str!("../../testkit/data/numpy/means.json")) {
        let values: Vec<f64> = case["values"].as_array().unwrap().iter().map(bits).collect();
        let count = values.len();
        let singles: Vec<f32> = values.iter().map(|&value| value as f32).collect();
        let double = Scores::Double(values);
        let single = Scores::Single(singles);
        assert_eq!(double.interval().mean, bits(&case["mean"]), "{count} doubles");
        assert_eq!(
            double.paired_interval().mean,
            bits(&case["sum"]) / count as f64,
            "{count} doubles, summed"
        );
        assert_eq!(single.interval().mean, bits(&case["single_mean"]), "{count} singles");
        let mean = bits(&case["single_sum"]) as f32 / count as f32;
        assert_eq!(single.paired_interval().mean, f64::from(mean), "{count} singles, summed");
    }
}

#[test]
fn mcnemar_by_example() {
    let p = McNemar { only_first: 9, only_second: 1 }.p_value();
    assert!((p - 2.0 * 11.0 / 1024.0).abs() < 1e-15);
    assert_eq!(McNemar { only_first: 0, only_second: 0 }.p_value(), 1.0);
}

#[test]
fn paired_paired_bootstrap_by_example() {
    use crate::{AtLeast, Scores, paired_bootstrap};
    let one = Scores::Double(vec![20.0; 99]);
    let other = Scores::Double(vec![22.0; 99]);
    assert_eq!(paired_bootstrap(&one, &other, 2.0, AtLeast::Larger), 0.01);
    assert_eq!(paired_bootstrap(&one, &one, 0.0, AtLeast::Larger), 1.0);
}

#[test]
fn pairs_compare_all_by_example() {
    use crate::compare::plain::compare_all;
    use crate::{CountRows, Design, Power, ResamplePlan, Test};
    let system =
        |bad: u64| CountRows::new(2, (0..300).flat_map(|i| [u64::from(i % 10 >= bad), 1]).collect()).unwrap();
    let good = system(1);
    let poor = system(6);
    let same = system(6);
    let percent = |row: &[u64]| 100.0 * row[0] as f64 / row[1].max(1) as f64;
    let plan = ResamplePlan::new(1000);
    let design =
        Design { test: Some(Test::Bootstrap), plan, higher_is_better: true, power: Power::default() };
    let matrix = compare_all(&[&good, &poor, &same], &percent, design).unwrap();
    assert_eq!(matrix.pairs[0].difference, 50.0);
    assert!(matrix.pairs[0].corrected < 0.05 && matrix.pairs[2].corrected == 1.0);
    assert_eq!(matrix.ranks.iter().map(|rank| rank.cluster).collect::<Vec<_>>(), [1, 2, 2]);
}

#[test]
fn ranks_ranks_by_example() {
    use crate::{SystemRank, Win, ranks};
    let win = |better, worse| Win { better, worse };
    // 2 beats 0 and 1, which do not differ.
    let table = ranks(&[2, 0, 1], &[win(2, 0), win(2, 1)]);
    assert_eq!(table[0], SystemRank { system: 2, best: 1, worst: 1, cluster: 1 });
    assert_eq!(table[1], SystemRank { system: 0, best: 2, worst: 3, cluster: 2 });
}

#[test]
fn units_compare_units_by_example() {
    use crate::compare::plain::{compare_all, compare_units};
    use crate::{CountRows, Design, Power, ResamplePlan, Units};
    // Documents of four segments, which succeed or fail together.
    let system = |bad: u64| {
        CountRows::new(2, (0..240).flat_map(|at| [u64::from(at / 4 % 10 >= bad), 1]).collect()).unwrap()
    };
    let one = system(3);
    let other = system(4);
    let rate = |row: &[u64]| row[0] as f64 / row[1] as f64;
    let design =
        Design { test: None, plan: ResamplePlan::new(500), higher_is_better: true, power: Power::default() };
    let documents = Units::by((0..240).map(|at| (at / 4).to_string()));
    let pair = compare_units(&[&one, &other], &documents, &rate, design).unwrap().pairs[0];
    let naive = compare_all(&[&one, &other], &rate, design).unwrap().pairs[0];
    assert!(pair.difference == naive.difference && pair.p_value > naive.p_value);
    assert!((pair.paired_units.unwrap().design_effect.unwrap() - 4.0).abs() < 0.1);
}

#[test]
fn arm_welch_by_example() {
    use crate::{Arm, StudentTest};
    let arms = [Arm::of_values(&[1.791, -0.992]), Arm::of_values(&[-4.62, 3.333])];
    let test = StudentTest::welch(&arms[0], &arms[1]).unwrap();
    assert!((test.p_value() - 0.8390894511495208).abs() < 1e-12); // scipy's
    assert!(StudentTest::welch(&arms[0], &Arm::of_values(&[1.0])).is_err());
}

#[test]
fn power_units_needed_by_example() {
    let needed = |difference| crate::Power::default().units_needed([1.0, 1.0], 1.0, difference);
    assert_eq!((needed(0.2), needed(0.0)), (Some([393, 393]), None));
}

//! Draws and means against NumPy's and CPython's own (`crates/testkit/data/numpy`).

use bleuprint_inference::{NumpyRandom, Scores};
use serde_json::Value;

fn golden(text: &str) -> Vec<Value> {
    let data: Value = serde_json::from_str(text).unwrap();
    data["cases"].as_array().unwrap().clone()
}

#[test]
fn draws_are_those_of_default_rng() {
    let cases = golden(include_str!("../../../testkit/data/numpy/random.json"));
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
    for case in golden(include_str!("../../../testkit/data/numpy/means.json")) {
        let values: Vec<f64> = case["values"].as_array().unwrap().iter().map(bits).collect();
        let count = values.len();
        let singles: Vec<f32> = values.iter().map(|&value| value as f32).collect();
        let (double, single) = (Scores::Double(values), Scores::Single(singles));
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

